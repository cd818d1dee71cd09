"""Printed jokers alone are wild, in every deal."""

from __future__ import annotations

from collections.abc import Sequence

from meldlog_contracts.cards import JOKER
from meldlog_contracts.hooks import VariantInfo, hookimpl
from meldlog_contracts.sheet import Clause, load_sheet


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="printed-jokers", title="Jokers alone are wild", rules_version=1, kind="rule")


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def wild_ranks() -> tuple[str, ...]:
    return (JOKER,)
