"""Taking back wilds: whoever has melded gives the natural card for a wild on the table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Literal

from msgspec import Struct

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import Reclaim
from meldlog_contracts.hooks import Obligation, Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import FewCards, option
from meldlog_contracts.problems import Objection
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Meld, Table

FULL_SET = 4


class ReclaimRules(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether and how wilds are taken back."""

    wild_reclaim: Annotated[
        bool,
        option(
            "reclaim.who",
            "Taking back wilds",
            "Récupérer les cartes frimées",
            "تعویض وایلد کارت",
            "تبديل الورقة البديلة",
        ),
    ] = True
    wild_reclaim_use: Annotated[
        Literal["free", "same_turn"],
        option(
            "reclaim.use",
            "Use of a wild taken back",
            "Usage de la carte frimée reprise",
            "استفاده از وایلد گرفته‌شده",
            "استعمال الورقة المستعادة",
        ),
    ] = "free"
    set_reclaim: Annotated[
        Literal["by_packs", "any_missing_suit", "any_same_rank", "fourth_card_only"],
        option(
            "reclaim.set",
            "Wilds of a set",
            "Cartes frimées d'un brelan",
            "وایلد در ست",
            "الورقة البديلة في المتماثلة",
        ),
    ] = "by_packs"
    """``by_packs``: any missing suit with one pack, any card of the rank with two."""
    joker_set_swap: Annotated[
        Literal["by_content", "by_history"],
        option(
            "reclaim.set-grown",
            "A set that has grown frees its joker",
            "Un brelan complété rend son joker",
            "ستِ کامل‌شده جوکر را آزاد می‌کند",
            "المتماثلة المكمَّلة تحرر الجوكر",
        ),
    ] = "by_content"
    """``by_history``: only the fourth card of a set laid with four frees it."""
    set_swap_max_wilds: Annotated[
        FewCards | None,
        option(
            "reclaim.set-limit",
            "Most wilds in a set that frees one",
            "Cartes frimées au plus dans un brelan qui en rend une",
            "حداکثر وایلد در ستِ قابل تعویض",
            "أقصى عدد من الأوراق البديلة للتبديل",
        ),
    ] = None


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="reclaim", title="Taking back wilds", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return ReclaimRules


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def silent(rules: Rules) -> Collection[str]:
    return () if rules.house.of(ReclaimRules).wild_reclaim_use == "same_turn" else ("obligations",)


@hookimpl
def objections(command: Reclaim, table: Table, seat: int, rules: Rules) -> Objection | None:
    if not rules.house.of(ReclaimRules).wild_reclaim:
        return Objection("reclaim.off", "wilds are not taken back in this game")
    if not table.has_laid(seat):
        return Objection("reclaim.who", "lay a meld of your own before you take back a wild")
    return None


@hookimpl
def obligations(table: Table) -> Obligation | None:
    waiting = table.deal.turn.reclaimed
    return Obligation("reclaim.use", put_down=waiting) if waiting else None


@hookimpl
def exchange(meld: Meld, place: int, card: Card, rules: Rules) -> bool:
    """In a run exactly the card that the wild stands for; in a set a suit that is missing, or what the game allows."""
    house = rules.house.of(ReclaimRules)
    if meld.kind == "run":
        return meld.reads_as[place] == card
    naturals = [lying for lying, meaning in zip(meld.cards, meld.reads_as, strict=True) if lying == meaning]
    wilds = len(meld.cards) - len(naturals)
    if house.set_swap_max_wilds is not None and wilds > house.set_swap_max_wilds:
        return False
    if house.set_reclaim == "fourth_card_only":
        grown = house.joker_set_swap == "by_history" and meld.laid < FULL_SET
        return len(meld.cards) == FULL_SET and wilds == 1 and card not in naturals and not grown
    remaining = (*meld.reads_as[:place], card, *meld.reads_as[place + 1 :])
    if rules.kind_of(remaining) != "set":
        return False  # one pack: this suit lies there already
    return house.set_reclaim != "any_missing_suit" or card not in naturals
