"""How HTTP says no: one table from exceptions to problem documents (RFC 9457), for every route and every error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import msgspec
from litestar import Request, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.openapi import ResponseSpec
from litestar.types import ExceptionHandlersMap, Scope, Send
from msgspec import Struct

from meldlog_contracts.problems import Fault, Refused, Shortfall
from meldlog_service.app.errors import (
    Contended,
    GameArchived,
    GameExists,
    KeyReused,
    NoSuchGame,
    NoSuchVersion,
    NotImported,
    Stale,
    Unauthenticated,
)
from meldlog_service.catalogue import PluginUnavailable
from meldlog_service.http.logged import where
from meldlog_service.store.event_store import InvalidCursor, OutcomeUnknown, StoreUnavailable

MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = "1"
"""What ``Retry-After`` says where nothing better is known."""


class Kind(NamedTuple):
    """One code: its status, its title, and the sentence of its page."""

    status: int
    title: str
    about: str


KINDS: Mapping[str, Kind] = {
    "malformed": Kind(
        400, "Malformed", "The body is not JSON in UTF-8, or the request is not HTTP as it should be."
    ),
    "unauthenticated": Kind(
        401, "Not authenticated", "The token is missing, is no bearer token, or opens nothing here."
    ),
    "forbidden": Kind(403, "Forbidden", "The token is known here, but it is not enough for this."),
    "not_your_seat": Kind(403, "Not your seat", "A seat's token speaks for that seat and for no other."),
    "not_found": Kind(
        404, "Not found", "There is no such route, game, seat or version, or the caller may not know of it."
    ),
    "method_not_allowed": Kind(
        405, "Method not allowed", "The route has other methods; `detail` and `Allow` name them."
    ),
    "not_acceptable": Kind(406, "Not acceptable", "The route has no form that the `Accept` header asks for."),
    "not_your_turn": Kind(409, "Not your turn", "It is another seat's turn."),
    "wrong_phase": Kind(409, "Wrong phase", "The command has its time, which is not now."),
    "game_over": Kind(409, "Game over", "Nothing is played any more once a game is over."),
    "archived": Kind(
        409, "Archived", "The game is over and in the archive: it can be read, and nothing is added to it."
    ),
    "seat_taken": Kind(409, "Seat taken", "Somebody sits there, or every seat is taken."),
    "game_exists": Kind(
        409, "Game exists", "This log was imported before; `detail` names the game that it became."
    ),
    "stale_version": Kind(412, "Stale version", "The game is not at the version that `If-Match` names."),
    "too_large": Kind(413, "Too large", "The body is larger than the service takes."),
    "unsupported_media_type": Kind(415, "Unsupported media type", "Bodies are sent as `application/json`."),
    "invalid": Kind(
        422, "Invalid", "The request can be read but makes no sense; `errors` says what is wrong where."
    ),
    "illegal_move": Kind(422, "Illegal move", "A rule of the game forbids it; `rule` names the clause."),
    "log_refused": Kind(
        422,
        "Log refused",
        "The log does not become a game: it fails a check of the audit at `version`, or its secrets are closed.",
    ),
    "idempotency_mismatch": Kind(
        422, "Idempotency key used before", "The same `Idempotency-Key` came with another command before."
    ),
    "rate_limited": Kind(429, "Rate limited", "Too many requests came from this address."),
    "internal": Kind(500, "Internal error", "The service made a mistake; `request_id` finds it in the log."),
    "not_implemented": Kind(
        501, "Not implemented", "The body comes in a transfer coding that the service does not understand."
    ),
    "contended": Kind(
        503, "Contended", "Others changed the game again and again meanwhile: send it once more."
    ),
    "store_unavailable": Kind(
        503,
        "Store unavailable",
        "The store of games cannot be reached now; a retry with the same key is safe.",
    ),
    "plugin_unavailable": Kind(
        503,
        "Plugin unavailable",
        "The rules of this game are not installed here: it can be read but not played.",
    ),
    "too_many_streams": Kind(503, "Too many streams", "The worker holds as many live streams as it may."),
    "stopping": Kind(
        503,
        "Stopping",
        "The service was stopped before it could answer: ask again; a retry with the same key is safe.",
    ),
}
"""Every code that the service says."""

_BY_STATUS = {
    400: "malformed",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "too_large",
    415: "unsupported_media_type",
    422: "invalid",
    429: "rate_limited",
}
"""What a framework's own HTTP error is called."""
_FAULT = 500
"""The first status that is the service's fault."""


