"""Level totals after the last deal: shared, broken by the deals lost, or by a further deal."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.rules.support import Crazy, about_to_go_out, go_out

from meldlog_contracts.hooks import Standing
from meldlog_service.testing import Game, Play

LAST = 13
HANDS = {"bea": "3C", "cyd": "4C"}
"""What the others hold when ann goes out in the last deal: three points and four."""


def last_deal(game: Game, *totals: int, number: int = LAST) -> Game:
    """Ann goes out in this deal, after which bea has three points more and cyd four."""
    about_to_go_out(game, number, totals, **HANDS)
    go_out(game)
    return game


def winners(game: Game) -> tuple[int, ...]:
    """Who has won."""
    assert game.table.result is not None
    return game.table.result.winners


@pytest.mark.clause("score.tie", "allows")
def test_who_is_level_wins_together(crazy: Crazy) -> None:
    """Unless the game says otherwise."""
    assert winners(last_deal(crazy(), 23, 20, 50)) == (0, 1)


# -- by the deals lost -------------------------------------------------------------------------------------------------


@pytest.mark.clause("game.tie-lost", "allows")
def test_of_those_who_are_level_the_one_who_lost_fewest_deals_wins(crazy: Crazy) -> None:
    """Ann went out in the last deal, which bea has lost."""
    game = last_deal(crazy(tie_break="fewest_lost"), 23, 20, 50)
    assert winners(game) == (0,)
    assert game.table.result is not None
    assert game.table.result.ranking == (0, 1, 2)


@pytest.mark.clause("game.tie-lost", "refuses")
def test_who_is_not_level_does_not_win_by_having_lost_less(crazy: Crazy) -> None:
    """Ann has lost no deal, and bea has the lower total."""
    assert winners(last_deal(crazy(tie_break="fewest_lost"), 24, 20, 50)) == (1,)


def test_of_several_level_players_the_ranking_begins_with_who_lost_least(crazy: Crazy) -> None:
    """Each went out where the table says; the fourth deal had no winner and was lost by nobody."""
    game = last_deal(crazy(tie_break="fewest_lost"), 23, 20, 19)
    ranking = game.rules.ranking
    table = replace(game.table, totals=(23, 23, 23), outs=(1, 1, 2, None))
    assert ranking(table) == Standing((1,), (1, 2, 0))


@pytest.mark.clause("score.tie", "refuses")
def test_who_lost_as_many_wins_as_well(crazy: Crazy) -> None:
    """Level in everything, they win together."""
    game = last_deal(crazy(tie_break="fewest_lost"), 23, 20, 50)
    table = replace(game.table, totals=(23, 23, 50), outs=(0, 1, None))
    assert game.rules.ranking(table).winners == (0, 1)


def test_partners_lose_a_deal_together_and_not_by_each_other(play: Play) -> None:
    """The side of ann and cyd lost one deal, the other side two."""
    game = play("crazy-rummy", seats=4, teams="pairs", tie_break="fewest_lost").given_start()
    table = replace(game.table, totals=(10, 10), outs=(0, 2, 1))
    assert game.rules.ranking(table) == Standing((0, 2), (0, 2, 1, 3))


def test_where_the_most_points_win_the_tie_is_broken_at_the_top(play: Play) -> None:
    """Ace to Ace: two lead with thirty."""
    game = play("ace-to-ace", tie_break="fewest_lost").given_start()
    table = replace(game.table, totals=(30, 10, 30), outs=(2, 2, 0, 1))
    assert game.rules.ranking(table) == Standing((2,), (2, 0, 1))


# -- by a further deal -------------------------------------------------------------------------------------------------


@pytest.mark.clause("game.tie", "allows")
def test_a_play_off_is_another_deal_for_everybody(crazy: Crazy) -> None:
    """The fourteenth, with aces wild again."""
    game = last_deal(crazy(tie_break="play_off"), 23, 20, 50)
    assert (game.table.status, game.table.deal.number) == ("playing", 14)
    assert game.table.deal.wild == ("A",)
    assert all(game.table.hand(seat) for seat in range(3))


@pytest.mark.clause("game.tie", "refuses")
def test_no_deal_is_added_where_one_leads_alone(crazy: Crazy) -> None:
    """Nor where those behind are level."""
    assert winners(last_deal(crazy(tie_break="play_off"), 23, 30, 29)) == (0,)


def test_the_game_ends_when_one_leads_alone(crazy: Crazy) -> None:
    """After the first deal that decides it."""
    game = last_deal(crazy(tie_break="play_off"), 23, 23, 50, number=14)
    assert winners(game) == (0,)
    assert len(game.table.scores) == 14


@pytest.mark.clause("game.tie-wilds", "allows")
@pytest.mark.parametrize(("sequence", "wild"), [("king_to_ace", "K"), ("two_to_ace", "2")])
def test_after_its_end_the_order_of_the_wilds_begins_again(crazy: Crazy, sequence: str, wild: str) -> None:
    """In the first deal that is added."""
    game = last_deal(crazy(tie_break="play_off", wild_sequence=sequence), 23, 20, 50)
    assert game.table.deal.wild == (wild,)


@pytest.mark.clause("game.tie-wilds", "refuses")
def test_a_shorter_game_goes_on_with_the_ranks_that_were_left(crazy: Crazy) -> None:
    """Two deals were agreed on; threes are wild in the third."""
    game = last_deal(crazy(tie_break="play_off", deal_count=2), 23, 20, 50, number=2)
    assert (game.table.deals, game.table.deal.number, game.table.deal.wild) == (2, 3, ("3",))


def test_a_dealer_who_chooses_may_name_every_rank_again(play: Play) -> None:
    """All thirteen have been wild."""
    game = play("crazy-rummy", "dealer-chooses-wild", tie_break="play_off", wild_sequence="two_to_king")
    number = game.table.deals
    assert number == 12
    last_deal(game, 23, 20, 50, number=12)
    assert game.table.deal.turn.phase == "naming_wild"
    assert len(game.moves(game.on_turn)) == 12


@pytest.mark.clause("game.tie-most", "allows")
@pytest.mark.clause("game.tie-most", "refuses")
@pytest.mark.parametrize(("number", "over"), [(24, False), (25, True)])
def test_after_twelve_more_deals_the_tie_stands(crazy: Crazy, number: int, over: bool) -> None:
    """Whoever is level then wins together."""
    game = last_deal(crazy(tie_break="play_off"), 23, 20, 50, number=number)
    assert (game.table.status == "finished") is over
    if over:
        assert winners(game) == (0, 1)


def test_partners_who_lead_together_need_no_play_off(play: Play) -> None:
    """Their side leads alone."""
    game = play("crazy-rummy", seats=4, teams="pairs", tie_break="play_off").given_start()
    done = tuple((0, 0) for _ in range(13))
    assert game.rules.is_last_deal(replace(game.table, scores=done, totals=(10, 20)))
    assert not game.rules.is_last_deal(replace(game.table, scores=done, totals=(10, 10)))


@pytest.mark.parametrize("variant", ["biddies", "treize-brasses", "beanie", "ace-to-ace"])
@pytest.mark.parametrize("how", ["fewest_lost", "play_off"])
def test_every_game_of_the_family_breaks_ties_so(play: Play, variant: str, how: str) -> None:
    """The sheet says it once, and nothing else of ties but what is left level."""
    sheet = play(variant, tie_break=how).sheet()
    assert ("game.tie" in sheet) is (how == "play_off")
    assert ("game.tie-lost" in sheet) is (how == "fewest_lost")
    assert sheet["score.tie"].startswith("Those who are level then")
