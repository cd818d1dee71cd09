"""The best partition of a hand: what is left over costs least."""

import random
from itertools import combinations

import pytest
from tests.support.games import installed

from meldlog_contracts.cards import PLAIN_PACK, cards
from meldlog_contracts.table import HouseValue, Table
from meldlog_service.bots.house import RUN, SET, House, house_of, number
from meldlog_service.bots.loose import RANK
from meldlog_service.bots.partition import Left, Partitions
from meldlog_service.core.ruleset import Ruleset


def house_rules_of(variant: str, **house_rules: HouseValue) -> tuple[House, Ruleset]:
    """What a bot reads, and the rules themselves."""
    rules = installed().ruleset_for_new(variant, (), house_rules)
    return house_of(Table(house_rules=dict(rules.house.flat))), rules


def left_over(text: str, wilds: int = 0, variant: str = "crazy-rummy", **house_rules: HouseValue) -> str:
    """Naturals that the best partition leaves, and a star for every wild."""
    house, _ = house_rules_of(variant, **house_rules)
    hand = sorted(cards(text), key=number)
    left = Partitions(house).best(tuple(map(number, hand)), wilds)
    return " ".join([*(card for card in hand if number(card) in left.cards), *"*" * left.wilds])


@pytest.mark.parametrize(
    ("hand", "wilds", "left"),
    [
        pytest.param("KS KH KD 5H", 0, "5H", id="a set"),
        pytest.param("5H 6H 7H KS", 0, "KS", id="a run"),
        pytest.param("QS KS AS", 0, "AS QS KS", id="an ace is low"),
        pytest.param("KS KH KD QS JS TS", 0, "", id="the king of spades where both come out"),
        pytest.param("7C 7D 7H 5H 6H", 0, "5H 6H", id="the dearer of two that share a card"),
        pytest.param("KS KH 2C", 1, "2C", id="a wild with a pair"),
        pytest.param("5H 7H 2C", 1, "2C", id="a wild in a gap"),
        pytest.param("KS 2C", 2, "2C", id="two wilds with a single card"),
        pytest.param("KS KH KD", 1, "", id="a wild more, on a meld that stands"),
        pytest.param("KS KH KD KC", 2, "", id="two sets with a wild each, since none has a fifth card"),
        pytest.param("KS 2C", 1, "2C KS *", id="a wild with nothing"),
    ],
)
def test_what_is_left(hand: str, wilds: int, left: str) -> None:
    """In Crazy Rummy."""
    assert left_over(hand, wilds) == left


def test_house_rules_say_what_a_meld_is() -> None:
    """Long runs, two packs, high aces, one joker a meld: nothing is known of a variant but its house rules."""
    assert left_over("5C 6C 7C", variant="treize-brasses") == "5C 6C 7C"
    assert left_over("5C 6C 7C 8C", variant="treize-brasses") == ""
    assert left_over("QD QD QH", variant="treize-brasses") == ""
    assert left_over("7H 7H 7S", variant="rami-51") == "7H 7H 7S"
    assert left_over("QS KS AS", variant="biddies") == ""
    assert left_over("AS 2S 3S QS KS", variant="biddies") == "2S 3S"  # the dearer end
    assert left_over("KS 2C", 2, variant="rami-51") == "2C KS * *"
    assert left_over("KS KH 5C 6C", 2, variant="rami-51") == ""


