"""Treize Brasses: thirteen cards from two packs, runs of four, and discards that are taken only to be melded."""

from __future__ import annotations

from functools import partial

import pytest
from tests.rules.support import Crazy, ended, scored

from meldlog_contracts.cards import RANKS, cards
from meldlog_contracts.events import DealEnded
from meldlog_contracts.problems import Refused
from meldlog_service.testing import Play, discard, draw, lay, lay_off, take_back

OWN = "ann: 5S 6S 7S 8S"


@pytest.fixture
def treize(play: Play) -> Crazy:
    """Treize Brasses, with these house rules."""
    return partial(play, "treize-brasses")


# -- the table ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("table.players", "allows")
@pytest.mark.clause("deal.cards", "allows")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7])
def test_two_to_seven_players_are_dealt_thirteen_cards_each(treize: Crazy, seats: int) -> None:
    """The starter a fourteenth; seven players leave twelve of the 104 cards."""
    game = treize(seats=seats).given_start()
    assert sorted(len(hand) for hand in game.table.deal.hands) == [13] * (seats - 1) + [14]
    assert len(game.table.hand(game.table.deal.starter)) == 14
    assert len(game.stock) == 104 - 13 * seats - 1


@pytest.mark.clause("table.players", "refuses")
@pytest.mark.parametrize("seats", [1, 8])
def test_neither_one_nor_eight_may_play(treize: Crazy, seats: int) -> None:
    """Eight times thirteen is every card there is."""
    with pytest.raises(Refused) as refused:
        treize(seats=seats)
    assert [fault.pointer for fault in refused.value.faults] == ["/seats"]


def test_one_pack_is_not_enough_for_four(treize: Crazy) -> None:
    """Three players get by with it; the game for more is refused."""
    assert len(treize(seats=3, packs=1).given_start().stock) == 12
    with pytest.raises(Refused) as refused:
        treize(seats=4, packs=1)
    assert refused.value.code == "invalid"
    assert all(fault.pointer.startswith("/house_rules/") for fault in refused.value.faults)


@pytest.mark.clause("table.two-packs", "allows")
def test_the_pack_holds_every_card_twice_and_no_joker(treize: Crazy) -> None:
    """A hundred and four."""
    pack = treize().rules.pack()
    assert len(pack) == 104
    assert {pack.count(card) for card in pack} == {2}


@pytest.mark.clause("game.deals", "allows")
def test_there_are_thirteen_brasses(treize: Crazy) -> None:
    """One for each wild rank, as the name says."""
    game = treize().given_deal(13, ann="KD 3C", stock="9D |").after(draw())
    assert "".join(rank for (rank,) in game.table.wilds) == RANKS
    game.when(discard("KD"))
    assert game.table.status == "finished"
    assert "brasses" in game.sheet()["game.deals"]


@pytest.mark.clause("game.deals", "refuses")
def test_after_twelve_brasses_a_thirteenth_is_dealt(treize: Crazy) -> None:
    """With kings wild."""
    game = treize().given_deal(12, ann="KD 3C", stock="9D |").after(draw(), discard("KD"))
    assert (game.table.status, game.table.deal.wild) == ("playing", ("K",))


# -- melds -------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("run.length", "allows")
def test_a_run_has_four_cards_at_least(treize: Crazy) -> None:
    """5C 6C 7C 8C; a wild may be one of them: vector M20."""
    game = treize().given_deal(9, ann="5C 6C 7C 8C TH JH 9D KH 2D", stock="3S").after(draw())
    game.after(lay("5C 6C 7C 8C"), lay("TH JH 9D=QH KH"))
    assert game.melds == ["5C 6C 7C 8C", "TH JH 9D=QH KH"]


@pytest.mark.clause("run.length", "refuses")
def test_three_cards_are_no_run(treize: Crazy) -> None:
    """5C 6C 7C, also with a wild: vector M20; three of a rank are a set."""
    game = treize().given_deal(9, ann="5C 6C 7C 9D QC QD QH 2D", stock="3S").after(draw())
    assert game.refuses(lay("5C 6C 7C")).rule == "meld.shape"
    assert game.refuses(lay("5C 6C 9D=7C")).rule == "meld.shape"
    game.when(lay("QC QD QH"))


@pytest.mark.clause("set.size-two-packs", "allows")
@pytest.mark.clause("set.identical", "allows")
def test_a_set_may_hold_both_copies_and_eight_cards(treize: Crazy) -> None:
    """Two queens of diamonds; all eight fives."""
    game = treize().given_deal(9, ann="QD QD QH 5C 5C 5D 5D 5H 5H 5S 5S 2D", stock="3S").after(draw())
    game.after(lay("QD QD QH"), lay("5C 5C 5D 5D 5H 5H 5S 5S"))
    assert len(game.table.deal.melds[1].cards) == 8


@pytest.mark.clause("set.size-two-packs", "refuses")
def test_a_set_of_eight_takes_no_ninth_card(treize: Crazy) -> None:
    """A wild does not fit any more."""
    game = (
        treize().given_deal(9, ann="9D 2D", table=["ann: 5C 5C 5D 5D 5H 5H 5S 5S"], stock="3S").after(draw())
    )
    assert game.refuses(lay_off(1, "9D=5")).rule == "layoff.fits"


