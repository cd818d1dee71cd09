"""A key makes a retry safe: one effect, and the first answer again."""

import asyncio

import pytest
from tests.app.scripted import Gate, ScriptedStore, after
from tests.app.staging import Clock, creation, handler_on, on_turn, seated, simple_move, started, step

from meldlog_contracts.commands import Discard, Draw, LeaveSeat, StartGame, TakeSeat
from meldlog_contracts.problems import Refused
from meldlog_service.app.errors import KeyReused, Unauthenticated
from meldlog_service.app.handler import Handler
from meldlog_service.app.tables import LOBBY_KEYS, Keys
from meldlog_service.store.memory import MemoryStore


async def test_the_same_command_with_the_same_key_is_answered_again(
    handler: Handler, store: ScriptedStore
) -> None:
    """Version and events are those of the first answer, though the game has gone on meanwhile."""
    table = await started(handler)
    command, by = simple_move(table), on_turn(table)
    first = await handler.submit("g1", command, by, command_id="k")
    newest = await step(handler, first.table)
    entries = len(store.log())

    again = await handler.submit("g1", command, by, command_id="k", if_match=table.version)

    assert (again.version, again.events, again.replayed) == (first.version, first.events, True)
    assert again.table == newest
    assert len(store.log()) == entries


async def test_another_command_with_the_same_key_is_refused(handler: Handler) -> None:
    """It is told which version the key belongs to."""
    table = await started(handler)
    first = await handler.submit("g1", simple_move(table), on_turn(table), command_id="k")

    with pytest.raises(KeyReused) as reused:
        await handler.submit("g1", Discard(card=table.hand(0)[-1]), on_turn(table), command_id="k")

    assert reused.value.version == first.version


async def test_keys_of_different_seats_do_not_meet(handler: Handler) -> None:
    """Two players count from one: each key is their own."""
    table = await started(handler)
    first = await handler.submit("g1", simple_move(table), on_turn(table), command_id="1")

    second = await handler.submit("g1", simple_move(first.table), on_turn(first.table), command_id="1")

    assert not second.replayed


async def test_the_operators_keys_are_scoped_by_the_seat_it_acts_for(handler: Handler) -> None:
    """Users of one back end don't meet either."""
    table = await step(handler, await started(handler))
    seat = table.deal.turn.seat
    table = (await handler.submit("g1", Draw(source="stock", seat=seat), "operator", command_id="1")).table
    table = await step(handler, table)
    following = table.deal.turn.seat

    other = await handler.submit("g1", Draw(source="stock", seat=following), "operator", command_id="1")
    again = await handler.submit("g1", Draw(source="stock", seat=seat), "operator", command_id="1")

    assert (other.replayed, again.replayed) == (False, True)


async def test_twenty_equal_requests_at_once_have_one_effect(handler: Handler, store: ScriptedStore) -> None:
    """Nineteen wait for the first and are given its answer."""
    table = await started(handler)
    before = len(store.log())

    answers = await asyncio.gather(
        *(handler.submit("g1", simple_move(table), on_turn(table), command_id="k") for _ in range(20))
    )

    assert len({answer.version for answer in answers}) == len({answer.events for answer in answers}) == 1
    assert sum(answer.replayed for answer in answers) == 19
    assert len(store.log()) == before + 1


async def test_a_repeat_waits_for_the_first_that_is_under_way(handler: Handler, store: ScriptedStore) -> None:
    """It is neither refused nor appended beside it."""
    table = await started(handler)
    gate = Gate()
    store.script.append(gate)
    store.appends = 0

    first = asyncio.create_task(handler.submit("g1", simple_move(table), on_turn(table), command_id="k"))
    await gate.reached.wait()
    second = asyncio.create_task(handler.submit("g1", simple_move(table), on_turn(table), command_id="k"))
    await asyncio.sleep(0)
    gate.opened.set()

    assert [(await task).replayed for task in (first, second)] == [False, True]
    assert store.appends == 1


async def test_twenty_equal_requests_at_two_workers_have_one_effect(store: ScriptedStore) -> None:
    """Whoever comes second at the store finds the key in the log."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    table = await started(here)
    await there.table("g1")
    before = len(store.log())

    answers = await asyncio.gather(
        *(
            worker.submit("g1", simple_move(table), on_turn(table), command_id="k")
            for worker in (here, there) * 10
        )
    )

    assert len({answer.version for answer in answers}) == 1
    assert sum(answer.replayed for answer in answers) == 19
    assert len(store.log()) == before + 1


async def test_a_repeat_that_another_worker_gets_is_recognised(store: ScriptedStore) -> None:
    """Even where its cache is older than the key, and the command would be refused as out of turn."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    table = await started(here)
    await there.table("g1")
    first = await here.submit("g1", simple_move(table), on_turn(table), command_id="k")

    again = await there.submit("g1", simple_move(table), on_turn(table), command_id="k")

    assert (again.version, again.replayed) == (first.version, True)


