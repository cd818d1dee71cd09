"""Wilds: each lies once, stands for one card, relaxes no rule for the naturals, and counts as what it is."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.faults.index import keeps
from tests.support.positions import Position, position

from meldlog_contracts.cards import PLAIN_PACK, RANKS, SUITS, Card, cards
from meldlog_contracts.commands import Batch, Command, Discard, LayMeld, LayOff, Reclaim
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Table


def row(meld: int, here: Position) -> str:
    """What a meld on the table reads as."""
    return " ".join(here.table.deal.melds[meld - 1].reads_as)


def spare(*used: str, count: int = 2) -> str:
    """Cards for the hand that have nothing to do with the ranks used."""
    ranks = {card[0] for text in used for card in text.split()}
    return " ".join([card for card in PLAIN_PACK if card[0] not in ranks][:count])


def everywhere(table: Table) -> Counter[Card]:
    """Every card of the deal, wherever it lies."""
    deal = table.deal
    piles = (deal.stock, deal.discard_pile, *deal.hands, *(meld.cards for meld in deal.melds))
    return Counter(card for pile in piles for card in pile)


@keeps(1)
@pytest.mark.parametrize("wilds", ["JK JK", "9C 9D", "9C JK"])
def test_each_wild_goes_to_one_of_the_melds_laid_together(wilds: str) -> None:
    """Two sets of a pair and a wild each are laid in one list; with one wild the second is refused."""
    first, second = wilds.split()
    hand = f"7D 7S 8C 8S {first} {second} KD"
    here = position(hand, "AC", house_rules={"packs": 2, "printed_jokers": 2})
    both = Batch((LayMeld(cards(f"7D 7S {first}")), LayMeld(cards(f"8C 8S {second}"))))
    after = here.after(both)
    assert (row(1, after), row(2, after)) == ("7D 7S 7X", "8C 8S 8X")
    assert after.table.hand(0) == cards("KD")
    lacking = position(f"7D 7S 8C 8S {first} KD", "AC", house_rules={"packs": 2, "printed_jokers": 2})
    twice = Batch((LayMeld(cards(f"7D 7S {first}")), LayMeld(cards(f"8C 8S {first}"))))
    no = lacking.refusal(twice)
    assert (no.rule, no.faults[0].pointer) == ("card.held", "/commands/1")


@keeps(2, 19)
@settings(max_examples=80)
@given(rank=st.sampled_from(RANKS), suits=st.permutations(SUITS), wild=st.sampled_from(("JK", "wild rank")))
def test_a_wild_never_relaxes_the_rule_for_the_naturals(rank: str, suits: list[str], wild: str) -> None:
    """Two naturals of one suit stay two of one suit, wherever the wild lies beside them."""
    other = "2" if rank != "2" else "3"
    joker = "JK" if wild == "JK" else f"{other}{suits[0]}"
    double = f"{rank}{suits[0]}"
    for text in (
        f"{double} {double} {rank}{suits[1]} {joker}",
        f"{joker} {double} {rank}{suits[1]} {double}",
        f"{double} {joker} {double}",
    ):
        here = position(
            f"{text} {spare(text)}",
            "",
            wild=other,
            house_rules={"packs": 2, "printed_jokers": 2, "set_identical_cards": False},
        )
        assert here.refusal(LayMeld(cards(text))).rule == "meld.shape"


@keeps(3, 8)
@settings(max_examples=60)
@given(
    start=st.integers(1, 8),
    length=st.integers(3, 4),
    suit=st.sampled_from(SUITS),
    low=st.booleans(),
    wild=st.sampled_from(RANKS),
)
def test_a_wild_goes_to_the_end_that_the_player_says(
    start: int, length: int, suit: str, low: bool, wild: str
) -> None:
    """It stands for the neighbour there, and the natural beyond it can follow."""
    ranks = RANKS[start : start + length]
    beside, beyond = (start - 1, start - 2) if low else (start + length, start + length + 1)
    if wild in ranks or not 0 <= beyond < len(RANKS) or wild in (RANKS[beside], RANKS[beyond]):
        return
    lying = " ".join(rank + suit for rank in ranks)
    joker, follows = f"{wild}{SUITS[SUITS.index(suit) - 1]}", RANKS[beyond] + suit
    here = position(f"{joker} {follows} {spare(lying, joker, follows)}", "", melds=[lying], wild=wild)
    laid = here.after(LayOff(1, cards(joker), None, "low" if low else "high"))
    stands = RANKS[beside] + suit
    assert row(1, laid) == (f"{stands} {lying}" if low else f"{lying} {stands}")
    followed = laid.after(LayOff(1, cards(follows)))
    assert row(1, followed) == (f"{follows} {stands} {lying}" if low else f"{lying} {stands} {follows}")


@keeps(4, 14, 30)
@pytest.mark.parametrize(
    ("hand", "meld"),
    [
        ("3C JK 5C JK JK JK 9S", "3C JK 5C JK JK JK"),
        ("JK JK 5C 6C JK 9S", "JK JK 5C 6C JK"),
        ("2C JK 4C JK 6C JK 8C 9C 9S", "2C JK 4C JK 6C JK 8C 9C"),
        ("5H 6H 7H 8H 8D 8S 9H TH JH JK", "5H 6H 7H 8H 9H TH JH"),
        ("5H 6H 7H 8H 8D 8S 9H TH JH JK", "8D 8S JK"),
        ("5H 6H 7H 8H 9H KC KD KS 2C 3D", "5H 6H 7H 8H 9H"),
    ],
)
def test_runs_of_any_length_are_found_with_wilds_anywhere(hand: str, meld: str) -> None:
    """Listed, and accepted as listed."""
    here = position(hand, "", wild="", house_rules={"packs": 2, "printed_jokers": 4})
    wanted = Counter(cards(meld))
    listed = [
        move for move in here.moves().moves if isinstance(move, LayMeld) and Counter(move.cards) == wanted
    ]
    assert listed
    for move in listed:
        assert here.events(move)


@keeps(5)
def test_a_lay_off_is_measured_on_what_lies_there_reads_as() -> None:
    """The wild is the king, so an ace follows where it may be high, and nothing follows where it may not."""
    for house, rule in (({"ace_in_runs": "low_or_high"}, None), ({"ace_in_runs": "low"}, "layoff.fits")):
        here = position("AS KD QC", "", melds=["0: JS QS 9C=KS"], house_rules=house)
        command = LayOff(1, cards("AS"))
        if rule is None:
            assert row(1, here.after(command)) == "JS QS KS AS"
        else:
            assert here.refusal(command).rule == rule


@keeps(7)
@pytest.mark.parametrize(
    "command",
    [
        LayOff(1, cards("9C"), None, "low"),
        LayOff(1, cards("4S")),
        Reclaim(2, Card("KH"), Card("9D")),
        LayMeld(cards("4C 5C 6C")),
    ],
    ids=repr,
)
def test_a_card_leaves_the_hand_once(command: Command) -> None:
    """The same command again finds the card gone, and nothing is lost or doubled."""
    here = position("9C 4S KH 4C 5C 6C KD QC", "AC", melds=["0: 5S 6S 7S 8S", "1: KC KS 9D=KX"], wild="9")
    after = here.after(command)
    assert everywhere(after.table) == everywhere(here.table) == Counter(here.rules.pack())
    no = after.refusal(command)
    assert (no.code, no.rule) == ("illegal_move", "card.held")


@keeps(9)
def test_every_exchange_that_is_accepted_is_listed() -> None:
    """For every natural of the pack, every meld with a wild, and every wild in it."""
    melds = ["0: 5S 9C=6S 7S 8S", "1: QS QH 9S=QX", "1: 9D=4H 5H 6H"]
    lying = {"5S", "9C", "7S", "8S", "QS", "QH", "9S", "9D", "5H", "6H"}
    for card in PLAIN_PACK:
        if card in lying:
            continue
        here = position(
            f"{card} KD" if card != "KD" else "KD KC", "AC" if card != "AC" else "2C", melds=melds
        )
        listed = {move for move in here.moves().moves if isinstance(move, Reclaim)}
        for number, wilds in ((1, "9C"), (2, "9S"), (3, "9D")):
            command = Reclaim(number, card, Card(wilds))
            try:
                here.events(command)
            except Refused:
                assert command not in listed
            else:
                assert command in listed


@keeps(10)
def test_a_wild_leaves_a_meld_by_an_exchange_alone() -> None:
    """No command splits, merges or moves melds; what is asked for is judged as cards of one's hand."""
    here = position("KD QC 2D", "AC", melds=["0: AS 2S 3S 4S", "0: 9C=4S 5S 6S 7S"])
    for command in (LayOff(1, cards("5S 6S 7S")), LayOff(1, cards("9C")), LayMeld(cards("5S 6S 7S"))):
        assert here.refusal(command).rule == "card.held"
    assert here.refusal(Discard(Card("9C"))).rule == "card.held"


