"""The fold: events make the table, and no rule is asked.

`evolve` is total and ignorant. There is one case per event; an event that does not fit the table raises `Corrupt`
instead of being shrugged off. It works on redacted logs as well, where an unseen card is ``??``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import cast

from msgspec import UnsetType
from msgspec.structs import replace

from meldlog_contracts.cards import HIDDEN, Card, less, without
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
    SeatHandedOver,
    SeatLeft,
    SeatTaken,
    SeedsRevealed,
    StockRenewed,
    TurnPassed,
    WildNamed,
    WildReclaimed,
)
from meldlog_contracts.sealed import cards_of
from meldlog_contracts.table import Deal, Meld, Result, Seat, Table, Turn


class Corrupt(Exception):
    """An event that cannot have happened at this table."""


def fold(log: Iterable[Commit], table: Table | None = None) -> Table:
    """Rebuild a game from its log, or go on from a table."""
    table = table or Table()
    for commit in log:
        table = apply(table, commit)
    return table


def apply(table: Table, commit: Commit) -> Table:
    """The table after one more commit.

    Raises:
        Corrupt: when the commit is not the next one, or an event does not fit.
    """
    if commit.version != table.version + 1:
        raise Corrupt(f"version {commit.version} cannot follow version {table.version}")
    deal = table.deal
    for event in commit.events:
        try:
            # What changes only the deal is put on the table once for all events of a commit.
            move = _MOVES.get(type(event))
            if move is not None:
                deal = move(deal, event)
            else:
                table = _evolve(table if deal is table.deal else replace(table, deal=deal), event)
                deal = table.deal
        except (ValueError, IndexError) as error:
            raise _misfit(event, table, error) from error
    if commit.version == 1:
        return replace(table, version=1, created_at=commit.at)
    return replace(table, deal=deal, version=commit.version)


def evolve(table: Table, event: Event) -> Table:
    """The table after an event.

    Raises:
        Corrupt: when the event does not fit.
    """
    try:
        move = _MOVES.get(type(event))
        return _evolve(table, event) if move is None else replace(table, deal=move(table.deal, event))
    except (ValueError, IndexError) as error:
        raise _misfit(event, table, error) from error


def _misfit(event: Event, table: Table, error: Exception) -> Corrupt:
    return Corrupt(f"{type(event).__name__} does not fit version {table.version}: {error}")


def _evolve(table: Table, event: Event) -> Table:
    deal = table.deal
    match event:
        case MeldLaid():
            return _meld_laid(table, event)
        case CardLaidOff():
            return _card_laid_off(table, event)
        case WildReclaimed():
            return _wild_reclaimed(table, event)
        case DrawReturned(seat, cards):
            turn = replace(deal.turn, phase="draw", taken=(), unused=(), returned=True)
            return replace(
                table,
                deal=replace(
                    deal,
                    discard_pile=deal.discard_pile + cards,
                    hands=_with_hand(deal.hands, seat, without(deal.hands[seat], cards)),
                    turn=turn,
                ),
            )
        case StockRenewed(number, _, kept, sealed):
            if number != deal.renewals + 1 or sealed.count + len(kept) != len(deal.discard_pile):
                raise Corrupt("the new stock does not hold the old discards")
            deal = replace(
                deal,
                discard_pile=kept,
                stock=deal.stock + cards_of(sealed),
                renewals=number,
                idle_renewals=deal.idle_renewals + 1,
            )
            return replace(table, deal=deal)
        case DealStarted():
            return _deal_started(table, event)
        case WildNamed(_, wild):
            wilds = (*table.wilds[: table.deal.number - 1], wild)
            return replace(table, deal=replace(table.deal, wild=wild), wilds=wilds)
        case DealEnded(reason, seat):
            _check(deal.number > 0 and (seat is None or seat < len(table.seats)), "no such deal or seat")
            out = seat if reason == "went_out" else None
            turn = replace(deal.turn, phase="over", deadline=None)
            return replace(table, deal=replace(deal, turn=turn, out=out), outs=(*table.outs, out))
        case DealScored(hands, points, _, totals):
            _check(len(hands) == len(table.seats), "not every hand was counted")
            _check(len(points) == len(totals) == len(table.totals), "not every score was counted")
            deal = replace(table.deal, hands=hands)
            return replace(table, deal=deal, scores=(*table.scores, points), totals=totals)
        case PenaltyOffered(seat, points):
            _check(seat < len(table.seats), f"there is no seat {seat}")
            turn = replace(table.deal.turn, seat=seat, phase="offer")
            return replace(table, offer=(seat, points), deal=replace(table.deal, turn=turn))
        case PenaltyAdded(seat, points):
            side = table.side(seat)
            totals = (*table.totals[:side], table.totals[side] + points, *table.totals[side + 1 :])
            return replace(table, offer=None, totals=totals)
        case RulesNoted(plugin, data):
            return replace(table, notes={**table.notes, plugin: {**table.notes.get(plugin, {}), **data}})
        case SeedsRevealed(game_seed=game_seed):
            return table if game_seed is None else replace(table, game_seed=game_seed)
        case GameEnded(winners, ranking, settlement):
            return replace(table, status="finished", offer=None, result=Result(winners, ranking, settlement))
        case GameStarted(dealer):
            _check(table.status == "open" and dealer < len(table.seats), "the game cannot start so")
            totals = (0,) * table.sides
            deal = Deal(0, dealer, hands=((),) * len(table.seats))
            return replace(table, status="playing", totals=totals, deal=deal)
        case SeatTaken(number, name, kind, strategy, entropy, token_hash):
            team = table.seats[number].team
            _check(table.seats[number].is_empty, f"seat {number} is taken")
            return _with_seat(table, number, Seat(name, kind, strategy, entropy, token_hash, team))
        case SeatLeft(number, removed):
            if removed:
                _check(table.seats[number].is_empty, f"seat {number} is taken")
                return replace(table, seats=table.seats[:number] + table.seats[number + 1 :])
            return _with_seat(table, number, Seat(team=table.seats[number].team))
        case SeatHandedOver(number, kind, strategy):
            # Whoever sat there keeps the name on the score sheet, and loses the say: the old token opens nothing.
            place = replace(table.seats[number], kind=kind, strategy=strategy, token_hash=None)
            return _with_seat(table, number, place)
        case GameCreated():
            _check(table.version == 0 and not table.game_id, "the game exists already")
            return _game_created(event)
        case GameForked(game_id, _, _, _, commitment, sealed):
            seed = sealed.value if isinstance(sealed.value, str) else None
            return replace(table, game_id=game_id, commitment=commitment, game_seed=seed)
        case _:
            raise Corrupt(f"{type(event).__name__} is no event that this release knows")


def _card_discarded(deal: Deal, event: CardDiscarded) -> Deal:
    seat, card = event.seat, event.card
    hand = _less(deal.hands[seat], card)
    return replace(
        deal,
        hands=_with_hand(deal.hands, seat, hand),
        discard_pile=deal.discard_pile + (card,),  # noqa: RUF005 -- twice as fast
        turn=replace(deal.turn, phase="waiting"),
        out=deal.out if hand or deal.out is not None else seat,
    )


def _turn_passed(deal: Deal, event: TurnPassed) -> Deal:
    turn = Turn(event.seat, event.phase, event.deadline, len(deal.hands[event.seat]))
    if event.phase not in ("draw", "play"):
        return replace(deal, turn=turn)
    idle = 0 if deal.turns == 0 or deal.turn.is_progress else deal.idle + 1
    return replace(deal, turn=turn, turns=deal.turns + 1, idle=idle)


def _check(fits: bool, otherwise: str) -> None:
    if not fits:
        raise Corrupt(otherwise)


def _with_hand(
    hands: tuple[tuple[Card, ...], ...], seat: int, hand: tuple[Card, ...]
) -> tuple[tuple[Card, ...], ...]:
    changed = list(hands)
    changed[seat] = hand
    return tuple(changed)


def _with_seat(table: Table, number: int, seat: Seat) -> Table:
    return replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))


def _less(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The hand without one card; where the viewer never saw that card, without an unseen one."""
    left = list(hand)
    try:
        left.remove(card)
    except ValueError:
        left.remove(HIDDEN)
    return tuple(left)


