"""The fold: events make the table, and no rule is asked.

`evolve` is total and ignorant. There is one case per event; an event that does not fit the table raises `Corrupt`
instead of being shrugged off. It works on redacted logs as well, where an unseen card is ``??``.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from meldlog_contracts.events import (
    Commit,
    DealEnded,
    DealScored,
    DealStarted,
    Event,
    GameCreated,
    GameEnded,
    GameForked,
    GameStarted,
    PenaltyAdded,
    PenaltyOffered,
    RulesNoted,
    SeatHandedOver,
    SeatLeft,
    SeatTaken,
    SeedsRevealed,
    WildNamed,
)
from meldlog_contracts.sealed import cards_of
from meldlog_contracts.table import Deal, Origin, Result, Seat, Table, Turn
from meldlog_service.core.turn_fold import TURN_FOLDS, Corrupt, check

__all__ = ["Corrupt", "apply", "evolve", "fold"]

MOST_SEATS = 64
"""Of any table."""


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
    game_id, deal = table.game_id, table.deal
    for event in commit.events:
        try:
            # What changes only the deal is put on the table once for all events of a commit.
            folded = TURN_FOLDS.get(type(event))
            if folded is not None:
                deal = folded(deal, event)
            else:
                table = _evolve(table if deal is table.deal else replace(table, deal=deal), event)
                deal = table.deal
        except (Corrupt, ValueError, IndexError) as error:
            raise _misfit(event, table, error) from error
    if table.game_id is not game_id:  # created, or forked
        return replace(table, deal=deal, version=commit.version, created_at=commit.at)
    return replace(table, deal=deal, version=commit.version)


def evolve(table: Table, event: Event) -> Table:
    """The table after an event.

    Raises:
        Corrupt: when the event does not fit.
    """
    try:
        folded = TURN_FOLDS.get(type(event))
        return _evolve(table, event) if folded is None else replace(table, deal=folded(table.deal, event))
    except (Corrupt, ValueError, IndexError) as error:
        raise _misfit(event, table, error) from error


def _misfit(event: Event, table: Table, error: Exception) -> Corrupt:
    """Which event does not fit where, in words of the game: what Python says of it is for nobody who reads a log."""
    if isinstance(error, Corrupt):
        why = str(error)
    elif isinstance(error, IndexError):
        seat = getattr(event, "seat", None)
        why = "it names a seat that is not there" if seat is None else f"there is no seat {seat}"
    else:
        why = "what it says does not belong together"
    return Corrupt(f"the event {_name(event)} does not fit version {table.version}: {why}")


def _name(event: object) -> str:
    """As it stands in the log."""
    config = getattr(event, "__struct_config__", None)
    return type(event).__name__ if config is None else str(config.tag)


def _evolve(table: Table, event: Event) -> Table:
    deal = table.deal
    match event:
        case DealStarted():
            return _deal_started(table, event)
        case WildNamed(_, wild):
            wilds = (*table.wilds[: table.deal.number - 1], wild)
            return replace(table, deal=replace(table.deal, wild=wild), wilds=wilds)
        case DealEnded(reason, seat):
            check(deal.number > 0 and (seat is None or seat < len(table.seats)), "no such deal or seat")
            out = seat if reason == "went_out" else None
            turn = replace(deal.turn, phase="over", deadline=None)
            return replace(table, deal=replace(deal, turn=turn, out=out), outs=(*table.outs, out))
        case DealScored(hands, points, _, totals):
            check(len(hands) == len(table.seats), "not every hand was counted")
            check(len(points) == len(totals) == len(table.totals), "not every score was counted")
            deal = replace(table.deal, hands=hands)
            return replace(table, deal=deal, scores=(*table.scores, points), totals=totals)
        case PenaltyOffered(seat, points):
            check(seat < len(table.seats), f"there is no seat {seat}")
            # What was drawn in the turn before is not for the eyes of whoever is offered points.
            turn = replace(table.deal.turn, seat=seat, phase="offer", drawn=None)
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
            check(table.status == "open" and dealer < len(table.seats), "the game cannot start so")
            totals = (0,) * table.sides
            deal = Deal(0, dealer, hands=((),) * len(table.seats))
            return replace(table, status="playing", totals=totals, deal=deal)
        case SeatTaken(number, name, kind, strategy, entropy, token_hash):
            team = table.seats[number].team
            check(table.seats[number].is_empty, f"seat {number} is taken")
            return _with_seat(table, number, Seat(name, kind, strategy, entropy, token_hash, team))
        case SeatLeft(number, removed):
            if removed:
                check(table.seats[number].is_empty, f"seat {number} is taken")
                return replace(table, seats=table.seats[:number] + table.seats[number + 1 :])
            return _with_seat(table, number, Seat(team=table.seats[number].team))
        case SeatHandedOver(number, kind, strategy):
            # Whoever sat there keeps the name on the score sheet, and loses the say: the old token opens nothing.
            place = replace(table.seats[number], kind=kind, strategy=strategy, token_hash=None)
            return _with_seat(table, number, place)
        case GameCreated():
            check(table.version == 0 and not table.game_id, "the game exists already")
            return _game_created(event)
        case GameForked():
            return _game_forked(table, event)
        case _:
            raise Corrupt(f"{type(event).__name__} is no event that this release knows")


def _with_seat(table: Table, number: int, seat: Seat) -> Table:
    return replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))


def _deal_started(table: Table, event: DealStarted) -> Table:
    seats = len(table.seats)
    check(len(event.hands) == seats, "not every seat was dealt a hand")
    check(
        event.number == table.deal.number + 1, f"deal {event.number} cannot follow deal {table.deal.number}"
    )
    check(event.dealer < seats and event.starter < seats, "there is no such seat")
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
    check(1 <= event.seats <= MOST_SEATS, f"nobody plays at {event.seats} seats")
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


def _game_forked(table: Table, event: GameForked) -> Table:
    check(event.from_game == table.game_id, f"this is game {table.game_id}, not game {event.from_game}")
    check(event.version == table.version, f"this is version {table.version}, not version {event.version}")
    # Whoever held a token of the old game is nobody here.
    hashes = event.seat_token_hashes or (None,) * len(table.seats)
    check(len(hashes) == len(table.seats), "not every seat was given a token, or none")
    seed, deal = event.game_seed.value, table.deal
    if deal.number:
        turn = replace(deal.turn, deadline=event.deadline)
        deal = replace(deal, turn=turn, game_seed=deal.game_seed or table.game_seed)
    return replace(
        table,
        game_id=event.game_id,
        commitment=event.commitment,
        game_seed=seed if isinstance(seed, str) else None,
        host_token_hash=event.host_token_hash,
        seats=tuple(
            replace(seat, token_hash=token_hash) for seat, token_hash in zip(table.seats, hashes, strict=True)
        ),
        deal=deal,
        origin=Origin(event.from_game, event.version, event.head),
    )
