"""Opening: what a player's first lay must be worth and hold, and closing by laying everything at once.

Several melds laid one after the other in one list of commands are one opening; it is judged when the last of them lies.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Literal

from msgspec import Struct

from meldlog_contracts.cards import Card, less
from meldlog_contracts.commands import DeclineDiscard, Discard, Draw, LayOff, Reclaim, ReturnDraw
from meldlog_contracts.hooks import Note, Rules, Together, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.melds import Reading
from meldlog_contracts.problems import Fault, Objection
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Meld, Table
from meldlog_variants.rules import opening_search
from meldlog_variants.rules.discard_use import DiscardUse
from meldlog_variants.rules.opening_worth import Required, holds, is_clean, worth

LAST_CARD = 1
PAIR = 2


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


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="opening", title="Opening", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return Opening


@hookimpl
def silent(rules: Rules) -> Collection[str]:
    rising = rules.house.of(Opening).opening_must_beat_previous
    return () if rising else ("noted",)


@hookimpl
def senseless(rules: Rules) -> Sequence[Fault]:
    house = rules.house.of(DiscardUse)
    must_open_to_take = house.discard_take_before_meld == "must_open"
    if house.discard_take_before_meld == "must_meld":
        detail = "where a first lay is an opening, a discard is taken to open with (must_open) or freely"
        return [Fault("/house_rules/discard_take_before_meld", detail)]
    if must_open_to_take and house.taken_discard_use != "new_meld_only":
        return [Fault("/house_rules/taken_discard_use", "a discard taken to open with lies in a new meld")]
    return []


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


# -- what a lay is worth and holds -------------------------------------------------------------------------------------


def opening_points(melds: Sequence[Meld], rules: Rules) -> int:
    """What the melds of an opening are worth together."""
    count_all = rules.house.of(Opening).opening_joker_rule == "represented"
    return sum(worth(meld, rules) for meld in melds if count_all or is_clean(meld))


def has_opened(table: Table, seat: int) -> bool:
    """Whether a seat laid a meld of its own before this turn."""
    return table.deal.laid_at[seat] not in (None, table.deal.turns)


def partner_opened(table: Table, seat: int) -> bool:
    """Whether somebody else of the seat's side has laid."""
    return any(
        other != seat and table.side(other) == table.side(seat) and table.has_laid(other)
        for other in range(len(table.seats))
    )


# -- the turn ----------------------------------------------------------------------------------------------------------


@hookimpl
def unsettled(table: Table, seat: int, rules: Rules) -> Objection | None:
    if has_opened(table, seat) or not table.deal.turn.laid:
        return None  # only laid off, which a partner's opening allows
    melds = [table.deal.melds[number - 1] for number in table.deal.turn.laid]
    return first_lay_objection(melds, table.hand(seat), table.deal.turn.unused, table, seat, rules)


def first_lay_objection(
    melds: Sequence[Meld],
    left: tuple[Card, ...],
    unused: tuple[Card, ...],
    table: Table,
    seat: int,
    rules: Rules,
) -> Objection | None:
    """Why these melds may not be a first lay that leaves these cards in the hand."""
    house = rules.house.of(Opening)
    if unused and must_open(table, seat, rules):
        return Objection("open.take", f"{' '.join(unused)} was taken to be laid in a new meld")
    opening = _opening_objection(melds, left, table, seat, rules)
    if opening is None and house.lay_mode == "progressive":
        return None
    if len(left) > LAST_CARD:
        if house.lay_mode == "all_at_once":
            return Objection("open.mode", "nothing is laid before all cards but one are laid at once")
        return opening
    if opening is not None and not house.close_exempt_from_threshold:
        return opening
    return _closing_objection(melds, left, table, seat, rules)


@hookimpl
def laid_together(readings: tuple[Reading, ...], table: Table, seat: int, rules: Rules) -> Together | None:
    """Smallest openings, and closings of the whole hand."""
    if has_opened(table, seat):
        return None
    melds = [
        Meld(0, reading.kind, seat, reading.cards, reading.reads_as, (seat,) * len(reading.cards))
        for reading in readings
    ]

    def stands(places: tuple[int, ...], left: tuple[Card, ...]) -> bool:
        chosen = [melds[place] for place in places]
        unused = less(table.deal.turn.unused, tuple(card for meld in chosen for card in meld.cards))
        return first_lay_objection(chosen, left, unused, table, seat, rules) is None

    count_all = rules.house.of(Opening).opening_joker_rule == "represented"
    values = [worth(meld, rules) if count_all or is_clean(meld) else 0 for meld in melds]
    needed = _points_needed(melds, table, seat, rules)
    found = opening_search.smallest_sets(readings, values, table.hand(seat), stands, needed)
    # A closing that needs lay-offs is no set of melds, and not looked for.
    complete = found.complete and not rules.house.of(Opening).close_with_layoff
    return Together(found.sets, complete)


def _points_needed(melds: Sequence[Meld], table: Table, seat: int, rules: Rules) -> int | None:
    """What some of these melds must be worth together to open; None where no choice of them can."""
    house = rules.house.of(Opening)
    if house.lay_mode == "all_at_once":
        return None
    if partner_opened(table, seat) and house.partner_opening_exempt:
        return 0
    if not holds(house.opening_required_melds, melds):
        return None
    return opening_threshold(table, house)


def opening_threshold(table: Table, house: Opening) -> int:
    """Points that an opening needs now."""
    rising = last_opening(table) + 1 if house.opening_must_beat_previous else 0
    return max(house.opening_threshold, rising)


