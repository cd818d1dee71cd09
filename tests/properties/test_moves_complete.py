"""The list of moves is complete: small hands, every choice of cards, every reading, every target, one by one.

Nothing here is taken from the code that makes the list. Every way to say a meld is tried on the judge, and whatever it
accepts must be listed in its normal form; and whatever is listed must have been found.
"""

from __future__ import annotations

import random
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.strategies import choices, examples
from tests.support.positions import Position, position

from meldlog_contracts.cards import ANY_SUIT, JOKER, PLAIN_PACK, RANKS, SUITS, Card
from meldlog_contracts.commands import Batch, Discard, Draw, LayMeld, LayOff, PlayCommand, Reclaim
from meldlog_contracts.events import CardLaidOff, MeldLaid
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import HouseValue

MELDING = (
    "ace_in_runs",
    "final_discard_required",
    "layoff_requires_own_meld",
    "max_set_size",
    "max_wilds_per_meld",
    "min_naturals_per_meld",
    "min_run_length",
    "one_card_rule",
    "packs",
    "printed_jokers",
    "set_identical_cards",
    "set_reclaim",
    "set_swap_max_wilds",
    "wild_reclaim",
    "wild_reclaim_use",
)
"""House rules that have a say in what may be put down."""


def every_reading(
    cards: tuple[Card, ...], wild: frozenset[Card]
) -> set[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """Every way to lay these cards as a row of one rank, or of consecutive ranks that may go round the corner."""
    found = set()
    for rank in RANKS:
        reads_as = tuple(
            card if card[0] == rank and card != JOKER else Card(rank + ANY_SUIT) for card in cards
        )
        if all(card == meaning or card in wild for card, meaning in zip(cards, reads_as, strict=True)):
            found.add((cards, reads_as))
    for suit in SUITS:
        for start in range(len(RANKS)):
            row = tuple(Card(RANKS[(start + step) % len(RANKS)] + suit) for step in range(len(cards)))
            for order in set(permutations(cards)):
                if all(card == meaning or card in wild for card, meaning in zip(order, row, strict=True)):
                    found.add((order, row))
    return found


def effect(here: Position, command: PlayCommand | Batch) -> tuple[object, ...] | None:
    """What an accepted command does, in normal form; None where it is refused."""
    try:
        done = here.events(command)[0]
    except Refused:
        return None
    if isinstance(done, MeldLaid):
        return (done.kind, tuple(sorted(done.cards)), tuple(sorted(done.reads_as)))
    if isinstance(done, CardLaidOff):
        return (done.meld, done.end, done.cards, done.reads_as)
    return (done,)


def everything(here: Position) -> dict[tuple[object, ...], PlayCommand]:
    """All that the judge accepts, by its effect."""
    hand = here.table.hand(0)
    wild = here.rules.wild_cards(here.table.deal.wild)
    asked: list[PlayCommand] = [Draw("stock"), Draw("discard"), *map(Discard, hand)]
    for size in range(len(hand) + 1):
        for cards in set(combinations(sorted(hand), size)):
            asked += [LayMeld(order, reads_as) for order, reads_as in every_reading(cards, wild)]
    for number, lying in enumerate(here.table.deal.melds, 1):
        for card in set(hand):
            asked += [LayOff(number, (card,), None, end) for end in (None, "low", "high")]
            asked += [Reclaim(number, card, standing) for standing in set(lying.cards)]
    found = {}
    for command in asked:
        done = effect(here, command)
        if done is not None:
            found[done] = command
    return found


def somewhere(rng: random.Random, house: dict[str, HouseValue]) -> Position:
    """A turn of seat 0 with a few cards in hand, wilds among them, and some melds on the table."""
    wild = rng.choice(RANKS)
    packs = 2 if house.get("packs") == 2 else 1
    pack = [Card(rank + suit) for suit in SUITS for rank in RANKS] * packs
    jokers = house.get("printed_jokers")
    pack += [JOKER] * (jokers if isinstance(jokers, int) else 0)
    rng.shuffle(pack)
    start, suits = rng.randrange(len(RANKS)), rng.sample(SUITS, 2)
    near = {RANKS[(start + step) % len(RANKS)] for step in range(5)}
    pack.sort(key=lambda card: not (card[0] in near and card[1] in suits))
    wilds = [card for card in pack if card[0] == wild or card == JOKER]
    rng.shuffle(wilds)
    hand = wilds[: rng.randrange(4)]
    size = rng.randint(2, 6)
    for card in pack:
        if len(hand) < size and card[0] != wild and card != JOKER:
            hand.append(card)
    left = list(pack)
    for card in hand:
        left.remove(card)
    melds = [text for text in (_meld_from(rng, left, wild) for _ in range(rng.randrange(4))) if text]
    if melds and rng.random() < 0.5:
        melds[0] = f"1: {melds[0]}"
    rng.shuffle(left)
    return position(
        " ".join(hand),
        left.pop(),
        left.pop(),
        melds=melds,
        pile=" ".join(left[:3]),
        wild=wild,
        drawn=hand[-1],
        laid=rng.sample(range(3), rng.randrange(3)),
        house_rules=house,
    )


def _meld_from(rng: random.Random, left: list[Card], wild: str) -> str | None:
    """Text of a set or run of what is left, some of it wild, taking its cards away."""
    wilds = [card for card in left if card[0] == wild or card == JOKER]
    naturals = [card for card in left if card[0] != wild and card != JOKER]
    first = rng.choice(naturals)
    at = RANKS.index(first[0])
    run = tuple(Card(RANKS[at + step] + first[1]) for step in range(min(len(RANKS) - at, rng.randint(3, 5))))
    own = tuple(dict.fromkeys(card for card in naturals if card[0] == first[0]))[: rng.randint(2, 4)]
    meanings = (
        run if len(run) >= 3 and rng.random() < 0.6 else own + (Card(first[0] + ANY_SUIT),) * (3 - len(own))
    )
    words: list[str] = []
    used: list[Card] = []
    for meaning in meanings:
        if meaning in naturals and rng.random() < 0.7:
            words.append(meaning)
            used.append(meaning)
        elif wilds:
            card = wilds.pop()
            words.append(
                card if card == meaning else f"{card}={meaning if meanings is run else first[0] + ANY_SUIT}"
            )
            used.append(card)
        else:
            return None
    for card in used:
        left.remove(card)
    return " ".join(words)


@examples(250)
@given(seed=st.integers(0, 2**32 - 1), data=st.data())
def test_whatever_the_judge_accepts_is_listed(seed: int, data: st.DataObject) -> None:
    """New melds of any cards and readings, lay-offs, exchanges, discards and draws."""
    every = choices("crazy-rummy")
    names = data.draw(st.sets(st.sampled_from(MELDING), max_size=5))
    house = {name: data.draw(st.sampled_from(every[name]), label=name) for name in sorted(names)}
    here = somewhere(random.Random(seed), house)
    moves = here.moves().moves
    listed = {effect(here, move): move for move in moves}
    found = everything(here)
    assert None not in listed, "a listed move is refused"
    assert len(listed) == len(moves), "a move is listed twice"
    missing = [found[done] for done in found.keys() - listed.keys()]
    invented = [move for done, move in listed.items() if done not in found]
    assert not missing, "accepted, and not listed"
    assert not invented, "listed, and not found by trying everything"


@pytest.mark.parametrize("ace", ["low", "low_or_high", "around_corner"])
@pytest.mark.parametrize("wilds", [0, 1])
def test_a_run_of_a_whole_suit_is_listed_as_it_is_accepted(ace: str, wilds: int) -> None:
    """Thirteen cards lie in a row from any of them on where runs go round the corner: what is listed can be laid."""
    hearts = [Card(rank + "H") for rank in RANKS]
    hand = [*hearts[: 13 - wilds], *[Card("5C")] * wilds, Card("2S")]
    here = position(" ".join(hand), "3D", "4D", wild="5", house_rules={"ace_in_runs": ace})
    listed = here.moves(0)
    assert not listed.truncated
    effects = [effect(here, move) for move in listed.moves]
    assert None not in effects, "a listed move is refused"
    assert len(set(effects)) == len(effects), "a move is listed twice"
    assert any(isinstance(move, LayMeld) and len(move.cards) == 13 for move in listed.moves)


@examples(60)
@given(
    hand=st.lists(st.sampled_from(PLAIN_PACK), min_size=3, max_size=6, unique=True),
    ace=st.sampled_from(("low", "low_or_high", "around_corner")),
)
def test_runs_of_mixed_suits_are_listed_where_they_are_allowed(hand: list[Card], ace: str) -> None:
    """Without wilds: every choice of cards that the judge accepts as it lies."""
    here = position(
        " ".join(hand), "", "", stock="", wild="", house_rules={"runs_any_suit": True, "ace_in_runs": ace}
    )
    accepted = {
        effect(here, LayMeld(cards))
        for size in range(3, len(hand))
        for cards in combinations(hand, size)
        if effect(here, LayMeld(cards)) is not None
    }
    assert {effect(here, move) for move in here.moves().moves if isinstance(move, LayMeld)} == accepted
