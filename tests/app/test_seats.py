"""Tokens, and who is asking."""

import asyncio

import pytest
from tests.app.scripted import ScriptedStore, after
from tests.app.staging import creation, handler_on, simple_move, sit, started

from meldlog_contracts.commands import HandOverSeat, LeaveSeat, Resign, StartGame, TakeSeat
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Seat, Table
from meldlog_service.app.errors import KeyReused, Unauthenticated
from meldlog_service.app.handler import Handler
from meldlog_service.app.seats import (
    Caller,
    free_seat,
    new_game_id,
    new_token,
    take_seat,
    token_hash,
    who_is,
)
from meldlog_service.store.memory import MemoryStore

OPERATOR_HASH = token_hash("operator's")
TABLE = Table(
    seats=(Seat("ann", token_hash=token_hash("ann's")), Seat(), Seat("bot", "bot")),
    host_token_hash=token_hash("host's"),
)


def test_tokens_and_ids_are_long_and_never_the_same() -> None:
    """A token is 32 random bytes, an id 100 bits, and both are fit for a URL."""
    tokens = {new_token() for _ in range(100)}
    ids = {new_game_id() for _ in range(100)}

    assert len(tokens) == len(ids) == 100
    assert all(token.startswith("mt_") and len(token) == 46 for token in tokens)
    assert all(len(name) == 20 and name.isalnum() and name == name.lower() for name in ids)
    # The example of FIPS 180-4.
    assert token_hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@pytest.mark.parametrize(
    ("token", "caller"),
    [
        (None, Caller("spectator", None)),
        ("ann's", Caller(0, "seat:0", token_hash=token_hash("ann's"))),
        ("host's", Caller("spectator", "host")),
        ("operator's", Caller("operator", "operator", is_operator=True)),
    ],
)
def test_a_token_opens_what_it_was_given_for(token: str | None, caller: Caller) -> None:
    """A seat, the host's powers, or everything; none makes a spectator."""
    assert who_is(token, TABLE, OPERATOR_HASH) == caller


@pytest.mark.parametrize("token", ["", "somebody's", token_hash("ann's"), "é"])
def test_any_other_token_opens_nothing(token: str) -> None:
    """Neither the empty one at an empty seat, nor the hash itself."""
    with pytest.raises(Unauthenticated):
        who_is(token, TABLE, OPERATOR_HASH)
    with pytest.raises(Unauthenticated):
        who_is(token, Table(), "")


async def test_the_token_of_a_seat_that_was_handed_over_opens_nothing(handler: Handler) -> None:
    """The bot's seat is nobody's any more."""
    await handler.create(creation(seats=2, bots={1: "plain"}))
    await take_seat(handler, "g1", TakeSeat(0, "ann", token_hash=token_hash("ann's")))
    await handler.submit("g1", StartGame(), "host")
    table = (await handler.submit("g1", Resign(), "seat:0")).table

    with pytest.raises(Unauthenticated):
        who_is("ann's", table, OPERATOR_HASH)


async def test_whoever_does_not_mind_gets_the_first_free_seat(handler: Handler) -> None:
    """The others keep theirs; a full table has no room."""
    await handler.create(creation())
    await sit(handler, "g1", 1)

    await take_seat(handler, "g1", TakeSeat(0, "ann"), any_seat=True)
    table = (await take_seat(handler, "g1", TakeSeat(0, "bea"), any_seat=True)).table

    assert [seat.name for seat in table.seats] == ["ann", "player 1", "bea"]
    assert free_seat(table) is None
    with pytest.raises(Refused) as refused:
        await take_seat(handler, "g1", TakeSeat(0, "cyd"), any_seat=True)
    assert refused.value.code == "seat_taken"


