"""Rami 51: open with fifty-one points, lay off, exchange jokers; the side that reaches the limit loses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldlog_contracts.hooks import VariantInfo, hookimpl
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import HouseValue


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(
        name="rami-51",
        title="Rami 51",
        rules_version=1,
        rules=(
            "dealing",
            "first-player",
            "printed-jokers",
            "taken-discard",
            "discard-use",
            "opening",
            "own-meld-first",
            "reclaim",
            "one-card",
            "last-card",
            "stock-end",
            "card-values",
            "losers-pay",
            "void-deals",
            "betting",
            "first-round",
        ),
        titles={"en": "Rami 51", "fr": "Rami 51", "fa": "رامی ۵۱", "ar": "رامي 51"},
        players=(2, 4),
    )


@hookimpl
def amendments() -> Mapping[str, HouseValue]:
    return {
        "teams": "pairs",
        "direction": "ccw",
        "packs": 2,
        "ace_in_runs": "low_or_high",
        "max_set_size": 4,
        "set_identical_cards": False,
        "max_wilds_per_meld": 1,
        "min_naturals_per_meld": 2,
        "extra_card_to": "none",
        "first_dealer": "random",
        "starter_first_turn": "normal",
        "may_return_taken_discard": False,
        "set_reclaim": "fourth_card_only",
        "stock_exhaustion": "reshuffle_keep_top",
        "ace_value": "one_or_eleven",
        "joker_penalty": 20,
        "printed_jokers": 4,
        "hand_size": 14,
        "discard_take_before_meld": "must_open",
        "discard_take_after_meld": "free",
        "taken_discard_use": "new_meld_only",
        "opening_threshold": 51,
        "limit_alone": 251,
        "limit_pairs": 351,
    }


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)
