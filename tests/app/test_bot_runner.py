"""Bots at work: promptly, fairly, by one worker or several, and again after everything that can happen."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import pytest
from tests.app.scripted import (
    Append,
    ScriptedStore,
    Write,
    lost_after_it_was_stored,
    lost_before_it_was_stored,
    stored_in_one_place_only,
    unavailable,
    works,
)
from tests.app.staging import creation, handler_on, on_turn, seated, simple_move, started
from tests.support.games import installed

from meldlog_contracts.cards import HIDDEN
from meldlog_contracts.commands import Discard, Draw, Resign, StartGame
from meldlog_contracts.table import Table
from meldlog_service.app.audit import audit_log
from meldlog_service.app.bot_runner import BotRunner, bot_on_turn
from meldlog_service.app.choosing import DeadEnd, chosen
from meldlog_service.app.handler import Handler
from meldlog_service.bots import STRATEGIES, Move
from meldlog_service.catalogue import Catalogue
from meldlog_service.core import chain
from meldlog_service.core.chance import derived_seed
from meldlog_service.core.views import conceal
from meldlog_service.store.event_store import StoreUnavailable
from meldlog_service.store.memory import MemoryStore

SOON = 0.005
"""Patience of runners in these tests, in seconds."""


@asynccontextmanager
async def running(*runners: BotRunner) -> AsyncIterator[None]:
    """Let runners play meanwhile."""
    tasks = [asyncio.create_task(runner.run()) for runner in runners]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task


async def until(handler: Handler, game_id: str, reached: Callable[[Table], bool]) -> Table:
    """Follow a game through the feed, without looking at it as a client would, until it is as wanted."""
    with handler.store.follow().subscribe(game_id) as news:
        while not reached(table := await handler.look(game_id)):
            await news.changed()
    return table


def is_over(table: Table) -> bool:
    """Whether the game is finished."""
    return table.status == "finished"


async def bots_play(
    handler: Handler, game_id: str = "g1", *, deals: int = 1, strategy: str = "plain"
) -> None:
    """Start a game among three bots."""
    command = creation(game_id, bots=dict.fromkeys(range(3), strategy), house_rules={"deal_count": deals})
    await started(handler, command)


def audited(store: ScriptedStore, game_id: str = "g1") -> str:
    """The verdict of the audit of a stored game."""
    return audit_log([chain.decode(line) for line in store.log(game_id)], installed()).verdict


async def test_a_game_among_bots_plays_itself_to_the_end(handler: Handler, store: ScriptedStore) -> None:
    """Nobody has to ask; every move is the bot's own, and the audit agrees."""
    runner = BotRunner(handler)
    async with running(runner):
        await bots_play(handler, deals=3, strategy="random")
        table = await until(handler, "g1", is_over)

    commits = [chain.decode(line) for line in store.log()]
    assert len(table.scores) == 3
    assert {commit.by for commit in commits[2:]} == {"seat:0", "seat:1", "seat:2"}
    assert all(commit.command_id == f"bot:{commit.version - 1}:{commit.by[-1]}" for commit in commits[2:])
    assert audited(store) == "agrees"


async def test_a_person_among_bots_is_soon_on_turn_again(handler: Handler) -> None:
    """The bots between two turns of hers play at once, and none of them plays for her."""
    runner = BotRunner(handler)
    async with running(runner):
        command = creation(seats=4, bots={1: "plain", 2: "random", 3: "plain"})
        await seated(handler, command)
        await handler.submit("g1", StartGame(), "host")

        def ann_is_on_turn(table: Table) -> bool:
            return table.status == "playing" and table.deal.turn.seat == 0

        for _ in range(6):
            table = await until(handler, "g1", ann_is_on_turn)
            while ann_is_on_turn(table):
                move = simple_move(table)
                table = (await handler.submit("g1", move, "seat:0", if_match=table.version)).table
                if isinstance(move, Discard) and table.deal.turn.seat == 0:
                    break

    commits = await handler.commits("g1")
    assert sum(commit.by == "seat:0" for commit in commits) >= 11


async def test_a_seat_that_is_handed_over_on_its_turn_plays_on(handler: Handler) -> None:
    """Whoever resigns keeps nobody waiting."""
    runner = BotRunner(handler)
    async with running(runner):
        await started(handler, creation(bots={1: "plain", 2: "plain"}))
        await until(handler, "g1", lambda table: table.deal.turn.seat == 0)
        await handler.submit("g1", Resign(), "seat:0")

        await until(handler, "g1", lambda table: table.deal.number == 2)


