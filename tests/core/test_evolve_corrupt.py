"""An event that cannot have happened is never shrugged off: it raises, and no table comes of it."""

from __future__ import annotations

import re

import msgspec
import pytest
from msgspec.structs import replace
from tests.support.games import Game
from tests.support.positions import position

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
    GameStarted,
    MeldLaid,
    PenaltyAdded,
    PenaltyOffered,
    SeatHandedOver,
    SeatLeft,
    SeatTaken,
    StockRenewed,
    TurnPassed,
    WildReclaimed,
)
from meldlog_contracts.sealed import Sealed
from meldlog_contracts.table import Table
from meldlog_service.core import chain
from meldlog_service.core.evolve import Corrupt, apply, evolve, fold

NINE_SPADES = cards("9S")
PLAYING = position(
    "7H 8H 9H KD 6S", "AC 2C", "JD QD", melds=["1: 5S 6H=6S 7S", "2: 4C 4D 4H"], pile="TC JC"
).table
OPEN = Game().table


def card(text: str) -> Sealed:
    """An open secret of this one card."""
    return Sealed(1, "s", "00", Card(text))


def secret(text: str) -> Sealed:
    """An open secret of a list of these cards."""
    return Sealed(len(text.split()), "s", "00", cards(text))


HANDS = (secret("7H"), secret("8H"), secret("9H"))
NEXT = PLAYING.deal.number + 1
ADA = SeatTaken(0, "Ada", "player", None, None, None)
TAKEN = evolve(OPEN, ADA)
RUN = cards("7H 8H 9H")
IMPOSSIBLE: dict[str, tuple[Table, Event]] = {
    # -- seats
    "a seat taken twice": (TAKEN, ADA),
    "a seat taken that is not there": (OPEN, replace(ADA, seat=3)),
    "a seat left that is not there": (OPEN, SeatLeft(3)),
    "a seat removed that is not there": (OPEN, SeatLeft(3, removed=True)),
    "a seat removed while somebody sits there": (TAKEN, SeatLeft(0, removed=True)),
    "a seat handed over that is not there": (OPEN, SeatHandedOver(3, "bot", "plain")),
    # -- a game
    "a game created twice": (OPEN, Game().commits[0].events[0]),
    "a game started twice": (PLAYING, GameStarted(0, ())),
    "a game started by a dealer who is not there": (OPEN, GameStarted(3, ())),
    # -- a deal
    "a deal out of order": (PLAYING, DealStarted(NEXT + 1, 0, 1, "c", HANDS, secret("KS"), None)),
    "a deal with a hand too few": (PLAYING, DealStarted(NEXT, 0, 1, "c", HANDS[:2], secret("KS"), None)),
    "a deal begun by nobody": (PLAYING, DealStarted(NEXT, 0, 3, "c", HANDS, secret("KS"), None)),
    "a turn passed to a seat that is not there": (PLAYING, TurnPassed(3, None)),
    "a draw from an empty stock": (position("7H", "AC", stock="").table, CardDrawn(0, card("KS"))),
    "a draw by a seat that is not there": (PLAYING, CardDrawn(3, card(PLAYING.deal.stock[0]))),
    "a draw of another card than lay in front": (PLAYING, CardDrawn(0, card("JD"))),
    "a draw of two cards": (PLAYING, CardDrawn(0, secret("KS 3S"))),
    "a draw of no card": (PLAYING, CardDrawn(0, Sealed(0, "s"))),
    "a draw of two unseen cards": (PLAYING, CardDrawn(0, Sealed(2, "s"))),
    "a draw of one card sealed as a list": (PLAYING, CardDrawn(0, secret(PLAYING.deal.stock[0]))),
    "a discard taken that does not lie on top": (PLAYING, DiscardsTaken(0, cards("TC"))),
    "discards taken in another order": (PLAYING, DiscardsTaken(0, cards("JC TC"))),
    "no discard taken": (PLAYING, DiscardsTaken(0, ())),
    "a discard put back that is not held": (PLAYING, DrawReturned(0, cards("QC"))),
    "a discard of a card that is not held": (PLAYING, CardDiscarded(0, Card("QC"))),
    "a discard of an unseen card from a hand that is seen": (PLAYING, CardDiscarded(0, Card("??"))),
    "a stock renewed by more cards than lay there": (PLAYING, StockRenewed(1, False, (), secret("TC JC 2D"), None)),
    "a stock renewed by fewer cards than lay there": (PLAYING, StockRenewed(1, False, (), secret("TC"), None)),
    "a stock renewed out of order": (PLAYING, StockRenewed(2, False, cards("JC"), secret("TC"), None)),
    # -- melds
    "a meld out of order": (PLAYING, MeldLaid(0, 4, "run", RUN, RUN)),
    "a meld laid over another": (PLAYING, MeldLaid(0, 1, "run", RUN, RUN)),
    "a meld of cards that are not held": (PLAYING, MeldLaid(0, 3, "run", cards("7H 8H TH"), cards("7H 8H TH"))),
    "a meld of no cards": (PLAYING, MeldLaid(0, 3, "run", (), ())),
    "a meld whose cards do not all read as something": (PLAYING, MeldLaid(0, 3, "run", RUN, RUN[:2])),
    "a lay-off on a meld that is not there": (PLAYING, CardLaidOff(0, 3, "low", cards("KD"), cards("KD"))),
    "a lay-off of a card that is not held": (PLAYING, CardLaidOff(0, 1, "high", cards("8S"), cards("8S"))),
    "a lay-off of no card": (PLAYING, CardLaidOff(0, 1, "high", (), ())),
    "a lay-off that reads as nothing": (PLAYING, CardLaidOff(0, 1, "high", cards("KD"), ())),
    "a lay-off on a run at no end": (PLAYING, CardLaidOff(0, 1, None, cards("KD"), cards("8S"))),
    "a lay-off on a set at an end": (PLAYING, CardLaidOff(0, 2, "low", cards("KD"), cards("4S"))),
    "a wild taken from a meld that is not there": (PLAYING, WildReclaimed(0, 3, Card("6S"), Card("6H"), Card("6S"))),
    "a wild taken that is not in the meld": (PLAYING, WildReclaimed(0, 1, Card("6S"), Card("9D"), Card("6S"))),
    "a wild taken that stands for something else": (PLAYING, WildReclaimed(0, 1, Card("6S"), Card("6H"), Card("8S"))),
    "a wild taken for a card that is not held": (PLAYING, WildReclaimed(1, 1, Card("6S"), Card("6H"), Card("6S"))),
    # -- the end
    "a deal ended by a seat that is not there": (PLAYING, DealEnded("went_out", 3)),
    "a deal ended before one began": (OPEN, DealEnded("stock_empty", None)),
    "a deal scored with a hand too few": (PLAYING, DealScored(((), ()), (0, 0, 0), 1, (0, 0, 0))),
    "a deal scored with a score too few": (PLAYING, DealScored(((), (), ()), (0, 0), 1, (0, 0))),
    "a penalty offered to a seat that is not there": (PLAYING, PenaltyOffered(3, 5)),
    "a penalty of a seat that is not there": (PLAYING, PenaltyAdded(3, 5)),
}  # fmt: skip