async def test_many_who_sit_down_at_once_all_find_a_seat(store: ScriptedStore) -> None:
    """Through two workers, six people for six seats."""
    workers = [handler_on(MemoryStore(store.shelf), worker=worker) for worker in range(2)]
    await workers[0].create(creation(seats=6))

    await asyncio.gather(
        *(
            take_seat(workers[number % 2], "g1", TakeSeat(0, f"p{number}"), any_seat=True)
            for number in range(6)
        )
    )

    names = sorted(seat.name or "" for seat in (await workers[0].table("g1")).seats)
    assert names == [f"p{number}" for number in range(6)]


async def test_a_seat_that_is_taken_meanwhile_is_replaced_by_another(store: ScriptedStore) -> None:
    """Only for whoever does not mind."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    await here.create(creation())
    store.script.append(after(lambda: sit(there, "g1", 0)))

    answer = await take_seat(here, "g1", TakeSeat(0, "ann"), any_seat=True)

    assert [seat.name for seat in answer.table.seats] == ["player 0", "ann", None]
    with pytest.raises(Refused):
        await take_seat(here, "g1", TakeSeat(0, "bea"))


async def test_a_double_click_takes_one_seat(handler: Handler) -> None:
    """The same key, another token: whichever seat it became, the answer is about that one."""
    await handler.create(creation())
    answers = await asyncio.gather(
        *(
            take_seat(
                handler, "g1", TakeSeat(0, "ann", token_hash=f"{number:064x}"), any_seat=True, command_id="k"
            )
            for number in range(5)
        )
    )

    assert sorted(answer.replayed for answer in answers) == [False, True, True, True, True]
    assert [seat.name for seat in (await handler.table("g1")).seats] == ["ann", None, None]
    with pytest.raises(KeyReused):
        await take_seat(handler, "g1", TakeSeat(0, "bea"), any_seat=True, command_id="k")


async def test_a_token_that_opened_the_seat_a_moment_ago_moves_nothing(store: ScriptedStore) -> None:
    """The seat was given to a bot through another worker: at the table where the command is judged it is not theirs."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    table = await started(here)
    seat = table.deal.turn.seat
    token = table.seats[seat].token_hash
    await there.submit("g1", HandOverSeat(seat, "plain"), "operator")

    for dry_run in (False, True):
        with pytest.raises(Unauthenticated):
            await here.submit("g1", simple_move(table), f"seat:{seat}", token_hash=token, dry_run=dry_run)

    assert len(store.log()) == table.version + 1


async def test_a_lost_race_against_a_hand_over_is_noticed(store: ScriptedStore) -> None:
    """Between judging and storing: when it is judged again, so is the token."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    table = await started(here)
    seat = table.deal.turn.seat
    store.script.append(after(lambda: there.submit("g1", HandOverSeat(seat, "plain"), "operator")))

    with pytest.raises(Unauthenticated):
        await here.submit("g1", simple_move(table), f"seat:{seat}", token_hash=table.seats[seat].token_hash)

    assert len(store.log()) == table.version + 1


async def test_a_seat_that_moved_down_is_not_its_neighbours(store: ScriptedStore) -> None:
    """An empty seat was taken away: the number that the caller was recognised by is somebody else's now."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    await here.create(creation(seats=4))
    await sit(here, "g1", 2)
    table = (await sit(here, "g1", 3)).table
    await there.submit("g1", LeaveSeat(0, remove=True), "host")

    with pytest.raises(Unauthenticated):
        await here.submit("g1", LeaveSeat(2), "seat:2", token_hash=table.seats[2].token_hash)
    with pytest.raises(Unauthenticated):
        await here.submit("g1", LeaveSeat(3), "seat:3", token_hash=table.seats[3].token_hash)

    assert [seat.name for seat in (await here.table("g1")).seats] == [None, "player 2", "player 3"]


async def test_a_token_that_an_old_table_does_not_know_is_looked_up(store: ScriptedStore) -> None:
    """Whoever sat down through another worker is welcome here."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    await here.create(creation())
    table = (await sit(there, "g1", 1)).table

    answer = await here.submit("g1", LeaveSeat(1), "seat:1", token_hash=table.seats[1].token_hash)

    assert answer.table.seats[1].is_empty