async def test_after_a_restart_bots_go_on(store: ScriptedStore) -> None:
    """A runner looks for bots' turns among all games being played."""
    before = handler_on(store)
    for game_id in ("a", "b"):
        await bots_play(before, game_id)
    await started(before, creation("c"))

    handler = handler_on(store, worker=1)
    async with running(BotRunner(handler)):
        for game_id in ("a", "b"):
            await until(handler, game_id, is_over)

    assert (await handler.table("c")).deal.turns == 1


async def test_workers_that_move_the_same_bots_move_each_once(store: ScriptedStore) -> None:
    """Three runners on one store: versions without a double move, and none of them stops."""
    handlers = [handler_on(MemoryStore(store.shelf), worker=worker) for worker in range(3)]
    runners = [BotRunner(handler, patience=SOON) for handler in handlers]
    await bots_play(handlers[0], deals=2)
    async with running(*runners):
        await until(handlers[1], "g1", is_over)

    assert audited(store) == "agrees"


async def test_a_game_whose_worker_died_is_taken_over_when_somebody_looks(store: ScriptedStore) -> None:
    """The dead worker had stored the person's move, and nobody told the others."""
    dead = handler_on(store)
    handler = handler_on(MemoryStore(store.shelf), worker=1)
    async with running(BotRunner(handler, patience=SOON)):
        await asyncio.sleep(0)
        await bots_play(dead)

        await handler.table("g1")

        await until(handler, "g1", is_over)


async def test_a_game_that_somebody_else_plays_is_left_alone(store: ScriptedStore) -> None:
    """Looking is no reason to meddle: as long as the game goes on there, this worker only looks again."""
    there = handler_on(store)
    here_store = ScriptedStore(store.shelf)
    here = handler_on(here_store, worker=1)
    runner = BotRunner(here, patience=SOON)
    await bots_play(there)
    table = await here.table("g1")
    for _ in range(3):
        seat = table.deal.turn.seat
        move = chosen(STRATEGIES["plain"], table, seat, there.rules(table))
        table = (await there.submit("g1", move, f"seat:{seat}")).table
        await runner._find("g1", runner._suspects.pop("g1"))

    assert here_store.appends == 0
    assert runner._suspects == {"g1": table.version}


@pytest.mark.parametrize(
    "trouble", [unavailable, lost_before_it_was_stored, lost_after_it_was_stored, stored_in_one_place_only]
)
async def test_bots_get_over_a_store_that_fails(store: ScriptedStore, trouble: Append) -> None:
    """Whatever becomes of an append, and though nothing can be read after it: the game goes on."""
    handler = handler_on(store)
    onlooker = handler_on(MemoryStore(store.shelf), worker=1)
    await bots_play(handler)

    async def fails(write: Write) -> None:
        store.reads_fail = 2
        await trouble(write)

    store.script.extend([works, works, fails] * 4)
    async with running(BotRunner(handler, patience=SOON)):
        await until(onlooker, "g1", is_over)

    assert not store.script
    assert audited(store) == "agrees"


async def test_bots_go_on_when_their_persons_request_was_lost_in_an_outage(store: ScriptedStore) -> None:
    """Her discard was stored, its answer lost, the log not to be read: nobody knew that it is a bot's turn."""
    handler = handler_on(store)
    runner = BotRunner(handler, patience=SOON)
    table = await started(handler, creation(bots={1: "plain", 2: "plain"}))
    async with running(runner):
        table = await until(handler, "g1", lambda table: table.deal.turn.seat == 0)
        if table.deal.turn.phase == "draw":
            table = (await handler.submit("g1", Draw(source="stock"), "seat:0")).table
        store.script.append(lost_after_it_was_stored)
        store.reads_fail = 1
        with pytest.raises(Exception, match="could not be found out"):
            await handler.submit("g1", Discard(card=table.hand(0)[0]), "seat:0")

        await until(handler, "g1", lambda later: later.version > table.version + 2)


