"""One-Eyed Jacks: Crazy Rummy in which two jacks are always wild, and going out without a wild is rewarded."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Annotated

from meldlog_contracts.cards import Card
from meldlog_contracts.hooks import DealScore, Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table
from msgspec import Struct
from msgspec.structs import replace

TITLES = {"en": "One-Eyed Jacks", "fr": "Valets borgnes", "fa": "سربازهای یک‌چشم", "ar": "J بعين واحدة"}
CLEAN = {"en": "Going out clean", "fr": "Sortie sans frime", "fa": "پایان بی‌وایلد", "ar": "إغلاق بلا بديل"}


class OneEyedJacksRules(Struct, frozen=True, forbid_unknown_fields=True):
    one_eyed_jacks_clean: Annotated[int, option("one-eyed-jacks.clean", **CLEAN, ge=0, le=100)] = 20


@hookimpl
def variant_info() -> VariantInfo:
    name, title = "one-eyed-jacks", TITLES["en"]
    return VariantInfo(name, title, rules_version=1, based_on="crazy-rummy", titles=TITLES, players=(2, 5))


@hookimpl
def house_rules() -> type[Struct]:
    return OneEyedJacksRules


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def is_wild(card: Card) -> bool:
    """The jacks that show one eye are wild in every deal, beside the deal's own rank."""
    return card in ("JH", "JS")


@hookimpl(wrapper=True)
def score_deal(table: Table, out: int | None, rules: Rules) -> Generator[None, DealScore, DealScore]:
    """Whoever goes out and has put no wild on the table pays less than nothing."""
    score = yield
    put = {
        card for meld in table.deal.melds for card, by in zip(meld.cards, meld.by, strict=True) if by == out
    }
    if out is None or put & rules.wild_cards(table.deal.wild):
        return score
    points = list(score.points)
    points[table.side(out)] -= rules.house.of(OneEyedJacksRules).one_eyed_jacks_clean
    return replace(score, points=tuple(points))
