"""What a player may do in Rami and in basic Rummy is listed, all of it; and games at random come to their end."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

import pytest

from meldlog_contracts.cards import JOKER, RANKS, SUITS, Card
from meldlog_contracts.commands import Batch, Discard, Draw, GameCommand, LayMeld, LayOff, Reclaim, ReturnDraw
from meldlog_contracts.melds import Reading
from meldlog_service.testing import Game, Play, all_of, draw, lay

RAMI = ("rami-simple", "rami-51", "rami-71")
GAMES = ("basic-rummy", *RAMI)
OWN = "ann: 2S 3S 4S"


def batches(game: Game) -> list[Batch]:
    """The lists of melds that ann may lay."""
    return [move for move in game.moves("ann") if isinstance(move, Batch)]


def cards_of(batch: Batch) -> list[str]:
    """The melds of a list as text, in alphabetical order."""
    return sorted(" ".join(sorted(meld.cards)) for meld in batch.commands if isinstance(meld, LayMeld))


# -- what is listed ----------------------------------------------------------------------------------------------------


def test_an_opening_of_several_melds_is_listed(play: Play) -> None:
    """The smallest ones: kings with the run of spades, not with a third meld that is not needed."""
    game = (
        play("rami-51", seats=2).given_deal(1, ann="TS JS QS KC KH KD 4C 4H 4D 9C", stock="2H").after(draw())
    )
    found = [cards_of(batch) for batch in batches(game)]
    assert ["JS QS TS", "KC KD KH"] in found
    assert all(len(melds) == 2 for melds in found)


def test_an_opening_without_a_joker_is_listed_to_who_holds_all_four(play: Play) -> None:
    """Sixty points of natural cards, and four jokers that stay in the hand."""
    hand = "JK JK JK JK TS JS QS KC KH KD 4C"
    game = play("rami-51", seats=2).given_deal(1, ann=hand, stock="2H").after(draw())
    assert ["JS QS TS", "KC KD KH"] in [cards_of(batch) for batch in batches(game)]


def test_a_hand_with_too_many_openings_says_that_its_list_is_cut_off(play: Play) -> None:
    """Two suits side by side and three jokers: thousands of openings, of which some are named."""
    hand = "3C 4C 5C 6C 7C 3D 4D 5D 6D 7D 8D JK JK JK"
    game = play("rami-51", seats=2).given_deal(1, ann=hand, stock="2H").after(draw())
    assert game.last_moves is not None
    assert game.last_moves.truncated
    assert len(batches(game)) > 100
    lean = (
        play("rami-71", seats=2).given_deal(1, ann=hand.removesuffix("JK") + "2D", stock="2H").after(draw())
    )
    assert lean.last_moves is not None
    assert not lean.last_moves.truncated


def test_a_closing_with_jokers_after_an_opening_without_is_listed(play: Play) -> None:
    """Where an opening holds no joker, melds with jokers are laid all together or not at all."""
    hand = "JC JD JH JS 5C 5D 5H 5S 2C 2D JK 3D 3H JK"
    game = (
        play("rami-51", seats=2, opening_joker_rule="forbidden", printed_jokers=4)
        .given_deal(1, ann=hand, stock="3H")
        .after(draw())
    )
    game.when(all_of(lay("JC JD JH JS"), lay("5C 5D 5H 5S")))
    jokers = all_of(lay("2C 2D JK=2"), lay("3D 3H JK=3"))
    assert ["2C 2D JK", "3D 3H JK"] in [cards_of(batch) for batch in batches(game)]
    for alone in jokers.commands:
        assert game.refuses(alone).rule == "open.joker"
    game.when(jokers)
    natural = (
        play("rami-51", seats=2, opening_joker_rule="forbidden")
        .given_deal(1, ann="JC JD JH JS 5C 5D 5H 5S 2C 2D 2S 9H KD", stock="3H")
        .after(draw())
    )
    natural.when(all_of(lay("JC JD JH JS"), lay("5C 5D 5H 5S")))
    assert lay("2C 2D 2S") in natural.moves("ann")


def test_a_closing_in_one_go_is_listed(play: Play) -> None:
    """In each game of Rami; in Simple there is nothing else."""
    for variant in RAMI:
        game = play(variant, seats=2).given_deal(1, ann="3C 4C 5C 6S 6H 6C", stock="KS").after(draw())
        assert [cards_of(batch) for batch in batches(game)] == [["3C 4C 5C", "6C 6H 6S"]]
        assert {type(move) for move in game.moves("ann")} == {Batch, Discard}


def test_with_a_discard_taken_openings_hold_it_and_putting_it_back_is_listed(play: Play) -> None:
    """Nothing else: ann can neither discard nor open without it."""
    game = play("rami-51", seats=2).given_deal(
        1, ann="JS QS KC KH KD 6C 6H 6D TC TD 9C", discards="4H TS", stock="2H"
    )
    game.when(draw("discard"))
    moves = game.moves("ann")
    assert ReturnDraw() in moves
    assert not any(isinstance(move, Discard) for move in moves)
    for batch in batches(game):
        assert "TS" in " ".join(cards_of(batch))


@pytest.mark.parametrize("variant", RAMI[1:])
def test_an_exchange_is_listed_beside_the_lay_off(play: Play, variant: str) -> None:
    """The six of clubs goes to the tria of three, or frees the joker of the tria of four."""
    table = [OWN, "bea: 6S JK=6 6D", "bea: 6S 6H 6D JK=6"]
    game = play(variant, seats=2).given_deal(1, ann="6C KD", table=table, stock="2H").after(draw())
    moves = game.moves("ann")
    assert [move.meld for move in moves if isinstance(move, LayOff)] == [2]
    assert [move.meld for move in moves if isinstance(move, Reclaim)] == [3]


# -- nothing is missing ------------------------------------------------------------------------------------------------


def lays(game: Game) -> list[Reading]:
    """Every meld that can be made of ann's hand, found by trying all choices of cards."""
    hand = game.table.hand(0)
    found = {}
    for size in range(3, len(hand) + 1):
        for chosen in set(combinations(sorted(hand), size)):
            for reading in game.rules.meanings(chosen, game.table.deal.wild):
                found[tuple(sorted(reading.cards)), reading.kind, reading.reads_as] = reading
    return list(found.values())


