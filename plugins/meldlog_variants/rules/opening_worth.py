"""What melds of an opening are worth, and which kinds they hold."""

from __future__ import annotations

import functools
from typing import Literal

from meldlog_contracts.hooks import Rules
from meldlog_contracts.melds import Reading
from meldlog_contracts.table import Meld
from meldlog_variants.rules.card_values import COURT_CARDS, CardValues

ACE_HIGH = 11
RANKS_BY_PIPS = "A23456789T"
Required = Literal["none", "run_and_set", "clean_run", "clean_run_and_set"]
"""Melds that a first lay must hold; a clean one holds no joker."""


def worth(meld: Meld | Reading, house: CardValues) -> int:
    """Points of a meld towards the threshold; a joker counts as the card it stands for, where it counts at all."""
    by_rank = _worth_by_rank(house.court_values, house.ace_value)
    total = sum([by_rank[card[0]] for card in meld.reads_as])
    low_ace = meld.kind == "run" and meld.reads_as[0][0] == "A" and house.ace_value == "one_or_eleven"
    return total - ACE_HIGH + 1 if low_ace else total


def dearest(rules: Rules) -> int:
    """The most that a card can be worth towards the threshold."""
    house = rules.house.of(CardValues)
    return max(_worth_by_rank(house.court_values, house.ace_value).values())


@functools.cache
def _worth_by_rank(court_values: str, ace_value: int | str) -> dict[str, int]:
    ace = ACE_HIGH if isinstance(ace_value, str) else ace_value
    numbers = {rank: place + 1 for place, rank in enumerate(RANKS_BY_PIPS)}
    return {**numbers, **COURT_CARDS[court_values], "A": ace}
