"""Events: what happened. Past tense, tagged by ``type``, stating consequences and never reasons.

These names are the storage format: a tag or a field is never renamed and never changes its meaning; new fields have
defaults (log format, *Events*). Fields of type `Sealed` are secrets; who may open them follows from what they are.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import Command
from meldlog_contracts.sealed import Sealed
from meldlog_contracts.table import DealEnd, HouseValue, MeldKind, Phase, PluginRef, Reveal, SeatKind

SCHEMA = 1
"""Version of the stored shapes below."""
Place = Annotated[int, Meta(ge=0)]
"""A seat's number, from 0."""
Number = Annotated[int, Meta(ge=1)]
"""A meld's, deal's or version's number, from 1."""


class Happened(Struct, frozen=True, gc=False, tag_field="type", omit_defaults=True):
    """What every event is.

    A field with a default is not written while it has that value: a field added later leaves the bytes, and so the
    hashes, of every older commit as they are.
    """


class SeatCard(Struct, frozen=True, gc=False):
    """A card turned up for a seat in the draw for the first dealer."""

    seat: Place
    card: Card


class GameCreated(Happened, frozen=True, gc=False, tag="game_created"):
    """A game with its merged house rules and the plugins it is played by to its end."""

    game_id: str
    variant: str
    options: tuple[str, ...]
    house_rules: dict[str, HouseValue]
    plugins: tuple[PluginRef, ...]
    seats: int
    reveal: Reveal
    listed: bool
    turn_seconds: int | None
    commitment: str
    game_seed: Sealed
    host_token_hash: str
    teams: tuple[int, ...] | None = None
    deals: int | None = None
    entropy: str | None = None


class GameForked(Happened, frozen=True, gc=False, tag="game_forked"):
    """A new game that goes on from another game's version, with chance of its own.

    ``head`` is the hash of the commit that it goes on from. No token of the old game opens anything in the new one.
    """

    game_id: str
    from_game: str = field(name="from")
    version: int
    head: str
    commitment: str
    game_seed: Sealed
    host_token_hash: str | None = None
    seat_token_hashes: tuple[str | None, ...] = ()
    deadline: str | None = None
    """Until when the turn that is being played must be over: the old game's time is not the new one's."""


class SeatTaken(Happened, frozen=True, gc=False, tag="seat_taken"):
    """Somebody sat down."""

    seat: Place
    name: str
    kind: SeatKind
    strategy: str | None
    entropy: str | None
    token_hash: str | None


class SeatLeft(Happened, frozen=True, gc=False, tag="seat_left"):
    """A seat is empty again, or (``removed``) gone: the seats after it move down by one."""

    seat: Place
    removed: bool = False


class SeatHandedOver(Happened, frozen=True, gc=False, tag="seat_handed_over"):
    """A bot plays this seat from now on."""

    seat: Place
    kind: SeatKind
    strategy: str | None


class GameStarted(Happened, frozen=True, gc=False, tag="game_started"):
    """Who deals first, and the cards drawn for it, round by round."""

    dealer: Place
    draws: tuple[tuple[SeatCard, ...], ...]


class DealStarted(Happened, frozen=True, gc=False, tag="deal_started"):
    """Cards are dealt: each hand sealed for its seat, the stock for nobody (front first)."""

    number: Number
    dealer: Place
    starter: Place
    commitment: str
    hands: tuple[Sealed, ...]
    stock: Sealed
    upcard: Card | None


class WildNamed(Happened, frozen=True, gc=False, tag="wild_named"):
    """What is wild in this deal; ``seat`` only where a dealer chose."""

    seat: Place | None
    wild: tuple[str, ...]


class CardDrawn(Happened, frozen=True, gc=False, tag="card_drawn"):
    """The front card of the stock went to a hand."""

    seat: Place
    card: Sealed


class DiscardsTaken(Happened, frozen=True, gc=False, tag="discards_taken"):
    """The top cards of the discard pile went to a hand (bottom first)."""

    seat: Place
    cards: tuple[Card, ...]


class DrawReturned(Happened, frozen=True, gc=False, tag="draw_returned"):
    """Discards taken in this turn went back to the pile."""

    seat: Place
    cards: tuple[Card, ...]


