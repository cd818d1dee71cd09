"""What every rummy game falls back on: the order of a turn, and melds of sets and runs."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from meldlog_contracts.hooks import Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import TableRules
from meldlog_contracts.problems import Fault
from meldlog_contracts.sheet import Clause, load_sheet


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(
        name="basic", title="Basic rules", rules_version=1, kind="rule", rules=("sets-and-runs",)
    )


@hookimpl
def house_rules() -> type[Struct]:
    return TableRules


@hookimpl
def senseless(seats: int, rules: Rules) -> Sequence[Fault]:
    if rules.house.of(TableRules).teams == "pairs" and seats not in (2, 4):
        return [Fault("/house_rules/teams", f"two against two needs four players, not {seats}")]
    return []


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)
