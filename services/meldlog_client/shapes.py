"""What the service answers, as typed structs; fields that this release does not know are passed over.

Cards are two characters of text, seats are numbered from 0, deals and melds from 1. Commands, events and commits are
those of `meldlog_contracts`.
"""

from typing import Literal, TypeAlias

from msgspec import UNSET, Raw, Struct, UnsetType

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import Command, PlayCommand
from meldlog_contracts.events import Event
from meldlog_contracts.table import HouseValue, MeldKind, Phase, Reveal, SeatKind, Status

Verdict: TypeAlias = Literal["agrees", "differs", "cannot_judge"]
Language: TypeAlias = Literal["en", "fr", "fa", "ar"]


class Created(Struct, frozen=True):
    """A new game, and the token that starts it and seats bots: it is told only here."""

    game_id: str
    host_token: str
    version: int


class Seated(Struct, frozen=True):
    """A seat taken, and the token that plays it: it is told only here."""

    seat: int
    seat_token: str
    version: int


class SeatView(Struct, frozen=True):
    """A seat; ``hand`` is there only where the caller may see it, ``strategy`` only where a bot sits."""

    seat: int
    name: str | None
    kind: SeatKind
    team: int | None
    hand_count: int
    has_laid: bool
    total: int
    strategy: str | None = None
    hand: tuple[Card, ...] | UnsetType = UNSET


class MeldCard(Struct, frozen=True):
    """A card of a meld, what it stands for, and the seat that laid it."""

    card: Card
    reads_as: Card
    by: int


class MeldView(Struct, frozen=True):
    """A meld on the table, low card first."""

    meld: int
    kind: MeldKind
    owner: int
    cards: tuple[MeldCard, ...]


class Offer(Struct, frozen=True):
    """A penalty that a seat may give the others."""

    seat: int
    points: int


class DealView(Struct, frozen=True):
    """The deal being played; ``of`` is how many deals the game has, where that is fixed."""

    number: int
    of: int | None
    dealer: int
    starter: int
    wild: tuple[str, ...]
    phase: Phase
    turn: int | None
    deadline: str | None
    stock_count: int
    discard_pile: tuple[Card, ...]
    """Bottom first: the upcard is the last."""
    melds: tuple[MeldView, ...]
    offer: Offer | None


class Result(Struct, frozen=True):
    """How a game ended; ``settlement`` lists ``[from, to, cents]``."""

    winners: tuple[int, ...]
    ranking: tuple[int, ...]
    settlement: tuple[tuple[int, int, int], ...] | None


class Origin(Struct, frozen=True):
    """The game, version and hash that a forked or imported game goes on from."""

    game_id: str
    version: int
    head: str


class TableView(Struct, frozen=True):
    """The table as the caller may see it at one version."""

    game_id: str
    version: int
    status: Status
    variant: str
    options: tuple[str, ...]
    house_rules: dict[str, HouseValue]
    listed: bool
    reveal: Reveal
    turn_seconds: int | None
    commitment: str
    """SHA-256 of the seed that the game goes by; a fork or an import has one of its own."""
    created_at: str
    origin: Origin | None
    seats: tuple[SeatView, ...]
    deal: DealView | None
    scores: tuple[tuple[int, ...], ...]
    """Points per deal: per seat, or per side where sides score."""
    totals: tuple[int, ...]
    result: Result | None


class SeatSummary(Struct, frozen=True):
    """Who sits where, in the list of games; ``name`` is None while nobody does."""

    seat: int
    name: str | None
    kind: SeatKind


class GameSummary(Struct, frozen=True):
    """A game in the list."""

    game_id: str
    version: int
    status: Status
    variant: str
    options: tuple[str, ...]
    seats: tuple[SeatSummary, ...]
    listed: bool
    turn_seconds: int | None
    created_at: str
    deal: int
    """Number of the deal being played; 0 before the first."""
    of: int | None
    """How many deals the game has, where that is fixed."""
    totals: tuple[int, ...]
    winners: tuple[int, ...] | None
    updated_at: str
    """When its last command was given."""


class GamePage(Struct, frozen=True):
    """Games, newest first; ``next_cursor`` is None on the last page."""

    items: tuple[GameSummary, ...]
    next_cursor: str | None


class Begun(TableView, frozen=True, kw_only=True):
    """A game that goes on from the past of another, and its tokens, told only here."""

    host_token: str
    seat_tokens: dict[int, str]
    """By seat; bots and empty seats have none."""


class Moves(Struct, frozen=True):
    """Every legal command of the caller's seat now, ready to be sent."""

    version: int
    seat: int
    moves: tuple[PlayCommand, ...]
    truncated: bool


class Answer(Struct, frozen=True):
    """What a command caused, as the caller may see it; ``replayed`` when its key was known already."""

    version: int
    events: tuple[Event, ...]
    replayed: bool


class Check(Struct, frozen=True):
    """One thing that an audit looked at, and the first version where it failed."""

    name: str
    verdict: Verdict
    detail: str | None = None
    version: int | None = None


class Change(Struct, frozen=True):
    """One place of a table (a JSON pointer), as it was recorded and as it is decided."""

    pointer: str
    recorded: Raw
    decided: Raw


class Difference(Struct, frozen=True):
    """The first command that is decided otherwise than it was recorded.

    Where it is refused now, ``code``, ``rule`` (the clause) and ``detail`` say why, and nothing is decided.
    """

    version: int
    by: str
    command: Command
    recorded: tuple[Event, ...]
    decided: tuple[Event, ...]
    table: tuple[Change, ...]
    code: str | None = None
    rule: str | None = None
    detail: str | None = None


class Audit(Struct, frozen=True):
    """Whether every recorded command would be decided in the same way again."""

    verdict: Verdict
    version: int
    checks: tuple[Check, ...]
    difference: Difference | None = None


class Reading(Struct, frozen=True):
    """One thing that cards could be."""

    kind: MeldKind
    reads_as: tuple[Card, ...]


class Refusal(Struct, frozen=True):
    """Why cards can be nothing, or cannot be laid off."""

    code: str
    rule: str | None
    detail: str


class Judgement(Struct, frozen=True):
    """What cards could be; a refusal where they could be nothing."""

    readings: tuple[Reading, ...]
    refusal: Refusal | None


class MeldOnTable(Struct, frozen=True):
    """A meld to ask about: what lies there, and what each card stands for."""

    cards: tuple[Card, ...]
    reads_as: tuple[Card, ...]


class HouseRule(Struct, frozen=True):
    """A house rule that a game may be created with: ``schema`` is the JSON Schema of its values."""

    name: str
    title: str
    schema: dict[str, object]
    default: HouseValue


class VariantSummary(Struct, frozen=True):
    """One thing installed: a variant, an option or a small rule, with the house rules that it has."""

    name: str
    title: str
    players: tuple[int, int] | None
    """Least and most seats; None for what is no variant."""
    options: tuple[HouseRule, ...]


class Variants(Struct, frozen=True):
    """What is installed."""

    items: tuple[VariantSummary, ...]


class ClauseText(Struct, frozen=True):
    """One sentence of a rule sheet in the language that was asked for."""

    id: str
    text: str


class RuleSheet(Struct, frozen=True):
    """The merged house rules of a variant, and its rules in words."""

    name: str
    title: str
    house_rules: dict[str, HouseValue]
    clauses: tuple[ClauseText, ...]
