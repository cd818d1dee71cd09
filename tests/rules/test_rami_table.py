"""Rami's table and turn: who plays with whom, which cards, what is dealt; vectors A1 and A26."""

from typing import Any

import pytest

from meldlog_contracts.commands import NameWild
from meldlog_contracts.problems import Refused
from meldlog_service.testing import Game, Play, all_of, discard, draw, lay, lay_off, take_back

RAMI = ("rami-simple", "rami-51", "rami-71")
every_rami = pytest.mark.parametrize("variant", RAMI)
PROGRESSIVE = pytest.mark.parametrize("variant", RAMI[1:])


def refused(play: Play, variant: str, seats: int = 2, **house_rules: Any) -> list[tuple[str, str]]:
    """Pointers and reasons of the faults for which a game is not created."""
    with pytest.raises(Refused) as error:
        play(variant, seats=seats, **house_rules)
    assert error.value.code == "invalid"
    return [(fault.pointer, fault.detail) for fault in error.value.faults]


# -- the table ---------------------------------------------------------------------------------------------------------


@every_rami
@pytest.mark.clause("table.players", "allows")
@pytest.mark.clause("table.pairs", "allows")
def test_two_play_alone_and_four_two_against_two(play: Play, variant: str) -> None:
    """Partners sit opposite and share a score."""
    assert play(variant, seats=2).given_start().table.sides == 2
    four = play(variant, seats=4).given_start().table
    assert (four.sides, [four.side(seat) for seat in range(4)]) == (2, [0, 1, 0, 1])


@every_rami
@pytest.mark.clause("table.players", "refuses")
@pytest.mark.clause("table.pairs", "refuses")
@pytest.mark.parametrize(("seats", "pointer"), [(1, "/seats"), (3, "/house_rules/teams"), (5, "/seats")])
def test_no_other_number_plays(play: Play, variant: str, seats: int, pointer: str) -> None:
    """Three cannot be two sides."""
    faults = refused(play, variant, seats)
    assert [where for where, _ in faults] == [pointer]
    assert all(detail for _, detail in faults)


@every_rami
@pytest.mark.clause("table.players-alone", "allows")
def test_where_everybody_plays_alone_three_may_play(play: Play, variant: str) -> None:
    """Each is a side."""
    game = play(variant, seats=3, teams="none").given_start()
    assert game.table.sides == 3
    assert "table.players-alone" in game.sheet()


@every_rami
@pytest.mark.clause("table.players-alone", "refuses")
def test_five_never_do(play: Play, variant: str) -> None:
    """And the sentence does not stand on a sheet of pairs."""
    assert [pointer for pointer, _ in refused(play, variant, 5, teams="none")] == ["/seats"]
    assert "table.players-alone" not in play(variant, seats=2).sheet()


@pytest.mark.clause("table.two-packs", "allows")
@pytest.mark.clause("table.jokers", "allows")
@pytest.mark.clause("deal.upcard", "allows")
@pytest.mark.parametrize(
    ("variant", "cards", "jokers", "hand"),
    [
        pytest.param("rami-simple", 106, 2, 13, id="A1 Simple"),
        pytest.param("rami-51", 108, 4, 14, id="A1 51"),
        pytest.param("rami-71", 106, 2, 14, id="A1 71"),
    ],
)
@pytest.mark.parametrize("seats", [2, 4])
def test_the_pack_and_the_deal(
    play: Play, variant: str, cards: int, jokers: int, hand: int, seats: int
) -> None:
    """Vector A1; nothing is turned up."""
    game = play(variant, seats=seats).given_start()
    deal = game.table.deal
    assert (len(game.rules.pack()), game.rules.pack().count("JK")) == (cards, jokers)
    assert [len(held) for held in deal.hands] == [hand] * seats
    assert (deal.discard_pile, len(deal.stock)) == ((), cards - seats * hand)


@every_rami
@pytest.mark.clause("table.direction-ccw", "allows")
@pytest.mark.clause("table.direction-ccw", "refuses")
@pytest.mark.clause("deal.rotation", "allows")
def test_play_and_the_deal_go_to_the_right(play: Play, variant: str) -> None:
    """The starter sits on the dealer's right, and after ann comes dan; bea, on her left, waits."""
    game = play(variant, seats=4).given_start()
    assert game.table.deal.turn.seat == (game.table.deal.dealer - 1) % 4
    game = play(variant, seats=4).given_deal(1, ann="7H KD").after(draw(), discard("KD"))
    assert game.on_turn == "dan"
    assert game.refuses(draw(), by="bea").rule == "turn.order"


