"""The winner of a deal scores the hands of the others; vectors R5 and R7."""

from typing import Any

import pytest
from tests.rules.support import scored

from meldlog_contracts.events import DealScored, GameEnded
from meldlog_contracts.problems import Refused
from meldlog_service.testing import Game, Play, all_of, discard, draw, lay, lay_off

OWN = "ann: 6S 7S 8S"


def basic(play: Play, seats: int = 3, **house_rules: Any) -> Game:
    """A game of Basic Rummy."""
    return play("basic-rummy", seats=seats, **house_rules)


def out(game: Game, **given: Any) -> DealScored:
    """Ann, who laid a run before, goes out."""
    number = 1 if given.get("totals") is None else 2
    game.given_deal(number, ann="9S", table=[OWN], stock="KD", **given).after(draw(), lay_off(1, "9S"))
    return scored(game.when(discard("KD")))


@pytest.mark.clause("score.hand", "allows")
def test_the_winner_scores_what_the_others_hold(play: Play) -> None:
    """Vector R5: six, king, ace and two nines are thirty-five."""
    assert out(basic(play), bea="6C KC AC", cyd="9C 9H").points == (35, 0, 0)


@pytest.mark.clause("score.hand", "refuses")
def test_a_complete_meld_that_is_still_held_is_counted_too(play: Play) -> None:
    """Nothing is saved by holding three queens; nobody else scores or loses anything."""
    assert out(basic(play), bea="QC QH QS", cyd="2C").points == (32, 0, 0)


@pytest.mark.clause("score.rummy", "allows")
@pytest.mark.parametrize(
    ("hand", "drawn", "played"),
    [
        pytest.param("3H 4H", "5H", [lay("3H 4H 5H")], id="without a discard"),
        pytest.param("3H 4H 5H", "KD", [lay("3H 4H 5H"), discard("KD")], id="with a discard"),
        pytest.param("TH", "JD", [lay_off(1, "TH"), discard("JD")], id="with a lay-off alone"),
        pytest.param("3H 4H 5H", "TH", [all_of(lay("3H 4H 5H"), lay_off(1, "TH"))], id="in a list"),
    ],
)
def test_who_gets_rid_of_everything_in_one_turn_scores_double(
    play: Play, hand: str, drawn: str, played: list[Any]
) -> None:
    """Vector R5: going rummy makes seventy of thirty-five."""
    table = ["bea: TC TD TS"]
    game = basic(play).given_deal(1, ann=hand, bea="6C KC AC", cyd="9C 9H", table=table, stock=drawn)
    game.after(draw(), *played[:-1])
    end = scored(game.when(played[-1]))
    assert (end.points, end.multiplier) == ((70, 0, 0), 2)


@pytest.mark.clause("score.rummy", "refuses")
def test_who_laid_anything_in_an_earlier_turn_does_not_go_rummy(play: Play) -> None:
    """Ann laid off one card in the turn before."""
    game = basic(play, 2).given_deal(
        1, ann="6H KC 3C 4C", bea="9D 2S", table=["bea: 6C 6S 6D"], stock="9H QH 5C QS"
    )
    game.after(draw(), lay_off(1, "6H"), discard("KC"), draw(), discard("QH"))
    game.after(draw(), lay("3C 4C 5C"))
    end = scored(game.when(discard("9H")))
    assert (end.points, end.multiplier) == ((11, 0), 1)


@pytest.mark.clause("score.rummy", "refuses")
def test_a_game_may_know_no_rummy(play: Play) -> None:
    """Everything in one turn, and eleven points."""
    game = basic(play, 2, rummy_bonus_double=False).given_deal(1, ann="3H 4H", bea="9D 2C", stock="5H")
    assert scored(game.after(draw()).when(lay("3H 4H 5H"))).points == (11, 0)
    assert "score.rummy" not in game.sheet()


@pytest.mark.clause("score.total", "allows")
@pytest.mark.clause("score.total", "refuses")
def test_points_are_added_up_and_nobody_loses_any(play: Play) -> None:
    """Thirty and seventeen are forty-seven; bea keeps her fifty."""
    end = out(basic(play), totals=(30, 50, 0), bea="6C KC", cyd="AC")
    assert end.totals == (47, 50, 0)


@pytest.mark.clause("score.target", "allows")
@pytest.mark.clause("score.winner", "allows")
@pytest.mark.parametrize(("before", "target"), [(133, 150), (183, 200), (140, 150)])
def test_a_total_that_reaches_the_target_ends_the_game(play: Play, before: int, target: int) -> None:
    """Vector R7: a hundred and fifty or more, and the highest total wins."""
    game = basic(play, target=target)
    out(game, totals=(before, 120, 0), bea="6C KC", cyd="AC")
    assert game.table.status == "finished"
    (end,) = (event for event in game.log[-1].events if isinstance(event, GameEnded))
    assert (end.winners, end.ranking) == ((0,), (0, 1, 2))


@pytest.mark.clause("score.target", "refuses")
@pytest.mark.clause("score.winner", "refuses")
def test_below_the_target_the_next_deal_is_dealt(play: Play) -> None:
    """A hundred and forty-nine are not enough, and leading wins nothing yet."""
    game = basic(play)
    assert out(game, totals=(132, 120, 0), bea="6C KC", cyd="AC").totals[0] == 149
    assert (game.table.status, game.table.deal.number) == ("playing", 3)


