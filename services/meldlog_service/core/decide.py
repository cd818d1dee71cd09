"""The one place where a command becomes events, or is refused.

Pure: the clock and the seed of a new game come in with the context, everything random follows from the seed. The same
arguments always decide the same events, byte for byte, which is what an audit checks.
"""

from __future__ import annotations

from typing import NamedTuple

from meldlog_contracts.commands import (
    Batch,
    Command,
    CreateGame,
    ForkGame,
    GameCommand,
    HandOverSeat,
    LeaveSeat,
    Resign,
    StartGame,
    TakeSeat,
)
from meldlog_contracts.events import CardDrawn, DealStarted, Event
from meldlog_contracts.problems import Fault, Refused
from meldlog_contracts.table import Table
from meldlog_service.core import lobby, turns
from meldlog_service.core.context import Context
from meldlog_service.core.draft import Draft
from meldlog_service.core.ruleset import Ruleset

_SEATS = {f"seat:{number}": number for number in range(64)}


class Decision(NamedTuple):
    """Events (their secrets not sealed yet) and the table after them, still at the version before."""

    events: tuple[Event, ...]
    table: Table


def decide(command: Command, by: str, table: Table, rules: Ruleset, context: Context) -> Decision:
    """Judge a command at a table.

    ``by`` is ``seat:<n>``, ``host``, ``operator`` or ``service``; the last two act for any seat that the command names.

    Raises:
        Refused: when the command may not be; nothing has happened then.
    """
    draft = Draft(table, rules, context)
    match command:
        case CreateGame():
            lobby.create(draft, command)
        case ForkGame():
            lobby.fork(draft, command)
        case TakeSeat():
            lobby.take(draft, command, by)
        case LeaveSeat():
            lobby.leave(draft, command, by)
        case HandOverSeat():
            lobby.hand_over(draft, command, command.seat)
        case Batch(commands):
            for place, one in enumerate(commands):
                following = commands[place + 1] if place + 1 < len(commands) else None
                decided = len(draft.events)
                try:
                    _one(draft, one, by, following)
                    if following is not None and by in _SEATS:
                        _check_nothing_turned_up(draft.events[decided:])
                except Refused as refused:
                    raise _at(refused, place) from refused
        case _:
            _one(draft, command, by, None)
    return Decision(tuple(draft.events), draft.table)


def acting_seat(command: GameCommand, by: str) -> int:
    """The seat that a command acts for.

    Raises:
        Refused: ``not_your_seat`` when a seat speaks for another, ``forbidden`` for the host, ``invalid`` when whoever
            may act for any seat does not say for which.
    """
    own = _SEATS.get(by)
    named = command.seat
    if own is not None:
        if named is not None and named != own:
            raise Refused("not_your_seat", f"you play seat {own}, not seat {named}: leave seat out")
        return own
    if by == "host":
        raise Refused("forbidden", "the host token plays no seat: take one")
    if named is None:
        raise lobby.invalid(
            "/seat", 'say with seat for whom you act, as {"seat": 0, …}: your token opens every seat'
        )
    return named


def _one(draft: Draft, command: GameCommand, by: str, following: GameCommand | None) -> None:
    if isinstance(command, StartGame):
        if by not in ("host", "operator"):
            raise Refused("forbidden", "only the host starts the game: send this with the host's token")
        lobby.start(draft)
        return
    seat = acting_seat(command, by)
    if seat >= len(draft.table.seats):
        raise lobby.invalid("/seat", f"there is no seat {seat}: seats are 0 to {len(draft.table.seats) - 1}")
    if isinstance(command, Resign):
        lobby.hand_over(draft, command, seat)
        return
    turns.play(draft, command, seat)
    if turns.is_table_action(command) and not turns.is_table_action(following):
        turns.settle(draft, seat)


def _check_nothing_turned_up(events: list[Event]) -> None:
    """A list that went on after a draw could be tried again until it fits: its refusals would tell the stock."""
    if any(isinstance(event, CardDrawn | DealStarted) for event in events):
        raise Refused(
            "illegal_move",
            "a list of commands ends where cards are turned up: send the rest after it",
            "turn.list",
        )


def _at(refused: Refused, place: int) -> Refused:
    pointer = f"/commands/{place}"
    faults = tuple(Fault(pointer + fault.pointer, fault.detail) for fault in refused.faults)
    faults = faults or (Fault(pointer, refused.detail),)
    return Refused(refused.code, refused.detail, refused.rule, faults, refused.shortfall)
