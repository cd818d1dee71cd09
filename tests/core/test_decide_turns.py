"""A turn, as the judge sees it: whose it is, what is due, what a command causes besides itself.

What the house rules of Crazy Rummy say is told by the tests of its rule sheet; here is what every game has.
"""

from __future__ import annotations

import pytest
from tests.support.games import Game
from tests.support.positions import position

from meldlog_contracts.cards import Card, cards
from meldlog_contracts.commands import (
    AddPenalty,
    Command,
    Decline,
    DeclineDiscard,
    Discard,
    Draw,
    LayMeld,
    LayOff,
    NameWild,
    Reclaim,
    ReturnDraw,
)
from meldlog_contracts.events import (
    CardDiscarded,
    CardDrawn,
    CardLaidOff,
    DealEnded,
    DealScored,
    DealStarted,
    DiscardsTaken,
    GameEnded,
    MeldLaid,
    SeedsRevealed,
    StockRenewed,
    TurnPassed,
    WildNamed,
    WildReclaimed,
)
from meldlog_contracts.problems import Fault
from meldlog_contracts.sealed import Sealed
from meldlog_service.core.views import SPECTATOR, redact_event

HAND = "7H 8H 9C KD"
SEVEN = Card("7H")


# -- what each command causes


def test_a_draw_from_the_stock_takes_the_front_card() -> None:
    """Sealed for the seat that drew it; it is still that seat's turn."""
    here = position(HAND, "AC", stock="KS 3S", phase="draw")
    (drawn,) = here.events(Draw("stock"))
    assert drawn == CardDrawn(0, Sealed(1, value=Card("KS")))
    assert redact_event(drawn, SPECTATOR) == CardDrawn(0, Sealed(1))


def test_a_draw_from_the_pile_takes_the_top_card() -> None:
    """Everybody has seen it lie there."""
    here = position(HAND, "AC", pile="2C 3C", phase="draw")
    assert here.events(Draw("discard")) == (DiscardsTaken(0, cards("3C")),)


def test_a_discard_passes_the_turn() -> None:
    """To the next seat, which must draw."""
    here = position(HAND, "AC", "JD")
    assert here.events(Discard(SEVEN)) == (CardDiscarded(0, SEVEN), TurnPassed(1, None))
    assert position(HAND, "AC", "JD", turn=2).events(Discard(Card("JD")))[-1] != TurnPassed(1, None)


def test_the_turn_goes_the_other_way_round_where_play_is_counter_clockwise() -> None:
    """To the seat before, and from the first to the last."""
    here = position(HAND, "AC", "JD", house_rules={"direction": "ccw"})
    assert here.events(Discard(SEVEN))[-1] == TurnPassed(2, None)


def test_a_turn_with_a_clock_has_a_deadline() -> None:
    """The moment of the command and the seconds that the game gives."""
    game = Game(turn_seconds=45).started()
    passed = game.do(Discard(game.table.hand(game.on_turn)[0])).events[-1]
    assert passed == TurnPassed(game.on_turn, "2025-11-29T21:00:51.000Z")


def test_a_meld_is_recorded_in_table_order_whatever_order_it_was_asked_in() -> None:
    """A run low card first, a set by suits with its wilds last."""
    here = position("JS TS QS KD 9C KC KH", "AC")
    assert here.events(LayMeld(cards("QS TS JS"))) == (
        MeldLaid(0, 1, "run", cards("TS JS QS"), cards("TS JS QS")),
    )
    assert here.events(LayMeld(cards("9C KH KC"))) == (
        MeldLaid(0, 1, "set", cards("KC KH 9C"), (Card("KC"), Card("KH"), Card("KX"))),
    )


def test_melds_are_numbered_as_they_are_laid() -> None:
    """Within the deal, from 1, whoever lays them."""
    here = position(HAND, "AC", melds=["1: 4C 4D 4H", "1: TS JS QS"])
    (laid,) = here.events(LayMeld(cards("7H 8H 9C"), cards("7H 8H 9H")))
    assert isinstance(laid, MeldLaid)
    assert laid.meld == 3


def test_a_lay_off_at_both_ends_is_two_events_of_one_command() -> None:
    """First below, then above."""
    here = position("4S 8S KD", "AC", melds=["0: 5S 6S 7S"])
    assert here.events(LayOff(1, cards("8S 4S"))) == (
        CardLaidOff(0, 1, "low", cards("4S"), cards("4S")),
        CardLaidOff(0, 1, "high", cards("8S"), cards("8S")),
    )


