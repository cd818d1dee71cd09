"""Variants that each break one promise, and a few that are installed as an author's package would be.

Each is Crazy Rummy of two deals with one hook more.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from types import ModuleType
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import force_setattr, replace
from tests.support.plugins import plugin

from meldlog_contracts.cards import HIDDEN, Card, pack
from meldlog_contracts.commands import Discard, LayMeld, PlayCommand
from meldlog_contracts.hooks import DealPlan, DealScore, Note, Standing, Together, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.melds import Reading
from meldlog_contracts.problems import Fault, Objection
from meldlog_contracts.sheet import Clause
from meldlog_contracts.table import DealEnd, Table

Hooks = Mapping[str, Callable[..., Any]]
CLAUSE = "discard.planted"


def variant(name: str, hooks: Hooks, *, based_on: str = "crazy-rummy", **more: Any) -> ModuleType:
    """A variant of two deals with these hooks."""
    amends = {"deal_count": 2} if based_on == "crazy-rummy" else None
    return plugin(name, hooks=hooks, based_on=based_on, amends=amends, players=(2, 4), **more)


def with_clause(hooks: Hooks) -> Hooks:
    """The same hooks, and a sheet with the clause that they quote."""
    return {**hooks, "clauses": lambda: [Clause(CLAUSE, "It is so.", "C’est ainsi.", "چنین است.", "هكذا.")]}


# -- not pure ----------------------------------------------------------------------------------------------------------


def reads_the_clock() -> ModuleType:
    """The points of a card are looked up at a certain time."""

    def card_points(card: Card) -> int:
        return 5 if time.time() > 0 else 10

    return variant("planted", {"card_points": card_points})


def reads_the_date() -> ModuleType:
    """Whoever deals depends on the weekday."""
    from datetime import date  # noqa: PLC0415

    def next_dealer(table: Table) -> int:
        return date.today().toordinal() * 0

    return variant("planted", {"next_dealer": next_dealer})


def draws_chance() -> ModuleType:
    """Points are drawn."""

    def card_points(card: Card) -> int:
        return random.randint(1, 10)

    return variant("planted", {"card_points": card_points})


def asks_the_system() -> ModuleType:
    """The environment decides."""

    def card_points(card: Card) -> int:
        return len(os.environ.get("PLANTED", "")) + 5

    return variant("planted", {"card_points": card_points})


def writes_on_the_table() -> ModuleType:
    """It keeps something in a dictionary of the table."""

    def deal_over(table: Table) -> None:
        table.notes.setdefault("planted", {})["turns"] = table.deal.turns

    return variant("planted", {"deal_over": deal_over})


def remembers_between_decisions() -> ModuleType:
    """Every second deal that it scores counts double."""
    scored: list[int] = []

    def multiplier(table: Table) -> int:
        scored.append(table.version)
        return 1 + len(scored) % 2

    return variant("planted", {"multiplier": multiplier})


# -- cards -------------------------------------------------------------------------------------------------------------


def loses_a_card() -> ModuleType:
    """The lowest discard is gone, once there are three."""

    def objections(command: Discard, table: Table) -> None:
        if len(table.deal.discard_pile) == 3 and table.game_seed is not None:
            force_setattr(table.deal, "discard_pile", table.deal.discard_pile[1:])

    return variant("planted", {"objections": objections})


def duplicates_a_card() -> ModuleType:
    """Whenever it is asked for the pack after the first time there is an ace more."""
    asked: list[bool] = []

    def the_pack() -> tuple[Card, ...]:
        asked.append(True)
        return pack() if len(asked) < 3 else (*pack(), Card("AS"))

    return variant("planted", {"pack": the_pack})


def deals_what_is_no_card() -> ModuleType:
    """The pack holds a one of hearts."""
    return variant("planted", {"pack": lambda: (*pack(), Card("1H"))})


# -- scores ------------------------------------------------------------------------------------------------------------


def scores_what_was_not_dealt() -> ModuleType:
    """Totals grow while a deal is scored."""

    @hookimpl(wrapper=True)
    def score_deal(table: Table) -> Generator[None, DealScore, DealScore]:
        score = yield
        force_setattr(table, "totals", tuple(total + 1 for total in table.totals))
        return score

    return variant("planted", {"score_deal": score_deal})


def scores_too_few() -> ModuleType:
    """It gives points to the first seat only."""

    @hookimpl(wrapper=True)
    def score_deal() -> Generator[None, DealScore, DealScore]:
        score = yield
        return replace(score, points=score.points[:1])

    return variant("planted", {"score_deal": score_deal})


def scores_half_points() -> ModuleType:
    """Points are halved, and are no whole numbers any more."""

    @hookimpl(wrapper=True)
    def score_deal() -> Generator[None, DealScore, DealScore]:
        score = yield
        return replace(score, points=tuple(point / 2 for point in score.points))

    return variant("planted", {"score_deal": score_deal})


def pays_the_bank() -> ModuleType:
    """A settlement in which money goes from a seat to itself."""
    return variant("planted", {"settlement": lambda: ((0, 0, 500),)})


def ranks_at_random() -> ModuleType:
    """Whoever sits first has won."""

    def ranking(table: Table) -> Standing:
        seats = tuple(range(len(table.seats)))
        return Standing((seats[-1],), seats)

    return variant("planted", {"ranking": ranking})


# -- moves -------------------------------------------------------------------------------------------------------------


def never_ends() -> ModuleType:
    """One deal follows another."""
    return variant("planted", {"is_last_deal": lambda: False})


def leaves_no_move() -> ModuleType:
    """With seven cards nobody may discard."""

    def objections(command: Discard, table: Table, seat: int) -> Objection | None:
        return Objection(CLAUSE, "keep what you have") if len(table.deal.hands[seat]) >= 7 else None

    return variant("planted", with_clause({"objections": objections}))


def lists_what_it_refuses() -> ModuleType:
    """Where the stock can be seen, and only there, a discard is refused."""

    def objections(command: Discard, table: Table) -> Objection | None:
        stock = table.deal.stock
        return Objection(CLAUSE, "not now") if stock and stock[0] != HIDDEN and stock[0][0] == "7" else None

    return variant("planted", with_clause({"objections": objections}))


def hides_what_it_accepts() -> ModuleType:
    """It knows of no melds that open a hand together."""

    def laid_together(readings: tuple[Reading, ...]) -> Together:
        return Together(())

    return variant("planted", {"laid_together": laid_together}, based_on="rami-51")


def refuses_without_a_word() -> ModuleType:
    """An objection says nothing."""

    def objections(command: LayMeld, table: Table) -> Objection | None:
        return Objection(CLAUSE, "") if len(command.cards) > 3 else None

    return variant("planted", with_clause({"objections": objections}))


# -- secrets -----------------------------------------------------------------------------------------------------------


def tells_another_hand() -> ModuleType:
    """A refusal names a card of the next player."""

    def objections(command: LayMeld, table: Table, seat: int) -> Objection:
        other = table.deal.hands[(seat + 1) % len(table.seats)]
        return Objection(CLAUSE, f"your neighbour has {other[0]}")

    return variant("planted", with_clause({"objections": objections}))


def notes_a_hand() -> ModuleType:
    """A note, which everybody reads, holds a hand."""

    def noted(table: Table, seat: int) -> Note:
        return Note("planted", {"hand": " ".join(table.deal.hands[seat])})

    return variant("planted", {"noted": noted})


def judges_by_another_hand() -> ModuleType:
    """What may be laid depends on whether the next player holds an ace."""

    def objections(command: LayMeld, table: Table, seat: int) -> Objection | None:
        other = table.deal.hands[(seat + 1) % len(table.seats)]
        return None if any(card[0] == "A" for card in other) else Objection(CLAUSE, "not against that hand")

    return variant("planted", with_clause({"objections": objections}))


# -- the sheet ---------------------------------------------------------------------------------------------------------


def quotes_no_clause() -> ModuleType:
    """Its clause is on no sheet."""

    def objections(command: PlayCommand, table: Table, seat: int) -> Objection | None:
        refused = command == Discard(Card("KH")) and len(table.deal.hands[seat]) > 4
        return Objection("discard.nowhere", "not a king") if refused else None

    return variant("planted", {"objections": objections})


def lacks_a_language() -> ModuleType:
    """Its clause is not told in Persian."""

    def clauses() -> Sequence[Clause]:
        return [Clause(CLAUSE, "It is so.", "C’est ainsi.", "", "هكذا.")]

    return variant("planted", {"clauses": clauses})


def speaks_of_an_unknown_rule() -> ModuleType:
    """Its clause names a house rule that there is not."""

    def clauses() -> Sequence[Clause]:
        return [Clause(CLAUSE, "At most {nobody_knows}.", "a", "b", "c")]

    return variant("planted", {"clauses": clauses})


class Unexplained(Struct, frozen=True):
    """A house rule without a clause."""

    planted_rule: Annotated[int, Meta(ge=0, le=3)] = 0


class Misnamed(Struct, frozen=True):
    """A house rule with a clause that there is not."""

    planted_rule: Annotated[int, option("discard.nowhere", "a", "b", "c", "d", ge=0, le=3)] = 0


def has_an_option_without_clause() -> ModuleType:
    """Nobody can read what its house rule means."""
    return variant("planted", {}, declares=Unexplained)


def has_an_option_with_a_wrong_clause() -> ModuleType:
    """Its house rule names a clause that no sheet has."""
    return variant("planted", {}, declares=Misnamed)


# -- failing -----------------------------------------------------------------------------------------------------------


def raises() -> ModuleType:
    """It looks something up that is not there."""

    def card_points(card: Card) -> int:
        return {"A": 1}[card[0]]

    return variant("planted", {"card_points": card_points})


def raises_at_creation() -> ModuleType:
    """It cannot say which combinations make sense."""

    def senseless(seats: int) -> Sequence[Fault]:
        return [Fault("/seats", "none")] if {2: False}[seats + 40] else []

    return variant("planted", {"senseless": senseless})


def amends_what_is_not_there() -> ModuleType:
    """It gives another value to a house rule that nobody declares."""
    return plugin("planted", based_on="crazy-rummy", amends={"nobody_knows": 1}, players=(2, 4))


def deals_more_than_there_is() -> ModuleType:
    """Forty cards for everybody."""

    @hookimpl(wrapper=True)
    def deal_plan() -> Generator[None, DealPlan, DealPlan]:
        plan = yield
        return replace(plan, sizes=(40,) * len(plan.sizes))

    return variant("planted", {"deal_plan": deal_plan})


def is_very_slow() -> ModuleType:
    """It counts to half a million before a discard."""

    def objections(command: Discard, table: Table) -> None:
        sum(range(500_000))

    return variant("planted", {"objections": objections})


def notes_what_is_no_json() -> ModuleType:
    """A note of half a point."""
    return variant("planted", {"noted": lambda: Note("planted", {"half": 0.5})})  # type: ignore[dict-item]


def notes_an_object() -> ModuleType:
    """A note of something that cannot be written."""
    return variant("planted", {"noted": lambda: Note("planted", {"it": object()})})  # type: ignore[dict-item]


def ends_deals_for_no_reason() -> ModuleType:
    """The reason is none that a log can hold."""

    def deal_over(table: Table) -> DealEnd | None:
        return "tea_time" if table.deal.turns > 5 else None  # type: ignore[return-value]

    return variant("planted", {"deal_over": deal_over})
