"""`meldlog variants`."""

import json
from pathlib import Path

import pytest
from tests.cli.commands import is_one_sentence, meldlog


def test_what_is_installed_is_listed(tmp_path: Path) -> None:
    """Names, titles, players, and what else a game is called."""
    done = meldlog("variants", home=tmp_path)
    assert done.returncode == 0
    line = next(line for line in done.stdout.splitlines() if "crazy-rummy" in line)
    assert "Crazy Rummy" in line
    assert "2 to 6 players" in line
    assert "Montana 13" in line


def test_programs_are_told_of_every_house_rule(tmp_path: Path) -> None:
    """With its JSON Schema and default."""
    done = meldlog("variants", "--json", home=tmp_path)
    crazy = next(one for one in json.loads(done.stdout) if one["name"] == "crazy-rummy")
    assert {"hand_size", "one_card_rule"} <= {option["name"] for option in crazy["options"]}


@pytest.mark.parametrize("lang", ["en", "fr", "fa", "ar"])
def test_a_rule_sheet_is_shown_in_four_languages(lang: str, tmp_path: Path) -> None:
    """Clauses in words with their ids, and the house rules with their values."""
    done = meldlog("variants", "crazy-rummy", "--lang", lang, home=tmp_path)
    assert done.returncode == 0
    assert "`one-card.stock`" in done.stdout
    assert "`hand_size` | `7`" in done.stdout


def test_two_variants_are_compared(tmp_path: Path) -> None:
    """Only what is different is shown."""
    done = meldlog("variants", "crazy-rummy", "--against", "basic", home=tmp_path)
    assert done.returncode == 0
    assert "| `hand_size` | `7` | - |" in done.stdout
    assert "`table.pack`" not in done.stdout


def test_a_variant_is_no_different_from_itself(tmp_path: Path) -> None:
    """Also for programs."""
    assert "no difference" in meldlog("variants", "basic", "--against", "basic", home=tmp_path).stdout
    told = json.loads(meldlog("variants", "basic", "--against", "basic", "--json", home=tmp_path).stdout)
    assert told["house_rules"] == told["only_in_first"] == told["only_in_second"] == []


def test_a_name_that_is_not_installed_is_wrong_usage(tmp_path: Path) -> None:
    """Status 2."""
    done = meldlog("variants", "canasta", home=tmp_path)
    assert done.returncode == 2
    assert is_one_sentence(done.stderr)
