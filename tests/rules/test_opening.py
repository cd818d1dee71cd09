"""The opening: what the first melds of a player must be worth and hold; vectors A10 to A17 and A25."""

from typing import Any

import pytest

from meldlog_contracts.commands import Batch
from meldlog_contracts.problems import Shortfall
from meldlog_service.testing import Game, Play, all_of, discard, draw, lay, lay_off

RUN_27 = "8S 9S TS"
SET_27 = "9S 9H 9D"
KINGS = "KS KH KD"


def opening(*melds: str) -> Batch:
    """Melds laid in one list."""
    return all_of(*(lay(text) for text in melds))


def unopened(
    play: Play, variant: str, *melds: str, seats: int = 2, table: Any = (), **house_rules: Any
) -> Game:
    """Ann, who has laid nothing, has drawn and holds these melds and four cards more."""
    ann = " ".join(word.partition("=")[0] for text in melds for word in text.split())
    game = play(variant, seats=seats, **house_rules)
    return game.given_deal(1, ann=f"{ann} 2C 4D JC", table=table, stock="2H").after(draw())


# -- points ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("open.threshold", "allows")
@pytest.mark.clause("open.worth", "allows")
@pytest.mark.parametrize(
    ("variant", "melds"),
    [
        pytest.param("rami-51", (RUN_27, SET_27), id="A10 51"),
        pytest.param("rami-71", (RUN_27, SET_27, KINGS), id="A11"),
        pytest.param("rami-71", ("5H 6H 7H 8H", SET_27, "5C 6C 7C"), id="A12"),
        pytest.param("rami-51", (RUN_27, "8D 8H 8C"), id="A14"),
    ],
)
def test_an_opening_is_worth_the_threshold(play: Play, variant: str, melds: tuple[str, ...]) -> None:
    """Several melds together, where each alone is refused."""
    game = unopened(play, variant, *melds)
    for one in melds:
        assert game.refuses(lay(one)).rule in ("open.threshold", "open.required")
    game.when(opening(*melds))
    assert len(game.melds) == len(melds)


@pytest.mark.clause("open.threshold", "refuses")
@pytest.mark.clause("open.worth", "refuses")
@pytest.mark.parametrize(
    ("variant", "melds", "points", "needed"),
    [
        pytest.param("rami-71", (RUN_27, SET_27), 54, 71, id="A10 71"),
        pytest.param("rami-71", ("4H 5H 6H 7H", SET_27, "6C 7C 8C"), 70, 71, id="A13"),
        pytest.param("rami-51", (KINGS, "5S 5H 5D 5C"), 50, 51, id="A14"),
    ],
)
def test_one_point_less_is_none(
    play: Play, variant: str, melds: tuple[str, ...], points: int, needed: int
) -> None:
    """The refusal says how much there is, in words and as numbers, and nothing is laid."""
    game = unopened(play, variant, *melds)
    refusal = game.refuses(opening(*melds))
    assert (refusal.rule, refusal.shortfall) == ("open.threshold", Shortfall(points, needed))
    assert refusal.detail.endswith(f": {points} of {needed} points")
    assert game.melds == []


@pytest.mark.clause("open.threshold", "refuses")
def test_cards_laid_off_do_not_count(play: Play) -> None:
    """Forty-seven in melds and a ten laid off, with a partner's opening that does not exempt."""
    game = unopened(
        play,
        "rami-51",
        KINGS,
        "8S 8H 8D",
        "TC",
        seats=4,
        table=["cyd: 7C 8C 9C"],
        partner_opening_exempt=False,
        opening_threshold=60,
    )
    assert game.refuses(all_of(lay_off(1, "TC"), lay(KINGS), lay("8S 8H 8D"))).rule == "open.threshold"


@pytest.mark.parametrize(
    ("house", "points"),
    [({}, 71), ({"ace_value": 10}, 70)],
    ids=["A15 one or eleven", "A15 ten"],
)
@pytest.mark.clause("open.ace", "allows")
@pytest.mark.clause("open.ace-value", "allows")
def test_an_ace_is_worth_eleven_or_what_the_game_says(play: Play, house: dict[str, Any], points: int) -> None:
    """Vector A15: ten to ace and four fives."""
    melds = ("TH JH QH KH AH", "5S 5H 5D 5C")
    unopened(play, "rami-71", *melds, opening_threshold=points, **house).when(opening(*melds))
    more = unopened(play, "rami-71", *melds, opening_threshold=points + 1, **house)
    assert more.refuses(opening(*melds)).detail.endswith(f"{points} of {points + 1} points")


