"""Commands and readings, as long as nothing goes wrong."""

import pytest
from tests.app.scripted import ScriptedStore, after
from tests.app.staging import creation, handler_on, on_turn, seated, simple_move, sit, started, step
from tests.support.games import installed

from meldlog_contracts.commands import (
    Batch,
    CreateGame,
    Discard,
    Draw,
    HandOverSeat,
    Resign,
    StartGame,
    TakeSeat,
)
from meldlog_contracts.events import SeatHandedOver
from meldlog_contracts.problems import Refused
from meldlog_service.app.errors import Contended, GameExists, NoSuchGame, NoSuchVersion, Stale
from meldlog_service.app.handler import Handler
from meldlog_service.catalogue import Catalogue, PluginUnavailable
from meldlog_service.core import chain
from meldlog_service.core.evolve import fold
from meldlog_service.metrics import Metrics
from meldlog_service.store.memory import MemoryStore


async def test_a_game_is_created_taken_seats_at_started_and_played(
    handler: Handler, store: ScriptedStore
) -> None:
    """Every command is one commit, and the handler's table is what the log folds to."""
    table = await started(handler)
    starter = on_turn(table)
    table = await step(handler, table)

    commits = [chain.decode(line) for line in store.log()]
    assert [commit.version for commit in commits] == list(range(1, table.version + 1))
    assert fold(commits) == table == await handler.table("g1")
    assert [commit.by for commit in commits] == ["host", "seat:0", "seat:1", "seat:2", "host", starter]


async def test_an_answer_holds_the_events_as_recorded_and_the_table_after_them(handler: Handler) -> None:
    """Events come sealed and open, so that every viewer's share can be cut from them."""
    table = await started(handler)
    answer = await handler.submit("g1", simple_move(table), on_turn(table))

    (commit,) = await handler.commits("g1", after=table.version)
    assert answer.events == commit.events
    assert (answer.version, answer.table.version, answer.replayed) == (commit.version, commit.version, False)


async def test_nothing_is_read_before_a_command_is_stored(handler: Handler, store: ScriptedStore) -> None:
    """A command that a cached table allows costs the store one append and no more."""
    table = await started(handler)
    store.reads = store.appends = 0

    await step(handler, table)

    assert (store.reads, store.appends) == (0, 1)


async def test_a_refusal_changes_nothing(handler: Handler, store: ScriptedStore) -> None:
    """The one who is not on turn is told so, and nothing is appended."""
    table = await started(handler)
    store.appends = 0
    other = (table.deal.turn.seat + 1) % 3

    with pytest.raises(Refused) as refused:
        await handler.submit("g1", Draw(source="stock"), f"seat:{other}")

    assert refused.value.code == "not_your_turn"
    assert store.appends == 0
    assert await handler.table("g1") == table


async def test_a_list_with_an_illegal_third_command_leaves_nothing(
    handler: Handler, store: ScriptedStore
) -> None:
    """All or nothing: the two good commands before it are not stored either."""
    table = await step(handler, await started(handler))
    before = list(store.log())
    seat = table.deal.turn.seat
    held = table.hand(seat)[0]
    discard = Discard(card=held, seat=seat)

    with pytest.raises(Refused) as refused:
        await handler.submit("g1", Batch((Draw(source="stock", seat=seat), discard, discard)), "operator")

    assert refused.value.faults[0].pointer.startswith("/commands/2")
    assert store.log() == before
    assert await handler.table("g1") == table


async def test_a_list_is_one_commit(handler: Handler) -> None:
    """What a list causes lies in one version."""
    table = await step(handler, await started(handler))
    seat = table.deal.turn.seat
    turn = (Draw(source="stock", seat=seat), Discard(card=table.hand(seat)[0], seat=seat))

    answer = await handler.submit("g1", Batch(turn), "operator")

    assert answer.version == table.version + 1
    assert answer.table.deal.turn.seat != seat


async def test_a_seats_own_command_is_recorded_without_the_seat(handler: Handler) -> None:
    """A seat may name itself; the log says the same either way."""
    table = await step(handler, await started(handler))
    seat = table.deal.turn.seat

    await handler.submit("g1", Batch((Draw(source="stock", seat=seat),)), f"seat:{seat}")
    drawn = await handler.table("g1")
    await handler.submit("g1", Discard(card=drawn.hand(seat)[0], seat=seat), f"seat:{seat}")

    batch, discard = await handler.commits("g1", after=table.version)
    assert batch.command == Batch((Draw(source="stock"),))
    assert discard.command == Discard(card=drawn.hand(seat)[0])


async def test_the_operator_acts_in_its_own_name_for_the_seat_it_names(handler: Handler) -> None:
    """The log tells a player's move from one made for the player."""
    table = await step(handler, await started(handler))
    seat = table.deal.turn.seat

    await handler.submit("g1", Draw(source="stock", seat=seat), "operator")

    (commit,) = await handler.commits("g1", after=table.version)
    assert (commit.by, commit.command) == ("operator", Draw(source="stock", seat=seat))


