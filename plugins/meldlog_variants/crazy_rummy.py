"""Crazy Rummy: thirteen deals of seven cards, the wild rank climbing from ace to king; the lowest total wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldlog_contracts.hooks import VariantInfo, hookimpl
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import HouseValue


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(
        name="crazy-rummy",
        title="Crazy Rummy",
        rules_version=1,
        rules=(
            "dealing",
            "wild-sequence",
            "set-overflow",
            "taken-discard",
            "own-meld-first",
            "reclaim",
            "one-card",
            "last-card",
            "lone-two",
            "stock-end",
            "card-values",
            "penalties",
            "tie-break",
            "betting",
            "discard-use",
            "first-round",
        ),
        titles={"en": "Crazy Rummy", "fr": "Rami fou", "fa": "رامی دیوانه", "ar": "الرامي المجنون"},
        also_known_as=(
            "Lamsees",
            "Lambz",
            "Dummy Rummy",
            "Dumb Dumb",
            "Mexican Rummy",
            "Cleveland Rummy",
            "Canadian Gin",
            "Crazy Gin",
            "Montana 13",
            "Nokomis",
        ),
        players=(2, 6),
    )


@hookimpl
def amendments() -> Mapping[str, HouseValue]:
    return {"one_card_rule": True}


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)
