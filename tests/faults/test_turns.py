"""Turns: one seat acts, a draw moves one card, a deal and a game come to an end, and every no says why."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.faults.index import keeps
from tests.support.games import Endless, Game, any_move
from tests.support.positions import position

from meldlog_contracts.cards import Card, cards
from meldlog_contracts.commands import (
    Batch,
    Discard,
    Draw,
    LayMeld,
    LayOff,
    LeaveSeat,
    PlayCommand,
    Resign,
    ReturnDraw,
    StartGame,
    TakeSeat,
)
from meldlog_contracts.events import (
    CardDrawn,
    DealEnded,
    DealStarted,
    StockRenewed,
    TurnPassed,
)
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import HouseValue, Table
from meldlog_service.core.chance import commitment, derived_seed
from meldlog_service.core.moves import Moves
from meldlog_service.core.views import SPECTATOR, view

WAYS_TO_EXHAUST = ["finish_turn_end", "turn_over", "reshuffle_keep_top", "until_discard_refused"]


def draws_and_discards(listed: Moves, _: Table) -> PlayCommand | Batch:
    """A player who never melds and throws the last card."""
    own = [move for move in listed.moves if isinstance(move, Draw | Discard)]
    return own[-1] if own else listed.moves[-1]


def takes_the_discard(listed: Moves, _: Table) -> PlayCommand | Batch:
    """A player who takes the upcard whenever it may be taken, and hands the same card on."""
    own = [move for move in listed.moves if isinstance(move, Draw | Discard)]
    upcards = [move for move in own if isinstance(move, Draw) and move.source == "discard"]
    return (upcards or own or listed.moves)[-1]


# -- whose turn it is


@keeps(52)
@pytest.mark.parametrize("direction", ["cw", "ccw"])
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_next_seat_is_the_neighbour(direction: str, seats: int) -> None:
    """Round the table, also past seats that have been given to bots."""
    game = Game(seats=seats, house_rules={"direction": direction, "deal_count": 1}).started()
    game.do(Resign(), f"seat:{(game.on_turn + 1) % seats}")
    step = 1 if direction == "cw" else -1
    for _ in range(2 * seats):
        seat = game.on_turn
        while game.on_turn == seat:
            game.step(draws_and_discards)
        assert game.on_turn == (seat + step) % seats


@keeps(52)
def test_seats_taken_away_leave_no_gap_in_the_order() -> None:
    """Four chairs, the second goes: the turn passes from the first to what was the third."""
    game = Game(seats=4)
    for seat in (0, 2, 3):
        game.do(TakeSeat(seat, f"player {seat}"), f"seat:{seat}")
    game.do(LeaveSeat(1, remove=True), "host")
    game.do(StartGame(), "host")
    order = []
    for _ in range(6):
        order.append(game.on_turn)
        seat = game.on_turn
        while game.on_turn == seat:
            game.step(draws_and_discards)
    assert order == [(order[0] + step) % 3 for step in range(6)]


@keeps(53)
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_deal_moves_on_after_every_deal(seats: int) -> None:
    """To the next seat each time, whoever went out."""
    game = Game(seats=seats).started().play_out(any_move(random.Random(seats)))
    dealers = [
        event.dealer for commit in game.commits for event in commit.events if isinstance(event, DealStarted)
    ]
    assert dealers == [(dealers[0] + deal) % seats for deal in range(13)]


@keeps(54)
@pytest.mark.parametrize("seed", range(4))
def test_exactly_one_seat_is_to_act_after_every_commit(seed: int) -> None:
    """The view names it, and what is awaited from it; nobody else has a move."""
    game = Game(seats=4, house_rules={"deal_count": 3}).started()
    choose = any_move(random.Random(seed))
    while game.table.status == "playing":
        able = [seat for seat in range(4) if game.moves(seat).moves]
        shown = view(game.table, SPECTATOR).deal
        assert shown is not None
        assert able == [shown.turn]
        assert shown.phase in ("draw", "play")
        game.step(choose)
    assert view(game.table, SPECTATOR).deal.turn is None  # type: ignore[union-attr]


@keeps(55)
def test_the_starter_is_told_why_there_is_no_draw() -> None:
    """With the card more that was dealt, the turn begins with play."""
    game = Game().started()
    assert len(game.table.hand(game.on_turn)) == 8
    for source in ("stock", "discard"):
        no = game.refusal(Draw(source))
        assert (no.code, no.rule) == ("wrong_phase", "deal.starter")
        assert "do not draw" in no.detail
    assert any(isinstance(move, Discard) for move in game.moves().moves)


# -- draws


@keeps(56)
def test_an_empty_pile_is_an_ordinary_no() -> None:
    """It is refused by its clause and not offered."""
    here = position("7H 8H", "AC", phase="draw")
    no = here.refusal(Draw("discard"))
    assert (no.code, no.rule) == ("illegal_move", "draw.discard")
    assert here.moves().moves == (Draw("stock"),)


@keeps(57)
@pytest.mark.parametrize(("how", "shuffled"), [("turn_over", False), ("reshuffle_keep_top", True)])
def test_the_top_discard_stays_when_the_pile_becomes_the_stock(how: str, shuffled: bool) -> None:
    """And the shuffle, where there is one, was committed to by the game's seed."""
    here = position(
        "7H 8H",
        "AC",
        stock="",
        pile="2C 9D KH",
        phase="draw",
        wild="4",
        house_rules={"stock_exhaustion": how},
    )
    renewed, drawn = here.events(Draw("stock"))
    assert isinstance(renewed, StockRenewed)
    assert isinstance(drawn, CardDrawn)
    assert (renewed.kept, renewed.shuffled, renewed.stock.count) == (cards("KH"), shuffled, 2)
    assert sorted(renewed.stock.value) == ["2C", "9D"]  # type: ignore[arg-type]
    if shuffled:
        assert renewed.commitment == commitment(derived_seed(here.table, "renew:4:1"))
    else:
        assert (renewed.stock.value, renewed.commitment) == (cards("2C 9D"), None)