async def test_if_match_lets_a_command_through_at_that_version_alone(handler: Handler) -> None:
    """Whoever looked at an older table is told, and nothing happens."""
    table = await step(handler, await started(handler))

    with pytest.raises(Stale) as stale:
        await handler.submit("g1", simple_move(table), on_turn(table), if_match=table.version - 1)
    assert stale.value.version == table.version

    answer = await handler.submit("g1", simple_move(table), on_turn(table), if_match=table.version)
    assert answer.version == table.version + 1


async def test_the_table_can_be_had_at_every_version(handler: Handler) -> None:
    """Looking back folds the log up to there."""
    tables = [await started(handler)]
    for _ in range(4):
        tables.append(await step(handler, tables[-1]))

    for table in tables:
        assert await handler.table("g1", at=table.version) == table
    for version in (0, -1, tables[-1].version + 1):
        with pytest.raises(NoSuchVersion) as missing:
            await handler.table("g1", at=version)
        assert missing.value.last == tables[-1].version


async def test_a_game_that_there_is_not_is_not_found(handler: Handler) -> None:
    """Neither read nor played, and it takes no place in the cache."""
    with pytest.raises(NoSuchGame):
        await handler.table("nowhere")
    with pytest.raises(NoSuchGame):
        await handler.commits("nowhere")
    with pytest.raises(NoSuchGame):
        await handler.submit("nowhere", StartGame(), "host")
    assert [commit async for commit in handler.scan("nowhere")] == []


async def test_the_known_table_costs_no_reading(handler: Handler, store: ScriptedStore) -> None:
    """Once it is known; it may be older than the store's."""
    there = handler_on(MemoryStore(store.shelf), worker=1)
    table = await started(handler)
    assert await there.known("g1") == table
    newer = await step(there, table)
    store.reads = 0

    assert await handler.known("g1") == table
    assert store.reads == 0
    assert await handler.table("g1") == newer
    with pytest.raises(NoSuchGame):
        await handler.known("nowhere")


async def test_commits_can_be_read_in_parts(handler: Handler) -> None:
    """After a version, at most so many; none after the last."""
    table = await started(handler)

    assert [commit.version for commit in await handler.commits("g1", after=1, limit=2)] == [2, 3]
    assert await handler.commits("g1", after=table.version) == []
    assert [commit.version async for commit in handler.scan("g1", after=3)] == [4, 5]


async def test_two_games_of_one_id_cannot_be(handler: Handler) -> None:
    """The first stays as it is."""
    table = await seated(handler, creation())

    with pytest.raises(GameExists):
        await handler.create(creation(seats=4))

    assert await handler.table("g1") == table


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(TakeSeat(2, "b", "bot", "clever"), id="seated"),
        pytest.param(HandOverSeat(2, "clever"), id="handed over"),
    ],
)
async def test_a_bot_that_there_is_not_is_not_seated(
    handler: Handler, command: TakeSeat | HandOverSeat
) -> None:
    """A misspelt strategy is named at once, and not when its turn comes."""
    await handler.create(creation())

    with pytest.raises(
        Refused, match="there is no bot 'clever': there are patient, plain, random"
    ) as refused:
        await handler.submit("g1", command, "host")

    assert refused.value.faults[0].pointer == "/strategy"


async def test_a_game_with_a_bot_that_there_is_not_is_not_created(handler: Handler) -> None:
    """The pointer leads to the seat."""
    with pytest.raises(Refused) as refused:
        await handler.create(creation(bots={1: "clever"}))

    assert refused.value.faults[0].pointer == "/bots/1"
    with pytest.raises(NoSuchGame):
        await handler.table("g1")


async def test_whoever_resigns_leaves_the_hand_to_a_bot(handler: Handler) -> None:
    """The old token opens nothing any more."""
    await started(handler)

    answer = await handler.submit("g1", Resign(), "seat:1")

    assert answer.events == (SeatHandedOver(1, "bot", "plain"),)
    assert answer.table.seats[1].token_hash is None


async def test_two_workers_serve_one_game_alternately_without_a_stale_answer(store: ScriptedStore) -> None:
    """Each command goes to the worker that did not see the last one, and is judged at the newest table all the same."""
    workers = [handler_on(store), handler_on(ScriptedStore(store.shelf), worker=1)]
    table = await started(workers[0])
    await workers[1].table("g1")

    for turn in range(40):
        worker, other = workers[turn % 2], workers[1 - turn % 2]
        bystander = (table.deal.turn.seat + 1) % 3
        mover = table.deal.turn.seat
        table = await step(worker, table)
        assert await other.table("g1") == table
        with pytest.raises(Refused) as refused:
            await workers[turn % 2].submit("g1", Discard(card=table.hand(bystander)[0]), f"seat:{bystander}")
        expected = "not_your_turn" if table.deal.turn.seat == mover else "wrong_phase"
        assert refused.value.code == expected


