"""plugins/README.md makes a package that can be installed, is found, and passes its own tests."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.markdown import ROOT, blocks

GUIDE = ROOT / "plugins" / "README.md"
NAMED = re.compile(r"# (\S+\.(?:py|toml))\n")
ASK = """
from meldlog_service.catalogue import Catalogue
print(*(info.name for info in Catalogue.from_entry_points().infos()))
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The guide's files, written to a folder: every block whose first line names one."""
    folder = tmp_path_factory.mktemp("guide") / "meldlog-deuces"
    for block in blocks(GUIDE, "python", "toml"):
        name = NAMED.match(block.text)
        assert name is not None, f"{block.where} does not name its file"
        file = folder / name[1]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.text, encoding="utf-8")
    (folder / "meldlog_deuces" / "__init__.py").touch()
    return folder


@pytest.fixture(scope="module")
def environment(package: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables of a process that has the package installed beside Meldlog."""
    folder = tmp_path_factory.mktemp("installed")
    uv = str(Path(sys.executable).with_name("uv"))
    install = [uv, "pip", "install", "--quiet", "--offline", "--no-deps", "--no-build-isolation"]
    subprocess.run([*install, "--target", str(folder), str(package)], check=True, capture_output=True)
    return os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}


def run(environment: dict[str, str], folder: Path, *arguments: str) -> str:
    """What a Python process prints; it must end well."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_files_are_those_that_the_guide_lists(package: Path) -> None:
    """The tree at its beginning is the package that comes out."""
    [tree] = [block.text for block in blocks(GUIDE, "") if block.text.startswith("meldlog-deuces/")]
    listed = set(re.findall(r"\S+\.(?:py|toml)", tree))
    assert listed == {path.name for path in package.rglob("*") if path.suffix in (".py", ".toml")}


def test_the_installed_package_passes_its_own_tests(environment: dict[str, str], package: Path) -> None:
    """They are run against what was installed, not against the source."""
    told = run(
        environment, package, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ".", "tests"
    )
    assert re.search(r"^\d+ passed", told, re.MULTILINE)


def test_the_catalogue_finds_it_through_its_entry_points(environment: dict[str, str], package: Path) -> None:
    """As it finds Meldlog's own variants."""
    found = run(environment, package, "-c", ASK)
    assert {"deuces", "caught-out", "crazy-rummy"} <= set(found.split())
