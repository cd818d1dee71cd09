"""The first meld: nobody lays off before laying a meld of one's own, or one's partner has."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated

from msgspec import Struct

from meldlog_contracts.commands import LayOff
from meldlog_contracts.hooks import Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.problems import Objection
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table


class OwnMeldFirst(Struct, frozen=True, forbid_unknown_fields=True):
    """What must lie before a card is laid off."""

    layoff_requires_own_meld: Annotated[
        bool,
        option(
            "layoff.own-meld",
            "Own meld before laying off",
            "Combinaison à soi avant de compléter",
            "مِلد شخصی پیش از اضافه کردن",
            "تركيبة خاصة قبل الإضافة",
        ),
    ] = True


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="own-meld-first", title="Own meld first", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return OwnMeldFirst


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def silent(rules: Rules) -> Collection[str]:
    return () if rules.house.of(OwnMeldFirst).layoff_requires_own_meld else ("objections",)


@hookimpl
def objections(command: LayOff, table: Table, seat: int) -> Objection | None:
    if table.deal.turn.phase == "lay_off":
        return None
    side = table.side(seat)
    if not any(table.has_laid(one) for one in range(len(table.seats)) if table.side(one) == side):
        return Objection("layoff.own-meld", "lay a meld of your own before you lay off")
    return None
