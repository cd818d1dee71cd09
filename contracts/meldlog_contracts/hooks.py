"""The questions that the core asks a game's plugins. HOOKS.md shows each with an example.

Every question belongs to one of three kinds. *To allow more, answer; to allow less, object; to change an amount, wrap;
to change a number, amend.* Hooks are synchronous and pure: the same arguments always get the same answer, nothing is
read from outside and nothing is kept. An implementation names only the arguments that it wants.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal, Protocol

import pluggy
from msgspec import Struct

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import DeclineDiscard, PlayCommand, ReturnDraw
from meldlog_contracts.events import SeatCard
from meldlog_contracts.house_rules import HouseRules
from meldlog_contracts.melds import Addition, Reading
from meldlog_contracts.problems import Fault, Objection
from meldlog_contracts.sheet import Clause
from meldlog_contracts.table import DealEnd, HouseValue, Meld, MeldKind, Phase, Table

PROJECT = "meldlog"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


class VariantInfo(Struct, frozen=True):
    """What a plugin is. ``rules_version`` changes whenever any of its decisions changes."""

    name: str
    """Permanent id, lower case with hyphens."""
    title: str
    rules_version: int
    kind: Literal["variant", "option", "rule"] = "variant"
    """A game anybody can create; an option to add to one; or a small rule that variants bring along."""
    based_on: str | None = None
    """The variant whose answers stand where this one gives none."""
    rules: tuple[str, ...] = ()
    """Rule plugins that a variant brings along; they answer before it is asked last, so it has the last word."""
    titles: Mapping[str, str] = {}
    """Native titles by language."""
    also_known_as: tuple[str, ...] = ()
    players: tuple[int, int] = (2, 6)
    """Least and most seats of a variant."""


class DealPlan(Struct, frozen=True):
    """How one deal is dealt: cards for each seat (the extra one not counted), who gets that, and who starts."""

    sizes: tuple[int, ...]
    extra_to: int | None
    upcard: bool
    starter: int
    phase: Phase = "draw"
    """What is awaited from the starter: a draw, or play at once."""


class DealScore(Struct, frozen=True):
    """Points of a deal per score (seat, or side where sides score), multiplied already, and what multiplied them."""

    points: tuple[int, ...]
    multiplier: int = 1


class Standing(Struct, frozen=True):
    """Who won, and everybody's place, best first."""

    winners: tuple[int, ...]
    ranking: tuple[int, ...]


class Obligation(Struct, frozen=True):
    """What a seat must still do before its turn may end; the core refuses whatever would make that impossible."""

    rule: str
    """The clause that obliges."""
    put_down: tuple[Card, ...] = ()
    """Cards of the hand that must be melded or laid off in this turn."""
    new_meld_only: bool = False
    """Whether laying them off is not enough."""
    not_discarded: tuple[Card, ...] = ()
    """Cards of the hand that may not be discarded in this turn (copies are not told apart: a further one may)."""
    not_last: tuple[Card, ...] = ()
    """Cards of the hand that may not be the last one, discarded to go out."""
    go_out: bool = False
    """Whether the turn must empty the hand."""


class Together(Struct, frozen=True):
    """Melds that may be laid, alone or together, as places in the list of readings given, and whether that is all."""

    sets: tuple[tuple[int, ...], ...]
    complete: bool = True


class Note(Struct, frozen=True):
    """What a plugin must remember of a game: it is found again in ``table.notes[plugin]``."""

    plugin: str
    data: dict[str, HouseValue]


class Renewal(Struct, frozen=True):
    """The discard pile made the stock: how many top cards stay lying, and whether the rest is shuffled."""

    keep: int
    shuffled: bool


ASK_DEALER: Literal["ask_dealer"] = "ask_dealer"
"""Answer of ``wild_ranks`` where the dealer names the wild."""


class Rules(Protocol):
    """What an implementation may ask back: the whole stack's answers for this game."""

    @property
    def house(self) -> HouseRules:
        """The game's house rules."""

    def pack(self) -> tuple[Card, ...]:
        """The cards of the game in standard order."""

    def wild_cards(self, wild: tuple[str, ...]) -> frozenset[Card]:
        """Texts of all cards that may stand for others while these ranks are wild."""

    def kind_of(self, reads_as: tuple[Card, ...]) -> MeldKind | None:
        """Which kind of meld a shape is."""

    def meanings(self, cards: tuple[Card, ...], wild: tuple[str, ...]) -> tuple[Reading, ...]:
        """Everything these cards could be laid as."""

    def additions(self, meld: Meld, cards: tuple[Card, ...], wild: tuple[str, ...]) -> tuple[Addition, ...]:
        """Every way in which these cards could be laid off on a meld."""

    def exchanges(self, meld: Meld, card: Card, wild: tuple[str, ...]) -> tuple[int, ...]:
        """Places of a meld whose wild this natural could take."""

    def points(self, card: Card, table: Table) -> int:
        """What a card left in a hand costs."""

    def multiplier(self, table: Table) -> int:
        """What the card points of this deal are multiplied by."""

    def ranking(self, table: Table) -> Standing:
        """Who has won if the game ends here, and everybody's place."""