@pytest.mark.clause("score.tie", "allows")
def test_void_deals_may_end_the_game_with_two_winners(play: Play) -> None:
    """Nobody reached the target, and two are level at the top."""
    game = basic(play, void_deals_limit=1).given_deal(
        2, totals=(40, 40, 10), ann="KD KH", stock="|", discards="5C"
    )
    end = void(game)
    assert (end.winners, game.table.totals) == ((0, 1), (40, 40, 10))


@pytest.mark.clause("score.tie", "refuses")
def test_who_has_less_than_the_highest_total_does_not_win(play: Play) -> None:
    """Not even by one point."""
    game = basic(play, void_deals_limit=1).given_deal(
        2, totals=(40, 41, 10), ann="KD KH", stock="|", discards="5C"
    )
    assert void(game).winners == (1,)


def void(game: Game) -> GameEnded:
    """Let the deal end without a winner: everybody passes the discard round."""
    for _ in range(200):
        if game.table.status != "playing":
            break
        drawing = draw("discard") if game.table.deal.discard_pile else draw()
        game.when(drawing)
        taken = game.table.deal.turn.taken
        game.when(
            discard(next(card for card in game.table.hand(game.table.deal.turn.seat) if card not in taken))
        )
    (end,) = (event for event in game.log[-1].events if isinstance(event, GameEnded))
    return end


@pytest.mark.clause("score.partner", "allows")
@pytest.mark.clause("score.partner", "refuses")
def test_the_partners_hand_does_not_count(play: Play) -> None:
    """Two against two: bea's and dan's cards are won, cyd's are not."""
    end = out(basic(play, 4, teams="pairs"), bea="6C", cyd="KC KH", dan="AC")
    assert end.points == (7, 0)


@pytest.mark.parametrize("betting", ["all_pairs", "winner_only"])
def test_partners_do_not_bet(play: Play, betting: str) -> None:
    """Stakes are settled between players who play alone; two do, whatever the game says of pairs."""
    with pytest.raises(Refused) as refused:
        basic(play, 4, teams="pairs", betting=betting)
    assert [fault.pointer for fault in refused.value.faults] == ["/house_rules/betting"]
    assert "alone" in refused.value.faults[0].detail
    assert basic(play, 2, teams="pairs", betting=betting).given_start().table.sides == 2


# -- what cards are worth ----------------------------------------------------------------------------------------------


@pytest.mark.clause("score.ace", "allows")
@pytest.mark.clause("score.pips", "allows")
@pytest.mark.clause("score.court", "allows")
def test_cards_count_their_number_court_cards_ten_and_an_ace_one(play: Play) -> None:
    """Two and ten; jack, queen and king; an ace."""
    points = {
        hand: out(basic(play, 2), bea=hand).points[0]
        for hand in ("2C", "TC", "2C 3D 4H 5S 6C 7D 8H 9C TS", "JC", "QC", "KC", "AC")
    }
    assert list(points.values()) == [2, 10, 54, 10, 10, 10, 1]


@pytest.mark.clause("score.ace", "refuses")
@pytest.mark.clause("score.pips", "refuses")
@pytest.mark.clause("score.court", "refuses")
@pytest.mark.clause("score.court-11-12-13", "allows")
@pytest.mark.clause("score.five-ten", "allows")
@pytest.mark.clause("score.ace-eleven", "allows")
def test_a_game_may_count_them_otherwise(play: Play) -> None:
    """Jack, queen and king eleven to thirteen; aces fifteen, or eleven; fives and tens."""
    points = [
        out(basic(play, 2, **house), bea=hand).points[0]
        for hand, house in (
            ("JC QC KC 2C", {"court_values": "11_12_13"}),
            ("AC", {"ace_value": 15}),
            ("AC", {"ace_value": "one_or_eleven"}),
            ("AC 8C 9C KC", {"value_table": "five_ten"}),
        )
    ]
    assert points == [38, 15, 11, 30]


@pytest.mark.clause("score.court-11-12-13", "refuses")
@pytest.mark.clause("score.five-ten", "refuses")
@pytest.mark.clause("score.ace-eleven", "refuses")
def test_fives_and_tens_leave_nothing_of_the_other_values(play: Play) -> None:
    """An ace and a jack count five and ten, whatever is said of them; a ten is no court card, a two no ace."""
    assert out(basic(play, 2, value_table="five_ten", court_values="11_12_13"), bea="AC JC").points[0] == 15
    assert out(basic(play, 2, court_values="11_12_13"), bea="TC").points[0] == 10
    assert out(basic(play, 2, ace_value="one_or_eleven"), bea="2C").points[0] == 2
    assert out(basic(play, 2, value_table="five_ten"), bea="8C").points[0] == 5


@pytest.mark.clause("score.joker", "allows")
@pytest.mark.clause("score.joker", "refuses")
def test_a_joker_in_hand_costs_what_the_game_says_and_no_less(play: Play) -> None:
    """Fifty, or twenty: never the value of some card."""
    assert out(basic(play, 2, printed_jokers=2), bea="JK").points[0] == 50
    assert out(basic(play, 2, printed_jokers=2, joker_penalty=20), bea="JK 2C").points[0] == 22
