"""Auto press: with four players or more the first deal is always followed by a press."""

from __future__ import annotations

from collections.abc import Mapping

from meldlog_contracts.hooks import VariantInfo, hookimpl
from meldlog_contracts.table import HouseValue


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(
        name="auto-press",
        title="Auto press",
        rules_version=1,
        kind="option",
        rules=("press",),
        titles={"en": "Auto press", "fr": "Press automatique", "fa": "پرس خودکار", "ar": "برس تلقائي"},
    )


@hookimpl
def amendments() -> Mapping[str, HouseValue]:
    return {"auto_press": True}