def test_a_wild_is_taken_back_and_what_it_stood_for_is_told() -> None:
    """The natural first, then the wild that comes to the hand."""
    here = position("4H KD", "AC", melds=["0: 9C=4H 5H 6H"])
    assert here.events(Reclaim(1, Card("4H"), Card("9C"))) == (
        WildReclaimed(0, 1, Card("4H"), Card("9C"), Card("4H")),
    )


# -- what is due


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        (Discard(SEVEN), "turn.draw-first"),
        (LayMeld(cards("7H 8H 9C")), "turn.draw-first"),
        (LayOff(1, cards("7H")), "turn.draw-first"),
        (Reclaim(1, SEVEN, Card("9C")), "turn.draw-first"),
        (ReturnDraw(), "turn.draw-first"),
        (NameWild("9"), "wild.named-first"),
        (AddPenalty(5), "turn.offer"),
        (Decline(), "turn.offer"),
    ],
)
def test_a_card_is_drawn_before_anything_else(command: Command, rule: str) -> None:
    """The clause says what is due, or that this is not the time."""
    no = position(HAND, "AC", phase="draw").refusal(command)
    assert (no.code, no.rule) == ("wrong_phase", rule)


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        (Draw("stock"), "turn.draw-once"),
        (Draw("discard"), "turn.draw-once"),
        (DeclineDiscard(), "turn.draw-once"),
        (NameWild("9"), "wild.named-first"),
        (AddPenalty(5), "turn.offer"),
        (Decline(), "turn.offer"),
    ],
)
def test_a_card_is_drawn_once(command: Command, rule: str) -> None:
    """After it only table play and the discard are left."""
    no = position(HAND, "AC", drawn="KD", pile="3C").refusal(command)
    assert (no.code, no.rule) == ("wrong_phase", rule)


@pytest.mark.parametrize(
    "command",
    [Draw("stock"), Discard(Card("AC")), LayMeld(cards("7H 8H 9C")), Decline(), NameWild("9"), ReturnDraw()],
    ids=repr,
)
@pytest.mark.parametrize("phase", ["draw", "play"])
def test_nobody_acts_out_of_turn(command: Command, phase: str) -> None:
    """Whatever it is, whoever's turn it is is told first."""
    no = position(HAND, "AC", phase=phase).refusal(command, "seat:1")  # type: ignore[arg-type]
    assert (no.code, no.rule, no.detail) == ("not_your_turn", "turn.order", "it is the turn of seat 0")


def test_only_cards_that_are_held_are_played() -> None:
    """As often as they are held."""
    here = position("7H 8H 9H KD", "AC", melds=["0: 4C 4D 4H"])
    for command in (
        Discard(Card("AC")),
        LayMeld(cards("7H 8H TH")),
        LayMeld(cards("7H 7H 8H")),
        LayOff(1, cards("4S")),
        Reclaim(1, Card("4S"), Card("4C")),
    ):
        no = here.refusal(command)
        assert (no.code, no.rule) == ("illegal_move", "card.held")


@pytest.mark.parametrize("word", ["", "7", "7h", "10H", "1H", "7X", "??", "JKK", "ЖH"])
def test_a_word_that_is_no_card_is_invalid_where_it_stands(word: str) -> None:
    """The pointer leads to it."""
    here = position("7H 8H 9H KD", "AC", melds=["0: 4C 4D 4H"])
    no_card = Card(word)
    for command, pointer in (
        (Discard(no_card), "/card"),
        (LayMeld((SEVEN, no_card, Card("9H"))), "/cards/1"),
        (LayOff(1, (no_card,)), "/cards/0"),
        (Reclaim(1, no_card, Card("4C")), "/card"),
        (Reclaim(1, SEVEN, no_card), "/for"),
        (LayMeld(cards("7H 8H 9H"), (SEVEN, Card("8H"), no_card)), "/reads_as/2"),
    ):
        if pointer == "/reads_as/2" and word == "7X":
            continue  # a seven of no stated suit is something that a card can stand for
        no = here.refusal(command)
        assert (no.code, no.rule) == ("invalid", None)
        assert [fault.pointer for fault in no.faults] == [pointer]


def test_a_declaration_says_one_thing_for_each_card() -> None:
    """No more and no less."""
    no = position(HAND, "AC").refusal(LayMeld(cards("7H 8H 9C"), cards("7H 8H")))
    assert no.faults == (Fault("/reads_as", "2 meanings for 3 cards"),)


