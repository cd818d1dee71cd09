"""Taking the discard in Rami: to open with it, or not at all; afterwards as the game says."""

from typing import Any

import pytest

from meldlog_contracts.commands import Draw, LayMeld, ReturnDraw
from meldlog_contracts.events import PenaltyAdded
from meldlog_service.testing import Game, Play, all_of, discard, draw, lay, lay_off, take_back

PROGRESSIVE = pytest.mark.parametrize("variant", ["rami-51", "rami-71"])
OPENING = ("TS JS QS", "KS KH KD", "6C 7C 8C")
OWN = "ann: 2S 3S 4S"


def taking(
    play: Play, ann: str, taken: str, *table: str, variant: str = "rami-51", **house_rules: Any
) -> Game:
    """Ann has taken the discard."""
    game = play(variant, seats=house_rules.pop("seats", 2), **house_rules)
    return game.given_deal(1, ann=ann, table=table, discards=f"4H {taken}", stock="2H 9H").after(
        draw("discard")
    )


# -- before opening ----------------------------------------------------------------------------------------------------


@PROGRESSIVE
@pytest.mark.clause("open.take", "allows")
def test_who_opens_with_it_takes_the_discard(play: Play, variant: str) -> None:
    """The ten of spades is the last card of the run that ann lays with the kings; another run is there for 71."""
    game = taking(play, "JS QS KS KH KD 6C 7C 8C 2C 5D", "TS", variant=variant)
    game.when(all_of(*(lay(text) for text in OPENING)))
    game.when(discard("2C"))
    assert game.hand("ann") == "5D"


@PROGRESSIVE
@pytest.mark.clause("open.take", "allows")
@pytest.mark.clause("turn.return-draw", "allows")
@pytest.mark.clause("draw.stock", "allows")
def test_who_cannot_puts_it_back_and_draws_from_the_stock(play: Play, variant: str) -> None:
    """The pile is as it was, and the turn goes on with a stock card."""
    game = taking(play, "7D KD", "TS", variant=variant).after(ReturnDraw())
    assert (game.discards, game.hand("ann"), game.table.deal.turn.phase) == ("4H TS", "7D KD", "draw")
    assert game.moves("ann") == (Draw("stock"),)
    game.after(draw(), discard("KD"))


@PROGRESSIVE
@pytest.mark.clause("open.take", "refuses")
def test_a_discard_taken_before_opening_is_laid_in_a_new_meld(play: Play, variant: str) -> None:
    """It is not kept, thrown, taken a second time; an opening without it is refused; so is laying it off."""
    game = taking(play, "TS JS QS KS KH KD 6C 7C 8C 2C 9C", "7D", "bea: 4D 5D 6D", variant=variant)
    assert game.refuses(discard("2C")).rule == "open.take"
    assert game.refuses(discard("7D")).rule == "open.take"
    assert game.refuses(all_of(*(lay(text) for text in OPENING))).rule == "open.take"
    assert game.refuses(all_of(*(lay(text) for text in OPENING), lay_off(1, "7D"))).rule == "open.take"
    game.when(ReturnDraw())
    assert game.refuses(draw("discard")).rule == "open.take"


@pytest.mark.clause("open.take", "refuses")
def test_nor_is_it_given_for_a_joker_not_even_with_a_copy_in_hand(play: Play) -> None:
    """Ann opens without it and wants bea's joker, or lays off one seven and keeps the other."""
    opening = [lay(text) for text in OPENING[:2]]
    game = taking(play, "TS JS QS KS KH KD 2C 9C", "7D", "bea: 6D JK=7D 8D")
    assert game.refuses(all_of(*opening, take_back(1, "JK", "7D"))).rule == "open.take"
    copy = taking(play, "TS JS QS KS KH KD 2C 9C 7D", "7D", "bea: 4D 5D 6D")
    assert copy.refuses(all_of(*opening, lay_off(1, "7D", end="high"))).rule == "open.take"


@pytest.mark.clause("open.take", "allows")
def test_once_it_lies_in_a_new_meld_its_copy_is_free(play: Play) -> None:
    """One seven in the tria, the other on bea's run."""
    game = taking(play, "7C 7H KS KH KD 2C 9C 7D", "7D", "bea: 4D 5D 6D")
    game.when(all_of(lay("KS KH KD"), lay("7C 7D 7H"), lay_off(1, "7D")))
    assert game.melds[0] == "4D 5D 6D 7D"


