"""Callers who go away in the middle of a command, and readers who come in the middle of one."""

import asyncio
import logging

import pytest
from tests.app.scripted import (
    Gate,
    ScriptedStore,
    Write,
    unavailable,
)
from tests.app.staging import (
    Notes,
    assert_is_a_log,
    creation,
    handler_on,
    on_turn,
    simple_move,
    sit,
    started,
    step,
)

from meldlog_contracts.problems import Refused
from meldlog_service.app.handler import Handler
from meldlog_service.store.memory import MemoryStore


async def test_a_command_whose_caller_goes_away_in_the_middle_is_carried_to_its_end(
    handler: Handler, store: ScriptedStore
) -> None:
    """It is in the log once, observers are told, and who waited behind it goes on from there."""
    notes = Notes()
    table = await started(handler)
    handler.observe(notes)
    gate = Gate()
    store.script.append(gate)
    caller = asyncio.create_task(handler.submit("g1", simple_move(table), on_turn(table), command_id="k"))
    await gate.reached.wait()
    follower = asyncio.create_task(handler.submit("g1", simple_move(table), on_turn(table), command_id="k"))
    await asyncio.sleep(0)

    caller.cancel()
    gate.opened.set()
    with pytest.raises(asyncio.CancelledError):
        await caller
    answer = await follower
    await handler.close()

    assert (answer.version, answer.replayed) == (table.version + 1, True)
    assert ("committed", table.version + 1) in notes.heard
    assert_is_a_log(store, handler)


async def test_an_append_that_lands_after_its_caller_went_away_is_recognised(
    handler: Handler, store: ScriptedStore
) -> None:
    """The store went on with it: what the handler sends to be sure meets it there."""
    table = await started(handler)
    under_way: list[asyncio.Future[None]] = []
    sent = asyncio.Event()

    async def goes_on(write: Write) -> None:
        task = asyncio.ensure_future(write())
        under_way.append(task)
        sent.set()
        await asyncio.shield(task)

    store.script.append(goes_on)
    before = len(store.log())
    caller = asyncio.create_task(handler.submit("g1", simple_move(table), on_turn(table)))
    await sent.wait()

    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    await handler.close()

    assert len(store.log()) == before + 1
    assert_is_a_log(store, handler)


async def test_a_caller_who_goes_away_while_waiting_in_line_leaves_no_trace(
    handler: Handler, store: ScriptedStore
) -> None:
    """The line moves on, and the command that nobody waits for any more is not carried out."""
    table = await started(handler)
    gate = Gate()
    store.script.append(gate)
    first = asyncio.create_task(handler.submit("g1", simple_move(table), on_turn(table)))
    await gate.reached.wait()
    waiting = [
        asyncio.create_task(handler.submit("g1", simple_move(table), on_turn(table))) for _ in range(3)
    ]
    await asyncio.sleep(0)
    for task in waiting[:2]:
        task.cancel()
    gate.opened.set()

    assert (await first).version == table.version + 1
    done = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(one) for one in done] == [asyncio.CancelledError, asyncio.CancelledError, Refused]
    assert_is_a_log(store, handler)


async def test_a_caller_who_goes_away_as_its_turn_comes_passes_it_on(
    handler: Handler, store: ScriptedStore
) -> None:
    """Both at once, which is the one moment when a place in line could be lost."""
    table = await started(handler)
    entry = handler._tables.peek("g1")
    assert entry is not None
    await entry.enter()
    first = asyncio.create_task(entry.enter())
    second = asyncio.create_task(entry.enter())
    await asyncio.sleep(0)

    entry.leave()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    await second
    entry.leave()

    await step(handler, table)
    assert_is_a_log(store, handler)


async def test_a_command_that_outlives_its_caller_and_fails_is_logged(
    handler: Handler, store: ScriptedStore, caplog: pytest.LogCaptureFixture
) -> None:
    """There is nobody left to tell, except the log of the service and whoever observes."""
    notes = Notes()
    table = await started(handler)
    handler.observe(notes)
    gate = Gate(unavailable)
    store.script.extend([gate, unavailable])
    caller = asyncio.create_task(handler.submit("g1", simple_move(table), on_turn(table)))
    await gate.reached.wait()

    caller.cancel()
    gate.opened.set()
    with caplog.at_level(logging.WARNING), pytest.raises(asyncio.CancelledError):
        await caller
    await handler.close()

    assert "outlived its caller" in caplog.text
    assert ("doubtful", "g1") in notes.heard
    await step(handler, table)
    assert_is_a_log(store, handler)


async def test_a_command_that_outlives_its_caller_and_is_refused_is_no_alarm(
    store: ScriptedStore, caplog: pytest.LogCaptureFixture
) -> None:
    """Somebody else took the seat meanwhile; what the refusal says is nobody's business any more."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    await here.create(creation())
    gate = Gate()
    store.script.append(gate)
    caller = asyncio.create_task(sit(here, "g1", 0))
    await gate.reached.wait()
    await sit(there, "g1", 0)

    caller.cancel()
    with caplog.at_level(logging.INFO):
        with pytest.raises(asyncio.CancelledError):
            await caller
        await here.close()

    assert [record.levelname for record in caplog.records] == ["INFO"]
    assert_is_a_log(store, here)


async def test_readers_do_not_disturb_a_command_under_way(handler: Handler, store: ScriptedStore) -> None:
    """A reader finds the commit in the log before the answer of the append is there, and folds it first."""
    table = await started(handler)

    async def read_before_the_answer(write: Write) -> None:
        await write()
        assert (await handler.table("g1")).version == table.version + 1

    store.script.append(read_before_the_answer)

    answer = await handler.submit("g1", simple_move(table), on_turn(table))

    assert answer.version == table.version + 1
    assert_is_a_log(store, handler)
