"""Dealing: who deals, how many cards, who gets one more, and how the first player begins."""

import pytest
from tests.rules.support import Crazy, about_to_go_out, go_out, is_over

from meldlog_contracts.cards import cards
from meldlog_contracts.commands import StartGame
from meldlog_contracts.events import DealStarted, TurnPassed
from meldlog_contracts.problems import Refused
from meldlog_contracts.sealed import cards_of
from meldlog_service.core.chance import derived_seed, shuffled
from meldlog_service.testing import Game, discard, draw, lay, lay_off


def dealt(game: Game) -> DealStarted:
    """Start a game: its first deal."""
    events = game.when(StartGame(), by="host")
    return next(event for event in events if isinstance(event, DealStarted))


def counts(game: Game) -> list[int]:
    """How many cards each seat was dealt."""
    return [hand.count for hand in dealt(game).hands]


def after_dealer(game: Game) -> int:
    """The seat after the dealer, clockwise."""
    return (game.table.deal.dealer + 1) % len(game.table.seats)


# -- who deals ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("deal.first-dealer", "allows")
@pytest.mark.parametrize(
    ("front", "dealer"),
    [("5C 9D KH", 0), ("5C AD 2H", 1), ("KC QD JH", 2)],
    ids=["five below nine", "ace below two", "jack below queen and king"],
)
def test_the_lowest_card_deals_first_and_the_ace_is_lowest(crazy: Crazy, front: str, dealer: int) -> None:
    """Ann, bea and cyd are given a card each."""
    found, draws = crazy().rules.first_dealer(3, lambda _: cards(front))
    assert found == dealer
    assert [one.card for one in draws[0]] == front.split()


@pytest.mark.clause("deal.first-dealer", "refuses")
def test_only_those_tied_for_lowest_are_given_a_card_again(crazy: Crazy) -> None:
    """Ann and cyd have fives, bea a nine: bea is out of it, though the second round is not lower than her nine."""
    rounds = {1: "5C 9D 5H", 2: "KD KC", 3: "QC TD"}
    dealer, draws = crazy().rules.first_dealer(3, lambda number: cards(rounds[number]))
    assert [[one.seat for one in drawn] for drawn in draws] == [[0, 1, 2], [0, 2], [0, 2]]
    assert dealer == 2


@pytest.mark.clause("deal.first-dealer-random", "allows")
@pytest.mark.parametrize(("place", "dealer"), [(0, 0), (1, 1), (2, 2), (3, 0), (50, 2)])
def test_chance_may_choose_the_first_dealer(crazy: Crazy, place: int, dealer: int) -> None:
    """Whoever the ace of clubs falls to when the shuffled pack is counted off deals first."""
    front = ["KD"] * 52
    front[place] = "AC"
    assert crazy(first_dealer="random").rules.first_dealer(3, lambda _: cards(" ".join(front)))[0] == dealer


@pytest.mark.clause("deal.first-dealer-random", "refuses")
def test_where_chance_chooses_no_cards_are_drawn_for_it(crazy: Crazy) -> None:
    """There is no draw to look at."""
    _, draws = crazy(first_dealer="random").rules.first_dealer(3, lambda _: cards("AC 2C 3C"))
    assert draws == ()


@pytest.mark.clause("deal.rotation", "allows")
def test_the_next_player_deals_next(crazy: Crazy) -> None:
    """Cyd deals before ann's going out, ann after it."""
    game = about_to_go_out(crazy())
    assert game.table.deal.dealer == 2
    go_out(game)
    assert game.table.deal.dealer == 0


@pytest.mark.clause("deal.rotation", "refuses")
def test_going_out_does_not_make_a_player_the_dealer(crazy: Crazy) -> None:
    """Ann dealt and went out: bea, who is next, deals."""
    assert after_a_winner_who_dealt(crazy()) == 1


@pytest.mark.clause("deal.rotation-winner", "allows")
def test_whoever_went_out_deals_next_where_a_game_says_so(crazy: Crazy) -> None:
    """Ann went out, so ann deals again."""
    assert after_a_winner_who_dealt(crazy(dealer_rotation="winner_deals")) == 0


