"""What a viewer may see: of the log, and of the table.

A viewer is a seat's number, `SPECTATOR` or `OPERATOR`. Hiding happens here and nowhere else, and every read goes
through it.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from meldlog_contracts.cards import HIDDEN, Card
from meldlog_contracts.events import (
    SECRETIVE,
    CardDrawn,
    Commit,
    DealStarted,
    Event,
    GameCreated,
    GameForked,
    StockRenewed,
)
from meldlog_contracts.table import HouseValue, MeldKind, Phase, SeatKind, Status, Table

Viewer = int | Literal["spectator", "operator"]
SPECTATOR: Final = "spectator"
OPERATOR: Final = "operator"


def redact_event(event: Event, viewer: Viewer) -> Event:
    """The event with every secret closed that the viewer may not open."""
    if viewer == OPERATOR or type(event) not in SECRETIVE:
        return event
    if isinstance(event, CardDrawn):
        return event if event.seat == viewer else CardDrawn(event.seat, event.card.closed())
    if isinstance(event, DealStarted):
        hands = tuple(hand if seat == viewer else hand.closed() for seat, hand in enumerate(event.hands))
        return replace(event, hands=hands, stock=event.stock.closed())
    if isinstance(event, StockRenewed):
        return replace(event, stock=event.stock.closed())
    if isinstance(event, (GameCreated, GameForked)):
        return replace(event, game_seed=event.game_seed.closed())
    return event


def redact(commit: Commit, viewer: Viewer) -> Commit:
    """The commit as the viewer is sent it: salts and values dropped, nothing else changed."""
    if viewer == OPERATOR:
        return commit
    return replace(commit, events=tuple([redact_event(event, viewer) for event in commit.events]))


def conceal(table: Table, seat: int) -> Table:
    """The table as a seat knows it: other hands and the stock are unseen cards. What `moves` and bots are given."""
    deal = table.deal
    hands = tuple(hand if one == seat else (HIDDEN,) * len(hand) for one, hand in enumerate(deal.hands))
    turn = deal.turn
    if turn.seat != seat and turn.drawn is not None:
        turn = replace(turn, drawn=HIDDEN)
    deal = replace(deal, hands=hands, stock=(HIDDEN,) * len(deal.stock), turn=turn, game_seed=None)
    return replace(table, deal=deal, game_seed=None)


class SeatView(Struct, frozen=True):
    """A seat as a viewer sees it; ``hand`` only where the viewer may see it."""

    seat: int
    name: str | None
    kind: SeatKind
    team: int | None
    hand_count: int
    has_laid: bool
    total: int
    strategy: str | None = None
    hand: tuple[Card, ...] | UnsetType = UNSET


class MeldCardView(Struct, frozen=True):
    """A card of a meld, what it stands for, and who laid it."""

    card: Card
    reads_as: Card
    by: int


class MeldView(Struct, frozen=True):
    """A meld on the table."""

    meld: int
    kind: MeldKind
    owner: int
    cards: tuple[MeldCardView, ...]


class OfferView(Struct, frozen=True):
    """A penalty offered."""

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
    melds: tuple[MeldView, ...]
    offer: OfferView | None


class ResultView(Struct, frozen=True):
    """How the game ended."""

    winners: tuple[int, ...]
    ranking: tuple[int, ...]
    settlement: tuple[tuple[int, int, int], ...] | None


class OriginView(Struct, frozen=True):
    """The game, version and hash that a forked or imported game goes on from."""

    game_id: str
    version: int
    head: str


class TableView(Struct, frozen=True):
    """The table, as seen by a viewer."""

    game_id: str
    version: int
    status: Status
    variant: str
    options: tuple[str, ...]
    house_rules: dict[str, HouseValue]
    listed: bool
    reveal: str
    turn_seconds: int | None
    commitment: str
    created_at: str
    origin: OriginView | None
    seats: tuple[SeatView, ...]
    deal: DealView | None
    scores: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    result: ResultView | None


def view(table: Table, viewer: Viewer, *, open_hands: bool = False) -> TableView:
    """The table for a viewer.

    Every hand is shown to the operator, and to all once the game is over (``open_hands`` says so for an earlier version
    of a game that is over by now, and that did not promise never to reveal anything).
    """
    everything = viewer == OPERATOR or (open_hands and table.reveal != "never") or table.status == "finished"
    playing = table.deal.number > 0
    seats = tuple(
        SeatView(
            seat=number,
            name=seat.name,
            kind=seat.kind,
            team=seat.team,
            hand_count=len(table.deal.hands[number]) if playing else 0,
            has_laid=playing and table.has_laid(number),
            total=table.totals[table.side(number)] if table.totals else 0,
            strategy=seat.strategy,
            hand=table.deal.hands[number] if playing and (everything or viewer == number) else UNSET,
        )
        for number, seat in enumerate(table.seats)
    )
    result, origin = table.result, table.origin
    return TableView(
        game_id=table.game_id,
        version=table.version,
        status=table.status,
        variant=table.variant,
        options=table.options,
        house_rules=table.house_rules,
        listed=table.listed,
        reveal=table.reveal,
        turn_seconds=table.turn_seconds,
        commitment=table.commitment,
        created_at=table.created_at,
        origin=None if origin is None else OriginView(origin.game_id, origin.version, origin.head),
        seats=seats,
        deal=_deal_view(table) if playing else None,
        scores=table.scores,
        totals=table.totals,
        result=None if result is None else ResultView(result.winners, result.ranking, result.settlement),
    )


def _deal_view(table: Table) -> DealView:
    deal = table.deal
    return DealView(
        number=deal.number,
        of=table.deals,
        dealer=deal.dealer,
        starter=deal.starter,
        wild=deal.wild,
        phase=deal.turn.phase,
        turn=deal.turn.seat if table.status == "playing" else None,
        deadline=deal.turn.deadline,
        stock_count=len(deal.stock),
        discard_pile=deal.discard_pile,
        melds=tuple(
            MeldView(
                meld.number,
                meld.kind,
                meld.owner,
                tuple(
                    MeldCardView(card, meaning, by)
                    for card, meaning, by in zip(meld.cards, meld.reads_as, meld.by, strict=True)
                ),
            )
            for meld in deal.melds
        ),
        offer=None if table.offer is None else OfferView(*table.offer),
    )
