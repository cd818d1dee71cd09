"""What the bot ``plain`` does, position by position. Nines are wild unless a test says otherwise."""

import random

import pytest
from msgspec.structs import replace
from tests.support.positions import Position, position

from meldlog_contracts.cards import Card, cards
from meldlog_contracts.commands import (
    AddPenalty,
    Batch,
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
from meldlog_service.app.choosing import chosen
from meldlog_service.bots import STRATEGIES, Move
from meldlog_service.bots.position import PATIENCE
from meldlog_service.core.views import conceal

PLAIN = STRATEGIES["plain"]
STOCK, DISCARD = Draw(source="stock"), Draw(source="discard")


def move_at(table: Position) -> Move:
    """What the bot on turn does."""
    return chosen(PLAIN, table.table, table.table.deal.turn.seat, table.rules)


def choice(table: Position, *moves: Move) -> Move:
    """What it does where these are the legal moves."""
    seat = table.table.deal.turn.seat
    return PLAIN.choose(conceal(table.table, seat), seat, moves, random.Random(1))


# -- drawing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "upcard"),
    [
        pytest.param("KS KH 2C 5D", "KD", id="the third of a rank"),
        pytest.param("5H 6H KS 2C", "7H", id="the end of a run"),
        pytest.param("5H 7H KS 2C", "6H", id="the middle of a run"),
        pytest.param("KS 9C 2C 5D", "KD", id="a pair with a wild"),
        pytest.param("5H 6H KS 2C", "9D", id="a wild for two that go together"),
    ],
)
def test_it_takes_a_discard_that_completes_a_meld(hand: str, upcard: str) -> None:
    """Whatever its own cards make of it."""
    assert move_at(position(hand, "2D 3D", "2S 3S", pile=upcard, phase="draw")) == DISCARD


@pytest.mark.parametrize(
    ("hand", "upcard"),
    [
        pytest.param("KS QH 2C 5D", "KD", id="only a pair"),
        pytest.param("5H KS 2C JD", "7H", id="only two of a run"),
        pytest.param("4H 8H KS 2C", "6H", id="a run with two gaps"),
        pytest.param("4C TC 2S JD", "9D", id="a wild that goes with nothing"),
    ],
)
def test_it_draws_from_the_stock_otherwise(hand: str, upcard: str) -> None:
    """Half a meld is not worth showing the others what it collects."""
    assert move_at(position(hand, "2D 3D", "2H 3S", pile=upcard, phase="draw")) == STOCK


def test_it_takes_a_discard_that_it_can_lay_off_at_once() -> None:
    """Once it has laid a meld of its own."""
    melds = ["1: 5H 6H 7H"]
    before = position("KS 2C 5D", "2D 3D", melds=melds, pile="8H", phase="draw")
    after = position("KS 2C 5D", "2D 3D", melds=melds, pile="8H", phase="draw", laid=[0])

    assert (move_at(before), move_at(after)) == (STOCK, DISCARD)


def test_it_does_not_take_a_discard_that_it_has_put_back() -> None:
    """It led nowhere a moment ago."""
    here = position("KS KH 2C 5D", "2D 3D", pile="KD", phase="draw")
    turn = replace(here.table.deal.turn, returned=True)
    again = replace(here.table, deal=replace(here.table.deal, turn=turn))

    assert move_at(Position(again, here.rules)) == STOCK


def test_where_the_stock_is_gone_it_takes_what_it_can_use_and_declines_the_rest() -> None:
    """Beanie's end of the stock."""
    house_rules = {"stock_exhaustion": "until_discard_refused"}
    useful = position("KS KH 2C 5D", "2D 3D", pile="KD", stock="", phase="draw", house_rules=house_rules)
    useless = position("KS QH 2C 5D", "2D 3D", pile="8D", stock="", phase="draw", house_rules=house_rules)

    assert (move_at(useful), move_at(useless)) == (DISCARD, DeclineDiscard())


def test_it_takes_what_it_must() -> None:
    """A discard of no use, or several, where there is nothing else."""
    here = position("KS QH 2C 5D", "2D 3D", pile="8D 4S", phase="draw")

    assert choice(here, DISCARD) == DISCARD
    assert choice(here, Draw(source="discard", count=2)) == Draw(source="discard", count=2)


# -- laying ------------------------------------------------------------------------------------------------------------


def test_it_lays_the_dearest_meld() -> None:
    """What is left could be what it is caught with."""
    assert move_at(position("KS KH KD 2C 2D 2H 5D", "3D 4D")) == LayMeld(cards("KD KH KS"))


def test_it_lays_naturals_before_wilds() -> None:
    """A wild fits elsewhere too, a natural may not."""
    here = position("2C 2D 2H KS KH 9C 5D", "3D 4D")

    assert move_at(here) == LayMeld(cards("2C 2D 2H"))


def test_it_lays_wilds_rather_than_keep_them() -> None:
    """Twenty-five points are the dearest of all."""
    move = move_at(position("KS KH 9C 5D 2C", "3D 4D"))

    assert isinstance(move, LayMeld)
    assert Card("9C") in move.cards


def test_it_opens_with_the_dearest_list_of_melds() -> None:
    """Where several melds can only be laid together."""
    here = position("KS KH KD 2C 2D 2H 5D 5C 5S JD", "3D 4D")
    kings, twos, fives = (LayMeld(cards(text)) for text in ("KD KH KS", "2C 2D 2H", "5C 5D 5S"))

    assert choice(here, Batch((twos, fives)), Batch((kings, fives)), Discard(Card("JD"))) == Batch(
        (kings, fives)
    )