@pytest.mark.clause("deal.rotation-winner", "refuses")
def test_nobody_deals_for_having_won_when_nobody_went_out(crazy: Crazy) -> None:
    """The stock ran out: the next player deals."""
    game = crazy(dealer_rotation="winner_deals").given_deal(2, ann="7H KD", stock="3C |")
    dealer = game.table.deal.dealer
    assert is_over(game.after(draw()).when(discard("KD")))
    assert game.table.deal.dealer == (dealer + 1) % 3


def after_a_winner_who_dealt(game: Game) -> int:
    """Ann deals and goes out: who deals next."""
    game.given_deal(2, ann="9S TS", table=["bea: 3H 4H 5H", "ann: 6S 7S 8S"], stock="KD")
    assert game.table.deal.dealer == 0
    game.after(draw(), lay_off(2, "9S TS"), discard("KD"))
    return game.table.deal.dealer


# -- what is dealt -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("deal.order", "allows")
def test_cards_are_dealt_one_at_a_time_from_the_player_after_the_dealer(crazy: Crazy) -> None:
    """The shuffled pack goes round and round, the dealer last; the extra card comes after that."""
    game = crazy()
    deal = dealt(game)
    front = list(shuffled(game.rules.pack(), derived_seed(game.table, "deal:1")))
    order = [(deal.dealer + step) % 3 for step in (1, 2, 3)]
    for round_ in range(7):
        for place, seat in enumerate(order):
            assert cards_of(deal.hands[seat])[round_] == front[3 * round_ + place]
    assert cards_of(deal.hands[order[0]])[7] == front[21]
    assert list(cards_of(deal.stock)) == front[22:]


@pytest.mark.clause("deal.order", "refuses")
def test_nobody_is_dealt_a_whole_hand_at_once(crazy: Crazy) -> None:
    """The first seven cards of the pack do not lie in one hand, and the dealer's first card is not the first dealt."""
    game = crazy()
    deal = dealt(game)
    front = shuffled(game.rules.pack(), derived_seed(game.table, "deal:1"))
    assert not any(set(front[:7]) <= set(cards_of(hand)) for hand in deal.hands)
    assert cards_of(deal.hands[deal.dealer])[0] == front[2]


@pytest.mark.clause("deal.cards", "allows")
@pytest.mark.parametrize(("house", "size"), [({}, 7), ({"hand_size": 5}, 5), ({"hand_size": 10}, 10)])
def test_everybody_is_dealt_as_many_cards_as_the_game_says(
    crazy: Crazy, house: dict[str, int], size: int
) -> None:
    """Seven, or another number; one player gets the extra card."""
    assert sorted(counts(crazy(**house))) == [size, size, size + 1]


@pytest.mark.clause("deal.cards", "refuses")
@pytest.mark.parametrize(("size", "seats"), [(2, 3), (0, 3), (18, 3), (9, 6)])
def test_a_hand_is_neither_too_small_to_go_out_nor_too_large_for_the_pack(
    crazy: Crazy, size: int, seats: int
) -> None:
    """With two cards nobody could ever meld and discard; and something must be left for the stock."""
    with pytest.raises(Refused) as refused:
        crazy(hand_size=size, seats=seats)
    assert [fault.pointer for fault in refused.value.faults] == ["/house_rules/hand_size"]


@pytest.mark.clause("deal.by-players", "allows")
@pytest.mark.parametrize(("seats", "size"), [(2, 10), (3, 7), (4, 7), (5, 6), (6, 6)])
def test_the_number_of_players_may_say_how_many_cards_are_dealt(crazy: Crazy, seats: int, size: int) -> None:
    """Ten for two, seven for three or four, six for more."""
    assert min(counts(crazy(seats=seats, hand_size="by_players"))) == size


@pytest.mark.clause("deal.by-players", "refuses")
def test_by_players_is_the_only_word_for_a_number_of_cards(crazy: Crazy) -> None:
    """Another word is refused with a pointer."""
    with pytest.raises(Refused) as refused:
        crazy(hand_size="by_rank")
    assert [fault.pointer for fault in refused.value.faults] == ["/house_rules/hand_size"]


@pytest.mark.clause("deal.small-table", "allows")
@pytest.mark.parametrize("seats", [2, 3])
def test_two_or_three_may_be_dealt_ten_cards(crazy: Crazy, seats: int) -> None:
    """Ten each, and eleven for the starter."""
    assert sorted(counts(crazy(seats=seats, small_table_ten_cards=True))) == [*[10] * (seats - 1), 11]


