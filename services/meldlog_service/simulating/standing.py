"""Who is who at a finished table: sides, their shares of the win and their places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, groupby

from meldlog_contracts.table import Result, Table


def sides_of(table: Table) -> tuple[str, ...]:
    """What plays each side: the strategy of its seats or, where partners differ, theirs joined by ``+``."""
    found: list[list[str]] = [[] for _ in range(table.sides)]
    for number, seat in enumerate(table.seats):
        name = seat.strategy or ""
        if name not in (partners := found[table.side(number)]):
            partners.append(name)
    return tuple("+".join(sorted(partners)) for partners in found)


def shares(table: Table, result: Result) -> tuple[float, ...]:
    """What each side has of the win: all or nothing, or the same part as everybody who won with it."""
    winners = {table.side(seat) for seat in result.winners}
    return tuple(1 / len(winners) if side in winners else 0.0 for side in range(table.sides))


def ranks(table: Table, result: Result) -> tuple[float, ...]:
    """The place of each side, 1 for the best; equals get the mean of the places that they take together.

    The rules rank the seats. Equal are neighbours in that ranking with equal totals, both of whom won or neither.
    """
    order = list(dict.fromkeys(table.side(seat) for seat in result.ranking))
    winners = {table.side(seat) for seat in result.winners}
    found = [0.0] * table.sides
    taken = 0
    for _, group in groupby(order, key=lambda side: (side in winners, table.totals[side])):
        equals = list(group)
        for side in equals:
            found[side] = taken + (len(equals) + 1) / 2
        taken += len(equals)
    return tuple(found)


def fewer_is_better(games: Iterable[tuple[Sequence[int], Sequence[float]]]) -> bool | None:
    """Whether points are penalties, as the rules have ranked the sides; None where no ranking tells.

    Points may also come from elsewhere than deals, so a game may say the opposite: most pairs of sides decide.

    Args:
        games: Of each game the points of every side, and its place.
    """
    fewer = more = 0
    for points, places in games:
        for one, other in combinations(range(len(points)), 2):
            sign = (points[one] - points[other]) * (places[one] - places[other])
            fewer += sign > 0
            more += sign < 0
    return None if fewer == more else fewer > more
