"""`meldlog judge`."""

import json
from pathlib import Path

import pytest
from tests.cli.commands import meldlog

NINES = ("--variant", "crazy-rummy", "--wild", "9")


def test_all_readings_are_told(tmp_path: Path) -> None:
    """A wild at either end of a run."""
    done = meldlog("judge", "7H", "8H", "9C", *NINES, home=tmp_path)
    assert (done.returncode, done.stdout) == (0, "run: 6H 7H 8H\nrun: 7H 8H 9H\n")


def test_cards_may_be_typed_as_one_likes(tmp_path: Path) -> None:
    """Small letters, commas, all in one word."""
    done = meldlog("judge", "7h,8h 9c", *NINES, home=tmp_path)
    assert done.stdout == "run: 6H 7H 8H\nrun: 7H 8H 9H\n"


def test_an_order_that_is_given_counts(tmp_path: Path) -> None:
    """With --ordered the cards lie as they are given."""
    done = meldlog("judge", "7H", "8H", "9C", *NINES, "--ordered", home=tmp_path)
    assert done.stdout == "run: 7H 8H 9H\n"


def test_cards_that_can_be_nothing_have_status_1(tmp_path: Path) -> None:
    """And the clause that says so."""
    done = meldlog("judge", "7H", "8H", "QC", *NINES, home=tmp_path)
    assert done.returncode == 1
    assert "meld.shape" in done.stdout


def test_cards_are_laid_off_on_a_meld(tmp_path: Path) -> None:
    """On a run at either end."""
    done = meldlog(
        "judge", "9C", *NINES, "--meld", "4C 5C 9H", "--reads-as", "4C 5C 6C", "--json", home=tmp_path
    )
    assert done.returncode == 0
    told = json.loads(done.stdout)
    assert {reading["reads_as"][0] for reading in told["readings"]} == {"3C", "7C"}
    assert told["refusal"] is None


def test_house_rules_change_the_answer(tmp_path: Path) -> None:
    """Values are JSON where they can be."""
    cards = ("QH", "KH", "AH", "--variant", "crazy-rummy")
    assert meldlog("judge", *cards, home=tmp_path).returncode == 1
    done = meldlog("judge", *cards, "--house-rule", "ace_in_runs=low_or_high", home=tmp_path)
    assert (done.returncode, done.stdout) == (0, "run: QH KH AH\n")
    limited = meldlog(
        "judge", "7H", "8H", "9C", *NINES, "--house-rule", "max_wilds_per_meld=1", home=tmp_path
    )
    assert limited.returncode == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["9Z", "--variant", "crazy-rummy"],
        ["7H", "--variant", "no-such-variant"],
        ["7H", "--variant", "crazy-rummy", "--wild", "Z"],
        ["7H", "--variant", "crazy-rummy", "--house-rule", "nonsense"],
        ["7H", "--variant", "crazy-rummy", "--house-rule", "no_such_rule=1"],
        ["7H", "--variant", "crazy-rummy", "--reads-as", "7H"],
    ],
)
def test_questions_that_make_no_sense_have_status_2(arguments: list[str], tmp_path: Path) -> None:
    """And are told apart from cards that can be nothing."""
    done = meldlog("judge", *arguments, home=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_whoever_does_not_say_by_whose_rules_is_told_which_there_are(tmp_path: Path) -> None:
    """Cards do not say which game they belong to; a name that is nearly right is recognised."""
    done = meldlog("judge", "7H", "8H", "9H", home=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--variant NAME: the variants are ace-to-ace, " in " ".join(done.stderr.split())
    done = meldlog("judge", "7H", "--variant", "bidies", home=tmp_path)
    assert "did you mean biddies?" in done.stderr


def test_a_card_that_is_none_is_told_how_cards_are_written(tmp_path: Path) -> None:
    """And which of them it is."""
    done = meldlog("judge", "7H", "10H", *NINES, home=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(
        "meldlog: cards/1: expected a string of 2 characters, got 3: a card is its rank"
    )