@pytest.mark.clause("open.ace", "refuses")
@pytest.mark.clause("open.ace-value", "refuses")
def test_an_ace_below_a_two_is_worth_one_but_a_fixed_value_holds_everywhere(play: Play) -> None:
    """Thirty and fifteen and six make fifty-one; with an eleven for the ace it would be sixty-one."""
    melds = (KINGS, "5S 5H 5D", "AC 2C 3C")
    low = unopened(play, "rami-51", *melds, opening_threshold=52)
    assert low.refuses(opening(*melds)).detail.endswith("51 of 52 points")
    fixed = unopened(play, "rami-51", *melds, opening_threshold=61, ace_value=10)
    assert fixed.refuses(opening(*melds)).detail.endswith("60 of 61 points")
    tria = unopened(play, "rami-51", "AS AH AD", "6S 6H 6D")
    tria.when(opening("AS AH AD", "6S 6H 6D"))


@pytest.mark.clause("open.worth-court", "allows")
@pytest.mark.clause("open.worth-court", "refuses")
def test_court_cards_may_be_worth_more_than_ten(play: Play) -> None:
    """Thirty-nine and twelve; ten times three and twelve are too few."""
    melds = (KINGS, "4S 4H 4C")
    unopened(play, "rami-51", *melds, court_values="11_12_13").when(opening(*melds))
    assert unopened(play, "rami-51", *melds).refuses(opening(*melds)).detail.endswith("42 of 51 points")
    dearer = unopened(play, "rami-51", *melds, court_values="11_12_13", opening_threshold=52)
    assert dearer.refuses(opening(*melds)).rule == "open.threshold"


def test_without_a_threshold_any_meld_opens(play: Play) -> None:
    """Six points."""
    unopened(play, "rami-51", "AH 2H 3H", opening_threshold=0).when(lay("AH 2H 3H"))


# -- jokers ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("open.joker-represented", "allows")
@pytest.mark.clause("open.joker-represented", "refuses")
def test_in_51_a_joker_is_worth_the_card_it_stands_for(play: Play) -> None:
    """Vector A16: thirty and twenty-one. As a two it is worth two."""
    melds = ("TS JK=JS QS", "7C 7D 7H")
    unopened(play, "rami-51", *melds).when(opening(*melds))
    low = ("JK=2S 3S 4S", "7C 7D 7H", "KC KD KH")
    assert unopened(play, "rami-51", *low).allows(opening(*low))
    dear = unopened(play, "rami-51", *low, opening_threshold=61)
    assert dear.refuses(opening(*low)).detail.endswith("60 of 61 points")


@pytest.mark.clause("open.joker-zero", "allows")
def test_in_71_a_meld_with_a_joker_may_be_laid_with_an_opening(play: Play) -> None:
    """Beside the eighty-four clean points of vector A11."""
    melds = (RUN_27, SET_27, KINGS, "5C JK=6C 7C")
    unopened(play, "rami-71", *melds).when(opening(*melds))


@pytest.mark.clause("open.joker-zero", "refuses")
def test_in_71_a_meld_with_a_joker_is_worth_nothing(play: Play) -> None:
    """Fifty-four clean points and three kings with a joker among them."""
    melds = (RUN_27, SET_27, "KS KH JK=K")
    refusal = unopened(play, "rami-71", *melds).refuses(opening(*melds))
    assert (refusal.rule, refusal.detail[-15:]) == ("open.threshold", "54 of 71 points")


@pytest.mark.clause("open.joker", "allows")
@pytest.mark.clause("open.joker", "refuses")
def test_a_game_may_forbid_jokers_in_an_opening(play: Play) -> None:
    """Even where the rest is enough; afterwards they are welcome."""
    melds = (RUN_27, SET_27, KINGS)
    game = unopened(play, "rami-71", *melds, "5C JK=6C 7C", opening_joker_rule="forbidden")
    assert game.refuses(opening(*melds, "5C JK=6C 7C")).rule == "open.joker"
    game.when(opening(*melds))
    later = play("rami-71", seats=2, opening_joker_rule="forbidden")
    later.given_deal(1, ann="5C JK 7C 2D", table=["ann: 2S 3S 4S"], stock="2H").after(
        draw(), lay("5C JK=6C 7C")
    )


# -- the melds that an opening needs -----------------------------------------------------------------------------------


@pytest.mark.clause("open.required", "allows")
@pytest.mark.clause("open.required-set", "allows")
@pytest.mark.clause("open.required-clean", "allows")
def test_71_opens_with_a_clean_souifi_and_a_clean_tria(play: Play) -> None:
    """Vector A11."""
    melds = (RUN_27, SET_27, KINGS)
    unopened(play, "rami-71", *melds).when(opening(*melds))