class Spec:
    """Every hook, with its kind and who asks when."""

    @hookspec
    def variant_info(self) -> VariantInfo:  # type: ignore[empty-body]
        """Say what this plugin is. Collected by the catalogue at start."""

    @hookspec
    def house_rules(self) -> type[Struct]:  # type: ignore[empty-body]
        """Declare options: a frozen struct whose fields have defaults. Collected when a game is created."""

    @hookspec
    def amendments(self) -> Mapping[str, HouseValue]:  # type: ignore[empty-body]
        """Give other values to options that anybody declared. Collected at creation, the later plugin wins."""

    @hookspec
    def clauses(self) -> Sequence[Clause]:  # type: ignore[empty-body]
        """State rules in words. Collected for the sheet; a later clause replaces an earlier one of the same id."""

    @hookspec
    def senseless(self, seats: int, rules: Rules) -> Sequence[Fault]:  # type: ignore[empty-body]
        """Name combinations of house rules that make no game. Collected at creation; any refuses it."""

    @hookspec
    def silent(self, rules: Rules) -> Collection[str]:  # type: ignore[empty-body]
        """Name the plugin's own hooks that are not to be asked in a game with these house rules.

        Collected when a game's plugins are put together, each asked about itself alone. ``rules`` knows its house rules
        by then, and nothing else may be asked of it.
        """

    @hookspec
    def is_wild(self, card: Card, wild: tuple[str, ...], rules: Rules) -> bool | None:
        """Say whether a card may stand for others. Collected once per set of wild ranks; any yes makes it wild."""

    @hookspec
    def objections(self, command: PlayCommand, table: Table, seat: int, rules: Rules) -> Objection | None:
        """Refuse a command that the core would allow. Any objection refuses it.

        Asked for every command of the seat whose turn it is; an implementation that annotates ``command`` with one
        command (or a union) is asked about those alone. For `LayMeld` and `LayOff` the command arrives as it was
        understood: table order, ``reads_as`` filled in.
        """

    @hookspec
    def permits(
        self, command: DeclineDiscard | ReturnDraw, table: Table, seat: int, rules: Rules
    ) -> bool | None:
        """Allow a command that no game knows by itself: declining the upcard, or putting a taken discard back.

        Asked when one of these two arrives in its phase; any yes permits it, and objections are still heard.
        """

    @hookspec
    def obligations(self, table: Table, seat: int, rules: Rules) -> Obligation | None:
        """Oblige a seat for the rest of its turn.

        Collected after a discard was taken, around every table action and before a discard. A discard that leaves an
        obligation open is refused, and so is what would leave no way to meet all of them. Obligations arise when a turn
        begins, when a discard is taken or a wild taken back; laying cards meets them.
        """

    @hookspec
    def unsettled(self, table: Table, seat: int, rules: Rules) -> Objection | None:
        """Refuse a turn's table actions taken together.

        Asked after the last of the consecutive table actions of a command (or list), so that several melds can be laid
        as one opening.
        """

    @hookspec(firstresult=True)
    def laid_together(
        self, readings: tuple[Reading, ...], table: Table, seat: int, rules: Rules
    ) -> Together | None:
        """Name the smallest sets of melds, of one or of several, that ``unsettled`` lets stand.

        Asked when the legal commands are listed, with every meld that the hand could lay but for ``unsettled``. The
        core checks every answer; what is left out is missing in the list. First answer wins; without one each meld is
        judged by itself.
        """

    @hookspec
    def noted(self, table: Table, seat: int, rules: Rules) -> Note | None:
        """Remember what no event says. Collected after a turn's table actions; recorded as ``rules_noted``."""

    @hookspec(firstresult=True)
    def return_penalty(self, table: Table, seat: int, rules: Rules) -> int | None:
        """Say what putting a taken discard back costs. First answer wins; None or 0 for nothing."""

    @hookspec(firstresult=True)
    def pack(self, rules: Rules) -> tuple[Card, ...] | None:
        """Give the cards of the game in standard order. Asked at every deal; first answer wins."""

    @hookspec(firstresult=True)
    def first_dealer(
        self, seats: int, shuffled: Callable[[int], tuple[Card, ...]], rules: Rules
    ) -> tuple[int, tuple[tuple[SeatCard, ...], ...]] | None:
        """Say who deals first, and the cards drawn for it.

        ``shuffled(k)`` is a plain pack shuffled for round k, from 1. Asked at the start; first answer wins.
        """

    @hookspec(firstresult=True)
    def deal_count(self, rules: Rules) -> int | None:
        """Say how many deals the game has, where that is fixed. Asked at creation and recorded; first answer wins."""

    @hookspec(firstresult=True)
    def next_dealer(self, table: Table, rules: Rules) -> int | None:
        """Say who deals next. Asked after every deal but the last; first answer wins."""

    @hookspec(firstresult=True)
    def deal_plan(self, table: Table, dealer: int, rules: Rules) -> DealPlan | None:
        """Say how to deal. Asked at the start of every deal; first answer wins."""

    @hookspec(firstresult=True)
    def wild_ranks(
        self, number: int, table: Table, chosen: str | None, rules: Rules
    ) -> tuple[str, ...] | Literal["ask_dealer"] | None:
        """Say what is wild in a deal, or `ASK_DEALER`.

        Asked at the start of every deal, and again with the rank ``chosen`` when the dealer has named it; first answer
        wins.
        """

    @hookspec(firstresult=True)
    def meld_kind(self, reads_as: tuple[Card, ...], rules: Rules) -> MeldKind | None:
        """Say which kind of meld a shape is, wilds already replaced by what they stand for.

        Asked for every shape that could be laid (answers are remembered); first answer wins, None leaves it to others.
        """

    @hookspec(firstresult=True)
    def no_meld(self, cards: tuple[Card, ...], wild: tuple[str, ...], rules: Rules) -> str | None:
        """Say why cards that are neither a set nor a run are none, in words that go on after a colon.

        Asked when cards are refused of which ``meld_kind`` knows no shape; first answer wins, without one the refusal
        says no more.
        """

    @hookspec(firstresult=True)
    def exchange(self, meld: Meld, place: int, card: Card, rules: Rules) -> bool | None:
        """Say whether a natural may take the place of the wild at ``meld.cards[place]``. First answer wins."""

    @hookspec(firstresult=True)
    def stock_empty(self, table: Table, rules: Rules) -> Renewal | DealEnd | None:
        """Say what happens when a draw finds no stock: the pile is renewed, or the deal ends. First answer wins."""

    @hookspec(firstresult=True)
    def deal_over(self, table: Table, seat: int, rules: Rules) -> DealEnd | None:
        """Say whether the deal ends after this seat's turn (going out is seen by the core). First answer wins."""

    @hookspec(firstresult=True)
    def after_out(self, table: Table, seat: int, rules: Rules) -> bool | None:
        """Say whether the others may lay off once more before a deal is scored that this seat ended by going out.

        First answer wins.
        """

    @hookspec(firstresult=True)
    def added_penalties(self, table: Table, rules: Rules) -> tuple[tuple[int, int], ...] | None:
        """Add points outside the counting of hands: ``(seat, points)``. Asked after every deal but the last."""

    @hookspec(firstresult=True)
    def penalty_offer(self, table: Table, rules: Rules) -> tuple[int, int] | None:
        """Offer a seat points that it may add to its own total. Asked after every deal but the last."""

    @hookspec(firstresult=True)
    def card_points(self, card: Card, table: Table, rules: Rules) -> int | None:
        """Say what a card costs in hand. Asked for each card at the end of a deal; first answer wins."""

    @hookspec(firstresult=True)
    def multiplier(self, table: Table, rules: Rules) -> int | None:
        """Say what the card points of a deal are multiplied by. First answer wins; made to be wrapped."""

    @hookspec(firstresult=True)
    def score_deal(self, table: Table, reason: DealEnd, out: int | None, rules: Rules) -> DealScore | None:
        """Score a deal. First answer wins; made to be wrapped by options that multiply or add."""

    @hookspec(firstresult=True)
    def is_last_deal(self, table: Table, rules: Rules) -> bool | None:
        """Say whether the game ends with the deal just scored. First answer wins; None leaves it to ``deal_count``."""

    @hookspec(firstresult=True)
    def ranking(self, table: Table, rules: Rules) -> Standing | None:
        """Say who won, and everybody's place. Asked at the end of the game; first answer wins."""

    @hookspec(firstresult=True)
    def settlement(
        self, table: Table, standing: Standing, rules: Rules
    ) -> tuple[tuple[int, int, int], ...] | None:
        """Say who owes whom how much: ``(from, to, cents)``. Asked at the end; first answer wins."""
