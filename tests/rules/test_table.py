"""Who plays, with which cards, in which direction, and for what."""

from collections import Counter

import pytest
from tests.rules.support import Crazy, about_to_go_out, everything, go_out

from meldlog_contracts.cards import JOKER, PLAIN_PACK
from meldlog_contracts.commands import HandOverSeat, LeaveSeat, StartGame, TakeSeat
from meldlog_contracts.events import TurnPassed
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Result
from meldlog_service.testing import discard, draw, lay


@pytest.mark.clause("table.players", "allows")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_two_to_six_may_play(crazy: Crazy, seats: int) -> None:
    """The game is for three to six, and two may play as well."""
    assert len(crazy(seats=seats).given_start().table.deal.hands) == seats


@pytest.mark.clause("table.players", "refuses")
@pytest.mark.parametrize("seats", [1, 7])
def test_neither_one_nor_seven_may_play(crazy: Crazy, seats: int) -> None:
    """A table of one or seven is refused at creation, with a pointer to the seats."""
    with pytest.raises(Refused) as refused:
        crazy(seats=seats)
    assert refused.value.code == "invalid"
    assert [fault.pointer for fault in refused.value.faults] == ["/seats"]


@pytest.mark.clause("table.pack", "allows")
def test_one_pack_holds_every_card_once(crazy: Crazy) -> None:
    """All 52 cards are dealt or in the stock."""
    assert Counter(everything(crazy().given_start().table)) == Counter(PLAIN_PACK)


@pytest.mark.clause("table.pack", "refuses")
@pytest.mark.parametrize("packs", [0, 3])
def test_no_game_is_played_with_no_pack_or_three(crazy: Crazy, packs: int) -> None:
    """One pack or two: anything else is refused at creation."""
    with pytest.raises(Refused) as refused:
        crazy(packs=packs)
    assert [fault.pointer for fault in refused.value.faults] == ["/house_rules/packs"]


@pytest.mark.clause("table.two-packs", "allows")
def test_two_packs_hold_every_card_twice(crazy: Crazy) -> None:
    """104 cards, each text twice."""
    assert Counter(everything(crazy(packs=2, seats=5).given_start().table)) == Counter(PLAIN_PACK * 2)


@pytest.mark.clause("table.two-packs", "refuses")
def test_two_packs_hold_no_card_three_times(crazy: Crazy) -> None:
    """A third seven of hearts is neither held nor laid."""
    game = crazy(packs=2).given_deal(2, ann="7H 7H 8H").after(draw())
    assert game.refuses(lay("7H 7H 7H")).rule == "card.held"


@pytest.mark.clause("table.no-jokers", "allows")
def test_without_jokers_the_pack_is_the_plain_one(crazy: Crazy) -> None:
    """No joker lies anywhere."""
    assert JOKER not in everything(crazy().given_start().table)


@pytest.mark.clause("table.no-jokers", "refuses")
def test_a_joker_that_is_not_in_the_pack_cannot_be_laid(crazy: Crazy) -> None:
    """Nobody holds a joker in a game without."""
    game = crazy().given_deal(2, ann="7H 8H KD").after(draw())
    assert game.refuses(lay("7H 8H JK=9H")).rule == "card.held"


@pytest.mark.clause("table.jokers", "allows")
def test_a_printed_joker_is_wild_in_every_deal(crazy: Crazy) -> None:
    """In deal two, where twos are wild, the joker stands for the nine of hearts."""
    game = crazy(printed_jokers=2).given_deal(2, ann="7H 8H JK KD").after(draw())
    game.when(lay("7H 8H JK=9H"))
    assert game.melds == ["7H 8H JK=9H"]
    assert everything(game.table).count(JOKER) == 2


@pytest.mark.clause("table.jokers", "refuses")
def test_a_printed_joker_is_never_a_card_of_its_own(crazy: Crazy) -> None:
    """Two jokers and a jack are no set of jokers: the joker has no rank."""
    game = crazy(printed_jokers=2).given_deal(2, ann="JK JK JH KD").after(draw())
    assert game.refuses(lay("JK JK JH")).rule == "meld.declare"
    game.when(lay("JH JK=J JK=J"))
    assert game.melds == ["JH JK=J JK=J"]


@pytest.mark.clause("table.teams", "allows")
def test_everybody_has_a_total_of_ones_own(crazy: Crazy) -> None:
    """Four players, four scores."""
    game = about_to_go_out(crazy(seats=4), bea="3C", cyd="4C", dan="5C")
    assert go_out(game).points == (0, 3, 4, 5)


@pytest.mark.clause("table.teams", "refuses")
def test_nobody_shares_a_score_with_the_player_opposite(crazy: Crazy) -> None:
    """When ann goes out, cyd, who sits opposite, pays all the same."""
    game = about_to_go_out(crazy(seats=4), cyd="4C")
    assert go_out(game).points[2] == 4
    assert {seat.team for seat in game.table.seats} == {None}