def _card_drawn(deal: Deal, event: CardDrawn) -> Deal:
    stock = deal.stock
    if not stock:
        raise Corrupt("a card was drawn from an empty stock")
    front = stock[0]
    value = event.card.value
    if event.card.count != 1 or isinstance(value, tuple):
        raise Corrupt("one card is drawn at a time")
    card = front if isinstance(value, UnsetType) else Card(value)
    if front != card and front != HIDDEN:  # noqa: PLR1714 -- makes no tuple for every draw
        raise Corrupt(f"{card} was drawn where {front} lay")
    return replace(
        deal,
        stock=stock[1:],
        hands=_with_hand(deal.hands, event.seat, deal.hands[event.seat] + (card,)),
        turn=replace(deal.turn, phase="play", drawn=card),
    )


def _discards_taken(deal: Deal, event: DiscardsTaken) -> Deal:
    cards = event.cards
    if not cards or deal.discard_pile[-len(cards) :] != cards:
        raise Corrupt(f"{' '.join(cards)} does not lie on top of the discard pile")
    return replace(
        deal,
        discard_pile=deal.discard_pile[: -len(cards)],
        hands=_with_hand(deal.hands, event.seat, deal.hands[event.seat] + cards),
        turn=replace(deal.turn, phase="play", taken=cards, unused=cards),
    )