def _opening_objection(
    melds: Sequence[Meld], left: tuple[Card, ...], table: Table, seat: int, rules: Rules
) -> Objection | None:
    house = rules.house.of(Opening)
    if partner_opened(table, seat) and house.partner_opening_exempt:
        if house.partner_first_lay_requires == "none" or holds("clean_run", melds):
            return None
        return Objection("open.partner-run", "your first lay needs a run without a joker")
    if house.opening_joker_rule == "forbidden" and not all(is_clean(meld) for meld in melds):
        return Objection("open.joker", "an opening holds no joker")
    if not holds(house.opening_required_melds, melds):
        return Objection("open.required", _needed(house.opening_required_melds))
    if _run_needs_taken_card(melds, left, table, house.opening_required_melds, rules):
        return Objection("open.taken", "a run without a joker must be made without the card just taken")
    points = opening_points(melds, rules)
    needed = opening_threshold(table, house)
    if points < needed:
        return Objection("open.threshold", f"{points} of {needed} points")
    return None


def _closing_objection(
    melds: Sequence[Meld], left: tuple[Card, ...], table: Table, seat: int, rules: Rules
) -> Objection | None:
    """Laying all cards but one at once: no threshold, but the melds that the game requires."""
    house = rules.house.of(Opening)
    if table.deal.turn.laid_off and not house.close_with_layoff and not partner_opened(table, seat):
        return Objection("close.layoff", "closing at once, all cards lie in new melds of your own")
    if not holds(house.close_required_melds, melds):
        return Objection("close.required", _needed(house.close_required_melds))
    if _run_needs_taken_card(melds, left, table, house.close_required_melds, rules):
        return Objection("open.taken", "a run without a joker must be made without the card just taken")
    return None


def _run_needs_taken_card(
    melds: Sequence[Meld], left: tuple[Card, ...], table: Table, required: Required, rules: Rules
) -> bool:
    taken = table.deal.turn.taken
    if not taken or required == "none" or not rules.house.of(Opening).taken_card_outside_required_run:
        return False
    # Copies are not told apart: with a second copy laid or held, the one in the run may be that.
    single = [
        card for card in taken if sum(meld.cards.count(card) for meld in melds) + left.count(card) < PAIR
    ]
    return not any(
        meld.kind == "run"
        and (required == "run_and_set" or is_clean(meld))
        and not any(card in meld.cards for card in single)
        for meld in melds
    )


def _needed(required: Required) -> str:
    return {
        "none": "nothing",
        "run_and_set": "a run and a set are needed",
        "clean_run": "a run without a joker is needed",
        "clean_run_and_set": "a run and a set without a joker are needed",
    }[required]


def last_opening(table: Table) -> int:
    """Points of the last opening of this deal before this turn, 0 before there is one."""
    noted = table.notes.get("opening", {})
    points = noted.get("points")
    earlier = noted.get("deal") == table.deal.number and noted.get("turn") != table.deal.turns
    return points if earlier and isinstance(points, int) else 0


@hookimpl
def noted(table: Table, seat: int, rules: Rules) -> Note | None:
    """Where openings must rise, the points of this one are remembered."""
    if has_opened(table, seat):
        return None
    points = opening_points([table.deal.melds[number - 1] for number in table.deal.turn.laid], rules)
    if points <= last_opening(table):
        return None
    return Note("opening", {"deal": table.deal.number, "turn": table.deal.turns, "points": points})


@hookimpl
def objections(
    command: Draw | LayOff | Reclaim | Discard, table: Table, seat: int, rules: Rules
) -> Objection | None:
    turn = table.deal.turn
    if isinstance(command, Draw):
        if command.source == "discard" and turn.returned:
            return Objection("open.take", "you put the discard back: draw from the stock")
        return None
    waiting = turn.unused if must_open(table, seat, rules) else ()
    if isinstance(command, Discard):
        if waiting:
            return Objection(
                "open.take", f"{' '.join(waiting)} is laid in this turn, or put back (return_draw)"
            )
        return None
    if isinstance(command, LayOff) and rules.house.of(Opening).lay_mode == "all_at_once":
        return Objection("open.mode", "nothing is laid off in this game")
    played = command.cards if isinstance(command, LayOff) else (command.card,)
    if waiting and (not turn.laid or any(card in waiting for card in played)):
        return Objection(
            "open.take", f"lay {' '.join(waiting)} in a new meld first, or put it back (return_draw)"
        )
    if isinstance(command, Reclaim):
        # What lies so far must stand as a first lay before a joker is taken for it.
        return unsettled(table, seat, rules)
    return None


@hookimpl
def permits(command: DeclineDiscard | ReturnDraw, table: Table, seat: int, rules: Rules) -> bool:
    """A taken discard goes back when nobody opens with it."""
    turn = table.deal.turn
    untouched = bool(turn.unused) and not (turn.laid or turn.laid_off or turn.exchanged)
    return isinstance(command, ReturnDraw) and untouched and must_open(table, seat, rules)


@hookimpl
def return_penalty(rules: Rules) -> int:
    return rules.house.of(Opening).failed_take_penalty


def must_open(table: Table, seat: int, rules: Rules) -> bool:
    """Whether a discard may be taken only to lay with it."""
    return not has_opened(table, seat) and rules.house.of(DiscardUse).discard_take_before_meld == "must_open"