@keeps(58, 60)
@pytest.mark.parametrize("how", WAYS_TO_EXHAUST)
@pytest.mark.parametrize("pile", ["", "2C", "2C 3C"])
def test_an_empty_stock_has_a_defined_end(how: str, pile: str) -> None:
    """Whatever lies on the pile, whoever is on turn can go on or the deal is over."""
    here = position(
        "7H 8H", "AC", stock="", pile=pile, phase="draw", wild="4", house_rules={"stock_exhaustion": how}
    )
    assert here.moves().moves
    for move in here.moves().moves:
        after = here.after(move)
        going_on = after.table.deal.number == here.table.deal.number
        assert not going_on or after.moves().moves


@keeps(58)
def test_whoever_draws_the_last_card_completes_the_turn() -> None:
    """Then the deal is over, nobody having gone out."""
    here = position("7H 8H", "AC", stock="KD", pile="2C", phase="draw", wild="4")
    drawn = here.after(Draw("stock"))
    assert (drawn.table.deal.turn.phase, drawn.table.deal.number) == ("play", 4)
    assert DealEnded("stock_empty", None) in drawn.events(Discard(Card("KD")))


@keeps(61)
@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("packs", [1, 2])
def test_no_more_is_dealt_than_there_is(seats: int, packs: int) -> None:
    """Every hand size up to the pack: dealt with a card left in the stock, or refused at creation."""
    for size in range(3, 53 * packs):
        house: dict[str, HouseValue] = {"hand_size": size, "packs": packs}
        if size * seats + 1 < 52 * packs:
            game = Game(seats=seats, house_rules=house).started()
            assert len(game.table.deal.stock) == 52 * packs - size * seats - 1 >= 1
        else:
            with pytest.raises(Refused) as no:
                Game(seats=seats, house_rules=house)
            assert no.value.faults[0].pointer == "/house_rules/hand_size"
            return