def _first(turns: tuple[int | None, ...], seat: int, turn: int) -> tuple[int | None, ...]:
    return turns if turns[seat] is not None else (*turns[:seat], turn, *turns[seat + 1 :])


def _meld_laid(table: Table, event: MeldLaid) -> Table:
    deal, seat = table.deal, event.seat
    if event.meld != len(deal.melds) + 1:
        raise Corrupt(f"meld {event.meld} cannot be laid beside {len(deal.melds)} melds")
    length = len(event.cards)
    _check(0 < length == len(event.reads_as), "not every card of the meld reads as something")
    hand = without(deal.hands[seat], event.cards)
    meld = Meld(event.meld, event.kind, seat, event.cards, event.reads_as, (seat,) * length, length)
    turn = deal.turn
    deal = replace(
        deal,
        melds=(*deal.melds, meld),
        hands=_with_hand(deal.hands, seat, hand),
        out=deal.out if hand or deal.out is not None else seat,
        laid_at=_first(deal.laid_at, seat, deal.turns),
        acted_at=_first(deal.acted_at, seat, deal.turns),
        idle_renewals=0,
        turn=replace(
            turn,
            laid=(*turn.laid, event.meld),
            reclaimed=less(turn.reclaimed, event.cards),
            unused=less(turn.unused, event.cards),
        ),
    )
    return replace(table, deal=deal)


def _meld(deal: Deal, number: int) -> Meld:
    _check(1 <= number <= len(deal.melds), f"there is no meld {number}")
    return deal.melds[number - 1]


def _with_meld(melds: tuple[Meld, ...], meld: Meld) -> tuple[Meld, ...]:
    return (*melds[: meld.number - 1], meld, *melds[meld.number :])


