"""Commands: what clients ask for. Imperative, tagged by ``type``, recorded in the log as they were understood.

Fields left at their default are not recorded. ``seat`` is given only by those who may act for any seat (the operator,
and the service's clock); a seat's own commands leave it out.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from meldlog_contracts.cards import CARDS_ARE_WRITTEN, RANKS_ARE_WRITTEN, Card
from meldlog_contracts.table import HouseValue, Reveal, SeatKind

Count = Annotated[int, Meta(ge=1, le=1000)]
SeatNumber = Annotated[int, Meta(ge=0, le=63)]
CardText = Annotated[Card, Meta(min_length=2, max_length=2, extra={"hint": CARDS_ARE_WRITTEN})]
CardList = Annotated[tuple[CardText, ...], Meta(max_length=128)]
Name = Annotated[str, Meta(min_length=1, max_length=64)]
Entropy = Annotated[
    str,
    Meta(
        max_length=255,
        pattern=r"^[^|\x00-\x1f]*$",
        extra={"hint": "entropy is text without a bar (|) and without control characters"},
    ),
]
"""Public text mixed into every shuffle; the bar joins the seats' texts, so it can't be inside one."""


class Asked(
    Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True, forbid_unknown_fields=True
):
    """What every command of a seat may carry."""

    seat: SeatNumber | None = None


class NameWild(Asked, frozen=True, tag="name_wild"):
    """The dealer names the wild rank of the deal."""

    rank: Annotated[str, Meta(min_length=1, max_length=2, extra={"hint": RANKS_ARE_WRITTEN})]


class Draw(Asked, frozen=True, tag="draw"):
    """Draw the front card of the stock, or ``count`` cards from the top of the discard pile."""

    source: Literal["stock", "discard"]
    count: Count = 1


class LayMeld(Asked, frozen=True, tag="lay_meld"):
    """Lay a new meld; ``reads_as`` says card by card what each stands for."""

    cards: CardList
    reads_as: CardList | None = None


class LayOff(Asked, frozen=True, tag="lay_off"):
    """Add cards to a meld on the table; ``end`` and ``reads_as`` say where, where more than one place is possible."""

    meld: Count
    cards: CardList
    reads_as: CardList | None = None
    end: Literal["low", "high"] | None = None


class Reclaim(Asked, frozen=True, tag="reclaim"):
    """Lay the natural ``card`` in a meld and take the wild (``for``) that stands in its place."""

    meld: Count
    card: CardText
    wild: CardText = field(name="for")


class Discard(Asked, frozen=True, tag="discard"):
    """Put a card on the discard pile, which ends the turn."""

    card: CardText


class DeclineDiscard(Asked, frozen=True, tag="decline_discard"):
    """Refuse the upcard when the stock is empty."""


class AddPenalty(Asked, frozen=True, tag="add_penalty"):
    """Take the penalty points that were offered."""

    points: Annotated[int, Meta(ge=1, le=1_000_000)]


class Decline(Asked, frozen=True, tag="decline"):
    """Turn down what was offered."""


class ReturnDraw(Asked, frozen=True, tag="return_draw"):
    """Put the discard just taken back."""


class Resign(Asked, frozen=True, tag="resign"):
    """Give one's hand to a bot for the rest of the game."""


class StartGame(Asked, frozen=True, tag="start_game"):
    """Start the game with the people and bots that sit there."""


PlayCommand = (
    NameWild
    | Draw
    | LayMeld
    | LayOff
    | Reclaim
    | Discard
    | DeclineDiscard
    | AddPenalty
    | Decline
    | ReturnDraw
)
"""What a seat may ask for while a deal is played."""
GameCommand = PlayCommand | Resign | StartGame
"""What may be posted to a game's commands, alone or in a list."""


class Batch(Struct, frozen=True, tag_field="type", tag="batch", forbid_unknown_fields=True):
    """A list of commands: all or nothing, one commit."""

    commands: Annotated[tuple[GameCommand, ...], Meta(min_length=1, max_length=64)]


class CreateGame(Struct, frozen=True, tag_field="type", tag="create_game", omit_defaults=True):
    """Create a game. The hash of the host's token is public; the token never comes here."""

    game_id: str
    variant: str
    seats: int
    host_token_hash: str
    house_rules: dict[str, HouseValue] = {}
    options: tuple[str, ...] = ()
    bots: dict[str, str] = {}
    """Strategy by seat number."""
    listed: bool = True
    turn_seconds: int | None = None
    reveal: Reveal = "game"
    entropy: str | None = None
    """Of the host, carried by the bots that the host seats."""


class ForkGame(Struct, frozen=True, tag_field="type", tag="fork_game", omit_defaults=True):
    """Go on from a version of a game as a new game. Its log begins with that game's commits; its tokens are its own."""

    game_id: str
    """Of the new game."""
    at: int
    """The version to go on from: the last of the commits that are taken over."""
    host_token_hash: str
    seat_token_hashes: tuple[str | None, ...] = ()
    """Per seat; None where nobody sits, or a bot."""


class TakeSeat(Struct, frozen=True, tag_field="type", tag="take_seat", omit_defaults=True):
    """Sit down; ``token_hash`` is None for a bot."""

    seat: int
    name: str
    kind: SeatKind = "player"
    strategy: str | None = None
    entropy: str | None = None
    token_hash: str | None = None


class LeaveSeat(Struct, frozen=True, tag_field="type", tag="leave_seat", omit_defaults=True):
    """Stand up before the start; with ``remove`` the host takes an empty seat away from the table."""

    seat: int
    remove: bool = False


class HandOverSeat(Struct, frozen=True, tag_field="type", tag="hand_over_seat", omit_defaults=True):
    """Give a seat to a bot for the rest of the game."""

    seat: int
    strategy: str


LobbyCommand = CreateGame | ForkGame | TakeSeat | LeaveSeat | HandOverSeat
Command = GameCommand | Batch | LobbyCommand
"""Everything a commit can have as its command."""
