"""Closing at once, and Simple, in which nothing is laid before; vectors A18 to A21."""

from typing import Any

import pytest

from meldlog_contracts.commands import Batch, LayMeld, LayOff
from meldlog_service.testing import Game, Play, all_of, discard, draw, lay, lay_off

A18 = ("3C 4C 5C", "6S 6H 6C", "9H TH JK=JH QH", "2D 2S 2C 2H")


def melds(*texts: str) -> Batch:
    """Melds laid in one list."""
    return all_of(*(lay(text) for text in texts))


def holding(
    play: Play, variant: str, *texts: str, more: str = "KS", table: Any = (), **house_rules: Any
) -> Game:
    """Ann, who has laid nothing, has drawn the last of these cards from the stock."""
    seats = house_rules.pop("seats", 2)
    words = [word.partition("=")[0] for text in texts for word in text.split()] + more.split()
    game = play(variant, seats=seats, **house_rules)
    return game.given_deal(1, ann=" ".join(words[:-1]), table=table, stock=words[-1]).after(draw())


def closed(game: Game, *texts: str) -> Game:
    """Ann lays these melds in one list and discards the king of spades."""
    game.when(melds(*texts))
    return game.after(discard("KS"))


# -- closing at once ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("close.exempt", "allows")
@pytest.mark.clause("close.required", "allows")
@pytest.mark.clause("close.required-set", "allows")
@pytest.mark.clause("close.required-clean", "allows")
@pytest.mark.parametrize(
    ("variant", "texts"),
    [
        pytest.param("rami-71", A18, id="A18"),
        pytest.param("rami-51", ("3C 4C 5C", "6S 6H 6C", "JK=2D 3D 4D 5D"), id="A20"),
        pytest.param("rami-51", ("3C 4C 5C", "6S 7S 8S"), id="no tria in 51"),
        pytest.param("rami-simple", ("5H 6H 7H", "4S 4H 4D", "9C TC JK=JC"), id="A21"),
        pytest.param("rami-simple", ("5H JK=6H 7H", "4S 4H JK=4"), id="A21 jokers in both"),
    ],
)
def test_all_cards_but_one_are_laid_at_once_whatever_they_are_worth(
    play: Play, variant: str, texts: tuple[str, ...]
) -> None:
    """And the last one is discarded: a rami sec."""
    game = closed(holding(play, variant, *texts), *texts)
    assert game.table.outs == (0,)


@pytest.mark.clause("close.exempt", "refuses")
@pytest.mark.parametrize(("variant", "rule"), [("rami-51", "open.threshold"), ("rami-71", "open.threshold")])
def test_with_two_cards_left_it_is_no_closing(play: Play, variant: str, rule: str) -> None:
    """And thirty points are no opening."""
    game = holding(play, variant, "3C 4C 5C", "6S 6H 6C", more="KS QD")
    assert game.refuses(melds("3C 4C 5C", "6S 6H 6C")).rule == rule


@pytest.mark.clause("close.exempt", "refuses")
@pytest.mark.clause("open.threshold", "refuses")
@pytest.mark.parametrize(("variant", "threshold"), [("rami-51", 51), ("rami-71", 71), ("rami-simple", 51)])
def test_a_game_may_want_the_threshold_of_a_closing_as_well(play: Play, variant: str, threshold: int) -> None:
    """Thirty points are too few; the same melds with three kings do."""
    house: dict[str, Any] = {"close_exempt_from_threshold": False, "opening_threshold": threshold}
    texts = ("3C 4C 5C", "6S 6H 6C")
    game = holding(play, variant, *texts, **house)
    assert game.refuses(melds(*texts)).rule == "open.threshold"
    assert "close.exempt" not in game.sheet()
    dear = ("3C 4C 5C", "6S 6H 6C", "KC KH KD", "QC QH QD")
    closed(holding(play, variant, *dear, **house), *dear)


@pytest.mark.clause("final-discard", "refuses")
@pytest.mark.parametrize("variant", ["rami-simple", "rami-51", "rami-71"])
def test_the_last_card_is_not_laid(play: Play, variant: str) -> None:
    """Nothing would be left to discard."""
    game = holding(play, variant, "3C 4C 5C", "6S 6H 6C 6D", more="")
    assert game.refuses(melds("3C 4C 5C", "6S 6H 6C 6D")).rule == "final-discard"


@pytest.mark.parametrize(
    ("variant", "texts"),
    [
        pytest.param("rami-simple", ("5H 6H 7H", "4S 5S 6S"), id="A21 no tria"),
        pytest.param("rami-simple", ("5H 5S 5D", "4S 4H 4D"), id="no souifi"),
        pytest.param("rami-71", ("3C 4C 5C", "6S 7S 8S"), id="71 no tria"),
        pytest.param("rami-71", ("3C JK=4C 5C", "6S 6H 6C"), id="71 no clean souifi"),
        pytest.param("rami-71", ("3C 4C 5C", "6S 6H JK=6"), id="71 no clean tria"),
    ],
)
@pytest.mark.clause("close.required", "refuses")
@pytest.mark.clause("close.required-set", "refuses")
@pytest.mark.clause("close.required-clean", "refuses")
def test_a_closing_needs_its_melds(play: Play, variant: str, texts: tuple[str, ...]) -> None:
    """A souifi and a tria, in 71 both without a joker."""
    game = holding(play, variant, *texts)
    assert game.refuses(melds(*texts)).rule == "close.required"


