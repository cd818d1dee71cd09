"""One game's plugin stack behind typed questions.

The stack is registered in a fresh plugin manager, so the games of one process keep apart; the last plugin registered
speaks first. Hooks asked on every command are resolved once into tuples of callables, and answers that depend on
nothing but their arguments (what is wild, what is a meld) are remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, cast

import msgspec
import pluggy
from msgspec import Struct

from meldlog_contracts import melds
from meldlog_contracts.cards import CARDS, RANKS, SUITS, Card
from meldlog_contracts.commands import DeclineDiscard, PlayCommand, ReturnDraw
from meldlog_contracts.events import SeatCard
from meldlog_contracts.hooks import (
    PROJECT,
    DealPlan,
    DealScore,
    Note,
    Obligation,
    Renewal,
    Spec,
    Standing,
    Together,
    VariantInfo,
)
from meldlog_contracts.house_rules import HouseRules, TableRules
from meldlog_contracts.problems import Fault, Objection
from meldlog_contracts.sheet import Clause, in_chapters
from meldlog_contracts.table import DealEnd, HouseValue, Meld, MeldKind, PluginRef, Table
from meldlog_service.core.asking import HOOKS, first_answer, objectors_by_command, resolved, silences

_REMEMBERED_SHAPES = 50_000
Objector = Callable[[PlayCommand, Table, int, "Ruleset"], Objection | None]
Settler = Callable[[Table, int, "Ruleset"], Objection | None]
Obliger = Callable[[Table, int, "Ruleset"], Obligation | None]
RunWindows = tuple[tuple[Card, ...], ...]


class Unanswered(Exception):
    """No plugin of the stack answered a question that every game needs answered."""


class Ruleset:
    """The rules of one game: its plugins in order, and its merged house rules."""

    def __init__(
        self,
        plugins: Sequence[tuple[PluginRef, object]],
        house: Mapping[str, HouseValue],
        info: VariantInfo,
        options: tuple[str, ...] = (),
    ) -> None:
        """Register the stack, oldest first.

        Raises:
            pluggy.PluginValidationError: when a plugin implements a hook that does not exist, or with other arguments.
            msgspec.ValidationError: when a house rule does not fit its declaration.
        """
        manager = pluggy.PluginManager(PROJECT)
        manager.add_hookspecs(Spec)
        for ref, plugin in plugins:
            manager.register(plugin, name=ref.name)
        manager.check_pending()
        self.info = info
        self.options = options
        self.refs: tuple[PluginRef, ...] = tuple(ref for ref, _ in plugins)
        declarations = tuple(cast("list[type[Struct]]", manager.hook.house_rules()))[::-1]
        self.house = HouseRules(declarations, house)
        self.declarations = declarations
        self.table_rules: TableRules = self.house.of(TableRules)
        self.clockwise: bool = self.table_rules.direction == "cw"
        silent = silences(manager, self)
        self._voices = {name: resolved(manager, name, silent) for name in HOOKS}
        self._objectors = cast("dict[type, tuple[Objector, ...]]", objectors_by_command(manager, silent))
        self.settlers = cast("tuple[Settler, ...]", self._voices["unsettled"])
        self._obligers = cast("tuple[Obliger, ...]", self._voices["obligations"])
        self._exchangers = self._voices["exchange"]
        self._deal_enders = self._voices["deal_over"]
        self._wild_cards: dict[tuple[str, ...], frozenset[Card]] = {}
        self._kinds: dict[tuple[Card, ...], MeldKind | None] = {}
        self._windows: tuple[RunWindows, ...] | None = None

    # -- melds ---------------------------------------------------------------------------------------------------------

    def wild_cards(self, wild: tuple[str, ...]) -> frozenset[Card]:
        """Texts of all cards that may stand for others while these ranks are wild."""
        found = self._wild_cards.get(wild)
        if found is None:
            found = frozenset(
                card for card in CARDS if any(voice(card, wild, self) for voice in self._voices["is_wild"])
            )
            self._wild_cards[wild] = found
        return found

    def kind_of(self, reads_as: tuple[Card, ...]) -> MeldKind | None:
        """Which kind of meld a shape is."""
        try:
            return self._kinds[reads_as]
        except KeyError:
            kind = cast("MeldKind | None", self._first("meld_kind", reads_as))
            if len(self._kinds) < _REMEMBERED_SHAPES:  # shapes come from outside: the memory has a bound
                self._kinds[reads_as] = kind
            return kind

    def no_meld(self, cards: tuple[Card, ...], wild: tuple[str, ...]) -> str | None:
        """Why cards that have no meaning have none, where a plugin knows."""
        return cast("str | None", self._first("no_meld", cards, wild))

    def run_windows(self) -> tuple[RunWindows, ...]:
        """For every suit and first rank, the stretches that are runs, shortest first; only starts that have any."""
        if self._windows is None:
            starts = (
                tuple(
                    stretch
                    for length in range(melds.MIN_MELD, melds.MAX_RUN + 1)
                    if start in melds.first_ranks(length)
                    and self.kind_of(stretch := melds.window(suit, start, length)) == "run"
                )
                for suit in SUITS
                for start in range(len(RANKS))
            )
            self._windows = tuple(stretches for stretches in starts if stretches)
        return self._windows

    def limits_broken(self, wilds: int, length: int) -> Objection | None:
        """Whether a meld of this many cards holds too many wilds, or too few naturals."""
        most = self.table_rules.max_wilds_per_meld
        if most is not None and wilds > most:
            return Objection(
                "meld.wild-limit", f"a meld holds at most {most} wild card{'s' if most > 1 else ''}"
            )
        least = self.table_rules.min_naturals_per_meld
        if length - wilds < least:
            return Objection("meld.natural-limit", f"a meld holds at least {least} natural cards")
        return None

    def meanings(
        self, cards: tuple[Card, ...], wild: tuple[str, ...], *, ordered: bool = False
    ) -> tuple[melds.Reading, ...]:
        """Everything these cards could be laid as."""
        return tuple(
            reading
            for reading in melds.meanings(cards, self.wild_cards(wild), self.kind_of, ordered=ordered)
            if self.limits_broken(reading.wilds, len(cards)) is None
        )

    def additions(
        self, meld: Meld, cards: tuple[Card, ...], wild: tuple[str, ...]
    ) -> tuple[melds.Addition, ...]:
        """Every way in which these cards could be laid off on a meld."""
        found = melds.additions(meld, cards, self.wild_cards(wild), self.kind_of)
        if not found or (
            self.table_rules.max_wilds_per_meld is None and not self.table_rules.min_naturals_per_meld
        ):
            return found
        return tuple(addition for addition in found if self.limit_broken_by(addition, meld) is None)

    def limit_broken_by(self, addition: melds.Addition, meld: Meld) -> Objection | None:
        """Whether a meld, grown in this way, would hold too many wilds, or too few naturals."""
        wilds = melds.wilds_in(meld.cards, meld.reads_as) + melds.wilds_in(addition.cards, addition.reads_as)
        return self.limits_broken(wilds, len(meld.cards) + len(addition.cards))

    def exchanges(self, meld: Meld, card: Card, wild: tuple[str, ...]) -> tuple[int, ...]:
        """Places of a meld whose wild this natural could take; a card of the wild rank can take none."""
        if card in self.wild_cards(wild):
            return ()
        return tuple(
            place
            for place, (lying, meaning) in enumerate(zip(meld.cards, meld.reads_as, strict=True))
            if lying != meaning and meaning[0] == card[0] and self._may_exchange(meld, place, card)
        )

    def _may_exchange(self, meld: Meld, place: int, card: Card) -> bool:
        return bool(first_answer(self._exchangers, meld, place, card, self))

    # -- a turn --------------------------------------------------------------------------------------------------------

    def objection(self, command: PlayCommand, table: Table, seat: int) -> Objection | None:
        """The first objection to a command, if there is one."""
        for objector in self._objectors[type(command)]:
            objection = objector(command, table, seat, self)
            if objection is not None:
                return objection
        return None

    def asks_about(self, command: type[PlayCommand]) -> bool:
        """Whether some plugin has a say about this kind of command."""
        return bool(self._objectors[command])

    def laid_together(self, readings: tuple[melds.Reading, ...], table: Table, seat: int) -> Together | None:
        """The smallest sets of melds that may stand, of one or of several; None where each is judged by itself."""
        return cast("Together | None", self._first("laid_together", readings, table, seat))

    def obligations(self, table: Table, seat: int) -> tuple[Obligation, ...]:
        """What the seat must still do before its turn may end."""
        found = [obliger(table, seat, self) for obliger in self._obligers]
        return tuple([one for one in found if one is not None])

    def permits(self, command: DeclineDiscard | ReturnDraw, table: Table, seat: int) -> bool:
        """Whether some rule of the game knows this command now."""
        return any(voice(command, table, seat, self) for voice in self._voices["permits"])

    def unsettled(self, table: Table, seat: int) -> Objection | None:
        """The first objection to a turn's table actions taken together."""
        for settler in self.settlers:
            objection = settler(table, seat, self)
            if objection is not None:
                return objection
        return None

    def noted(self, table: Table, seat: int) -> tuple[Note, ...]:
        """What plugins want remembered after a turn's table actions."""
        answers = [voice(table, seat, self) for voice in reversed(self._voices["noted"])]
        return tuple(cast(Note, answer) for answer in answers if answer is not None)

    def return_penalty(self, table: Table, seat: int) -> int:
        """What putting a taken discard back costs."""
        return cast("int | None", self._first("return_penalty", table, seat)) or 0

    def deal_over(self, table: Table, seat: int) -> DealEnd | None:
        """Whether the deal ends after this seat's turn, and why."""
        return cast("DealEnd | None", first_answer(self._deal_enders, table, seat, self))

    def stock_empty(self, table: Table) -> Renewal | DealEnd:
        """What happens when a draw finds no stock."""
        return cast("Renewal | DealEnd", self._answer("stock_empty", table))

    # -- a deal --------------------------------------------------------------------------------------------------------

    def pack(self) -> tuple[Card, ...]:
        """The cards of the game in standard order."""
        return cast("tuple[Card, ...]", self._answer("pack"))

    def first_dealer(
        self, seats: int, shuffled: Callable[[int], tuple[Card, ...]]
    ) -> tuple[int, tuple[tuple[SeatCard, ...], ...]]:
        """Who deals first, and the cards drawn for it."""
        answer = self._answer("first_dealer", seats, shuffled)
        return cast("tuple[int, tuple[tuple[SeatCard, ...], ...]]", answer)

    def deal_count(self) -> int | None:
        """How many deals the game has; None where it ends in another way."""
        return cast("int | None", self._first("deal_count"))

    def next_dealer(self, table: Table) -> int:
        """Who deals next."""
        return cast(int, self._answer("next_dealer", table))

    def deal_plan(self, table: Table, dealer: int) -> DealPlan:
        """How to deal."""
        return cast(DealPlan, self._answer("deal_plan", table, dealer))

    def wild_ranks(
        self, number: int, table: Table, chosen: str | None = None
    ) -> tuple[str, ...] | Literal["ask_dealer"]:
        """What is wild in a deal, or that the dealer must say; nothing where no plugin answers."""
        answer = self._first("wild_ranks", number, table, chosen)
        return cast('tuple[str, ...] | Literal["ask_dealer"]', () if answer is None else answer)

    def after_out(self, table: Table, seat: int) -> bool:
        """Whether the others may lay off once more after this seat went out."""
        return bool(self._first("after_out", table, seat))

    def added_penalties(self, table: Table) -> tuple[tuple[int, int], ...]:
        """Points added after a deal outside the counting of hands."""
        answer = self._first("added_penalties", table)
        return cast("tuple[tuple[int, int], ...]", answer or ())

    def penalty_offer(self, table: Table) -> tuple[int, int] | None:
        """The seat that may add points to its own total, and how many."""
        return cast("tuple[int, int] | None", self._first("penalty_offer", table))

    def points(self, card: Card, table: Table) -> int:
        """What a card left in a hand costs."""
        return cast(int, self._answer("card_points", card, table))

    def multiplier(self, table: Table) -> int:
        """What the card points of this deal are multiplied by; 1 where no plugin answers."""
        return cast("int | None", self._first("multiplier", table)) or 1

    def score_deal(self, table: Table, reason: DealEnd, out: int | None) -> DealScore:
        """Points of the deal."""
        return cast(DealScore, self._answer("score_deal", table, reason, out))

    def is_last_deal(self, table: Table) -> bool:
        """Whether the game ends with the deal just scored."""
        answer = cast("bool | None", self._first("is_last_deal", table))
        if answer is not None:
            return answer
        if table.deals is None:
            raise Unanswered(f"no plugin of {self.info.name} says when the game ends")
        return len(table.scores) >= table.deals

    def ranking(self, table: Table) -> Standing:
        """Who won, and everybody's place."""
        return cast(Standing, self._answer("ranking", table))

    def settlement(self, table: Table, standing: Standing) -> tuple[tuple[int, int, int], ...] | None:
        """Who owes whom how much; None where there are no stakes."""
        answer = self._first("settlement", table, standing)
        return cast("tuple[tuple[int, int, int], ...] | None", answer)

    # -- the sheet -----------------------------------------------------------------------------------------------------

    def senseless(self, seats: int) -> tuple[Fault, ...]:
        """House rules that make no game together, with pointers."""
        answers = [cast("Sequence[Fault]", voice(seats, self) or ()) for voice in self._voices["senseless"]]
        return tuple(fault for faults in reversed(answers) for fault in faults)

    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of the game's rule sheet that its house rules bring into force, chapter by chapter."""
        answers = [cast("Sequence[Clause]", voice()) for voice in self._voices["clauses"]]
        merged: dict[str, Clause] = {}
        for sheet in reversed(answers):
            for clause in sheet:
                if clause.holds(self.house.flat):
                    merged[clause.id] = clause
        return in_chapters(merged.values())

    def _first(self, hook: str, *given: object) -> object:
        return first_answer(self._voices[hook], *given, self)

    def _answer(self, hook: str, *given: object) -> object:
        answer = self._first(hook, *given)
        if answer is None:
            raise Unanswered(f"no plugin of {self.info.name} answers {hook}")
        return answer


def merged_house_rules(
    declarations: Sequence[type[Struct]],
    amendments: Sequence[Mapping[str, HouseValue]],
    wanted: Mapping[str, HouseValue],
) -> dict[str, HouseValue]:
    """Defaults of the declarations, amended by the stack in order, then by what the game asked for.

    Raises:
        KeyError: for an amendment of an option that nobody declares.
    """
    merged: dict[str, HouseValue] = {}
    for declaration in declarations:
        merged.update(cast("dict[str, HouseValue]", msgspec.to_builtins(declaration())))
    for amendment in (*amendments, wanted):
        for key, value in amendment.items():
            if key not in merged:
                raise KeyError(key)
            merged[key] = value
    return merged
