"""Opening: what a player's first lay must be worth and hold, and closing by laying everything at once.

Several melds laid one after the other in one list of commands are one opening; it is judged when the last of them lies.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Collection, Sequence

from msgspec import Struct

from meldlog_contracts.cards import Card, less
from meldlog_contracts.commands import DeclineDiscard, Discard, Draw, LayOff, Reclaim, ReturnDraw
from meldlog_contracts.hooks import Note, Rules, Together, VariantInfo, hookimpl
from meldlog_contracts.melds import Reading
from meldlog_contracts.problems import Fault, Objection, Shortfall
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table
from meldlog_variants.rules import opening_limits, opening_search
from meldlog_variants.rules.discard_use import DiscardUse
from meldlog_variants.rules.first_lay import FirstLay, summed
from meldlog_variants.rules.opening_options import Opening
from meldlog_variants.rules.opening_worth import Required

LAST_CARD = 1
PAIR = 2


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
def senseless(seats: int, rules: Rules) -> Sequence[Fault]:
    faults = opening_limits.too_much(seats, rules.house.of(Opening), rules)
    taking = rules.house.of(DiscardUse)
    if taking.discard_take_before_meld == "must_meld":
        detail = "where a first lay is an opening, a discard is taken to open with (must_open) or freely"
        faults.append(Fault("/house_rules/discard_take_before_meld", detail))
    if taking.discard_take_before_meld == "must_open" and taking.taken_discard_use != "new_meld_only":
        detail = "a discard taken to open with lies in a new meld"
        faults.append(Fault("/house_rules/taken_discard_use", detail))
    return faults


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


# -- whose lay it is ---------------------------------------------------------------------------------------------------


def partner_opened(table: Table, seat: int) -> bool:
    """Whether somebody else of the seat's side has laid."""
    team = table.seats[seat].team
    if team is None:
        return False
    return any(
        turn is not None and other != seat and table.seats[other].team == team
        for other, turn in enumerate(table.deal.laid_at)
    )


# -- the turn ----------------------------------------------------------------------------------------------------------


@hookimpl
def unsettled(table: Table, seat: int, rules: Rules) -> Objection | None:
    if table.had_laid(seat) or not table.deal.turn.laid:
        return None  # only laid off, which a partner's opening allows
    lay, hand = _laid_now(table, seat, rules), table.hand(seat)
    return Judge(table, seat, rules).objection(lay, len(hand), table.deal.turn.unused)


def _laid_now(table: Table, seat: int, rules: Rules) -> FirstLay:
    """What the seat has laid in this turn."""
    melds = [table.deal.melds[number - 1] for number in table.deal.turn.laid]
    held = [*table.hand(seat), *(card for meld in melds for card in meld.cards)]
    return summed(melds, _single(held, table), rules, count_jokers=_counts_jokers(rules))


def _single(held: Sequence[Card], table: Table) -> list[Card]:
    """Cards taken in this turn that are there once: of two copies, the one in a run may be the other."""
    return [card for card in table.deal.turn.taken if held.count(card) < PAIR]


def _counts_jokers(rules: Rules) -> bool:
    return rules.house.of(Opening).opening_joker_rule == "represented"