@pytest.mark.parametrize(
    "melds",
    [
        pytest.param((KINGS, "QS QH QD", "5S 5H 5D 5C"), id="A17"),
        pytest.param(("TH JH QH KH AH", "7S 8S 9S"), id="no tria"),
        pytest.param(("TS JK=JS QS", KINGS, "QC QD QH", "AC AD AH"), id="A16, no clean souifi"),
        pytest.param(("TH JH QH KH AH", "7S 8S 9S", "6C 6D JK=6"), id="no clean tria"),
    ],
)
@pytest.mark.clause("open.required", "refuses")
@pytest.mark.clause("open.required-set", "refuses")
@pytest.mark.clause("open.required-clean", "refuses")
def test_71_does_not_open_without_them(play: Play, melds: tuple[str, ...]) -> None:
    """Whatever the points."""
    assert unopened(play, "rami-71", *melds).refuses(opening(*melds)).rule == "open.required"


@pytest.mark.clause("open.required", "allows")
@pytest.mark.clause("open.required-clean", "allows")
def test_a_joker_laid_off_takes_nothing_away_from_a_clean_souifi(play: Play) -> None:
    """In a list with the opening or after it; what lies without the joker counts as before."""
    melds = (RUN_27, SET_27, KINGS)
    joker = lay_off(1, "JK=JS", "high")
    game = unopened(play, "rami-71", *melds, "JK=JS")
    game.when(opening(*melds))
    game.when(joker)
    assert game.melds[0] == f"{RUN_27} JK=JS"
    together = unopened(play, "rami-71", *melds, "JK=JS")
    together.when(all_of(*map(lay, melds), joker))
    assert together.melds == game.melds


@pytest.mark.clause("open.required", "refuses")
@pytest.mark.clause("open.required-clean", "refuses")
def test_a_souifi_laid_with_a_joker_is_not_clean_whatever_is_laid_off_on_it(play: Play) -> None:
    """Three natural cards in a row of five were not all that was laid."""
    game = unopened(play, "rami-71", SET_27, KINGS, "8S 9S TS JK=JS QS")
    refusal = game.refuses(all_of(lay("8S 9S TS JK=JS"), lay(SET_27), lay(KINGS), lay_off(1, "QS")))
    assert refusal.rule == "open.required"


@pytest.mark.parametrize(
    ("required", "melds", "opens"),
    [
        ("none", (KINGS, "QS QH QD"), True),
        ("run_and_set", ("TS JK=JS QS", KINGS), True),
        ("run_and_set", (KINGS, "QS QH QD"), False),
        ("run_and_set", ("TS JS QS", "TH JH QH"), False),
        ("clean_run", ("TS JS QS", "TH JH QH"), True),
        ("clean_run", ("TS JK=JS QS", KINGS), False),
        ("clean_run_and_set", ("TS JS QS", KINGS), True),
        ("clean_run_and_set", ("TS JS QS", "KS KH JK=K"), False),
    ],
)
@pytest.mark.clause("open.required", "allows")
@pytest.mark.clause("open.required", "refuses")
def test_each_game_says_what_its_openings_need(
    play: Play, required: str, melds: tuple[str, ...], opens: bool
) -> None:
    """In 51 nothing, as a rule."""
    game = unopened(play, "rami-51", *melds, opening_required_melds=required)
    if opens:
        game.when(opening(*melds))
    else:
        assert game.refuses(opening(*melds)).rule == "open.required"


# -- afterwards --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("open.progressive", "allows")
@pytest.mark.parametrize("variant", ["rami-51", "rami-71"])
def test_who_has_opened_lays_melds_of_any_worth(play: Play, variant: str) -> None:
    """In the same turn and in the next."""
    melds = (RUN_27, SET_27, KINGS)
    game = play(variant, seats=2).given_deal(
        1, ann=f"{' '.join(melds)} 2C 3C 4C 2D 3D 4D JC 5H", bea="6H 6S", stock="2H 9C 7H"
    )
    game.after(draw()).when(opening(*melds))
    game.after(lay("2C 3C 4C"), discard("JC"), draw(), discard("9C"))
    game.after(draw(), lay("2D 3D 4D"))
    assert game.melds[-1] == "2D 3D 4D"