@pytest.mark.clause("table.pairs", "allows")
def test_partners_sit_opposite_and_share_a_score(crazy: Crazy) -> None:
    """Ann and cyd are one side, bea and dan the other; two scores are kept."""
    game = about_to_go_out(crazy(seats=4, teams="pairs"), bea="3C", cyd="KH", dan="5C")
    assert go_out(game).points == (0, 8)
    assert [seat.team for seat in game.table.seats] == [0, 1, 0, 1]


@pytest.mark.clause("table.pairs", "refuses")
@pytest.mark.parametrize("seats", [3, 5, 6])
def test_two_against_two_is_not_played_by_three_five_or_six(crazy: Crazy, seats: int) -> None:
    """Sides of two need four players; two players play each alone."""
    with pytest.raises(Refused) as refused:
        crazy(seats=seats, teams="pairs")
    assert [fault.pointer for fault in refused.value.faults] == ["/house_rules/teams"]
    assert {seat.team for seat in crazy(seats=2, teams="pairs").table.seats} == {None}


@pytest.mark.clause("table.direction", "allows")
def test_play_goes_clockwise(crazy: Crazy) -> None:
    """After ann comes bea."""
    game = crazy().given_deal(2, ann="7H KD").after(draw())
    assert game.when(discard("KD"))[-1] == TurnPassed(1, None)


@pytest.mark.clause("table.direction", "refuses")
def test_clockwise_the_player_on_the_right_is_not_next(crazy: Crazy) -> None:
    """After ann's turn cyd, on her right, must wait."""
    game = crazy().given_deal(2, ann="7H KD").after(draw(), discard("KD"))
    assert game.refuses(draw(), by="cyd").rule == "turn.order"


@pytest.mark.clause("table.direction-ccw", "allows")
def test_play_goes_counter_clockwise_where_a_game_says_so(crazy: Crazy) -> None:
    """After ann comes cyd, and cyd's turn is followed by bea's."""
    game = crazy(direction="ccw").given_deal(2, ann="7H KD").after(draw())
    assert game.when(discard("KD"))[-1] == TurnPassed(2, None)
    game.after(draw())
    assert game.when(discard(game.hand("cyd").split()[0]))[-1] == TurnPassed(1, None)


@pytest.mark.clause("table.direction-ccw", "refuses")
def test_counter_clockwise_the_player_on_the_left_is_not_next(crazy: Crazy) -> None:
    """After ann's turn bea, on her left, must wait."""
    game = crazy(direction="ccw").given_deal(2, ann="7H KD").after(draw(), discard("KD"))
    assert game.refuses(draw(), by="bea").rule == "turn.order"


@pytest.mark.clause("game.start", "allows")
def test_the_game_starts_when_every_seat_is_taken(crazy: Crazy) -> None:
    """Three seats, three players: the host starts; who leaves then is replaced by a bot."""
    game = crazy()
    game.when(StartGame(), by="host")
    assert game.table.status == "playing"
    game.when(HandOverSeat(1, "plain"), by="bea")
    assert game.table.seats[1].kind == "bot"


@pytest.mark.clause("game.start", "refuses")
def test_the_game_does_not_start_with_an_empty_seat_and_nobody_joins_later(crazy: Crazy) -> None:
    """An empty seat holds the start up; after it seats are neither taken nor left, and it is not started again."""
    game = crazy()
    game.when(LeaveSeat(2), by="cyd")
    assert game.refuses(StartGame(), by="host").rule == "game.start"
    assert game.refuses(draw(), by="ann").rule == "game.start"
    game.when(TakeSeat(2, "cyd", token_hash="2" * 64), by="cyd")
    game.given_start()
    assert game.refuses(StartGame(), by="host").rule == "game.start"
    assert game.refuses(LeaveSeat(1), by="bea").rule == "game.start"
    assert game.refuses(TakeSeat(1, "dan"), by="dan").rule == "game.start"


@pytest.mark.clause("game.stakes", "allows")
def test_the_totals_alone_decide(crazy: Crazy) -> None:
    """The last deal names winners by their totals."""
    game = about_to_go_out(crazy(deal_count=2), bea="3C", cyd="4C")
    go_out(game)
    assert game.table.result == Result(winners=(0,), ranking=(0, 1, 2))


@pytest.mark.clause("game.stakes", "refuses")
def test_nobody_pays_anybody(crazy: Crazy) -> None:
    """There is no settlement."""
    game = about_to_go_out(crazy(deal_count=2), bea="3C", cyd="4C")
    go_out(game)
    assert game.table.result is not None
    assert game.table.result.settlement is None
