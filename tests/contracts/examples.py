"""One example of every command and of every event that a log can hold, with every field away from its default."""

from __future__ import annotations

from meldlog_contracts.cards import Card, cards
from meldlog_contracts.commands import (
    AddPenalty,
    Batch,
    Command,
    CreateGame,
    Decline,
    DeclineDiscard,
    Discard,
    Draw,
    ForkGame,
    HandOverSeat,
    LayMeld,
    LayOff,
    LeaveSeat,
    NameWild,
    Reclaim,
    Resign,
    ReturnDraw,
    StartGame,
    TakeSeat,
)
from meldlog_contracts.events import (
    CardDiscarded,
    CardDrawn,
    CardLaidOff,
    Commit,
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
from meldlog_contracts.sealed import Sealed, unsealed_card, unsealed_cards
from meldlog_contracts.table import PluginRef
from meldlog_service.core import chain

GAME_SEED = bytes(range(32)).hex()
HASH = "ab" * 32
KINGS = (Card("KH"), Card("KS"), Card("KX"))

COMMANDS: tuple[Command, ...] = (
    CreateGame(
        game_id="g1",
        variant="crazy-rummy",
        seats=4,
        host_token_hash=HASH,
        house_rules={"packs": 2, "one_card_rule": False, "max_set_size": None, "ace_in_runs": "low"},
        options=("press",),
        bots={"2": "plain"},
        listed=False,
        turn_seconds=60,
        reveal="deal",
        entropy="salt",
    ),
    TakeSeat(1, "Zoë", "bot", "plain", "pepper", HASH),
    LeaveSeat(1, remove=True),
    HandOverSeat(1, "random"),
    StartGame(seat=1),
    Resign(seat=1),
    NameWild("9", seat=1),
    Draw("discard", 2, seat=1),
    LayMeld(cards("KH KS 9C"), KINGS, seat=1),
    LayOff(2, cards("9D"), cards("4H"), "low", seat=1),
    Reclaim(2, Card("4H"), Card("9D"), seat=1),
    Discard(Card("JK"), seat=1),
    DeclineDiscard(seat=1),
    AddPenalty(5, seat=1),
    Decline(seat=1),
    ReturnDraw(seat=1),
    Batch((LayMeld(cards("7H 8H 9H")), Discard(Card("2C")))),
    ForkGame("g2", 57, HASH, (HASH, None)),
)
"""Each as it is recorded."""

EVENTS: tuple[Event, ...] = (
    GameCreated(
        game_id="g1",
        variant="crazy-rummy",
        options=("press",),
        house_rules={"packs": 2, "one_card_rule": False, "max_set_size": None, "ace_in_runs": "low"},
        plugins=(PluginRef("crazy-rummy", 1, HASH),),
        seats=4,
        reveal="deal",
        listed=False,
        turn_seconds=60,
        commitment=HASH,
        game_seed=Sealed(0, value=GAME_SEED),
        host_token_hash=HASH,
        teams=(0, 1, 0, 1),
        deals=13,
        entropy="salt",
    ),
    GameForked("g2", "g1", 57, HASH, HASH, Sealed(0, value=GAME_SEED)),
    SeatTaken(1, "Zoë", "bot", "plain", "pepper", HASH),
    SeatLeft(1, removed=True),
    SeatHandedOver(1, "bot", "plain"),
    GameStarted(2, ((SeatCard(0, Card("7H")), SeatCard(1, Card("AC"))),)),
    DealStarted(
        3, 1, 2, HASH, (unsealed_cards(cards("7H 8H")),) * 2, unsealed_cards(cards("2C JK")), Card("KD")
    ),
    WildNamed(1, ("9", "JK")),
    CardDrawn(1, unsealed_card(Card("7H"))),
    DiscardsTaken(1, cards("2C 3C")),
    DrawReturned(1, cards("3C")),
    MeldLaid(1, 2, "set", cards("KH KS 9C"), KINGS),
    CardLaidOff(1, 2, "low", cards("9D"), cards("4H")),
    WildReclaimed(1, 2, Card("4H"), Card("9D"), Card("4H")),
    CardDiscarded(1, Card("2C")),
    TurnPassed(2, "2026-11-29T20:52:00.123Z", "play"),
    StockRenewed(1, True, cards("KD"), unsealed_cards(cards("2C 3C")), HASH),
    DealEnded("went_out", 1),
    DealScored((cards("7H 8H"), ()), (15, -15), 2, (30, 0)),
    PenaltyOffered(1, 12),
    PenaltyAdded(1, 12),
    RulesNoted("press", {"on": True, "times": 2, "who": "all", "seats": [0, 1], "last": None}),
    SeedsRevealed(GAME_SEED, 3, HASH),
    GameEnded((1,), (1, 0), ((0, 1, 45),)),
    GameForked(
        "g2", "g1", 57, HASH, HASH, Sealed(0, value=GAME_SEED), HASH, (HASH, None), "2026-11-29T20:52:00.123Z"
    ),
)
"""Each before its secrets are sealed."""


def commits() -> tuple[Commit, ...]:
    """A commit for every command and then for every event, sealed and hashed; they make no game together."""
    bare = [(command, ()) for command in COMMANDS] + [(Draw("stock"), (event,)) for event in EVENTS]
    return tuple(
        chain.make_commit(
            at="2026-11-29T20:51:00.123Z",
            by="seat:2",
            command=command,
            command_id="key-1",
            events=events,
            game_seed=GAME_SEED,
            prev=HASH,
            version=57,
        )[0]
        for command, events in bare
    )


def snapshot() -> bytes:
    """Canonical bytes of each, a line each."""
    return b"".join(chain.canonical(commit) + b"\n" for commit in commits())
