"""plugins/README.md makes a package that can be installed, is found, and passes its own tests."""

import re
import shlex
from pathlib import Path

import pytest
from tests.docs.markdown import ROOT, Block, blocks
from tests.support.packages import install, passed, run

from meldlog_service.checking.faults import INVARIANTS
from meldlog_service.kit.package import FILES

GUIDE = ROOT / "plugins" / "README.md"
EXAMPLE = ROOT / "plugins" / "example_variant"
NAMED = re.compile(r"# (\S+\.(?:py|toml))\n")
ASK = """
from meldlog_service.catalogue import Catalogue
print(*(info.name for info in Catalogue.from_entry_points().infos()))
"""


def file_of(block: Block) -> tuple[str, str]:
    """The file that a block's first line names, and its text."""
    name = NAMED.match(block.text)
    assert name is not None, f"{block.where} does not name its file"
    return name[1], block.text.removeprefix(name[0])


SHOWN = dict(map(file_of, blocks(GUIDE, "python", "toml")))
"""Texts of the guide by file."""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the guide's first command writes."""
    folder = tmp_path_factory.mktemp("guide")
    [begin] = [block.text for block in blocks(GUIDE, "sh") if "new-variant" in block.text]
    program, *arguments = shlex.split(begin)
    run(program, *arguments, folder=folder)
    [package] = folder.iterdir()
    return package


@pytest.fixture(scope="module")
def followed(package: Path) -> Path:
    """The package of a reader who has written every file of the guide over it."""
    for name, text in SHOWN.items():
        file = package / name
        file.write_text(changed(file, text) if name == "pyproject.toml" else text, encoding="utf-8")
    return package


def changed(file: Path, table: str) -> str:
    """A TOML file in which one table is another, down to its blank line."""
    heading = table.partition("\n")[0]
    before, found, after = file.read_text(encoding="utf-8").partition(heading)
    assert found
    _, _, rest = after.partition("\n\n")
    return f"{before}{table}\n{rest}"


@pytest.fixture(scope="module")
def site(followed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the reader's package is installed."""
    folder = tmp_path_factory.mktemp("installed")
    install(followed, folder)
    return folder


def test_the_files_that_the_guide_lists_are_those_that_are_written(package: Path) -> None:
    """The tree is what comes out of the command; later files are shown where they are added."""
    [tree] = [block.text for block in blocks(GUIDE, "") if block.text.startswith(f"{package.name}/")]
    listed = {line.split()[0] for line in tree.splitlines() if not line.split()[0].endswith("/")}
    assert listed <= {path.name for path in package.rglob("*") if path.is_file()}
    assert len(listed) == len(FILES)


def test_the_variant_that_the_guide_shows_is_the_one_that_is_kept() -> None:
    """And is played, in a service, by the test of the example."""
    kept = {name: EXAMPLE / name for name in SHOWN if (EXAMPLE / name).exists() and name != "pyproject.toml"}
    assert len(kept) == 3
    for name, file in kept.items():
        assert SHOWN[name] == file.read_text(encoding="utf-8"), name


def test_the_installed_package_passes_its_own_tests(followed: Path, site: Path) -> None:
    """They are run against what was installed, not against the source."""
    assert passed(followed, site) >= 11


@pytest.mark.parametrize("options", [(), ("--option", "caught-out")])
def test_the_installed_package_keeps_every_promise(
    followed: Path, site: Path, options: tuple[str, ...]
) -> None:
    """As `meldlog check` tries them; its players and its auditor find the package as well."""
    told = run("meldlog", "check", "one-eyed-jacks", "--games", "2", *options, folder=followed, site=site)
    assert "no fault was found." in told


def test_the_promises_are_those_that_are_tried() -> None:
    """The table names each and says what it is."""
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE))
    assert rows == INVARIANTS


def test_the_readers_package_is_clean(followed: Path) -> None:
    """By the settings that came with it."""
    run("ruff", "check", "--no-cache", folder=followed)
    run("ruff", "format", "--no-cache", "--check", folder=followed)


def test_the_catalogue_finds_it_through_its_entry_points(followed: Path, site: Path) -> None:
    """As it finds Meldlog's own variants."""
    found = run("python", "-P", "-c", ASK, folder=followed, site=site)
    assert {"one-eyed-jacks", "caught-out", "crazy-rummy"} <= set(found.split())
