"""Reading bodies: JSON in UTF-8, of a bounded size, decoded strictly and refused with a pointer to what is wrong."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from typing import Any, ClassVar, TypeVar, cast

import msgspec
from litestar.dto import AbstractDTO
from litestar.types import Receive
from litestar.typing import FieldDefinition
from msgspec.json import Decoder

from meldlog_service.http import house_values
from meldlog_service.http.problems import Gone, Rejected, invalid
from meldlog_service.misfits import Misfit, malformed, misfit

Body = TypeVar("Body")

_JSON_TYPES = frozenset(
    f"application/json{rest}"
    for rest in ("", ";charset=utf-8", "; charset=utf-8", '; charset="utf-8"', ';charset="utf-8"')
)


def check_media_type(content_type: str | None, content_encoding: str | None = None) -> None:
    """Check that a body says it is JSON in UTF-8, as it is.

    Raises:
        Rejected: ``unsupported_media_type``.
    """
    if content_type is None or content_type.strip().lower() not in _JSON_TYPES:
        raise Rejected(
            "unsupported_media_type", "send the body with Content-Type: application/json, in UTF-8"
        )
    if content_encoding not in (None, "", "identity"):
        raise Rejected("unsupported_media_type", "send the body as it is, without Content-Encoding")


async def read(receive: Receive, content_length: str | None, limit: int) -> bytes:
    """Read a body, at most `limit` bytes of it, whatever it said of its length.

    Raises:
        Rejected: ``too_large``.
        Gone: when the caller hung up.
    """
    if content_length is not None and content_length.isdecimal() and int(content_length) > limit:
        raise _too_large(limit)
    message = cast("dict[str, Any]", await receive())
    body: bytes = message.get("body", b"")
    if not message.get("more_body", False) and message["type"] == "http.request":
        if len(body) > limit:
            raise _too_large(limit)
        return body
    chunks = [body]
    size = len(body)
    while message.get("more_body", False):
        message = cast("dict[str, Any]", await receive())
        chunks.append(message.get("body", b""))
        size += len(chunks[-1])
        if size > limit:
            raise _too_large(limit)
    if message["type"] == "http.disconnect":
        raise Gone
    return b"".join(chunks)


async def chunks(receive: Receive, content_length: str | None, limit: int) -> AsyncIterator[bytes]:
    """Read a body piece by piece, at most `limit` bytes of it, whatever it said of its length.

    Raises:
        Rejected: ``too_large``.
        Gone: when the caller hung up.
    """
    if content_length is not None and content_length.isdecimal() and int(content_length) > limit:
        raise _too_large(limit)
    size, goes_on = 0, True
    while goes_on:
        message = cast("dict[str, Any]", await receive())
        if message["type"] == "http.disconnect":
            raise Gone
        chunk: bytes = message.get("body", b"")
        size += len(chunk)
        if size > limit:
            raise _too_large(limit)
        goes_on = message.get("more_body", False)
        yield chunk


def _too_large(limit: int) -> Rejected:
    return Rejected("too_large", f"a body holds at most {limit} bytes")


def decode(
    body: bytes, decoder: Decoder[Body], look_closer: Callable[[Misfit, object], None] | None = None
) -> Body:
    """Decode a body strictly.

    Args:
        body: What was sent.
        decoder: Of what it should be.
        look_closer: Is shown what does not fit, and the body as plain JSON; it may raise what tells more.

    Raises:
        Rejected: ``malformed`` for what is not JSON, for a name that stands twice in one object and for nesting without
            end; ``invalid``, with pointers, for what does not fit.
    """
    try:
        content = decoder.decode(body)
    except msgspec.ValidationError as error:
        document = check_all(body)
        found = misfit(error, decoder.type, document)
        if look_closer is not None:
            look_closer(found, document)
        raise invalid(found.pointer, found.detail) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise Rejected("malformed", f"the body is not JSON: {_reason(error, body)}") from error
    check_json(body)
    return content


def check_json(body: bytes) -> None:
    """Check that no name stands twice in an object.

    msgspec lets the last of two equal names win, so that two readers of one body could understand different things.

    Raises:
        Rejected: ``malformed``.
    """
    try:
        _strict_json.decode(body.decode())
    except _Twice as twice:
        raise Rejected("malformed", f"the name {twice} stands twice in one object") from twice
    except (ValueError, RecursionError) as error:
        raise Rejected("malformed", f"the body is not JSON: {_reason(error, body)}") from error


def check_all(body: bytes) -> object:
    """Check that a body is JSON to its end, where its decoder stopped at a misfit: what is no JSON fits nothing.

    Returns:
        The body as plain JSON.

    Raises:
        Rejected: ``malformed``.
    """
    try:
        document: object = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Rejected("malformed", f"the body is not JSON: {_reason(error, body)}") from error
    check_json(body)
    return document


class _Twice(ValueError):
    """A name stands twice in an object."""


def _once(pairs: list[tuple[str, object]]) -> None:
    if len(pairs) > 1 and len({name for name, _ in pairs}) < len(pairs):
        counted = Counter(name for name, _ in pairs)
        raise _Twice(repr(next(name for name, count in counted.items() if count > 1)))


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


# Numbers are measured, not made: a million digits cost no conversion.
_strict_json = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant, parse_int=len)


def _reason(error: Exception, body: bytes) -> str:
    """Why, without quoting what was sent."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} (byte {error.pos})"
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is not UTF-8"
    return malformed(error, body)


def unfit(error: msgspec.ValidationError, kind: object, document: object) -> Rejected:
    """The refusal that a failed decoding comes to, with a JSON pointer (RFC 6901) to the place.

    Args:
        error: Of msgspec.
        kind: What the body should have been.
        document: What it is.
    """
    found = misfit(error, kind, document)
    return invalid(found.pointer, found.detail)


class JsonBody(AbstractDTO[Any]):
    """Litestar's door to `decode`: without it numbers in quotes would pass as numbers."""

    decoders: ClassVar[dict[str, Decoder[Any]]] = {}
    """By handler."""

    def decode_bytes(self, value: bytes) -> Any:
        """Decode the body of the handler that is called."""
        headers: Mapping[str, str] = self.asgi_connection.headers
        check_media_type(headers.get("content-type"), headers.get("content-encoding"))
        decoder = self.decoders[self.asgi_connection.route_handler.handler_id]
        return decode(value, decoder, partial(house_values.check, self.asgi_connection))

    @classmethod
    def create_for_field_definition(
        cls,
        field_definition: FieldDefinition,
        handler_id: str,
        backend_cls: object = None,  # noqa: ARG003 -- the signature is Litestar's
    ) -> None:
        """Make the decoder of a handler's body."""
        cls.decoders[handler_id] = Decoder(field_definition.annotation)

    @classmethod
    def generate_field_definitions(cls, _model_type: type[Any]) -> Any:
        """Nothing: the struct says it all."""
        yield from ()

    @classmethod
    def detect_nested_field(cls, _field_definition: FieldDefinition) -> bool:
        """Nothing is nested in the sense of Litestar's transfer objects."""
        return False
