"""The end of the stock, and the guard against a deal in which nothing happens any more."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from meldlog_contracts.commands import DeclineDiscard, Draw, ReturnDraw
from meldlog_contracts.hooks import Renewal, Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.problems import Objection
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import DealEnd, Table

IDLE_ROUNDS = 4
IDLE_RENEWALS = 3


class StockEnd(Struct, frozen=True, forbid_unknown_fields=True):
    """What happens when the stock runs out."""

    stock_exhaustion: Annotated[
        Literal["finish_turn_end", "turn_over", "reshuffle_keep_top", "until_discard_refused"],
        option("stock.end", "End of the stock", "Pioche épuisée", "تمام شدن بسته کارت", "نفاد الكومة"),
    ] = "finish_turn_end"
    no_progress_limit: Annotated[
        Annotated[int, Meta(ge=1, le=10_000)] | None,
        option(
            "stock.no-progress",
            "Idle turns that end a deal",
            "Tours sans progrès qui finissent la manche",
            "نوبت‌های بی‌حرکت تا پایان دور",
            "أدوار بلا تقدّم تنهي الجولة",
        ),
    ] = None
    """Null: four turns for every player."""


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="stock-end", title="End of the stock", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return StockEnd


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def silent(rules: Rules) -> Collection[str]:
    until_refused = rules.house.of(StockEnd).stock_exhaustion == "until_discard_refused"
    return () if until_refused else ("permits", "objections")


@hookimpl
def stock_empty(table: Table, rules: Rules) -> Renewal | DealEnd:
    """The discard pile becomes the stock, its top card staying; where nothing is left to turn over, the deal ends."""
    how = rules.house.of(StockEnd).stock_exhaustion
    if how == "until_discard_refused":
        return "discard_refused"
    if table.deal.idle_renewals >= IDLE_RENEWALS:
        return "no_progress"
    if how not in ("turn_over", "reshuffle_keep_top") or len(table.deal.discard_pile) <= 1:
        return "stock_empty"
    return Renewal(keep=1, shuffled=how == "reshuffle_keep_top")


@hookimpl
def permits(command: DeclineDiscard | ReturnDraw, table: Table, rules: Rules) -> bool:
    return isinstance(command, DeclineDiscard) and discards_alone(table, rules)


@hookimpl
def objections(command: Draw, table: Table, rules: Rules) -> Objection | None:
    """While the stock is empty play goes on with the discards alone."""
    if command.source == "stock" and discards_alone(table, rules):
        return Objection("stock.until-refused", "the stock is empty: take the discard or decline it")
    return None


def discards_alone(table: Table, rules: Rules) -> bool:
    """Whether the stock is empty and play goes on as long as everybody takes the discard."""
    return not table.deal.stock and rules.house.of(StockEnd).stock_exhaustion == "until_discard_refused"


@hookimpl
def deal_over(table: Table, rules: Rules) -> DealEnd | None:
    house = rules.house.of(StockEnd)
    deal = table.deal
    if not deal.stock and house.stock_exhaustion == "finish_turn_end":
        return "stock_empty"
    if deal.turn.is_progress:
        return None
    limit = house.no_progress_limit or IDLE_ROUNDS * len(table.seats)
    return "no_progress" if deal.idle + 1 >= limit else None
