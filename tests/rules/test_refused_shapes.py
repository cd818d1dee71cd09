"""A refusal of cards that are no meld names the house rule without which they would be one."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.support.games import installed

from meldlog_contracts.cards import Card, cards
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import HouseValue
from meldlog_service.core.laying import read_meld

BARE = "{} is neither a set nor a run"
TWO_PACKS: dict[str, HouseValue] = {"packs": 2}


def refusal(
    text: str,
    wild: str = "",
    reads_as: str | None = None,
    house_rules: Mapping[str, HouseValue] | None = None,
) -> str:
    """What is said of cards that nobody can lay like this in Crazy Rummy with these house rules."""
    rules = installed().ruleset_for_new("crazy-rummy", (), house_rules)
    declared = None if reads_as is None else tuple(Card(word) for word in reads_as.split())
    with pytest.raises(Refused) as refused:
        read_meld(cards(text), declared, tuple(wild), rules)
    assert (refused.value.code, refused.value.rule) == ("illegal_move", "meld.shape")
    return refused.value.detail


@pytest.mark.parametrize(
    ("text", "wild", "house_rules", "why"),
    [
        ("7H 8H 9H", "", {"min_run_length": 4}, "a run has at least 4 cards (house rule min_run_length: 4)"),
        (
            "7H KC 9H",
            "K",
            {"min_run_length": 4, "max_wilds_per_meld": 1},
            "a run has at least 4 cards (house rule min",
        ),
        (
            "7H 8H",
            "",
            {"min_run_length": 4},
            "at least 3 cards, a run at least 4 (house rule min_run_length: 4)",
        ),
        ("7H", "", {}, "at least 3 cards, a run at least 3 (house rule min_run_length: 3)"),
        ("QC QD QH QS", "", {"max_set_size": 3}, "a set has at most 3 cards (house rule max_set_size: 3)"),
        ("QC QD QH QS KH", "K", {}, "a set has at most 4 cards (house rule max_set_size: by_packs)"),
        (
            "5C 5C 5D",
            "",
            {**TWO_PACKS, "set_identical_cards": False},
            "a set holds no two identical cards (house rule set_identical_cards: false)",
        ),
        ("QH KH AH", "", {}, "an ace is the lowest card of a run (house rule ace_in_runs: low)"),
        (
            "KH AH 2H",
            "",
            {"ace_in_runs": "low_or_high"},
            "a run does not go on beyond an ace (house rule ace_in_runs: low_or_high)",
        ),
        ("7H 8C 9H", "", {}, "the cards of a run are of one suit (house rule runs_any_suit: false)"),
    ],
)
def test_the_house_rule_that_forbids_a_meld_is_named(
    text: str, wild: str, house_rules: dict[str, HouseValue], why: str
) -> None:
    """With the value that the game has."""
    detail = refusal(text, wild, house_rules=house_rules)
    assert detail.startswith(f"{BARE.format(text)}: ")
    assert why in detail


@pytest.mark.parametrize("text", ["7H 8H JH", "7H 8C JS", "QC QD KH", "5H 5H 6H 7H"])
def test_what_no_house_rule_makes_a_meld_is_none_and_no_more_is_said(text: str) -> None:
    """The clause says what melds are."""
    assert refusal(text, house_rules=TWO_PACKS) == BARE.format(text)


def test_a_natural_card_cannot_be_declared_to_be_another() -> None:
    """It is named."""
    assert refusal("7H 8H 9H", "", "7H 8H TH") == "9H is not wild and cannot stand for TH"


def test_a_declaration_that_is_no_meld_is_told_what_the_cards_could_be() -> None:
    """Or why they can be nothing."""
    assert refusal("7H 8H KH", "K", "7H 8H JH").endswith("the cards could be 6H 7H 8H or 7H 8H 9H")
    assert refusal("QH KH AH", "", "QH KH AH").endswith("(house rule ace_in_runs: low)")


def test_every_variant_explains_itself() -> None:
    """Whatever melds it knows."""
    for info in installed().infos():
        if info.kind == "variant":
            rules = installed().ruleset_for_new(info.name)
            assert "house rule" in (rules.no_meld(cards("7H 8H"), ()) or ""), info.name
