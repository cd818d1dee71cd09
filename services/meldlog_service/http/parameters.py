"""Parameters of the path, the query and the head that do not fit: what was wrong, in the words of whoever sent them."""

from __future__ import annotations

from typing import Any, cast

from litestar import Request, Response
from litestar.datastructures import State
from litestar.exceptions import ValidationException

from meldlog_contracts.problems import Fault
from meldlog_service.expected import Expected
from meldlog_service.http.problems import Rejected, respond
from meldlog_service.meant import meant

_HEADERS = {"key": "Idempotency-Key", "if_match": "If-Match", "last_event_id": "Last-Event-ID"}
"""Parameters that are called otherwise outside."""
_LONGEST_SHOWN = 32
"""Characters that are shown as they were sent: fewer than a token has."""


def respond_unfit(request: Request[Any, Any, State], error: ValidationException) -> Response[bytes]:
    """Litestar's exception handler for what its own reading of a request refuses."""
    return respond(request, _rejected(request, error))


def _rejected(request: Request[Any, Any, State], error: ValidationException) -> Rejected:
    """The refusal with a pointer to every parameter, or ``malformed`` where a body is missing."""
    messages = cast("list[dict[str, str]]", error.extra or [])
    if any(message.get("key") == "data" for message in messages):
        return Rejected("malformed", "a JSON body is needed")
    kinds = request.route_handler.signature_model.__annotations__
    faults = tuple(
        _fault(message["key"], kinds.get(message["key"]), request) for message in messages if "key" in message
    )
    return Rejected("invalid", "; ".join(fault.detail for fault in faults) or error.detail, errors=faults)


def _fault(key: str, kind: object, request: Request[Any, Any, State]) -> Fault:
    name = _HEADERS.get(key, key)
    expected = Expected(kind)
    sent = next(
        (
            found[name]
            for found in (request.path_params, request.query_params, request.headers)
            if name in found
        ),
        None,
    )
    words = expected.words(null=False) or "something else"
    got = "another text" if sent is None or len(str(sent)) > _LONGEST_SHOWN else repr(sent)
    near = meant(sent, expected.choices) if isinstance(sent, str) else ""
    return Fault(f"/{name}", f"{name}: expected {words}, got {got}{near}")
