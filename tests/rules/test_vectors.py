"""The vectors of the rule book that belong to Crazy Rummy: M1 to M23 (melds) and G1 to G13 (play), each by its name."""

from __future__ import annotations

import pytest
from tests.rules.support import Crazy, about_to_go_out, ended, go_out, scored

from meldlog_contracts.cards import Card, cards
from meldlog_contracts.events import DealEnded
from meldlog_contracts.melds import Reading
from meldlog_contracts.table import HouseValue, Meld
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.testing import Game, discard, draw, lay, lay_off, meld_of, take_back

LOW_OR_HIGH: dict[str, HouseValue] = {"ace_in_runs": "low_or_high"}
AROUND: dict[str, HouseValue] = {"ace_in_runs": "around_corner"}
TWO_PACKS: dict[str, HouseValue] = {"packs": 2}
RUNS_OF_FOUR: dict[str, HouseValue] = {"min_run_length": 4}


def named(reading: Reading) -> str:
    """A reading as the vectors write it: ``set:8``, ``run:H:A-2-3``."""
    first = reading.reads_as[0]
    if reading.kind == "set":
        return f"set:{first[0]}"
    return f"run:{first[1]}:{'-'.join(meaning[0] for meaning in reading.reads_as)}"


def meanings(rules: Ruleset, text: str, wild: str) -> set[str]:
    """Everything that these cards could be laid as."""
    return {named(reading) for reading in rules.meanings(cards(text), (wild,))}


@pytest.mark.parametrize(
    ("text", "wild", "house", "expected"),
    [
        pytest.param("8D 8H 8C 8S", "9", {}, {"set:8"}, id="M1"),
        pytest.param("QD QH QS", "9", {}, {"set:Q"}, id="M2"),
        pytest.param("2C 3C 4C", "9", {}, {"run:C:2-3-4"}, id="M3"),
        pytest.param("TD JD QD KD", "9", {}, {"run:D:T-J-Q-K"}, id="M4"),
        pytest.param("4S 5S 6S 7S 8S", "9", {}, {"run:S:4-5-6-7-8"}, id="M5"),
        pytest.param("AH 2H 3H 4H", "9", {}, {"run:H:A-2-3-4"}, id="M6"),
        pytest.param("QH KH AH", "9", {}, set(), id="M7"),
        pytest.param("QH KH AH", "9", LOW_OR_HIGH, {"run:H:Q-K-A"}, id="M7 ace low or high"),
        pytest.param("KH AH 2H", "9", {}, set(), id="M8"),
        pytest.param("KH AH 2H", "9", LOW_OR_HIGH, set(), id="M8 ace low or high"),
        pytest.param("KH AH 2H", "9", AROUND, {"run:H:K-A-2"}, id="M8 round the corner"),
        pytest.param("7C TC TH", "7", {}, {"set:T"}, id="M9"),
        pytest.param("AH 2H 7S", "7", {}, {"run:H:A-2-3"}, id="M10"),
        pytest.param("AH 2H 7S", "7", LOW_OR_HIGH, {"run:H:A-2-3"}, id="M10 ace low or high"),
        pytest.param("5H 6H 9C", "9", {}, {"run:H:4-5-6", "run:H:5-6-7"}, id="M11"),
        pytest.param("QS QH 9S", "9", {}, {"set:Q"}, id="M14"),
        pytest.param("JD 3D 3S", "3", {}, {"set:J", "run:D:9-T-J", "run:D:T-J-Q", "run:D:J-Q-K"}, id="M15"),
        pytest.param("KC KH JC JD", "J", {}, {"set:K"}, id="M16"),
        pytest.param("KC KH JC JD", "7", {}, set(), id="M17"),
        pytest.param("KC KH JC JD JS", "J", {}, set(), id="M18"),
        pytest.param("KC KH JC JD JS", "J", TWO_PACKS, {"set:K"}, id="M18 two packs"),
        pytest.param("QD QD QH", "9", {}, set(), id="M19"),
        pytest.param("QD QD QH", "9", TWO_PACKS, {"set:Q"}, id="M19 two packs"),
        pytest.param("5C 6C 7C", "9", RUNS_OF_FOUR, set(), id="M20"),
        pytest.param("5C 6C 7C 8C", "9", RUNS_OF_FOUR, {"run:C:5-6-7-8"}, id="M20 four cards"),
        pytest.param("9C TC JC", "9", {}, {"run:C:9-T-J", "run:C:T-J-Q"}, id="M21"),
    ],
)
def test_what_cards_could_be(
    crazy: Crazy, text: str, wild: str, house: dict[str, HouseValue], expected: set[str]
) -> None:
    """All meanings, and no others."""
    assert meanings(crazy(**house).rules, text, wild) == expected


def on_table(text: str) -> Meld:
    """A run on the table."""
    lying, reads_as = meld_of(text)
    return Meld(1, "run", 0, lying, reads_as, (0,) * len(lying), len(lying))