@pytest.mark.clause("close.joker", "refuses")
@pytest.mark.clause("close.required-clean", "refuses")
def test_a_game_of_simple_may_want_its_melds_clean(play: Play) -> None:
    """As in Morocco; jokers may lie in a third meld."""
    house = {"close_required_melds": "clean_run_and_set"}
    texts = ("5H JK=6H 7H", "4S 4H 4D")
    game = holding(play, "rami-simple", *texts, **house)
    assert game.refuses(melds(*texts)).rule == "close.required"
    assert "close.joker" not in game.sheet()
    more = ("5H 6H 7H", "4S 4H 4D", "9C TC JK=JC")
    closed(holding(play, "rami-simple", *more, **house), *more)


@pytest.mark.parametrize(
    ("required", "texts", "closes"),
    [
        ("none", ("5H 5S 5D", "4S 4H 4D"), True),
        ("clean_run", ("5H 6H 7H", "4S JK=5S 6S"), True),
        ("clean_run", ("5H JK=6H 7H", "4S 4H 4D"), False),
        ("run_and_set", ("5H JK=6H 7H", "4S 4H JK=4"), True),
        ("clean_run_and_set", ("5H 6H 7H", "4S 4H JK=4"), False),
    ],
)
@pytest.mark.parametrize("variant", ["rami-simple", "rami-51", "rami-71"])
def test_each_game_says_what_its_closings_need(
    play: Play, variant: str, required: str, texts: tuple[str, ...], closes: bool
) -> None:
    """Whatever the variant."""
    game = holding(play, variant, *texts, close_required_melds=required)
    if closes:
        closed(game, *texts)
        assert game.table.outs == (0,)
    else:
        assert game.refuses(melds(*texts)).rule == "close.required"


@pytest.mark.clause("close.layoff", "allows")
def test_once_a_partner_has_opened_a_closing_may_lay_cards_off(play: Play) -> None:
    """Ann's run and a five on cyd's."""
    game = holding(play, "rami-51", "3C 4C 5C", "5S", seats=4, table=["cyd: 2S 3S 4S"])
    game.after(lay("3C 4C 5C"), lay_off(1, "5S"), discard("KS"))
    assert game.table.outs == (0,)


@pytest.mark.clause("close.layoff", "refuses")
def test_who_closes_without_an_opening_on_that_side_lays_new_melds_alone(play: Play) -> None:
    """A five on bea's run is refused, in any order."""
    game = holding(play, "rami-51", "3C 4C 5C", "5S", table=["bea: 2S 3S 4S"])
    assert game.refuses(all_of(lay("3C 4C 5C"), lay_off(1, "5S"))).rule == "close.layoff"
    assert game.refuses(all_of(lay_off(1, "5S"), lay("3C 4C 5C"))).rule == "layoff.own-meld"


@pytest.mark.clause("close.with-layoff", "allows")
@pytest.mark.clause("close.with-layoff", "refuses")
def test_a_game_may_allow_that(play: Play) -> None:
    """Once a new meld lies there, and not before; with two cards left it is no closing."""
    given: dict[str, Any] = {"table": ["bea: 2S 3S 4S"], "close_with_layoff": True}
    game = holding(play, "rami-51", "3C 4C 5C", "5S", **given)
    assert game.refuses(all_of(lay_off(1, "5S"), lay("3C 4C 5C"))).rule == "layoff.own-meld"
    game.when(all_of(lay("3C 4C 5C"), lay_off(1, "5S")))
    game.when(discard("KS"))
    assert game.table.outs == (0,)
    two = holding(play, "rami-51", "3C 4C 5C", "5S", more="KS QD", **given)
    assert two.refuses(all_of(lay("3C 4C 5C"), lay_off(1, "5S"))).rule == "open.threshold"


# -- the card taken ----------------------------------------------------------------------------------------------------


def taking(
    play: Play, taken: str, *texts: str, variant: str = "rami-71", more: str = "KS", **house: Any
) -> Game:
    """Ann, who has laid nothing, has taken the discard that these melds need."""
    words = [word.partition("=")[0] for text in texts for word in text.split()] + more.split()
    words.remove(taken)
    game = play(variant, seats=2, **house).given_deal(1, ann=" ".join(words), discards=f"4H {taken}")
    return game.after(draw("discard"))


