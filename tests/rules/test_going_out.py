"""Going out: the last card is discarded."""

import pytest
from tests.rules.support import Crazy, about_to_go_out, ended, go_out, is_over, scored

from meldlog_contracts.cards import Card, cards
from meldlog_contracts.events import CardDiscarded, DealEnded, MeldLaid
from meldlog_service.testing import all_of, discard, draw, lay, lay_off


@pytest.mark.clause("final-discard", "allows")
def test_a_player_goes_out_by_discarding_the_last_card(crazy: Crazy) -> None:
    """Seven, eight and nine are laid, the king is discarded: vector G4."""
    game = crazy().given_deal(5, ann="7S 8S KD", stock="9S").after(draw(), lay("7S 8S 9S"))
    events = game.when(discard("KD"))
    assert events[:2] == (CardDiscarded(0, Card("KD")), DealEnded("went_out", 0))
    assert game.table.outs[-1] == 0


@pytest.mark.clause("final-discard", "refuses")
def test_what_would_leave_no_card_to_discard_is_not_laid(crazy: Crazy) -> None:
    """Three cards, all of them a run: vector G3; the last two laid off; or a list of both."""
    game = crazy().given_deal(5, ann="7S 8S", stock="9S").after(draw())
    assert game.refuses(lay("7S 8S 9S")).rule == "final-discard"
    off = crazy().given_deal(2, ann="9S", table=["ann: 6S 7S 8S"], stock="TS").after(draw())
    assert off.refuses(lay_off(1, "9S TS")).rule == "final-discard"
    assert off.refuses(all_of(lay_off(1, "9S"), lay_off(1, "TS"))).rule == "final-discard"
    assert off.allows(lay_off(1, "9S"))


@pytest.mark.clause("final-discard", "refuses")
def test_a_meld_and_a_lay_off_together_do_not_leave_an_empty_hand(crazy: Crazy) -> None:
    """The meld is laid; the last card is not laid off after it."""
    game = crazy().given_deal(2, ann="QC QD 9S", table=["bea: 6S 7S 8S"], stock="QH").after(draw())
    assert game.refuses(all_of(lay("QC QD QH"), lay_off(1, "9S"))).rule == "final-discard"
    game.when(lay("QC QD QH"))
    assert game.refuses(lay_off(1, "9S")).rule == "final-discard"
    assert is_over(game.when(discard("9S")))


@pytest.mark.clause("final-discard.free", "allows")
def test_a_game_may_let_a_player_go_out_without_a_discard(crazy: Crazy) -> None:
    """By the last meld, by the last lay-off, or by a discard as ever."""
    meld = crazy(final_discard_required=False).given_deal(5, ann="7S 8S", stock="9S").after(draw())
    events = meld.when(lay("7S 8S 9S"))
    assert events[:2] == (
        MeldLaid(0, 1, "run", cards("7S 8S 9S"), cards("7S 8S 9S")),
        DealEnded("went_out", 0),
    )
    off = crazy(final_discard_required=False).given_deal(2, ann="9S", table=["ann: 6S 7S 8S"], stock="TS")
    assert ended(off.after(draw()).when(all_of(lay_off(1, "9S"), lay_off(1, "TS")))) == DealEnded(
        "went_out", 0
    )
    thrown = about_to_go_out(crazy(final_discard_required=False))
    assert go_out(thrown).points[0] == 0


@pytest.mark.clause("final-discard.free", "refuses")
def test_a_player_who_has_gone_out_does_not_play_on(crazy: Crazy) -> None:
    """The deal is over with the last card laid: a discard after it, in the same list, is refused."""
    game = crazy(final_discard_required=False).given_deal(5, ann="7S 8S", stock="9S").after(draw())
    assert game.refuses(all_of(lay("7S 8S 9S"), discard("7S"))).rule is not None
    assert not is_over(game.when(discard("7S")))


@pytest.mark.clause("discard.unless-out", "allows")
def test_a_turn_that_empties_the_hand_needs_no_discard_where_a_game_says_so(crazy: Crazy) -> None:
    """The next deal begins at once."""
    game = crazy(final_discard_required=False).given_deal(5, ann="7S 8S", stock="9S").after(draw())
    assert is_over(game.when(lay("7S 8S 9S")))
    assert game.table.deal.number == 6


@pytest.mark.clause("discard.unless-out", "refuses")
def test_a_turn_that_leaves_cards_still_ends_with_a_discard(crazy: Crazy) -> None:
    """One card is left after the meld: the turn goes on."""
    game = crazy(final_discard_required=False).given_deal(5, ann="7S 8S KD", stock="9S").after(draw())
    assert not is_over(game.when(lay("7S 8S 9S")))
    assert game.on_turn == "ann"
    assert game.refuses(draw(), by="bea").rule == "turn.order"


@pytest.mark.clause("score.out", "allows")
def test_whoever_goes_out_scores_nothing(crazy: Crazy) -> None:
    """The others pay."""
    assert go_out(about_to_go_out(crazy(), bea="3C", cyd="4C")).points == (0, 3, 4)


@pytest.mark.clause("score.out", "refuses")
def test_whoever_does_not_go_out_scores_nothing_only_with_nothing_in_hand(crazy: Crazy) -> None:
    """The stock ran out: ann, who discarded last, pays for the card that she holds."""
    game = crazy().given_deal(2, ann="KD 3C", bea="5D", cyd="4C", stock="6C |").after(draw())
    assert scored(game.when(discard("KD"))).points == (9, 5, 4)


@pytest.mark.clause("score.bonus", "allows")
def test_going_out_may_take_points_off_the_total(crazy: Crazy) -> None:
    """Forty, and fifteen for going out: twenty-five: vector G13. A total may fall below nothing."""
    game = about_to_go_out(crazy(going_out_bonus=15), bea="3C", cyd="4C", totals=(40, 0, 0))
    go_out(game)
    assert game.table.totals == (25, 3, 4)
    below = about_to_go_out(crazy(going_out_bonus=15), bea="3C", cyd="4C")
    go_out(below)
    assert below.table.totals[0] == -15


@pytest.mark.clause("score.bonus", "refuses")
def test_nobody_gets_the_bonus_when_nobody_goes_out_and_it_is_never_doubled(crazy: Crazy) -> None:
    """Not when the stock runs out; and in a deal that counts double fifteen stays fifteen."""
    game = (
        crazy(going_out_bonus=15).given_deal(2, ann="KD 3C", bea="5D", cyd="4C", stock="6C |").after(draw())
    )
    assert scored(game.when(discard("KD"))).points == (9, 5, 4)
    double = about_to_go_out(crazy(going_out_bonus=15, double_when_7_or_K_wild=True), 13, bea="3C", cyd="4C")
    assert go_out(double).points == (-15, 6, 8)


@pytest.mark.clause("score.partner", "allows")
def test_when_a_partner_goes_out_the_others_hand_does_not_count(crazy: Crazy) -> None:
    """Ann goes out: cyd's king costs nothing, bea's and dan's cards do."""
    game = about_to_go_out(crazy(seats=4, teams="pairs"), bea="3C", cyd="KH", dan="5C")
    assert go_out(game).points == (0, 8)


@pytest.mark.clause("score.partner", "refuses")
def test_when_nobody_goes_out_both_partners_hands_count(crazy: Crazy) -> None:
    """The stock ran out: both sides pay for both hands."""
    game = crazy(seats=4, teams="pairs")
    game.given_deal(2, ann="KD 3C", bea="5D", cyd="4C", dan="7H", stock="6C |").after(draw())
    assert scored(game.when(discard("KD"))).points == (3 + 6 + 4, 5 + 7)
