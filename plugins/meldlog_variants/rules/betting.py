"""Betting: what the points are worth, settled pair by pair. Amounts are stated in the result; no money is moved."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Annotated, Literal

from msgspec import Struct

from meldlog_contracts.hooks import Rules, Standing, VariantInfo, hookimpl
from meldlog_contracts.house_rules import TableRules, option
from meldlog_contracts.problems import Fault
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table

Payment = tuple[int, int, int]


class Betting(Struct, frozen=True, forbid_unknown_fields=True):
    """Stakes."""

    betting: Annotated[
        Literal["off", "all_pairs", "winner_only"],
        option("bet.scheme", "Settlement", "Règlement", "تسویه", "التسوية"),
    ] = "off"
    stake_cents_per_point: Annotated[
        int,
        option(
            "bet.stake",
            "Cents a point",
            "Centimes par point",
            "سنت برای هر امتیاز",
            "سنت لكل نقطة",
            ge=1,
            le=100_000,
        ),
    ] = 1
    payment_rounding_cents: Annotated[
        int,
        option(
            "bet.rounding",
            "Payments rounded to cents",
            "Paiements arrondis à (centimes)",
            "گرد کردن پرداخت‌ها (سنت)",
            "تقريب المدفوعات (سنت)",
            ge=1,
            le=1000,
        ),
    ] = 5
    deal_winner_cents: Annotated[
        int,
        option(
            "bet.deal-winner",
            "Cents for the winner of a deal",
            "Centimes au gagnant d'une manche",
            "سنت برای برندهٔ هر دور",
            "سنت للفائز بالجولة",
            ge=0,
            le=100_000,
        ),
    ] = 0


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="betting", title="Betting", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return Betting


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def senseless(seats: int, rules: Rules) -> Sequence[Fault]:
    house = rules.house.of(Betting)
    paired = rules.house.of(TableRules).teams == "pairs" and seats > 2  # noqa: PLR2004 -- two play alone
    if paired and (house.betting != "off" or house.deal_winner_cents):
        return [Fault("/house_rules/betting", "stakes are settled between players who play alone")]
    return []


@hookimpl
def settlement(table: Table, standing: Standing, rules: Rules) -> tuple[Payment, ...] | None:
    """Every payment is the pair's difference in totals, rounded to the nearest multiple; equal payments cancel out."""
    house = rules.house.of(Betting)
    if house.betting == "off" and not house.deal_winner_cents:
        return None
    seats = range(len(table.seats))
    owed: dict[tuple[int, int], int] = {}
    if house.betting == "all_pairs":
        place = {seat: number for number, seat in enumerate(standing.ranking)}
        for one, other in combinations(seats, 2):
            better, worse = sorted((one, other), key=place.__getitem__)
            _add(owed, worse, better, amount(table.totals[worse] - table.totals[better], house))
    elif house.betting == "winner_only":
        _pay_winners(owed, table, standing, house, rules)
    for out in table.outs:
        for seat in seats:
            if out is not None and seat != out:
                _add(owed, seat, out, house.deal_winner_cents)
    return tuple(
        (one, other, cents - owed.get((other, one), 0))
        for (one, other), cents in sorted(owed.items())
        if cents > owed.get((other, one), 0)
    )


def amount(points: int, house: Betting) -> int:
    """Cents for a difference in points: to the nearest multiple of the rounding, halves up."""
    cents = abs(points) * house.stake_cents_per_point
    step = house.payment_rounding_cents
    return (cents + step // 2) // step * step


def _pay_winners(
    owed: dict[tuple[int, int], int], table: Table, standing: Standing, house: Betting, rules: Rules
) -> None:
    """Joint winners share a loser's payment; odd cents go to the winner sitting nearest after the last dealer."""
    seats = len(table.seats)
    step = 1 if rules.house.of(TableRules).direction == "cw" else -1
    first = table.deal.dealer + step
    nearest = sorted(standing.winners, key=lambda seat: (seat - first) * step % seats)
    best = table.totals[standing.winners[0]]
    for loser in set(range(seats)) - set(standing.winners):
        cents = amount(table.totals[loser] - best, house)
        share, odd = divmod(cents, len(nearest))
        _add(owed, loser, nearest[0], share + odd)
        for winner in nearest[1:]:
            _add(owed, loser, winner, share)


def _add(owed: dict[tuple[int, int], int], payer: int, taker: int, cents: int) -> None:
    if cents:
        owed[payer, taker] = owed.get((payer, taker), 0) + cents
