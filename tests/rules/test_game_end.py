"""The end of the game: how many deals it has, and who wins."""

import pytest
from tests.rules.support import Crazy, about_to_go_out, go_out

from meldlog_contracts.commands import HandOverSeat, Resign
from meldlog_contracts.events import GameEnded
from meldlog_contracts.problems import Refused
from meldlog_service.testing import Game, discard, draw


def last_deal(game: Game, number: int, totals: tuple[int, ...], **hands: str) -> Game:
    """Ann goes out in this deal."""
    about_to_go_out(game, number, totals, **hands)
    go_out(game)
    return game


@pytest.mark.clause("game.deals", "allows")
@pytest.mark.parametrize("sequence", ["ace_to_king", "two_to_ace", "king_to_ace"])
def test_the_game_ends_after_thirteen_deals(crazy: Crazy, sequence: str) -> None:
    """One for each rank."""
    game = last_deal(crazy(wild_sequence=sequence), 13, (0, 0, 0))
    assert (game.table.status, game.table.deals) == ("finished", 13)


@pytest.mark.clause("game.deals", "refuses")
def test_the_game_does_not_end_after_twelve(crazy: Crazy) -> None:
    """The thirteenth is dealt."""
    game = last_deal(crazy(), 12, (0, 0, 0))
    assert (game.table.status, game.table.deal.number) == ("playing", 13)


@pytest.mark.clause("game.deals-twelve", "allows")
def test_from_two_to_king_the_game_has_twelve_deals(crazy: Crazy) -> None:
    """The twelfth is the last."""
    assert last_deal(crazy(wild_sequence="two_to_king"), 12, (0, 0, 0)).table.status == "finished"


@pytest.mark.clause("game.deals-twelve", "refuses")
def test_from_two_to_king_the_game_has_not_eleven_deals(crazy: Crazy) -> None:
    """After the eleventh kings are wild."""
    assert last_deal(crazy(wild_sequence="two_to_king"), 11, (0, 0, 0)).table.deal.wild == ("K",)


@pytest.mark.clause("game.deals-fourteen", "allows")
def test_from_ace_to_ace_the_game_has_fourteen_deals(crazy: Crazy) -> None:
    """The fourteenth is the last."""
    assert last_deal(crazy(wild_sequence="ace_to_ace"), 14, (0, 0, 0)).table.status == "finished"


@pytest.mark.clause("game.deals-fourteen", "refuses")
def test_from_ace_to_ace_the_game_does_not_end_with_the_kings(crazy: Crazy) -> None:
    """After the thirteenth deal aces are wild once more."""
    assert last_deal(crazy(wild_sequence="ace_to_ace"), 13, (0, 0, 0)).table.deal.wild == ("A",)


@pytest.mark.clause("game.deals-number", "allows")
@pytest.mark.parametrize("number", [2, 5])
def test_a_game_may_have_fewer_deals(crazy: Crazy, number: int) -> None:
    """It ends after the deal that was agreed on."""
    assert last_deal(crazy(deal_count=number), number, (0, 0, 0)).table.status == "finished"


@pytest.mark.clause("game.deals-number", "refuses")
@pytest.mark.parametrize("number", [0, 14])
def test_a_game_has_at_least_one_deal_and_no_more_than_wild_ranks(crazy: Crazy, number: int) -> None:
    """And it goes on while one is left."""
    with pytest.raises(Refused) as refused:
        crazy(deal_count=number)
    assert [fault.pointer for fault in refused.value.faults] == ["/house_rules/deal_count"]
    assert last_deal(crazy(deal_count=5), 4, (0, 0, 0)).table.status == "playing"


@pytest.mark.clause("game.end", "allows")
def test_the_last_deal_ends_the_game(crazy: Crazy) -> None:
    """With its last discard."""
    game = about_to_go_out(crazy(), 13, (10, 20, 30), bea="3C", cyd="4C")
    go_out(game)
    assert game.log[-1].events[-1] == GameEnded((0,), (0, 1, 2), None)


@pytest.mark.clause("game.end", "refuses")
def test_when_the_game_is_over_nothing_more_is_played(crazy: Crazy) -> None:
    """No draw, no discard, no handing over of a seat; and there are no moves."""
    game = last_deal(crazy(), 13, (0, 0, 0))
    for player in ("ann", "bea", "cyd"):
        assert game.refuses(draw(), by=player).rule == "game.end"
        assert game.refuses(discard("3C"), by=player).rule == "game.end"
        assert game.refuses(Resign(), by=player).rule == "game.end"
        assert game.moves(player) == ()
    assert game.refuses(HandOverSeat(1, "plain"), by="bea").rule == "game.end"


@pytest.mark.clause("score.winner", "allows")
def test_the_lowest_total_wins(crazy: Crazy) -> None:
    """Bea has the lowest, though ann went out last; places follow the totals."""
    game = last_deal(crazy(), 13, (40, 12, 60), bea="3C", cyd="4C")
    result = game.table.result
    assert result is not None
    assert (game.table.totals, result.winners, result.ranking) == ((40, 15, 64), (1,), (1, 0, 2))


@pytest.mark.clause("score.winner", "refuses")
def test_neither_the_highest_total_nor_the_last_to_go_out_wins(crazy: Crazy) -> None:
    """Ann went out and cyd has most: neither is a winner."""
    game = last_deal(crazy(), 13, (40, 12, 60), bea="3C", cyd="4C")
    assert game.table.result is not None
    assert not {0, 2} & set(game.table.result.winners)


@pytest.mark.clause("score.tie", "allows")
def test_equal_lowest_totals_win_together(crazy: Crazy) -> None:
    """Ann with fifteen and bea with twelve and three."""
    game = last_deal(crazy(), 13, (15, 12, 60), bea="3C", cyd="4C")
    assert game.table.result is not None
    assert game.table.result.winners == (0, 1)


@pytest.mark.clause("score.tie", "refuses")
def test_equal_totals_above_the_lowest_win_nothing(crazy: Crazy) -> None:
    """Bea and cyd are level, and ann is lower; one point apart is not level."""
    game = last_deal(crazy(), 13, (5, 13, 12), bea="3C", cyd="4C")
    assert game.table.totals == (5, 16, 16)
    assert game.table.result is not None
    assert game.table.result.winners == (0,)
    close = last_deal(crazy(), 13, (16, 12, 60), bea="3C", cyd="4C")
    assert close.table.result is not None
    assert close.table.result.winners == (1,)