@pytest.mark.parametrize(("table", "event"), IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_what_cannot_have_happened_raises(table: Table, event: Event) -> None:
    """Each of these would leave a table that no game can have."""
    with pytest.raises(Corrupt):
        evolve(table, event)


def test_the_message_names_the_event_and_the_version() -> None:
    """Whoever reads it finds the place."""
    with pytest.raises(Corrupt, match=rf"the event card_discarded does not fit version {PLAYING.version}"):
        evolve(PLAYING, CardDiscarded(0, Card("QC")))


@pytest.mark.parametrize(("table", "event"), IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_the_message_speaks_of_the_game_and_not_of_python(table: Table, event: Event) -> None:
    """It goes into the sentences of an audit and a replay."""
    with pytest.raises(Corrupt) as told:
        evolve(table, event)
    assert not re.search(
        r"index|range|\.remove|tuple|list\b|zip|argument|not in (list|tuple)|None\b", str(told.value)
    )
    assert str(told.value).startswith(f"the event {type(event).__struct_config__.tag} does not fit version ")


@pytest.mark.parametrize(
    ("event", "asked"),
    [
        (CardDiscarded(0, Card("QC")), "QC"),
        (MeldLaid(0, 3, "run", cards("7H 8H TH"), cards("7H 8H TH")), "TH"),
        (CardLaidOff(0, 1, "high", cards("8S"), cards("8S")), "8S"),
        (DrawReturned(0, cards("QC")), "QC"),
    ],
)
def test_a_card_that_is_not_where_an_event_wants_it_is_named(event: Event, asked: str) -> None:
    """With the hand that it should be in."""
    hand = " ".join(PLAYING.deal.hands[0])
    with pytest.raises(Corrupt, match=f"a card that is not in the hand: {asked} is not among {hand}"):
        evolve(PLAYING, event)


@pytest.mark.parametrize("field", ["seat", "dealer", "starter"])
def test_a_seat_below_nought_is_no_seat(field: str) -> None:
    """Read from a log it would count from the end of the list; it is not read at all."""
    line = Game().started().lines[-1]
    below, places = re.subn(rf'"{field}":\d'.encode(), f'"{field}":-1'.encode(), line)
    assert places
    with pytest.raises(msgspec.ValidationError):
        chain.decode(below)


def test_commits_follow_one_another_without_gap_or_repeat() -> None:
    """A version left out, told twice, or out of order."""
    game = Game().started()
    with pytest.raises(Corrupt, match="version 3 cannot follow version 1"):
        fold([game.commits[0], game.commits[2]])
    with pytest.raises(Corrupt, match="version 1 cannot follow version 1"):
        fold([game.commits[0], game.commits[0]])
    with pytest.raises(Corrupt, match="version 2 cannot follow version 0"):
        apply(Table(), game.commits[1])


def test_a_log_begins_with_the_creation_of_its_game() -> None:
    """Nothing happens at a table that is not there."""
    game = Game().started()
    with pytest.raises(Corrupt):
        apply(Table(), replace(game.commits[1], version=1))


def test_a_thing_that_is_no_event_raises() -> None:
    """Should a release know an event in its contracts and forget it in its fold."""
    with pytest.raises(Corrupt, match="no event that this release knows"):
        evolve(PLAYING, "something else")  # type: ignore[arg-type]


def test_what_raises_leaves_the_table_as_it_was() -> None:
    """Tables are values: nothing half done can be left behind."""
    before = chain.canonical(PLAYING)
    for table, event in IMPOSSIBLE.values():
        with pytest.raises(Corrupt):
            evolve(table, event)
    assert chain.canonical(PLAYING) == before


def test_the_created_game_is_what_it_is() -> None:
    """Guards the table of impossible events above: each starts from a game that is in order."""
    assert isinstance(Game().commits[0].events[0], GameCreated)
    assert (OPEN.status, PLAYING.status) == ("open", "playing")
    assert NINE_SPADES[0] in PLAYING.deal.stock
