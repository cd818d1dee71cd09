"""``POST /v1/games/{game_id}/commands``: the one route that is called for every move of every game.

The route is declared like every other, and answered by a middleware of its own before Litestar makes a request object,
resolves dependencies and builds a response, which would cost as much as everything else together; `edge` calls it
even before the router. (A bare ASGI handler would not do: Litestar's router does not give it path parameters.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, cast

import msgspec
from litestar import Response, post
from litestar.middleware import ASGIMiddleware
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send
from msgspec import Struct

from meldlog_contracts.commands import GameCommand
from meldlog_contracts.events import Event
from meldlog_contracts.table import Table
from meldlog_service.app.errors import NoSuchGame, Unauthenticated
from meldlog_service.app.handler import Answer
from meldlog_service.app.seats import Caller
from meldlog_service.core.views import redact_event
from meldlog_service.http import bodies, conditions, whole_answers
from meldlog_service.http.command_bodies import CommandList, read
from meldlog_service.http.declared import (
    ETAG,
    REPLAYED,
    REPLAYED_HEADER,
    TOKEN_NEEDED,
    IdempotencyKey,
    IfMatch,
)
from meldlog_service.http.negotiation import JSON, chosen
from meldlog_service.http.problems import refusals, send_problem, unauthenticated
from meldlog_service.http.security import bearer, check_game_id, note_caller, resolved
from meldlog_service.http.service import Service

PATH = "/v1/games/{game_id:str}/commands"
_ANY_JSON = frozenset({"*/*", "application/json", ""})
_REPLAYED = REPLAYED.lower().encode()
_SWITCHES = frozenset({"dry_run"})
_encoder = msgspec.json.Encoder()


class CommandAnswer(Struct, frozen=True):
    """What a command caused, as the caller may see it; ``replayed`` when its key was known already."""

    version: int
    events: tuple[Event, ...]
    replayed: bool


def shown(answer: Answer, caller: Caller) -> CommandAnswer:
    """An answer as its caller may see it."""
    viewer = caller.viewer
    events = tuple([redact_event(event, viewer) for event in answer.events])
    return CommandAnswer(answer.version, events, answer.replayed)


class CommandRoute(ASGIMiddleware):
    """Answers the command route itself: what stands behind it, dependencies and all, is never reached."""

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:  # noqa: ARG002
        """Answer a request."""
        await answer_commands(scope["litestar_app"].state["service"], scope, receive, send)


async def answer_commands(service: Service, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a ``POST`` to the command route."""
    game_id: str = scope["path_params"]["game_id"]
    try:
        answer, content = await _carried_out(service, game_id, cast("HTTPScope", scope), receive)
    except Exception as error:
        await _note_version(service, game_id, scope)
        await send_problem(error, scope, send)
    else:
        await _send(answer, content, scope, send)


async def _carried_out(
    service: Service, game_id: str, scope: HTTPScope, receive: Receive
) -> tuple[Answer, bytes]:
    """Carry out what is asked; what came of it, and the body that tells.

    Raises:
        Exception: everything that the table of problems knows.
    """
    given = {name: value.decode("latin-1") for name, value in scope["headers"]}
    _check_headers(given, scope)
    token = bearer(given.get(b"authorization"))
    query = scope["query_string"]
    dry_run = conditions.switches(query, _SWITCHES).get("dry_run", False) if query else False
    key = conditions.idempotency_key(given.get(b"idempotency-key"))
    body = await bodies.read(receive, given.get(b"content-length"), service.settings.body_limit)
    table, caller = await _entered(service, game_id, token)
    note_caller(scope, table, caller)
    if caller.by is None:
        raise unauthenticated("a command needs the token of a seat, of the host or of the operator")
    command = read(body)
    answer = await service.handler.submit(
        game_id,
        command,
        caller.by,
        command_id=key,
        token_hash=caller.token_hash,
        if_match=conditions.if_match(given.get(b"if-match"), table.version),
        dry_run=dry_run,
    )
    scope["state"]["line"].fields["version"] = answer.version
    return answer, _encoder.encode(shown(answer, caller))


async def _send(answer: Answer, content: bytes, scope: Scope, send: Send) -> None:
    """Send an answer, in one piece where the server can."""
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(content)),
        (b"etag", b'"%d"' % answer.version),
    ]
    if answer.replayed:
        headers.append((_REPLAYED, b"true"))
    whole = whole_answers.offered(scope)
    state = scope["state"]
    if whole is not None and whole([*headers, *state["own"]], content):
        state["line"].fields["status"] = 200
        return
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": content, "more_body": False})


def _check_headers(given: Mapping[bytes, str], scope: HTTPScope) -> None:
    """Check that the body is what can be read, the answer what is wanted, and nothing said twice.

    Raises:
        Rejected: ``unsupported_media_type``, ``not_acceptable`` or ``malformed``.
    """
    headers = cast("Sequence[tuple[bytes, bytes]]", scope["headers"])
    if len(given) < len(headers):
        conditions.check_said_once(headers)
    if given.get(b"content-type") != "application/json" or b"content-encoding" in given:
        bodies.check_media_type(given.get(b"content-type"), given.get(b"content-encoding"))
    accept = given.get(b"accept", "")
    if accept not in _ANY_JSON:
        chosen(accept, (JSON,))


async def _entered(service: Service, game_id: str, token: str | None) -> tuple[Table, Caller]:
    """Who is asking, resolved at the table in the cache: nothing is read before the write.

    Whom that table does not know may have sat down through another worker; only then the store is asked.
    """
    check_game_id(game_id)
    known = await service.handler.known(game_id)
    try:
        return known, resolved(token, known, service)
    except (Unauthenticated, NoSuchGame):
        newest = await service.handler.table(game_id)
        return newest, resolved(token, newest, service)


async def _note_version(service: Service, game_id: str, scope: Scope) -> None:
    """Let a problem tell the version that its command was judged at, which others may have made meanwhile."""
    if "version" in scope["state"]:
        known = await service.handler.known(game_id)
        scope["state"]["version"] = known.version


@post(
    PATH,
    security=TOKEN_NEEDED,
    middleware=[CommandRoute()],
    dto=None,
    status_code=200,
    response_headers=[ETAG, REPLAYED_HEADER],
    responses=refusals(
        "unauthenticated",
        "forbidden",
        "not_your_seat",
        "not_found",
        "not_acceptable",
        "not_your_turn",
        "wrong_phase",
        "game_over",
        "archived",
        "stale_version",
        "too_large",
        "unsupported_media_type",
        "invalid",
        "illegal_move",
        "idempotency_mismatch",
        "contended",
        "store_unavailable",
        "plugin_unavailable",
    ),
)
async def send_commands(
    game_id: FromPath[str],
    data: JSONBody[GameCommand | CommandList],
    dry_run: Annotated[bool, QueryParameter(description="Judge, and store nothing.")] = False,
    key: IdempotencyKey = None,
    if_match: IfMatch = None,
) -> Response[CommandAnswer]:
    """Send a command, or a list of commands that is all or nothing.

    A seat's token plays that seat; the operator says in every command for which `seat`. With an `Idempotency-Key` a
    retry is safe for at least the current deal: the same key and command get the first answer again, `replayed`. With
    `If-Match` the command is judged at that version or not at all. A dry run tells what can be told beforehand: secrets
    stay closed, and events end where hidden cards would be turned up.
    """
    raise NotImplementedError("answered by CommandRoute")
