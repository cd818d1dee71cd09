"""Biddies, South Wales: Crazy Rummy with high aces, dear aces and the lone two; the winner is paid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldlog_contracts.hooks import VariantInfo, hookimpl
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import HouseValue


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(
        name="biddies",
        title="Biddies",
        rules_version=1,
        based_on="crazy-rummy",
        titles={"en": "Biddies", "fr": "Biddies", "fa": "بیدیز", "ar": "بيديز"},
        players=(3, 4),
    )


@hookimpl
def amendments() -> Mapping[str, HouseValue]:
    return {
        "first_dealer": "first_jack",
        "ace_in_runs": "low_or_high",
        "ace_value": 10,
        "betting": "winner_only",
        "lone_two_ends_deal": True,
    }


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)