@keeps(65)
@settings(max_examples=30)
@given(st.permutations(cards("4C 9D KH 2S")))
def test_the_top_of_the_pile_is_what_was_discarded_last(order: list[Card]) -> None:
    """Discarded one after the other, taken in the opposite order."""
    here = position(" ".join(order[:2]) + " 7H", " ".join(order[2:]) + " 8H", wild="5")
    one = here.after(Discard(order[0]))
    assert one.after(Draw("discard")).table.hand(1)[-1] == order[0]
    two = one.after(Draw("stock"), Discard(order[2]))
    assert two.after(Draw("discard")).table.hand(0)[-1] == order[2]


@keeps(77)
@pytest.mark.parametrize("source", ["stock", "discard"])
def test_a_draw_moves_one_card(source: str) -> None:
    """From one pile to one hand; everything else stays as it was."""
    here = position("7H 8H", "AC 2D", "JD", pile="2C 3C", phase="draw")
    after = here.after(Draw(source)).table.deal  # type: ignore[arg-type]
    before = here.table.deal
    assert [len(hand) for hand in after.hands] == [3, 2, 1]
    assert after.hands[1:] == before.hands[1:]
    taken = 1 if source == "stock" else 0
    assert (len(after.stock), len(after.discard_pile)) == (len(before.stock) - taken, 1 + taken)
    assert here.after(Draw(source)).refusal(Draw("stock")).rule == "turn.draw-once"  # type: ignore[arg-type]


# -- discards


@keeps(63)
@pytest.mark.parametrize("may", [True, False])
def test_whether_a_card_just_taken_may_go_back_is_a_house_rule(may: bool) -> None:
    """With a second pack the other copy may go in any case."""
    house = {"may_return_taken_discard": may, "packs": 2}
    here = position("JS 7H 2D", "AC", taken="JS", wild="9", house_rules=house)
    if may:
        assert here.events(Discard(Card("JS")))
    else:
        assert here.refusal(Discard(Card("JS"))).rule == "discard.no-return"
    both = position("JS 7H JS 2D", "AC", taken="JS", wild="9", house_rules=house)
    assert both.events(Discard(Card("JS")))


@keeps(64)
def test_a_card_is_discarded_that_is_in_hand_now() -> None:
    """Laid a moment ago it is gone, and the turn is not over."""
    here = position("7H 8H 9S TH KD", "AC", wild="9").after(LayMeld(cards("7H 8H 9S"), cards("7H 8H 9H")))
    no = here.refusal(Discard(Card("7H")))
    assert (no.code, no.rule) == ("illegal_move", "card.held")
    assert here.table.deal.turn.seat == 0
    assert here.events(Discard(Card("KD")))[-1] == TurnPassed(1, None)


@keeps(66)
def test_every_place_in_the_hand_is_equal() -> None:
    """Each card of the starter's hand can be thrown, in a fresh game each time."""
    hand = Game().started().table.hand(Game().started().on_turn)
    assert len(hand) == 8
    for card in hand:
        game = Game().started()
        game.do(Discard(card))
        assert game.table.deal.discard_pile == (card,)


# -- the end


@keeps(67)
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("how", WAYS_TO_EXHAUST)
def test_an_upcard_is_not_handed_round_for_ever(seats: int, how: str) -> None:
    """After so many idle turns the deal is over."""
    house: dict[str, HouseValue] = {"deal_count": 1, "stock_exhaustion": how}
    game = Game(seats=seats, house_rules=house).started().play_out(takes_the_discard, 400)
    ends = [event for commit in game.commits for event in commit.events if isinstance(event, DealEnded)]
    assert [end.reason for end in ends] == ["no_progress"]


@keeps(68)
@pytest.mark.parametrize("how", WAYS_TO_EXHAUST)
def test_a_game_ends_though_nobody_wants_it_to(how: str) -> None:
    """Players who draw from the stock and throw what they drew come to the end of it."""
    game = Game(house_rules={"stock_exhaustion": how}).started()
    try:
        game.play_out(draws_and_discards, 13 * 60 * 4)
    except Endless as endless:
        raise AssertionError(how) from endless
    assert len(game.table.scores) == 13


