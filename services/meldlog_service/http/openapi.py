"""The API's description, OpenAPI 3.1, made from the routes themselves.

Litestar describes routes and parameters; what bodies look like msgspec says itself, as it is the one that reads and
writes them. ``python -m meldlog_service.http.openapi`` prints the description.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Any

import msgspec
from litestar import Litestar, Request, Response, Router, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, License, SecurityScheme

from meldlog_contracts.commands import GameCommand
from meldlog_service.http.command_bodies import CommandList
from meldlog_service.http.commands import PATH
from meldlog_service.http.declared import TOKEN, TOKEN_NEEDED
from meldlog_service.http.forks import IMPORT_PATH
from meldlog_service.http.negotiation import EVENT_STREAM, JSON, MARKDOWN, NDJSON, chosen
from meldlog_service.http.problems import MEDIA_TYPE, Problem
from meldlog_service.http.routes import API, NEGOTIATED
from meldlog_service.http.security import enter
from meldlog_service.http.service import Service

_ABOUT = """Rummy games whose every move is kept: create a game, take seats, play, follow it live, replay and audit it.

Seats are numbered from 0, deals and melds from 1. Cards are two characters of text (`7H`, `TD`, joker `JK`); a card
that the caller may not see is `??` or sealed. Bodies are JSON in UTF-8, read strictly: unknown members, numbers in
quotes and names that stand twice in one object are refused. Every error is a problem document (RFC 9457) with a `code`.
Times are RFC 3339 in UTC; ids are opaque.
"""
_REF = "#/components/schemas/{name}"
_ANYWHERE = ("rate_limited", "method_not_allowed", "malformed", "not_implemented", "internal")
_TOKEN_OPENS_MORE: list[dict[str, list[str]]] = [{}, *TOKEN_NEEDED]
_OTHER_FORMS: Mapping[str, Sequence[str]] = {
    "/v1/variants/{name}": (MARKDOWN,),
    "/v1/games/{game_id}/events": (EVENT_STREAM, NDJSON),
}
Described = dict[str, Any]
"""A part of the description, as JSON."""


@cache
def description() -> Described:
    """The whole description, as JSON."""
    handlers = (*API, *NEGOTIATED)
    app = Litestar(
        route_handlers=[
            Router("/", route_handlers=list(group), tags=[tag]) for tag, group in groupby(handlers, key=_tag)
        ],
        dependencies={"service": Provide(_nothing, sync_to_thread=False), "guest": Provide(enter)},
        openapi_config=OpenAPIConfig(
            title="Meldlog",
            version="1",
            description=_ABOUT,
            license=License(name="Apache-2.0", identifier="Apache-2.0"),
            components=Components(
                security_schemes={
                    TOKEN: SecurityScheme(
                        type="http",
                        scheme="bearer",
                        description="A seat's, a host's or the operator's token.",
                    )
                }
            ),
            security=_TOKEN_OPENS_MORE,
            use_handler_docstrings=True,
            operation_id_creator=lambda handler, *_: handler.handler_name,
        ),
        logging_config=None,
    )
    found: Described = msgspec.json.decode(msgspec.json.encode(app.openapi_schema.to_schema()))
    bodies, components = _bodies(handlers)
    found["components"]["schemas"] = components
    for path, item in found["paths"].items():
        for operation in item.values():
            _complete(path, operation)
    found["paths"][IMPORT_PATH]["post"]["requestBody"] = {
        "description": "A log, one commit a line, its secrets open.",
        "required": True,
        "content": {NDJSON: {"schema": {"type": "string"}}},
    }
    commands = found["paths"][PATH.replace(":str", "")]["post"]
    commands["requestBody"]["content"][JSON]["schema"] = {"anyOf": list(bodies)}
    return found


def _tag(handler: HTTPRouteHandler) -> str:
    """Routes are told apart by the module that they stand in."""
    return handler.fn.__module__.rpartition(".")[2]


def _nothing() -> Service:
    raise RuntimeError("the description is never served by the app that it is made from")


def _bodies(handlers: Sequence[HTTPRouteHandler]) -> tuple[Sequence[Described], Described]:
    """The schemas of a command's body, and all components."""
    types = [Problem, *dict.fromkeys(kind for handler in handlers for kind in _types(handler))]
    schemas, components = msgspec.json.schema_components(
        [GameCommand, CommandList, *types], ref_template=_REF
    )
    return tuple(schemas)[:2], msgspec.json.decode(msgspec.json.encode(components))


def _types(handler: HTTPRouteHandler) -> Iterator[type]:
    """The structs that a route reads and writes."""
    signature = handler.parsed_fn_signature
    answer = signature.return_type
    inner = answer.inner_types[0] if answer.is_subclass_of(Response) else answer
    fields = [inner, *([signature.parameters["data"]] if "data" in signature.parameters else [])]
    for field in fields:
        if isinstance(field.annotation, type) and issubclass(field.annotation, msgspec.Struct):
            yield field.annotation


def _complete(path: str, operation: Described) -> None:
    """Say what Litestar does not know, and leave out what it supposes."""
    summary, _, more = operation.pop("description").partition("\n\n")
    # Readers show a summary as it is: marks of code are for descriptions.
    operation["summary"] = summary.rstrip(".").replace("`", "")
    if more:
        operation["description"] = more
    responses = operation["responses"]
    supposed = responses.get("400")
    if supposed and MEDIA_TYPE not in supposed["content"]:
        del responses["400"]
    # Each says for itself what it needs, so that nobody has to look at the end of the description.
    operation.setdefault("security", _TOKEN_OPENS_MORE if "401" in responses else [])
    responses["default"] = {
        "description": f"Any other problem: {', '.join(f'`{code}`' for code in _ANYWHERE)}.",
        "content": {MEDIA_TYPE: {"schema": {"$ref": _REF.format(name=Problem.__name__)}}},
    }
    for response in responses.values():
        for name, header in response.get("headers", {}).items():
            response["headers"][name] = {"description": header["description"], "schema": {"type": "string"}}
    for form in _OTHER_FORMS.get(path, ()):
        responses["200"]["content"][form] = {"schema": {"type": "string"}}
    for parameter in operation.get("parameters", ()):
        for default in ("deprecated", "allowEmptyValue", "allowReserved"):
            parameter.pop(default, None)
        _simplify(parameter["schema"])
    operation.pop("deprecated", None)


def _simplify(schema: Described) -> None:
    """A parameter that may be left out is never null, and the bounds of integers are integers."""
    schema.pop("description", None)
    (kind,) = [kind for kind in schema.pop("oneOf", [{}]) if kind != {"type": "null"}]
    schema.update(kind)
    if "null" in schema.get("type", ()):
        (schema["type"],) = [kind for kind in schema["type"] if kind != "null"]
        schema["enum"] = [value for value in schema["enum"] if value is not None]
    for bound in ("minimum", "maximum"):
        if bound in schema:
            schema[bound] = int(schema[bound])


def text() -> str:
    """The description as it is frozen."""
    return json.dumps(description(), indent=2, ensure_ascii=False, sort_keys=True) + "\n"


@cache
def _encoded() -> bytes:
    return msgspec.json.encode(description())


@get("/schema/openapi.json", include_in_schema=False, sync_to_thread=False)
def show_description(request: Request[Any, Any, State]) -> Response[bytes]:
    """Give the API's description."""
    form = chosen(request.headers.get("accept"), (JSON, "application/vnd.oai.openapi+json"))
    return Response(_encoded(), media_type=form, headers={"Cache-Control": "public, max-age=60"})


if __name__ == "__main__":
    sys.stdout.write(text())
