"""A game that a test plays: given a table as text, when a command, then these events, or refused by a clause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import (
    Batch,
    Command,
    CreateGame,
    PlayCommand,
    StartGame,
    TakeSeat,
)
from meldlog_contracts.events import Commit, Event
from meldlog_contracts.problems import Refused, Shortfall
from meldlog_contracts.table import HouseValue, Table
from meldlog_service.catalogue import Catalogue
from meldlog_service.core import chain
from meldlog_service.core import moves as legal
from meldlog_service.core.context import Context, rfc3339
from meldlog_service.core.decide import Decision, decide
from meldlog_service.core.draft import Draft
from meldlog_service.core.evolve import apply
from meldlog_service.core.listed import is_listed
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.core.views import conceal
from meldlog_service.testing import checks
from meldlog_service.testing.notation import PLAYERS, seat_of, written
from meldlog_service.testing.prelude import Prelude, Wanted

SEED = "ab" * 32
STARTED_MS = 1_764_450_000_000
SECOND = 1000


class Refusal(NamedTuple):
    """How a command was refused: the clause of the rule sheet, the sentence, the code, and what was counted."""

    rule: str | None
    detail: str
    code: str
    shortfall: Shortfall | None = None


class Game:
    """One game of a variant, played by ann, bea, cyd …, every step of it checked.

    After each command: the same command decided twice yields the same bytes; no card is lost; every viewer folds the
    same table from what that viewer was sent; each listed move is accepted, and what is accepted or refused agrees
    with the list.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        variant: str,
        options: tuple[str, ...],
        house_rules: Mapping[str, HouseValue],
        seats: int,
    ) -> None:
        """Create the game and seat the players.

        Raises:
            Refused: when the house rules make no game.
        """
        self.rules: Ruleset = catalogue.ruleset_for_new(variant, options, house_rules)
        self.table = Table()
        self.log: list[Commit] = []
        self._viewers = checks.Viewers(seats)
        self.last_moves: legal.Moves | None = None
        """What whoever is on turn may do now, from that player's own table; None while nothing is played."""
        create = CreateGame("test", variant, seats, "0" * 64, dict(house_rules), options, reveal="never")
        self.when(create, by="host")
        for seat, player in enumerate(PLAYERS[:seats]):
            self.when(TakeSeat(seat, player, token_hash=f"{seat:064x}"), by=player)

    # -- given ---------------------------------------------------------------------------------------------------------

    def given_start(self) -> Game:
        """Start the game as it really starts: a dealer drawn, cards shuffled and dealt."""
        self.when(StartGame(), by="host")
        return self

    def given_deal(
        self,
        number: int = 1,
        *,
        to_move: str = "ann",
        first_turn: bool = False,
        table: Sequence[str] = (),
        stock: str = "",
        discards: str = "",
        wild: str | None = None,
        totals: Sequence[int] | None = None,
        **hands: str,
    ) -> Game:
        """Begin in the middle of deal `number`, with `to_move` about to draw.

        Args:
            number: the deal; earlier ones are dealt and scored, with nothing but `totals`.
            to_move: whose turn it is.
            first_turn: the deal has only been dealt, and `to_move` is the one who starts.
            table: melds with their owner, ``"ann: 9D=5C 6C 7C"``; the first is meld 1.
            stock: its front cards, the next one to be drawn first; all cards not placed otherwise follow, unless a bar
                closes the stock (``"2H QC |"``): then they lie at the bottom of the discard pile.
            discards: the discard pile from bottom to top; any card if left out.
            wild: the rank that a dealer named, in a game in which the dealer names it.
            totals: running totals before this deal.
            hands: ``ann="7H 5C"``; hands left out are filled with cards that are not placed.

        Raises:
            ValueError: for a table that cannot be.
        """
        wanted = Wanted(number, to_move, first_turn, table, stock, discards, wild, totals, hands)
        draft = Draft(self.table, self.rules, self._context())
        Prelude(draft, wanted).write()
        self._commit(StartGame(), "host", tuple(draft.events))
        return self

    def after(self, *commands: Command) -> Game:
        """Let the players on turn do this first, one command after the other."""
        for command in commands:
            self.when(command)
        return self

    # -- when ----------------------------------------------------------------------------------------------------------

    def when(self, command: Command, by: str | None = None) -> tuple[Event, ...]:
        """Have a command decided and committed: the events that it causes, their secrets open.

        ``by`` is a player's name, ``host`` or ``operator``; the player on turn if left out.

        Raises:
            Refused: when it is refused; a test that expects that asks `refuses`.
        """
        actor = self._actor(by)
        before = self.last_moves
        decision, again = self._decide(command, actor), self._decide(command, actor)
        assert decision == again, "the same command was decided in two ways"
        if before is not None and actor == f"seat:{before.seat}":
            assert is_listed(command, before) is not False, f"accepted, but no listed move: {command}"
        self._commit(command, actor, decision.events)
        return decision.events

    def refuses(self, command: Command, by: str | None = None) -> Refusal:
        """Have a command refused: by which clause, and in which words. Fails when it is accepted."""
        actor = self._actor(by)
        try:
            decision = self._decide(command, actor)
        except Refused as refused:
            self._check_refusal(command, actor, refused)
            return Refusal(refused.rule, refused.detail, refused.code, refused.shortfall)
        raise AssertionError(f"accepted: {command} caused {decision.events}")

    def allows(self, command: Command, by: str | None = None) -> bool:
        """Whether a command would be accepted; nothing happens."""
        try:
            self._decide(command, self._actor(by))
        except Refused:
            return False
        return True

    # -- then ----------------------------------------------------------------------------------------------------------

    @property
    def on_turn(self) -> str:
        """Whose turn it is."""
        return PLAYERS[self.table.deal.turn.seat]

    @property
    def melds(self) -> list[str]:
        """The melds on the table as text; the first is meld 1."""
        return [written(meld) for meld in self.table.deal.melds]

    @property
    def discards(self) -> str:
        """The discard pile as text, bottom to top."""
        return " ".join(self.table.deal.discard_pile)

    @property
    def stock(self) -> tuple[Card, ...]:
        """The stock, front first."""
        return self.table.deal.stock

    def hand(self, player: str) -> str:
        """A hand as text, in alphabetical order."""
        return " ".join(sorted(self.table.hand(seat_of(player))))

    def moves(self, player: str) -> tuple[PlayCommand | Batch, ...]:
        """Every move that a player may make now, from that player's own table."""
        seat = seat_of(player)
        return legal.moves(conceal(self.table, seat), seat, self.rules).moves

    @cached_property
    def _shown(self) -> frozenset[str]:
        return frozenset(clause.id for clause in self.rules.clauses())

    def sheet(self, language: str = "en") -> dict[str, str]:
        """The rule sheet of this game: sentences by clause."""
        return {clause.id: clause.text(language, self.rules.house.flat) for clause in self.rules.clauses()}

    # -- within --------------------------------------------------------------------------------------------------------

    def _actor(self, by: str | None) -> str:
        if by in ("host", "operator", "service"):
            return by
        return f"seat:{self.table.deal.turn.seat if by is None else seat_of(by)}"

    def _context(self) -> Context:
        return Context(STARTED_MS + SECOND * self.table.version, SEED)

    def _decide(self, command: Command, actor: str) -> Decision:
        return decide(command, actor, self.table, self.rules, self._context())

    def _commit(self, command: Command, actor: str, events: tuple[Event, ...]) -> None:
        version = self.table.version + 1
        prev = self.log[-1].hash if self.log else chain.genesis("test")
        commit, stored = chain.make_commit(
            at=rfc3339(self._context().at_ms),
            by=actor,
            command=command,
            command_id=f"test-{version}",
            events=events,
            game_seed=self.table.game_seed or SEED,
            prev=prev,
            version=version,
        )
        assert chain.decode(stored) == commit, "the log does not read as it was written"
        self.table = apply(self.table, commit)
        self.log.append(commit)
        self._viewers.send(commit, self.table)
        checks.conserved(self.table, self.rules)
        self.last_moves = None
        if self.table.status == "playing":
            known = self._viewers.tables[self.table.deal.turn.seat]
            self.last_moves = checks.listed(self.table, known, self.rules)

    def _check_refusal(self, command: Command, actor: str, refused: Refused) -> None:
        if refused.rule is not None:
            assert refused.rule in self._shown, f"{refused.rule} is not on the rule sheet of this game"
        moves = self.last_moves
        if moves is None or not isinstance(command, PlayCommand) or not actor.startswith("seat:"):
            return
        seat = int(actor.removeprefix("seat:"))
        if seat == moves.seat:
            assert command not in moves.moves, f"refused, but a listed move: {command}"
        if command.seat in (None, seat):
            checks.refused_alike(command, seat, self._viewers.tables[seat], self.rules, refused)