async def test_a_refusal_from_an_old_table_is_not_given(store: ScriptedStore) -> None:
    """The other worker has moved on: what was out of turn there is in turn now, and nobody has to look first."""
    here, there = handler_on(store), handler_on(ScriptedStore(store.shelf), worker=1)
    table = await started(here)
    await there.table("g1")
    mover = table.deal.turn.seat
    while table.deal.turn.seat == mover:
        table = await step(here, table)

    answer = await there.submit("g1", Draw(source="stock"), on_turn(table))

    assert answer.version == table.version + 1


async def test_if_match_with_a_version_that_only_another_worker_knows_is_honoured(
    store: ScriptedStore,
) -> None:
    """A cache that is behind is no reason for a 412."""
    here, there = handler_on(store), handler_on(ScriptedStore(store.shelf), worker=1)
    table = await started(here)
    await there.table("g1")
    table = await step(here, table)

    answer = await there.submit("g1", simple_move(table), on_turn(table), if_match=table.version)

    assert answer.version == table.version + 1


async def test_a_command_that_lost_a_race_is_judged_again(store: ScriptedStore) -> None:
    """Somebody sits down between judging and storing: the seat of the later one is still free, so both sit."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    await here.create(creation())
    store.script.append(after(lambda: sit(there, "g1", 0)))

    answer = await sit(here, "g1", 1)

    assert answer.version == 3
    assert [seat.name for seat in answer.table.seats] == ["player 0", "player 1", None]


async def test_a_command_that_lost_a_race_for_its_own_place_is_refused(store: ScriptedStore) -> None:
    """Both want the same seat: one sits there, and the log has one new entry."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    await here.create(creation())
    store.script.append(after(lambda: sit(there, "g1", 0)))

    with pytest.raises(Refused) as refused:
        await sit(here, "g1", 0)

    assert refused.value.code == "seat_taken"
    assert len(store.log()) == 2


async def test_with_if_match_a_lost_race_is_stale(store: ScriptedStore) -> None:
    """The caller meant the table as it was."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    await here.create(creation())
    store.script.append(after(lambda: sit(there, "g1", 0)))

    with pytest.raises(Stale) as stale:
        await here.submit("g1", TakeSeat(1, "ann"), "seat:1", if_match=1)

    assert stale.value.version == 2


async def test_whoever_loses_every_race_is_told_to_come_again(store: ScriptedStore) -> None:
    """Three more tries, then an honest answer instead of an endless loop; nothing of it is stored."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    await here.create(creation(seats=6))
    for seat in range(4):
        store.script.append(after(lambda seat=seat: sit(there, "g1", seat)))  # type: ignore[misc]

    with pytest.raises(Contended):
        await sit(here, "g1", 5)

    assert [seat.name for seat in (await here.table("g1")).seats[4:]] == [None, None]


async def test_a_game_whose_rules_are_not_installed_can_be_read_and_not_played(store: ScriptedStore) -> None:
    """Reading needs no plugin; a command says what is missing."""
    table = await started(handler_on(store))
    bare = Handler(MemoryStore(store.shelf), Catalogue([]), cache_tables=10)

    assert await bare.table("g1") == table
    with pytest.raises(PluginUnavailable):
        await bare.submit("g1", simple_move(table), on_turn(table))
    with pytest.raises(PluginUnavailable):
        bare.rules(table)


async def test_the_ruleset_of_a_game_is_the_one_it_recorded(handler: Handler) -> None:
    """Whether the game is cached or not."""
    table = await started(handler)

    assert handler.rules(table) is handler_on(MemoryStore()).rules(table)


async def test_commands_are_counted_by_how_they_ended(store: ScriptedStore) -> None:
    """Accepted, refused, stale; replays and failures have tests of their own."""
    metrics = Metrics({})
    handler = Handler(store, installed(), cache_tables=10, metrics=metrics)
    command: CreateGame = creation()
    await handler.create(command)
    await handler.submit("g1", TakeSeat(0, "ann"), "seat:0", command_id="a")
    await handler.submit("g1", TakeSeat(0, "ann"), "seat:0", command_id="a")
    with pytest.raises(Refused):
        await handler.submit("g1", StartGame(), "host")
    with pytest.raises(Stale):
        await handler.submit("g1", StartGame(), "host", if_match=1)

    text = metrics.exposition().decode()
    for line in (
        'meldlog_commands_total{outcome="accepted"} 2.0',
        'meldlog_commands_total{outcome="replayed"} 1.0',
        'meldlog_commands_total{outcome="refused"} 1.0',
        'meldlog_commands_total{outcome="stale"} 1.0',
        "meldlog_append_seconds_count 2.0",
        "meldlog_cached_tables 1.0",
    ):
        assert line in text.splitlines()
