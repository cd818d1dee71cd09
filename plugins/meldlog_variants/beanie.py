"""Beanie, Canada: nobody melds in the first round, and an empty stock leaves the discards to play with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldlog_contracts.hooks import VariantInfo, hookimpl
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import HouseValue


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(
        name="beanie",
        title="Beanie",
        rules_version=1,
        based_on="crazy-rummy",
        titles={"en": "Beanie", "fr": "Beanie", "fa": "بینی", "ar": "بيني"},
        players=(2, 6),
    )


@hookimpl
def amendments() -> Mapping[str, HouseValue]:
    return {
        "stock_exhaustion": "until_discard_refused",
        "no_meld_first_round": True,
        "first_round_whole_hand_out": True,
        "beanie_after_out_layoff": "layoff",
    }


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)