@every_rami
@pytest.mark.clause("draw.discard", "refuses")
@pytest.mark.clause("deal.starter-draws", "allows")
@pytest.mark.clause("deal.upcard", "refuses")
def test_the_starter_finds_no_discard_to_take(play: Play, variant: str) -> None:
    """He draws from the stock like everybody."""
    game = play(variant, seats=2).given_start()
    assert game.refuses(draw("discard")).rule == "draw.discard"
    game.when(draw())
    assert game.table.deal.turn.phase == "play"


@every_rami
def test_the_starter_may_be_dealt_a_card_more_and_begin_without_drawing(play: Play, variant: str) -> None:
    """As some tables do it: fifteen cards, and no draw."""
    house = {"extra_card_to": "left_of_dealer", "starter_first_turn": "meld_no_draw"}
    game = play(variant, seats=2, **house).given_start()
    deal = game.table.deal
    assert len(deal.hands[deal.turn.seat]) == len(deal.hands[1 - deal.turn.seat]) + 1
    assert game.refuses(draw()).rule == "deal.starter"


@every_rami
@pytest.mark.clause("wild.named-first", "allows")
@pytest.mark.clause("wild.named-first", "refuses")
def test_jokers_alone_are_wild_in_every_deal_and_nobody_names_a_rank(play: Play, variant: str) -> None:
    """In the fifth deal as in the first."""
    game = play(variant, seats=2).given_deal(5, ann="7H KD")
    assert game.table.deal.wild == ("JK",)
    assert game.refuses(NameWild("5")).rule == "wild.named-first"


@every_rami
@pytest.mark.clause("table.jokers", "refuses")
def test_without_printed_jokers_nothing_is_wild(play: Play, variant: str) -> None:
    """A five of the fifth deal is a five; the pack holds no joker."""
    game = play(variant, seats=2, printed_jokers=0).given_deal(5, ann="7H 7D 5C KD").after(draw())
    assert "JK" not in game.rules.pack()
    assert game.refuses(lay("7H 7D 5C=7")).rule == "meld.shape"


# -- the turn ----------------------------------------------------------------------------------------------------------


@every_rami
@pytest.mark.clause("discard.no-return", "allows")
@pytest.mark.clause("discard.no-return", "refuses")
@pytest.mark.clause("discard.after-free", "allows")
def test_the_discard_taken_is_kept_and_another_card_thrown(play: Play, variant: str) -> None:
    """Who has laid takes it freely, and does not throw it in the same turn."""
    table = [] if variant == "rami-simple" else ["ann: 2S 3S 4S"]
    game = (
        play(variant, seats=2).given_deal(1, ann="7H KD", table=table, discards="5C").after(draw("discard"))
    )
    assert game.refuses(discard("5C")).rule == "discard.no-return"
    game.when(discard("KD"))
    assert game.hand("ann") == "5C 7H"


@pytest.mark.clause("discard.taken-free", "allows")
def test_in_simple_the_discard_is_taken_freely(play: Play) -> None:
    """Nobody has laid anything, and nothing is asked."""
    game = play("rami-simple", seats=2).given_deal(1, ann="7H KD", discards="5C")
    game.after(draw("discard"), discard("KD"))
    assert game.hand("ann") == "5C 7H"


@every_rami
@pytest.mark.clause("wild.discarded", "allows")
def test_a_joker_may_be_discarded(play: Play, variant: str) -> None:
    """And be taken by the next player, where that is free."""
    game = play(variant, seats=2).given_deal(1, ann="7H JK", stock="9C").after(draw(), discard("JK"))
    assert game.discards.endswith("JK")


@PROGRESSIVE
@pytest.mark.clause("wild.discarded", "refuses")
@pytest.mark.clause("final-discard", "refuses")
def test_a_joker_may_be_the_last_discard_but_no_card_at_all_may_not(play: Play, variant: str) -> None:
    """Ann is out with a joker thrown; laying it off as well would leave nothing to discard."""
    game = play(variant, seats=2).given_deal(1, ann="JK", table=["ann: 2S 3S 4S"], stock="5S").after(draw())
    game.when(lay_off(1, "5S"))
    assert game.refuses(lay_off(1, "JK=6S")).rule == "final-discard"
    game.when(discard("JK"))
    assert game.table.outs == (0,)


