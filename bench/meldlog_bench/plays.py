"""Games played in this process by the core alone: what the measurements send, replay and decide again."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from meldlog_contracts.commands import Command, CreateGame, Discard, Draw, StartGame, TakeSeat
from meldlog_contracts.events import Commit
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import HouseValue, Table
from meldlog_service.app.envelope import pointer_after
from meldlog_service.app.seats import token_hash
from meldlog_service.catalogue import Catalogue
from meldlog_service.core import chain
from meldlog_service.core.context import Context, rfc3339
from meldlog_service.core.decide import decide
from meldlog_service.core.moves import moves
from meldlog_service.core.views import conceal
from meldlog_service.store.event_store import Pointer

VARIANT = "crazy-rummy"
SEATS = 4
BEGAN_MS = 1_767_225_600_000
"""When every game of the bench was created, in milliseconds since 1970; a command comes a second after another."""


class Step(NamedTuple):
    """A command of a game, and what became of it."""

    command: Command
    by: str
    before: Table
    """The table that it was given at."""
    commit: Commit
    line: bytes
    """The commit as it is stored."""
    pointer: Pointer
    """What the store is told beside it."""


class Play:
    """A game under way. The same name makes the same game, card by card.

    Args:
        catalogue: The installed plugins.
        name: The game's id; seed, tokens and chance follow from it.
        house_rules: Other than the variant's own.
        variant: What is played.
        options: What it is played with.

    Attributes:
        lobby: The steps until the start.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        name: str,
        house_rules: Mapping[str, HouseValue] | None = None,
        variant: str = VARIANT,
        options: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.rules = catalogue.ruleset_for_new(variant, options, house_rules)
        self.rng = random.Random(name)
        self.table = Table()
        self.head = chain.genesis(name)
        self.seed = hashlib.sha256(f"seed of {name}".encode()).hexdigest()
        host = token_hash(f"{name}-host")
        # All seats are taken by people, so that no bot acts by itself.
        self.lobby = [
            self.give(CreateGame(name, variant, SEATS, host, dict(house_rules or {}), options), "host"),
            *(
                self.give(
                    TakeSeat(seat, f"player {seat}", token_hash=token_hash(self.token(seat))), f"seat:{seat}"
                )
                for seat in range(SEATS)
            ),
            self.give(StartGame(), "host"),
        ]

    def token(self, seat: int) -> str:
        """The bearer token of a seat, as long as a real one."""
        return f"mt_{hashlib.sha256(f'{self.name}-{seat}'.encode()).hexdigest()[:43]}"

    def give(self, command: Command, by: str) -> Step:
        """Carry out a command."""
        before = self.table
        version = before.version + 1
        at_ms = BEGAN_MS + 1000 * version
        decision = decide(command, by, before, self.rules, Context(at_ms, self.seed))
        commit, line = chain.make_commit(
            at=rfc3339(at_ms),
            by=by,
            command=command,
            command_id=f"{version:016x}",
            events=decision.events,
            game_seed=self.seed,
            prev=self.head,
            version=version,
        )
        created_at = before.created_at or commit.at
        self.table = replace(decision.table, version=version, created_at=created_at)
        self.head = commit.hash
        return Step(command, by, before, commit, line, pointer_after(command, self.table, BEGAN_MS + 1000))


Chooser: TypeAlias = Callable[[Play], Command]


def draw_or_discard(play: Play) -> Command:
    """Draw from the stock, or discard a card at random: the two commands that every turn has."""
    deal = play.table.deal
    if deal.turn.phase == "draw":
        return Draw("stock")
    hand = list(play.table.hand(deal.turn.seat))
    play.rng.shuffle(hand)
    for card in hand:
        command = Discard(card)
        try:
            decide(command, f"seat:{deal.turn.seat}", play.table, play.rules, Context(BEGAN_MS))
        except Refused:
            continue
        return command
    raise ValueError(f"{play.name}: no card may be discarded")


def turn_by_turn(play: Play) -> Command:
    """As `draw_or_discard`, and any legal command where something else is awaited."""
    deal = play.table.deal
    can_draw = deal.turn.phase == "draw" and bool(deal.stock)
    return draw_or_discard(play) if can_draw or deal.turn.phase == "play" else any_legal(play)


def any_legal(play: Play) -> Command:
    """Any legal command, each as likely as another, chosen as a player would: from the list of moves."""
    seat = play.table.deal.turn.seat
    return play.rng.choice(moves(conceal(play.table, seat), seat, play.rules).moves)


def played(play: Play, choose: Chooser, most: int | None = None) -> Iterator[Step]:
    """Steps of a game to its end, or at most so many; each is carried out before the next is chosen."""
    while play.table.status == "playing" and most != 0:
        yield play.give(choose(play), f"seat:{play.table.deal.turn.seat}")
        most = None if most is None else most - 1