@pytest.mark.clause("reclaim.set-any", "allows")
def test_any_natural_of_the_rank_frees_the_wild_of_a_set(treize: Crazy) -> None:
    """Also the copy of one that lies there."""
    game = treize().given_deal(9, ann="QS KD", table=["ann: QS QH 9D=Q"], stock="3S").after(draw())
    game.when(take_back(1, "9D", "QS"))
    assert game.melds == ["QS QH QS"] or game.melds[0].split().count("QS") == 2


@pytest.mark.clause("reclaim.set-any", "refuses")
def test_a_card_of_another_rank_or_a_wild_frees_none(treize: Crazy) -> None:
    """A king is no queen; the other nine is a wild itself."""
    game = treize().given_deal(9, ann="KD 9H", table=["ann: QS QH 9D=Q"], stock="3S").after(draw())
    assert game.refuses(take_back(1, "9D", "KD")).rule == "reclaim.fits"
    assert game.refuses(take_back(1, "9D", "9H")).rule == "reclaim.natural"


# -- discards ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("discard.taken-meld", "allows")
def test_whoever_takes_a_discard_melds_it_in_the_same_turn(treize: Crazy) -> None:
    """The third queen: she lies in a set, and the turn ends."""
    game = treize().given_deal(5, ann="QC QD KH 2H", discards="3H QH").after(draw("discard"), lay("QC QD QH"))
    game.when(discard("KH"))
    assert game.hand("ann") == "2H"


@pytest.mark.clause("discard.taken-meld", "refuses")
def test_a_discard_that_fits_nothing_is_not_taken_and_one_taken_is_not_kept(treize: Crazy) -> None:
    """A seven beside two queens; and the turn does not end while the third queen is in hand."""
    game = treize().given_deal(5, ann="QC QD KH 2H", discards="3H 7H")
    assert game.refuses(draw("discard")).rule == "discard.use"
    game = treize().given_deal(5, ann="QC QD KH 2H", discards="3H QH").after(draw("discard"))
    for card in ("KH", "QC", "QH"):
        assert game.refuses(discard(card)).rule == "discard.use"


@pytest.mark.clause("discard.return", "allows")
def test_a_card_from_the_stock_may_be_thrown_at_once(treize: Crazy) -> None:
    """The ten just drawn; the sheet speaks of the stock alone."""
    game = treize().given_deal(5, ann="QC QD KH 2H", stock="TC").after(draw(), discard("TC"))
    assert game.discards.endswith("TC")
    assert "discard pile" not in game.sheet()["discard.return"]


@pytest.mark.clause("discard.return", "refuses")
def test_a_discard_just_taken_is_not_thrown_back(treize: Crazy) -> None:
    """The queen must be melded; with a second one in hand one is melded and the other may be thrown."""
    game = treize().given_deal(5, ann="QC QD KH 2H", discards="3H QH").after(draw("discard"))
    assert game.refuses(discard("QH")).rule == "discard.use"
    twin = treize().given_deal(5, ann="QC QD QH 2H", discards="3H QH").after(draw("discard"), lay("QC QD QH"))
    twin.when(discard("QH"))
    assert twin.hand("ann") == "2H"


# -- going out and scoring ---------------------------------------------------------------------------------------------


def test_a_player_goes_out_with_the_discard_taken_in_a_meld(treize: Crazy) -> None:
    """The nine of spades continues ann's run, and her last card is thrown."""
    game = treize().given_deal(5, ann="TS KH", table=[OWN], discards="3H 9S").after(draw("discard"))
    game.when(lay_off(1, "9S TS"))
    assert ended(game.when(discard("KH"))) == DealEnded("went_out", 0)


def test_a_player_with_one_card_draws_from_the_stock_here_as_well(treize: Crazy) -> None:
    """Though the nine of spades would fit."""
    game = treize().given_deal(5, ann="KH", table=[OWN], discards="3H 9S")
    assert game.refuses(draw("discard")).rule == "one-card.stock"


def test_g18_what_a_hand_counts(treize: Crazy) -> None:
    """A K Q J 7 and a wild: 1, 13, 12, 11, 7 and 25."""
    game = treize().given_deal(5, ann="KD 3C", bea="AC KC QC JC 7C 5C", stock="9D |")
    assert scored(game.after(draw()).when(discard("KD"))).points[1] == 69


@pytest.mark.clause("score.court-11-12-13", "allows")
@pytest.mark.clause("score.ace", "allows")
def test_court_cards_count_eleven_to_thirteen_and_aces_one(treize: Crazy) -> None:
    """In the fifth deal; both copies count."""
    game = treize().given_deal(5)
    assert [game.rules.points(card, game.table) for card in cards("JC QD KH AS TS 2C")] == [
        11,
        12,
        13,
        1,
        10,
        2,
    ]


def test_everything_else_is_as_in_crazy_rummy(play: Play, treize: Crazy) -> None:
    """The house rules differ in six."""
    own, base = treize().table.house_rules, play("crazy-rummy").table.house_rules
    differs = {name for name in own if name in base and own[name] != base[name]}
    taken = {"discard_take_before_meld", "discard_take_after_meld"}
    assert differs == {"hand_size", "packs", "min_run_length", "court_values"} | taken
    assert own.keys() == base.keys()
