"""The list of moves: what it holds, in which form, from whose eyes. That it is complete is proved in the properties."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.support.games import Game
from tests.support.positions import Position, position

from meldlog_contracts.cards import HIDDEN, Card, cards
from meldlog_contracts.commands import Discard, Draw, LayMeld, LayOff, PlayCommand, Reclaim
from meldlog_service.core.moves import moves
from meldlog_service.core.views import conceal


def listed(here: Position, kind: type[PlayCommand] | None = None) -> list[PlayCommand]:
    """Listed moves of whoever is on turn, of one kind or all."""
    return [move for move in here.moves().moves if kind is None or isinstance(move, kind)]  # type: ignore[misc]


def run(text: str, reads_as: str | None = None) -> LayMeld:
    """A new meld."""
    return LayMeld(cards(text), None if reads_as is None else tuple(map(Card, reads_as.split())))


def test_nobody_moves_before_the_start_out_of_turn_or_after_the_end() -> None:
    """The list is empty, and it is not cut short."""
    game = Game(house_rules={"deal_count": 1})
    assert moves(game.table, 0, game.rules).moves == ()
    game.started()
    for seat in range(3):
        listed_ = game.moves(seat)
        assert (listed_.seat, listed_.version, listed_.truncated) == (seat, game.version, False)
        assert bool(listed_.moves) == (seat == game.on_turn)
    game.play_out(lambda found, _: found.moves[-1])
    assert [game.moves(seat).moves for seat in range(3)] == [()] * 3


def test_a_turn_begins_with_the_draws_that_there_are() -> None:
    """From an empty pile none is offered."""
    assert listed(position("7H", "AC", pile="2C 3C", phase="draw", held=3)) == [
        Draw("stock"),
        Draw("discard"),
    ]
    assert listed(position("7H", "AC", phase="draw", held=3)) == [Draw("stock")]


def test_several_discards_are_offered_where_several_may_be_taken() -> None:
    """Every number up to the whole pile."""
    here = position(
        "7H", "AC", pile="2C 3C 4C", phase="draw", held=3, house_rules={"discard_take_count": "any"}
    )
    assert listed(here) == [Draw("stock"), Draw("discard"), Draw("discard", 2), Draw("discard", 3)]


def test_a_hand_without_a_meld_can_be_discarded_from() -> None:
    """Each card once, also where it is held twice."""
    assert listed(position("7H 9S KD", "AC")) == [Discard(card) for card in cards("7H 9S KD")]
    here = position("7H 7H KD", "AC", house_rules={"packs": 2})
    assert listed(here) == [Discard(card) for card in cards("7H KD")]


def test_melds_of_naturals_need_no_declaration() -> None:
    """Every stretch of a run, every choice for a set, each leaving a card to discard."""
    here = position("5H 6H 7H 8H 5C 5D", "AC", wild="K")
    assert listed(here, LayMeld) == [
        run("5C 5D 5H"),
        run("5H 6H 7H"),
        run("5H 6H 7H 8H"),
        run("6H 7H 8H"),
    ]


def test_a_meld_with_wilds_says_what_each_stands_for() -> None:
    """So that it can be posted as it is, whatever else it could mean."""
    here = position("5H 6H 9C KD", "AC")
    assert listed(here, LayMeld) == [
        run("9C 5H 6H", "4H 5H 6H"),
        run("5H 6H 9C", "5H 6H 7H"),
    ]
    for move in listed(here, LayMeld):
        assert here.events(move)


def test_three_wilds_are_any_meld() -> None:
    """Thirteen sets but for one that they are themselves, and every run of three there is."""
    here = position("9C 9D 9H KD", "AC")
    found = listed(here, LayMeld)
    sets = [
        move for move in found if isinstance(move, LayMeld) and move.reads_as and move.reads_as[0][1] == "X"
    ]
    assert len(sets) == 12
    assert run("9C 9D 9H", "9C 9D 9H") in found
    assert len(found) == len({(move.cards, move.reads_as) for move in found if isinstance(move, LayMeld)})
    for move in found:
        assert here.events(move)


def test_wilds_that_could_change_places_are_listed_in_one_order() -> None:
    """Two nines in two gaps make one meld."""
    here = position("4H 7H 9C 9D KD", "AC")
    gaps = [
        move
        for move in listed(here, LayMeld)
        if isinstance(move, LayMeld) and move.reads_as == cards("4H 5H 6H 7H")
    ]
    assert gaps == [run("4H 9C 9D 7H", "4H 5H 6H 7H")]


def test_a_wild_is_offered_though_the_natural_is_held() -> None:
    """One may want to keep the seven."""
    here = position("5H 6H 7H 9C KD", "AC")
    assert run("5H 6H 9C", "5H 6H 7H") in listed(here, LayMeld)


def test_lay_offs_are_listed_card_by_card() -> None:
    """On every meld that takes the card; an end is named only where there are two."""
    here = position("4H 8H 9C KD", "AC", melds=["0: 5H 6H 7H", "1: KS KH KC"])
    found = listed(here, LayOff)
    assert len(found) == 6
    assert set(found) == {
        LayOff(1, cards("4H")),
        LayOff(1, cards("8H")),
        LayOff(1, cards("9C"), None, "low"),
        LayOff(1, cards("9C"), None, "high"),
        LayOff(2, cards("9C")),
        LayOff(2, cards("KD")),
    }
    for move in listed(here, LayOff):
        assert here.events(move)


def test_a_wild_at_the_end_of_the_ranks_has_one_place() -> None:
    """Below an ace there is nothing."""
    here = position("9C KD", "AC", melds=["0: AH 2H 3H"])
    assert listed(here, LayOff) == [LayOff(1, cards("9C"))]


def test_exchanges_are_listed_apart_from_lay_offs() -> None:
    """A natural that fits a set with room may do either."""
    here = position("QC KD", "AC", melds=["0: QS QH 9S=QX"])
    assert listed(here, LayOff) == [LayOff(1, cards("QC"))]
    assert listed(here, Reclaim) == [Reclaim(1, Card("QC"), Card("9S"))]


def test_what_a_rule_forbids_is_not_listed() -> None:
    """Here: nobody lays off or takes a wild back before laying a meld of one's own."""
    here = position("QC KD 5H", "AC", melds=["1: QS QH 9S=QX"])
    assert listed(here) == [Discard(card) for card in cards("QC KD 5H")]
    for command in (LayOff(1, cards("QC")), Reclaim(1, Card("QC"), Card("9S"))):
        assert here.refusal(command).code == "illegal_move"


