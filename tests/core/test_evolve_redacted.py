"""The fold of what a viewer was sent: unseen cards are counted, and known ones are not forgotten."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.support.positions import Position, position

from meldlog_contracts.cards import HIDDEN, Card, cards
from meldlog_contracts.events import (
    CardDiscarded,
    CardDrawn,
    CardLaidOff,
    DealScored,
    DiscardsTaken,
    GameForked,
    MeldLaid,
    SeedsRevealed,
    StockRenewed,
    TurnPassed,
    WildReclaimed,
)
from meldlog_contracts.sealed import Sealed
from meldlog_contracts.table import Table
from meldlog_service.core.evolve import Corrupt, evolve
from meldlog_service.core.views import conceal


def seen_by_seat_1(here: Position) -> Table:
    """What seat 1 knows; seat 0 is on turn."""
    return conceal(here.table, 1)


def unseen(count: int) -> tuple[Card, ...]:
    """So many unseen cards."""
    return (HIDDEN,) * count


def test_an_unseen_card_is_drawn_from_an_unseen_stock() -> None:
    """The hand grows by one, the stock is one shorter, and that a card was drawn is known."""
    table = seen_by_seat_1(position("7H 8H", "AC", stock="KS 3S 4S", phase="draw"))
    after = evolve(table, CardDrawn(0, Sealed(1, "s")))
    assert after.hand(0) == unseen(3)
    assert after.deal.stock == unseen(2)
    assert after.deal.turn.drawn == HIDDEN
    assert after.deal.turn.is_progress


def test_a_seat_sees_what_it_draws_itself() -> None:
    """From a stock whose order it does not know."""
    table = seen_by_seat_1(position("7H", "AC", stock="KS 3S", turn=1, phase="draw"))
    after = evolve(table, CardDrawn(1, Sealed(1, "s", "00", Card("KS"))))
    assert after.hand(1) == cards("AC KS")


def test_an_open_front_card_is_known_when_an_unseen_one_is_drawn() -> None:
    """Whoever folds an open log beside a closed draw is not fooled."""
    table = position("7H", "AC", stock="KS 3S", phase="draw").table
    assert evolve(table, CardDrawn(0, Sealed(1, "s"))).hand(0) == cards("7H KS")


def test_an_unseen_card_becomes_known_when_it_is_laid() -> None:
    """Any unseen card of the hand can have been this one."""
    table = seen_by_seat_1(position("7H 8H 9H KD", "AC"))
    melded = evolve(table, MeldLaid(0, 1, "run", cards("7H 8H 9H"), cards("7H 8H 9H")))
    assert melded.hand(0) == unseen(1)
    assert melded.deal.melds[0].cards == cards("7H 8H 9H")
    discarded = evolve(melded, CardDiscarded(0, Card("KD")))
    assert discarded.hand(0) == ()
    assert discarded.deal.discard_pile[-1] == "KD"


def test_a_discard_taken_in_the_open_stays_known() -> None:
    """It is this card that leaves the hand when it is played, not an unseen one."""
    table = seen_by_seat_1(position("7H 8H", "AC", pile="KD", phase="draw"))
    taken = evolve(table, DiscardsTaken(0, cards("KD")))
    assert taken.hand(0) == (*unseen(2), "KD")
    assert evolve(taken, CardDiscarded(0, Card("KD"))).hand(0) == unseen(2)
    assert evolve(taken, CardDiscarded(0, Card("7H"))).hand(0) == (HIDDEN, "KD")


def test_a_wild_taken_back_in_the_open_stays_known() -> None:
    """The natural came from among the unseen cards."""
    table = seen_by_seat_1(position("4H KD", "AC", melds=["0: 9C=4H 5H 6H"]))
    after = evolve(table, WildReclaimed(0, 1, Card("4H"), Card("9C"), Card("4H")))
    assert after.hand(0) == (HIDDEN, "9C")
    laid_off = evolve(after, CardLaidOff(0, 1, "high", cards("9C"), cards("7H")))
    assert laid_off.hand(0) == unseen(1)


def test_a_renewed_stock_is_unseen_again() -> None:
    """Though every card of the pile had been seen."""
    table = seen_by_seat_1(position("7H", "AC", pile="2C 3C 4C", stock="", phase="draw"))
    after = evolve(table, StockRenewed(1, True, cards("4C"), Sealed(2, "s"), "c"))
    assert after.deal.stock == unseen(2)
    assert after.deal.discard_pile == cards("4C")


def test_scoring_opens_what_was_unseen() -> None:
    """From the event, not from what the viewer knew."""
    table = seen_by_seat_1(position("7H 8H", "AC"))
    hands = (cards("7H 8H"), cards("AC"))
    assert evolve(table, DealScored(hands, (15, 1), 1, (15, 1))).deal.hands == hands


def test_the_game_s_seed_is_unknown_until_it_is_revealed() -> None:
    """Also after a fork, whose seed is another secret."""
    table = seen_by_seat_1(position("7H", "AC"))
    assert table.game_seed is None
    forked = GameForked("g2", table.game_id, table.version, "head", "c2", Sealed(0, "s"))
    assert evolve(table, forked).game_seed is None
    assert evolve(table, SeedsRevealed(game_seed="5eed")).game_seed == "5eed"


def test_more_cards_cannot_leave_a_hand_than_it_holds() -> None:
    """Unseen or not, they are counted."""
    table = seen_by_seat_1(position("7H 8H", "AC"))
    with pytest.raises(Corrupt):
        evolve(table, MeldLaid(0, 1, "run", cards("7H 8H 9H"), cards("7H 8H 9H")))
    with pytest.raises(Corrupt):
        evolve(evolve(table, CardDiscarded(1, Card("AC"))), CardDiscarded(1, Card("2C")))


def test_a_viewer_s_own_cards_are_not_taken_for_unseen_ones() -> None:
    """What is known cannot have been another card."""
    table = seen_by_seat_1(position("7H", "AC 2C", turn=1))
    with pytest.raises(Corrupt):
        evolve(table, CardDiscarded(1, Card("KD")))


def test_turns_and_deadlines_are_public() -> None:
    """They are the same in every fold."""
    here = position("7H 8H", "AC 2C")
    events = (CardDiscarded(0, Card("7H")), TurnPassed(1, "2026-11-29T20:51:30.000Z"))
    full, known = here.table, seen_by_seat_1(here)
    for event in events:
        full, known = evolve(full, event), evolve(known, event)
    assert known.deal.turn == full.deal.turn
    assert replace(known.deal, hands=(), stock=()) == replace(full.deal, hands=(), stock=())
