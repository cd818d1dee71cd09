"""What every rummy game falls back on: the order of a turn, and melds of sets and runs."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from meldlog_contracts.hooks import VariantInfo, hookimpl
from meldlog_contracts.house_rules import TableRules
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
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)
