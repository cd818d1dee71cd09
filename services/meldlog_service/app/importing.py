"""Importing: a log that was exported elsewhere becomes a game here, once everything in it has been proved.

Nothing in such a file is believed. It must be an operator's export, since a game cannot go on without its secrets.
Every line must be canonical, every text of a size that this service would have taken, and the whole must pass the
audit: a log whose rules are not installed here, and which nobody can judge therefore, is not taken. The first fault
ends it.

The game gets an id that follows from the log's last hash, so the same log becomes a game once and not twice.
"""

from __future__ import annotations

import hashlib
import re
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from meldlog_contracts.commands import CreateGame, Entropy, ForkGame, HandOverSeat, TakeSeat
from meldlog_contracts.events import SCHEMA, Commit, GameCreated
from meldlog_service.app.audit import AT_A_TIME, Auditor
from meldlog_service.app.errors import NotImported
from meldlog_service.app.forking import Begun, begin
from meldlog_service.app.handler import Handler
from meldlog_service.app.seats import game_id_of
from meldlog_service.app.tables import Entry
from meldlog_service.catalogue import Catalogue, PluginUnavailable
from meldlog_service.core import chain
from meldlog_service.core.context import milliseconds, rfc3339
from meldlog_service.misfits import misfit, unread

LINE_LIMIT = 262_144
"""Bytes of one line: a deal of eight packs has some ten thousand."""
_BY = re.compile(r"seat:(?:0|[1-9][0-9]?)|host|operator|service")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_KEY_LIMIT = 255

_GameId = Annotated[str, Meta(pattern=r"^[!-~]{1,64}$")]
_Hash = Annotated[str, Meta(pattern=r"^[!-~]{1,64}$")]
"""Of a token that opens nothing any more, so it need not be one."""
_Id = Annotated[str, Meta(min_length=1, max_length=64)]
_Amount = Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)]


class _Created(Struct):
    """What a game may have been created with: as much as a caller may say (`http.games`)."""

    game_id: _GameId
    variant: _Id
    seats: Annotated[int, Meta(ge=1, le=64)]
    host_token_hash: _Hash
    house_rules: dict[
        _Id,
        bool
        | _Amount
        | Annotated[str, Meta(max_length=255)]
        | Annotated[list[_Amount], Meta(max_length=64)]
        | None,
    ] = {}
    options: Annotated[tuple[_Id, ...], Meta(max_length=32)] = ()
    bots: Annotated[dict[_Id, _Id], Meta(max_length=64)] = {}
    turn_seconds: Annotated[int, Meta(ge=1, le=604_800)] | None = None
    entropy: Entropy | None = None


class _Forked(Struct):
    game_id: _GameId
    host_token_hash: _Hash
    seat_token_hashes: Annotated[tuple[_Hash | None, ...], Meta(max_length=64)] = ()


class _Seated(Struct):
    name: Annotated[str, Meta(min_length=1, max_length=64)]
    strategy: _Id | None = None
    entropy: Entropy | None = None
    token_hash: _Hash | None = None


class _HandedOver(Struct):
    strategy: _Id


_BOUNDS: dict[type, type[Struct]] = {
    CreateGame: _Created,
    ForkGame: _Forked,
    TakeSeat: _Seated,
    HandOverSeat: _HandedOver,
}
"""Other commands have their bounds in themselves, and none is read that exceeds them."""


class Import:
    """A log on its way in: give it every line, then `finish`.

    Args:
        catalogue: The installed plugins, by which the log is judged.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._auditor = Auditor(catalogue)
        self._lines: list[bytes] = []

    @property
    def pauses(self) -> bool:
        """Whether it is time to let others go first."""
        return len(self._lines) % AT_A_TIME == 0

    def take(self, line: bytes) -> None:
        """Look at one more line.

        Raises:
            NotImported: when something is wrong with it.
            PluginUnavailable: when the rules by which the game was played are not installed here.
        """
        self._lines.append(line)
        version = len(self._lines)
        if len(line) > LINE_LIMIT:
            raise NotImported(version, "log", f"a line of a log has at most {LINE_LIMIT} bytes")
        try:
            commit = chain.decode(line)
        except (msgspec.DecodeError, chain.UnknownSchema) as error:
            raise NotImported(
                version, "log", f"this is no commit of a log: {unread(error, Commit, line)}"
            ) from error
        if line != _as_stored(line, commit):
            raise NotImported(version, "log", "the line is not canonical JSON, or holds what no log holds")
        unfit = _unfit(commit)
        if unfit is not None:
            raise NotImported(version, "log", unfit)
        if any(not sealed.is_open for event in commit.events for _, sealed in chain.sealed_fields(event)):
            raise NotImported(version, "export", "secrets are closed: import what the operator exported")
        self._auditor.take(line)
        fault = self._auditor.first("differs")
        if fault is not None:
            raise NotImported(fault.version or version, fault.name, fault.detail)
        unknown = self._auditor.first("cannot_judge")
        if unknown is not None and unknown.name == "plugins":
            raise PluginUnavailable(unknown.detail)
        if unknown is not None:
            raise NotImported(unknown.version or version, unknown.name, unknown.detail)

    async def finish(self, handler: Handler) -> Begun:
        """Let the log become a game.

        Raises:
            NotImported: when there were no lines.
            GameExists: when this log was imported before.
            StoreUnavailable, OutcomeUnknown: as in `Handler.submit`.
        """
        table, head = self._auditor.table, self._auditor.head
        if table is None or head is None:
            raise NotImported(1, "log", "the log is empty")
        past = Entry(table.game_id)
        past.table, past.head = table, head
        return await begin(handler, past, self._lines, imported_id(head))


def imported_id(head: str) -> str:
    """The id of the game that a log becomes whose last commit has this hash."""
    return game_id_of(hashlib.sha256(f"meldlog import of {head}".encode()).digest())


def _as_stored(line: bytes, commit: Commit) -> bytes:
    return chain.canonical(commit if commit.schema == SCHEMA else msgspec.json.decode(line))


def _unfit(commit: Commit) -> str | None:
    """What no caller of this service could have sent."""
    if not _BY.fullmatch(commit.by):
        return "nobody goes by the name in `by`"
    if not 1 <= len(commit.command_id) <= _KEY_LIMIT or _CONTROL.search(commit.command_id):
        return f"a command_id is a text of 1 to {_KEY_LIMIT} characters without controls"
    try:
        if rfc3339(milliseconds(commit.at)) != commit.at:
            return "`at` is no time as a log has it"
    except (ValueError, OverflowError):
        return "`at` is no time"
    for event in commit.events:
        if isinstance(event, GameCreated):
            for ref in event.plugins:
                if not re.fullmatch(r"[0-9a-f]{64}", ref.digest):
                    return "the digest of a plugin is a SHA-256 in hex"
    bounds = _BOUNDS.get(type(commit.command))
    if bounds is None:
        return None
    command = msgspec.to_builtins(commit.command)
    try:
        msgspec.convert(command, bounds)
    except msgspec.ValidationError as error:
        return f"the command: {misfit(error, bounds, command).detail}"
    return None
