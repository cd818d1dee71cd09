"""Tokens, and who is asking: the operator, the host, somebody at a seat, or a spectator.

Only hashes of tokens are ever stored. A token has 32 random bytes, so a bare SHA-256 of it can't be searched.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from hmac import compare_digest

from msgspec import Struct
from msgspec.structs import replace

from meldlog_contracts.commands import TakeSeat
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Table
from meldlog_service.app.envelope import is_same
from meldlog_service.app.errors import KeyReused, Unauthenticated
from meldlog_service.app.handler import Handler
from meldlog_service.app.writing import Answer
from meldlog_service.core.views import OPERATOR, SPECTATOR, Viewer

TOKEN_PREFIX = "mt_"
"""What every token begins with, so that scanners of secrets find one that leaked."""
GAME_ID_LENGTH = 20
"""Characters of base 32, five random bits each: nobody guesses an unlisted game."""


def new_token() -> str:
    """A bearer token: 32 random bytes as URL-safe text."""
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What is kept of a token: its SHA-256, in hex."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_game_id() -> str:
    """A game's id: 100 random bits in lower-case base 32."""
    return game_id_of(secrets.token_bytes(13))


def game_id_of(bits: bytes) -> str:
    """A game's id made of bits, of which it takes the first hundred."""
    return base64.b32encode(bits).decode().lower()[:GAME_ID_LENGTH]


class Caller(Struct, frozen=True):
    """Who asks, at one table."""

    viewer: Viewer
    """Whose eyes see the answer."""
    by: str | None
    """As whom a command is recorded; None for a spectator, who gives none."""
    is_operator: bool = False
    token_hash: str | None = None
    """Of whoever sits at a seat: to be compared again where the command is judged (`Handler.submit`)."""


_SPECTATOR = Caller(SPECTATOR, None)
_OPERATOR = Caller(OPERATOR, "operator", is_operator=True)
_HOST = Caller(SPECTATOR, "host")


def who_is(token: str | None, table: Table, operator_token_hash: str) -> Caller:
    """Resolve a bearer token at a table; no token makes a spectator.

    Every comparison takes constant time, and all of them are made: how long an answer takes tells nothing.

    Raises:
        Unauthenticated: for a token that opens nothing here.
    """
    if token is None:
        return _SPECTATOR
    own = token_hash(token)
    found: Caller | None = None
    for number, seat in enumerate(table.seats):
        if compare_digest(own, seat.token_hash or ""):
            found = Caller(number, f"seat:{number}", token_hash=own)
    if compare_digest(own, table.host_token_hash or ""):
        found = _HOST
    if compare_digest(own, operator_token_hash):
        found = _OPERATOR
    if found is None:
        raise Unauthenticated
    return found


def free_seat(table: Table) -> int | None:
    """The first seat where nobody sits, if there is one."""
    return next((number for number, seat in enumerate(table.seats) if seat.is_empty), None)


def full_table() -> Refused:
    """The refusal of whoever wants any seat where none is free."""
    return Refused("seat_taken", "every seat is taken")


async def take_seat(
    handler: Handler,
    game_id: str,
    command: TakeSeat,
    *,
    any_seat: bool = False,
    command_id: str | None = None,
) -> Answer:
    """Sit a person down; with ``any_seat`` where there is room, whatever seat the command names.

    A repeat with the same key takes no second seat. Its answer is replayed, and the token of the first request stays
    the one that opens the seat.

    Raises:
        Refused: ``seat_taken`` when there is no room, ``wrong_phase`` after the start.
        KeyReused: when the key belongs to another command.
    """
    while True:
        table = await handler.look(game_id)
        if any_seat:
            command = replace(command, seat=free_seat(table) or 0)
        try:
            return await handler.submit(game_id, command, f"seat:{command.seat}", command_id=command_id)
        except KeyReused as reused:
            (commit,) = await handler.commits(game_id, reused.version - 1, 1)
            seated = commit.command
            if not (
                any_seat
                and isinstance(seated, TakeSeat)
                and is_same(seated, replace(command, seat=seated.seat))
            ):
                raise
            return Answer(commit.version, commit.events, replayed=True, table=await handler.look(game_id))
        except Refused as refused:
            if not any_seat or refused.code != "seat_taken":
                raise
            if free_seat(await handler.look(game_id)) is None:
                raise full_table() from refused