def _card_laid_off(table: Table, event: CardLaidOff) -> Table:
    deal, seat = table.deal, event.seat
    old = _meld(deal, event.meld)
    _check(0 < len(event.cards) == len(event.reads_as), "not every card laid off reads as something")
    _check((event.end is None) == (old.kind == "set"), "a run has ends and a set has none")
    by = (seat,) * len(event.cards)
    hand = without(deal.hands[seat], event.cards)
    if event.end == "low":
        meld = replace(
            old, cards=event.cards + old.cards, reads_as=event.reads_as + old.reads_as, by=by + old.by
        )
    else:
        meld = replace(
            old, cards=old.cards + event.cards, reads_as=old.reads_as + event.reads_as, by=old.by + by
        )
    turn = deal.turn
    deal = replace(
        deal,
        melds=_with_meld(deal.melds, meld),
        hands=_with_hand(deal.hands, seat, hand),
        out=deal.out if hand or deal.out is not None else seat,
        acted_at=_first(deal.acted_at, seat, deal.turns),
        idle_renewals=0,
        turn=replace(
            turn,
            laid_off=turn.laid_off + event.cards,
            reclaimed=less(turn.reclaimed, event.cards),
            unused=less(turn.unused, event.cards),
        ),
    )
    return replace(table, deal=deal)


def _wild_reclaimed(table: Table, event: WildReclaimed) -> Table:
    deal, seat = table.deal, event.seat
    old = _meld(deal, event.meld)
    standing = list(zip(old.cards, old.reads_as, strict=True))
    place = standing.index((event.wild, event.reads_as))
    meld = replace(
        old,
        cards=(*old.cards[:place], event.card, *old.cards[place + 1 :]),
        reads_as=(*old.reads_as[:place], event.card, *old.reads_as[place + 1 :]),
        # Each card lies before whoever laid it; a natural given for a wild belongs to the wild's owner.
        by=old.by,
    )
    hand = (*without(deal.hands[seat], (event.card,)), event.wild)
    turn = deal.turn
    deal = replace(
        deal,
        melds=_with_meld(deal.melds, meld),
        hands=_with_hand(deal.hands, seat, hand),
        idle_renewals=0,
        turn=replace(
            turn,
            reclaimed=(*turn.reclaimed, event.wild),
            exchanged=(*turn.exchanged, event.card),
            unused=less(turn.unused, (event.card,)),
        ),
    )
    return replace(table, deal=deal)


def _deal_started(table: Table, event: DealStarted) -> Table:
    seats = len(table.seats)
    _check(len(event.hands) == seats, "not every seat was dealt a hand")
    _check(
        event.number == table.deal.number + 1, f"deal {event.number} cannot follow deal {table.deal.number}"
    )
    _check(event.dealer < seats and event.starter < seats, "there is no such seat")
    deal = Deal(
        number=event.number,
        dealer=event.dealer,
        starter=event.starter,
        commitment=event.commitment,
        hands=tuple(cards_of(hand) for hand in event.hands),
        stock=cards_of(event.stock),
        discard_pile=() if event.upcard is None else (event.upcard,),
        turn=Turn(event.starter),
        laid_at=(None,) * seats,
        acted_at=(None,) * seats,
    )
    return replace(table, deal=deal, offer=None)


def _game_created(event: GameCreated) -> Table:
    seed = event.game_seed.value
    teams = event.teams or (None,) * event.seats
    return Table(
        game_id=event.game_id,
        variant=event.variant,
        options=event.options,
        house_rules=dict(event.house_rules),
        plugins=event.plugins,
        seats=tuple(Seat(team=team) for team in teams),
        reveal=event.reveal,
        listed=event.listed,
        turn_seconds=event.turn_seconds,
        deals=event.deals,
        commitment=event.commitment,
        game_seed=seed if isinstance(seed, str) else None,
        host_token_hash=event.host_token_hash,
        host_entropy=event.entropy,
    )


_MOVES = cast(
    "dict[type, Callable[[Deal, Event], Deal]]",
    {
        CardDrawn: _card_drawn,
        CardDiscarded: _card_discarded,
        TurnPassed: _turn_passed,
        DiscardsTaken: _discards_taken,
    },
)
"""The events of an ordinary turn change the deal alone. A `match` costs 35 ns for every case that does not fit."""
