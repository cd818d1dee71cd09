"""What a hand is worth: what it is expected to bring or to cost once the deal is over."""

from __future__ import annotations

from meldlog_contracts.cards import RANKS
from meldlog_contracts.table import Table
from meldlog_service.bots.house import House
from meldlog_service.bots.loose import RANK
from meldlog_service.bots.partition import Left

SHARE_LEFT = 0.4
"""About what part of an opponent's cards is in no meld when somebody else goes out."""
SHARE_LOCKED = 0.7
"""What part of them it is where the opponent has yet to open: until then melds cost as much as anything else."""
FLAT = 5.0
"""What a card left over is worth where all hands cost the same: it is so much farther to the end."""
FLAT_WIN = 20.0
NEAR_OPENING = 2
"""The chance to open grows with the points that one has for it, raised to this power."""
MISSING_MELD = 0.5
"""The chance to open for each kind of meld that is needed for it and is not there."""
CARDS_MISSED = 2
"""Where all hands cost the same, a meld that is needed and is not there is as far from the end as so many cards."""
TWO = "2"
"""The rank that may be left alone where a lone two ends the deal."""
TWO_PLACE = RANKS.index(TWO)


class Worth:
    """Worths of hands of one seat at one table, in points.

    Args:
        table: As the seat knows it.
        seat: Whose hands.
        house: What cards cost.
        mean: What a card that was not seen costs on an average.
    """

    def __init__(self, table: Table, seat: int, house: House, mean: float) -> None:
        self._house = house
        self.twos = house.lone_two and TWO not in table.deal.wild
        """Whether a lone two ends the deal."""
        may_lay_off = table.has_laid(seat) or not house.own_first
        self._wilds_fit = may_lay_off and bool(table.deal.melds) and house.most_wilds > 1
        opened = {table.side(other) for other in range(len(table.seats)) if table.has_laid(other)}
        self.has_opened = table.side(seat) in opened
        """Whether the seat's side has laid a meld."""
        self._threshold = 0 if self.has_opened else house.threshold
        paid = 0.0
        for other, hand in enumerate(table.deal.hands):
            if (side := table.side(other)) != table.side(seat):
                paid += len(hand) * (SHARE_LOCKED if house.threshold and side not in opened else SHARE_LEFT)
        self._win = FLAT_WIN if house.flat else mean * paid

    @property
    def counts_all(self) -> bool:
        """Whether it matters what all cards of a hand cost together, those in melds as well."""
        return self._house.laid_count or self._threshold > 0

    def after(self, left: Left, turns: int, total: int, thrown: int | None = None) -> float:
        """What a hand is worth after so many turns, each of which throws the dearest card that is left over.

        Args:
            left: What the best partition of the hand and of what was drawn leaves over.
            turns: How many turns.
            total: What all of these cards cost together; it is asked for where `counts_all` is true.
            thrown: The card that is thrown first, one of those left over.
        """
        house = self._house
        cards = list(left.cards)
        if thrown is not None:
            cards.remove(thrown)
        costs = sorted((house.costs[card & RANK] for card in cards), reverse=True)
        wilds = 0 if self._wilds_fit else left.wilds
        laid = float(total - left.cost) if house.laid_count else 0.0
        if len(costs) + wilds <= turns and not left.missing:
            return self._win + laid
        if self.twos and len(costs) + wilds == turns + 1 and any(card & RANK == TWO_PLACE for card in cards):
            return self._win
        kept = costs[turns:]
        if house.flat:
            return -FLAT * (len(kept) + 2 * wilds + CARDS_MISSED * left.missing.bit_count())
        return laid - sum(kept) - wilds * house.wild_cost - self._locked(total - left.cost, left)

    def _locked(self, melded: int, left: Left) -> float:
        """What melds are expected to cost with which nobody may open yet, and stay in the hand."""
        points = melded - left.idle
        if not self._threshold or (points >= self._threshold and not left.missing):
            return 0.0
        near: float = min(1.0, points / self._threshold) ** NEAR_OPENING
        return melded * (1 - near * MISSING_MELD ** left.missing.bit_count())