class Judge:
    """What a seat's first lay must be at this table."""

    def __init__(self, table: Table, seat: int, rules: Rules) -> None:
        """Look up what does not depend on the melds laid."""
        self.house = rules.house.of(Opening)
        self.must_open = must_open(table, seat, rules)
        self.with_partner = partner_opened(table, seat)
        self.exempt = self.with_partner and self.house.partner_opening_exempt
        self.needed = opening_threshold(table, self.house)
        self.apart = bool(table.deal.turn.taken) and self.house.taken_card_outside_required_run
        self.laid_off = bool(table.deal.turn.laid_off)

    def objection(self, lay: FirstLay, left: int, unused: Sequence[Card]) -> Objection | None:
        """Why these melds may not be a first lay that leaves so many cards in hand."""
        if unused and self.must_open:
            return Objection("open.take", f"{' '.join(unused)} was taken to be laid in a new meld")
        opening = self._opening(lay)
        if opening is None and self.house.lay_mode == "progressive":
            return None
        if left > LAST_CARD:
            if self.house.lay_mode == "all_at_once":
                return Objection("open.mode", "nothing is laid before all cards but one are laid at once")
            return opening
        if opening is not None and not self.house.close_exempt_from_threshold:
            return opening
        return self._closing(lay)

    def _opening(self, lay: FirstLay) -> Objection | None:
        house = self.house
        if self.exempt:
            if house.partner_first_lay_requires == "none" or lay.holds("clean_run"):
                return None
            return Objection("open.partner-run", "your first lay needs a run without a joker")
        if house.opening_joker_rule == "forbidden" and lay.holds_joker:
            return Objection("open.joker", "an opening holds no joker")
        lacking = self._lacking(lay, house.opening_required_melds, "open.required")
        if lacking is None and lay.points < self.needed:
            clause = "open.threshold" if lay.points < house.opening_threshold else "open.beat"
            detail = f"an opening needs more: {lay.points} of {self.needed} points"
            return Objection(clause, detail, Shortfall(lay.points, self.needed))
        return lacking

    def _closing(self, lay: FirstLay) -> Objection | None:
        """Laying all cards but one at once: no threshold, but the melds that the game requires."""
        if self.laid_off and not self.house.close_with_layoff and not self.with_partner:
            return Objection("close.layoff", "closing at once, all cards lie in new melds of your own")
        return self._lacking(lay, self.house.close_required_melds, "close.required")

    def _lacking(self, lay: FirstLay, required: Required, clause: str) -> Objection | None:
        if not lay.holds(required):
            return Objection(clause, _needed(required))
        if self.apart and required != "none" and not lay.has_run_apart(required):
            return Objection("open.taken", "a run without a joker must be made without the card just taken")
        return None


@hookimpl
def laid_together(readings: tuple[Reading, ...], table: Table, seat: int, rules: Rules) -> Together | None:
    """Smallest openings, and closings of the whole hand."""
    turn = table.deal.turn
    judge = Judge(table, seat, rules)
    if table.had_laid(seat) or (turn.laid and judge.house.opening_joker_rule != "forbidden"):
        return None  # what is opened may be added to, meld by meld
    # Where an opening holds no joker, melds with jokers may follow it only to close with all of them.
    before = _laid_now(table, seat, rules) if turn.laid else FirstLay(0, 0)
    single = _single(table.hand(seat), table)
    lays = [summed((reading,), single, rules, count_jokers=_counts_jokers(rules)) for reading in readings]

    def stands(places: tuple[int, ...], left: int) -> bool:
        points, kinds = before
        for place in places:
            lay = lays[place]
            points += lay.points
            kinds |= lay.kinds
        unused = turn.unused
        if unused:
            unused = less(unused, tuple(card for place in places for card in readings[place].cards))
        return judge.objection(FirstLay(points, kinds), left, unused) is None

    needed = None if turn.laid else _points_needed(lays, judge)
    found = opening_search.smallest_sets(readings, lays, table.hand(seat), turn.unused, stands, needed)
    # A closing that needs lay-offs is no set of melds, and not looked for.
    complete = found.complete and not judge.house.close_with_layoff
    if not turn.laid:
        return Together(found.sets, complete)
    left = len(table.hand(seat))
    alone = {place for place, one in enumerate(readings) if stands((place,), left - len(one.cards))}
    together = [places for places in found.sets if alone.isdisjoint(places)]
    return Together((*[(place,) for place in sorted(alone)], *together), complete)


def _points_needed(lays: Sequence[FirstLay], judge: Judge) -> int | None:
    """What some of these melds must be worth together to open; None where no choice of them can."""
    if judge.house.lay_mode == "all_at_once":
        return None
    if judge.exempt:
        return 0
    everything = FirstLay(0, functools.reduce(operator.or_, (lay.kinds for lay in lays), 0))
    return judge.needed if everything.holds(judge.house.opening_required_melds) else None


def opening_threshold(table: Table, house: Opening) -> int:
    """Points that an opening needs now."""
    rising = last_opening(table) + 1 if house.opening_must_beat_previous else 0
    return max(house.opening_threshold, rising)


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
    if table.had_laid(seat):
        return None
    points = _laid_now(table, seat, rules).points
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
    return not table.had_laid(seat) and rules.house.of(DiscardUse).discard_take_before_meld == "must_open"