@pytest.mark.clause("deal.small-table", "refuses")
def test_four_are_not_dealt_ten_cards(crazy: Crazy) -> None:
    """The house rule speaks of two or three players."""
    assert sorted(counts(crazy(seats=4, small_table_ten_cards=True))) == [7, 7, 7, 8]


# -- the extra card, and the first turn --------------------------------------------------------------------------------


@pytest.mark.clause("deal.extra-card", "allows")
def test_the_player_after_the_dealer_gets_an_eighth_card_and_starts(crazy: Crazy) -> None:
    """Eight cards for the player on the dealer's left, whose turn it is."""
    game = crazy().given_start()
    assert len(game.table.hand(after_dealer(game))) == 8
    assert game.table.deal.turn.seat == after_dealer(game)


@pytest.mark.clause("deal.extra-card", "refuses")
def test_nobody_else_gets_an_eighth_card(crazy: Crazy) -> None:
    """Everybody else holds seven, and must wait."""
    game = crazy().given_start()
    others = [seat for seat in range(3) if seat != after_dealer(game)]
    assert [len(game.table.hand(seat)) for seat in others] == [7, 7]
    assert game.refuses(draw(), by="ann" if 0 in others else "bea").rule == "turn.order"


@pytest.mark.clause("deal.extra-card-dealer", "allows")
def test_the_dealer_may_be_the_one_with_the_eighth_card(crazy: Crazy) -> None:
    """The dealer holds eight and starts; the next dealer is the player on the left."""
    game = crazy(extra_card_to="dealer").given_start()
    dealer = game.table.deal.dealer
    assert (len(game.table.hand(dealer)), game.table.deal.turn.seat) == (8, dealer)


@pytest.mark.clause("deal.extra-card-dealer", "refuses")
def test_where_the_dealer_starts_the_player_after_the_dealer_gets_no_extra_card(crazy: Crazy) -> None:
    """The player on the dealer's left holds seven cards, and is next after the dealer."""
    game = crazy(extra_card_to="dealer").given_start()
    left = after_dealer(game)
    assert len(game.table.hand(left)) == 7
    card = game.table.hand(game.table.deal.dealer)[0]
    assert game.when(discard(card))[-1] == TurnPassed(left, None)


@pytest.mark.clause("deal.extra-card-none", "allows")
def test_a_game_may_deal_no_extra_card(crazy: Crazy) -> None:
    """The player after the dealer starts with as many cards as anybody."""
    game = crazy(extra_card_to="none", starter_first_turn="normal").given_start()
    assert [len(hand) for hand in game.table.deal.hands] == [7, 7, 7]
    assert game.table.deal.turn.seat == after_dealer(game)


@pytest.mark.clause("deal.extra-card-none", "refuses")
def test_without_an_extra_card_the_dealer_does_not_start(crazy: Crazy) -> None:
    """The dealer, who would start with it, must wait."""
    game = crazy(extra_card_to="none", starter_first_turn="normal").given_start()
    dealer = ("ann", "bea", "cyd")[game.table.deal.dealer]
    assert game.refuses(draw(), by=dealer).rule == "turn.order"


@pytest.mark.clause("deal.upcard", "allows")
def test_the_first_discard_begins_the_discard_pile(crazy: Crazy) -> None:
    """The starter discards KD, which lies alone there."""
    game = crazy().given_deal(2, first_turn=True, ann="7H KD 3C 4C")
    game.when(discard("KD"))
    assert game.discards == "KD"


@pytest.mark.clause("deal.upcard", "refuses")
def test_no_card_is_turned_up(crazy: Crazy) -> None:
    """All that is left is stock."""
    deal = dealt(crazy())
    assert (deal.upcard, deal.stock.count) == (None, 52 - 22)


@pytest.mark.clause("deal.turned-up", "allows")
def test_a_card_is_turned_up_where_a_game_says_so(crazy: Crazy) -> None:
    """The card that lies on top after the dealing begins the discard pile."""
    game = crazy(initial_upcard=True)
    deal = dealt(game)
    front = shuffled(game.rules.pack(), derived_seed(game.table, "deal:1"))
    assert (deal.upcard, game.discards) == (front[22], front[22])


@pytest.mark.clause("deal.turned-up", "refuses")
def test_the_card_turned_up_is_not_in_the_stock(crazy: Crazy) -> None:
    """It was the top card; the stock begins with the card after it, and the first discard lies on it."""
    game = crazy(initial_upcard=True).given_deal(2, first_turn=True, ann="7H KD 3C 4C", discards="5C")
    assert "5C" not in game.stock
    game.when(discard("KD"))
    assert game.discards == "5C KD"


