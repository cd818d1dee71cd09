"""What surrounds a command on its way into the log: whose it is, and what is derived beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from msgspec.structs import replace

from meldlog_contracts.commands import Asked, Batch, Command, CreateGame, ForkGame, GameCommand, TakeSeat
from meldlog_contracts.events import Commit
from meldlog_contracts.table import Table
from meldlog_service.core import chain
from meldlog_service.core.context import milliseconds
from meldlog_service.core.evolve import fold
from meldlog_service.store.event_store import Pointer

_TAGS: dict[type, str] = {kind: str(kind.__struct_config__.tag) for kind in get_args(Command)}
SEAT_PREFIX = "seat:"
_NEWCOMER = "newcomer"
"""Actor of those who sit down: before that they are nobody at the table, and may not mind which seat they get."""


def normalised(command: Command, by: str) -> Command:
    """The command as it is recorded: a seat's own command does not repeat which seat that is."""
    if not by.startswith(SEAT_PREFIX):
        return command
    if isinstance(command, Batch):
        if all(one.seat is None for one in command.commands):
            return command
        return Batch(tuple([_without_own_seat(one, by) for one in command.commands]))
    return _without_own_seat(command, by) if isinstance(command, Asked) else command


def _without_own_seat(command: GameCommand, by: str) -> GameCommand:
    if command.seat is None or by != f"{SEAT_PREFIX}{command.seat}":
        return command
    return replace(command, seat=None)


def actor_of(command: Command, by: str) -> str:
    """Whose idempotency keys a command's key is among: who gave it and, for whoever may act for others, for whom."""
    if isinstance(command, TakeSeat) and command.kind == "player":
        return _NEWCOMER
    if by.startswith(SEAT_PREFIX) or isinstance(command, CreateGame | ForkGame):
        return by
    seat = command.commands[0].seat if isinstance(command, Batch) else command.seat
    return by if seat is None else f"{by}:{seat}"


def is_same(recorded: Command, asked: Command) -> bool:
    """Whether a command with the same key is the same command, sent again.

    Every request to sit down brings a token of its own, of which a repeat has no need: it is not what was asked for.
    """
    if isinstance(recorded, TakeSeat) and isinstance(asked, TakeSeat):
        return replace(recorded, token_hash=None) == replace(asked, token_hash=None)
    return recorded == asked


def pointer_after(command: Command, table: Table, created_ms: int) -> Pointer:
    """What is written beside the log in one step with a commit. ``table`` is the one after the commit."""
    deadline = table.deal.turn.deadline if table.status == "playing" else None
    return Pointer(
        table.game_id,
        table.version,
        _TAGS[type(command)],
        table.status,
        created_ms,
        None if deadline is None else milliseconds(deadline),
    )


def pointer_of(commits: Sequence[bytes]) -> Pointer:
    """The pointer of a whole log's last commit, as `EventStore.reindex` asks for it.

    Raises:
        msgspec.DecodeError: when a line is no commit.
        Corrupt: when the log does not fold.
    """
    log: list[Commit] = [chain.decode(line) for line in commits]
    table = fold(log)
    return pointer_after(log[-1].command, table, milliseconds(table.created_at))
