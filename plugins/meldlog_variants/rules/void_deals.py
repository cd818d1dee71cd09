"""Void deals: a deal that nobody ends by going out counts for nothing, and too many of them end the game."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Annotated

from msgspec import Struct

from meldlog_contracts.hooks import Renewal, Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import DealEnd, Table


class VoidDeals(Struct, frozen=True, forbid_unknown_fields=True):
    """How many void deals a game bears."""

    void_deals_limit: Annotated[
        int,
        option(
            "deal.void-limit",
            "Void deals in a row that end the game",
            "Manches nulles de suite qui finissent la partie",
            "دورهای باطل پیاپی تا پایان بازی",
            "جولات لاغية متتالية تنهي المباراة",
            ge=1,
            le=1000,
        ),
    ] = 12


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="void-deals", title="Void deals", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return VoidDeals


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


NOBODY_OUT: frozenset[object] = frozenset(("stock_empty", "no_progress", "discard_refused"))


@hookimpl(wrapper=True)
def stock_empty() -> Generator[None, Renewal | DealEnd | None, Renewal | DealEnd | None]:
    answer = yield
    return "void" if isinstance(answer, str) and answer in NOBODY_OUT else answer


@hookimpl(wrapper=True)
def deal_over() -> Generator[None, DealEnd | None, DealEnd | None]:
    answer = yield
    return "void" if answer in NOBODY_OUT else answer


@hookimpl
def is_last_deal(table: Table, rules: Rules) -> bool | None:
    """Nobody plays for ever: so many deals in a row without a winner end the game as the totals stand."""
    most = rules.house.of(VoidDeals).void_deals_limit
    last = table.outs[-most:]
    return True if len(last) == most and all(out is None for out in last) else None