@PROGRESSIVE
@pytest.mark.clause("final-discard", "allows")
def test_after_opening_a_player_lays_down_bit_by_bit_and_goes_out_by_discarding(
    play: Play, variant: str
) -> None:
    """Over two turns."""
    table = ["ann: 2S 3S 4S"]
    game = play(variant, seats=2).given_deal(1, ann="5S 6S KD", bea="9C 9D", table=table, stock="2H TC 3H")
    game.after(draw(), lay_off(1, "5S"), discard("KD"), draw(), discard("9C"))
    game.after(draw(), lay_off(1, "6S"), discard("2H"))
    game.after(draw(), discard("9D"), draw())
    assert game.table.outs == ()
    game.when(discard("3H"))


# -- combinations that make no sense -----------------------------------------------------------------------------------


@PROGRESSIVE
def test_a_discard_cannot_have_to_be_melded_where_the_first_lay_is_an_opening(
    play: Play, variant: str
) -> None:
    """A player could take a card that makes a meld and no opening."""
    faults = refused(play, variant, discard_take_before_meld="must_meld")
    assert [pointer for pointer, _ in faults] == ["/house_rules/discard_take_before_meld"]
    assert "opening" in faults[0][1]


@every_rami
@pytest.mark.parametrize(
    "house", [{"betting": "all_pairs"}, {"betting": "winner_only"}, {"deal_winner_cents": 5}]
)
def test_partners_do_not_bet_against_each_other(play: Play, variant: str, house: dict[str, Any]) -> None:
    """Two alone may."""
    assert [pointer for pointer, _ in refused(play, variant, 4, **house)] == ["/house_rules/betting"]
    assert play(variant, seats=2, **house).given_start().table.sides == 2


@every_rami
@pytest.mark.parametrize("option", ["dealer-chooses-wild", "joker-wild", "press", "auto-press"])
def test_options_of_games_with_wild_ranks_and_thirteen_deals_are_refused(
    play: Play, variant: str, option: str
) -> None:
    """With a reason."""
    with pytest.raises(Refused) as error:
        play(variant, option, seats=2)
    assert error.value.code == "invalid"
    assert {fault.pointer for fault in error.value.faults} == {"/options"}
    assert all(fault.detail for fault in error.value.faults)


@every_rami
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("limit_alone", 0),
        ("limit_pairs", -1),
        ("flat_penalty", 0),
        ("flat_penalty", -5),
        ("unopened_penalty", -1),
        ("rami_sec_multiplier", 3),
        ("failed_take_penalty", -1),
        ("failed_take_penalty", 1001),
        ("opening_threshold", -1),
        ("opening_threshold", 501),
        ("opening_joker_rule", "maybe"),
        ("void_deals_limit", 0),
        ("lay_mode", "sometimes"),
        ("close_required_melds", None),
    ],
)
def test_values_that_make_no_sense_are_refused_by_name(
    play: Play, variant: str, name: str, value: Any
) -> None:
    """With a pointer to the house rule."""
    assert [pointer for pointer, _ in refused(play, variant, **{name: value})] == [f"/house_rules/{name}"]


# -- lists of commands -------------------------------------------------------------------------------------------------


@PROGRESSIVE
def test_a_whole_turn_in_one_list_is_one_step(play: Play, variant: str) -> None:
    """An opening, a lay-off, an exchange and the discard; or none of it."""
    game: Game = play(variant, seats=2).given_deal(
        1,
        ann="7S 8S 9S TS KS KH KD QS QH QD 7D 2H 4C",
        table=["bea: 4D 5D 6D", "bea: TC JK=JC QC"],
        stock="JC",
    )
    game.when(draw())
    turn = (lay("7S 8S 9S TS"), lay("KS KH KD"), lay("QS QH QD"), lay_off(1, "7D"), take_back(2, "JK", "JC"))
    assert game.refuses(all_of(*turn, discard("5H"))).rule == "card.held"
    assert len(game.table.deal.melds) == 2
    game.when(all_of(*turn, discard("2H")))
    assert game.hand("ann") == "4C JK"
    assert game.on_turn == "bea"
