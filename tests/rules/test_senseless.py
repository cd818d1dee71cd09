"""House rules that make no game together are refused when a game is created, with what is wrong and where."""

from __future__ import annotations

from typing import Any

import pytest

from meldlog_contracts.problems import Refused
from meldlog_service.testing import Play

SENSELESS: list[tuple[str, dict[str, Any], str, str]] = [
    ("crazy-rummy", {"extra_card_to": "none"}, "starter_first_turn", "draws like everybody"),
    ("crazy-rummy", {"starter_first_turn": "normal"}, "starter_first_turn", "does not draw as well"),
    ("basic-rummy", {"starter_first_turn": "discard_only"}, "starter_first_turn", "draws like everybody"),
    ("basic-rummy", {"extra_card_to": "dealer"}, "starter_first_turn", "does not draw as well"),
    ("rami-51", {"extra_card_to": "left_of_dealer"}, "starter_first_turn", "does not draw as well"),
    ("crazy-rummy", {"hand_size": 2}, "hand_size", "too few to meld"),
    ("crazy-rummy", {"hand_size": 17}, "hand_size", "leaves no stock"),
    ("crazy-rummy", {"min_naturals_per_meld": 8}, "min_naturals_per_meld", "from a hand of 7"),
    (
        "basic-rummy",
        {"min_naturals_per_meld": 9, "hand_size": 7},
        "min_naturals_per_meld",
        "from a hand of 7",
    ),
    ("rami-simple", {"hand_size": 5}, "hand_size", "have 6 cards, and a hand of 5 lays 5"),
    ("rami-simple", {"hand_size": 6, "min_run_length": 4}, "hand_size", "have 7 cards"),
    ("rami-71", {"hand_size": 5}, "hand_size", "have 6 cards"),
    (
        "rami-51",
        {"hand_size": 4, "close_exempt_from_threshold": False},
        "opening_threshold",
        "worth 44 points at most",
    ),
    (
        "rami-51",
        {"hand_size": 3, "opening_required_melds": "clean_run_and_set", "close_exempt_from_threshold": False},
        "hand_size",
        "have 6 cards",
    ),
    (
        "rami-simple",
        {
            "no_meld_first_round": True,
            "first_round_whole_hand_out": True,
            "beanie_after_out_layoff": "layoff",
        },
        "beanie_after_out_layoff",
        "nothing is laid off",
    ),
    ("crazy-rummy", {"joker_wild": False, "joker_final_deal": True}, "joker_final_deal", "not wild"),
    ("crazy-rummy", {"press": False, "auto_press": True}, "auto_press", "needs the press"),
]
"""Games, what is asked of them, where the fault lies, and a part of the reason."""
SENSIBLE: list[tuple[str, dict[str, Any]]] = [
    ("crazy-rummy", {"extra_card_to": "none", "starter_first_turn": "normal"}),
    ("crazy-rummy", {"extra_card_to": "dealer", "starter_first_turn": "discard_only"}),
    ("crazy-rummy", {"min_naturals_per_meld": 7}),
    ("rami-simple", {"hand_size": 6}),
    ("rami-simple", {"hand_size": 5, "final_discard_required": False}),
    ("rami-simple", {"hand_size": 3, "close_required_melds": "none"}),
    ("rami-71", {"hand_size": 5, "close_required_melds": "clean_run"}),
    ("rami-51", {"hand_size": 3}),
    ("rami-51", {"hand_size": 5, "close_exempt_from_threshold": False}),
    ("rami-simple", {"no_meld_first_round": True}),
]
"""Games at the very border of these."""


@pytest.mark.parametrize(("variant", "house", "name", "reason"), SENSELESS)
def test_what_makes_no_game_is_refused_with_the_reason(
    play: Play, variant: str, house: dict[str, Any], name: str, reason: str
) -> None:
    """One fault, at the house rule that is to be changed."""
    with pytest.raises(Refused) as refused:
        play(variant, seats=4 if variant in ("crazy-rummy", "basic-rummy") else 2, **house)
    assert refused.value.code == "invalid"
    (fault,) = refused.value.faults
    assert fault.pointer == f"/house_rules/{name}"
    assert reason in fault.detail


@pytest.mark.parametrize(("variant", "house"), SENSIBLE)
def test_what_barely_makes_a_game_is_played(play: Play, variant: str, house: dict[str, Any]) -> None:
    """It is dealt, and whoever begins can do something."""
    game = play(variant, seats=2, **house).given_start()
    assert game.moves(game.on_turn)
