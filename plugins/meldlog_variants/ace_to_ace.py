"""Ace to Ace: fourteen deals from ace to ace; cards laid count for their owner, and the most points win."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldlog_contracts.hooks import VariantInfo, hookimpl
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import HouseValue


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(
        name="ace-to-ace",
        title="Ace to Ace",
        rules_version=1,
        based_on="crazy-rummy",
        rules=("laid-minus-hand",),
        titles={"en": "Ace to Ace", "fr": "D’as en as", "fa": "آس به آس", "ar": "من آس إلى آس"},
        players=(2, 4),
    )


@hookimpl
def amendments() -> Mapping[str, HouseValue]:
    return {
        "wild_sequence": "ace_to_ace",
        "ace_in_runs": "low_or_high",
        "ace_value": 15,
        "discard_take_count": "any",
        "may_return_taken_discard": False,
        "discard_take_before_meld": "must_meld",
        "discard_take_after_meld": "not_this_turn",
        "taken_discard_use": "new_meld_only",
        "set_reclaim": "any_same_rank",
        "set_swap_max_wilds": 2,
    }


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)
