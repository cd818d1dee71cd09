"""A first lay summed up: what its melds are worth, and which kinds are among them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from meldlog_contracts.cards import Card
from meldlog_contracts.hooks import Rules
from meldlog_contracts.melds import Reading
from meldlog_contracts.table import Meld
from meldlog_variants.rules.card_values import CardValues
from meldlog_variants.rules.opening_worth import Required, worth

RUN, SET, CLEAN_RUN, CLEAN_SET, JOKER, RUN_APART, CLEAN_RUN_APART = (1 << bit for bit in range(7))
REQUIRED: dict[Required, int] = {
    "none": 0,
    "run_and_set": RUN | SET,
    "clean_run": CLEAN_RUN,
    "clean_run_and_set": CLEAN_RUN | CLEAN_SET,
}


class FirstLay(NamedTuple):
    """Melds laid together before anything else: their points towards the threshold, and the kinds that they have."""

    points: int
    kinds: int

    @property
    def holds_joker(self) -> bool:
        """Whether a card of the melds stands for another."""
        return bool(self.kinds & JOKER)

    def holds(self, required: Required) -> bool:
        """Whether the melds have what is required among them; a clean one holds no joker."""
        wanted = REQUIRED[required]
        return self.kinds & wanted == wanted

    def has_run_apart(self, required: Required) -> bool:
        """Whether a run that is required is made without the card just taken."""
        return bool(self.kinds & (RUN_APART if required == "run_and_set" else CLEAN_RUN_APART))


def summed(
    melds: Iterable[Meld | Reading], single: Collection[Card], rules: Rules, *, count_jokers: bool
) -> FirstLay:
    """Melds summed up.

    Args:
        melds: What is laid.
        single: Cards just taken of which the player has no other copy.
        rules: The game's.
        count_jokers: Whether a meld with a joker counts towards the threshold.
    """
    values = rules.house.of(CardValues)
    points = kinds = 0
    for meld in melds:
        clean = meld.cards == meld.reads_as
        if clean or count_jokers:
            points += worth(meld, values)
        if meld.kind == "set":
            kinds |= SET | CLEAN_SET if clean else SET | JOKER
            continue
        kinds |= RUN | CLEAN_RUN if clean else RUN | JOKER
        if not single or not any(card in meld.cards for card in single):
            kinds |= RUN_APART | CLEAN_RUN_APART if clean else RUN_APART
    return FirstLay(points, kinds)
