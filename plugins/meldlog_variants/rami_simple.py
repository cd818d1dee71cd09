"""Rami Simple: nothing is laid before the closing, and every loser pays the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldlog_contracts.hooks import VariantInfo, hookimpl
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import HouseValue


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(
        name="rami-simple",
        title="Rami Simple",
        rules_version=1,
        based_on="rami-51",
        titles={"en": "Rami Simple", "fr": "Rami simple", "fa": "رامی ساده", "ar": "رامي سيمبل"},
        also_known_as=("Sample",),
        players=(2, 4),
    )


@hookimpl
def amendments() -> Mapping[str, HouseValue]:
    return {
        "printed_jokers": 2,
        "hand_size": 13,
        "lay_mode": "all_at_once",
        "opening_threshold": 0,
        "close_required_melds": "run_and_set",
        "wild_reclaim": False,
        "discard_take_before_meld": "free",
        "flat_penalty": 100,
        "limit_alone": 300,
        "limit_pairs": 600,
    }


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)
