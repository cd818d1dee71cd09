"""A first lay summed up: what its melds are worth, and which kinds are among them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import groupby
from typing import NamedTuple

from msgspec.structs import replace

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


def _without_jokers_laid_off(meld: Meld | Reading) -> Meld | Reading:
    """What was laid without a joker stays a meld without one, whatever is laid off on it later in the turn."""
    if isinstance(meld, Reading) or meld.laid == len(meld.cards) or meld.cards == meld.reads_as:
        return meld
    natural = [card == read for card, read in zip(meld.cards, meld.reads_as, strict=True)]
    stretches = [
        list(same) for is_natural, same in groupby(range(len(natural)), natural.__getitem__) if is_natural
    ]
    longest = max(stretches, key=len, default=[])
    if len(longest) < meld.laid:
        return meld
    kept = slice(longest[0], longest[-1] + 1)
    return replace(meld, cards=meld.cards[kept], reads_as=meld.reads_as[kept], by=meld.by[kept])


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
    for lying in melds:
        meld = _without_jokers_laid_off(lying)
        clean = meld.cards == meld.reads_as
        if clean or count_jokers:
            points += worth(lying if count_jokers else meld, values)
        if meld.kind == "set":
            kinds |= SET | CLEAN_SET if clean else SET | JOKER
            continue
        kinds |= RUN | CLEAN_RUN if clean else RUN | JOKER
        if not single or not any(card in meld.cards for card in single):
            kinds |= RUN_APART | CLEAN_RUN_APART if clean else RUN_APART
    return FirstLay(points, kinds)
