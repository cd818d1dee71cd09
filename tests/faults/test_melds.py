"""Melds: every one is judged whole, whatever order its cards come in, and a card lies in one of them."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.faults.index import keeps
from tests.support.games import installed, played
from tests.support.positions import position

from meldlog_contracts import melds
from meldlog_contracts.cards import PLAIN_PACK, RANKS, SUITS, Card, cards
from meldlog_contracts.commands import Batch, Discard, LayMeld, LayOff
from meldlog_contracts.events import MeldLaid
from meldlog_service.core.ruleset import Ruleset

VERDICTS = [
    json.loads(line) for line in (Path(__file__).parent / "melds.ndjson").read_text("utf-8").splitlines()
]


@keeps(17, 20, 21, 23, 26)
@pytest.mark.parametrize(
    "case", VERDICTS, ids=lambda case: f"{case['cards']} {case['wild']} {case['why']}".strip()
)
def test_cards_are_what_others_have_found_them_to_be(case: dict[str, Any]) -> None:
    """Verdicts gathered from the rules, tests and disputes of other games, for house rules that ours can express."""
    rules = installed().ruleset_for_new("crazy-rummy", (), case["house_rules"])
    wild = (case["wild"],) if case["wild"] else ()
    laid = tuple(map(Card, case["cards"].split()))
    if "declared" in case:
        meant = tuple(map(Card, case["declared"].split()))
        declared = melds.declared(laid, meant, rules.wild_cards(wild), rules.kind_of)
        assert (declared is not None) == case["valid"]
        return
    readings = rules.meanings(laid, wild, ordered=case.get("ordered", False))
    kinds = {reading.kind for reading in readings}
    if "asked" in case:
        assert (case["asked"] in kinds) == case["valid"]
        return
    assert bool(readings) == case["valid"]
    if "kinds" in case:
        assert kinds == set(case["kinds"])
    if "readings" in case:
        runs = {f"{one.reads_as[0]}-{one.reads_as[-1]}" for one in readings if one.kind == "run"}
        assert runs == set(case["readings"])


def plain(**house_rules: bool | int | str | None) -> Ruleset:
    """Crazy Rummy with these house rules."""
    return installed().ruleset_for_new("crazy-rummy", (), dict(house_rules))


@keeps(17)
@pytest.mark.parametrize(
    "text", ["KD KH KS KS", "KD KH KS KD", "KS KS KD", "KD KH KS KC", "7H 8H 9H TH", "7H 8H 9H 9D"]
)
def test_the_order_in_which_cards_are_laid_does_not_matter(text: str) -> None:
    """Every permutation is judged alike and, where it is a meld, recorded alike."""
    rules = plain(packs=2, set_identical_cards=False)
    found = {tuple(rules.meanings(order, ())) for order in permutations(cards(text))}
    assert len(found) == 1


@keeps(18)
@pytest.mark.parametrize("bad", ["AH 2D 3H", "KC KD", "5C 6C 8C", "4S 4D 5S"])
def test_every_meld_of_a_list_is_judged(bad: str) -> None:
    """One bad one among good ones, and nothing is laid."""
    hand = f"TH TD TS {bad} QC"
    here = position(hand, "", wild="7", stock="")
    good = LayMeld(cards("TH TD TS"))
    for commands in ((good, LayMeld(cards(bad))), (LayMeld(cards(bad)), good)):
        no = here.refusal(Batch((*commands, Discard(Card("QC")))))
        assert (no.code, no.rule) == ("illegal_move", "meld.shape")
    assert here.events(good)


@keeps(22)
@settings(max_examples=60)
@given(
    start=st.integers(0, 9), length=st.integers(3, 6), suit=st.sampled_from(SUITS), seed=st.integers(0, 999)
)
def test_a_run_is_recorded_low_card_first(start: int, length: int, suit: str, seed: int) -> None:
    """Descending or mixed, the event is the same."""
    ordered = [Card(RANKS[at] + suit) for at in range(start, min(start + length, 13))]
    if len(ordered) < 3:
        return
    mixed = list(ordered)
    random.Random(seed).shuffle(mixed)
    others = [card for card in PLAIN_PACK if card[1] != suit and card[0] not in "AK"][:2]
    here = position(" ".join([*mixed, *others]), "", wild="", stock="")
    for order in (mixed, ordered[::-1], ordered):
        assert here.events(LayMeld(tuple(order))) == (MeldLaid(0, 1, "run", tuple(ordered), tuple(ordered)),)


@keeps(23)
@pytest.mark.parametrize("place", range(11, 50))
def test_neighbours_in_the_pack_are_no_run_across_suits(place: int) -> None:
    """Rank and suit are compared, never the card's number in the pack."""
    laid = PLAIN_PACK[place : place + 3]
    same_suit = len({card[1] for card in laid}) == 1
    assert bool(plain().meanings(laid, ())) == same_suit


@keeps(24)
@settings(max_examples=40)
@given(start=st.integers(0, 9), length=st.integers(3, 6), suit=st.sampled_from(SUITS))
def test_a_run_grows_at_exactly_two_places(start: int, length: int, suit: str) -> None:
    """Every other natural of the pack is refused, those that lie there already included."""
    end = min(start + length, 13)
    lying = " ".join(RANKS[at] + suit for at in range(start, end))
    fits = {RANKS[at] + suit for at in (start - 1, end) if 0 <= at < 13}
    rules = plain()
    meld = position("KD" if suit != "D" else "KC", "", melds=[lying], stock="", wild="").table.deal.melds[0]
    accepted = {card for card in PLAIN_PACK if rules.additions(meld, (card,), ())}
    assert accepted == fits


