"""The distribution holds what it should, and its base is as small as a variant's author is promised."""

import re
import subprocess
import sys
import tomllib
import zipfile
from email.message import Message
from email.parser import Parser
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
SOURCE_ROOTS = ("contracts", "plugins", "services")
PACKAGES = ("meldlog_client", "meldlog_contracts", "meldlog_service", "meldlog_variants", "meldlog_web")

# Imports every module of some packages with only the standard library, the wheel and its base dependencies.
BASE_INSTALL = """
import importlib, pkgutil, sys
wheel, *packages = sys.argv[1:]
allowed = {"msgspec", "pluggy"} | set(packages)

class OnlyTheBase:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in allowed and top != "meldlog_service" and top not in sys.stdlib_module_names:
            raise ImportError(f"{name} is not among the base dependencies")

sys.meta_path.insert(0, OnlyTheBase())
sys.path.insert(0, wheel)
for package in packages:
    found = importlib.import_module(package)
    assert found.__file__.startswith(wheel), found.__file__
    for module in pkgutil.walk_packages(found.__path__, f"{package}."):
        importlib.import_module(module.name)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this source tree."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [built] = folder.glob("*.whl")
    return built


def metadata(wheel: Path) -> Message:
    """The wheel's core metadata."""
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(archive.read(name).decode())


def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else(wheel: Path) -> None:
    """Rule sheets, pages and `py.typed` included; no test and no example."""
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    there = {
        path.relative_to(ROOT / root).as_posix()
        for root in SOURCE_ROOTS
        for package in PACKAGES
        for path in (ROOT / root / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert held == there
    assert {f"{package}/py.typed" for package in PACKAGES} <= held


def test_the_base_needs_msgspec_and_pluggy_only(wheel: Path) -> None:
    """Everything else is asked for with an extra."""
    requirements = [Requirement(text) for text in metadata(wheel).get_all("Requires-Dist", [])]
    base = {requirement.name for requirement in requirements if "extra" not in str(requirement.marker)}
    assert base == {"msgspec", "pluggy"}


def test_contracts_variants_and_core_work_with_the_base_alone(wheel: Path, tmp_path: Path) -> None:
    """What the author of a variant installs is enough to import all of it."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    packages = ["meldlog_contracts", "meldlog_variants", "meldlog_service.core"]
    done = subprocess.run(
        [sys.executable, "-c", BASE_INSTALL, str(tmp_path), *packages],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_every_entry_point_can_be_loaded() -> None:
    """The command, the variants and the rule plugins that the distribution announces are there."""
    entry_points = distribution("meldlog").entry_points
    assert "meldlog" in entry_points.select(group="console_scripts").names
    for entry_point in entry_points:
        assert entry_point.load() is not None


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-bench.lock"])
def test_the_lock_names_hashes_and_no_addresses(name: str) -> None:
    """Every locked package is known by its hashes, wherever it is fetched from."""
    lock = (ROOT / name).read_text()
    entries = re.findall(r"^\S+==.*(?:\n +.*)*", lock, re.MULTILINE)
    assert entries
    for entry in entries:
        assert "--hash=sha256:" in entry, entry
    assert "://" not in lock


def test_the_lock_holds_every_direct_dependency() -> None:
    """A dependency changed in pyproject.toml without `make lock` is found here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = [
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["service"],
        *project["dependency-groups"]["dev"],
    ]
    lock = (ROOT / "requirements.lock").read_text()
    locked = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", lock, re.MULTILINE))
    for requirement in map(Requirement, wanted):
        assert requirement.name in locked, f"{requirement.name} is not locked: run `make lock`"
        assert locked[requirement.name] in requirement.specifier