@pytest.mark.clause("open.take", "allows")
@pytest.mark.clause("open.take", "refuses")
def test_a_partner_of_who_has_opened_takes_it_only_to_lay_it_too(play: Play) -> None:
    """No threshold binds ann, and still the card lies in a new meld, before anything is laid off."""
    game = taking(play, "5S 7C 7H KD", "7D", "cyd: 2S 3S 4S", seats=4)
    assert game.refuses(lay_off(1, "5S")).rule == "open.take"
    assert game.refuses(discard("KD")).rule == "open.take"
    game.after(lay("7C 7D 7H"), lay_off(1, "5S"))


@pytest.mark.clause("turn.return-draw", "refuses")
def test_what_was_used_or_drawn_from_the_stock_is_not_put_back(play: Play) -> None:
    """The opening lies; a stock card is kept."""
    game = taking(play, "JS QS KS KH KD 2C 5D", "TS")
    game.when(all_of(lay("TS JS QS"), lay("KS KH KD")))
    assert game.refuses(ReturnDraw()).rule == "turn.return-draw"
    stock = play("rami-51", seats=2).given_deal(1, ann="7D KD").after(draw())
    assert stock.refuses(ReturnDraw()).rule == "turn.return-draw"


@pytest.mark.clause("open.failed", "allows")
@pytest.mark.parametrize("penalty", [71, 100])
@pytest.mark.parametrize("seats", [2, 4])
def test_putting_a_discard_back_may_cost_points(play: Play, penalty: int, seats: int) -> None:
    """At once, and ann's side pays."""
    game = taking(play, "7D KD", "TS", seats=seats, failed_take_penalty=penalty)
    events = game.when(ReturnDraw())
    assert [event.points for event in events if isinstance(event, PenaltyAdded)] == [penalty]
    assert game.table.totals == (penalty, 0)


@pytest.mark.clause("open.failed", "refuses")
def test_as_a_rule_it_costs_nothing_and_opening_with_it_never_does(play: Play) -> None:
    """No points either way."""
    free = taking(play, "7D KD", "TS").after(ReturnDraw())
    assert free.table.totals == (0, 0)
    assert "open.failed" not in free.sheet()
    used = taking(play, "JS QS KS KH KD 2C 5D", "TS", failed_take_penalty=100)
    used.when(all_of(lay("TS JS QS"), lay("KS KH KD")))
    used.when(discard("2C"))
    assert used.table.totals == (0, 0)


@pytest.mark.clause("discard.before-free", "allows")
@pytest.mark.clause("discard.before-free", "refuses")
def test_a_game_may_let_a_player_take_it_freely_before_opening(play: Play) -> None:
    """Ann keeps it; only throwing it in the same turn is refused."""
    house = {"discard_take_before_meld": "free", "discard_take_after_meld": "must_meld"}
    game = taking(play, "7D KD", "TS", **house)
    assert game.refuses(discard("TS")).rule == "discard.no-return"
    assert game.refuses(ReturnDraw()).rule == "turn.return-draw"
    game.when(discard("KD"))
    assert game.hand("ann") == "7D TS"


# -- after opening -----------------------------------------------------------------------------------------------------


@PROGRESSIVE
@pytest.mark.clause("discard.after-free", "allows")
@pytest.mark.clause("discard.after-free", "refuses")
def test_who_has_opened_takes_and_keeps_it(play: Play, variant: str) -> None:
    """It may be laid, too; it may not go straight back."""
    game = taking(play, "7D KD", "5S", OWN, variant=variant)
    assert game.refuses(discard("5S")).rule == "discard.no-return"
    game.when(discard("KD"))
    assert game.hand("ann") == "5S 7D"
    taking(play, "7D KD", "5S", OWN, variant=variant).when(lay_off(1, "5S"))