@pytest.mark.parametrize(
    ("text", "added", "freed_by"),
    [
        pytest.param("5H 6H 9C=7H", {"8H": True, "4H": True, "3H": False, "7H": False}, "7H", id="M12"),
        pytest.param("9C=4H 5H 6H", {"3H": True, "7H": True, "8H": False, "4H": False}, "4H", id="M13"),
    ],
)
def test_what_may_be_added_to_a_run_with_a_wild(
    crazy: Crazy, text: str, added: dict[str, bool], freed_by: str
) -> None:
    """Its two neighbours; the card that the wild stands for is no lay-off, but frees it."""
    rules, meld = crazy().rules, on_table(text)
    for card, fits in added.items():
        assert bool(rules.additions(meld, (Card(card),), ("9",))) is fits, card
        assert bool(rules.exchanges(meld, Card(card), ("9",))) is (card == freed_by), card


def test_m14_the_wild_of_a_set_has_no_suit(crazy: Crazy) -> None:
    """Clubs or diamonds are laid off or exchanged."""
    for card in ("QC", "QD"):
        game = crazy().given_deal(9, ann=f"QS QH 9S {card} KD").after(draw(), lay("QS QH 9S"))
        assert game.melds == ["QH QS 9S=Q"]
        assert game.allows(lay_off(1, card))
        assert game.allows(take_back(1, "9S", card))


def test_m15_without_a_declaration_it_is_refused(crazy: Crazy) -> None:
    """Four meanings: the player says which."""
    game = crazy().given_deal(3, ann="JD 3D 3S KD").after(draw())
    assert game.refuses(lay("JD 3D 3S")).rule == "meld.declare"
    for text in ("JD 3D=J 3S=J", "3D=9D 3S=TD JD", "3D=TD JD 3S=QD", "JD 3D=QD 3S=KD"):
        assert game.allows(lay(text))


def test_m16_a_set_of_four_with_two_wilds_takes_an_exchange_and_no_lay_off(crazy: Crazy) -> None:
    """The kings of spades and diamonds."""
    for card in ("KS", "KD"):
        game = crazy().given_deal(11, ann=f"{card} 2D", table=["ann: KC KH JC=K JD=K"]).after(draw())
        assert game.refuses(lay_off(1, card)).rule == "layoff.fits"
        assert game.allows(take_back(1, "JC", card))
        assert game.allows(take_back(1, "JD", card))


def test_m21_a_nine_in_its_own_place_is_natural(crazy: Crazy) -> None:
    """It cannot be exchanged."""
    game = crazy().given_deal(9, ann="KD 2H", table=["ann: 9C TC JC"]).after(draw())
    assert game.refuses(take_back(1, "9C", "KD")).rule == "reclaim.wild"


def test_m22_a_fourth_queen_makes_the_set_full(crazy: Crazy) -> None:
    """The diamonds come in by exchange only."""
    game = crazy().given_deal(9, ann="QC QD 2H", table=["ann: QS QH 9S=Q"]).after(draw(), lay_off(1, "QC"))
    assert game.melds == ["QH QS 9S=Q QC"]
    assert game.refuses(lay_off(1, "QD")).rule == "layoff.fits"
    assert game.allows(take_back(1, "9S", "QD"))


def test_m23_three_wilds_may_be_a_set_of_kings(crazy: Crazy) -> None:
    """Declared."""
    game = crazy().given_deal(9, ann="9C 9D 9H 2H").after(draw(), lay("9C=K 9D=K 9H=K"))
    assert game.melds == ["9C=K 9D=K 9H=K"]


# -- play --------------------------------------------------------------------------------------------------------------


def test_g1_the_starter_has_eight_cards_and_does_not_draw(crazy: Crazy) -> None:
    """A meld is allowed, and the discard ends the turn; seven are left if nothing was melded."""
    game = crazy().given_deal(2, first_turn=True, ann="8C 8D 8H 4H 6D 7S JH KD")
    assert game.refuses(draw()).rule == "deal.starter"
    assert game.allows(lay("8C 8D 8H"))
    game.when(discard("KD"))
    assert (len(game.table.hand(0)), game.on_turn) == (7, "bea")


def test_g2_a_lay_off_needs_a_meld_of_ones_own(crazy: Crazy) -> None:
    """Refused before the new meld, accepted after it in the same turn."""
    game = crazy().given_deal(2, ann="8C QC QD QH KD", table=["bea: 5C 6C 7C"]).after(draw())
    assert game.refuses(lay_off(1, "8C")).rule == "layoff.own-meld"
    game.after(lay("QC QD QH"), lay_off(1, "8C"))


def test_g3_a_meld_of_the_whole_hand_is_refused(crazy: Crazy) -> None:
    """7S 8S 9S after the draw: no card would be left."""
    game = crazy().given_deal(5, ann="7S 8S", stock="9S").after(draw())
    assert game.refuses(lay("7S 8S 9S")).rule == "final-discard"


def test_g4_with_one_card_more_the_player_goes_out(crazy: Crazy) -> None:
    """7S 8S 9S and KD."""
    game = crazy().given_deal(5, ann="7S 8S 9S", stock="KD").after(draw(), lay("7S 8S 9S"))
    assert ended(game.when(discard("KD"))) == DealEnded("went_out", 0)


