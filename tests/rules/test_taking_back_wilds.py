"""Taking back wilds: the natural card for the wild that stands in its place."""

import pytest
from tests.rules.support import Crazy

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import PlayCommand
from meldlog_contracts.events import WildReclaimed
from meldlog_service.testing import all_of, discard, draw, lay, lay_off, take_back

OWN = "ann: 2S 3S 4S"
"""A meld of ann's own, out of the way."""


# -- who and when ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("reclaim.who", "allows")
def test_whoever_has_laid_a_meld_takes_back_a_wild_from_anybodys(crazy: Crazy) -> None:
    """From bea's run, with a meld of an earlier turn or of this one: vectors G9 and G11."""
    table = ["bea: 5H 6H 9C=7H"]
    before = crazy().given_deal(9, ann="7H KD", table=[*table, OWN]).after(draw())
    assert before.when(take_back(1, "9C", "7H")) == (WildReclaimed(0, 1, Card("7H"), Card("9C"), Card("7H")),)
    now = crazy().given_deal(9, ann="7H KD 2S 3S 4S", table=table).after(draw(), lay("2S 3S 4S"))
    now.when(take_back(1, "9C", "7H"))
    assert now.melds[0] == "5H 6H 7H"
    assert "9C" in now.hand("ann")


@pytest.mark.clause("reclaim.who", "refuses")
def test_a_player_without_a_meld_takes_back_nothing(crazy: Crazy) -> None:
    """Ann holds the seven and has laid nothing: vector G9."""
    game = crazy().given_deal(9, ann="7H 8D KD", table=["bea: 5H 6H 9C=7H"]).after(draw())
    assert game.refuses(take_back(1, "9C", "7H")).rule == "reclaim.who"


@pytest.mark.clause("reclaim.when", "allows")
def test_a_wild_is_taken_back_after_the_draw(crazy: Crazy) -> None:
    """Also with the card just drawn; and by a starter, who does not draw, after melding."""
    drawn = crazy().given_deal(9, ann="8D KD", table=["bea: 5H 6H 9C=7H", OWN], stock="7H")
    drawn.after(draw(), take_back(1, "9C", "7H"))
    assert drawn.melds[0] == "5H 6H 7H"
    starter = crazy().given_deal(9, first_turn=True, ann="5H 6H 7H 9C KD 2C")
    starter.after(lay("5H 6H 9C=7H"), take_back(1, "9C", "7H"))
    assert starter.melds == ["5H 6H 7H"]


@pytest.mark.clause("reclaim.when", "refuses")
def test_no_wild_is_taken_back_before_the_draw_nor_in_anothers_turn(crazy: Crazy) -> None:
    """Ann must draw first, and bea must wait."""
    game = crazy().given_deal(9, ann="7H KD", bea="7S 8S", table=["bea: 5H 6H 9C=7H", OWN])
    assert game.refuses(take_back(1, "9C", "7H")).rule == "turn.draw-first"
    assert game.refuses(take_back(1, "9C", "7H"), by="bea").rule == "turn.order"


@pytest.mark.clause("reclaim.off", "allows")
def test_a_game_may_leave_wilds_where_they_lie(crazy: Crazy) -> None:
    """Laying off is as ever."""
    game = crazy(wild_reclaim=False).given_deal(9, ann="8H KD", table=["ann: 5H 6H 9C=7H"])
    game.after(draw(), lay_off(1, "8H"))
    assert game.melds == ["5H 6H 9C=7H 8H"]


@pytest.mark.clause("reclaim.off", "refuses")
def test_where_wilds_are_not_taken_back_nobody_takes_one(crazy: Crazy) -> None:
    """The seven of hearts frees nothing."""
    game = crazy(wild_reclaim=False).given_deal(9, ann="7H KD", table=["ann: 5H 6H 9C=7H"]).after(draw())
    assert game.refuses(take_back(1, "9C", "7H")).rule == "reclaim.off"


# -- for which card ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("reclaim.run", "allows")
@pytest.mark.clause("reclaim.fits", "allows")
def test_in_a_run_the_card_that_the_wild_stands_for_frees_it(crazy: Crazy) -> None:
    """Each of two wilds by its own card, though both are nines."""
    game = crazy().given_deal(9, ann="7H 8H KD", table=["ann: 5H 6H 9C=7H 9D=8H"]).after(draw())
    game.when(take_back(1, "9D", "8H"))
    assert game.melds == ["5H 6H 9C=7H 8H"]
    game.when(take_back(1, "9C", "7H"))
    assert game.melds == ["5H 6H 7H 8H"]


