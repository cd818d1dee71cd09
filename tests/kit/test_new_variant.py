"""`meldlog new-variant`: what it writes, and what it refuses."""

import json
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.cli.commands import is_one_sentence, meldlog

from meldlog_service.cli.program import program
from meldlog_service.kit.names import LONGEST, BadName, named

FILES = {
    ".gitignore",
    "README.md",
    "meldlog_tea_rummy/__init__.py",
    "meldlog_tea_rummy/py.typed",
    "meldlog_tea_rummy/tea_rummy.py",
    "meldlog_tea_rummy/tea_rummy.toml",
    "pyproject.toml",
    "tests/test_tea_rummy.py",
}


def new_variant(*arguments: str | Path) -> Result:
    """The command, run within this process."""
    return CliRunner().invoke(program, ["new-variant", *map(str, arguments)], prog_name="meldlog")


def files(folder: Path) -> set[str]:
    """What a folder holds."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_package_is_written_to_a_folder_of_its_own(tmp_path: Path) -> None:
    """And every file is told."""
    package = tmp_path / "meldlog-tea-rummy"
    done = meldlog("new-variant", "tea-rummy", "--into", package, home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert files(package) == FILES
    assert all(file in done.stdout for file in FILES)


def test_the_folder_is_called_as_the_distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where none is named, in the folder that the command is run in."""
    monkeypatch.chdir(tmp_path)
    assert new_variant("tea-rummy").exit_code == 0
    assert files(tmp_path) == {f"meldlog-tea-rummy/{file}" for file in FILES}


def test_programs_are_told_what_was_written(tmp_path: Path) -> None:
    """As JSON; the folder may be there, with other things in it."""
    (tmp_path / "notes.txt").write_text("mine")
    done = new_variant("tea-rummy", "--into", tmp_path, "--json")
    told = json.loads(done.stdout)
    assert done.exit_code == 0
    assert set(told.pop("files")) == FILES
    assert told == {
        "name": "tea-rummy",
        "distribution": "meldlog-tea-rummy",
        "module": "meldlog_tea_rummy.tea_rummy",
        "base": "basic",
        "folder": str(tmp_path),
    }
    assert files(tmp_path) == {*FILES, "notes.txt"}


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """One file in the way, and none is written."""
    (tmp_path / "README.md").write_text("mine")
    done = new_variant("tea-rummy", "--into", tmp_path)
    assert done.exit_code == 1
    assert is_one_sentence(done.stderr)
    assert "README.md is there already" in done.stderr
    assert files(tmp_path) == {"README.md"}
    assert (tmp_path / "README.md").read_text() == "mine"


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """With the system's words."""
    (tmp_path / "file").touch()
    done = new_variant("tea-rummy", "--into", tmp_path / "file" / "folder")
    assert done.exit_code == 1
    assert is_one_sentence(done.stderr)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "",
            "Tea",
            "tea_rummy",
            "tea rummy",
            "tea--rummy",
            "-tea",
            "tea-",
            "9-card",
            "thé",
            "tea\n",
            "../tea",
        ),
        *("class", "lambda", "service", "contracts", "x" * (LONGEST + 1)),
    ],
)
def test_what_is_no_name_for_a_variant_is_refused(name: str) -> None:
    """No id, no Python module, or one that would hide a package that is there."""
    with pytest.raises(BadName):
        named(name)


@pytest.mark.parametrize("name", ["Tea_Rummy", "crazy-rummy", "basic"])
def test_a_name_that_cannot_be_is_wrong_usage(name: str, tmp_path: Path) -> None:
    """Also one that a plugin has already; nothing is written."""
    done = new_variant(name, "--into", tmp_path / "new")
    assert done.exit_code == 2
    assert is_one_sentence(done.stderr)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("base", ["canasta", "dealing", "press"])
def test_a_base_is_a_variant_that_is_installed(base: str, tmp_path: Path) -> None:
    """Or basic; a rule and an option are none. The choice is told."""
    done = new_variant("tea-rummy", "--base", base, "--into", tmp_path / "new")
    assert done.exit_code == 2
    assert is_one_sentence(done.stderr)
    assert {"basic,", "crazy-rummy,"} <= set(done.stderr.split())
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("author", "authors"),
    [
        ("Ann Example <ann@example.org>", [{"name": "Ann Example", "email": "ann@example.org"}]),
        ("<ann@example.org>", [{"email": "ann@example.org"}]),
        ('Ann "Quote" \\ Example', [{"name": 'Ann "Quote" \\ Example'}]),
        ("آن", [{"name": "آن"}]),
        ("Ann <of the house>", [{"name": "Ann <of the house>"}]),
    ],
)
def test_an_author_stands_in_the_package_as_given(
    author: str, authors: list[dict[str, str]], tmp_path: Path
) -> None:
    """With an address, if there is one."""
    assert new_variant("tea-rummy", "--author", author, "--into", tmp_path).exit_code == 0
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["authors"] == authors


@pytest.mark.parametrize("author", ["", "  ", "Ann\nExample", "Ann\x1b[2J", "Ann\x7f"])
def test_an_author_is_named_in_one_line(author: str, tmp_path: Path) -> None:
    """It stands in the middle of a file."""
    done = new_variant("tea-rummy", "--author", author, "--into", tmp_path)
    assert done.exit_code == 2
    assert is_one_sentence(done.stderr)
    assert files(tmp_path) == set()