@keeps(71)
@pytest.mark.parametrize("final_discard", [True, False])
def test_an_empty_hand_ends_the_deal_at_once(final_discard: bool) -> None:
    """By the last discard or, where none is needed, by the last card laid."""
    house = {"final_discard_required": final_discard}
    here = position("6C", "AC 8D", melds=["0: 7C 8C 9D=9C"], wild="9", held=2, house_rules=house)
    last: Discard | LayOff = Discard(Card("6C")) if final_discard else LayOff(1, cards("6C"))
    events = here.events(last)
    assert events[1] == DealEnded("went_out", 0)
    assert not any(isinstance(event, TurnPassed) for event in events[:2])
    if final_discard:
        assert here.refusal(LayOff(1, cards("6C"))).rule == "final-discard"


@keeps(72)
def test_who_leaves_is_waited_for_by_nobody() -> None:
    """A bot plays on from the hand that is there; the cards are locked to no one."""
    game = Game(house_rules={"deal_count": 1}).started()
    seat = game.on_turn
    hand = game.table.hand(seat)
    game.do(Resign())
    assert (game.on_turn, game.table.hand(seat)) == (seat, hand)
    assert view(game.table, SPECTATOR).seats[seat].kind == "bot"
    assert game.moves(seat).moves
    game.play_out(any_move(random.Random(1)))
    assert len(game.table.scores[0]) == 3


@keeps(76)
def test_a_start_that_fails_leaves_the_lobby_open() -> None:
    """The reason is told, and once it is gone the same command starts the game."""
    game = Game(seats=2)
    game.do(TakeSeat(0, "Ada"), "seat:0")
    before = game.table
    no = game.refusal(StartGame(), "host")
    assert (no.code, no.rule) == ("wrong_phase", "game.start")
    assert "seat 1 is empty" in no.detail
    assert game.table is before
    game.do(TakeSeat(1, "Bea"), "seat:1")
    assert game.do(StartGame(), "host").events
    assert game.refusal(StartGame(), "host").rule == "game.start"


@keeps(79)
def test_a_list_that_fails_gives_everything_back() -> None:
    """Hand, table and turn are what they were, to the last byte."""
    here = position("7H 8H 9S TH KD", "AC", wild="9", pile="2C")
    before = here.table
    lay = LayMeld(cards("7H 8H 9S"), cards("7H 8H 9H"))
    assert (
        here.refusal(Batch((lay, LayOff(1, cards("TH")), Discard(Card("7H"))))).faults[0].pointer
        == "/commands/2"
    )
    assert here.table is before
    assert len(here.events(Batch((lay, LayOff(1, cards("TH")), Discard(Card("KD")))))) > 3


@keeps(80, 81)
@pytest.mark.parametrize("seed", range(3))
def test_no_card_leaves_play_without_an_event(seed: int) -> None:
    """Two packs and jokers, every version of a game: the same cards, wherever they lie."""
    game = Game(house_rules={"packs": 2, "printed_jokers": 2, "deal_count": 3}, seats=4).started()
    game.play_out(any_move(random.Random(seed)))
    for table in game.tables:
        deal = table.deal
        if deal.number:
            lying = [card for meld in deal.melds for card in meld.cards]
            held = [card for hand in deal.hands for card in hand]
            assert Counter([*deal.stock, *deal.discard_pile, *lying, *held]) == Counter(game.rules.pack())


@keeps(82)
@pytest.mark.parametrize("word", ["", "??", "XX", "7h", "undefined", "10H", "KX"])
def test_a_card_that_is_none_moves_nothing(word: str) -> None:
    """Named in the refusal, and nothing is added to a hand or the table."""
    here = position("7H 8H KD", "AC", melds=["0: 4C 4D 4H"])
    unknown = Card(word)
    for command in (Discard(unknown), LayMeld((unknown,) * 3), LayOff(1, (unknown,))):
        no = here.refusal(command)
        assert (no.code, len(no.faults)) == ("invalid", 1)


@keeps(88)
def test_what_was_seen_is_not_undone() -> None:
    """A card drawn from the stock does not go back."""
    here = position("7H 8H", "AC", phase="draw").after(Draw("stock"))
    no = here.refusal(ReturnDraw())
    assert (no.code, no.rule) == ("illegal_move", "turn.return-draw")
    assert here.refusal(Draw("stock")).rule == "turn.draw-once"
