"""Treize Brasses, French Canada: thirteen cards from two packs, runs of four, discards taken only to meld them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldlog_contracts.hooks import VariantInfo, hookimpl
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import HouseValue


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(
        name="treize-brasses",
        title="Treize Brasses",
        rules_version=1,
        based_on="crazy-rummy",
        titles={"en": "Treize Brasses", "fr": "Treize Brasses", "fa": "سیزده براس", "ar": "تريز براس"},
        also_known_as=("13 Brasses",),
        players=(2, 7),
    )


@hookimpl
def amendments() -> Mapping[str, HouseValue]:
    return {
        "hand_size": 13,
        "packs": 2,
        "min_run_length": 4,
        "court_values": "11_12_13",
        "discard_take_before_meld": "must_meld",
        "discard_take_after_meld": "must_meld",
    }


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)
