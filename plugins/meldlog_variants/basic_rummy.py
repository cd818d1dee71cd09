"""Basic Rummy: the winner of each deal scores the others’ hands, and the first to reach the target wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldlog_contracts.hooks import VariantInfo, hookimpl
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import HouseValue


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(
        name="basic-rummy",
        title="Basic Rummy",
        rules_version=1,
        rules=(
            "dealing",
            "taken-discard",
            "own-meld-first",
            "one-card",
            "stock-end",
            "card-values",
            "winner-takes-hands",
            "void-deals",
            "betting",
            "discard-use",
            "first-round",
        ),
        titles={"en": "Basic Rummy", "fr": "Rami de base", "fa": "رامی", "ar": "الرامي الأساسي"},
        also_known_as=("Rummy", "Rum"),
        players=(2, 6),
    )


@hookimpl
def amendments() -> Mapping[str, HouseValue]:
    return {
        "hand_size": "by_players",
        "extra_card_to": "none",
        "first_dealer": "random",
        "initial_upcard": True,
        "starter_first_turn": "normal",
        "final_discard_required": False,
        "layoff_requires_own_meld": False,
        "may_return_taken_discard": False,
        "stock_exhaustion": "reshuffle_keep_top",
    }


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)
