"""What is written beside the log."""

from tests.app.scripted import ScriptedStore
from tests.app.staging import Clock, creation, handler_on, on_turn, seated, simple_move, started, step
from tests.support.games import START_MS, played

from meldlog_contracts.commands import Resign, StartGame
from meldlog_service.app.envelope import pointer_of


async def test_the_pointer_says_where_the_game_stands(store: ScriptedStore, clock: Clock) -> None:
    """Status, when it was created, and when the clock must look again: a turn's seconds after it began."""
    handler = handler_on(store, clock=clock)
    await seated(handler, creation(turn_seconds=30))
    pointer = store.shelf.pointers["g1"]
    assert (pointer.version, pointer.type, pointer.status) == (4, "take_seat", "open")
    assert (pointer.created_ms, pointer.deadline_ms) == (START_MS, None)

    clock.ms += 5_000
    table = (await handler.submit("g1", StartGame(), "host")).table
    assert store.shelf.pointers["g1"].deadline_ms == START_MS + 35_000

    clock.ms += 1_000
    await handler.submit("g1", simple_move(table), on_turn(table))
    pointer = store.shelf.pointers["g1"]
    assert (pointer.type, pointer.status) == ("discard", "playing")
    assert (pointer.created_ms, pointer.deadline_ms) == (START_MS, START_MS + 36_000)


async def test_the_pointer_can_be_made_again_from_the_log(store: ScriptedStore, clock: Clock) -> None:
    """At every version it is the one that was written with the commit."""
    handler = handler_on(store, clock=clock)
    table = await started(handler, creation(turn_seconds=30))
    for _ in range(4):
        clock.ms += 700
        table = await step(handler, table)
        assert pointer_of(store.log()) == store.shelf.pointers["g1"]

    await handler.submit("g1", Resign(), on_turn(table))
    assert pointer_of(store.log()) == store.shelf.pointers["g1"]


def test_a_game_that_is_over_is_on_no_clock() -> None:
    """Whatever deadline its last turn had."""
    game = played(3, house_rules={"deal_count": 1})

    pointer = pointer_of(game.lines)

    assert (pointer.status, pointer.deadline_ms) == ("finished", None)
