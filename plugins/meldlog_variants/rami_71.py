"""Rami 71: open with seventy-one points without a joker, a run and a set among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldlog_contracts.hooks import VariantInfo, hookimpl
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import HouseValue


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(
        name="rami-71",
        title="Rami 71",
        rules_version=1,
        based_on="rami-51",
        titles={"en": "Rami 71", "fr": "Rami 71", "fa": "رامی ۷۱", "ar": "رامي 71"},
        also_known_as=("Tallage",),
        players=(2, 4),
    )


@hookimpl
def amendments() -> Mapping[str, HouseValue]:
    return {
        "printed_jokers": 2,
        "opening_threshold": 71,
        "opening_joker_rule": "zero",
        "opening_required_melds": "clean_run_and_set",
        "close_required_melds": "clean_run_and_set",
        "taken_card_outside_required_run": True,
        "partner_first_lay_requires": "clean_run",
        "limit_pairs": 451,
    }


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)