@pytest.mark.clause("reclaim.run", "refuses")
@pytest.mark.clause("reclaim.fits", "refuses")
@pytest.mark.parametrize("card", ["8H", "4H", "7D", "3H"])
def test_in_a_run_no_other_card_frees_a_wild(crazy: Crazy, card: str) -> None:
    """A neighbour, the rank in another suit, any other card."""
    game = crazy().given_deal(9, ann=f"{card} KD", table=["ann: 5H 6H 9C=7H"]).after(draw())
    assert game.refuses(take_back(1, "9C", card)).rule == "reclaim.fits"


@pytest.mark.clause("reclaim.run", "refuses")
def test_a_card_frees_the_wild_that_stands_for_it_and_not_the_one_beside_it(crazy: Crazy) -> None:
    """The seven is not given for the nine of diamonds, which stands for the eight."""
    game = crazy().given_deal(9, ann="7H KD", table=["ann: 5H 6H 9C=7H 9D=8H"]).after(draw())
    assert game.refuses(take_back(1, "9D", "7H")).rule == "reclaim.fits"


@pytest.mark.clause("reclaim.set", "allows")
@pytest.mark.clause("reclaim.set-missing", "allows")
@pytest.mark.parametrize("house", [{}, {"packs": 2, "set_reclaim": "any_missing_suit"}])
@pytest.mark.parametrize("card", ["QC", "QD"])
def test_in_a_set_any_missing_suit_frees_a_wild(crazy: Crazy, house: dict[str, int], card: str) -> None:
    """Queens of spades and hearts lie there: clubs or diamonds will do, since no suit was named."""
    game = crazy(**house).given_deal(9, ann=f"{card} KD", table=["ann: QS QH 9S=Q"]).after(draw())
    game.when(take_back(1, "9S", card))
    assert set(game.melds[0].split()) == {"QS", "QH", card}


@pytest.mark.clause("reclaim.set", "refuses")
def test_in_a_set_a_card_of_another_rank_frees_nothing(crazy: Crazy) -> None:
    """A king for a wild that stands for a queen."""
    game = crazy().given_deal(9, ann="KD 3C", table=["ann: QS QH 9S=Q"]).after(draw())
    assert game.refuses(take_back(1, "9S", "KD")).rule == "reclaim.fits"


@pytest.mark.clause("reclaim.set-missing", "refuses")
@pytest.mark.parametrize("house", [{"set_reclaim": "any_missing_suit"}, {"set_identical_cards": False}])
def test_a_suit_that_lies_in_the_set_frees_nothing(crazy: Crazy, house: dict[str, object]) -> None:
    """With two packs the other queen of spades could be given, were it not for the rule."""
    game = crazy(packs=2, **house).given_deal(9, ann="QS 3C", table=["ann: QS QH 9S=Q"]).after(draw())
    assert game.refuses(take_back(1, "9S", "QS")).rule == "reclaim.fits"


@pytest.mark.clause("reclaim.set-any", "allows")
@pytest.mark.parametrize("house", [{}, {"set_reclaim": "any_same_rank"}])
@pytest.mark.parametrize("card", ["QS", "QC"])
def test_with_two_packs_any_card_of_the_rank_frees_a_wild(
    crazy: Crazy, house: dict[str, str], card: str
) -> None:
    """The other queen of spades as well as one of a suit that is missing."""
    game = crazy(packs=2, **house).given_deal(9, ann=f"{card} KD", table=["ann: QS QH 9S=Q"]).after(draw())
    game.when(take_back(1, "9S", card))
    assert sorted(game.melds[0].split()) == sorted(["QS", "QH", card])


@pytest.mark.clause("reclaim.set-any", "refuses")
def test_any_suit_is_not_any_rank_and_does_not_break_the_set(crazy: Crazy) -> None:
    """A king is refused, and with one pack there is no second queen of spades to give."""
    game = crazy(packs=2).given_deal(9, ann="KD 3C", table=["ann: QS QH 9S=Q"]).after(draw())
    assert game.refuses(take_back(1, "9S", "KD")).rule == "reclaim.fits"
    one = (
        crazy(set_reclaim="any_same_rank").given_deal(9, ann="3C KD", table=["ann: QS QH 9S=Q"]).after(draw())
    )
    assert one.refuses(take_back(1, "9S", "QS")).rule == "card.held"


