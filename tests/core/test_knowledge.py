"""Who knew what: case by case. That it follows from a viewer's own log is in `tests.properties.test_knowledge`."""

from __future__ import annotations

from meldlog_contracts.cards import HIDDEN, Card, cards
from meldlog_contracts.commands import StartGame
from meldlog_contracts.events import (
    CardDiscarded,
    CardDrawn,
    CardLaidOff,
    Commit,
    DealScored,
    DealStarted,
    DiscardsTaken,
    DrawReturned,
    Event,
    MeldLaid,
    StockRenewed,
    WildReclaimed,
)
from meldlog_contracts.sealed import Sealed
from meldlog_service.core.knowledge import Knowledge, learn
from meldlog_service.core.views import SPECTATOR, Viewer


def secret(text: str) -> Sealed:
    """Cards under a seal."""
    held = cards(text)
    return Sealed(len(held), "seal", "salt", held)


def drawn(seat: int, text: str) -> CardDrawn:
    """A card from the stock."""
    return CardDrawn(seat, Sealed(1, "seal", "salt", Card(text)))


DEAL = DealStarted(1, 0, 1, "c", (secret("7H 8H"), secret("AC 2C")), secret("KD QD JD"), Card("5S"))


def after(viewer: Viewer, *events: Event) -> Knowledge:
    """What a viewer knows after a deal and these events, of a log whose secrets are all open."""
    commit = Commit("", "host", StartGame(), "", (DEAL, *events), "", "", 1, 1)
    return learn(Knowledge(), commit, viewer)


def test_a_seat_sees_its_hand_and_the_upcard() -> None:
    """Of the others and the stock it knows how many there are."""
    now = after(0)
    assert now.hands == (cards("7H 8H"), ())
    assert now.stock == (HIDDEN,) * 3
    assert now.seen == cards("7H 8H 5S")


def test_a_spectator_sees_what_lies_open() -> None:
    """And nobody's hand."""
    now = after(SPECTATOR)
    assert (now.hands, now.seen) == (((), ()), cards("5S"))


def test_who_draws_sees_the_card() -> None:
    """Nobody else does, not even where it is in the log."""
    assert after(1, drawn(1, "KD")).hands[1] == cards("AC 2C KD")
    other = after(0, drawn(1, "KD"))
    assert (other.hands[1], other.seen, len(other.stock)) == ((), cards("7H 8H 5S"), 2)


def test_a_discard_is_seen_and_one_that_is_taken_is_known_to_be_held() -> None:
    """Until it is played again."""
    taken = after(0, drawn(1, "KD"), CardDiscarded(1, Card("KD")), DiscardsTaken(1, cards("KD")))
    assert (taken.hands[1], taken.pile) == (cards("KD"), cards("5S"))
    assert taken.seen == cards("7H 8H 5S KD")
    back = after(
        0,
        drawn(1, "KD"),
        CardDiscarded(1, Card("KD")),
        DiscardsTaken(1, cards("KD")),
        DrawReturned(1, cards("KD")),
    )
    assert (back.hands[1], back.pile, back.seen) == ((), cards("5S KD"), cards("7H 8H 5S KD"))


def test_a_card_that_was_known_to_be_held_is_not_seen_twice() -> None:
    """It went the round: pile, hand, meld."""
    now = after(0, DiscardsTaken(1, cards("5S")), MeldLaid(1, 1, "run", cards("5S AC"), cards("5S AC")))
    assert now.hands[1] == ()
    assert now.melds == (cards("5S AC"),)
    assert now.seen == cards("7H 8H 5S AC")


def test_a_wild_taken_back_is_known_to_be_held() -> None:
    """And the card given for it lies in the meld; a card laid off lies there too."""
    now = after(
        0,
        MeldLaid(1, 1, "run", cards("AC 2C"), cards("AC 2C")),
        WildReclaimed(0, 1, Card("7H"), Card("2C"), Card("2C")),
        CardLaidOff(0, 1, "high", cards("8H"), cards("3C")),
    )
    assert now.melds == (cards("AC 7H 8H"),)
    assert now.hands == (cards("2C"), ())


def test_discards_turned_over_are_known_in_the_stock() -> None:
    """Everybody saw their order, so everybody knows what is drawn."""
    gone = (drawn(1, "KD"), drawn(1, "QD"), drawn(1, "JD"), CardDiscarded(1, Card("KD")))
    now = after(0, *gone, StockRenewed(1, False, cards("KD"), secret("5S"), None), drawn(1, "5S"))
    assert now.hands[1] == cards("5S")
    assert now.seen == cards("7H 8H 5S KD")


def test_discards_shuffled_under_are_seen_and_out_of_sight() -> None:
    """One that comes up again was seen before; where it was is not known."""
    gone = (drawn(1, "KD"), drawn(1, "QD"), drawn(1, "JD"), CardDiscarded(1, Card("KD")))
    renewed = (*gone, StockRenewed(1, True, cards("KD"), secret("5S"), "c"))
    now = after(0, *renewed, drawn(1, "5S"))
    assert (now.hands[1], now.shuffled_away) == ((), cards("5S"))
    later = after(0, *renewed, drawn(1, "5S"), CardDiscarded(1, Card("5S")))
    assert (later.shuffled_away, later.seen) == ((), cards("7H 8H 5S KD"))


def test_hands_laid_open_are_seen() -> None:
    """By all, and to the end of the deal."""
    now = after(SPECTATOR, DealScored((cards("7H 8H"), cards("AC 2C")), (15, 3), 1, (15, 3)))
    assert now.hands == (cards("7H 8H"), cards("AC 2C"))
    assert now.seen == cards("5S 7H 8H AC 2C")