def test_one_exchange_is_listed_for_several_equal_wilds() -> None:
    """Two packs: both wilds of the meld are the nine of spades."""
    here = position("QC KD", "AC", melds=["0: QS QH 9S=QX 9S=QX"], house_rules={"packs": 2})
    assert listed(here, Reclaim) == [Reclaim(1, Card("QC"), Card("9S"))]


def test_the_list_is_made_from_what_the_seat_knows() -> None:
    """The concealed table gives the same list as the service's own."""
    here = position("5H 6H 9C KD", "AC 2D", "JD", melds=["1: QS QH 9S=QX"], pile="2C")
    assert moves(conceal(here.table, 0), 0, here.rules) == moves(here.table, 0, here.rules)
    assert HIDDEN not in str(here.moves())


@pytest.mark.parametrize("limit", [0, 1, 5])
def test_a_list_that_is_cut_short_says_so(limit: int) -> None:
    """So that nobody takes it for all there is."""
    here = position("9C 9D 9H KD", "AC")
    short = moves(conceal(here.table, 0), 0, here.rules, limit)
    assert (len(short.moves), short.truncated) == (limit, True)
    whole = here.moves()
    assert not whole.truncated
    assert short.moves == whole.moves[:limit]


def test_a_list_of_exactly_the_limit_is_whole() -> None:
    """It is the next one that is missing."""
    here = position("7H TC KD", "AC")
    assert not moves(here.table, 0, here.rules, 3).truncated


HANDS: Sequence[str] = ("9C", "9C 9D", "9C 9D 9H 9S", "5H 6H 7H", "5H 5C 5D")


@pytest.mark.parametrize("hand", HANDS)
def test_nothing_is_listed_that_would_leave_no_card_to_discard(hand: str) -> None:
    """Where one goes out by discarding the last card."""
    here = position(hand, "AC", held=5)
    for move in listed(here, LayMeld):
        assert isinstance(move, LayMeld)
        assert len(move.cards) < len(hand.split())