@keeps(26)
def test_nothing_is_laid_off_beyond_an_ace() -> None:
    """Above a high one or below a low one, by a natural or by a wild."""
    house = {"ace_in_runs": "low_or_high"}
    here = position("2S KS 9D KD", "", melds=["0: QH KH AH", "0: AS 2C=2S 3S"], wild="2", house_rules=house)
    assert here.refusal(LayOff(2, cards("KS"))).rule == "layoff.fits"
    high = position("2H 9D KD", "", melds=["0: QH KH AH"], house_rules=house)
    assert high.refusal(LayOff(1, cards("2H"))).rule == "layoff.fits"
    assert high.refusal(LayOff(1, cards("9D"), None, "high")).rule == "layoff.fits"
    assert high.events(LayOff(1, cards("9D"), None, "low"))


@keeps(27)
@pytest.mark.parametrize("packs", [1, 2])
@pytest.mark.parametrize("jokers", [0, 1, 2, 4])
def test_a_pack_holds_every_card(packs: int, jokers: int) -> None:
    """Four suits of thirteen, tens included, and the jokers."""
    pack = Counter(plain(packs=packs, printed_jokers=jokers).pack())
    assert pack.pop(Card("JK"), 0) == jokers
    assert pack == {Card(rank + suit): packs for rank in RANKS for suit in SUITS}


@keeps(29)
def test_a_card_belongs_to_one_meld() -> None:
    """A run of five is not two runs of three, and a set does not borrow from a run."""
    here = position("5H 6H 7H 8H 9H 7C 7D KD", "", wild="2")
    for second in ("7H 8H 9H", "7C 7D 7H"):
        no = here.refusal(Batch((LayMeld(cards("5H 6H 7H")), LayMeld(cards(second)))))
        assert (no.rule, no.faults[0].pointer) == ("card.held", "/commands/1")
    assert len(here.after(LayMeld(cards("5H 6H 7H 8H 9H"))).table.hand(0)) == 3


@keeps(33)
@pytest.mark.parametrize("text", ["5S 5S 6S", "5S 5S 5S", "9C 9C 9C", "5S 5S 5S 5S 5S", "5S 6S 7S 7S"])
@pytest.mark.parametrize("packs", [1, 2])
def test_impossible_cards_are_one_clean_refusal(text: str, packs: int) -> None:
    """Whoever claims more copies than there are holds none of them."""
    here = position("5S 6S 7S KD QC", "", wild="2", house_rules={"packs": packs})
    no = here.refusal(LayMeld(cards(text)))
    assert (no.code, no.rule) == ("illegal_move", "card.held")


@keeps(34, 38)
def test_a_lay_off_names_its_meld_and_the_choice_is_the_player_s() -> None:
    """A nine that fits a set and a run is listed for both and goes where it is sent."""
    here = position("9S KD", "AC", melds=["0: 9C 9D 9H", "1: 6S 7S 8S"], wild="2")
    offers = [move for move in here.moves().moves if isinstance(move, LayOff)]
    assert offers == [LayOff(1, cards("9S")), LayOff(2, cards("9S"))]
    assert [len(meld.cards) for meld in here.after(offers[0]).table.deal.melds] == [4, 3]
    assert [len(meld.cards) for meld in here.after(offers[1]).table.deal.melds] == [3, 4]


@keeps(34)
def test_the_card_that_goes_on_the_run_lets_another_follow() -> None:
    """And the one that goes on the set does not."""
    here = position("TS 9S KD", "AC", melds=["0: JS QS KS", "0: TC TD TH"], wild="2")
    assert len(here.after(LayOff(1, cards("TS")), LayOff(1, cards("9S"))).table.hand(0)) == 1
    assert here.after(LayOff(2, cards("TS"))).refusal(LayOff(1, cards("9S"))).rule == "layoff.fits"


@keeps(37)
@settings(max_examples=40)
@given(start=st.integers(2, 8), suit=st.sampled_from(SUITS))
def test_lay_offs_apply_to_the_grown_meld(start: int, suit: str) -> None:
    """One after another below and above, in one list or several."""
    lying = " ".join(RANKS[start + step] + suit for step in range(3))
    below = [RANKS[at] + suit for at in (start - 1, start - 2)]
    above = [RANKS[at] + suit for at in (start + 3, start + 4) if at < 13]
    spare = [card for card in PLAIN_PACK if card[1] != suit][:2]
    here = position(" ".join([*below, *above, *spare]), "", melds=[lying], wild="", stock="")
    commands = tuple(LayOff(1, cards(card)) for card in (*below, *above))
    one_by_one = here.after(*commands)
    assert here.after(Batch(commands)).table.deal.melds == one_by_one.table.deal.melds
    assert len(one_by_one.table.deal.melds[0].cards) == 3 + len(commands)
    assert here.refusal(commands[1]).rule == "layoff.fits"


@keeps(10, 18)
@pytest.mark.parametrize("seed", range(4))
def test_every_meld_on_the_table_is_a_meld_at_all_times(seed: int) -> None:
    """After every commit of whole games, read as it reads."""
    game = played(seed, house_rules={"deal_count": 4})
    for table in game.tables:
        wilds = game.rules.wild_cards(table.deal.wild)
        for meld in table.deal.melds:
            assert game.rules.kind_of(meld.reads_as) == meld.kind
            for card, meaning in zip(meld.cards, meld.reads_as, strict=True):
                assert card == meaning or card in wilds
    assert any(table.deal.melds for table in game.tables)
