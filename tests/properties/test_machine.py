"""A table under any traffic: a machine that sends whatever it likes, from anybody, at any moment.

It seats and unseats people, starts too early, plays, talks nonsense, resigns and hands over. After every step the log
folds to the live table and audits, and the invariants of a table hold.
"""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.properties.commands import nonsense
from tests.properties.strategies import examples, house_rules
from tests.support.games import Game, any_move

from meldlog_contracts.commands import Batch, Command, HandOverSeat, LeaveSeat, Resign, StartGame, TakeSeat
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import HouseValue
from meldlog_service.core import chain
from meldlog_service.core.evolve import apply
from meldlog_service.core.views import SPECTATOR, redact, view

ACTORS = st.sampled_from(("seat:0", "seat:1", "seat:2", "seat:5", "host", "operator", "service"))
SEATS = st.integers(-1, 6)
SEEDS = st.integers(0, 2**32 - 1)


class Traffic(RuleBasedStateMachine):
    """Commands of every kind, most of them out of place."""

    game: Game

    @initialize(wanted=house_rules(), seats=st.integers(2, 4))
    def create(self, wanted: dict[str, HouseValue], seats: int) -> None:
        """A game of whatever makes sense."""
        try:
            self.game = Game(seats=seats, house_rules=wanted)
        except Refused:
            self.game = Game(seats=seats)

    def send(self, command: Command, by: str) -> None:
        """Send a command; a refusal leaves no trace."""
        before = self.game.table
        try:
            self.game.do(command, by)
        except Refused:
            assert self.game.table is before
            event("refused")

    @rule(seat=SEATS, by=ACTORS, bot=st.booleans())
    def sit_down(self, seat: int, by: str, bot: bool) -> None:
        """Somebody takes a seat, or tries to."""
        self.send(TakeSeat(seat, f"somebody {seat}", "bot" if bot else "player"), by)

    @rule(seat=SEATS, by=ACTORS, remove=st.booleans())
    def stand_up(self, seat: int, by: str, remove: bool) -> None:
        """Somebody leaves, or the host takes a chair away."""
        self.send(LeaveSeat(seat, remove), by)

    @rule(by=ACTORS)
    def start(self, by: str) -> None:
        """Somebody says that it begins."""
        self.send(StartGame(), by)

    @rule(by=ACTORS, seat=SEATS)
    def hand_over(self, by: str, seat: int) -> None:
        """A seat goes to a bot."""
        self.send(HandOverSeat(seat, "plain"), by)

    @rule(by=ACTORS, seat=st.none() | st.integers(0, 6))
    def resign(self, by: str, seat: int | None) -> None:
        """Somebody gives up, or gives somebody up."""
        self.send(Resign(seat=seat), by)

    @rule(by=ACTORS, seed=SEEDS)
    def talk_nonsense(self, by: str, seed: int) -> None:
        """A command that hardly ever fits."""
        rng = random.Random(seed)
        self.send(nonsense(rng, self.game.table, rng.randrange(2)), by)

    @rule(by=ACTORS, seed=SEEDS, count=st.integers(1, 4))
    def talk_nonsense_at_length(self, by: str, seed: int, count: int) -> None:
        """A list of such commands."""
        rng = random.Random(seed)
        commands = tuple(nonsense(rng, self.game.table, 0) for _ in range(count))
        self.send(Batch((*commands, StartGame())) if seed % 9 == 0 else Batch(commands), by)

    @precondition(lambda self: self.game.table.status == "playing")
    @rule(seed=SEEDS, steps=st.integers(1, 12))
    def play(self, seed: int, steps: int) -> None:
        """Whoever is on turn plays on."""
        rng = random.Random(seed)
        for _ in range(steps):
            if self.game.table.status == "playing":
                self.game.step(any_move(rng))

    @precondition(lambda self: self.game.table.status == "open")
    @rule()
    def fill_up_and_start(self) -> None:
        """The game gets under way."""
        for number, seat in enumerate(self.game.table.seats):
            if seat.is_empty:
                self.send(TakeSeat(number, "late"), f"seat:{number}")
        self.send(StartGame(), "host")

    @invariant()
    def the_log_folds_to_the_live_table(self) -> None:
        """The last commit, from its bytes."""
        game = self.game
        assert apply(game.tables[-2], chain.decode(game.lines[-1])) == game.table
        assert game.version == len(game.lines)

    @invariant()
    def no_card_is_lost(self) -> None:
        """From the first deal on the pack is complete."""
        deal = self.game.table.deal
        if deal.number:
            there = Counter((*deal.stock, *deal.discard_pile))
            for cards in (*deal.hands, *(meld.cards for meld in deal.melds)):
                there.update(cards)
            assert there == Counter(self.game.rules.pack())

    @invariant()
    def a_spectator_folds_what_is_on_the_table(self) -> None:
        """From the last commit, on top of what a spectator knew."""
        game = self.game
        if not hasattr(self, "known"):
            self.known = game.tables[0]
        for commit in game.commits[self.known.version :]:
            self.known = apply(self.known, redact(commit, SPECTATOR))
        assert view(self.known, SPECTATOR) == view(game.table, SPECTATOR)


Traffic.TestCase.settings = settings(examples(60), stateful_step_count=30)
TestTraffic = Traffic.TestCase
