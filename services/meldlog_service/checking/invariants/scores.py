"""Scores: totals are the sum of what was scored; the ranking, the winners and the settlement follow from them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from meldlog_contracts.events import DealScored, Event, GameEnded, PenaltyAdded
from meldlog_contracts.table import Table
from meldlog_service.checking.faults import Broken


class Scores:
    """Bookkeeping of one game from its events alone, beside that of the table."""

    def __init__(self) -> None:
        self._totals: list[int] = []

    def check(self, events: Sequence[Event], table: Table) -> None:
        """Add up what these events score, and compare with the table after them.

        Raises:
            Broken: ``scores``.
        """
        if not self._totals:
            self._totals = [0] * table.sides
        scored = False
        for event in events:
            match event:
                case DealScored(points=points, totals=totals):
                    if any(type(one) is not int for one in points):
                        raise Broken(
                            "scores",
                            f"a deal is scored in whole points, not {list(points)}",
                            about="score_deal",
                        )
                    self._totals = [sum(pair) for pair in zip(self._totals, points, strict=True)]
                    self._compare(totals, "the deal says")
                    scored = True
                case PenaltyAdded(seat=seat, points=points):
                    self._totals[table.side(seat)] += points
                    scored = True
                case GameEnded():
                    scored = True
                    _check_result(event, table)
                case _:
                    pass
        if scored or list(table.totals) != self._totals:
            self._compare(table.totals, "the table says")

    def _compare(self, totals: Sequence[int], who: str) -> None:
        if list(totals) != self._totals:
            raise Broken("scores", f"the deals add up to {self._totals}, but {who} {list(totals)}")


def _check_result(ended: GameEnded, table: Table) -> None:
    seats = list(range(len(table.seats)))
    ranking, winners = list(ended.ranking), list(ended.winners)
    if sorted(ranking) != seats:
        raise Broken("scores", f"the ranking {ranking} does not name every seat once", about="ranking")
    if not winners or sorted(winners) != sorted(ranking[: len(winners)]):
        raise Broken(
            "scores",
            f"the winners {winners} are not those at the head of the ranking {ranking}",
            about="ranking",
        )
    totals = [table.totals[table.side(seat)] for seat in ranking]
    rising = all(one <= other for one, other in pairwise(totals))
    falling = all(one >= other for one, other in pairwise(totals))
    if not rising and not falling:
        raise Broken(
            "scores",
            f"the ranking {ranking} does not follow the totals {list(table.totals)}",
            about="ranking",
        )
    _check_settlement(ended, len(seats))


def _check_settlement(ended: GameEnded, seats: int) -> None:
    """What somebody pays another gets, so that all payments sum to zero."""
    for payment in ended.settlement or ():
        payer, taker, cents = payment
        if not (0 <= payer < seats and 0 <= taker < seats and payer != taker):
            raise Broken(
                "scores",
                f"the settlement does not sum to zero: in {list(payment)} the money does not go from one seat "
                "to another",
                about="settlement",
            )
        if type(cents) is not int or cents <= 0:
            raise Broken(
                "scores",
                f"the settlement holds {list(payment)}, which is no amount to be paid",
                about="settlement",
            )