def test_costs_are_those_of_the_game() -> None:
    """As the rule sheet has them."""
    assert house_rules_of("crazy-rummy")[0].costs == (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
    assert house_rules_of("treize-brasses")[0].costs[10:] == (11, 12, 13)
    assert house_rules_of("biddies")[0].costs[0] == 10
    assert house_rules_of("rami-71")[0].costs[0] == 11
    assert house_rules_of("rami-71")[0].wild_cost == 20
    assert house_rules_of("crazy-rummy", wild_penalty=15)[0].wild_cost == 15


def with_what_is_needed(text: str, wilds: int, variant: str, **house_rules: HouseValue) -> Left:
    """The best partition where the first melds must be such as the rules of the variant say."""
    house, _ = house_rules_of(variant, **house_rules)
    return Partitions(house, needed=house.required).best(tuple(sorted(map(number, cards(text)))), wilds)


def test_a_meld_that_is_needed_is_made_where_it_can_be() -> None:
    """Rami Simple closes with a run and a set: of two partitions that leave two cards, the one with both is better."""
    hand = "7C 7D 7H 8C 9C KS KH KD"
    left = with_what_is_needed(hand, 0, "rami-simple")

    assert (left.cards, left.missing) == (tuple(sorted(map(number, cards("7D 7H")))), 0)
    assert with_what_is_needed("7C 7D 7H KS KH KD", 0, "rami-simple").missing == RUN
    assert with_what_is_needed("7C 8C 9C", 0, "rami-simple").missing == SET
    assert with_what_is_needed("", 0, "rami-simple").missing == RUN | SET
    assert with_what_is_needed("7C 8C 9C", 0, "rami-51").missing == 0  # it needs points, and no kind of meld


def test_a_meld_that_must_be_clean_has_no_wild() -> None:
    """In Rami 71 the run and the set of an opening are without a joker; in Rami Simple they may have one."""
    hand = "KS KH 5C 6C 7C"

    assert with_what_is_needed(hand, 1, "rami-71").missing == SET
    assert with_what_is_needed(hand, 1, "rami-simple").missing == 0
    assert with_what_is_needed(hand + " KD", 1, "rami-71").missing == 0


def test_what_lies_in_a_meld_with_a_joker_brings_nothing_towards_an_opening() -> None:
    """In Rami 71: two kings and the joker beside them. In Rami 51 a joker counts as what it stands for."""
    assert with_what_is_needed("KS KH 5C 6C 7C", 1, "rami-71").idle == 40
    assert with_what_is_needed("KS KH 5C 6C 7C", 1, "rami-51").idle == 0


@pytest.mark.parametrize("seed", range(12))
def test_no_choice_of_melds_leaves_less(seed: int) -> None:
    """Compared with every choice of the melds that the rules themselves find in a hand."""
    house, rules = house_rules_of("crazy-rummy")
    rng = random.Random(seed)
    suits = rng.sample("CDHS", 2)
    hand = rng.sample([card for card in PLAIN_PACK if card[1] in suits or card[0] in "78"], 9)
    melds = [
        chosen for size in range(3, 6) for chosen in combinations(hand, size) if rules.meanings(chosen, ())
    ]
    costs = {card: house.costs[number(card) & RANK] for card in hand}
    worth = [0]
    for count in (1, 2, 3):
        for several in combinations(melds, count):
            together = [card for chosen in several for card in chosen]
            if len(set(together)) == len(together):
                worth.append(sum(costs[card] for card in together))
    best = Partitions(house).best(tuple(sorted(map(number, hand))), 0)

    assert best.cost == sum(costs.values()) - max(worth)


def test_a_hand_with_more_choices_than_can_be_tried_is_parted_by_the_first_that_there_are() -> None:
    """Twenty-four cards of two packs with six wilds: the work stays small, and no card is lost."""
    house, _ = house_rules_of("crazy-rummy", packs=2)
    hand = tuple(sorted(map(number, random.Random(3).sample(PLAIN_PACK * 2, 24))))
    partitions = Partitions(house, most=200)
    left = partitions.best(hand, 6)
    tries_all = Partitions(house, most=100_000)
    every = tries_all.best(hand, 6)

    assert partitions.found < 1_000 < tries_all.found < 100_000
    assert left.cost == sum(house.costs[card & RANK] for card in left.cards) + left.wilds * house.wild_cost
    assert every.cost <= left.cost < sum(house.costs[card & RANK] for card in hand)