def together(readings: list[Reading], hand: tuple[Card, ...]) -> Iterator[tuple[Reading, ...]]:
    """Every choice of two or three melds that the hand has the cards for."""
    there = Counter(hand)
    for count in (2, 3):
        for chosen in combinations(readings, count):
            if Counter(card for reading in chosen for card in reading.cards) <= there:
                yield chosen


def as_batch(chosen: tuple[Reading, ...]) -> Batch:
    """Melds laid in one list."""
    laid: tuple[GameCommand, ...] = tuple(LayMeld(reading.cards, reading.reads_as) for reading in chosen)
    return Batch(laid)


Meant = tuple[tuple[str, ...], tuple[str, ...]]


def meant(command: LayMeld) -> Meant:
    """What a laid meld is, whatever the order in which it is written."""
    reads_as = command.reads_as or command.cards
    return tuple(sorted(command.cards)), tuple(sorted(reads_as))


def melds_of(batch: Batch) -> Counter[Meant]:
    """The melds of a list, each as often as it is laid."""
    return Counter(meant(meld) for meld in batch.commands if isinstance(meld, LayMeld))


def small_hand(chance: random.Random, jokers: int) -> str:
    """Eight cards that go together: two melds' beginnings, some cards beside, jokers."""
    suit, start = chance.choice(SUITS), chance.randrange(9)
    rank = chance.choice(RANKS)
    run = [RANKS[start + step] + suit for step in range(4)]
    of_a_rank = [rank + one for one in chance.sample(SUITS, 3)]
    hand = [*run, *of_a_rank, *([JOKER] * jokers)]
    while len(hand) < 8:
        hand.append(chance.choice(RANKS) + chance.choice(SUITS))
    return " ".join(hand[:9]) if max(Counter(hand).values()) <= 2 else small_hand(chance, jokers)


