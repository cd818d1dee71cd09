"""Sets and runs: the cards of the game and what makes a meld."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.json import encode
from msgspec.structs import replace

from meldlog_contracts.cards import ANY_SUIT, JOKER, RANKS, Card
from meldlog_contracts.cards import pack as cards_of_packs
from meldlog_contracts.hooks import Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.melds import meanings
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import MeldKind

MIN_SET = 3
MAX_RUN = 13


class MeldRules(Struct, frozen=True, forbid_unknown_fields=True):
    """What makes a pack, a set and a run."""

    packs: Annotated[
        int,
        option(
            "table.pack", "Packs", "Jeux de cartes", "تعداد دسته‌های کارت", "عدد مجموعات الورق", ge=1, le=2
        ),
    ] = 1
    printed_jokers: Annotated[
        int,
        option("table.pack", "Printed jokers", "Jokers imprimés", "جوکرها", "عدد أوراق الجوكر", ge=0, le=4),
    ] = 0
    ace_in_runs: Annotated[
        Literal["low", "low_or_high", "around_corner"],
        option("run.ace", "Ace in runs", "L'as dans les suites", "آس در ران", "الآس في المتتالية"),
    ] = "low"
    min_run_length: Annotated[
        int,
        option(
            "run.length", "Shortest run", "Suite la plus courte", "کوتاه‌ترین ران", "أقصر متتالية", ge=3, le=4
        ),
    ] = 3
    max_set_size: Annotated[
        Annotated[int, Meta(ge=3)] | Literal["by_packs"] | None,
        option("set.size", "Largest set", "Plus grand brelan ou carré", "بزرگ‌ترین ست", "أكبر متماثلة"),
    ] = "by_packs"
    """``by_packs``: four cards a pack; null: no limit."""
    set_identical_cards: Annotated[
        bool | Literal["by_packs"],
        option(
            "set.suits",
            "Identical cards in a set",
            "Cartes identiques dans un brelan",
            "کارت یکسان در ست",
            "أوراق متطابقة",
        ),
    ] = "by_packs"
    """``by_packs``: with two packs."""
    runs_any_suit: Annotated[
        bool,
        option(
            "run.suit",
            "Runs of mixed suits",
            "Suites de couleurs mêlées",
            "ران با خال‌های مختلف",
            "متتاليات مختلطة الأشكال",
        ),
    ] = False


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="sets-and-runs", title="Sets and runs", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return MeldRules


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def pack(rules: Rules) -> tuple[Card, ...]:
    house = rules.house.of(MeldRules)
    return cards_of_packs(house.packs, house.printed_jokers)


@hookimpl
def is_wild(card: Card) -> bool:
    """A printed joker is always wild."""
    return card == JOKER


@hookimpl
def meld_kind(reads_as: tuple[Card, ...], rules: Rules) -> MeldKind | None:
    return _kind(reads_as, rules.house.of(MeldRules))


def _kind(reads_as: tuple[Card, ...], house: MeldRules) -> MeldKind | None:
    if is_set(reads_as, house):
        return "set"
    return "run" if is_run(reads_as, house) else None


@hookimpl
def no_meld(cards: tuple[Card, ...], wild: tuple[str, ...], rules: Rules) -> str | None:
    """The one house rule without which the cards would be a meld."""
    house = rules.house.of(MeldRules)
    if len(cards) < MIN_SET:
        least = _named("min_run_length", house)
        return f"a set has at least {MIN_SET} cards, a run at least {house.min_run_length} {least}"
    wilds = rules.wild_cards(wild)
    for name, value, why in _limits(house):
        looser = replace(house, **{name: value})
        if meanings(cards, wilds, lambda shape, looser=looser: _kind(shape, looser)):  # type: ignore[misc]
            return f"{why} {_named(name, house)}"
    return None


def _limits(house: MeldRules) -> Iterator[tuple[str, int | bool | str | None, str]]:
    """Every house rule that forbids shapes: its name, the value that forbids none, and what it says now."""
    yield "min_run_length", MIN_SET, f"a run has at least {house.min_run_length} cards"
    yield "ace_in_runs", "around_corner", _ACES[house.ace_in_runs]
    yield "set_identical_cards", True, "a set holds no two identical cards"
    yield "max_set_size", None, f"a set has at most {largest_set(house)} cards"
    yield "runs_any_suit", True, "the cards of a run are of one suit"


_ACES = {
    "low": "an ace is the lowest card of a run",
    "low_or_high": "a run does not go on beyond an ace",
    "around_corner": "a run has at most thirteen cards",
}


def _named(name: str, house: MeldRules) -> str:
    return f"(house rule {name}: {encode(getattr(house, name)).decode().strip(chr(34))})"


def is_set(reads_as: tuple[Card, ...], house: MeldRules) -> bool:
    """Three or more of a rank; in one pack of different suits, and never more than there are."""
    if len(reads_as) < MIN_SET or len({card[0] for card in reads_as}) > 1:
        return False
    largest = largest_set(house)
    if largest is not None and len(reads_as) > largest:
        return False
    naturals = [card for card in reads_as if card[1] != ANY_SUIT]
    identical = house.packs > 1 if house.set_identical_cards == "by_packs" else house.set_identical_cards
    return bool(identical) or len(set(naturals)) == len(naturals)


def largest_set(house: MeldRules) -> int | None:
    """Most cards of a set; None without a limit."""
    size = house.max_set_size
    return 4 * house.packs if size == "by_packs" else size if isinstance(size, int) else None


def is_run(reads_as: tuple[Card, ...], house: MeldRules) -> bool:
    """Consecutive cards of one suit; whether the ace may stand above the king is a house rule."""
    length = len(reads_as)
    if not house.min_run_length <= length <= MAX_RUN:
        return False
    if any(card[1] == ANY_SUIT for card in reads_as):
        return False
    if not house.runs_any_suit and len({card[1] for card in reads_as}) > 1:
        return False
    first = RANKS.index(reads_as[0][0])
    if any(RANKS[(first + step) % len(RANKS)] != card[0] for step, card in enumerate(reads_as)):
        return False
    beyond_king = first + length - len(RANKS)
    return beyond_king <= {"low": 0, "low_or_high": 1, "around_corner": MAX_RUN}[house.ace_in_runs]