@pytest.mark.clause("reclaim.set-fourth", "allows")
def test_a_game_may_free_only_the_fourth_card_of_a_set(crazy: Crazy) -> None:
    """Three sixes and a wild: the missing six frees it."""
    game = crazy(set_reclaim="fourth_card_only").given_deal(9, ann="6C KD", table=["ann: 6S 6H 6D 9C=6"])
    game.after(draw(), take_back(1, "9C", "6C"))
    assert sorted(game.melds[0].split()) == ["6C", "6D", "6H", "6S"]


@pytest.mark.clause("reclaim.set-fourth", "refuses")
def test_a_wild_that_is_the_third_card_of_a_set_stays_where_only_the_fourth_is_freed(crazy: Crazy) -> None:
    """Two sixes and a wild: a six is only added. With two wilds in four cards none is freed either."""
    game = crazy(set_reclaim="fourth_card_only").given_deal(9, ann="6C KD", table=["ann: 6S 6D 9C=6"])
    game.when(draw())
    assert game.refuses(take_back(1, "9C", "6C")).rule == "reclaim.fits"
    game.when(lay_off(1, "6C"))
    two = crazy(set_reclaim="fourth_card_only").given_deal(9, ann="6C KD", table=["ann: 6S 6D 9C=6 9D=6"])
    assert two.after(draw()).refuses(take_back(1, "9C", "6C")).rule == "reclaim.fits"


@pytest.mark.clause("reclaim.set-grown", "allows")
def test_a_set_laid_with_four_cards_gives_up_its_wild(crazy: Crazy) -> None:
    """It was the fourth card from the beginning."""
    house = {"set_reclaim": "fourth_card_only", "joker_set_swap": "by_history"}
    game = crazy(**house).given_deal(9, ann="6C KD", table=["ann: 6S 6H 6D 9C=6"]).after(draw())
    game.when(take_back(1, "9C", "6C"))
    assert "9C" in game.hand("ann")


@pytest.mark.clause("reclaim.set-grown", "refuses")
def test_a_set_completed_later_keeps_its_wild_where_its_history_counts(crazy: Crazy) -> None:
    """Two sixes and a wild, a third six added: by history closed for ever, by content freed."""
    for swap, freed in (("by_history", False), ("by_content", True)):
        game = crazy(set_reclaim="fourth_card_only", joker_set_swap=swap)
        game.given_deal(9, ann="6C 6H KD 3S", table=["ann: 6S 6D 9C=6"]).after(draw(), lay_off(1, "6H"))
        assert game.allows(take_back(1, "9C", "6C")) is freed


@pytest.mark.clause("reclaim.set-limit", "allows")
def test_a_set_with_no_more_wilds_than_the_limit_gives_one_up(crazy: Crazy) -> None:
    """Two wilds, where two are the limit."""
    game = crazy(set_swap_max_wilds=2).given_deal(9, ann="6C KD", table=["ann: 6S 6D 9C=6 9D=6"])
    game.after(draw(), take_back(1, "9D", "6C"))
    assert "9D" in game.hand("ann")


@pytest.mark.clause("reclaim.set-limit", "refuses")
def test_a_set_with_more_wilds_than_the_limit_gives_none_up(crazy: Crazy) -> None:
    """Two wilds, where one is the limit."""
    game = (
        crazy(set_swap_max_wilds=1).given_deal(9, ann="6C KD", table=["ann: 6S 6D 9C=6 9D=6"]).after(draw())
    )
    assert game.refuses(take_back(1, "9D", "6C")).rule == "reclaim.fits"


@pytest.mark.clause("reclaim.natural", "allows")
def test_a_natural_card_frees_a_wild(crazy: Crazy) -> None:
    """The king of hearts for the wild among the kings: vector G11."""
    game = (
        crazy().given_deal(9, ann="KH 3C", table=["ann: KS KC 9H=K"]).after(draw(), take_back(1, "9H", "KH"))
    )
    assert sorted(game.melds[0].split()) == ["KC", "KH", "KS"]


@pytest.mark.clause("reclaim.natural", "refuses")
def test_a_wild_is_not_given_for_a_wild(crazy: Crazy) -> None:
    """Not in a set, and not where the wild stands for a card of the wild rank itself."""
    game = crazy().given_deal(9, ann="9D 9S 3C", table=["ann: KS KC 9H=K", "ann: 7S 8S 9C=9S"]).after(draw())
    assert game.refuses(take_back(1, "9H", "9D")).rule == "reclaim.natural"
    assert game.refuses(take_back(2, "9C", "9S")).rule == "reclaim.natural"


