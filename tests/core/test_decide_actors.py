"""Who acts for whom: the actor comes from the credential, never from the body."""

from __future__ import annotations

import pytest
from tests.support.games import Game
from tests.support.positions import position

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import Batch, Discard, Draw, Resign
from meldlog_contracts.events import CardDiscarded, SeatHandedOver, TurnPassed
from meldlog_contracts.problems import Fault

HERE = position("7H 8H KD", "AC 2C", "JD QD")


def test_a_seat_acts_for_itself() -> None:
    """With or without saying so."""
    expected = (CardDiscarded(0, Card("7H")), TurnPassed(1, None))
    assert HERE.events(Discard(Card("7H")), "seat:0") == expected
    assert HERE.events(Discard(Card("7H"), seat=0), "seat:0") == expected


def test_a_seat_does_not_act_for_another() -> None:
    """Though it is that one's turn."""
    no = HERE.refusal(Discard(Card("7H"), seat=0), "seat:1")
    assert (no.code, no.rule) == ("not_your_seat", None)
    assert HERE.refusal(Discard(Card("7H")), "seat:1").code == "not_your_turn"


@pytest.mark.parametrize("by", ["operator", "service"])
def test_the_operator_and_the_clock_act_for_the_seat_they_name(by: str) -> None:
    """By its rights: its turn, its cards."""
    assert HERE.events(Discard(Card("7H"), seat=0), by)[0] == CardDiscarded(0, Card("7H"))
    assert HERE.refusal(Discard(Card("AC"), seat=1), by).code == "not_your_turn"
    assert HERE.refusal(Discard(Card("AC"), seat=0), by).rule == "card.held"


@pytest.mark.parametrize("by", ["operator", "service"])
def test_whoever_may_act_for_any_seat_says_for_which(by: str) -> None:
    """And it must be there."""
    [fault] = HERE.refusal(Discard(Card("7H")), by).faults
    assert (fault.pointer, fault.detail[:34]) == ("/seat", "say with seat for whom you act, as")
    no = HERE.refusal(Discard(Card("7H"), seat=3), by)
    assert (no.code, no.faults[0].pointer) == ("invalid", "/seat")


def test_the_host_plays_no_seat() -> None:
    """Not even one that it names."""
    for command in (Draw("stock"), Discard(Card("7H"), seat=0), Resign(seat=0)):
        assert HERE.refusal(command, "host").code == "forbidden"


def test_a_seat_beyond_the_table_is_no_seat() -> None:
    """A token of a game with more chairs opens nothing here."""
    assert HERE.refusal(Discard(Card("7H")), "seat:3").code == "invalid"


def test_everybody_resigns_for_themselves() -> None:
    """In turn or not; the operator resigns anybody."""
    assert HERE.events(Resign(), "seat:2") == (SeatHandedOver(2, "bot", "plain"),)
    assert HERE.events(Resign(seat=1), "operator") == (SeatHandedOver(1, "bot", "plain"),)
    assert HERE.refusal(Resign(seat=1), "seat:2").code == "not_your_seat"


def test_a_list_is_acted_by_one_actor() -> None:
    """A seat slips nobody else's command into its own list; the operator may move several seats at once."""
    no = HERE.refusal(Batch((Discard(Card("7H")), Resign(seat=1))), "seat:0")
    assert (no.code, no.faults) == (
        "not_your_seat",
        (Fault("/commands/1", "you play seat 0, not seat 1: leave seat out"),),
    )
    both = Batch((Discard(Card("7H"), seat=0), Draw("stock", seat=1)))
    assert len(HERE.events(both, "operator")) == 3


def test_what_is_recorded_says_who_asked() -> None:
    """A command of the operator keeps the seat that it named."""
    game = Game().started()
    card = game.table.hand(game.on_turn)[0]
    command = Discard(card, seat=game.on_turn)
    commit = game.do(command, "operator")
    assert (commit.by, commit.command) == ("operator", command)
