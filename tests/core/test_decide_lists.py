"""Lists of commands: decided one after the other, recorded as one, all or nothing."""

from __future__ import annotations

import pytest
from tests.support.games import Game
from tests.support.positions import position

from meldlog_contracts.cards import Card, cards
from meldlog_contracts.commands import Batch, Discard, Draw, LayMeld, LayOff, Reclaim, StartGame, TakeSeat
from meldlog_contracts.events import CardDiscarded, CardLaidOff, DealEnded, MeldLaid, TurnPassed
from meldlog_contracts.problems import Fault

HERE = position("7H 8H 9H TH KD 2C", "AC 2D", "JD QD", melds=["1: 4C 4D 4H"], wild="5")
MELD = LayMeld(cards("7H 8H 9H"))


def test_each_command_is_decided_on_the_table_that_the_one_before_left() -> None:
    """The ten fits the run that was laid a moment ago."""
    turn = Batch((MELD, LayOff(2, cards("TH")), Discard(Card("KD"))))
    assert HERE.events(turn) == (
        MeldLaid(0, 2, "run", cards("7H 8H 9H"), cards("7H 8H 9H")),
        CardLaidOff(0, 2, "high", cards("TH"), cards("TH")),
        CardDiscarded(0, Card("KD")),
        TurnPassed(1, None),
    )


def test_a_list_is_one_commit() -> None:
    """One version, one hash, the list as its command."""
    game = Game().started()
    held = game.table.hand(game.on_turn)
    command = Batch((Discard(held[0]),))
    commit = game.do(command)
    assert (commit.version, commit.command) == (6, command)
    assert len(game.commits) == 6


@pytest.mark.parametrize(
    ("bad", "code", "rule"),
    [
        (LayOff(1, cards("KD")), "illegal_move", "layoff.fits"),
        (LayOff(9, cards("TH")), "illegal_move", "layoff.meld"),
        (Discard(Card("7H")), "illegal_move", "card.held"),
        (Draw("stock"), "wrong_phase", None),
        (StartGame(), "forbidden", None),
    ],
)
def test_one_bad_command_undoes_the_list(
    bad: LayOff | Discard | Draw | StartGame, code: str, rule: str | None
) -> None:
    """The refusal is the bad one's own, with a pointer to it; the table is as before."""
    no = HERE.refusal(Batch((MELD, bad, Discard(Card("KD")))))
    assert no.code == code
    assert rule is None or no.rule == rule
    assert [fault.pointer for fault in no.faults] == ["/commands/1"]
    assert HERE.events(MELD)


def test_a_pointer_inside_the_bad_command_is_kept() -> None:
    """It leads through the list to the word."""
    no = HERE.refusal(Batch((MELD, Discard(Card("KD")), Discard(Card("10H")))))
    assert no.code == "not_your_turn"
    no = HERE.refusal(Batch((MELD, LayOff(1, (Card("10H"),)))))
    assert no.faults == (Fault("/commands/1/cards/0", "'10H' is not a card"),)


def test_a_list_ends_with_the_turn() -> None:
    """What comes after the discard is another's to do."""
    no = HERE.refusal(Batch((Discard(Card("KD")), Draw("stock"))))
    assert (no.code, no.faults[0].pointer) == ("not_your_turn", "/commands/1")


def test_a_list_ends_where_a_card_is_turned_up() -> None:
    """Or a seat could send the same list again and again until its refusals told the front card of the stock."""
    here = position("7H 8H KD", "AC", "JD", stock="9H 2S", phase="draw", wild="5")
    for stock in ("9H 2S", "2S 9H"):
        here = position("7H 8H KD", "AC", "JD", stock=stock, phase="draw", wild="5")
        no = here.refusal(Batch((Draw("stock"), LayMeld(cards("7H 8H 9H")))))
        assert (no.code, no.rule) == ("illegal_move", "turn.list")
        assert no.faults[0].pointer == "/commands/0"
        assert len(here.events(Batch((Draw("stock"),)))) == 1


def test_a_discard_that_lies_there_is_taken_and_played_in_one_list() -> None:
    """Everybody sees it: nothing is turned up."""
    here = position("7H 8H KD", "AC", "JD", pile="9H", phase="draw", wild="5")
    assert len(here.events(Batch((Draw("discard"), LayMeld(cards("7H 8H 9H")))))) == 2


def test_the_operator_sees_every_card_and_may_go_on() -> None:
    """A whole turn of a seat, from its draw to its discard."""
    here = position("7H 8H KD", "AC", "JD", stock="9H 2S", phase="draw", wild="5")
    turn = Batch((Draw("stock", seat=0), LayMeld(cards("7H 8H 9H"), seat=0), Discard(Card("KD"), seat=0)))
    events = here.events(turn, "operator")
    assert DealEnded("went_out", 0) in events


def test_a_list_that_starts_a_game_ends_there() -> None:
    """The host starts, and plays no seat."""
    game = Game(seats=2)
    for seat in range(2):
        game.do(TakeSeat(seat, f"player {seat}"), f"seat:{seat}")
    assert game.refusal(Batch((StartGame(), StartGame())), "host").faults[0].pointer == "/commands/1"
    assert game.do(Batch((StartGame(),)), "host").events


def test_going_out_in_the_middle_ends_the_list() -> None:
    """Whatever follows belongs to the next deal."""
    here = position("7H 8H 9H KD", "AC 2D", "JD QD", wild="5")
    whole = Batch((MELD, Discard(Card("KD"))))
    assert DealEnded("went_out", 0) in here.events(whole)
    no = here.refusal(Batch((MELD, Discard(Card("KD")), Reclaim(1, Card("KD"), Card("7H")))))
    assert no.faults
