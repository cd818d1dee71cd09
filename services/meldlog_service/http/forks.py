"""Games that go on from another one's past: a version of a game of this service, or a log that was exported."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from litestar import Request, Response, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct
from msgspec.structs import asdict

from meldlog_service.app.errors import NotImported
from meldlog_service.app.forking import Begun, fork
from meldlog_service.app.importing import LINE_LIMIT, Import
from meldlog_service.catalogue import PluginUnavailable
from meldlog_service.core.views import SPECTATOR, TableView, view
from meldlog_service.http import bodies, conditions
from meldlog_service.http.declared import ETAG, LOCATION, TOKEN_NEEDED
from meldlog_service.http.negotiation import NDJSON
from meldlog_service.http.problems import Rejected, refusals, unauthenticated
from meldlog_service.http.security import Guest, bearer, is_operator, note_game
from meldlog_service.http.service import Service

IMPORT_PATH = "/v1/games/import"
_LINES = frozenset({NDJSON, "application/ndjson", "application/jsonl"})
"""What lines of JSON are called."""


class Fork(Struct, frozen=True, forbid_unknown_fields=True):
    """Where to go on from."""

    at: Annotated[int, Meta(ge=1, le=1_000_000_000)]


class GoneOn(TableView, frozen=True, kw_only=True):
    """The new game, as a spectator sees it, and its tokens: told only here. Those of the old game open nothing."""

    host_token: str
    seat_tokens: dict[str, str]
    """By seat number; bots and empty seats have none."""


@post(
    "/v1/games/{game_id:str}/fork",
    security=TOKEN_NEEDED,
    status_code=201,
    response_headers=[LOCATION, ETAG],
    responses=refusals(
        "unauthenticated",
        "forbidden",
        "not_found",
        "not_acceptable",
        "game_over",
        "too_large",
        "unsupported_media_type",
        "invalid",
        "store_unavailable",
        "plugin_unavailable",
    ),
)
async def fork_game(
    request: Request[Any, Any, State],
    service: NamedDependency[Service],
    guest: NamedDependency[Guest],
    game_id: FromPath[str],
    data: JSONBody[Fork],
) -> Response[GoneOn]:
    """Go on from a version of a game as a new game.

    The new game has the same past, cards in hands and stock included, and chance of its own from there on. Whoever
    plays it knows what is still hidden in the old one: fork a game that is being played for yourself alone. For the
    operator.
    """
    if not guest.caller.is_operator:
        raise (
            Rejected("forbidden", "games are forked by the operator")
            if guest.has_token
            else unauthenticated("games are forked by the operator")
        )
    return _begun(request, service, await fork(service.handler, game_id, data.at))


@post(
    IMPORT_PATH,
    security=TOKEN_NEEDED,
    status_code=201,
    response_headers=[LOCATION, ETAG],
    # Read line by line below, up to a limit of its own.
    request_max_body_size=None,
    responses=refusals(
        "unauthenticated",
        "not_acceptable",
        "game_exists",
        "too_large",
        "unsupported_media_type",
        "log_refused",
        "store_unavailable",
        "plugin_unavailable",
    ),
)
async def import_game(
    request: Request[Any, Any, State], service: NamedDependency[Service]
) -> Response[GoneOn]:
    """Let a log that an operator exported become a game here.

    The body is NDJSON as `GET …/events` gives it to an operator. Every line of it is judged as an audit would: the
    first fault refuses the whole, with its `version`. The game has an id of its own, new tokens, and chance of its own
    from there on; the same log becomes a game once. For the operator.
    """
    if not is_operator(bearer(request.headers.get("authorization")), service):
        raise unauthenticated("games are imported by the operator")
    _check_media_type(request.headers.get("content-type"), request.headers.get("content-encoding"))
    incoming = Import(service.catalogue)
    fault: NotImported | PluginUnavailable | None = None
    async for line in _lines(request, service.settings.import_limit):
        if fault is not None:
            continue  # whoever is still sending would not hear the answer
        try:
            incoming.take(line)
        except (NotImported, PluginUnavailable) as found:
            fault = found
        if incoming.pauses:
            await asyncio.sleep(0)
    if fault is not None:
        raise fault
    return _begun(request, service, await incoming.finish(service.handler))


def _begun(request: Request[Any, Any, State], service: Service, begun: Begun) -> Response[GoneOn]:
    table = begun.table
    note_game(request.scope, table.game_id)
    tokens = {str(seat): token for seat, token in begun.seat_tokens.items()}
    return Response(
        GoneOn(**asdict(view(table, SPECTATOR)), host_token=begun.host_token, seat_tokens=tokens),
        headers={
            "Location": service.url(f"/v1/games/{table.game_id}"),
            "ETag": conditions.etag(table.version),
            "Cache-Control": "no-store",
        },
    )


def _check_media_type(content_type: str | None, content_encoding: str | None) -> None:
    """Check that a body is lines of JSON, as far as it says what it is.

    Raises:
        Rejected: ``unsupported_media_type``.
    """
    if content_type is not None and content_type.partition(";")[0].strip().lower() not in _LINES:
        raise Rejected("unsupported_media_type", f"send the log with Content-Type: {NDJSON}")
    if content_encoding not in (None, "", "identity"):
        raise Rejected("unsupported_media_type", "send the log as it is, without Content-Encoding")


async def _lines(request: Request[Any, Any, State], limit: int) -> AsyncIterator[bytes]:
    """The lines of a body, without their ends; of one that is too long no more than shows that it is.

    Raises:
        Rejected: ``too_large``.
        Gone: when the caller hung up.
    """
    rest = b""
    too_long = False
    async for chunk in bodies.chunks(request.receive, request.headers.get("content-length"), limit):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if not too_long:
                yield line
            too_long = False
        if len(rest) > LINE_LIMIT:
            if not too_long:
                yield rest
            too_long, rest = True, b""
    if rest and not too_long:
        yield rest