def test_g5_with_one_card_the_discard_is_not_taken(crazy: Crazy) -> None:
    """At the start of the turn."""
    game = crazy().given_deal(5, ann="KD", table=["ann: 2S 3S 4S"])
    assert game.refuses(draw("discard")).rule == "one-card.stock"


def one_card_left(crazy: Crazy, held: str, drawn: str) -> Game:
    """Ann has one card, draws another; three queens lie on the table, not all four."""
    table = ["ann: 2S 3S 4S", "bea: QS QH QD"]
    return crazy().given_deal(9, ann=held, table=table, stock=drawn).after(draw())


def test_g6_with_one_card_a_player_goes_out_or_keeps_what_was_drawn(crazy: Crazy) -> None:
    """QC laid off and 2H discarded; or QC discarded and 2H kept; never 2H discarded and QC kept."""
    out = one_card_left(crazy, "QC", "2H").after(lay_off(2, "QC"))
    assert ended(out.when(discard("2H"))) == DealEnded("went_out", 0)
    kept = one_card_left(crazy, "QC", "2H")
    assert kept.refuses(discard("2H")).rule == "one-card.keep"
    kept.when(discard("QC"))
    assert kept.hand("ann") == "2H"


def test_g7_the_drawn_card_may_be_the_one_laid_off(crazy: Crazy) -> None:
    """2H was held, QC is drawn."""
    game = one_card_left(crazy, "2H", "QC").after(lay_off(2, "QC"))
    assert ended(game.when(discard("2H"))) == DealEnded("went_out", 0)


def test_g8_a_wild_is_parked_and_fetched_back_to_go_out(crazy: Crazy) -> None:
    """9D=5C 6C 7C is laid and 5C kept; later 5C frees the nine, which goes on as 4C or 8C."""
    for end in ("4C", "8C"):
        game = crazy(seats=2).given_deal(9, ann="5C 6C 7C 9D", bea="3H 3D", stock="KH 5S JD")
        game.after(draw(), lay("9D=5C 6C 7C"), discard("KH"), draw(), discard("3H"))
        assert game.hand("ann") == "5C"
        game.after(draw(), take_back(1, "9D", "5C"), lay_off(1, f"9D={end}"))
        assert ended(game.when(discard("JD"))) == DealEnded("went_out", 0)


def test_g9_an_exchange_needs_a_meld_of_ones_own(crazy: Crazy) -> None:
    """Refused before, accepted after."""
    game = crazy().given_deal(9, ann="7H QC QD QH KD", table=["bea: 5H 6H 9C=7H"]).after(draw())
    assert game.refuses(take_back(1, "9C", "7H")).rule == "reclaim.who"
    game.after(lay("QC QD QH"), take_back(1, "9C", "7H"))


def test_g10_the_last_card_of_the_stock_ends_the_deal(crazy: Crazy) -> None:
    """After the discard all score."""
    game = crazy().given_deal(2, ann="8C KD", bea="3C", cyd="4C", stock="8H |").after(draw())
    assert scored(game.when(discard("KD"))).points == (16, 3, 4)


def test_g11_the_king_of_hearts_for_the_wild_among_the_kings(crazy: Crazy) -> None:
    """The wild goes to the hand of whoever has melded."""
    game = crazy().given_deal(9, ann="KH 2D", table=["bea: KS KC 9D=K", "ann: 2S 3S 4S"]).after(draw())
    game.when(take_back(1, "9D", "KH"))
    assert "9D" in game.hand("ann")


@pytest.mark.parametrize(
    ("number", "house", "points"),
    [
        pytest.param(9, {}, 53, id="G12"),
        pytest.param(9, {"court_values": "11_12_13"}, 56, id="G12 court cards 11, 12, 13"),
        pytest.param(9, {"wild_penalty": 15}, 43, id="G12 wild 15"),
        pytest.param(9, {"wild_penalty": 20}, 48, id="G12 wild 20"),
    ],
)
def test_what_a_hand_counts(crazy: Crazy, number: int, house: dict[str, HouseValue], points: int) -> None:
    """9S AC TD KH 7C, with nines wild."""
    game = crazy(**house).given_deal(number)
    assert sum(game.rules.points(card, game.table) for card in cards("9S AC TD KH 7C")) == points


def test_g12_doubled(crazy: Crazy) -> None:
    """When sevens are wild, 7S AC TD KH 6C AH count 53, and doubled 106."""
    game = crazy(double_when_7_or_K_wild=True).given_deal(
        7, ann="KC 3D", bea="7S AC TD KH 6C AH", stock="4D |"
    )
    assert scored(game.after(draw()).when(discard("KC"))).points[1] == 106


def test_g13_fifteen_for_going_out_are_taken_off(crazy: Crazy) -> None:
    """Forty becomes twenty-five, not forty fifteenths."""
    game = about_to_go_out(crazy(going_out_bonus=15), totals=(40, 0, 0))
    go_out(game)
    assert game.table.totals[0] == 25