@pytest.mark.parametrize("variant", RAMI)
@pytest.mark.parametrize("seed", range(12))
def test_every_opening_and_closing_of_a_small_hand_is_listed_or_holds_a_listed_one(
    play: Play, variant: str, seed: int
) -> None:
    """Tried by brute force: whatever list of melds the core accepts, and whichever single meld."""
    chance = random.Random(seed)
    house: dict[str, Any] = (
        {"opening_threshold": chance.choice((20, 30, 40))} if variant != "rami-simple" else {}
    )
    hand = small_hand(chance, seed % 3)
    game = play(variant, seats=2, **house).given_deal(1, ann=hand, stock="2H").after(draw())
    nothing_is_missing(game)


@pytest.mark.parametrize("variant", RAMI[1:])
@pytest.mark.parametrize("seed", range(16))
def test_every_opening_and_closing_with_a_discard_just_taken_is_listed(
    play: Play, variant: str, seed: int
) -> None:
    """By many rules: which card is left over, and what lies among the others, makes the difference."""
    chance = random.Random(seed)
    house: dict[str, Any] = {
        "opening_threshold": chance.choice((15, 40)),
        "opening_joker_rule": chance.choice(("represented", "zero", "forbidden")),
        "opening_required_melds": chance.choice(("none", "run_and_set", "clean_run", "clean_run_and_set")),
        "close_required_melds": chance.choice(("none", "run_and_set", "clean_run", "clean_run_and_set")),
        "close_exempt_from_threshold": chance.randrange(2) == 0,
        "taken_card_outside_required_run": chance.randrange(2) == 0,
    }
    hand = small_hand(chance, seed % 3).split()
    taken = hand.pop(chance.choice([place for place, card in enumerate(hand) if card != JOKER]))
    game = play(variant, seats=2, **house).given_deal(
        1, ann=" ".join(hand), discards=f"4H {taken}", stock="2H"
    )
    nothing_is_missing(game.after(draw("discard")))


def test_closings_that_leave_another_card_are_listed_each(play: Play) -> None:
    """Nothing comes of leaving the five that was taken; of leaving the five of hearts does a closing."""
    game = play("rami-51", seats=2).given_deal(1, ann="2C 3C 4C 5H 5C JK", discards="4H 5D", stock="2H")
    found = [cards_of(batch) for batch in batches(game.after(draw("discard")))]
    assert ["2C 3C 4C", "5C 5D JK"] in found
    assert ["2C 3C 4C", "5D 5H JK"] in found


def nothing_is_missing(game: Game) -> None:
    """Whatever ann may lay is listed, or holds something smaller that is."""
    assert game.last_moves is not None
    assert not game.last_moves.truncated
    listed = game.moves("ann")
    alone = {meant(move) for move in listed if isinstance(move, LayMeld)}
    lists = [melds_of(move) for move in listed if isinstance(move, Batch)]
    readings = lays(game)
    for reading in readings:
        command = LayMeld(reading.cards, reading.reads_as)
        assert game.allows(command) is (meant(command) in alone), command
    for chosen in together(readings, game.table.hand(0)):
        batch = as_batch(chosen)
        melds = melds_of(batch)
        if any(fewer < melds for fewer in lists) or not alone.isdisjoint(melds):
            continue  # a smaller list stands, and the rest is laid afterwards
        assert game.allows(batch) is (melds in lists), batch