@keeps(12)
@settings(max_examples=60)
@given(st.lists(st.sampled_from(PLAIN_PACK + cards("JK")), min_size=0, max_size=2))
def test_fewer_than_three_cards_are_no_meld(hand: list[Card]) -> None:
    """However many of them are wild."""
    here = position(
        " ".join([*hand, "KD", "QC"]), "", house_rules={"packs": 2, "printed_jokers": 2}, wild="9", stock=""
    )
    assert here.refusal(LayMeld(tuple(hand))).rule == "meld.shape"


@keeps(13)
@pytest.mark.parametrize("wilds", ["JK JK JK", "9C 9D JK", "9C 9D 9H", "JK JK JK JK", "9C 9D 9H 9S JK"])
def test_melds_of_wilds_alone_are_judged_and_not_computed(wilds: str) -> None:
    """Where a natural is required they are refused by that clause; where none is, they say what they are."""
    house = {"printed_jokers": 4, "min_naturals_per_meld": 2, "packs": 2}
    strict = position(f"{wilds} KD QC", "", house_rules=house)
    free = position(f"{wilds} KD QC", "", house_rules={**house, "min_naturals_per_meld": 0})
    count = len(wilds.split())
    kings = LayMeld(cards(wilds), (Card("KX"),) * count)
    assert strict.refusal(kings).rule == "meld.natural-limit"
    assert free.events(kings)
    assert free.refusal(LayMeld(cards(wilds))).rule == "meld.declare"
    queens = [move for move in strict.moves().moves if isinstance(move, LayMeld)]
    assert all(_naturals(move) >= 2 for move in queens)