def test_a_meld_that_could_be_several_asks_for_a_declaration() -> None:
    """The readings are named in the refusal, and each of them can be declared."""
    here = position("5H 6H 9C KD", "AC")
    no = here.refusal(LayMeld(cards("5H 6H 9C")))
    assert (no.code, no.rule) == ("illegal_move", "meld.declare")
    assert "4H 5H 6H or 5H 6H 7H" in no.detail
    for reads_as in ("4H 5H 6H", "5H 6H 7H"):
        (laid,) = here.events(
            LayMeld(cards("9C 5H 6H"), cards(reads_as) if reads_as[0] == "4" else cards("7H 5H 6H"))
        )
        assert isinstance(laid, MeldLaid)
        assert laid.reads_as == cards(reads_as)


def test_a_meld_is_named_that_is_on_the_table() -> None:
    """There is no meld 0, and no meld beyond the last."""
    here = position(HAND, "AC", melds=["0: 4C 4D 4H"])
    for command in (LayOff(2, cards("7H")), LayOff(1000, cards("7H")), Reclaim(2, SEVEN, Card("9C"))):
        assert here.refusal(command).rule == "layoff.meld"


def test_a_lay_off_needs_a_card() -> None:
    """An empty list is no lay-off."""
    no = position(HAND, "AC", melds=["0: 4C 4D 4H"]).refusal(LayOff(1, ()))
    assert no.faults == (Fault("/cards", "no cards to lay off"),)


def test_a_card_taken_is_not_put_back_where_no_rule_knows_of_it() -> None:
    """Nor is the upcard declined: both belong to games that say so."""
    for drawn in (
        position("7H 3C", "AC", taken="3C"),
        position("7H", "AC", drawn="7H"),
        position("7H", "AC"),
    ):
        no = drawn.refusal(ReturnDraw())
        assert (no.code, no.rule) == ("illegal_move", "turn.return-draw")
    assert position("7H", "AC", pile="3C", phase="draw").refusal(DeclineDiscard()).rule == "draw.decline"


@pytest.mark.parametrize("count", [2, 5])
def test_one_card_is_drawn_at_a_time(count: int) -> None:
    """From the stock always, from the pile unless the game says otherwise."""
    here = position(HAND, "AC", pile="2C 3C 4C", phase="draw")
    assert here.refusal(Draw("stock", count)).rule == "draw.stock"
    assert here.refusal(Draw("discard", count)).code == "illegal_move"


# -- what follows


def test_whoever_discards_the_last_card_ends_the_deal() -> None:
    """Hands open and counted, the next dealer deals, the next rank is wild, the next starter plays."""
    here = position("7H", "AC 2D", "JD", wild="9", stock="KS 3S")
    discarded, ended, scored, dealt, wild, passed = here.events(Discard(SEVEN))
    assert discarded == CardDiscarded(0, SEVEN)
    assert ended == DealEnded("went_out", 0)
    assert scored == DealScored(((), cards("AC 2D"), cards("JD")), (0, 3, 10), 1, (0, 3, 10))
    assert isinstance(dealt, DealStarted)
    assert (dealt.number, dealt.dealer) == (10, (here.table.deal.dealer + 1) % 3)
    assert wild == WildNamed(None, ("T",))
    assert passed == TurnPassed(dealt.starter, None, "play")


def test_the_last_deal_ends_the_game() -> None:
    """Seeds revealed as promised, winners and places named; nobody is on turn."""
    here = position("7H", "AC 2D", "JD", wild="K")
    *_, ended, scored, revealed, over = here.events(Discard(SEVEN))
    assert (ended, scored) == (
        DealEnded("went_out", 0),
        DealScored(((), cards("AC 2D"), cards("JD")), (0, 3, 10), 1, (0, 3, 10)),
    )
    assert revealed == SeedsRevealed(game_seed=here.table.game_seed)
    assert over == GameEnded((0,), (0, 1, 2), None)


def test_an_empty_stock_is_the_rules_word() -> None:
    """Here: the pile is turned over, its top card stays, and the draw takes the new front card."""
    here = position(
        HAND, "AC", stock="", pile="2C 3C 4C", phase="draw", house_rules={"stock_exhaustion": "turn_over"}
    )
    assert here.events(Draw("stock")) == (
        StockRenewed(1, False, cards("4C"), Sealed(2, value=cards("2C 3C")), None),
        CardDrawn(0, Sealed(1, value=Card("2C"))),
    )


def test_a_finished_game_takes_no_command() -> None:
    """Neither of a seat nor for one."""
    game = Game(house_rules={"deal_count": 1}).started().play_out(lambda listed, _: listed.moves[-1])
    for by, command in (("seat:0", Draw("stock")), ("operator", Draw("stock", seat=1))):
        no = game.refusal(command, by)
        assert (no.code, no.rule) == ("game_over", "game.end")
