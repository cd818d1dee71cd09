"""Rami's score: who pays, how much, and when a game is lost; vectors A22 to A24."""

from typing import Any

import pytest
from tests.rules.support import scored

from meldlog_contracts.events import DealScored, GameEnded
from meldlog_service.testing import Game, Play, all_of, discard, draw, lay

RAMI = ("rami-simple", "rami-51", "rami-71")
every_rami = pytest.mark.parametrize("variant", RAMI)
PROGRESSIVE = pytest.mark.parametrize("variant", RAMI[1:])


def close(play: Play, variant: str, *, before: str = "", **given: Any) -> tuple[Game, DealScored]:
    """Ann closes at once; `before` is a meld that she laid in an earlier turn."""
    house = {
        key: given.pop(key)
        for key in list(given)
        if key not in ("bea", "cyd", "dan", "totals", "table", "seats")
    }
    seats = given.pop("seats", 2)
    table = [*given.pop("table", ()), *([f"ann: {before}"] if before else [])]
    game = play(variant, seats=seats, **house)
    number = 2 if "totals" in given else 1
    game.given_deal(number, ann="3C 4C 5C 6S 6H 6C", stock="KS", table=table, **given)
    game.after(draw()).when(all_of(lay("3C 4C 5C"), lay("6S 6H 6C")))
    return game, scored(game.when(discard("KS")))


# -- who pays ----------------------------------------------------------------------------------------------------------


@PROGRESSIVE
@pytest.mark.clause("score.losers", "allows")
@pytest.mark.clause("score.partner", "allows")
@pytest.mark.clause("score.hand", "allows")
@pytest.mark.clause("score.joker", "allows")
@pytest.mark.clause("score.ace-eleven", "allows")
@pytest.mark.clause("score.pips", "allows")
@pytest.mark.clause("score.court", "allows")
def test_the_two_opponents_pay_for_their_side(play: Play, variant: str) -> None:
    """Vector A22: king, five and joker are thirty-five, ace and nine twenty."""
    _, end = close(play, variant, seats=4, bea="KC 5H JK", cyd="QD QH", dan="AC 9H")
    assert end.points == (0, 55)


@PROGRESSIVE
@pytest.mark.clause("score.losers", "refuses")
@pytest.mark.clause("score.partner", "refuses")
@pytest.mark.clause("score.hand", "refuses")
def test_neither_the_winner_nor_the_winners_partner_pays(play: Play, variant: str) -> None:
    """However much the partner holds; and what lies on the table costs nobody."""
    _, end = close(play, variant, seats=4, bea="2C", cyd="JK JK KD QD", dan="3H", table=["bea: 7D 8D 9D"])
    assert end.points == (0, 5)


@every_rami
@pytest.mark.clause("score.losers", "allows")
def test_three_alone_pay_each_for_themselves(play: Play, variant: str) -> None:
    """Where everybody plays alone there is a side for each."""
    _, end = close(play, variant, seats=3, teams="none", bea="2C", cyd="3H")
    assert end.points == ((0, 100, 100) if variant == "rami-simple" else (0, 2, 3))


@pytest.mark.clause("score.flat", "allows")
@pytest.mark.parametrize(("seats", "points"), [(2, (0, 100)), (4, (0, 200))])
def test_in_simple_each_loser_pays_a_hundred(play: Play, seats: int, points: tuple[int, int]) -> None:
    """Vector A23."""
    assert close(play, "rami-simple", seats=seats)[1].points == points


@pytest.mark.clause("score.flat", "refuses")
def test_in_simple_hands_are_not_counted(play: Play) -> None:
    """One card or many, cheap or dear; nor do the values of cards stand on the sheet."""
    game, end = close(play, "rami-simple", bea="AC")
    assert end.points == (0, 100)
    assert close(play, "rami-simple", bea="JK JK KD QD QH")[1].points == (0, 100)
    assert close(play, "rami-simple", bea="AC", flat_penalty=30)[1].points == (0, 30)
    assert (
        not {"score.joker", "score.pips", "score.court", "score.ace-eleven", "score.hand"}
        & game.sheet().keys()
    )


def test_a_game_of_simple_may_count_hands(play: Play) -> None:
    """Without a flat penalty it is scored as 51 is."""
    assert close(play, "rami-simple", bea="JK AC 2D", flat_penalty=None)[1].points == (0, 33)


# -- how much ----------------------------------------------------------------------------------------------------------


@PROGRESSIVE
@pytest.mark.clause("score.ace", "allows")
@pytest.mark.clause("score.ace", "refuses")
@pytest.mark.clause("score.ace-eleven", "refuses")
@pytest.mark.clause("score.joker", "refuses")
@pytest.mark.clause("score.pips", "refuses")
@pytest.mark.clause("score.court", "refuses")
@pytest.mark.parametrize(
    ("house", "hand", "points"),
    [
        ({"ace_value": 10}, "AC 2D", 12),
        ({"ace_value": 1}, "AC 2D", 3),
        ({}, "AC 2D", 13),
        ({"joker_penalty": 25}, "JK 2D", 27),
        ({"joker_penalty": 30}, "JK JK", 60),
        ({"court_values": "11_12_13"}, "JC QC KC TC", 46),
        ({"value_table": "five_ten"}, "AC 8C 9C KC", 30),
    ],
)
def test_what_cards_cost_is_for_the_game_to_say(
    play: Play, variant: str, house: dict[str, Any], hand: str, points: int
) -> None:
    """Aces, jokers and court cards as other tables count them."""
    assert close(play, variant, bea=hand, **house)[1].points == (0, points)


