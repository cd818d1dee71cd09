"""What becomes of commands when answers get lost or the store can't be reached."""

import pytest
from tests.app.scripted import (
    Append,
    ScriptedStore,
    Write,
    after,
    lost_after_it_was_stored,
    lost_before_it_was_stored,
    stored_in_one_place_only,
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

from meldlog_contracts.commands import TakeSeat
from meldlog_contracts.problems import Refused
from meldlog_service.app.errors import Contended, GameExists
from meldlog_service.app.handler import Handler
from meldlog_service.store.event_store import NotDurable, OutcomeUnknown, StoreUnavailable
from meldlog_service.store.memory import MemoryStore


async def test_a_command_that_was_stored_though_its_answer_was_lost_is_found(
    handler: Handler, store: ScriptedStore
) -> None:
    """The log is read before anything is sent again, and shows it: one entry, an ordinary answer."""
    notes = Notes()
    handler.observe(notes)
    table = await started(handler)
    store.script.append(lost_after_it_was_stored)
    store.appends = 0

    answer = await handler.submit("g1", simple_move(table), on_turn(table))

    assert (answer.version, answer.replayed, store.appends) == (table.version + 1, False, 1)
    assert notes.heard[-1] == ("committed", answer.version)
    assert_is_a_log(store, handler)


async def test_a_command_that_was_not_stored_is_sent_again(handler: Handler, store: ScriptedStore) -> None:
    """The log does not show it, so it is judged and appended once more."""
    table = await started(handler)
    store.script.append(lost_before_it_was_stored)
    before = len(store.log())

    answer = await handler.submit("g1", simple_move(table), on_turn(table))

    assert (answer.version, answer.replayed) == (table.version + 1, False)
    assert len(store.log()) == before + 1
    assert_is_a_log(store, handler)


async def test_a_command_that_arrives_late_is_not_stored_twice(
    handler: Handler, store: ScriptedStore
) -> None:
    """The lost append lands after the log was read: the second append meets it, and it is recognised."""
    table = await started(handler)
    late: list[Write] = []

    async def delayed(write: Write) -> None:
        late.append(write)
        raise OutcomeUnknown("the answer was lost")

    async def lands() -> None:
        await late[0]()

    store.script.extend([delayed, after(lands)])
    before = len(store.log())

    answer = await handler.submit("g1", simple_move(table), on_turn(table))

    assert (answer.version, answer.replayed) == (table.version + 1, False)
    assert len(store.log()) == before + 1
    assert_is_a_log(store, handler)


async def test_a_lost_answer_and_a_lost_race_together_are_sorted_out(store: ScriptedStore) -> None:
    """Another worker wrote the version meanwhile: the command follows it, once."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    await here.create(creation())
    store.script.append(after(lambda: sit(there, "g1", 0), then=lost_before_it_was_stored))

    answer = await sit(here, "g1", 1)

    assert (answer.version, answer.replayed, len(store.log())) == (3, False, 3)
    assert_is_a_log(store, here)


async def test_a_command_is_not_sent_for_ever(handler: Handler, store: ScriptedStore) -> None:
    """After four lost answers it is said that nobody knows; the game then goes on from what the log says."""
    notes = Notes()
    table = await started(handler)
    handler.observe(notes)
    store.script.extend([lost_before_it_was_stored] * 4)
    store.appends = 0

    with pytest.raises(OutcomeUnknown):
        await handler.submit("g1", simple_move(table), on_turn(table))

    assert store.appends == 4
    assert notes.heard == [("doubtful", "g1")]
    await step(handler, table)
    assert_is_a_log(store, handler)


@pytest.mark.parametrize("how", [lost_before_it_was_stored, lost_after_it_was_stored])
async def test_when_nothing_can_be_read_nobody_knows_and_a_repeat_finds_out(
    handler: Handler, store: ScriptedStore, how: Append
) -> None:
    """The answer is lost and then the store: the same key, later, has the one effect."""
    table = await started(handler)
    command, by = simple_move(table), on_turn(table)
    store.script.append(how)
    store.reads_fail = 1
    with pytest.raises(OutcomeUnknown):
        await handler.submit("g1", command, by, command_id="k")

    answer = await handler.submit("g1", command, by, command_id="k")

    assert (answer.version, answer.replayed) == (table.version + 1, how is lost_after_it_was_stored)
    assert_is_a_log(store, handler)


async def test_after_a_lost_answer_an_unreachable_store_is_no_proof(
    handler: Handler, store: ScriptedStore
) -> None:
    """The first append may still arrive, so it is not said that nothing was stored."""
    table = await started(handler)
    store.script.extend([lost_before_it_was_stored, unavailable])

    with pytest.raises(OutcomeUnknown):
        await handler.submit("g1", simple_move(table), on_turn(table))


async def test_a_commit_that_may_yet_be_lost_is_no_success(handler: Handler, store: ScriptedStore) -> None:
    """What the durability setting promises did not happen; the game goes on from the commit all the same."""
    table = await started(handler)
    store.script.append(stored_in_one_place_only)

    with pytest.raises(NotDurable):
        await handler.submit("g1", simple_move(table), on_turn(table), command_id="k")

    again = await handler.submit("g1", simple_move(table), on_turn(table), command_id="k")
    assert (again.version, again.replayed) == (table.version + 1, True)
    await step(handler, await handler.table("g1"))
    assert_is_a_log(store, handler)


@pytest.mark.parametrize("how", [lost_before_it_was_stored, lost_after_it_was_stored])
async def test_a_creation_whose_answer_was_lost_makes_one_game(
    handler: Handler, store: ScriptedStore, how: Append
) -> None:
    """Stored or not, in the end the game is there, by this request."""
    store.script.append(how)

    answer = await handler.create(creation())

    assert (answer.version, answer.replayed, len(store.log())) == (1, False, 1)
    assert_is_a_log(store, handler)


async def test_a_creation_of_which_nobody_knows_is_reported(handler: Handler, store: ScriptedStore) -> None:
    """Lost answers again and again, or a store that is gone after one."""
    store.script.extend([lost_before_it_was_stored] * 4)
    with pytest.raises(OutcomeUnknown):
        await handler.create(creation())

    store.script.extend([lost_before_it_was_stored, unavailable])
    with pytest.raises(OutcomeUnknown):
        await handler.create(creation())

    store.script.append(stored_in_one_place_only)
    with pytest.raises(NotDurable):
        await handler.create(creation())
    with pytest.raises(GameExists):
        await handler.create(creation())


async def test_whoever_loses_races_after_a_lost_answer_is_told_the_truth(store: ScriptedStore) -> None:
    """Every version that the lost append could have become is somebody else's: it was not stored."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    await here.create(creation(seats=6))
    store.script.append(after(lambda: sit(there, "g1", 0), then=lost_before_it_was_stored))
    for seat in (1, 2, 3):
        store.script.append(after(lambda seat=seat: sit(there, "g1", seat)))  # type: ignore[misc]

    with pytest.raises(Contended):
        await sit(here, "g1", 5)


async def test_a_lost_race_and_a_lost_store_leave_nothing_in_doubt(store: ScriptedStore) -> None:
    """A conflict is a definite no, so when nothing can be read after it, nothing was stored."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    await here.create(creation())

    async def first_and_gone() -> None:
        await sit(there, "g1", 0)
        store.reads_fail = 1

    store.script.append(after(first_and_gone))
    with pytest.raises(StoreUnavailable):
        await sit(here, "g1", 1)

    assert len(store.log()) == 2
    await sit(here, "g1", 1)
    assert_is_a_log(store, here)


async def test_an_unreachable_store_stores_nothing(handler: Handler, store: ScriptedStore) -> None:
    """The command fails, and goes through as soon as the store is back."""
    table = await started(handler)
    store.script.append(unavailable)

    with pytest.raises(StoreUnavailable):
        await handler.submit("g1", simple_move(table), on_turn(table))

    await step(handler, table)
    assert_is_a_log(store, handler)


async def test_a_refusal_is_not_given_when_it_cannot_be_checked(
    handler: Handler, store: ScriptedStore
) -> None:
    """A cached table may be old: without the log nobody can say that the command is out of turn."""
    table = await started(handler)
    store.reads_fail = 1

    with pytest.raises(StoreUnavailable):
        await handler.submit("g1", TakeSeat(0, "ann"), "seat:0")

    with pytest.raises(Refused):
        await handler.submit("g1", TakeSeat(0, "ann"), "seat:0")
    assert (await handler.table("g1")) == table


async def test_a_failed_reading_leaves_nothing_behind(store: ScriptedStore) -> None:
    """A game that could not be read is not half cached."""
    table = await started(handler_on(store))
    handler = handler_on(store, worker=1)
    store.reads_fail = 1

    with pytest.raises(StoreUnavailable):
        await handler.table("g1")

    assert await handler.table("g1") == table
