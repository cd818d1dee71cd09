"""What surrounds every request, also one that finds no route: its id, its log line, its share of the service, HEAD."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Iterable, Mapping, Set
from itertools import count
from typing import Any, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from meldlog_service.http import cors
from meldlog_service.http.logged import where
from meldlog_service.http.problems import Gone, Rejected, Stopping, allowed, send_problem
from meldlog_service.http.rate_limit import RateLimiter
from meldlog_service.http.security import ID_LIMIT
from meldlog_service.http.web import FILES
from meldlog_service.logs import CanonicalLine, without_secrets

_HOST = re.compile(rb"(\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?")
"""RFC 3986, section 3.2; an empty one is allowed, and names nobody."""
_NO_HOST = 2
_SANE_ID = re.compile(rb"[A-Za-z0-9._~-]{1,128}")
_UNLIMITED = frozenset({"/healthz", "/readyz", "/metrics"})
"""What asks these asks often, and often from the address of the proxy."""
_LOGGED_PATH = 200
"""Characters of an unknown path that the log keeps."""
_NAMING_METHODS = frozenset({204, 405})
"""Statuses of answers that may have an `Allow`."""
_NOSNIFF = (b"x-content-type-options", b"nosniff")
_BEFORE_ID, _AFTER_ID = "/v1/games/", "/commands"
_COMMANDS = f"{_BEFORE_ID}{{game_id}}{_AFTER_ID}"


class Edge:
    """The outermost layer of the app, around Litestar's router and its exception handlers.

    A plain ASGI callable, since Litestar's own middleware stands behind the router and sees no 404 and no 405.

    Args:
        app: Litestar's own handler.
        commands: Answers the command route, whose every request would lose a tenth of its time in the router.
        methods: What each route can be asked with; Litestar's own answer to OPTIONS leaves some out.
        public_url: The service's URL where it is known, else empty.
        limiter: Who may ask how often; None where everybody may always.
    """

    def __init__(
        self,
        app: ASGIApp,
        commands: ASGIApp,
        methods: Mapping[str, Set[str]],
        public_url: str = "",
        limiter: RateLimiter | None = None,
    ) -> None:
        self._app = app
        self._commands = commands
        self._methods = methods
        self._public_url = public_url
        self._limiter = limiter
        self._own_ids = (f"{prefix}{number:06x}" for prefix in (secrets.token_hex(6),) for number in count(1))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        method = scope["method"]
        own = self._introduce(scope, method)
        line = scope["state"]["line"]
        # A HEAD is answered as the GET would be; what carries it to the caller leaves the body out.
        is_head = method == "HEAD"
        inner = cast("Scope", {**scope, "method": "GET"}) if is_head else scope

        is_ended = False

        async def answer(message: Message) -> None:
            nonlocal is_ended
            if message["type"] == "http.response.start":
                line.add(status=message["status"])
                headers = message["headers"]
                if message["status"] in _NAMING_METHODS:
                    headers = self._allowed(inner, headers)
                message["headers"] = [*headers, *own]
            else:
                is_ended = not message.get("more_body", False)
            await send(message)

        with line:
            try:
                if (refusal := self._too_soon(inner) or _unclear_host(inner)) is not None:
                    await send_problem(refusal, inner, answer)
                elif method == "OPTIONS" and cors.is_preflight(inner):
                    await cors.answer_preflight(answer)
                elif method == "POST" and _is_commands(inner):
                    await self._commands(inner, receive, answer)
                else:
                    await self._app(inner, _received(method, receive), answer)
                    if is_head and not is_ended:
                        # A stream, which nobody stays for.
                        await answer({"type": "http.response.body", "body": b"", "more_body": False})
            except asyncio.CancelledError:
                if "status" in line.fields:  # the answer has begun
                    raise
                await send_problem(Stopping(), inner, answer)
            except Exception as error:
                # Only an answer that has begun ends here. The words of the error stay out of the log: see `where`.
                line.add(code="internal", error=type(error).__name__, where=where(error))
                line.raise_level("error")
                raise AnswerCutShort(scope["state"]["request_id"]) from None
            finally:
                _note_place(line, inner)

    def _introduce(self, scope: Scope, method: str) -> list[tuple[bytes, bytes]]:
        """Give a request its id, its line and the headers of every answer to it, which are returned."""
        state = scope["state"]
        given, state["hosts"] = _read_head(scope)
        # The server has given it an id already where it has refused the rest of the body.
        request_id = state.get("request_id") or given or next(self._own_ids)
        own = [(b"x-request-id", request_id.encode()), _NOSNIFF]
        if method in cors.SHARED_METHODS:
            own += cors.SHARED
        state["request_id"] = request_id
        state["public_url"] = self._public_url
        state["line"] = CanonicalLine("request", request_id=request_id, method=method)
        state["own"] = own
        return own

    def _allowed(self, scope: Scope, headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """An answer's headers, with every method of the route where `Allow` names methods; HEAD goes with GET."""
        named: list[tuple[bytes, bytes]] = []
        for name, value in headers:
            if name == b"allow":
                names = self._methods.get(scope.get("path_template", ""), set(value.decode().split(", ")))
                named.append((name, allowed(names).encode()))
            else:
                named.append((name, value))
        return named

    def _too_soon(self, scope: Scope) -> Rejected | None:
        """The refusal of a request that is one too many."""
        path = scope["path"]
        if self._limiter is None or path in _UNLIMITED or path.startswith(FILES):
            return None
        client = scope.get("client")
        wait = self._limiter.wait(client[0] if client else "")
        if not wait:
            return None
        detail = "too many requests came from this address"
        return Rejected("rate_limited", detail, headers={"Retry-After": str(wait)})