@pytest.mark.clause("open.progressive", "refuses")
def test_an_opening_is_not_saved_up_over_several_turns(play: Play) -> None:
    """Three kings now and three queens next time are no opening."""
    game = unopened(play, "rami-51", KINGS, "QS QH QD")
    assert game.refuses(lay(KINGS)).rule == "open.threshold"
    game.when(discard("JC"))
    assert game.melds == []


@pytest.mark.clause("open.beat", "allows")
@pytest.mark.clause("open.beat", "refuses")
def test_a_game_may_want_every_opening_to_beat_the_last(play: Play) -> None:
    """Bea opened with sixty: sixty are not enough for ann; sixty-three are, and she goes on in the same turn."""
    game = play("rami-51", seats=2, opening_must_beat_previous=True).given_deal(
        1,
        to_move="bea",
        bea="TS JS QS KS KH KD 4C 9C",
        ann="TH JH QH KC KD KH 3D 3H 3C 4D 5D 6D 5C",
        stock="2H 2S",
    )
    game.after(draw()).when(opening("TS JS QS", "KS KH KD"))
    game.after(discard("9C"), draw())
    refusal = game.refuses(opening("TH JH QH", "KC KD KH"))
    assert (refusal.rule, refusal.detail[-15:]) == ("open.beat", "60 of 61 points")
    game.when(opening("TH JH QH", "KC KD KH", "3D 3H 3C"))
    game.when(lay("4D 5D 6D"))


def test_the_last_opening_of_another_deal_does_not_matter(play: Play) -> None:
    """In every deal the first opening has the threshold alone to reach."""
    game = play("rami-51", seats=2, opening_must_beat_previous=True, hand_size=7).given_deal(
        1, bea="2C", ann="TS JS QS KS KH KD 4C", stock="2H"
    )
    game.after(draw()).when(opening("TS JS QS", "KS KH KD"))
    game.when(discard("2H"))
    assert game.table.notes["opening"]["points"] == 60
    game = play("rami-51", seats=2, opening_must_beat_previous=True).given_deal(
        2, ann="TS JS QS 7S 7H 7D 4C 5D", stock="2H"
    )
    game.after(draw()).when(opening("TS JS QS", "7S 7H 7D"))


# -- partners ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("open.partner", "allows")
@pytest.mark.parametrize(("variant", "meld"), [("rami-51", "2C 3C 4C"), ("rami-71", "6D 7D 8D")])
def test_when_a_partner_has_opened_the_other_needs_no_threshold(play: Play, variant: str, meld: str) -> None:
    """Vector A25: twenty-one points, a souifi without a joker in 71."""
    unopened(play, variant, meld, seats=4, table=["cyd: 2S 3S 4S"]).when(lay(meld))


@pytest.mark.clause("open.partner", "refuses")
def test_an_opponents_opening_exempts_nobody(play: Play) -> None:
    """Bea has opened, on the other side."""
    game = unopened(play, "rami-51", "2C 3C 4C", seats=4, table=["bea: 2S 3S 4S"])
    assert game.refuses(lay("2C 3C 4C")).rule == "open.threshold"


@pytest.mark.clause("open.partner-run", "allows")
def test_in_71_the_partner_may_lay_off_before_any_lay_and_a_souifi_with_anything(play: Play) -> None:
    """Vector A25."""
    game = unopened(play, "rami-71", "6D 7D 8D", SET_27, "5S", seats=4, table=["cyd: 2S 3S 4S"])
    game.when(lay_off(1, "5S"))
    game.when(opening(SET_27, "6D 7D 8D"))


@pytest.mark.clause("open.partner-run", "refuses")
@pytest.mark.parametrize("meld", [SET_27, "6D JK=7D 8D"])
def test_in_71_the_partners_first_lay_holds_a_clean_souifi(play: Play, meld: str) -> None:
    """Vector A25: three nines only, or a run with a joker."""
    game = unopened(play, "rami-71", meld, seats=4, table=["cyd: 2S 3S 4S"])
    assert game.refuses(lay(meld)).rule == "open.partner-run"


@pytest.mark.clause("open.partner-too", "allows")
@pytest.mark.clause("open.partner-too", "refuses")
def test_a_game_may_want_both_partners_to_open(play: Play) -> None:
    """Then the other needs fifty-one as well, though adding to melds is free."""
    game = unopened(
        play,
        "rami-51",
        KINGS,
        "QS QH QD",
        "5S",
        seats=4,
        table=["cyd: 2S 3S 4S"],
        partner_opening_exempt=False,
    )
    assert game.refuses(lay(KINGS)).rule == "open.threshold"
    game.when(lay_off(1, "5S"))
    game.when(opening(KINGS, "QS QH QD"))