async def test_the_scan_at_the_start_waits_for_the_store(
    store: ScriptedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A runner may start before the store does."""
    await bots_play(handler_on(store))
    failures = 2
    games = store.games

    def failing(status: str | None = None) -> AsyncIterator[str]:
        nonlocal failures
        if failures:
            failures -= 1
            raise StoreUnavailable("no server")
        return games("playing")

    monkeypatch.setattr(store, "games", failing)
    handler = handler_on(store, worker=1)
    async with running(BotRunner(handler, patience=SOON)):
        await until(handler, "g1", is_over)


async def test_games_go_round_and_people_go_first(handler: Handler) -> None:
    """Each game in turn makes one move; a game with a person in it overtakes games among bots."""
    runner = BotRunner(handler)
    for game_id in ("a", "b", "c"):
        await bots_play(handler, game_id)
    await started(handler, creation("p", bots={0: "plain", 1: "plain"}))
    tables = {game_id: await handler.look(game_id) for game_id in ("a", "b", "c", "p")}
    person_waits = bot_on_turn(tables["p"]) is not None

    order: list[str] = []
    while not runner._line.empty() and len(order) < 8:
        _, _, game_id = runner._line.get_nowait()
        order.append(game_id)
        table = runner._waiting.pop(game_id)
        if game_id == "p":
            continue
        await runner._move(table)

    assert order == ["p"] * person_waits + (["a", "b", "c"] * 3)[: 8 - person_waits]


async def test_games_among_bots_do_not_keep_a_person_waiting(handler: Handler) -> None:
    """While twenty games play themselves, a command of a person is answered after a few of their moves."""
    runner = BotRunner(handler)
    async with running(runner):
        for number in range(20):
            await bots_play(handler, f"b{number}", deals=13)
        await handler.create(creation("p"))
        before = await versions(handler)
        await started(handler, creation("q"))  # five commands
        moves_meanwhile = await versions(handler) - before

    assert moves_meanwhile < 200


async def versions(handler: Handler) -> int:
    """How many commits the games among bots have together."""
    return sum([await handler.store.last_version(f"b{number}") for number in range(20)])


class Illegal:
    """A bot that asks for what may not be."""

    name = "plain"

    def choose(self, *_: object) -> Move:
        """See `Strategy.choose`."""
        return Discard(card=HIDDEN)


async def test_a_bot_that_cannot_go_on_does_not_try_the_same_for_ever(
    store: ScriptedStore, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged once, and looking again changes nothing until the game moves; other games go on."""
    handler = handler_on(store)
    runner = BotRunner(handler, {"plain": Illegal(), "random": STRATEGIES["random"]}, patience=SOON)
    await bots_play(handler, "bad")
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            await runner._find("bad")
            await runner._move(runner._waiting.pop("bad"))
    assert len(caplog.records) == 1
    assert "game bad can't go on at version 2" in caplog.text

    async with running(BotRunner(handler, {"plain": Illegal(), "random": STRATEGIES["random"]})):
        await bots_play(handler, "good", strategy="random")
        await until(handler, "good", is_over)


async def test_a_game_whose_rules_are_missing_does_not_stop_the_runner(
    store: ScriptedStore, caplog: pytest.LogCaptureFixture
) -> None:
    """Its bots wait for a worker that has them."""
    await bots_play(handler_on(store))
    bare = Handler(MemoryStore(store.shelf), Catalogue([]), cache_tables=10)
    runner = BotRunner(bare, patience=SOON)
    await runner._find("g1")

    await runner._move(runner._waiting.pop("g1"))

    assert "is not installed" in caplog.text
    assert runner._given_up == {"g1": 2}


async def test_games_that_are_gone_are_forgotten(handler: Handler, store: ScriptedStore) -> None:
    """Archived, or lost with the store: looking for them ends there."""
    runner = BotRunner(handler, patience=SOON)
    await bots_play(handler)
    table = await handler.look("g1")
    await store.remove("g1", table.version)

    await runner._find("g1")
    await runner._move(table)

    assert runner._suspects == {}


async def test_a_bot_of_another_release_is_played_by_a_substitute(handler: Handler) -> None:
    """A game does not stop because a strategy was renamed."""
    runner = BotRunner(handler, {"plain": STRATEGIES["plain"]})
    async with running(runner):
        await bots_play(handler, strategy="random")
        await until(handler, "g1", is_over)


async def test_the_choice_of_a_bot_is_the_same_everywhere_and_follows_from_a_secret(
    handler: Handler,
) -> None:
    """Two workers choose alike; from what the public knows (no seed) the choice cannot be computed."""
    await bots_play(handler, strategy="random")
    table = await handler.look("g1")
    seat = table.deal.turn.seat
    rules = handler.rules(table)
    choices = {repr(chosen(STRATEGIES["random"], table, seat, rules)) for _ in range(5)}

    assert len(choices) == 1
    with pytest.raises(ValueError, match="without the game's seed"):
        derived_seed(conceal(table, seat), f"bot:{table.version}:{seat}")
    with pytest.raises(DeadEnd):
        chosen(STRATEGIES["random"], table, (seat + 1) % 3, rules)


async def test_a_cancelled_runner_leaves_no_move_half_done(handler: Handler, store: ScriptedStore) -> None:
    """Stopped at any moment, the log is whole and the cache says what it says."""
    runner = BotRunner(handler)
    task = asyncio.create_task(runner.run())
    await bots_play(handler, deals=13)
    await until(handler, "g1", lambda table: table.version > 20)

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await handler.close()

    assert audited(store) == "agrees"
    entry = handler._tables.peek("g1")
    assert entry is not None
    assert not entry.busy
    assert len(store.log()) == entry.table.version
    assert on_turn(entry.table) == f"seat:{bot_on_turn(entry.table)}"
