"""A game forked at a version goes on as a new game: the same past, tokens and chance of its own."""

import random
from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from tests.app.scripted import ScriptedStore
from tests.app.staging import Clock, creation, handler_on, on_turn, seated, simple_move, started, step
from tests.support.games import any_move, installed

from meldlog_contracts.commands import Draw, StartGame
from meldlog_contracts.events import DealStarted, GameForked, SeedsRevealed
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Origin, Table
from meldlog_contracts.verifier import verify
from meldlog_service.app.audit import audit
from meldlog_service.app.errors import GameExists, NoSuchGame, NoSuchVersion, Unauthenticated
from meldlog_service.app.forking import begin, fork
from meldlog_service.app.handler import Handler
from meldlog_service.app.seats import token_hash, who_is
from meldlog_service.app.tables import Entry
from meldlog_service.catalogue import Catalogue, PluginUnavailable
from meldlog_service.core import chain
from meldlog_service.core.moves import moves
from meldlog_service.core.views import SPECTATOR, conceal, redact
from meldlog_service.store.event_store import OutcomeUnknown, Pointer
from meldlog_service.store.memory import MemoryStore

NOBODY = token_hash("nobody is the operator here")


async def moved(handler: Handler, table: Table, times: int) -> Table:
    """After so many simple moves."""
    for _ in range(times):
        table = await step(handler, table)
    return table


async def played_out(handler: Handler, table: Table) -> Table:
    """At the end, played at random, the same way in every run."""
    choose = any_move(random.Random(7))
    while table.status == "playing":
        seat = table.deal.turn.seat
        seen = conceal(table, seat)
        command = choose(moves(seen, seat, handler.rules(table)), seen)
        table = (await handler.submit(table.game_id, command, on_turn(table))).table
    return table


async def lines_of(handler: Handler, game_id: str) -> list[bytes]:
    """The stored log."""
    return [line async for line in handler.lines(game_id)]


async def test_a_fork_has_the_same_past_and_goes_on_by_itself(handler: Handler) -> None:
    """Its log is the first commits of the old game as they are, then one that says where it comes from."""
    old = await moved(handler, await started(handler), 9)

    begun = await fork(handler, "g1", 8)
    new = begun.table.game_id

    past, mine = await lines_of(handler, "g1"), await lines_of(handler, new)
    assert mine[:8] == past[:8]
    forked = chain.decode(mine[8])
    (event,) = forked.events
    assert isinstance(event, GameForked)
    assert (event.from_game, event.version, event.head) == ("g1", 8, chain.decode(past[7]).hash)
    assert begun.table.origin == Origin("g1", 8, chain.decode(past[7]).hash)
    assert begun.table.deal.stock == (await handler.table("g1", 8)).deal.stock
    on = await moved(handler, begun.table, 6)
    assert (on.version, on.game_id) == (15, new)
    assert await handler.look("g1") == old


async def test_a_fork_is_listed_among_the_newest(
    handler: Handler, store: ScriptedStore, clock: Clock
) -> None:
    """It was created when it was forked."""
    await started(handler)
    clock.ms += 60_000
    begun = await fork(handler, "g1", 5)
    page = await store.page("playing", None, 10)
    assert page.items == [(begun.table.game_id, clock.ms), ("g1", clock.ms - 60_000)]


@pytest.mark.parametrize("reveal", ["deal", "game", "never"])
async def test_a_fork_that_is_played_out_audits_and_verifies(handler: Handler, reveal: str) -> None:
    """Forked in the middle of the first of two deals, whose seed is that of the old game."""
    command = replace(creation(house_rules={"deal_count": 2}), reveal=reveal)
    await moved(handler, await started(handler, command), 7)
    begun = await fork(handler, "g1", 9)

    over = await played_out(handler, begun.table)

    assert over.status == "finished"
    report = await audit(handler, over.game_id)
    assert (report.verdict, report.version) == ("agrees", over.version), report
    log = await lines_of(handler, over.game_id)
    for viewer in ("operator", SPECTATOR, 1):
        sent = [chain.canonical(redact(chain.decode(line), viewer)) for line in log]
        found = verify(sent)
        assert found.ok, found.text()
        assert found.game_id == over.game_id


async def test_the_future_of_a_fork_is_its_own(handler: Handler) -> None:
    """The next deal is shuffled by another seed; the seed revealed at the end is the fork's."""
    command = creation(house_rules={"deal_count": 2})
    await started(handler, command)
    old = await played_out(handler, await handler.look("g1"))
    begun = await fork(handler, "g1", 6)
    new = await played_out(handler, begun.table)

    def dealt(commits: Sequence[bytes], number: int) -> list[DealStarted]:
        events = [event for line in commits for event in chain.decode(line).events]
        return [event for event in events if isinstance(event, DealStarted) and event.number == number]

    logs = [await lines_of(handler, table.game_id) for table in (old, new)]
    assert dealt(logs[0], 1) == dealt(logs[1], 1)
    assert dealt(logs[0], 2)[0].stock.value != dealt(logs[1], 2)[0].stock.value
    revealed = [
        event.game_seed
        for log in logs
        for line in log
        for event in chain.decode(line).events
        if isinstance(event, SeedsRevealed)
    ]
    assert len(set(revealed)) == 2


