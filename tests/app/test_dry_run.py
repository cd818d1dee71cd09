"""Dry runs judge and change nothing, and tell nothing that only a stored command may tell."""

import pytest
from tests.app.scripted import ScriptedStore
from tests.app.staging import creation, handler_on, on_turn, seated, simple_move, started, step

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import Batch, Discard, Draw, Resign, StartGame, TakeSeat
from meldlog_contracts.events import (
    CardDiscarded,
    CardDrawn,
    DealEnded,
    SeatHandedOver,
    SeatTaken,
    TurnPassed,
)
from meldlog_contracts.problems import Refused
from meldlog_service.app.errors import NoSuchGame, Stale
from meldlog_service.app.handler import Handler
from meldlog_service.store.memory import MemoryStore


async def test_a_dry_run_changes_nothing(handler: Handler, store: ScriptedStore) -> None:
    """Not the log, not the table, not the keys."""
    table = await started(handler)
    before = list(store.log())

    answer = await handler.submit("g1", simple_move(table), on_turn(table), command_id="k", dry_run=True)

    assert (answer.version, answer.replayed, answer.table) == (table.version, False, table)
    assert [type(event) for event in answer.events] == [CardDiscarded, TurnPassed]
    assert store.log() == before
    assert await handler.table("g1") == table
    real = await handler.submit("g1", simple_move(table), on_turn(table), command_id="k")
    assert not real.replayed


async def test_a_dry_run_of_a_draw_does_not_show_the_card(handler: Handler) -> None:
    """Else a player would look first and choose then."""
    table = await step(handler, await started(handler))

    (drawn,) = (await handler.submit("g1", Draw(source="stock"), on_turn(table), dry_run=True)).events

    assert isinstance(drawn, CardDrawn)
    assert not drawn.card.is_open


async def test_a_dry_run_of_a_list_does_not_tell_what_would_be_drawn(handler: Handler) -> None:
    """Whichever card a player hopes for, the answer is the same: it ends where a card turns up."""
    table = await step(handler, await started(handler))
    told = set()
    for card in (Card("2C"), table.deal.stock[0]):
        with pytest.raises(Refused) as refused:
            await handler.submit(
                "g1", Batch((Draw(source="stock"), Discard(card=card))), on_turn(table), dry_run=True
            )
        told.add((refused.value.rule, refused.value.detail, refused.value.faults))

    assert len(told) == 1


async def test_a_dry_run_of_the_end_of_a_deal_shows_no_hand(handler: Handler) -> None:
    """It says that the deal would end, and neither what the others hold nor what would be dealt."""
    table = await started(handler)
    while True:
        answer = await handler.submit("g1", simple_move(table), on_turn(table), dry_run=True)
        if any(isinstance(event, DealEnded) for event in answer.events):
            break
        table = await step(handler, table)

    assert isinstance(answer.events[-1], DealEnded)
    assert (await step(handler, table)).deal.number == 2


async def test_a_dry_run_of_the_start_tells_neither_dealer_nor_cards(handler: Handler) -> None:
    """Else somebody could go on choosing an entropy until the deal is a good one."""
    await seated(handler, creation())

    assert (await handler.submit("g1", StartGame(), "host", dry_run=True)).events == ()
    assert (await handler.table("g1")).status == "open"


async def test_a_dry_run_is_refused_as_the_command_would_be(handler: Handler) -> None:
    """By the rules, by the version, by the bots there are, and by there being no game."""
    table = await started(handler)
    bystander = (table.deal.turn.seat + 1) % 3

    with pytest.raises(Refused):
        await handler.submit("g1", simple_move(table), f"seat:{bystander}", dry_run=True)
    with pytest.raises(Stale):
        await handler.submit("g1", simple_move(table), on_turn(table), if_match=2, dry_run=True)
    with pytest.raises(Refused, match="there is no bot"):
        await handler.submit("g1", TakeSeat(0, "x", "bot", "clever"), "host", dry_run=True)
    with pytest.raises(NoSuchGame):
        await handler.submit("g2", simple_move(table), on_turn(table), dry_run=True)


async def test_a_dry_run_in_the_lobby_tells_what_would_happen(handler: Handler) -> None:
    """Nothing is secret there."""
    await handler.create(creation())
    taken = await handler.submit("g1", TakeSeat(0, "ann"), "seat:0", dry_run=True)
    table = await started(handler, creation("g2"))
    handed = await handler.submit("g2", Resign(), on_turn(table), dry_run=True)

    assert taken.events == (SeatTaken(0, "ann", "player", None, None, None),)
    assert handed.events == (SeatHandedOver(table.deal.turn.seat, "bot", "plain"),)


async def test_a_dry_run_of_what_was_done_is_answered_from_the_log(handler: Handler) -> None:
    """The key belongs to a stored command: that is what happened."""
    table = await started(handler)
    first = await handler.submit("g1", simple_move(table), on_turn(table), command_id="k")

    again = await handler.submit("g1", simple_move(table), on_turn(table), command_id="k", dry_run=True)

    assert (again.version, again.events, again.replayed) == (first.version, first.events, True)


async def test_a_dry_run_judges_at_the_newest_version(store: ScriptedStore) -> None:
    """What another worker has stored counts."""
    here, there = handler_on(store), handler_on(MemoryStore(store.shelf), worker=1)
    table = await started(here)
    await there.table("g1")
    table = await step(here, table)

    answer = await there.submit("g1", simple_move(table), on_turn(table), dry_run=True)

    assert answer.version == table.version
