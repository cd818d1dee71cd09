"""Many at once: each version is somebody's alone."""

import asyncio
import random

import pytest
from tests.app.scripted import ScriptedStore, Write
from tests.app.staging import creation, handler_on, on_turn, started
from tests.support.games import installed

from meldlog_contracts.commands import Discard
from meldlog_contracts.problems import Refused
from meldlog_service.app.audit import audit_log
from meldlog_service.app.errors import Contended, KeyReused, Stale
from meldlog_service.app.handler import Answer, Handler
from meldlog_service.core import chain
from meldlog_service.core.moves import moves
from meldlog_service.core.views import conceal
from meldlog_service.store.memory import MemoryStore


@pytest.mark.parametrize("workers", [1, 2])
async def test_of_a_hundred_commands_for_one_version_exactly_one_is_accepted(
    store: ScriptedStore, workers: int
) -> None:
    """Through one worker or two: one new entry, ninety-nine times "stale"."""
    handlers = [handler_on(MemoryStore(store.shelf), worker=worker) for worker in range(workers)]
    table = await started(handlers[0])
    for handler in handlers:
        await handler.table("g1")
    before = len(store.log())
    hand = table.hand(table.deal.turn.seat)

    done = await asyncio.gather(
        *(
            handlers[number % workers].submit(
                "g1", Discard(card=hand[number % len(hand)]), on_turn(table), if_match=table.version
            )
            for number in range(100)
        ),
        return_exceptions=True,
    )

    assert sum(isinstance(one, Answer) for one in done) == 1
    assert sum(isinstance(one, Stale) for one in done) == 99
    assert len(store.log()) == before + 1


async def test_without_a_version_the_others_are_refused_by_the_rules(
    handler: Handler, store: ScriptedStore
) -> None:
    """Judged again at the table after the first, they are out of turn."""
    table = await started(handler)
    before = len(store.log())
    hand = table.hand(table.deal.turn.seat)

    done = await asyncio.gather(
        *(handler.submit("g1", Discard(card=card), on_turn(table)) for card in hand), return_exceptions=True
    )

    assert sum(isinstance(one, Answer) for one in done) == 1
    assert {one.code for one in done if isinstance(one, Refused)} == {"not_your_turn"}
    assert len(store.log()) == before + 1


async def test_workers_that_all_play_everything_leave_a_log_that_the_audit_agrees_with() -> None:
    """Three workers with tiny caches play three games at once, every seat from everywhere, until all are over."""
    store = ScriptedStore()
    workers = [
        handler_on(MemoryStore(store.shelf), worker=worker, cache_tables=1 + worker) for worker in range(3)
    ]
    games = [f"g{number}" for number in range(3)]
    for game_id in games:
        await started(workers[0], creation(game_id, house_rules={"deal_count": 2}))

    async def play(worker: Handler, game_id: str, rng: random.Random) -> None:
        while (table := await worker.table(game_id)).status == "playing":
            seat = table.deal.turn.seat
            legal = moves(conceal(table, seat), seat, worker.rules(table)).moves
            key = str(rng.randrange(50)) if rng.random() < 0.3 else None
            try:
                await worker.submit(game_id, rng.choice(legal), f"seat:{seat}", command_id=key)
            except (Refused, Contended, KeyReused):
                await asyncio.sleep(0)

    await asyncio.gather(
        *(
            play(worker, game_id, random.Random(f"{number} {game_id}"))
            for number, worker in enumerate(workers)
            for game_id in games
        )
    )

    for game_id in games:
        report = audit_log([chain.decode(line) for line in store.log(game_id)], installed())
        assert report.verdict == "agrees"
        tables = [await worker.table(game_id) for worker in workers]
        assert tables[0] == tables[1] == tables[2]
        assert tables[0].status == "finished"


async def test_games_do_not_wait_for_one_another(handler: Handler, store: ScriptedStore) -> None:
    """While one game's append hangs, another game is played."""
    slow = await started(handler, creation("slow"))
    fast = await started(handler, creation("fast"))
    stuck = asyncio.Event()

    async def hangs(write: Write) -> None:
        await stuck.wait()
        await write()

    store.script.append(hangs)
    waiting = asyncio.create_task(
        handler.submit("slow", Discard(card=slow.hand(slow.deal.turn.seat)[0]), on_turn(slow))
    )
    await asyncio.sleep(0)

    answer = await handler.submit("fast", Discard(card=fast.hand(fast.deal.turn.seat)[0]), on_turn(fast))

    assert answer.version == fast.version + 1
    assert not waiting.done()
    stuck.set()
    assert (await waiting).version == slow.version + 1
