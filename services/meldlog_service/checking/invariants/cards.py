"""Conservation: every card of the pack is in exactly one place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from meldlog_contracts.cards import CARDS, Card
from meldlog_contracts.table import Deal
from meldlog_service.checking.faults import Broken
from meldlog_service.core.ruleset import Ruleset


class Cards:
    """The cards of one game."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._pack: list[Card] = []
        self._deal = 0

    def check(self, deal: Deal) -> None:
        """Look for every card.

        Raises:
            Broken: ``conservation``, naming cards that are missing or too many.
        """
        dealt = deal.number != self._deal
        if dealt:
            self._open_pack(deal.number)
        there = sorted(_cards_of(deal))
        if there != self._pack:
            missing, surplus = Counter(self._pack), Counter(there)
            detail = _difference(missing - surplus, surplus - missing)
            raise Broken("conservation", detail, about="pack" if dealt else None)

    def _open_pack(self, number: int) -> None:
        """Compare the pack of a new deal with that of the deals before."""
        pack = sorted(self._rules.pack())
        unknown = [card for card in pack if card not in CARDS]
        if unknown:
            raise Broken(
                "conservation",
                f"the pack holds {' '.join(map(repr, unknown))}, which is no card",
                about="pack",
            )
        if self._pack and pack != self._pack:
            before, now = Counter(self._pack), Counter(pack)
            raise Broken(
                "conservation",
                f"deal {number} is dealt from another pack than deal {self._deal}: "
                + _difference(before - now, now - before),
                about="pack",
            )
        self._pack, self._deal = pack, number


def _cards_of(deal: Deal) -> Iterable[Card]:
    yield from deal.stock
    yield from deal.discard_pile
    for hand in deal.hands:
        yield from hand
    for meld in deal.melds:
        yield from meld.cards


def _difference(missing: Counter[Card], surplus: Counter[Card]) -> str:
    parts = []
    if missing:
        parts.append(f"{' '.join(sorted(missing.elements()))} missing")
    if surplus:
        parts.append(f"{' '.join(sorted(surplus.elements()))} too many")
    return " and ".join(parts)
