"""`meldlog check`."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from tests.cli.commands import is_one_sentence, meldlog
from tests.cli.terminals import Terminal

from meldlog_service.checking.faults import INVARIANTS

UNORDERED = Path(__file__).parents[1] / "checking" / "unordered.py"
QUICK = ("--games", "2", "--seats", "2", "--rule", "deal_count=1", "--closely", "4")


@pytest.fixture
def author(tmp_path: Path) -> Path:
    """A folder with an author's plugin installed in it, as pip would leave it."""
    shutil.copy(UNORDERED, tmp_path / "unordered.py")
    about = tmp_path / "unordered-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: unordered\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[meldlog.plugins]\nunordered = unordered\n")
    return tmp_path


def test_a_clean_variant_has_status_0_and_its_numbers(tmp_path: Path) -> None:
    """Games, commands, deals, the longest game, the slowest decision and what was refused."""
    done = meldlog("check", "crazy-rummy", *QUICK, home=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^2 games in \d+ s: no fault was found\.$", done.stdout, re.MULTILINE)
    for words in ("games/s", "longest game", "slowest decision", "slowest list of moves", "refused by"):
        assert words in done.stdout


def test_programs_are_told_a_summary_a_line(tmp_path: Path) -> None:
    """One for each variant."""
    done = meldlog(
        "check", "beanie", "biddies", *QUICK[:2], "--rule", "deal_count=1", "--json", home=tmp_path
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["type"] for one in told] == ["summary", "summary"]
    assert {one["summary"]["variant"]: one["summary"]["games"] for one in told} == {"beanie": 2, "biddies": 2}
    assert all(one["summary"]["options"] == {"deal_count=1": 2} for one in told)


def test_the_first_games_may_be_left_out(tmp_path: Path) -> None:
    """As an interrupted check says: what is left are the games that would have come."""

    def numbers(*which: str) -> dict[str, int]:
        done = meldlog("check", "crazy-rummy", *which, *QUICK[2:], "--json", home=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        (told,) = [json.loads(line) for line in done.stdout.splitlines()]
        return {name: told["summary"][name] for name in ("games", "commands", "deals")}

    assert numbers("--games", "7", "--skip", "6") == numbers("--games", "1", "--seed", "6")


def test_an_installed_plugin_is_checked_and_its_fault_shown_again(author: Path) -> None:
    """The order of a set differs from process to process: another process audits, and the file shows it again."""
    folder = author / "faults"
    done = meldlog(
        "check",
        "unordered",
        "--games",
        "6",
        "--json",
        "--faults",
        folder,
        home=author,
        PYTHONPATH=str(author),
    )
    assert done.returncode == 1, done.stdout + done.stderr
    fault = json.loads(done.stdout.splitlines()[0])
    assert (fault["type"], fault["invariant"], fault["plugin"], fault["hook"]) == (
        "fault",
        "audit",
        "unordered",
        "noted",
    )
    assert fault["replay"] == f"meldlog check --again {fault['log']}"
    again = meldlog(*fault["replay"].split()[1:], home=author, PYTHONPATH=str(author))
    assert again.returncode == 1
    assert again.stdout.startswith("unordered: audit: ")
    assert "hook noted of unordered" in again.stdout
    assert INVARIANTS["audit"] in again.stdout


def test_a_game_is_played_again_by_its_token(tmp_path: Path) -> None:
    """With everything that it follows from."""
    token = "crazy-rummy/seats=2/seed=5/bots=busy+plain/rule.deal_count=1"
    done = meldlog("check", "--replay", token, "--json", home=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    summary = json.loads(done.stdout)["summary"]
    assert (summary["games"], summary["options"]) == (1, {"deal_count=1": 1})
    assert token in summary["longest"]["where"]


def test_combinations_are_played_and_counted(tmp_path: Path) -> None:
    """With options and house rules at random."""
    done = meldlog(
        "check", "crazy-rummy", "--combinations", "3", *QUICK[2:], "--games", "1", "--json", home=tmp_path
    )
    assert done.returncode == 0, done.stdout + done.stderr
    summary = json.loads(done.stdout)["summary"]
    assert summary["games"] == 3
    assert len(summary["options"]) > 1


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["no-such-variant"],
        ["crazy-rummy", "--bots", "nobody"],
        ["crazy-rummy", "--rule", "no_such_rule=1"],
        ["crazy-rummy", "--seats", "40"],
        ["crazy-rummy", "--slowest", "nan"],
        ["crazy-rummy", "--options-alone", "1", "--combinations", "1"],
        ["--replay", "crazy-rummy/seats=2/seed=1/bots=busy+nobody"],
        ["--again", "pyproject.toml"],
    ],
)
def test_questions_that_make_no_sense_have_status_2(arguments: list[str], tmp_path: Path) -> None:
    """And are told apart from faults."""
    done = meldlog("check", *arguments, home=tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    if "Usage:" not in done.stderr:
        assert is_one_sentence(done.stderr), done.stderr


def test_progress_is_shown_to_a_person_only(tmp_path: Path) -> None:
    """On the terminal, while games are played."""
    with Terminal("check", "crazy-rummy", *QUICK, "--jobs", "1", home=tmp_path) as terminal:
        screen = terminal.read_all()
    assert "checking" in screen
    assert "no fault was found." in screen
    assert "checking" not in meldlog("check", "crazy-rummy", *QUICK, "--jobs", "1", home=tmp_path).stderr
