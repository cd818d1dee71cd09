"""The last card: whether a wild card may be discarded to go out."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.support import Crazy, ended

from meldlog_contracts.events import DealEnded
from meldlog_contracts.problems import Refused
from meldlog_service.testing import Play, all_of, discard, draw, lay, lay_off, take_back

NATURAL: dict[str, Any] = {"final_discard_may_be_wild": False}
OWN = "ann: 6S 7S 8S"


@pytest.mark.clause("final-discard.wild", "allows")
def test_a_wild_card_may_be_the_last_one_discarded(crazy: Crazy) -> None:
    """Ann lays the five off and throws the nine, which is wild."""
    game = crazy().given_deal(9, ann="9D", table=[OWN], stock="5S").after(draw(), lay_off(1, "5S"))
    assert ended(game.when(discard("9D"))) == DealEnded("went_out", 0)


@pytest.mark.clause("final-discard.wild", "refuses")
@pytest.mark.clause("final-discard.natural", "refuses")
def test_where_it_must_be_natural_nothing_is_laid_that_leaves_a_wild_card_alone(crazy: Crazy) -> None:
    """The nine would be the only card left to discard."""
    game = crazy(**NATURAL).given_deal(9, ann="9D", table=[OWN], stock="5S").after(draw())
    refusal = game.refuses(lay_off(1, "5S"))
    assert refusal.rule == "final-discard.natural"
    assert refusal.detail == "then only 9D would be left, which may not be discarded last"


@pytest.mark.clause("final-discard.natural", "allows")
def test_the_wild_card_is_laid_off_instead_and_the_natural_one_discarded(crazy: Crazy) -> None:
    """Either way of going out is looked at by itself."""
    game = crazy(**NATURAL).given_deal(9, ann="9D", table=[OWN], stock="5S").after(draw())
    game.when(lay_off(1, "9D=9S"))
    assert ended(game.when(discard("5S"))) == DealEnded("went_out", 0)


@pytest.mark.clause("final-discard.natural", "allows")
def test_a_wild_card_that_is_not_the_last_may_be_discarded_and_kept_alone(crazy: Crazy) -> None:
    """Ann keeps one card, whichever; she has not gone out."""
    game = crazy(**NATURAL, one_card_rule=False).given_deal(9, ann="9D KC", table=[OWN], stock="2C")
    game.after(draw(), discard("9D"))
    assert game.hand("ann") == "2C KC"
    kept = crazy(**NATURAL, one_card_rule=False).given_deal(9, ann="9D", table=[OWN], stock="2C")
    kept.after(draw(), discard("2C"))
    assert kept.hand("ann") == "9D"


@pytest.mark.clause("final-discard.natural", "refuses")
def test_an_exchange_with_one_card_left_must_leave_a_natural_card_to_go_out_with(crazy: Crazy) -> None:
    """With the king and the wild five she could go out; with two wild cards in the end she could not."""
    table = ["ann: 9D=5C 6C 7C"]
    game = crazy(**NATURAL).given_deal(9, ann="5C", table=table, stock="KH").after(draw())
    game.after(take_back(1, "9D", "5C"), lay_off(1, "9D=8C"))
    assert ended(game.when(discard("KH"))) == DealEnded("went_out", 0)
    stuck = crazy(**NATURAL).given_deal(9, ann="5C", table=table, stock="9H").after(draw())
    assert stuck.refuses(take_back(1, "9D", "5C")).rule == "one-card.exchange"


@pytest.mark.parametrize("variant", ["rami-simple", "rami-51", "rami-71"])
@pytest.mark.clause("final-discard.natural", "refuses")
@pytest.mark.clause("final-discard.natural", "allows")
def test_in_rami_the_last_card_may_have_to_be_no_joker(play: Play, variant: str) -> None:
    """Closing at once: the joker lies in a meld, and is not what is thrown."""
    melds = ("8S 9S TS", "9C 9H 9D", "KS KH KD")
    game = play(variant, seats=2, **NATURAL)
    game.given_deal(1, ann="8S 9S TS 9C 9H 9D KS KH KD JK", stock="JS").after(draw())
    closing = all_of(*map(lay, melds))
    if variant == "rami-simple":
        first, *others = melds
        assert game.refuses(all_of(lay(first + " JS"), *map(lay, others))).rule == "final-discard.natural"
        game.when(all_of(lay("8S 9S TS JK=JS"), *map(lay, others)))
    else:
        game.after(closing)
        assert game.refuses(lay_off(1, "JS")).rule == "final-discard.natural"
        game.after(discard("JK"))
        assert game.hand("ann") == "JS"
        return
    assert ended(game.when(discard("JS"))).reason == "went_out"


@pytest.mark.clause("final-discard.wild", "allows")
@pytest.mark.parametrize("variant", ["rami-simple", "rami-51", "rami-71"])
def test_otherwise_the_joker_may_be_thrown_to_close(play: Play, variant: str) -> None:
    """All melds lie, and the joker is left."""
    game = play(variant, seats=2).given_deal(1, ann="8S 9S TS 9C 9H 9D KS KH KD", stock="JK").after(draw())
    game.when(all_of(lay("8S 9S TS"), lay("9C 9H 9D"), lay("KS KH KD")))
    assert ended(game.when(discard("JK"))).reason == "went_out"


@pytest.mark.parametrize("house", [{"final_discard_required": False}])
def test_it_does_not_matter_where_no_card_is_needed_for_the_end(play: Play, house: dict[str, Any]) -> None:
    """And the game says so."""
    with pytest.raises(Refused) as refused:
        play("crazy-rummy", **NATURAL, **house)
    (fault,) = refused.value.faults
    assert fault.pointer == "/house_rules/final_discard_may_be_wild"
