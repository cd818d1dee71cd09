"""What the bot ``sharp`` finds, position by position, and how it keeps to its time. Nines are wild."""

import random
from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from tests.support.positions import Position, position

from meldlog_contracts.cards import HIDDEN, Card, cards
from meldlog_contracts.commands import Discard, Draw, LayMeld
from meldlog_contracts.hooks import VariantInfo
from meldlog_contracts.table import Table
from meldlog_service.app.choosing import chosen, question
from meldlog_service.bots import STRATEGIES, Move, Strategy, thinks
from meldlog_service.bots.position import Position as Turn
from meldlog_service.bots.search import Search
from meldlog_service.bots.sharp import HANDS_PER_MS, Sharp
from meldlog_service.core.views import conceal
from meldlog_service.simulating.plan import Plan
from meldlog_service.simulating.playing import installed, play, play_by

SHARP = Sharp(think_ms=10)
VARIANTS = [info for info in installed().infos() if info.kind == "variant"]


def move_at(here: Position) -> Move:
    """What the bot on turn does."""
    return chosen(SHARP, here.table, here.table.deal.turn.seat, here.rules)


def search_at(here: Position, hands: int = 2500) -> Search:
    """The search for the seat on turn."""
    table, seat = here.table, here.table.deal.turn.seat
    return Search(Turn(conceal(table, seat), seat, here.moves().moves, random.Random(1)), hands)


# -- what it finds -----------------------------------------------------------------------------------------------------


def turn_of(strategy: Strategy, here: Position) -> tuple[Card, ...]:
    """What a strategy holds when it can lay nothing more and has to discard."""
    while not isinstance(move := chosen(strategy, here.table, 0, here.rules), Discard):
        here = here.after(move)
    return here.table.hand(0)


@pytest.mark.parametrize("hand", ["8C 8D 8H 8S 9S TS 2D", "KS KH KD KC QS JS 2D"])
def test_it_finds_the_partition_that_goes_out(hand: str) -> None:
    """Four of a rank are the dearest meld, but three of them and a run with the fourth leave one card to discard."""
    here = position(hand, "3D 4D", laid=[0, 1])

    assert turn_of(SHARP, here) == cards("2D")
    assert len(turn_of(STRATEGIES["plain"], here)) == 3


def test_it_lays_a_wild_in_the_place_of_a_card_that_it_keeps() -> None:
    """The five is a cheaper card to hold than the wild, and comes back for it later."""
    here = position("5C 6C 7C 9D", "3D 4D", laid=[1])
    move = move_at(here)

    assert isinstance(move, LayMeld)
    assert Card("9D") in move.cards
    assert not Search(Turn(here.table, 0, [move], random.Random(1))).is_wild(
        here.after(move).table.deal.hands[0][0]
    )


def test_it_keeps_a_card_that_the_next_player_would_lay_off() -> None:
    """The king and the queen go with nothing; the king would be laid off on the kings."""
    melds = ["1: KH KD KC"]
    assert move_at(position("KS QD 3C 4C 2H", "3D 4D 8S", melds=melds)) == Discard(Card("QD"))
    assert move_at(position("KS QD 3C 4C 2H", "3D 4D 8S", laid=[1])) in (
        Discard(Card("KS")),
        Discard(Card("QD")),
    )


def test_it_keeps_a_card_that_the_next_player_was_seen_to_collect() -> None:
    """Two queens were taken from the pile before everybody's eyes: a third is worth more to that player than a king."""
    here = position("QS KD 3C 4C 2H", "QH QD 5S 8S", turns=20, laid=[0])
    shown = ((), cards("QH QD"))
    watched = Position(replace(here.table, deal=replace(here.table.deal, shown=shown)), here.rules)

    before, after = search_at(here).danger(), search_at(watched).danger()
    assert after(Card("QS")) > before(Card("QS"))
    assert after(Card("QS")) > after(Card("KD"))
    assert move_at(watched) == Discard(Card("KD"))


def test_it_keeps_what_still_has_a_chance() -> None:
    """Both other kings lie in the pile, no six has been seen: six points more to hold are worth it."""
    here = position("KS KH 6C 6D 2S", "3D 4D 8S 8C", pile="KD KC", laid=[0, 1])

    assert move_at(here) in (Discard(Card("KS")), Discard(Card("KH")))


def test_it_throws_no_wild_while_there_is_anything_else() -> None:
    """Wherever the points are."""
    assert move_at(position("9S 2C", "3D 4D", laid=[0, 1])) == Discard(Card("2C"))


def test_it_takes_a_discard_that_makes_a_meld_and_leaves_one_that_does_nothing() -> None:
    """As plain does."""
    assert move_at(position("KS KH 2C 5D", "2D 3D", pile="KD", phase="draw")) == Draw(source="discard")
    assert move_at(position("4S 7H 2C JD", "2D 3D", pile="KD", phase="draw")) == Draw(source="stock")


def test_it_holds_back_for_one_turn_where_patient_waits_for_two() -> None:
    """At the beginning of a deal, while nobody is close to going out."""
    hand, others = "KS KH KD 2C 4S 7D JC 5H", "2D 3D 4D 5D 6D"
    assert isinstance(move_at(position(hand, others, turns=2)), Discard)
    later = position(hand, others, turns=4)
    assert isinstance(move_at(later), LayMeld)
    assert isinstance(chosen(STRATEGIES["patient"], later.table, 0, later.rules), Discard)