@PROGRESSIVE
@pytest.mark.clause("discard.after-meld", "allows")
@pytest.mark.clause("discard.use", "allows")
@pytest.mark.clause("discard.use-new", "allows")
def test_a_game_may_want_it_melded_after_opening_too(play: Play, variant: str) -> None:
    """Ann has two sevens for it."""
    game = taking(play, "7D 7H KD QC", "7S", OWN, variant=variant, discard_take_after_meld="must_meld")
    game.after(lay("7S 7D 7H"), discard("KD"))
    assert len(game.melds) == 2


@PROGRESSIVE
@pytest.mark.clause("discard.after-meld", "refuses")
@pytest.mark.clause("discard.use", "refuses")
@pytest.mark.clause("discard.use-new", "refuses")
def test_then_it_is_not_taken_without_a_new_meld_for_it(play: Play, variant: str) -> None:
    """A place on ann's run is not enough, a joker of bea's neither."""
    house = {"discard_take_after_meld": "must_meld"}
    game = play(variant, seats=2, **house).given_deal(1, ann="7D KD", table=[OWN], discards="5S", stock="2H")
    assert game.refuses(draw("discard")).rule == "discard.use"
    both = taking(play, "7D 7H KD", "7S", OWN, "bea: 6S JK=7S 8S", variant=variant, **house)
    assert both.refuses(take_back(2, "JK", "7S")).rule == "discard.use"
    assert both.refuses(discard("KD")).rule == "discard.use"


@PROGRESSIVE
@pytest.mark.clause("discard.use-layoff", "allows")
@pytest.mark.clause("discard.use-layoff", "refuses")
def test_or_a_place_on_the_table_may_be_enough(play: Play, variant: str) -> None:
    """The five of spades goes to ann's run; a nine fits nowhere."""
    house = {
        "discard_take_before_meld": "free",
        "discard_take_after_meld": "must_meld",
        "taken_discard_use": "meld_or_layoff",
    }
    taking(play, "7D KD", "5S", OWN, variant=variant, **house).after(lay_off(1, "5S"), discard("KD"))
    game = play(variant, seats=2, **house).given_deal(1, ann="7D KD", table=[OWN], discards="9H")
    assert game.refuses(draw("discard")).rule == "discard.use"


@PROGRESSIVE
@pytest.mark.clause("discard.after", "allows")
@pytest.mark.clause("discard.after", "refuses")
def test_or_it_may_have_to_wait_for_the_next_turn(play: Play, variant: str) -> None:
    """Other cards are played; the one taken is not."""
    house = {"discard_take_after_meld": "not_this_turn"}
    game = taking(play, "5S 7D KD", "6S", OWN, variant=variant, **house).after(lay_off(1, "5S"))
    assert game.refuses(lay_off(1, "6S")).rule == "discard.after"
    game.when(discard("KD"))
    assert not any(isinstance(move, LayMeld) for move in game.moves("ann"))


@PROGRESSIVE
@pytest.mark.clause("discard.return", "allows")
@pytest.mark.clause("discard.return", "refuses")
def test_a_game_may_let_it_be_thrown_again_after_opening(play: Play, variant: str) -> None:
    """Before opening it is still laid or put back."""
    house = {"may_return_taken_discard": True}
    taking(play, "7D KD", "9H", OWN, variant=variant, **house).when(discard("9H"))
    assert taking(play, "7D KD", "9H", variant=variant, **house).refuses(discard("9H")).rule == "open.take"


@PROGRESSIVE
@pytest.mark.clause("draw.discard-any", "allows")
@pytest.mark.clause("draw.discard-any", "refuses")
@pytest.mark.clause("discard.before", "allows")
@pytest.mark.clause("discard.before", "refuses")
@pytest.mark.clause("discard.no-return", "allows")
def test_a_game_may_let_who_has_a_meld_take_any_number(play: Play, variant: str) -> None:
    """Ann has opened and takes two; who has not takes one."""
    house = {"discard_take_count": "any"}
    game = play(variant, seats=2, **house).given_deal(1, ann="7D KD", table=[OWN], discards="4H 9H TS")
    assert game.refuses(draw("discard", 4)).rule == "draw.discard"
    game.after(draw("discard", 2), discard("9H"))
    assert game.hand("ann") == "7D KD TS"
    new = play(variant, seats=2, **house).given_deal(1, ann="7D KD", discards="4H 9H TS")
    assert new.refuses(draw("discard", 2)).rule == "discard.before"
    new.when(draw("discard"))