def _read_head(scope: Scope) -> tuple[str | None, int]:
    """The caller's own id of the request, where it is sane, and how often the host is named; wrongly is too often."""
    given: str | None = None
    hosts = 0
    for name, value in scope["headers"]:
        if name == b"host":
            hosts += 1 if _HOST.fullmatch(value) else _NO_HOST
        elif name == b"x-request-id" and given is None:
            given = value.decode() if _SANE_ID.fullmatch(value) else ""
    return given or None, hosts


def _is_commands(scope: Scope) -> bool:
    """Whether something is posted to the command route, which is noted as the router would note it."""
    path = scope["path"]
    if not (path.startswith(_BEFORE_ID) and path.endswith(_AFTER_ID)):
        return False
    game_id = path[len(_BEFORE_ID) : -len(_AFTER_ID)]
    if not game_id or "/" in game_id or len(game_id) > ID_LIMIT:
        return False
    scope["path_params"] = {"game_id": game_id}
    scope["path_template"] = _COMMANDS
    scope["state"]["line"].fields["game_id"] = game_id
    return True


def _unclear_host(scope: Scope) -> Rejected | None:
    """The refusal of a request that does not say once whom it asks (RFC 9112, section 3.2); HTTP/1.0 need not say."""
    hosts = scope["state"]["hosts"]
    if hosts == 1 or (hosts == 0 and cast("HTTPScope", scope)["http_version"] == "1.0"):
        return None
    return Rejected("malformed", "a request names its host, and a port where it needs one, and names it once")


class AnswerCutShort(Exception):
    """An answer that had begun could not be ended; the server closes the connection, so that the caller notices."""


def _received(method: str, receive: Receive) -> Receive:
    """How the router's handlers hear of the caller."""
    if method == "GET":
        return receive
    return _gone if method == "HEAD" else _or_gone(receive)


async def _gone() -> Any:
    """The body of a HEAD, and the caller who stays for no stream."""
    return {"type": "http.disconnect"}


def _or_gone(receive: Receive) -> Receive:
    """As `receive`, but a caller who hangs up in the middle of a body is no fault of the service.

    Raises:
        Gone: when the caller hung up.
    """

    async def received() -> Any:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        return message

    return received


def _note_place(line: CanonicalLine, scope: Scope) -> None:
    """Say where a request went: the route, or the path where there is none. Queries are left out."""
    route = scope.get("path_template")
    if route:
        line.fields["route"] = route
    else:
        # Hidden before it is cut: what is left of a token would not be known as one.
        line.fields["path"] = without_secrets(scope["path"])[:_LOGGED_PATH]