@PROGRESSIVE
@pytest.mark.clause("score.unopened", "allows")
@pytest.mark.clause("score.unopened", "refuses")
def test_who_has_played_nothing_may_have_to_pay_a_flat_sum_instead(play: Play, variant: str) -> None:
    """A hundred for bea, who holds a two; dan has laid a run and pays for his three."""
    _, end = close(
        play, variant, seats=4, unopened_penalty=100, bea="2C", cyd="2D", dan="3H", table=["dan: 7D 8D 9D"]
    )
    assert end.points == (0, 103)
    assert close(play, variant, bea="KC KD QD")[1].points == (0, 30)


@PROGRESSIVE
@pytest.mark.clause("score.rami-sec", "allows")
@pytest.mark.clause("score.rami-sec", "refuses")
def test_a_rami_sec_is_allowed_and_costs_no_more(play: Play, variant: str) -> None:
    """Vector A18: as much as after an opening in an earlier turn."""
    sec, later = close(play, variant, bea="KC 5H")[1], close(play, variant, bea="KC 5H", before="7D 8D 9D")[1]
    assert (sec.points, sec.multiplier) == (later.points, later.multiplier) == ((0, 15), 1)


@every_rami
@pytest.mark.clause("score.rami-sec-double", "allows")
@pytest.mark.clause("score.rami-sec-double", "refuses")
def test_or_it_may_double_the_penalties(play: Play, variant: str) -> None:
    """Only where nothing was laid before that turn; in Simple nothing ever is."""
    plain = 100 if variant == "rami-simple" else 15
    game, sec = close(play, variant, bea="KC 5H", rami_sec_multiplier=2)
    assert (sec.points, sec.multiplier) == ((0, 2 * plain), 2)
    assert "score.rami-sec-double" in game.sheet()
    if variant != "rami-simple":
        later = close(play, variant, bea="KC 5H", before="7D 8D 9D", rami_sec_multiplier=2)[1]
        assert (later.points, later.multiplier) == ((0, 15), 1)


# -- totals and the end ------------------------------------------------------------------------------------------------


@every_rami
@pytest.mark.clause("score.total", "allows")
@pytest.mark.clause("score.total", "refuses")
def test_penalties_are_added_up_for_the_side_that_pays(play: Play, variant: str) -> None:
    """The other total stays."""
    _, end = close(play, variant, bea="KC 5H", totals=(20, 30))
    assert end.totals == ((20, 130) if variant == "rami-simple" else (20, 45))


@pytest.mark.parametrize(
    ("variant", "seats", "limit"),
    [
        pytest.param("rami-simple", 2, 300, id="A23 1v1"),
        pytest.param("rami-simple", 4, 600, id="A23 2v2"),
        pytest.param("rami-51", 2, 251, id="A24 51 1v1"),
        pytest.param("rami-51", 4, 351, id="51 2v2"),
        pytest.param("rami-71", 2, 251, id="71 1v1"),
        pytest.param("rami-71", 4, 451, id="A24 71 2v2"),
    ],
)
@pytest.mark.clause("score.limit", "allows")
@pytest.mark.clause("score.limit", "refuses")
def test_the_side_that_reaches_the_limit_loses(play: Play, variant: str, seats: int, limit: int) -> None:
    """One point below it the game goes on."""
    flat: dict[str, Any] = {"flat_penalty": 15} if variant == "rami-simple" else {}
    hands = {"bea": "KC 5H"} if seats == 2 else {"bea": "KC", "cyd": "2D", "dan": "5H"}
    pays = 30 if variant == "rami-simple" and seats == 4 else 15
    lost, _ = close(play, variant, seats=seats, totals=(0, limit - pays), **hands, **flat)
    assert lost.table.status == "finished"
    (end,) = (event for event in lost.log[-1].events if isinstance(event, GameEnded))
    assert end.winners == ((0,) if seats == 2 else (0, 2))
    on, _ = close(play, variant, seats=seats, totals=(0, limit - pays - 1), **hands, **flat)
    assert (on.table.status, on.table.totals) == ("playing", (0, limit - 1))


def test_the_third_lost_deal_of_simple_loses_the_game(play: Play) -> None:
    """Vector A23: twice a hundred or two hundred are not enough, three times are."""
    for seats, points in ((2, 100), (4, 200)):
        assert close(play, "rami-simple", seats=seats, totals=(0, points))[0].table.status == "playing"
        assert close(play, "rami-simple", seats=seats, totals=(0, 2 * points))[0].table.status == "finished"


@every_rami
def test_the_limits_are_the_games_to_set(play: Play, variant: str) -> None:
    """Each for its number of players."""
    game, _ = close(play, variant, totals=(0, 90), limit_alone=100, limit_pairs=1000, bea="KC")
    assert game.table.status == "finished"
    game, _ = close(play, variant, seats=4, totals=(0, 90), limit_alone=100, limit_pairs=1000)
    assert game.table.status == "playing"


@every_rami
@pytest.mark.clause("score.limit-alone", "allows")
@pytest.mark.clause("score.limit-alone", "refuses")
def test_where_three_play_alone_the_lowest_total_wins_when_somebody_reaches_the_limit(
    play: Play, variant: str
) -> None:
    """Bea loses; cyd, who leads, wins, though ann closed."""
    house: dict[str, Any] = {
        "teams": "none",
        "seats": 3,
        "flat_penalty": None,
        "limit_alone": 251,
        "bea": "KC 5H",
        "cyd": "2C",
    }
    game, _ = close(play, variant, totals=(50, 236, 10), **house)
    (end,) = (event for event in game.log[-1].events if isinstance(event, GameEnded))
    assert (end.winners, end.ranking) == ((2,), (2, 0, 1))
    assert close(play, variant, totals=(50, 235, 10), **house)[0].table.status == "playing"
