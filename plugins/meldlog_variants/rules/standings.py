"""Places by totals, shared by the ways of scoring. Equal totals win together."""

from __future__ import annotations

from meldlog_contracts.hooks import Standing
from meldlog_contracts.table import Table


def lowest_wins(table: Table) -> Standing:
    """Places where points are penalties."""
    return _standing(table, 1)


def highest_wins(table: Table) -> Standing:
    """Places where points are won."""
    return _standing(table, -1)


def _standing(table: Table, sign: int) -> Standing:
    counted = [sign * table.totals[table.side(seat)] for seat in range(len(table.seats))]
    ranking = sorted(range(len(counted)), key=lambda seat: (counted[seat], seat))
    return Standing(tuple(seat for seat in ranking if counted[seat] == min(counted)), tuple(ranking))
