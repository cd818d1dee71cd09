"""What a game can say about opening and closing; `opening` judges by it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct

from meldlog_contracts.house_rules import option
from meldlog_variants.rules.opening_worth import Required


class Opening(Struct, frozen=True, forbid_unknown_fields=True):
    """Conditions of the first lay, and of closing without one."""

    lay_mode: Annotated[
        Literal["progressive", "all_at_once"],
        option("open.mode", "Laying down", "Pose", "رو کردن", "الإنزال"),
    ] = "progressive"
    """``all_at_once``: nothing is laid before the closing."""
    opening_threshold: Annotated[
        int,
        option("open.threshold", "Points to open", "Seuil d'ouverture", "حد نصاب", "حد النزول", ge=0, le=500),
    ] = 51
    opening_joker_rule: Annotated[
        Literal["represented", "zero", "forbidden"],
        option(
            "open.joker",
            "Jokers in the opening",
            "Jokers à l'ouverture",
            "جوکر در اولین مِلد",
            "الجوكر في النزول",
        ),
    ] = "represented"
    """What a meld with a joker counts towards the threshold: its cards, nothing, or it may not be laid."""
    opening_required_melds: Annotated[
        Required,
        option(
            "open.required", "Melds an opening needs", "Combinaisons exigées", "مِلدهای لازم", "تركيبات النزول"
        ),
    ] = "none"
    close_required_melds: Annotated[
        Required,
        option(
            "close.required",
            "Melds a closing needs",
            "Combinaisons pour fermer",
            "مِلدهای لازم برای بستن",
            "تركيبات الإغلاق",
        ),
    ] = "none"
    close_exempt_from_threshold: Annotated[
        bool,
        option(
            "close.exempt",
            "Closing at once needs no threshold",
            "Fermer sans seuil",
            "بستن بدون حد نصاب",
            "الإغلاق بلا حد",
        ),
    ] = True
    close_with_layoff: Annotated[
        bool,
        option(
            "close.layoff",
            "Closing at once with lay-offs",
            "Fermer en complétant",
            "بستن با اضافه کردن",
            "الإغلاق مع الإضافة",
        ),
    ] = False
    taken_card_outside_required_run: Annotated[
        bool,
        option(
            "open.taken",
            "A clean run without the card taken",
            "Suite franche sans la carte prise",
            "ران بدون کارت برداشته‌شده",
            "سويفي بلا المأخوذة",
        ),
    ] = False
    partner_opening_exempt: Annotated[
        bool,
        option(
            "open.partner",
            "The partner needs no threshold",
            "Partenaire sans seuil",
            "یار بدون حد نصاب",
            "الشريك بلا حد",
        ),
    ] = True
    partner_first_lay_requires: Annotated[
        Literal["none", "clean_run"],
        option(
            "open.partner-run",
            "The partner's first lay",
            "Première pose du partenaire",
            "اولین رو کردن یار",
            "أول إنزال للشريك",
        ),
    ] = "none"
    failed_take_penalty: Annotated[
        int,
        option(
            "open.failed",
            "Penalty for putting a discard back",
            "Pénalité pour carte rendue",
            "جریمهٔ پس دادن کارت",
            "عقوبة إعادة المرمية",
            ge=0,
            le=1000,
        ),
    ] = 0
    opening_must_beat_previous: Annotated[
        bool,
        option(
            "open.beat",
            "Openings must beat the last one",
            "Ouverture croissante",
            "اولین مِلد بالاتر از قبلی",
            "النزول أعلى من السابق",
        ),
    ] = False