def test_it_lays_off_the_dearest_card() -> None:
    """Melds of its own come first."""
    here = position("KC 8H 4H 2S 3S", "3D 4D", melds=["0: 5H 6H 7H", "1: KS KH KD"])

    assert move_at(here) == LayOff(2, cards("KC"))
    assert move_at(here.after(LayOff(2, cards("KC")))) == LayOff(1, cards("8H"))


def test_it_exchanges_a_natural_for_a_wild_that_fits_elsewhere() -> None:
    """The natural that nobody else would take is gone, and the wild as well in the next move."""
    here = position("QC 2S 3D", "3S 4D", melds=["0: QS QH 9C=QX JC=QX", "1: 5H 6H 7H"], wild="9 J")

    move = move_at(here)
    assert move == Reclaim(1, Card("QC"), Card("9C"))
    assert isinstance(move_at(here.after(move)), LayOff)


def test_it_exchanges_nothing_when_the_wild_would_stay_in_its_hand() -> None:
    """Twenty-five points for a card of ten would be a bad exchange."""
    here = position("QC 2S 3D", "3S 4D", melds=["0: QS QH 9C=QX JC=QX"], wild="9 J")

    assert Reclaim(1, Card("QC"), Card("9C")) in here.moves().moves
    assert isinstance(move_at(here), Discard)


def test_it_never_lays_the_last_card_that_it_could_discard() -> None:
    """Of two cards only the seven may be discarded: laying it off would be the end of the road."""
    here = position("7H QS", "3D 4D", melds=["0: 4H 5H 6H"])

    assert choice(here, LayOff(1, cards("7H")), Discard(Card("7H"))) == Discard(Card("7H"))
    assert choice(here, LayOff(1, cards("7H")), Discard(Card("QS"))) == LayOff(1, cards("7H"))


def test_it_goes_out_by_laying_where_the_game_lets_it() -> None:
    """An empty hand needs no discard."""
    here = position("7H", "3D 4D", melds=["0: 4H 5H 6H"], house_rules={"final_discard_required": False})

    assert choice(here, LayOff(1, cards("7H")), Discard(Card("7H"))) == LayOff(1, cards("7H"))


def test_after_somebody_went_out_it_lays_off_what_it_can_and_declines_then() -> None:
    """There is no discard any more that a card would have to be kept for."""
    here = position("7H QS", "3D 4D", melds=["0: 4H 5H 6H"], phase="lay_off")

    assert choice(here, LayOff(1, cards("7H")), Decline()) == LayOff(1, cards("7H"))
    assert choice(here, Decline()) == Decline()


# -- discarding --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "thrown"),
    [
        pytest.param("KS 2C 7D", "KS", id="the dearest"),
        pytest.param("KS KH 7D 2C", "7D", id="not one of a pair"),
        pytest.param("QS KS 7D 2C", "7D", id="not one of a run"),
        pytest.param("JS KS 7D 2C", "7D", id="not one of a run with a gap"),
        pytest.param("9S 2C 3C", "3C", id="no wild while there is anything else"),
        pytest.param("KS KH 5D 6D 7D 2C 3C", "KS", id="of what all goes together, what goes with the least"),
        pytest.param("9S 9C", "9S", id="a wild where there is nothing else"),
    ],
)
def test_it_throws_the_dearest_card_that_goes_with_no_other(hand: str, thrown: str) -> None:
    """Asked where it can lay nothing."""
    here = position(hand, "3D 4D", wild="9")
    discards = [Discard(card) for card in cards(hand)]

    assert choice(here, *discards) == Discard(Card(thrown))


def test_a_deal_that_goes_round_in_circles_is_broken_up() -> None:
    """After very many turns it draws and throws what chance says, but no wild; until then nothing is left to chance."""
    late = PATIENCE * 2 + 1
    for turns, varied in ((late - 1, False), (late, True)):
        drawing = position("KS QH 2C 5D", "2D 3D", pile="8D", phase="draw", turns=turns)
        throwing = position("KS QH 2C 9D", "2D 3D", turns=turns)
        for here in (drawing, throwing):
            table, moves = conceal(here.table, 0), here.moves().moves
            found = {PLAIN.choose(table, 0, moves, random.Random(seed)) for seed in range(30)}
            assert (len(found) > 1) == varied
            assert Discard(Card("9D")) not in found


# -- the rest ----------------------------------------------------------------------------------------------------------


def test_it_names_the_rank_that_it_holds_most_of() -> None:
    """Among those that may still be named."""
    here = position("5H 5C 5D 7H 7D 2C", "3D 4D")

    assert choice(here, *(NameWild(rank) for rank in "A2357")) == NameWild("5")
    assert choice(here, *(NameWild(rank) for rank in "A237")) == NameWild("7")


def test_it_declines_what_is_offered() -> None:
    """Points of its own accord it takes none."""
    assert choice(position("5H 7D", "3D 4D"), AddPenalty(2), Decline()) == Decline()


def test_it_puts_a_taken_discard_back_when_there_is_nothing_else() -> None:
    """Whatever is the only legal move is played."""
    assert choice(position("5H 7D", "3D 4D"), ReturnDraw()) == ReturnDraw()