def test_it_holds_a_large_hand_back_for_two_turns() -> None:
    """Nobody gets rid of thirteen cards so soon; of the melds laid early others have the use."""
    hand, others = "KS KH KD 2C 4S 7D JC 5H 6C TS AD 3S", "2D 3D 4D 5D 6D 8D TD JD QD AC 3C 4C"
    for turns, kind in ((2, Discard), (4, Discard), (6, LayMeld)):
        assert isinstance(move_at(position(hand, others, turns=turns, variant="treize-brasses")), kind)


def test_it_collects_discards_where_laid_cards_count() -> None:
    """In Ace to Ace, once it has laid."""
    melds = ["0: 7H 7C 7D"]
    here = position("KS 4C 6D", "3D 4D", pile="2H KD KH", phase="draw", melds=melds, variant="ace-to-ace")
    assert move_at(here) == Draw(source="discard", count=2)


def test_it_may_take_a_discard_for_later_though_it_may_not_throw_it_again() -> None:
    """With many cards there is always another to throw; with few there may be none."""
    many = position("KS QH 2C 4S 7D JC 5H", "3D 4D", pile="KD", phase="draw", variant="rami-simple")
    few = position("KS QH 2C", "3D 4D", pile="KD", phase="draw", variant="rami-simple")
    kept = [
        Search(Turn(conceal(here.table, 0), 0, here.moves().moves, random.Random(1)), thorough=True)
        for here in (many, few)
    ]

    assert [search.discards_to_keep() for search in kept] == [1, 0]
    assert search_at(many).discards_to_keep() == 0  # patient takes only what it can use


def test_it_takes_a_discard_that_has_to_be_laid_at_once_only_where_it_can_be() -> None:
    """What may not be kept is not collected."""
    must = {"discard_take_before_meld": "must_meld"}
    here = position("KS 4C 6D JH", "3D 4D", pile="KD", phase="draw", house_rules=must)
    assert search_at(here).discards_to_keep() == 0
    assert move_at(here) == Draw(source="stock")


def test_it_keeps_a_two_where_a_lone_two_ends_the_deal() -> None:
    """In Biddies it throws the lower card; in Crazy Rummy, and where twos are wild, the rule is not there."""
    hands = ("2C AD", "3D 4D 8S JC", "5S 6D 7H KD")
    assert move_at(position(*hands, laid=[0, 1], variant="biddies")) == Discard(Card("AD"))
    assert move_at(position(*hands, laid=[0, 1])) == Discard(Card("2C"))


# -- what it sees ------------------------------------------------------------------------------------------------------


def test_what_it_cannot_see_makes_no_difference() -> None:
    """Other hands and the stock may be whatever they are."""
    one = position("QS KD 3C 4C 2H 8D", "3D 4D 8S", stock="AS 2S 3S 4S 5S 6S 7S", laid=[1])
    other = position("QS KD 3C 4C 2H 8D", "QH QD QC", stock="KS KH KC TS TH TD TC", laid=[1])

    assert set(conceal(one.table, 0).deal.hands[1]) == {HIDDEN}
    assert move_at(one) == move_at(other)


# -- its time ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("think_ms", [1, 10])
def test_it_keeps_to_its_work(think_ms: int) -> None:
    """It stops with the look that uses its work up: one way more of drawing, and what that takes for every card."""
    hands = think_ms * HANDS_PER_MS
    search = search_at(position("QS KD 3C 4D 2H 8D JC 6S", "3D 4H 8S", laid=[0, 1]), hands)
    search.best_discard()

    assert hands <= search.looked_at < hands + 500


def test_more_time_is_more_work() -> None:
    """A millisecond is so many hands, on every machine."""
    assert (Sharp(10).hands, Sharp().hands) == (10 * HANDS_PER_MS, 200 * HANDS_PER_MS)


def test_it_says_that_it_thinks() -> None:
    """So that a service asks it elsewhere; others answer at once."""
    assert thinks(SHARP)


class Watched:
    """Sharp, seeing to it that what it chooses is one of the moves it was offered."""

    name = "sharp"

    def choose(self, table: Table, seat: int, moves: Sequence[Move], rng: random.Random) -> Move:
        """See `Strategy.choose`."""
        move = Sharp(think_ms=1).choose(table, seat, moves, rng)
        assert move in moves
        return move


@pytest.mark.parametrize("info", VARIANTS, ids=lambda info: info.name)
def test_it_plays_every_variant_to_its_end(info: VariantInfo) -> None:
    """With moves from the list and no others."""
    plan = Plan(info.name, ("sharp",), seats=info.players[0], games=1, seed="1")
    played = play_by(installed(), {"sharp": Watched()}, plan, 0, with_log=False)

    assert (played.outcome, played.detail) == ("finished", None)


def test_the_same_seed_plays_the_same_game() -> None:
    """Time has no part in it but by the work that it stands for."""
    plan = Plan("crazy-rummy", ("sharp", "plain"), 2, 1, "1", house_rules={"deal_count": 2}, think_ms=2)
    longer = replace(plan, think_ms=20)

    first, again, other = (play(one, 0, with_log=True) for one in (plan, plan, longer))
    assert first.log == again.log
    assert first.game_id != other.game_id


def test_the_same_question_has_the_same_answer() -> None:
    """It keeps nothing from one move to the next."""
    here = position("QS KD 3C 4C 2H 8D", "3D 4D 8S", laid=[1])
    strategy, answers = Sharp(think_ms=2), set()
    for _ in range(3):
        asked = question(here.table, 0, here.rules)
        answers.add(strategy.choose(asked.seen, asked.seat, asked.legal, asked.rng))

    assert len(answers) == 1