@pytest.mark.clause("reclaim.wild", "allows")
def test_a_wild_that_stands_for_another_card_is_taken_back_even_beside_one_that_is_itself(
    crazy: Crazy,
) -> None:
    """9C is itself in 9C TC 9D=JC; 9D is not."""
    game = crazy().given_deal(9, ann="JC 3C", table=["ann: 9C TC 9D=JC"]).after(draw())
    game.when(take_back(1, "9D", "JC"))
    assert game.melds == ["9C TC JC"]


@pytest.mark.clause("reclaim.wild", "refuses")
def test_what_stands_for_itself_or_is_not_there_is_not_taken_back(crazy: Crazy) -> None:
    """A natural card, a wild in its own place, a wild of another meld."""
    game = crazy().given_deal(9, ann="JC 7H 3C", table=["ann: 9C TC 9D=JC", "ann: 5H 6H 9H=7H"]).after(draw())
    assert game.refuses(take_back(1, "TC", "JC")).rule == "reclaim.wild"
    assert game.refuses(take_back(1, "9C", "JC")).rule == "reclaim.wild"
    assert game.refuses(take_back(1, "9H", "7H")).rule == "reclaim.wild"


# -- and then ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("reclaim.place", "allows")
def test_the_natural_card_takes_the_place_of_the_wild(crazy: Crazy) -> None:
    """In the middle of a run the order stays; the meld belongs to whoever laid it."""
    game = crazy().given_deal(9, ann="6H KD", table=["bea: 4H 5H 9C=6H 7H 8H", OWN]).after(draw())
    game.when(take_back(1, "9C", "6H"))
    assert game.melds[0] == "4H 5H 6H 7H 8H"
    assert game.table.deal.melds[0].owner == 1


@pytest.mark.clause("reclaim.place", "refuses")
def test_an_exchange_makes_no_meld_longer(crazy: Crazy) -> None:
    """A set of three stays one of three, and the hand keeps its size."""
    game = crazy().given_deal(9, ann="QC KD", table=["ann: QS QH 9S=Q"]).after(draw())
    held = len(game.table.hand(0))
    game.when(take_back(1, "9S", "QC"))
    assert (len(game.table.deal.melds[0].cards), len(game.table.hand(0))) == (3, held)


@pytest.mark.clause("reclaim.free-use", "allows")
@pytest.mark.parametrize("use", ["meld", "lay off", "keep", "discard"])
def test_a_wild_taken_back_is_the_players_to_use_as_it_pleases(crazy: Crazy, use: str) -> None:
    """In a new meld, on a meld, kept for a later turn, or thrown away."""
    game = crazy().given_deal(9, ann="7H KC KD 2D 3C", table=["bea: 5H 6H 9C=7H", OWN], stock="8D")
    game.after(draw(), take_back(1, "9C", "7H"))
    commands: dict[str, PlayCommand] = {
        "meld": lay("KC KD 9C"),
        "lay off": lay_off(1, "9C=8H"),
        "keep": discard("3C"),
        "discard": discard("9C"),
    }
    game.when(commands[use])
    assert ("9C" in game.hand("ann")) is (use == "keep")


@pytest.mark.clause("reclaim.free-use", "refuses")
def test_a_wild_taken_back_has_no_meaning_until_it_is_laid(crazy: Crazy) -> None:
    """It stood for the seven of hearts; now it must be declared anew where it could be more than one card."""
    game = crazy().given_deal(9, ann="7H 3C KD", table=["bea: 5H 6H 9C=7H", OWN]).after(draw())
    game.when(take_back(1, "9C", "7H"))
    assert game.refuses(lay_off(1, "9C")).rule == "meld.declare"
    assert game.refuses(lay_off(1, "9C=7H")).rule == "layoff.fits"


@pytest.mark.clause("reclaim.use", "allows")
@pytest.mark.parametrize("use", ["meld", "lay off"])
def test_a_game_may_require_the_wild_to_be_used_in_the_same_turn(crazy: Crazy, use: str) -> None:
    """Melded or laid off, and then the turn ends as usual."""
    game = crazy(wild_reclaim_use="same_turn")
    game.given_deal(9, ann="7H KC KD 2D 3C", table=["bea: 5H 6H 9C=7H", OWN], stock="8D")
    game.after(draw(), take_back(1, "9C", "7H"), lay("KC KD 9C") if use == "meld" else lay_off(1, "9C=8H"))
    game.when(discard("3C"))
    assert "9C" not in game.hand("ann")


