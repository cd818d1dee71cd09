"""The package that `meldlog new-variant` writes: it installs, passes its own tests and checks, and says its rules."""

import json
import tomllib
from importlib import metadata
from pathlib import Path
from shutil import copytree

import pytest
from packaging.requirements import Requirement
from tests.cli.commands import meldlog
from tests.support.games import installed
from tests.support.packages import beside, install, passed, run

from meldlog_service.kit.names import LONGEST, Names
from meldlog_service.kit.package import blueprint, written

ROOT = Path(__file__).parents[2]
BASES = ["basic", *(info.name for info in installed().infos() if info.kind == "variant")]
ONE_LETTER, LONG = "x", "as-long-as-a-name-can-be".ljust(LONGEST, "e")


def write(folder: Path, name: str, base: str = "basic") -> Path:
    """A new package, in a folder of its own."""
    package = folder / Names(name).distribution
    for path, text in written(blueprint(Names(name), base, None, installed())).items():
        file = package / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return package


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tea Rummy, as it is written."""
    return write(tmp_path_factory.mktemp("written"), "tea-rummy")


@pytest.fixture(scope="module")
def site(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that Tea Rummy is installed in."""
    folder = tmp_path_factory.mktemp("site")
    install(package, folder)
    return folder


def test_it_passes_its_own_tests_when_it_is_installed(package: Path, site: Path) -> None:
    """Before its author has changed anything."""
    assert passed(package, site) == 6


def test_it_is_typed_strictly(package: Path) -> None:
    """By the settings that it brings along."""
    # Types of what it stands on are found once, not in every run.
    cache = ROOT / ".mypy_cache" / "kit"
    assert "Success" in run("mypy", "--cache-dir", cache, folder=package)


@pytest.mark.parametrize("name", [ONE_LETTER, LONG])
def test_it_is_clean_and_formatted_however_long_its_name(name: str, tmp_path: Path) -> None:
    """By the settings that it brings along, too."""
    write(tmp_path, name)
    write(tmp_path, f"y{name[1:]}", "treize-brasses")
    run("ruff", "check", "--no-cache", folder=tmp_path)
    run("ruff", "format", "--no-cache", "--check", folder=tmp_path)


def test_the_wheel_holds_the_sheet_and_the_mark_of_types(site: Path) -> None:
    """They are no Python, so they could be forgotten."""
    held = {path.name for path in (site / "meldlog_tea_rummy").iterdir()}
    assert held == {"__init__.py", "py.typed", "tea_rummy.py", "tea_rummy.toml"}


@pytest.mark.parametrize("lang", ["en", "fr", "fa", "ar"])
def test_its_sheet_is_shown_beside_meldlogs_own(lang: str, site: Path, tmp_path: Path) -> None:
    """With its clause, its house rule and those that it builds on."""
    done = meldlog("variants", "tea-rummy", "--lang", lang, "--json", home=tmp_path, **beside(site))
    sheet = json.loads(done.stdout)
    assert {"tea-rummy.queen", "table.direction-ccw"} <= {clause["id"] for clause in sheet["clauses"]}
    assert all(clause["text"] for clause in sheet["clauses"])
    assert sheet["house_rules"]["tea_rummy_queen"] == 25


def test_a_broken_hook_is_told_to_its_author_in_a_sentence(site: Path, tmp_path: Path) -> None:
    """By every command, not only when the service starts."""
    broken = copytree(site, tmp_path / "site")
    module = broken / "meldlog_tea_rummy" / "tea_rummy.py"
    module.write_text(module.read_text(encoding="utf-8").replace("def card_points", "def card_poinst"))
    for command in (
        ["variants"],
        ["judge", "7H", "--variant", "basic-rummy"],
        ["simulate", "basic-rummy", "--games", "1"],
    ):
        done = meldlog(*command, home=tmp_path, **beside(broken))
        assert done.returncode == 1
        assert done.stderr.startswith("meldlog: unknown hook 'card_poinst'")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("\nfa =", "\n# fa =", "tea_rummy.toml, clause tea-rummy.queen: Object missing required field `fa`"),
        ("{tea_rummy_queen}.", "{tea_rummy_king}.", "names the house rule 'tea_rummy_king'"),
        ("[", "[[", "cannot be read"),
    ],
)
def test_a_broken_sheet_is_told_to_its_author_in_a_sentence(
    before: str, after: str, said: str, site: Path, tmp_path: Path
) -> None:
    """Naming the clause where it can be."""
    broken = copytree(site, tmp_path / "site")
    sheet = broken / "meldlog_tea_rummy" / "tea_rummy.toml"
    sheet.write_text(sheet.read_text(encoding="utf-8").replace(before, after, 1), encoding="utf-8")
    done = meldlog("variants", "tea-rummy", home=tmp_path, **beside(broken))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert said in done.stderr


def test_a_variant_can_be_based_on_every_variant_there_is(tmp_path: Path) -> None:
    """Each passes its tests, all installed side by side."""
    site = tmp_path / "site"
    for base in BASES:
        package = write(tmp_path, f"tea-on-{base}", base)
        link(package, site)
    modules = sorted(tmp_path.glob("*/tests/test_*.py"))
    assert passed(tmp_path, site, "--import-mode=importlib", *modules) == 6 * len(BASES)


def link(package: Path, site: Path) -> None:
    """Do what an installer does, without building a wheel: put the package and its entry points in a folder."""
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [(name, module)] = project["entry-points"]["meldlog.plugins"].items()
    about = site / f"{module.partition('.')[0]}-{project['version']}.dist-info"
    about.mkdir(parents=True)
    (about / "entry_points.txt").write_text(f"[meldlog.plugins]\n{name} = {module}\n")
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 0.1.0\n")
    top = module.partition(".")[0]
    (site / top).symlink_to(package / top)


def test_it_asks_for_the_meldlog_that_it_was_written_by(package: Path) -> None:
    """And for later ones that keep the contracts."""
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [needed] = map(Requirement, project["dependencies"])
    assert needed.name == "meldlog"
    assert metadata.version("meldlog") in needed.specifier
    assert "2.0" not in needed.specifier


def test_the_licence_is_left_to_its_author(package: Path) -> None:
    """Nobody chooses one by not looking."""
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "license" not in project
    assert not (package / "LICENSE").exists()