class Problem(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A problem document (RFC 9457); `version` where a game is concerned, `rule` where a clause was broken.

    `shortfall` says what was counted where that is too little, as the points of an opening.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str
    version: int | None = None
    rule: str | None = None
    shortfall: Shortfall | None = None
    errors: tuple[Fault, ...] = ()


class Rejected(Exception):
    """A request that HTTP itself refuses, before or beside the rules of the game."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        errors: tuple[Fault, ...] = (),
        headers: Mapping[str, str] | None = None,
        version: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.errors = errors
        self.headers = headers or {}
        self.version = version


class Gone(Exception):
    """The caller hung up before the request was complete; nobody will read the answer."""


class Stopping(Exception):
    """The service ends, and what was asked has had its time."""


CHALLENGE = {"WWW-Authenticate": 'Bearer realm="meldlog"'}


def invalid(pointer: str, detail: str) -> Rejected:
    """One thing in a request that makes no sense."""
    return Rejected("invalid", detail, errors=(Fault(pointer, detail),))


def unauthenticated(detail: str) -> Rejected:
    """A token is needed, or another one."""
    return Rejected("unauthenticated", detail, headers=CHALLENGE)


class Said(NamedTuple):
    """What an exception comes to."""

    code: str
    detail: str
    version: int | None = None
    rule: str | None = None
    errors: tuple[Fault, ...] = ()
    headers: Mapping[str, str] = {}
    shortfall: Shortfall | None = None


def allowed(methods: Iterable[str]) -> str:
    """The methods of a route as `Allow` names them: a HEAD goes wherever a GET does."""
    names = set(methods)
    return ", ".join(sorted(names | {"HEAD"} if "GET" in names else names))


def _framework(error: HTTPException) -> Said:
    code = _BY_STATUS.get(error.status_code, "malformed" if error.status_code < _FAULT else "internal")
    detail = error.detail if code == "malformed" else KINDS[code].about
    methods = (error.headers or {}).get("allow")
    if methods is not None:
        detail = f"the methods here are {allowed(methods.split(', '))}"
    return Said(code, detail, headers=error.headers or {})


_AGAIN = {"Retry-After": RETRY_SECONDS}
_SAFE_RETRY = "whether it was stored is not known; a retry with the same Idempotency-Key is safe"

# `Any`, since each entry takes the exception that stands beside it.
TABLE: Mapping[type[Exception], Callable[[Any], Said]] = {
    Refused: lambda e: Said(e.code, e.detail, rule=e.rule, errors=e.faults, shortfall=e.shortfall),
    Rejected: lambda e: Said(e.code, e.detail, e.version, errors=e.errors, headers=e.headers),
    Gone: lambda _: Said("malformed", "the caller hung up before the request was complete"),
    Unauthenticated: lambda e: Said("unauthenticated", str(e), headers=CHALLENGE),
    NoSuchGame: lambda _: Said("not_found", "there is no such game"),
    NoSuchVersion: lambda e: Said("not_found", f"the game has no version {e.version}", e.last),
    Stale: lambda e: Said("stale_version", f"the game is at version {e.version}", e.version),
    GameArchived: lambda e: Said("archived", KINDS["archived"].about, e.version),
    KeyReused: lambda e: Said("idempotency_mismatch", str(e)),
    GameExists: lambda e: Said("game_exists", str(e)),
    NotImported: lambda e: Said(
        "log_refused", str(e), e.version, errors=(Fault(f"/{e.version}", f"{e.check}: {e.detail}"),)
    ),
    Contended: lambda _: Said("contended", KINDS["contended"].about, headers=_AGAIN),
    InvalidCursor: lambda e: Said("invalid", str(e), errors=(Fault("/cursor", str(e)),)),
    PluginUnavailable: lambda e: Said("plugin_unavailable", str(e), headers=_AGAIN),
    StoreUnavailable: lambda _: Said("store_unavailable", "the store cannot be reached now", headers=_AGAIN),
    OutcomeUnknown: lambda _: Said("store_unavailable", _SAFE_RETRY, headers=_AGAIN),
    Stopping: lambda _: Said("stopping", KINDS["stopping"].about, headers=_AGAIN),
    RequestEntityTooLarge: lambda _: Said("too_large", KINDS["too_large"].about),
    HTTPException: _framework,
    # Whatever else it is, it is a fault of the service, and what it says is for nobody outside.
    Exception: lambda _: Said("internal", KINDS["internal"].about),
}


def said(error: Exception) -> Said:
    """What an exception comes to: the entry of its own class, or of the nearest one above."""
    entry = next(TABLE[cls] for cls in type(error).__mro__ if cls in TABLE)
    return entry(error)


def problem_of(error: Exception, scope: Scope) -> tuple[Problem, Mapping[str, str]]:
    """The problem document of an exception and the headers that go with it; the request's line is told as well."""
    state: dict[str, Any] = scope["state"]
    answer = said(error)
    kind = KINDS[answer.code]
    line = state["line"]
    line.add(code=answer.code)
    if kind.status >= _FAULT:
        line.raise_level("error")
        line.add(error=type(error).__name__)
        if answer.code == "internal":
            line.add(where=where(error))
    problem = Problem(
        type=f"{state['public_url']}/problems/{answer.code}",
        title=kind.title,
        status=kind.status,
        detail=answer.detail,
        code=answer.code,
        request_id=state["request_id"],
        version=answer.version if answer.version is not None else state.get("version"),
        rule=answer.rule,
        shortfall=answer.shortfall,
        errors=answer.errors,
    )
    return problem, answer.headers


def respond(request: Request[Any, Any, State], error: Exception) -> Response[bytes]:
    """Litestar's exception handler for everything."""
    problem, headers = problem_of(error, request.scope)
    return Response(
        msgspec.json.encode(problem), status_code=problem.status, media_type=MEDIA_TYPE, headers=dict(headers)
    )


async def send_problem(error: Exception, scope: Scope, send: Send) -> None:
    """Answer with a problem where there is no Litestar handler around."""
    problem, headers = problem_of(error, scope)
    body = msgspec.json.encode(problem)
    encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send(
        {
            "type": "http.response.start",
            "status": problem.status,
            "headers": [
                (b"content-type", MEDIA_TYPE.encode()),
                (b"content-length", str(len(body)).encode()),
                *encoded,
            ],
        }
    )
    await send({"type": "http.response.body", "body": body, "more_body": False})


HANDLERS: ExceptionHandlersMap = {Exception: respond}


def refusals(*codes: str) -> dict[int, ResponseSpec]:
    """Declare, for the API's description, with which codes a route may say no.

    Every route may say ``malformed``: to what is no HTTP, and to a header that stands twice.
    """
    by_status: dict[int, list[str]] = {}
    for code in ("malformed", *codes):
        by_status.setdefault(KINDS[code].status, []).append(code)
    return {
        status: ResponseSpec(
            Problem,
            generate_examples=False,
            media_type=MEDIA_TYPE,
            description=" · ".join(f"`{code}`: {KINDS[code].about}" for code in named),
        )
        for status, named in by_status.items()
    }
