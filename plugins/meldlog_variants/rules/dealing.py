"""Dealing: who deals, how many cards, who gets one more, and how the first player begins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Annotated, Literal

from msgspec import Struct

from meldlog_contracts.cards import RANKS, Card
from meldlog_contracts.commands import LayMeld, LayOff, Reclaim
from meldlog_contracts.events import SeatCard
from meldlog_contracts.hooks import DealPlan, Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import TableRules, option
from meldlog_contracts.problems import Fault, Objection
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table

HANDS_BY_PLAYERS = {2: 10, 3: 7, 4: 7}
HAND_OF_MANY = 6
LEAST_HAND = 3
SMALL_TABLE = 3
SMALL_TABLE_HAND = 10


class DealingRules(Struct, frozen=True, forbid_unknown_fields=True):
    """How a deal is dealt."""

    hand_size: Annotated[
        int | Literal["by_players"],
        option(
            "deal.cards",
            "Cards dealt to each",
            "Cartes par joueur",
            "تعداد کارت هر نفر",
            "عدد الأوراق لكل لاعب",
        ),
    ] = 7
    """``by_players``: ten for two, seven for three or four, six for more."""
    small_table_ten_cards: Annotated[
        bool,
        option(
            "deal.small-table",
            "Ten cards at a table of two or three",
            "Dix cartes à deux ou trois",
            "ده کارت برای دو یا سه نفر",
            "عشر أوراق للاعبين أو ثلاثة",
        ),
    ] = False
    extra_card_to: Annotated[
        Literal["left_of_dealer", "dealer", "none"],
        option("deal.extra-card", "Extra card", "Carte supplémentaire", "کارت اضافه", "الورقة الإضافية"),
    ] = "left_of_dealer"
    first_dealer: Annotated[
        Literal["lowest_card", "first_jack", "random"],
        option("deal.first-dealer", "First dealer", "Premier donneur", "دیلر اول", "الموزّع الأول"),
    ] = "lowest_card"
    dealer_rotation: Annotated[
        Literal["next", "winner_deals"],
        option("deal.rotation", "Next dealer", "Donneur suivant", "دیلر بعدی", "الموزّع التالي"),
    ] = "next"
    initial_upcard: Annotated[
        bool,
        option(
            "deal.upcard",
            "A card is turned up",
            "Une carte est retournée",
            "رو کردن یک کارت",
            "كشف ورقة في البداية",
        ),
    ] = False
    starter_first_turn: Annotated[
        Literal["meld_no_draw", "discard_only", "normal"],
        option("deal.starter", "First turn of the starter", "Premier tour", "نوبت اول", "الدور الأول"),
    ] = "meld_no_draw"


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="dealing", title="Dealing", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return DealingRules


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def senseless(seats: int, rules: Rules) -> Sequence[Fault]:
    house = rules.house.of(DealingRules)
    size = cards_each(house, seats)
    if size < LEAST_HAND:
        return [Fault("/house_rules/hand_size", f"{size} cards are too few to meld and go out")]
    first_player = rules.house.flat.get("first_player_extra_card") is True
    needed = size * seats + (house.extra_card_to != "none" or first_player) + house.initial_upcard
    there = len(rules.pack())
    if needed >= there:
        detail = f"{seats} players of {size} cards need {needed} of the {there} cards, which leaves no stock"
        return [Fault("/house_rules/hand_size", detail)]
    faults = []
    least = rules.house.of(TableRules).min_naturals_per_meld
    if least > most_laid(size, rules):
        detail = f"nobody could lay a meld of {least} natural cards from a hand of {size}"
        faults.append(Fault("/house_rules/min_naturals_per_meld", detail))
    if house.extra_card_to != "none" and house.starter_first_turn == "normal":
        detail = (
            "the starter, who is dealt an extra card, does not draw as well: meld_no_draw or discard_only"
        )
        faults.append(Fault("/house_rules/starter_first_turn", detail))
    if house.extra_card_to == "none" and house.starter_first_turn != "normal":
        detail = "the starter, who is dealt no extra card, draws like everybody: normal"
        faults.append(Fault("/house_rules/starter_first_turn", detail))
    return faults


def most_laid(size: int, rules: Rules) -> int:
    """How many cards of a hand of this size can be laid in one turn: all but the last discard, where one is needed."""
    return size if rules.house.of(TableRules).final_discard_required else size + 1


@hookimpl
def first_dealer(
    seats: int, shuffled: Callable[[int], tuple[Card, ...]], rules: Rules
) -> tuple[int, tuple[tuple[SeatCard, ...], ...]]:
    """The lowest card of one each deals, ace lowest, and those tied draw again; or the first jack; or chance."""
    how = rules.house.of(DealingRules).first_dealer
    if how == "random":
        # The seat that the ace of clubs falls to when the pack is counted off seat by seat.
        return shuffled(1).index(Card("AC")) % seats, ()
    if how == "first_jack":
        return _first_jack(seats, shuffled(1))
    drawing = list(range(seats))
    rounds: list[tuple[SeatCard, ...]] = []
    while len(drawing) > 1:
        front = shuffled(len(rounds) + 1)
        drawn = tuple(SeatCard(seat, card) for seat, card in zip(drawing, front, strict=False))
        rounds.append(drawn)
        lowest = min(RANKS.index(one.card[0]) for one in drawn)
        drawing = [one.seat for one in drawn if RANKS.index(one.card[0]) == lowest]
    return drawing[0], tuple(rounds)


def _first_jack(seats: int, front: tuple[Card, ...]) -> tuple[int, tuple[tuple[SeatCard, ...], ...]]:
    """Cards are dealt round face up, and the first jack deals."""
    last = next(place for place, card in enumerate(front) if card[0] == "J")
    drawn = [SeatCard(place % seats, front[place]) for place in range(last + 1)]
    return last % seats, tuple(tuple(drawn[start : start + seats]) for start in range(0, len(drawn), seats))


@hookimpl
def next_dealer(table: Table, rules: Rules) -> int:
    house = rules.house.of(DealingRules)
    out = table.deal.out
    if house.dealer_rotation == "winner_deals" and out is not None:
        return out
    return next_seat(table.deal.dealer, len(table.seats), rules)


@hookimpl
def deal_plan(table: Table, dealer: int, rules: Rules) -> DealPlan:
    house = rules.house.of(DealingRules)
    seats = len(table.seats)
    after = next_seat(dealer, seats, rules)
    starter = dealer if house.extra_card_to == "dealer" else after
    return DealPlan(
        sizes=(cards_each(house, seats),) * seats,
        extra_to=None if house.extra_card_to == "none" else starter,
        upcard=house.initial_upcard,
        starter=starter,
        phase="draw" if house.starter_first_turn == "normal" else "play",
    )


@hookimpl
def silent(rules: Rules) -> Collection[str]:
    return () if rules.house.of(DealingRules).starter_first_turn == "discard_only" else ("objections",)


@hookimpl
def objections(command: LayMeld | LayOff | Reclaim, table: Table) -> Objection | None:
    """Option: the starter may not meld in the first turn."""
    if table.deal.turns == 1:
        return Objection("deal.starter-discards", "in the first turn the starter only discards")
    return None


def cards_each(house: DealingRules, seats: int) -> int:
    """Cards dealt to each seat, the extra one not counted."""
    if house.small_table_ten_cards and seats <= SMALL_TABLE:
        return SMALL_TABLE_HAND
    if house.hand_size == "by_players":
        return HANDS_BY_PLAYERS.get(seats, HAND_OF_MANY)
    return int(house.hand_size)


def next_seat(seat: int, seats: int, rules: Rules) -> int:
    """The seat after this one in the direction of play."""
    return (seat + (1 if rules.house.of(TableRules).direction == "cw" else -1)) % seats
