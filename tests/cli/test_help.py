"""A newcomer finds the way from the command alone."""

from pathlib import Path

import pytest
from tests.cli.commands import is_one_sentence, meldlog

COMMANDS = (
    "serve",
    "replay",
    "audit",
    "export",
    "fork",
    "import",
    "archive",
    "restore",
    "verify",
    "variants",
    "judge",
    "check",
    "simulate",
    "new-variant",
    "bench",
)


def test_meldlog_alone_prints_help(tmp_path: Path) -> None:
    """With every command in it, and nothing is wrong."""
    done = meldlog(home=tmp_path)
    assert done.returncode == 0
    assert "Usage: meldlog" in done.stdout
    assert all(command in done.stdout for command in COMMANDS)


def test_the_version_is_told(tmp_path: Path) -> None:
    """As other programs tell it."""
    done = meldlog("--version", home=tmp_path)
    assert (done.returncode, done.stdout) == (0, "meldlog 1.0.0\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_has_examples_and_offers_json(command: str, tmp_path: Path) -> None:
    """A command can be learnt from its help, and used by programs."""
    done = meldlog(command, "--help", home=tmp_path)
    assert done.returncode == 0
    assert "--json" in done.stdout
    examples = done.stdout.partition("Examples:")[2]
    assert f"meldlog {command}" in examples


def test_a_command_that_there_is_not_is_wrong_usage(tmp_path: Path) -> None:
    """Status 2."""
    assert meldlog("shuffle", home=tmp_path).returncode == 2


def test_games_are_kept_in_the_users_folder_by_default(tmp_path: Path) -> None:
    """It does not depend on where a command is run; XDG_DATA_HOME moves it."""
    done = meldlog("export", "nothing", home=tmp_path)
    assert done.returncode == 2
    assert is_one_sentence(done.stderr)
    assert f"{tmp_path}/.local/share/meldlog" in done.stderr
    moved = meldlog("export", "nothing", home=tmp_path, XDG_DATA_HOME=str(tmp_path / "xdg"))
    assert f"{tmp_path}/xdg/meldlog" in moved.stderr
    ignored = meldlog("export", "nothing", home=tmp_path, XDG_DATA_HOME="not/absolute")
    assert ignored.stderr == done.stderr


def test_looking_for_games_makes_no_folder(tmp_path: Path) -> None:
    """A mistyped folder is told, not made."""
    done = meldlog("audit", "--all", "--data-dir", tmp_path / "mistyped", home=tmp_path)
    assert done.returncode == 2
    assert not (tmp_path / "mistyped").exists()


def test_a_command_that_is_misspelt_is_told_what_was_meant(tmp_path: Path) -> None:
    """And where all of them stand."""
    done = meldlog("exprot", home=tmp_path)
    assert done.returncode == 2
    assert "there is no command exprot: did you mean export?" in " ".join(
        done.stderr.replace("│", " ").split()
    )