@pytest.mark.parametrize("variant", RAMI[1:])
def test_the_order_of_the_melds_in_a_list_makes_no_difference(play: Play, variant: str) -> None:
    """Each of the six orders of three melds."""
    game = play(variant, seats=2).given_deal(1, ann="8S 9S TS 9C 9H 9D KS KH KD 2C 4D", stock="2H")
    game.when(draw())
    melds = [
        LayMeld(tuple(Card(card) for card in text.split())) for text in ("8S 9S TS", "9C 9H 9D", "KS KH KD")
    ]
    for order in permutations(melds):
        assert game.allows(Batch(order))


# -- games at random ---------------------------------------------------------------------------------------------------


def preferring_the_table(game: Game, chance: random.Random) -> Any:
    """Any listed move, plays to the table preferred."""
    moves = game.moves(game.on_turn)
    played = [move for move in moves if isinstance(move, LayMeld | LayOff | Reclaim | Batch)]
    return chance.choice(played if played and chance.randrange(4) else moves)


@pytest.mark.parametrize("variant", GAMES)
@pytest.mark.parametrize("seats", [2, 4])
def test_random_play_never_gets_stuck(play: Play, variant: str, seats: int) -> None:
    """Whole turns from a real deal: every listed move is legal, every card stays in the game, somebody can act."""
    chance = random.Random(seats)
    game = play(variant, seats=seats).given_start()
    for _ in range(60):
        if game.table.status != "playing":
            break
        game.when(preferring_the_table(game, chance))


HOUSES: dict[str, list[dict[str, Any]]] = {
    "basic-rummy": [
        {"printed_jokers": 2},
        {"final_discard_required": True, "layoff_requires_own_meld": True},
        {"runs_any_suit": True, "stock_exhaustion": "turn_over"},
    ],
    "rami-simple": [
        {"hand_size": 6},
        {"hand_size": 6, "close_required_melds": "none"},
        {"hand_size": 6, "lay_mode": "progressive"},
    ],
    "rami-51": [
        {"hand_size": 7, "opening_threshold": 15},
        {"hand_size": 7, "opening_threshold": 0, "opening_must_beat_previous": True},
        {"hand_size": 7, "opening_threshold": 20, "failed_take_penalty": 5},
        {"hand_size": 7, "opening_threshold": 9, "wild_reclaim_use": "same_turn"},
        {"hand_size": 7, "opening_threshold": 9, "final_discard_required": False},
        {"hand_size": 7, "opening_threshold": 15, "close_with_layoff": True},
    ],
    "rami-71": [
        {"hand_size": 8, "opening_threshold": 0},
        {"hand_size": 8, "opening_threshold": 15, "opening_joker_rule": "forbidden"},
        {"hand_size": 8, "opening_threshold": 9, "discard_take_after_meld": "must_meld"},
        {"hand_size": 8, "opening_threshold": 9, "discard_take_after_meld": "not_this_turn"},
    ],
}
"""House rules that meet one another."""


def short(variant: str) -> dict[str, Any]:
    """House rules that make a game end with its first deal or two."""
    return {"void_deals_limit": 1, **({"target": 30} if variant == "basic-rummy" else {"limit_alone": 30})}


@pytest.mark.parametrize(
    ("variant", "house"), [(variant, house) for variant, houses in HOUSES.items() for house in houses]
)
def test_random_games_by_house_rules_come_to_an_end(play: Play, variant: str, house: dict[str, Any]) -> None:
    """With everything checked at every step."""
    chance = random.Random(5)
    game = play(variant, seats=2, **short(variant), **house).given_start()
    for _ in range(3000):
        if game.table.status != "playing":
            return
        game.when(preferring_the_table(game, chance))
    raise AssertionError("the game goes on")


def test_in_the_draw_phase_stock_and_discard_are_listed(play: Play) -> None:
    """And nothing more."""
    game = play("rami-51", seats=2).given_deal(1, ann="7H KD", discards="9C")
    assert game.moves("ann") == (Draw("stock"), Draw("discard", 1))
