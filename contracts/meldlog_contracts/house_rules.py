"""House rules: the numbers and switches of a game, each declared by exactly one plugin.

A plugin declares its options as a typed struct (hook ``house_rules``); every field has a default and is described with
`option`. All declarations of a game's stack together are one flat dictionary, which the game records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, TypeVar, cast

import msgspec
from msgspec import Meta, Struct

from meldlog_contracts.table import HouseValue

Declared = TypeVar("Declared", bound=Struct)
FewCards = Annotated[int, Meta(ge=1, le=13)]
"""As many cards as a run can hold; write bounds inside the type where null or a word is possible as well."""


def option(
    clause: str, en: str, fr: str, fa: str, ar: str, *, ge: int | None = None, le: int | None = None
) -> Meta:
    """Describe a house rule: its title in four languages, the clause that states it, and its bounds.

    Use it as ``Annotated[int, option("deal.cards", "Cards dealt to each", …, ge=1)]``.
    """
    extra = {"clause": clause, "title": {"en": en, "fr": fr, "fa": fa, "ar": ar}}
    return Meta(ge=ge, le=le, title=en, extra=extra)


class TableRules(Struct, frozen=True, forbid_unknown_fields=True):
    """House rules that the core itself must know: who sits how, and how a turn ends. Declared by ``basic``."""

    teams: Annotated[
        Literal["none", "pairs"],
        option("table.teams", "Partners", "Partenaires", "هم‌تیمی‌ها", "الشركاء"),
    ] = "none"
    """``pairs``: four play two against two, partners sit opposite and share a score; two play alone."""
    direction: Annotated[
        Literal["cw", "ccw"],
        option("table.direction", "Direction of play", "Sens du jeu", "جهت بازی", "اتجاه اللعب"),
    ] = "cw"
    """Clockwise is towards higher seat numbers."""
    final_discard_required: Annotated[
        bool,
        option(
            "final-discard",
            "Go out by discarding",
            "Sortir en se défaussant",
            "پایان با سوزاندن",
            "الإغلاق برمي ورقة",
        ),
    ] = True
    discard_take_count: Annotated[
        Literal["one", "any"],
        option(
            "draw.discard-one",
            "Discards taken at once",
            "Cartes prises à la défausse",
            "تعداد برداشت از کارت‌های سوخته",
            "عدد الأوراق المأخوذة",
        ),
    ] = "one"
    max_wilds_per_meld: Annotated[
        FewCards | None,
        option(
            "meld.wild-limit",
            "Most wild cards in a meld",
            "Cartes frimées par combinaison, au plus",
            "حداکثر وایلد در هر مِلد",
            "أقصى عدد من الأوراق البديلة في التركيبة",
        ),
    ] = None
    min_naturals_per_meld: Annotated[
        int,
        option(
            "meld.natural-limit",
            "Least natural cards in a meld",
            "Cartes naturelles par combinaison, au moins",
            "حداقل کارت اصلی در هر مِلد",
            "أقل عدد من الأوراق الأصلية في التركيبة",
            ge=0,
            le=13,
        ),
    ] = 0


class HouseRules:
    """The merged house rules of one game, as plugins read them: ``house.of(OneCard).one_card_rule``."""

    __slots__ = ("_declared", "flat")

    def __init__(self, declarations: Sequence[type[Struct]], flat: Mapping[str, HouseValue]) -> None:
        """Give every declaration its part of the flat dictionary.

        Raises:
            msgspec.ValidationError: when a value does not fit its declaration.
        """
        self.flat: dict[str, HouseValue] = dict(flat)
        self._declared: dict[type[Struct], Struct] = {
            declaration: msgspec.convert(
                {name: flat[name] for name in declaration.__struct_fields__ if name in flat}, declaration
            )
            for declaration in declarations
        }

    def of(self, declaration: type[Declared]) -> Declared:
        """The options that a plugin declared, as that plugin's struct.

        Raises:
            KeyError: when no plugin of this game declares it.
        """
        return cast(Declared, self._declared[declaration])

    def has(self, declaration: type[Struct]) -> bool:
        """Whether a plugin of this game declares these options."""
        return declaration in self._declared
