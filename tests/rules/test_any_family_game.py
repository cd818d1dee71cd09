"""Whatever the house rules, in the other games of the family as well: see `tests.rules.test_any_house_rules`."""

from __future__ import annotations

import random

import pytest
from tests.rules.test_any_house_rules import USUAL, house_rules, keep_every_promise, made_up

from meldlog_contracts.problems import Refused
from meldlog_contracts.table import HouseValue
from meldlog_service.testing import Game, Play

OWN: dict[str, dict[str, tuple[HouseValue, ...]]] = {
    "biddies": {"lone_two_ends_deal": (True, False)},
    "treize-brasses": {
        "discard_take_before_meld": ("must_meld", "free"),
        "discard_take_after_meld": ("must_meld", "free", "not_this_turn"),
        "taken_discard_use": ("meld_or_layoff", "new_meld_only"),
    },
    "beanie": {
        "no_meld_first_round": (True, False),
        "first_round_whole_hand_out": (True, False),
        "beanie_after_out_layoff": ("none", "layoff", "layoff_and_meld"),
    },
    "ace-to-ace": {
        "discard_take_before_meld": ("must_meld", "free"),
        "discard_take_after_meld": ("not_this_turn", "free"),
        "taken_discard_use": ("meld_or_layoff", "new_meld_only"),
    },
}
"""House rules that Crazy Rummy does not know."""
OPTIONS: tuple[tuple[str, ...], ...] = ((), ("joker-wild",))


def some_game(play: Play, variant: str, chance: random.Random) -> Game:
    """The game with some house rules changed, of those that make sense together."""
    while True:
        house = house_rules(chance)
        for name, values in OWN[variant].items():
            if chance.randrange(USUAL) != 0:
                house[name] = chance.choice(values)
        options = chance.choice(OPTIONS)
        if options:
            house.pop("printed_jokers", None)
        try:
            return play(variant, *options, seats=3, **house)
        except Refused as refused:
            if refused.code != "invalid":
                raise


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("variant", OWN)
def test_random_play_by_random_house_rules_keeps_every_promise(play: Play, variant: str, seed: int) -> None:
    """Each listed move is accepted, any other command refused by a clause of the sheet; somebody can always act."""
    chance = random.Random(f"{variant} {seed}")
    keep_every_promise(made_up(some_game(play, variant, chance), chance, 3), chance)
