"""Who is asking: bearer tokens, and what each opens."""

from __future__ import annotations

import hmac
from typing import Any

from litestar import Request
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.types import Scope
from msgspec import Struct

from meldlog_contracts.table import Table
from meldlog_service.app.errors import NoSuchGame, Unauthenticated
from meldlog_service.app.seats import Caller, token_hash, who_is
from meldlog_service.http.problems import Rejected, invalid, unauthenticated
from meldlog_service.http.service import Service

OPERATOR = "operator"
HOST = "host"
ID_LIMIT = 64
"""Most characters of a game's id; of what is longer there is no game, and the store is not asked for it."""


class Guest(Struct, frozen=True):
    """Somebody at a table, and the table as it is now."""

    table: Table
    caller: Caller
    has_token: bool

    @property
    def seat(self) -> int | None:
        """The seat that the caller plays."""
        return self.caller.viewer if isinstance(self.caller.viewer, int) else None

    @property
    def is_host(self) -> bool:
        """Whether the caller set the game up."""
        return self.caller.by == HOST


def bearer(authorization: str | None) -> str | None:
    """The token of an ``Authorization`` header (RFC 6750); None without one.

    Raises:
        Rejected: ``unauthenticated`` for any other scheme, and for no token where one is announced.
    """
    if authorization is None:
        return None
    scheme, _, token = authorization.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token or " " in token:
        raise unauthenticated("tokens are sent as Authorization: Bearer <token>")
    return token


def is_operator(token: str | None, service: Service) -> bool:
    """Whether this is the operator's token, where no game is concerned and no other token opens anything.

    Raises:
        Rejected: ``unauthenticated`` for any other token.
    """
    if token is None:
        return False
    if shows_operator(token, service):
        return True
    raise unauthenticated("this token opens nothing here")


def shows_operator(token: str | None, service: Service) -> bool:
    """Whether this is the operator's token, whatever else it may open if it is not."""
    return token is not None and hmac.compare_digest(token_hash(token), service.operator_token_hash)


def resolved(token: str | None, table: Table, service: Service) -> Caller:
    """Who somebody with this token is at a table.

    Raises:
        NoSuchGame: for a stranger at an unlisted table, who must not learn that it is there.
        Unauthenticated: for a token that opens nothing here.
    """
    try:
        caller = who_is(token, table, service.operator_token_hash)
    except Unauthenticated:
        if table.listed:
            raise
        raise NoSuchGame(table.game_id) from None
    if caller.by is None and not table.listed:
        raise NoSuchGame(table.game_id)
    return caller


async def enter(
    request: Request[Any, Any, State], service: NamedDependency[Service], game_id: FromPath[str]
) -> Guest:
    """Come to a game's table as it is now.

    Raises:
        NoSuchGame, Unauthenticated: as in `resolved`.
    """
    token = bearer(request.headers.get("authorization"))
    check_game_id(game_id)
    note_game(request.scope, game_id)
    table = await service.handler.table(game_id)
    caller = resolved(token, table, service)
    note_caller(request.scope, table, caller)
    return Guest(table, caller, token is not None)


def check_game_id(game_id: str) -> None:
    """Check that this can be a game's id.

    Raises:
        NoSuchGame: for one that is too long.
    """
    if len(game_id) > ID_LIMIT:
        raise NoSuchGame(game_id)


def note_game(scope: Scope, game_id: str) -> None:
    """Put the game into the request's log line."""
    scope["state"]["line"].add(game_id=game_id)


def note_caller(scope: Scope, table: Table, caller: Caller) -> None:
    """Put the game's version and the caller, never the token, where log lines and problems find them."""
    state = scope["state"]
    state["version"] = table.version
    state["line"].fields["by"] = caller.by or "spectator"


def acting_seat(guest: Guest, named: int | None) -> int:
    """The seat whose cards a question is about: the caller's own, or the one that the operator names.

    Raises:
        Rejected: ``unauthenticated`` for a spectator, ``not_your_seat`` or ``forbidden`` for a token that is not that
            seat's, ``invalid`` when an operator names none that there is.
    """
    own = guest.seat
    if own is not None:
        if named is not None and named != own:
            raise Rejected("not_your_seat", f"you play seat {own}, not seat {named}: leave seat out")
        return own
    if not guest.caller.is_operator:
        if guest.has_token:
            raise Rejected("forbidden", "the host token plays no seat: take one")
        raise unauthenticated("a seat's token is needed")
    if named is None:
        last = len(guest.table.seats) - 1
        raise invalid("/seat", f"say for which seat you ask, with ?seat=0 to ?seat={last}")
    if not 0 <= named < len(guest.table.seats):
        raise invalid("/seat", f"there is no seat {named}: seats are 0 to {len(guest.table.seats) - 1}")
    return named