def _naturals(move: LayMeld) -> int:
    return sum(map(str.__eq__, move.cards, move.reads_as or move.cards))


@keeps(15)
@pytest.mark.parametrize("wild", list(RANKS))
@pytest.mark.parametrize("price", [15, 20, 25])
def test_every_card_of_the_wild_rank_costs_what_a_wild_costs(wild: str, price: int) -> None:
    """In every suit and in every deal, whatever else the rank is worth."""
    here = position("7H", "AC", "JD", wild=wild, stock="", house_rules={"wild_penalty": price})
    assert {here.rules.points(Card(wild + suit), here.table) for suit in SUITS} == {price}
    plain = {card for card in PLAIN_PACK if card[0] != wild}
    worth = {rank: min(place, 10) for place, rank in enumerate(RANKS, 1)}
    assert all(here.rules.points(card, here.table) == worth[card[0]] for card in plain)


@keeps(16)
def test_a_card_of_the_wild_rank_in_its_own_place_is_natural() -> None:
    """It counts as no wild, and no card frees it; in another place it is one."""
    one = {"max_wilds_per_meld": 1}
    here = position("7D 8D 9D 8H KD QC", "", wild="8", house_rules=one)
    own, other = LayMeld(cards("7D 8D 9D"), cards("7D 8D 9D")), LayMeld(cards("7D 8H 9D"), cards("7D 8D 9D"))
    for command, wilds in ((own, 0), (other, 1)):
        (meld,) = here.after(command).table.deal.melds
        assert sum(map(str.__ne__, meld.cards, meld.reads_as)) == wilds
    taken = position("8S KD", "AC", melds=["0: 7D 8D 9D"], wild="8")
    assert not [move for move in taken.moves().moves if isinstance(move, Reclaim)]


@keeps(20)
@pytest.mark.parametrize(("largest", "ok"), [(None, True), (4, False), (5, True), (8, True)])
def test_how_large_a_set_may_be_is_a_house_rule(largest: int | None, ok: bool) -> None:
    """Wilds count as cards of the set."""
    five = "5D 5C JK QH QS"
    here = position(
        f"{five} KD 2C",
        "",
        wild="Q",
        house_rules={"packs": 2, "printed_jokers": 2, "max_set_size": largest, "set_identical_cards": False},
    )
    command = LayMeld(cards(five))
    if ok:
        assert here.events(command)
    else:
        assert here.refusal(command).rule == "meld.shape"


@keeps(21)
@settings(max_examples=80)
@given(
    low=st.integers(0, 10),
    gap=st.integers(1, 6),
    wilds=st.integers(1, 3),
    suit=st.sampled_from(SUITS),
    ace=st.booleans(),
)
def test_a_gap_is_as_wide_as_the_wilds_that_fill_it(
    low: int, gap: int, wilds: int, suit: str, ace: bool
) -> None:
    """Two naturals with a gap between them: the wilds fill all of it, or what is over goes to an end."""
    high = low + gap + 1
    if high >= len(RANKS):
        return
    text = f"{RANKS[low]}H {RANKS[high]}H {'JK ' * wilds}".strip()
    here = position(
        f"{text} {spare(text)}",
        "",
        wild="",
        stock="",
        house_rules={"packs": 2, "printed_jokers": 4, "ace_in_runs": "low_or_high" if ace else "low"},
    )
    listed = [
        move.reads_as
        for move in here.moves().moves
        if isinstance(move, LayMeld) and Counter(move.cards) == Counter(cards(text)) and move.reads_as
    ]
    assert bool(listed) == (wilds >= gap)
    for reads_as in listed:
        inside = [meaning for meaning in reads_as if RANKS.index(meaning[0]) in range(low + 1, high)]
        assert len(inside) == gap