class MeldLaid(Happened, frozen=True, gc=False, tag="meld_laid"):
    """A new meld lies on the table."""

    seat: Place
    meld: Number
    kind: MeldKind
    cards: tuple[Card, ...]
    reads_as: tuple[Card, ...]


class CardLaidOff(Happened, frozen=True, gc=False, tag="card_laid_off"):
    """Cards were added to a meld: at an end of a run, or (``end`` null) to a set."""

    seat: Place
    meld: Number
    end: Literal["low", "high"] | None
    cards: tuple[Card, ...]
    reads_as: tuple[Card, ...]


class WildReclaimed(Happened, frozen=True, gc=False, tag="wild_reclaimed"):
    """A natural took the place of a wild, which went to the hand; ``reads_as`` is what the wild stood for."""

    seat: Place
    meld: Number
    card: Card
    wild: Card
    reads_as: Card


class CardDiscarded(Happened, frozen=True, gc=False, tag="card_discarded"):
    """A card went to the top of the discard pile."""

    seat: Place
    card: Card


class TurnPassed(Happened, frozen=True, gc=False, tag="turn_passed"):
    """Who is next, what is awaited, and until when."""

    seat: Place
    deadline: str | None
    phase: Phase = "draw"


class StockRenewed(Happened, frozen=True, gc=False, tag="stock_renewed"):
    """The discard pile became the stock for the ``number``-th time in this deal; ``kept`` stays lying."""

    number: Number
    shuffled: bool
    kept: tuple[Card, ...]
    stock: Sealed
    commitment: str | None


class DealEnded(Happened, frozen=True, gc=False, tag="deal_ended"):
    """Play of the deal is over; ``seat`` is the one that ended it, where one did."""

    reason: DealEnd
    seat: Place | None


class DealScored(Happened, frozen=True, gc=False, tag="deal_scored"):
    """All hands are open and counted; points and totals per seat, or per side where sides score."""

    hands: tuple[tuple[Card, ...], ...]
    points: tuple[int, ...]
    multiplier: int
    totals: tuple[int, ...]


class PenaltyOffered(Happened, frozen=True, gc=False, tag="penalty_offered"):
    """A seat may add points to its own total."""

    seat: Place
    points: int


class PenaltyAdded(Happened, frozen=True, gc=False, tag="penalty_added"):
    """Points were added to a total outside the counting of hands."""

    seat: Place
    points: int


class RulesNoted(Happened, frozen=True, gc=False, tag="rules_noted"):
    """What a plugin must remember and no other event says."""

    plugin: str
    data: dict[str, HouseValue]


class SeedsRevealed(Happened, frozen=True, gc=False, tag="seeds_revealed"):
    """Seeds made public, so that anybody can redo the shuffles: the game's, or one deal's."""

    game_seed: str | None = None
    deal: int | None = None
    deal_seed: str | None = None


class GameEnded(Happened, frozen=True, gc=False, tag="game_ended"):
    """The game is over."""

    winners: tuple[int, ...]
    ranking: tuple[int, ...]
    settlement: tuple[tuple[int, int, int], ...] | None


Event = (
    CardDrawn
    | CardDiscarded
    | TurnPassed
    | DiscardsTaken
    | MeldLaid
    | CardLaidOff
    | WildReclaimed
    | DrawReturned
    | StockRenewed
    | DealStarted
    | WildNamed
    | DealEnded
    | DealScored
    | PenaltyOffered
    | PenaltyAdded
    | RulesNoted
    | SeedsRevealed
    | GameEnded
    | GameStarted
    | SeatTaken
    | SeatLeft
    | SeatHandedOver
    | GameCreated
    | GameForked
)
"""Everything that can happen. Plugins choose among these and cannot add one."""

SECRETIVE: frozenset[type] = frozenset({CardDrawn, DealStarted, StockRenewed, GameCreated, GameForked})
"""Events that hold something sealed."""


class Commit(Struct, frozen=True, gc=False):
    """One accepted command and what it caused: one entry of the stream.

    ``hash`` is the SHA-256 of the canonical JSON of the commit without ``hash`` and with every sealed value closed;
    ``prev`` is the hash of the version before, in version 1 the SHA-256 of the game id.
    """

    at: str
    by: str
    command: Command
    command_id: str
    events: tuple[Event, ...]
    hash: str
    prev: str
    schema: int
    version: int