@pytest.mark.clause("deal.starter", "allows")
def test_the_starter_discards_without_having_drawn(crazy: Crazy) -> None:
    """From eight cards seven are left: vector G1."""
    game = crazy().given_deal(2, first_turn=True, ann="3C 4H 6D 7S 9C JH QD KD")
    game.when(discard("KD"))
    assert len(game.table.hand(0)) == 7


@pytest.mark.clause("deal.starter", "refuses")
def test_the_starter_does_not_draw_in_the_first_turn(crazy: Crazy) -> None:
    """A draw is refused, from the stock and from a card turned up: vector G1."""
    game = crazy(initial_upcard=True).given_deal(2, first_turn=True, ann="3C KD", discards="5C")
    assert game.refuses(draw()).rule == "deal.starter"
    assert game.refuses(draw("discard")).rule == "deal.starter"


@pytest.mark.clause("deal.starter-melds", "allows")
def test_the_starter_may_meld_in_the_first_turn_and_lay_off_on_that_meld(crazy: Crazy) -> None:
    """Three eights and then the fourth, without a draw: vector G1."""
    game = crazy().given_deal(2, first_turn=True, ann="8C 8D 8H 8S KD 3C")
    game.after(lay("8C 8D 8H"), lay_off(1, "8S"), discard("KD"))
    assert (game.melds, game.hand("ann")) == (["8C 8D 8H 8S"], "3C")


@pytest.mark.clause("deal.starter-melds", "refuses")
def test_the_starter_cannot_end_the_first_turn_without_a_discard(crazy: Crazy) -> None:
    """After melding it is still the starter's turn, until a card is discarded."""
    game = crazy().given_deal(2, first_turn=True, ann="8C 8D 8H KD 3C").after(lay("8C 8D 8H"))
    assert game.on_turn == "ann"
    assert game.refuses(draw(), by="bea").rule == "turn.order"


@pytest.mark.clause("deal.starter-discards", "allows")
def test_the_starter_may_be_bound_to_discard_only(crazy: Crazy) -> None:
    """The discard is accepted; in the second turn the meld is laid."""
    game = crazy(starter_first_turn="discard_only", seats=2)
    game.given_deal(2, first_turn=True, ann="8C 8D 8H KD 3C", bea="QC QD", stock="QH 4S")
    game.after(discard("KD"), draw(), discard("QC"), draw(), lay("8C 8D 8H"))
    assert game.melds == ["8C 8D 8H"]


@pytest.mark.clause("deal.starter-discards", "refuses")
def test_a_starter_bound_to_discard_only_may_not_meld_but_the_next_player_may(crazy: Crazy) -> None:
    """The meld is refused to ann in the first turn, and allowed to bea in the second."""
    game = crazy(starter_first_turn="discard_only", seats=2)
    game.given_deal(2, first_turn=True, ann="8C 8D 8H KD 3C", bea="QC QD KS", stock="QH")
    assert game.refuses(lay("8C 8D 8H")).rule == "deal.starter-discards"
    game.after(discard("KD"), draw(), lay("QC QD QH"))
    assert game.melds == ["QC QD QH"]


@pytest.mark.clause("deal.starter-draws", "allows")
def test_the_first_turn_may_be_a_turn_like_any_other(crazy: Crazy) -> None:
    """The starter draws and discards."""
    game = crazy(starter_first_turn="normal", extra_card_to="none")
    game.given_deal(2, first_turn=True, ann="7H KD", stock="3C").after(draw(), discard("KD"))
    assert game.hand("ann") == "3C 7H"


@pytest.mark.clause("deal.starter-draws", "refuses")
def test_a_starter_who_draws_does_not_discard_before_nor_draw_twice(crazy: Crazy) -> None:
    """Draw first, and once: the clauses of every other turn."""
    game = crazy(starter_first_turn="normal", extra_card_to="none").given_deal(
        2, first_turn=True, ann="7H KD"
    )
    assert game.refuses(discard("KD")).rule == "turn.draw-first"
    assert game.refuses(draw("discard")).rule == "draw.discard"
    game.when(draw())
    assert game.refuses(draw()).rule == "turn.draw-once"
