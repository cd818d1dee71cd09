"""The card taken from the discard pile: what may become of it in the same turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from meldlog_contracts.commands import Discard
from meldlog_contracts.hooks import Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.problems import Objection
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table


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
def objections(command: Discard, table: Table, seat: int, rules: Rules) -> Objection | None:
    """Copies are not told apart: with a second copy in hand, the one discarded is the other."""
    taken = table.deal.turn.taken
    if (
        command.card in taken
        and table.hand(seat).count(command.card) <= taken.count(command.card)
        and not rules.house.of(TakenDiscard).may_return_taken_discard
    ):
        return Objection(
            "discard.no-return", f"{command.card} was taken in this turn and may not be discarded in it"
        )
    return None
