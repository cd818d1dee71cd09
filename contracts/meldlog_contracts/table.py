"""The table: what folding a game's log yields, and all that a rule may look at.

It is made of immutable structs. A viewer's table is the fold of what that viewer was sent, so any card in it may be the
unseen one (``??``). The table knows no rules: it holds consequences that events stated and a few facts about the turn
being played that rules ask for again and again. Nothing in it can hold a cycle, so the collector need not look at it.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from meldlog_contracts.cards import Card

HouseValue = bool | int | str | list[int] | None
"""A house rule's value as it is recorded."""

Status = Literal["open", "playing", "finished"]
Phase = Literal["waiting", "naming_wild", "draw", "play", "lay_off", "offer", "over"]
"""What is awaited: nothing yet, the dealer naming the wild, a draw, table play and a discard, a lay-off after another
player went out, an answer to a penalty offered, or nothing any more."""
MeldKind = Literal["set", "run"]
DealEnd = Literal["went_out", "stock_empty", "no_progress", "discard_refused", "lone_two", "void"]
SeatKind = Literal["player", "bot"]
Reveal = Literal["deal", "game", "never"]


class PluginRef(Struct, frozen=True, gc=False):
    """A plugin of the game's stack as the log records it; ``digest`` is the SHA-256 (hex) of its code."""

    name: str
    rules_version: int
    digest: str


class Seat(Struct, frozen=True, gc=False):
    """One place at the table; ``name`` is None while nobody sits there."""

    name: str | None = None
    kind: SeatKind = "player"
    strategy: str | None = None
    entropy: str | None = None
    token_hash: str | None = None
    team: int | None = None

    @property
    def is_empty(self) -> bool:
        """Whether the seat waits for somebody."""
        return self.name is None


class Meld(Struct, frozen=True, gc=False):
    """A meld on the table, low card first: what each card stands for (``reads_as``), and who laid it (``by``)."""

    number: int
    kind: MeldKind
    owner: int
    cards: tuple[Card, ...]
    reads_as: tuple[Card, ...]
    by: tuple[int, ...]
    laid: int = 0
    """How many cards it had when it was laid."""


class Turn(Struct, frozen=True, gc=False):
    """What has happened in the turn being played."""

    seat: int = 0
    phase: Phase = "waiting"
    deadline: str | None = None
    held: int = 0
    """Cards in the hand when the turn began."""
    drawn: Card | None = None
    """The card drawn from the stock in this turn."""
    taken: tuple[Card, ...] = ()
    """Cards taken from the discard pile in this turn, bottom first."""
    unused: tuple[Card, ...] = ()
    """Discards taken in this turn that are not on the table yet."""
    returned: bool = False
    """Whether a taken discard was put back in this turn."""
    laid: tuple[int, ...] = ()
    """Melds newly laid in this turn, by number."""
    laid_off: tuple[Card, ...] = ()
    """Cards laid off in this turn."""
    reclaimed: tuple[Card, ...] = ()
    """Wilds taken back in this turn that are not on the table again yet."""
    exchanged: tuple[Card, ...] = ()
    """Naturals given for wilds in this turn."""

    @property
    def is_progress(self) -> bool:
        """Whether the turn drew from the stock or changed the table: what the no-progress guard counts."""
        return self.drawn is not None or bool(self.laid or self.laid_off or self.exchanged)


