"""What every event does to the table, one by one; no rule is asked, whatever the event says has happened."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from msgspec.structs import replace
from tests.support.positions import meld, position

from meldlog_contracts import events
from meldlog_contracts.cards import Card, cards
from meldlog_contracts.events import (
    CardDiscarded,
    CardDrawn,
    CardLaidOff,
    DealEnded,
    DealScored,
    DealStarted,
    DiscardsTaken,
    DrawReturned,
    Event,
    GameCreated,
    GameEnded,
    GameForked,
    GameStarted,
    MeldLaid,
    PenaltyAdded,
    PenaltyOffered,
    RulesNoted,
    SeatCard,
    SeatHandedOver,
    SeatLeft,
    SeatTaken,
    SeedsRevealed,
    StockRenewed,
    TurnPassed,
    WildNamed,
    WildReclaimed,
)
from meldlog_contracts.sealed import Sealed
from meldlog_contracts.table import Deal, Origin, PluginRef, Result, Seat, Table, Turn
from meldlog_service.core.evolve import Corrupt, evolve

CREATED = GameCreated(
    game_id="g1",
    variant="crazy-rummy",
    options=("press",),
    house_rules={"packs": 1},
    plugins=(PluginRef("crazy-rummy", 1, "d" * 64),),
    seats=3,
    reveal="deal",
    listed=False,
    turn_seconds=30,
    commitment="c" * 64,
    game_seed=Sealed(0, "s", "00", "5eed"),
    host_token_hash="h" * 64,
    deals=13,
    entropy="salt",
)
OPEN = evolve(Table(), CREATED)


def folded(table: Table, *several: Event) -> Table:
    """The table after several events."""
    for event in several:
        table = evolve(table, event)
    return table


def card(text: str) -> Sealed:
    """An open secret of this one card."""
    return Sealed(1, "s", "00", Card(text))


def secret(text: str) -> Sealed:
    """An open secret of a list of these cards."""
    return Sealed(len(text.split()), "s", "00", cards(text))


PLAYING = folded(
    OPEN,
    *(SeatTaken(seat, f"player {seat}", "player", None, None, None) for seat in range(3)),
    GameStarted(2, ()),
    DealStarted(
        1, 2, 0, "c1", (secret("7H 8H 9H"), secret("AC 2C"), secret("JD QD")), secret("KS 3S"), Card("4D")
    ),
    TurnPassed(0, "2026-11-29T20:51:30.000Z", "play"),
)


# -- before the play


def test_a_created_game_is_open_and_nobody_sits_there() -> None:
    """Everything that the event says is found in the table."""
    assert (
        Table(
            game_id="g1",
            status="open",
            variant="crazy-rummy",
            options=("press",),
            house_rules={"packs": 1},
            plugins=(PluginRef("crazy-rummy", 1, "d" * 64),),
            seats=(Seat(), Seat(), Seat()),
            reveal="deal",
            listed=False,
            turn_seconds=30,
            deals=13,
            commitment="c" * 64,
            game_seed="5eed",
            host_token_hash="h" * 64,
            host_entropy="salt",
        )
        == OPEN
    )


def test_partners_share_a_score() -> None:
    """Teams are given with the seats, and a side's score counts once."""
    table = folded(Table(), replace(CREATED, seats=4, teams=(0, 1, 0, 1)), GameStarted(0, ()))
    assert [seat.team for seat in table.seats] == [0, 1, 0, 1]
    assert [table.side(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert table.sides == 2
    assert table.totals == (0, 0)


def test_somebody_sits_down_and_stands_up() -> None:
    """A seat is empty again as if nobody had been there."""
    taken = evolve(OPEN, SeatTaken(1, "Ada", "player", None, "pepper", "t" * 64))
    assert taken.seats == (Seat(), Seat("Ada", "player", None, "pepper", "t" * 64), Seat())
    assert evolve(taken, SeatLeft(1)) == OPEN


def test_an_empty_seat_is_taken_away_and_those_after_it_move_down() -> None:
    """Seat 2 becomes seat 1."""
    table = folded(OPEN, SeatTaken(2, "Ada", "player", None, None, None), SeatLeft(1, removed=True))
    assert [seat.name for seat in table.seats] == [None, "Ada"]


def test_a_bot_takes_over_a_seat_with_its_name_and_without_its_token() -> None:
    """The score sheet keeps the name, the old token opens nothing."""
    taken = evolve(OPEN, SeatTaken(0, "Ada", "player", None, "pepper", "t" * 64))
    table = evolve(taken, SeatHandedOver(0, "bot", "plain"))
    assert table.seats[0] == Seat("Ada", "bot", "plain", "pepper", None)


def test_a_started_game_waits_for_its_first_deal() -> None:
    """Every score is nought; the cards drawn for the dealer were only looked at."""
    table = evolve(OPEN, GameStarted(2, ((SeatCard(0, Card("7H")), SeatCard(1, Card("AC"))),)))
    assert table.status == "playing"
    assert table.totals == (0, 0, 0)
    assert (table.deal.number, table.deal.dealer, table.deal.hands) == (0, 2, ((), (), ()))


# -- a deal


def test_a_deal_puts_every_card_in_its_place() -> None:
    """Hands, stock and upcard; nothing is left of the deal before."""
    deal = PLAYING.deal
    assert (deal.number, deal.dealer, deal.starter, deal.commitment) == (1, 2, 0, "c1")
    assert deal.hands == (cards("7H 8H 9H"), cards("AC 2C"), cards("JD QD"))
    assert deal.stock == cards("KS 3S")
    assert deal.discard_pile == cards("4D")
    assert (deal.melds, deal.wild, deal.renewals, deal.out) == ((), (), 0, None)
    assert deal.laid_at == deal.acted_at == (None, None, None)


def test_a_deal_without_an_upcard_has_an_empty_pile() -> None:
    """The first discard starts it."""
    table = folded(
        OPEN, GameStarted(0, ()), DealStarted(1, 0, 1, "c1", (secret("7H"),) * 3, secret("KS"), None)
    )
    assert table.deal.discard_pile == ()


@pytest.mark.parametrize("seat", [None, 2])
def test_the_wild_of_the_deal_is_named(seat: int | None) -> None:
    """By nobody, or by the dealer; the list of all deals' wilds grows with it."""
    table = evolve(PLAYING, WildNamed(seat, ("9", "JK")))
    assert table.deal.wild == ("9", "JK")
    assert table.wilds == (("9", "JK"),)


def test_a_turn_begins_with_what_the_seat_holds() -> None:
    """Nothing of the turn before is left, and the turns of the deal are counted."""
    assert PLAYING.deal.turn == Turn(seat=0, phase="play", deadline="2026-11-29T20:51:30.000Z", held=3)
    table = folded(PLAYING, CardDiscarded(0, Card("9H")), TurnPassed(1, None))
    assert table.deal.turn == Turn(seat=1, phase="draw", deadline=None, held=2)
    assert (PLAYING.deal.turns, table.deal.turns) == (1, 2)


def test_a_card_is_drawn_from_the_front_of_the_stock() -> None:
    """It goes to the end of the hand and is remembered for the turn."""
    table = folded(PLAYING, CardDiscarded(0, Card("9H")), TurnPassed(1, None), CardDrawn(1, card("KS")))
    assert table.deal.stock == cards("3S")
    assert table.hand(1) == cards("AC 2C KS")
    assert (table.deal.turn.phase, table.deal.turn.drawn) == ("play", "KS")


def test_discards_are_taken_from_the_top() -> None:
    """Bottom first, as they lay."""
    here = position("7H", "AC", "JD", pile="2C 3C 4C", phase="draw").table
    table = evolve(here, DiscardsTaken(0, cards("3C 4C")))
    assert table.deal.discard_pile == cards("2C")
    assert table.hand(0) == cards("7H 3C 4C")
    assert (table.deal.turn.phase, table.deal.turn.taken) == ("play", cards("3C 4C"))


def test_a_discard_taken_goes_back_and_the_draw_is_due_again() -> None:
    """That it was put back is remembered."""
    here = position("7H", "AC", "JD", pile="2C 3C", phase="draw").table
    table = folded(here, DiscardsTaken(0, cards("3C")), DrawReturned(0, cards("3C")))
    assert (table.deal.discard_pile, table.hand(0)) == (here.deal.discard_pile, here.hand(0))
    assert table.deal.turn == replace(here.deal.turn, returned=True)


def test_what_a_seat_was_seen_to_take_is_shown_for_as_long_as_it_holds_it() -> None:
    """Discards and wilds, to everybody; what is laid, laid off, given, put back or thrown is not held any more."""
    here = position("7H 8H QC", "AC", "JD", melds=["0: QS QH 9S=QX"], pile="2C 9H KS", phase="draw").table
    assert here.deal.shown == ()
    taken = evolve(here, DiscardsTaken(0, cards("9H KS")))
    assert taken.deal.shown == (cards("9H KS"), (), ())
    reclaimed = evolve(taken, WildReclaimed(0, 1, Card("QC"), Card("9S"), Card("QX")))
    assert reclaimed.deal.shown == (cards("9H KS 9S"), (), ())
    laid = evolve(reclaimed, MeldLaid(0, 2, "run", cards("7H 8H 9H"), cards("7H 8H 9H")))
    assert laid.deal.shown == (cards("KS 9S"), (), ())
    thrown = evolve(laid, CardDiscarded(0, Card("KS")))
    assert thrown.deal.shown == (cards("9S"), (), ())

    back = folded(here, DiscardsTaken(0, cards("KS")), DrawReturned(0, cards("KS")))
    assert back.deal.shown == ((), (), ())


def test_what_is_not_shown_stays_unknown() -> None:
    """A card drawn from the stock, and others that leave a hand."""
    table = folded(PLAYING, CardDiscarded(0, Card("9H")), TurnPassed(1, None), CardDrawn(1, card("KS")))
    assert table.deal.shown == ()


def test_a_discard_lies_on_top_and_ends_the_turn() -> None:
    """One card leaves the hand, one lies on the pile."""
    table = evolve(PLAYING, CardDiscarded(0, Card("8H")))
    assert table.hand(0) == cards("7H 9H")
    assert table.deal.discard_pile == cards("4D 8H")
    assert table.deal.turn.phase == "waiting"
    assert table.deal.out is None


def test_only_one_copy_of_a_card_leaves_the_hand() -> None:
    """With two packs a hand may hold a card twice."""
    here = position("7H 7H 8H", "AC", house_rules={"packs": 2}).table
    assert evolve(here, CardDiscarded(0, Card("7H"))).hand(0) == cards("7H 8H")


def test_whoever_discards_the_last_card_is_out() -> None:
    """The table knows it from the empty hand."""
    here = position("7H", "AC", "JD").table
    assert evolve(here, CardDiscarded(0, Card("7H"))).deal.out == 0


def test_a_new_meld_lies_before_its_owner() -> None:
    """What each card stands for is kept with it, and who laid it."""
    here = position("7H 8H 9C KD", "AC", melds=["1: 4S 4C 4D"]).table
    table = evolve(here, MeldLaid(0, 2, "run", cards("7H 8H 9C"), cards("7H 8H 9H")))
    assert table.deal.melds[1] == replace(meld("0: 7H 8H 9C=9H", 2), laid=3)
    assert table.hand(0) == cards("KD")
    assert table.deal.turn.laid == (2,)
    assert (table.has_laid(0), table.deal.acted_at[0]) == (True, here.deal.turns)


@pytest.mark.parametrize(
    ("end", "card", "reads_as", "row", "by"),
    [
        ("low", "6H", "6H", "6H 7H 8H 9C=9H", (0, 1, 1, 1)),
        ("high", "TH", "TH", "7H 8H 9C=9H TH", (1, 1, 1, 0)),
        ("low", "9D", "6H", "9D=6H 7H 8H 9C=9H", (0, 1, 1, 1)),
    ],
)
def test_a_card_is_laid_off_at_an_end_of_a_run(
    end: str, card: str, reads_as: str, row: str, by: tuple[int, ...]
) -> None:
    """The meld stays its owner's, the card is remembered as its player's."""
    here = position("6H TH 9D KD", "AC", melds=["1: 7H 8H 9C=9H"]).table
    event = CardLaidOff(0, 1, end, cards(card), cards(reads_as))  # type: ignore[arg-type]
    table = evolve(here, event)
    (grown,) = table.deal.melds
    wanted = meld(f"1: {row}")
    assert (grown.cards, grown.reads_as, grown.owner, grown.by) == (wanted.cards, wanted.reads_as, 1, by)
    assert grown.laid == 3
    assert table.deal.turn.laid_off == cards(card)
    assert not table.has_laid(0)
    assert table.deal.acted_at[0] == here.deal.turns


def test_a_card_is_laid_off_on_a_set() -> None:
    """A set has no ends."""
    here = position("QC KD", "AC", melds=["1: QS QH 9S=QX"]).table
    table = evolve(here, CardLaidOff(0, 1, None, cards("QC"), cards("QC")))
    assert table.deal.melds[0].cards == cards("QS QH 9S QC")


def test_a_wild_is_taken_back_for_a_natural() -> None:
    """The natural takes its place and its meaning; the wild is in the hand and waits there."""
    here = position("4H KD", "AC", melds=["1: 9C=4H 5H 6H"]).table
    table = evolve(here, WildReclaimed(0, 1, Card("4H"), Card("9C"), Card("4H")))
    assert table.deal.melds[0].cards == table.deal.melds[0].reads_as == cards("4H 5H 6H")
    assert table.deal.melds[0].by == (1, 1, 1)
    assert table.hand(0) == cards("KD 9C")
    assert table.deal.turn.reclaimed == cards("9C")
    assert table.deal.turn.exchanged == cards("4H")


def test_a_wild_taken_back_waits_until_it_is_on_the_table_again() -> None:
    """Laid off or melded, it waits no longer."""
    here = position("4H KD 7C 8C", "AC", melds=["1: 9C=4H 5H 6H"]).table
    reclaimed = evolve(here, WildReclaimed(0, 1, Card("4H"), Card("9C"), Card("4H")))
    laid_off = evolve(reclaimed, CardLaidOff(0, 1, "high", cards("9C"), cards("7H")))
    melded = evolve(reclaimed, MeldLaid(0, 2, "run", cards("7C 8C 9C"), cards("7C 8C 9C")))
    assert laid_off.deal.turn.reclaimed == melded.deal.turn.reclaimed == ()


def test_the_wild_meant_is_found_among_several() -> None:
    """By the card and what it stood for."""
    here = position("8H KD", "AC", melds=["1: 9C=7H 9D=8H TH"]).table
    table = evolve(here, WildReclaimed(0, 1, Card("8H"), Card("9D"), Card("8H")))
    assert table.deal.melds[0].cards == cards("9C 8H TH")


def test_the_stock_is_renewed_from_the_pile() -> None:
    """What is kept stays lying; renewals are counted."""
    here = position("7H", "AC", pile="2C 3C 4C", stock="", phase="draw").table
    table = evolve(here, StockRenewed(1, True, cards("4C"), secret("3C 2C"), "c"))
    assert table.deal.stock == cards("3C 2C")
    assert table.deal.discard_pile == cards("4C")
    assert table.deal.renewals == 1


def test_idle_turns_are_counted_in_a_row() -> None:
    """A turn that drew from the stock or changed the table begins the count anew."""
    here = position("7H 8H", "AC 2C", pile="3C", phase="draw").table
    idle = folded(here, DiscardsTaken(0, cards("3C")), CardDiscarded(0, Card("3C")), TurnPassed(1, None))
    assert idle.deal.idle == 1
    twice = folded(idle, DiscardsTaken(1, cards("3C")), CardDiscarded(1, Card("3C")), TurnPassed(0, None))
    assert twice.deal.idle == 2
    front = twice.deal.stock[0]
    drawn = folded(twice, CardDrawn(0, card(front)), CardDiscarded(0, front), TurnPassed(1, None))
    assert drawn.deal.idle == 0


# -- the end


def test_a_deal_ends_with_the_seat_that_went_out() -> None:
    """Nobody is on the list of those out where the stock ended it."""
    out = evolve(PLAYING, DealEnded("went_out", 1))
    assert (out.deal.out, out.outs, out.deal.turn.phase, out.deal.turn.deadline) == (1, (1,), "over", None)
    assert evolve(PLAYING, DealEnded("stock_empty", None)).outs == (None,)
    assert evolve(PLAYING, DealEnded("lone_two", 1)).outs == (None,)


def test_a_scored_deal_opens_all_hands() -> None:
    """Points stand in a row of their own, totals are as the event says."""
    hands = (cards("7H 8H"), (), cards("JD"))
    table = evolve(PLAYING, DealScored(hands, (15, 0, 10), 1, (15, 0, 10)))
    assert table.deal.hands == hands
    assert (table.scores, table.totals) == (((15, 0, 10),), (15, 0, 10))


def test_a_penalty_is_offered_and_answered() -> None:
    """The offer names whom it waits for, the points go to the total of the seat's side."""
    offered = evolve(PLAYING, PenaltyOffered(2, 12))
    assert offered.offer == (2, 12)
    assert (offered.deal.turn.seat, offered.deal.turn.phase) == (2, "offer")
    added = evolve(offered, PenaltyAdded(2, 12))
    assert (added.offer, added.totals) == (None, (0, 0, 12))


def test_the_next_deal_withdraws_an_offer_and_forgets_the_last_one() -> None:
    """Turned down, it is gone."""
    ended = folded(PLAYING, DealEnded("went_out", 1), PenaltyOffered(2, 12))
    again = evolve(ended, DealStarted(2, 0, 1, "c2", (secret("7H"),) * 3, secret("KS"), None))
    assert again.offer is None
    assert again.deal == Deal(
        number=2,
        dealer=0,
        starter=1,
        commitment="c2",
        hands=(cards("7H"),) * 3,
        stock=cards("KS"),
        turn=Turn(1),
        laid_at=(None,) * 3,
        acted_at=(None,) * 3,
    )


def test_what_a_plugin_notes_is_kept_with_its_name() -> None:
    """Later notes are laid over earlier ones."""
    table = folded(
        PLAYING, RulesNoted("a", {"x": 1, "y": True}), RulesNoted("b", {"x": 2}), RulesNoted("a", {"x": 3})
    )
    assert table.notes == {"a": {"x": 3, "y": True}, "b": {"x": 2}}
    assert PLAYING.notes == {}


def test_revealed_seeds_are_public_from_then_on() -> None:
    """The game's own, and a deal's, which is in the log alone."""
    hidden = replace(PLAYING, game_seed=None)
    assert evolve(hidden, SeedsRevealed(game_seed="5eed")).game_seed == "5eed"
    assert evolve(hidden, SeedsRevealed(deal=1, deal_seed="ab")) == hidden


def test_a_game_ends_with_its_result() -> None:
    """Winners, places and who owes whom."""
    table = evolve(PLAYING, GameEnded((1,), (1, 0, 2), ((0, 1, 45),)))
    assert table.status == "finished"
    assert table.result == Result((1,), (1, 0, 2), ((0, 1, 45),))


def test_a_fork_goes_on_under_another_name_with_other_chance() -> None:
    """The cards lie as they lay, dealt by the old seed; whoever held a token holds it in vain."""
    version = PLAYING.version
    table = evolve(PLAYING, GameForked("g2", "g1", version, "head", "c2", Sealed(0, "s", "00", "beef")))
    assert table == replace(
        PLAYING,
        game_id="g2",
        commitment="c2",
        game_seed="beef",
        host_token_hash=None,
        seats=tuple(replace(seat, token_hash=None) for seat in PLAYING.seats),
        deal=replace(
            PLAYING.deal, game_seed=PLAYING.game_seed, turn=replace(PLAYING.deal.turn, deadline=None)
        ),
        origin=Origin("g1", version, "head"),
    )


@pytest.mark.parametrize(
    "wrong",
    [{"from_game": "g3"}, {"version": PLAYING.version + 1}, {"seat_token_hashes": ("h",)}],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_fork_names_what_it_goes_on_from(wrong: dict[str, Any]) -> None:
    """Another game, another version, and tokens for other seats do not fit."""
    forked = GameForked("g2", "g1", PLAYING.version, "head", "c2", Sealed(0, "s"))
    with pytest.raises(Corrupt):
        evolve(PLAYING, replace(forked, **wrong))


def test_every_event_of_the_union_is_told_about_here() -> None:
    """A new event needs its test: whatever is imported here is used, or the linter says so."""
    told = {name for name, kind in vars(events).items() if name in globals() and isinstance(kind, type)}
    assert {kind.__name__ for kind in get_args(Event)} <= told