@pytest.mark.clause("open.taken", "allows")
def test_in_71_one_clean_souifi_is_made_without_the_card_taken(play: Play) -> None:
    """Vector A19: with another clean run the closing stands; so does it where the card lies in a tria."""
    texts = ("3C 4C 5C", "6S 6H 6C", "7D 8D 9D", "2D 2S 2C")
    closed(taking(play, "5C", *texts), *texts)
    closed(taking(play, "6C", *A18), *A18)


@pytest.mark.clause("open.taken", "refuses")
def test_in_71_the_only_clean_souifi_does_not_hold_the_card_taken(play: Play) -> None:
    """Vector A19, and an opening likewise."""
    assert taking(play, "5C", *A18).refuses(melds(*A18)).rule == "open.taken"
    texts = ("8S 9S TS", "9S 9H 9D", "KC KH KD")
    game = taking(play, "8S", *texts, more="2C 4D 5C")
    assert game.refuses(melds(*texts)).rule == "open.taken"


@pytest.mark.clause("open.taken", "allows")
def test_with_the_other_copy_in_hand_the_run_may_be_made_of_that(play: Play) -> None:
    """Ann held a five of clubs and took the other: copies are not told apart. The one taken lies in a tria."""
    texts = ("3C 4C 5C", "6S 6H 6C", "5C 5D 5S", "2D 2S 2C 2H")
    closed(taking(play, "5C", *texts), *texts)


@pytest.mark.clause("open.taken", "allows")
@pytest.mark.clause("open.taken", "refuses")
@pytest.mark.parametrize("variant", ["rami-simple", "rami-51"])
def test_in_the_other_games_the_souifi_may_hold_the_card_taken_unless_the_game_says_otherwise(
    play: Play, variant: str
) -> None:
    """Three to five of clubs, the five taken."""
    texts = ("3C 4C 5C", "6S 6H 6C")
    closed(taking(play, "5C", *texts, variant=variant), *texts)
    house: dict[str, Any] = {"taken_card_outside_required_run": True, "close_required_melds": "run_and_set"}
    assert taking(play, "5C", *texts, variant=variant, **house).refuses(melds(*texts)).rule == "open.taken"
    more = ("JK=3C 4C 5C", "6S 6H 6C", "7D JK=8D 9D")
    closed(taking(play, "5C", *more, variant=variant, **house), *more)


# -- Simple ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("open.mode", "allows")
@pytest.mark.clause("turn.phases", "allows")
def test_in_simple_a_turn_is_a_draw_and_a_discard_and_the_last_one_lays_everything(play: Play) -> None:
    """Melds are held until then."""
    texts = ("5H 6H 7H", "4S 4H 4D")
    game = play("rami-simple", seats=2).given_deal(1, ann="5H 6H 7H 4S 4H QC", bea="9C 9D", stock="4D TC 8C")
    game.after(draw(), discard("4H"))
    assert game.melds == []
    again = closed(holding(play, "rami-simple", *texts), *texts)
    assert again.table.outs == (0,)


@pytest.mark.clause("open.mode", "refuses")
@pytest.mark.clause("turn.phases", "refuses")
def test_in_simple_part_of_a_hand_is_not_laid(play: Play) -> None:
    """Vector A21: neither one meld nor all but two cards."""
    game = holding(play, "rami-simple", "5H 6H 7H", "4S 4H 4D", more="KS QD")
    assert game.refuses(lay("5H 6H 7H")).rule == "open.mode"
    assert game.refuses(melds("5H 6H 7H", "4S 4H 4D")).rule == "open.mode"
    assert not any(isinstance(move, LayMeld | Batch | LayOff) for move in game.moves("ann"))


@pytest.mark.clause("layoff.meld", "allows")
@pytest.mark.clause("layoff.fits", "allows")
@pytest.mark.clause("layoff.meld", "refuses")
@pytest.mark.clause("layoff.fits", "refuses")
def test_in_simple_a_card_that_fits_belongs_in_the_meld_when_it_is_laid(play: Play) -> None:
    """Four fours are laid as one; three and one added are not."""
    game = holding(play, "rami-simple", "5H 6H 7H", "4S 4H 4D 4C")
    added = all_of(lay("5H 6H 7H"), lay("4S 4H 4D"), lay_off(2, "4C"))
    assert game.refuses(added).rule == "open.mode"
    closed(game, "5H 6H 7H", "4S 4H 4D 4C")
    assert game.table.outs == (0,)


@pytest.mark.clause("open.mode", "allows")
@pytest.mark.clause("open.mode", "refuses")
@pytest.mark.parametrize("variant", ["rami-51", "rami-71"])
def test_any_game_of_rami_may_be_played_all_at_once(play: Play, variant: str) -> None:
    """Eighty-four points, and still nothing is laid before the closing."""
    texts = ("8S 9S TS", "9S 9H 9D", "KC KH KD")
    game = holding(play, variant, *texts, more="2C 4D", lay_mode="all_at_once")
    assert game.refuses(melds(*texts)).rule == "open.mode"
    whole = closed(holding(play, variant, *texts, lay_mode="all_at_once"), *texts)
    assert whole.table.outs == (0,)