class Deal(Struct, frozen=True, gc=False):
    """One dealing and its play. Number 0 is the deal before the first."""

    number: int = 0
    dealer: int = 0
    starter: int = 0
    commitment: str | None = None
    wild: tuple[str, ...] = ()
    """Ranks that are wild in this deal, and ``JK`` where jokers are."""
    hands: tuple[tuple[Card, ...], ...] = ()
    stock: tuple[Card, ...] = ()
    """Front first: the next card drawn is ``stock[0]``."""
    discard_pile: tuple[Card, ...] = ()
    """Bottom first: the upcard is ``discard_pile[-1]``."""
    melds: tuple[Meld, ...] = ()
    turn: Turn = Turn()
    turns: int = 0
    """Turns begun in this deal, the present one included."""
    idle: int = 0
    """Turns in a row that ended without a stock draw or a table action."""
    laid_at: tuple[int | None, ...] = ()
    """Per seat: the turn in which it first laid a meld of its own."""
    acted_at: tuple[int | None, ...] = ()
    """Per seat: the turn in which it first laid a meld or laid off."""
    shown: tuple[tuple[Card, ...], ...] = ()
    """Per seat: discards and wilds that everybody saw it take, and that it holds still. Empty until one is taken."""
    renewals: int = 0
    """How often the discard pile became the stock."""
    idle_renewals: int = 0
    """How often it did since the last table action."""
    out: int | None = None
    """The seat that went out: the first whose hand was empty."""
    game_seed: str | None = None
    """The seed (hex) that the cards were dealt by, where a fork has given the game another one since."""


class Result(Struct, frozen=True, gc=False):
    """How a game ended; ``settlement`` lists ``[from, to, cents]``."""

    winners: tuple[int, ...]
    ranking: tuple[int, ...]
    """Best first; equal totals stand in seat order."""
    settlement: tuple[tuple[int, int, int], ...] | None = None


class Origin(Struct, frozen=True, gc=False):
    """Where a forked or imported game comes from: a version of another game, and the hash of its commit."""

    game_id: str
    version: int
    head: str


class Table(Struct, frozen=True, gc=False):
    """A game at one version of its log."""

    game_id: str = ""
    version: int = 0
    status: Status = "open"
    created_at: str = ""
    variant: str = ""
    options: tuple[str, ...] = ()
    house_rules: dict[str, HouseValue] = {}
    plugins: tuple[PluginRef, ...] = ()
    seats: tuple[Seat, ...] = ()
    reveal: Reveal = "game"
    listed: bool = True
    turn_seconds: int | None = None
    deals: int | None = None
    """How many deals the game has, where that is fixed."""
    commitment: str = ""
    game_seed: str | None = None
    """Hex; None where the viewer has not been given it."""
    host_token_hash: str | None = None
    host_entropy: str | None = None
    deal: Deal = Deal()
    scores: tuple[tuple[int, ...], ...] = ()
    """Points per deal: per seat, or per side where sides score."""
    totals: tuple[int, ...] = ()
    outs: tuple[int | None, ...] = ()
    """Per ended deal: the seat that went out."""
    wilds: tuple[tuple[str, ...], ...] = ()
    """Per deal: what was wild."""
    offer: tuple[int, int] | None = None
    """A penalty offered and not answered yet: seat and points."""
    notes: dict[str, dict[str, HouseValue]] = {}
    """What plugins asked to be remembered, by plugin."""
    result: Result | None = None
    origin: Origin | None = None
    """What this game goes on from, where it did not begin here."""

    def hand(self, seat: int) -> tuple[Card, ...]:
        """Cards that a seat holds in this deal."""
        return self.deal.hands[seat]

    def has_laid(self, seat: int) -> bool:
        """Whether a seat has laid a meld of its own in this deal."""
        return self.deal.laid_at[seat] is not None

    def had_laid(self, seat: int) -> bool:
        """Whether a seat had laid a meld of its own before this turn."""
        return self.deal.laid_at[seat] not in (None, self.deal.turns)

    def had_acted(self, seat: int) -> bool:
        """Whether a seat had laid a meld or laid off before this turn."""
        return self.deal.acted_at[seat] not in (None, self.deal.turns)

    def meld(self, number: int) -> Meld | None:
        """The meld with this number in the deal, if there is one."""
        melds = self.deal.melds
        return melds[number - 1] if 1 <= number <= len(melds) else None

    def side(self, seat: int) -> int:
        """Index of the seat's score: its team where sides score, else itself."""
        team = self.seats[seat].team
        return seat if team is None else team

    @property
    def sides(self) -> int:
        """How many scores the game keeps."""
        return len({self.side(seat) for seat in range(len(self.seats))})
