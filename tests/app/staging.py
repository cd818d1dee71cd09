"""Games as the tests of the application need them, created and played through a handler."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from tests.app.scripted import ScriptedStore
from tests.support.games import START_MS, VARIANT, installed

from meldlog_contracts.commands import CreateGame, Discard, Draw, PlayCommand, StartGame, TakeSeat
from meldlog_contracts.table import HouseValue, Table
from meldlog_service.app.handler import Answer, Handler
from meldlog_service.core import chain
from meldlog_service.core.evolve import fold
from meldlog_service.store.event_store import EventStore

ENDLESS: dict[str, HouseValue] = {"stock_exhaustion": "turn_over", "no_progress_limit": 10_000}
"""House rules of a deal in which one can draw and discard for a long while."""


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.ms = START_MS

    def __call__(self) -> int:
        """Milliseconds since 1970."""
        return self.ms


class Chance:
    """Random bytes that are the same in every run, and others for every worker."""

    def __init__(self, worker: int) -> None:
        self._worker = worker
        self._count = 0

    def __call__(self) -> str:
        """32 bytes in hex."""
        self._count += 1
        return f"{self._worker:08x}{self._count:08x}" * 4


def handler_on(
    store: EventStore, *, worker: int = 0, cache_tables: int = 100, clock: Clock | None = None
) -> Handler:
    """A handler with everything installed, like one worker."""
    return Handler(
        store, installed(), cache_tables=cache_tables, now_ms=clock or Clock(), random_hex=Chance(worker)
    )


def creation(
    game_id: str = "g1",
    *,
    seats: int = 3,
    bots: Mapping[int, str] | None = None,
    house_rules: Mapping[str, HouseValue] | None = None,
    turn_seconds: int | None = None,
) -> CreateGame:
    """The command that creates a game."""
    return CreateGame(
        game_id,
        VARIANT,
        seats,
        "h" * 64,
        house_rules=dict(house_rules or {}),
        bots={str(seat): strategy for seat, strategy in (bots or {}).items()},
        turn_seconds=turn_seconds,
    )


async def seated(handler: Handler, command: CreateGame) -> Table:
    """A game in which every seat that no bot has is taken by a player."""
    table = (await handler.create(command)).table
    for number, seat in enumerate(table.seats):
        if seat.is_empty:
            table = (await sit(handler, command.game_id, number)).table
    return table


async def started(handler: Handler, command: CreateGame | None = None) -> Table:
    """A game that has just been dealt, by default among three players."""
    command = command or creation()
    await seated(handler, command)
    return (await handler.submit(command.game_id, StartGame(), "host")).table


async def sit(handler: Handler, game_id: str, seat: int) -> Answer:
    """Sit a player down."""
    command = TakeSeat(seat, f"player {seat}", token_hash=f"{seat:064x}")
    return await handler.submit(game_id, command, f"seat:{seat}")


def on_turn(table: Table) -> str:
    """Who is to act."""
    return f"seat:{table.deal.turn.seat}"


def simple_move(table: Table) -> PlayCommand:
    """A move that is always legal: draw from the stock, or discard the first card."""
    if table.deal.turn.phase == "draw":
        return Draw(source="stock")
    return Discard(card=table.hand(table.deal.turn.seat)[0])


async def others_go_on() -> None:
    """Let everybody else run until they wait for something."""
    for _ in range(50):
        await asyncio.sleep(0)


async def step(handler: Handler, table: Table) -> Table:
    """One simple move of whoever is on turn."""
    return (await handler.submit(table.game_id, simple_move(table), on_turn(table))).table


class Notes:
    """An observer that notes what it is told."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, int | str]] = []

    def committed(self, table: Table) -> None:
        """See `Observer.committed`."""
        self.heard.append(("committed", table.version))

    def seen(self, table: Table) -> None:
        """See `Observer.seen`."""
        self.heard.append(("seen", table.version))

    def doubtful(self, game_id: str) -> None:
        """See `Observer.doubtful`."""
        self.heard.append(("doubtful", game_id))


def assert_is_a_log(store: ScriptedStore, handler: Handler, game_id: str = "g1") -> None:
    """The stored log is whole, and the cache says what it says."""
    commits = [chain.decode(line) for line in store.log(game_id)]
    table = fold(commits)
    for before, commit in zip((None, *commits), commits, strict=False):
        assert commit.prev == (chain.genesis(game_id) if before is None else before.hash)
        assert chain.hash_of(commit) == commit.hash
    entry = handler._tables.peek(game_id)
    assert entry is not None
    assert (entry.table, entry.head, entry.busy) == (table, commits[-1].hash, False)