async def test_the_tokens_of_the_old_game_open_nothing_in_the_fork(handler: Handler) -> None:
    """Neither the host's nor a seat's; the new ones do, each what it is for."""
    await started(handler, creation(bots={1: "plain"}))
    begun = await fork(handler, "g1", 4)
    table = begun.table
    old = (await handler.table("g1", 4)).seats

    assert {seat.token_hash for seat in table.seats if seat.token_hash} == {
        token_hash(token) for token in begun.seat_tokens.values()
    }
    assert not {seat.token_hash for seat in old if seat.token_hash} & {
        seat.token_hash for seat in table.seats
    }
    assert sorted(begun.seat_tokens) == [0, 2]
    assert who_is(begun.host_token, table, NOBODY).by == "host"
    assert who_is(begun.seat_tokens[2], table, NOBODY).by == "seat:2"
    for hash_of_old in [seat.token_hash for seat in old if seat.token_hash]:
        with pytest.raises(Unauthenticated):
            await handler.submit(table.game_id, Draw(source="stock"), on_turn(table), token_hash=hash_of_old)


async def test_a_game_that_has_not_begun_can_be_forked(handler: Handler) -> None:
    """Who sits there sits there; the host of the fork starts it."""
    await seated(handler, creation(seats=2))
    begun = await fork(handler, "g1", 2)
    assert [seat.name for seat in begun.table.seats] == ["player 0", None]
    assert sorted(begun.seat_tokens) == [0]
    with pytest.raises(Refused, match="empty"):
        await handler.submit(begun.table.game_id, StartGame(), "host")


async def test_a_fork_can_be_forked(handler: Handler) -> None:
    """Before and after the point where it was itself forked."""
    await moved(handler, await started(handler), 5)
    first = (await fork(handler, "g1", 7)).table
    await moved(handler, first, 3)

    second, beside = await fork(handler, first.game_id, 9), await fork(handler, first.game_id, 6)

    assert second.table.origin is not None
    assert (second.table.origin.game_id, second.table.origin.version) == (first.game_id, 9)
    assert beside.table.origin is not None
    assert (beside.table.origin.game_id, beside.table.origin.version) == ("g1", 6)
    for begun in (second, beside):
        over = await moved(handler, begun.table, 4)
        assert (await audit(handler, over.game_id)).verdict == "agrees"
        assert verify(await lines_of(handler, over.game_id)).ok


async def test_keys_used_in_the_old_game_are_free_in_the_fork(handler: Handler) -> None:
    """Nobody has asked for anything there yet; another worker who reads it knows that too."""
    table = await started(handler)
    move = simple_move(table)
    await handler.submit("g1", move, on_turn(table), command_id="mine")
    begun = await fork(handler, "g1", table.version)

    other = handler_on(handler.store, worker=1)
    answer = await other.submit(begun.table.game_id, move, on_turn(table), command_id="mine")

    assert not answer.replayed
    assert answer.version == begun.table.version + 1


async def test_a_turn_gets_its_time_anew(handler: Handler, store: ScriptedStore, clock: Clock) -> None:
    """Else the clock would end it at once."""
    table = await started(handler, creation(turn_seconds=30))
    clock.ms += 3_600_000
    begun = await fork(handler, "g1", table.version)
    due = dict(await store.due(clock.ms + 30_000, 10))
    assert due[begun.table.game_id] == clock.ms + 30_000


async def test_what_cannot_go_on_is_not_forked(handler: Handler) -> None:
    """A version that there is not, a game that there is not, and a game that is over."""
    table = await started(handler, creation(house_rules={"deal_count": 1}))
    with pytest.raises(NoSuchVersion):
        await fork(handler, "g1", table.version + 1)
    with pytest.raises(NoSuchGame):
        await fork(handler, "nowhere", 1)
    over = await played_out(handler, table)
    with pytest.raises(Refused, match="is over at version") as refused:
        await fork(handler, "g1", over.version)
    assert refused.value.code == "game_over"
    assert (await fork(handler, "g1", over.version - 1)).table.status == "playing"


async def test_a_game_is_not_forked_without_its_rules(handler: Handler) -> None:
    """Nobody could play it."""
    await started(handler)
    without = Handler(handler.store, Catalogue([]), cache_tables=10)
    with pytest.raises(PluginUnavailable):
        await fork(without, "g1", 3)


class Forgetful(MemoryStore):
    """Stores what it adopts, and loses the answer."""

    times = 0

    async def adopt(self, pointer: Pointer, commits: Sequence[bytes]) -> None:
        """See `EventStore.adopt`."""
        await super().adopt(pointer, commits)
        self.times += 1
        raise OutcomeUnknown("the answer was lost")


async def test_a_fork_whose_answer_was_lost_is_found() -> None:
    """It is sent again, which is refused, and what lies there is the very same commit."""
    store = Forgetful()
    handler = handler_on(store)
    await started(handler)
    begun = await fork(handler, "g1", 4)
    assert store.times == 1
    assert (await handler.look(begun.table.game_id)).version == 5


async def test_an_id_that_is_taken_is_not_taken_again(handler: Handler) -> None:
    """Whoever was first keeps it."""
    await started(handler)
    lines = await lines_of(handler, "g1")
    past = Entry("g1")
    for line in lines:
        past.take(chain.decode(line), line)
    begun = await begin(handler, past, lines, "g2")
    with pytest.raises(GameExists):
        await begin(handler, past, lines, "g2")
    assert (await handler.look("g2")) == begun.table
    assert installed() is handler.catalogue