async def test_a_repeat_that_overtakes_the_first_at_another_worker_is_recognised(
    store: ScriptedStore,
) -> None:
    """The first finds itself beaten by its own repeat."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    table = await started(here)
    command, by = simple_move(table), on_turn(table)
    store.script.append(after(lambda: there.submit("g1", command, by, command_id="k")))

    answer = await here.submit("g1", command, by, command_id="k")

    assert (answer.version, answer.replayed) == (table.version + 1, True)


async def test_keys_are_known_after_a_restart(store: ScriptedStore) -> None:
    """They lie in the log."""
    table = await started(handler_on(store))
    command, by = simple_move(table), on_turn(table)
    first = await handler_on(store, worker=1).submit("g1", command, by, command_id="k")

    again = await handler_on(store, worker=2).submit("g1", command, by, command_id="k")

    assert (again.version, again.replayed) == (first.version, True)


async def test_the_key_of_the_lobby_is_known_during_the_game(handler: Handler) -> None:
    """A repeated start starts nothing, and is no error."""
    await seated(handler, creation())
    first = await handler.submit("g1", StartGame(), "host", command_id="start")
    await step(handler, first.table)

    again = await handler.submit("g1", StartGame(), "host", command_id="start")

    assert (again.version, again.replayed) == (first.version, True)
    with pytest.raises(Refused, match="started already"):
        await handler.submit("g1", StartGame(), "host", command_id="another")


async def test_a_creation_is_repeatable(handler: Handler, store: ScriptedStore) -> None:
    """With the same id, key and content the game is there once; with another content it is refused."""
    first = await handler.create(creation(), command_id="k")

    again = await handler.create(creation(), command_id="k")
    with pytest.raises(KeyReused):
        await handler.create(creation(seats=4), command_id="k")

    assert (first.replayed, again.replayed, again.events) == (False, True, first.events)
    assert len(store.log()) == 1


async def test_a_repeat_of_sitting_down_needs_no_second_token(handler: Handler) -> None:
    """Each request brings a token of its own; the first one's opens the seat."""
    await handler.create(creation())
    await handler.submit("g1", TakeSeat(0, "ann", token_hash="a" * 64), "seat:0", command_id="k")

    again = await handler.submit("g1", TakeSeat(0, "ann", token_hash="b" * 64), "seat:0", command_id="k")
    with pytest.raises(KeyReused):
        await handler.submit("g1", TakeSeat(0, "bea", token_hash="c" * 64), "seat:0", command_id="k")

    assert again.replayed
    assert again.table.seats[0].token_hash == "a" * 64


def test_keys_are_kept_for_a_deal_and_the_deal_before() -> None:
    """What is older is forgotten; the lobby's are kept, up to a bound."""
    keys = Keys()
    keys.note("host", "start", 5, 0)
    keys.next_deal()
    keys.note("seat:0", "a", 6, 1)
    keys.next_deal()
    keys.note("seat:0", "b", 7, 2)
    assert [keys.find("seat:0", key) for key in "abc"] == [6, 7, None]

    keys.next_deal()

    assert [keys.find("seat:0", key) for key in "ab"] == [None, 7]
    assert keys.find("host", "start") == 5
    for number in range(LOBBY_KEYS):
        keys.note("newcomer", str(number), number + 10, 0)
    assert keys.find("host", "start") is None
    assert len(keys) == LOBBY_KEYS + 1


async def test_coming_and_going_in_the_lobby_fills_no_memory(handler: Handler) -> None:
    """Whoever sits down and stands up again and again is remembered a bounded number of times."""
    await handler.create(creation())
    for _ in range(LOBBY_KEYS // 2 + 5):
        await handler.submit("g1", TakeSeat(0, "ann"), "seat:0")
        await handler.submit("g1", LeaveSeat(0), "seat:0")

    entry = handler._tables.peek("g1")

    assert entry is not None
    assert len(entry.keys) == LOBBY_KEYS


@pytest.mark.parametrize("dry_run", [False, True])
async def test_who_held_the_seat_before_is_told_no_answer_of_its_next_holder(
    store: ScriptedStore, handler: Handler, clock: Clock, *, dry_run: bool
) -> None:
    """Keys stand in the log for all to read; a worker that is behind still knows the old token."""
    behind = handler_on(store, clock=clock)
    await seated(handler, creation(seats=2))
    await behind.table("g1")
    old = (await handler.table("g1")).seats[1].token_hash
    await handler.submit("g1", LeaveSeat(1), "seat:1")
    await handler.submit("g1", TakeSeat(1, "bob", token_hash="b" * 64), "seat:1")
    table = (await handler.submit("g1", StartGame(), "host")).table
    while table.deal.turn.seat != 1 or table.deal.turn.phase != "draw":
        table = await step(handler, table)
    await handler.submit("g1", Draw("stock"), "seat:1", command_id="k", token_hash="b" * 64)

    with pytest.raises(Unauthenticated):
        await behind.submit("g1", Draw("stock"), "seat:1", command_id="k", token_hash=old, dry_run=dry_run)
