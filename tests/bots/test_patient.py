"""When the bot ``patient`` lays its melds, and when it holds them back. Nines are wild."""

import random

import pytest
from msgspec.structs import replace
from tests.support.positions import Position, position

from meldlog_contracts.cards import Card, cards
from meldlog_contracts.commands import AddPenalty, Decline, Discard, Draw, LayMeld, LayOff
from meldlog_service.app.choosing import chosen
from meldlog_service.bots import STRATEGIES, Move

HAND = "KS KH KD 2C 4S 7D JC 5H"
KINGS = LayMeld(cards("KD KH KS"))
LONG, SHORT = "2D 3D 4D 5D 6D", "2D 3D 4D 5D"
FIVE = [LONG, "2S 3S 5S 6S 7S", "2H 3H 4H 6H 7H", "3C 4C 5C 6C 7C"]


def move_at(table: Position) -> Move:
    """What the bot on turn does."""
    return chosen(STRATEGIES["patient"], table.table, table.table.deal.turn.seat, table.rules)


def test_it_holds_a_meld_back_while_nobody_is_close_to_going_out() -> None:
    """It throws what plain would throw, and keeps the kings."""
    assert move_at(position(HAND, LONG, turns=4)) == Discard(Card("JC"))


@pytest.mark.parametrize(
    ("others", "turns", "laid"),
    [
        pytest.param([SHORT], 4, [], id="somebody holds few cards"),
        pytest.param([LONG], 5, [], id="the deal has lasted a while"),
        pytest.param([LONG], 4, [0], id="it has shown a meld before"),
        pytest.param(FIVE, 4, [], id="at a large table"),
    ],
)
def test_it_lays_when_waiting_would_be_dear(others: list[str], turns: int, laid: list[int]) -> None:
    """As plain does."""
    assert move_at(position(HAND, *others, turns=turns, laid=laid)) == KINGS


def test_it_lays_everything_when_that_ends_the_deal() -> None:
    """All cards but the one to discard."""
    assert move_at(position("KS KH KD 2C", LONG, turns=4)) == KINGS


def test_it_draws_as_plain_does() -> None:
    """What completes a meld is taken, though it is not shown at once."""
    assert move_at(position("KS KH 2C 5C", LONG, pile="KD", phase="draw", turns=4)) == Draw(source="discard")


def test_it_takes_no_discard_for_which_it_would_have_to_break_a_meld() -> None:
    """The wild makes a meld with the kings; plain sees that it makes one with the six and the five as well."""
    here = position("KS KH 9C 5C 2C", LONG, pile="6C", phase="draw", turns=4)
    plain = chosen(STRATEGIES["plain"], here.table, here.table.deal.turn.seat, here.rules)
    assert move_at(here) == Draw(source="stock")
    assert plain == Draw(source="discard")


def test_it_waits_no_longer_where_nobody_could_lay_in_the_first_round() -> None:
    """In Beanie all have waited for a turn already."""
    waiting = {"no_meld_first_round": True}
    assert move_at(position(HAND, LONG, turns=3, house_rules=waiting)) == KINGS


def test_it_lays_when_it_may_not_discard() -> None:
    """What a turn must do is done."""
    here = position("7H QS 2C 3S 4C", LONG, melds=["1: 4H 5H 6H"], turns=4)
    only = LayOff(1, cards("7H"))

    assert STRATEGIES["patient"].choose(here.table, 0, [only], random.Random(1)) == only


def test_it_waits_longer_where_everybody_may_lay_off() -> None:
    """In basic rummy a meld helps the others from the moment it lies there."""
    anybody = {"layoff_requires_own_meld": False}
    for turns, held_back in ((8, True), (11, False)):
        here = position(HAND, LONG, turns=turns, house_rules=anybody)
        assert isinstance(move_at(here), Discard) == held_back


def test_it_gives_the_next_player_no_card_to_lay_off() -> None:
    """Eight points are a low price for that, as long as the player can make use of it."""
    hand = "KS 8D 3C 4C 2H"
    assert move_at(position(hand, "3D 4D 8S", melds=["1: KH KD KC"])) == Discard(Card("8D"))
    assert move_at(position(hand, "3D 4D 8S", laid=[1])) == Discard(Card("KS"))
    assert move_at(position(hand, "3D", melds=["1: KH KD KC"])) == Discard(Card("KS"))  # one card: no discard


def test_it_counts_cards() -> None:
    """Two kings of which the others were seen have no more chance than any two cards; two sixes have."""
    here = position("KS KH 6C 6D 2S", "3D 4D 8S 8C", pile="KD KC", laid=[0, 1])
    assert move_at(here) in (Discard(Card("KS")), Discard(Card("KH")))


def test_it_breaks_no_meld_that_it_keeps() -> None:
    """What is held back is not thrown away."""
    assert move_at(position("KS KH KD 2C TD 4S 6H 8C", LONG, turns=3)) == Discard(Card("TD"))


def test_it_parks_a_wild_in_the_place_of_a_card_that_it_keeps() -> None:
    """Five points are held instead of twenty-five, and the five comes back for the wild."""
    here = position("5C 6C 7C 9D", "3D 4D", laid=[1])
    move = move_at(here)

    assert isinstance(move, LayMeld)
    assert here.after(move).table.hand(0) in (cards("5C"), cards("6C"), cards("7C"))


def test_it_collects_discards_where_laid_cards_count() -> None:
    """In Ace to Ace, once it has laid: three discards of which two make a meld with its king."""
    here = position(
        "KS 4C 6D",
        "3D 4D",
        pile="2H KD KH",
        phase="draw",
        melds=["0: 7H 7C 7D"],
        variant="ace-to-ace",
        wild="9",
    )
    assert move_at(here) == Draw(source="discard", count=2)
    useless = position(
        "KS 4C 6D",
        "3D 4D",
        pile="2H QD TH",
        phase="draw",
        melds=["0: 7H 7C 7D"],
        variant="ace-to-ace",
        wild="9",
    )
    assert move_at(useless) == Draw(source="stock")


@pytest.mark.parametrize(
    ("points", "deals_over", "answer"),
    [
        pytest.param(2, 4, AddPenalty(2), id="a few points, some deals left"),
        pytest.param(20, 4, Decline(), id="many points"),
        pytest.param(2, 12, Decline(), id="the end is near"),
    ],
)
def test_it_takes_a_few_points_for_the_press(points: int, deals_over: int, answer: Move) -> None:
    """The double points of the next deal may bring them back."""
    here = position(HAND, LONG).table
    asked = replace(here, deals=13, scores=((0, 0),) * deals_over)
    moves: list[Move] = [AddPenalty(points), Decline()]

    assert STRATEGIES["patient"].choose(asked, 0, moves, random.Random(1)) == answer
