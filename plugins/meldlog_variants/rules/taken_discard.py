"""The card taken from the discard pile: what may become of it in the same turn."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated

from msgspec import Struct

from meldlog_contracts.hooks import Obligation, Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table
from meldlog_variants.rules.stock_end import StockEnd, discards_alone


class TakenDiscard(Struct, frozen=True, forbid_unknown_fields=True):
    """What may be done with a discard that was taken."""

    may_return_taken_discard: Annotated[
        bool,
        option(
            "discard.return",
            "The card just taken may be discarded",
            "La carte prise peut être rejetée",
            "سوزاندن کارت تازه برداشته",
            "رمي الورقة المأخوذة",
        ),
    ] = True


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="taken-discard", title="The card taken", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return TakenDiscard


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def silent(rules: Rules) -> Collection[str]:
    free = rules.house.of(TakenDiscard).may_return_taken_discard
    # With the stock at its end, discards alone may be left to play with, and a taken one is then never thrown back.
    ends = rules.house.of(StockEnd).stock_exhaustion if rules.house.has(StockEnd) else None
    return ("obligations",) if free and ends != "until_discard_refused" else ()


@hookimpl
def obligations(table: Table, rules: Rules) -> Obligation | None:
    """The one card taken does not go back at once; of several taken together any may."""
    turn = table.deal.turn
    if not turn.unused or len(turn.taken) > 1:
        return None
    if discards_alone(table, rules):
        return Obligation("stock.until-refused", not_discarded=turn.unused)
    if not rules.house.of(TakenDiscard).may_return_taken_discard:
        return Obligation("discard.no-return", not_discarded=turn.unused)
    return None