@pytest.mark.clause("reclaim.use", "refuses")
def test_the_wild_that_must_be_used_is_neither_kept_nor_discarded(crazy: Crazy) -> None:
    """While it is in the hand no discard is accepted, not even its own."""
    game = crazy(wild_reclaim_use="same_turn").given_deal(9, ann="7H 3C KD", table=["bea: 5H 6H 9C=7H", OWN])
    game.after(draw(), take_back(1, "9C", "7H"))
    assert game.refuses(discard("3C")).rule == "reclaim.use"
    assert game.refuses(discard("9C")).rule == "reclaim.use"


@pytest.mark.clause("reclaim.use", "refuses")
def test_a_wild_that_could_not_be_used_is_not_taken_back(crazy: Crazy) -> None:
    """The four kings leave it no place, and the meld 5C 6C 9H would leave no card to discard."""
    game = crazy(wild_reclaim_use="same_turn").given_deal(
        9, ann="5C 6C", table=["ann: KS KC KD 9H=K"], stock="KH"
    )
    assert game.after(draw()).refuses(take_back(1, "9H", "KH")).rule == "reclaim.use"
    longer = crazy(wild_reclaim_use="same_turn")
    longer.given_deal(9, ann="5C 6C 2D", table=["ann: KS KC KD 9H=K"], stock="KH")
    longer.after(draw(), take_back(1, "9H", "KH"), lay("5C 6C 9H=7C"), discard("2D"))
    assert longer.table.deal.number == 10


@pytest.mark.clause("reclaim.use", "refuses")
def test_nothing_is_laid_that_would_leave_the_wild_no_use(crazy: Crazy) -> None:
    """Four fives laid as a full set would leave the nine with nothing to go to; three of them leave it a place."""
    game = crazy(wild_reclaim_use="same_turn")
    game.given_deal(9, ann="5C 5D 5H 5S 7C 2D", table=["ann: KS KC KD 9H=K"], stock="KH")
    game.after(draw(), take_back(1, "9H", "KH"))
    assert game.refuses(lay("5C 5D 5H 5S")).rule == "reclaim.use"
    game.after(lay("5C 5D 5H"), lay_off(2, "9H"), discard("2D"))
    assert game.melds == ["KC KD KS KH", "5C 5D 5H 9H=5"]


def test_of_two_copies_of_a_wild_the_one_is_taken_back_that_the_card_is_given_for(crazy: Crazy) -> None:
    """With two packs both wilds of a run may be nines of clubs."""
    for card, lies in (("7H", "9C=5H 6H 7H"), ("5H", "5H 6H 9C=7H")):
        game = crazy(packs=2).given_deal(9, ann=f"{card} KD", table=["ann: 9C=5H 6H 9C=7H"]).after(draw())
        game.when(take_back(1, "9C", card))
        assert game.melds == [lies]


# -- two moves on a set ------------------------------------------------------------------------------------------------


@pytest.mark.clause("reclaim.two-moves", "allows")
def test_on_a_set_with_room_a_card_is_laid_off_or_exchanged_as_the_player_says(crazy: Crazy) -> None:
    """The queen of clubs as a fourth card, the wild staying; or for the wild: vector M22."""
    for command, lies in (
        (lay_off(1, "QC"), "QH QS 9S=Q QC"),
        (take_back(1, "9S", "QC"), "QH QS QC"),
    ):
        game = crazy().given_deal(9, ann="QC KD", table=["ann: QS QH 9S=Q"]).after(draw())
        game.when(command)
        assert game.melds == [lies]


@pytest.mark.clause("reclaim.two-moves", "refuses")
def test_on_a_full_set_only_the_exchange_is_left(crazy: Crazy) -> None:
    """The queen of diamonds finds no room beside three queens and a wild: vectors M16 and M22."""
    game = crazy().given_deal(9, ann="QD KD", table=["ann: QS QH QC 9S=Q"]).after(draw())
    assert game.refuses(lay_off(1, "QD")).rule == "layoff.fits"
    game.when(take_back(1, "9S", "QD"))
    assert "9S" in game.hand("ann")


def test_a_list_of_commands_takes_a_wild_back_and_lays_it_elsewhere(crazy: Crazy) -> None:
    """The strategy of the sheet: 5C for the nine, and the nine goes on above."""
    game = crazy().given_deal(9, ann="5C 2D KD", table=["ann: 9D=5C 6C 7C"]).after(draw())
    game.when(all_of(take_back(1, "9D", "5C"), lay_off(1, "9D=8C"), discard("KD")))
    assert game.melds == ["5C 6C 7C 9D=8C"]
