"""The API's description: frozen, whole, and kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import jsonschema_rs
import pytest
import schemathesis
from schemathesis.core.result import Ok
from schemathesis.specs.openapi import checks
from schemathesis.specs.openapi.definitions import OPENAPI_31_VALIDATOR
from tests.http.playing import Game
from tests.http.serving import Served, installed, served

from meldlog_service.http.app import create_app
from meldlog_service.http.openapi import description, text
from meldlog_service.http.problems import KINDS
from meldlog_service.settings import Settings
from meldlog_service.store.memory import MemoryStore

Json = dict[str, Any]
Operation = schemathesis.APIOperation[Any, Any, Any, Any]
Case = schemathesis.Case[Any]
FROZEN = Path(__file__).parents[2] / "contracts" / "openapi.json"
PROMISED = {
    ("get", "/v1/bots"),
    ("get", "/v1/variants"),
    ("get", "/v1/variants/{name}"),
    ("post", "/v1/variants/{name}/judge"),
    ("post", "/v1/games"),
    ("get", "/v1/games"),
    ("post", "/v1/games/{game_id}/seats"),
    ("delete", "/v1/games/{game_id}/seats/{seat}"),
    ("get", "/v1/games/{game_id}"),
    ("get", "/v1/games/{game_id}/moves"),
    ("get", "/v1/games/{game_id}/rules"),
    ("post", "/v1/games/{game_id}/commands"),
    ("get", "/v1/games/{game_id}/events"),
    ("get", "/v1/games/{game_id}/audit"),
    ("post", "/v1/games/{game_id}/fork"),
    ("get", "/v1/games/{game_id}/knowledge"),
    ("post", "/v1/games/import"),
    ("get", "/healthz"),
    ("get", "/readyz"),
    ("get", "/metrics"),
}
PAGES = {
    "/",
    "/assets/{release}/{path}",
    "/docs",
    "/docs/{name}",
    "/problems",
    "/problems/{code}",
    "/schema/openapi.json",
}
"""For people, and the description itself."""


@schemathesis.serializer("application/x-ndjson")
def as_lines(_context: object, value: object) -> bytes:
    """A body of lines, which the description calls a text; anything else is sent as one line of JSON."""
    return value.encode() if isinstance(value, str) else json.dumps(value).encode()


def operations() -> Iterator[tuple[str, str, Json]]:
    """Every operation: method, path, and what is said of it."""
    for path, item in description()["paths"].items():
        for method, operation in item.items():
            yield method, path, operation


def walk(node: object) -> Iterator[Json]:
    """Every object in a document."""
    if isinstance(node, dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from walk(inner)


def test_the_description_is_the_frozen_one() -> None:
    """Integrators build on it. To change it on purpose: `python -m meldlog_service.http.openapi`."""
    assert text() == FROZEN.read_text(encoding="utf-8")


def test_the_description_is_openapi_3_1() -> None:
    """As its own JSON Schema says, and every schema in it is one."""
    OPENAPI_31_VALIDATOR.validate(description())
    for schema in description()["components"]["schemas"].values():
        jsonschema_rs.meta.validate(schema)


def test_the_service_gives_its_description(served_description: Json) -> None:
    """The same."""
    assert served_description == description()


@pytest.fixture
def served_description(server: Served) -> Json:
    """What `/schema/openapi.json` answers."""
    with server.client() as client:
        answer = client.get("/schema/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    found: Json = answer.json()
    return found


def test_every_reference_leads_somewhere() -> None:
    """No name is missing."""
    known = description()["components"]["schemas"].keys()
    for node in walk(description()):
        if isinstance(reference := node.get("$ref"), str):
            assert reference.removeprefix("#/components/schemas/") in known


def test_every_promised_route_is_described_and_served_and_no_other() -> None:
    """The contract, the description and the app say the same."""
    assert {(method, path) for method, path, _ in operations()} == PROMISED
    app = create_app(Settings(), MemoryStore(), installed())
    served_routes = {re.sub(r":\w+}", "}", route.path) for route in app.routes}
    assert served_routes == {path for _, path in PROMISED} | PAGES


def test_every_operation_says_what_it_does_and_how_it_refuses() -> None:
    """A summary, an id of its own, its path's parameters, and problems alone for errors."""
    ids = [operation["operationId"] for _, _, operation in operations()]
    assert len(ids) == len(set(ids))
    for _, path, operation in operations():
        assert operation["summary"]
        parameters = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "path"}
        assert parameters == set(re.findall(r"{(\w+)}", path))
        for status, response in operation["responses"].items():
            if status == "default" or int(status) >= 400:
                assert list(response["content"]) == ["application/problem+json"]


def test_every_code_that_is_described_exists() -> None:
    """Under its own status."""
    for _, _, operation in operations():
        for status, response in operation["responses"].items():
            for code in (
                re.findall(r"`(\w+)`:", response.get("description", "")) if status != "default" else ()
            ):
                assert KINDS[code].status == int(status)


def test_bodies_are_described_as_strictly_as_they_are_read() -> None:
    """No unknown member; of commands, which member tells them apart."""
    schemas = description()["components"]["schemas"]
    for name in ("NewGame", "NewSeat", "Question", "CommandList", "Draw", "LayMeld", "Discard"):
        assert schemas[name]["additionalProperties"] is False
    [body] = [operation["requestBody"] for _, path, operation in operations() if path.endswith("/commands")]
    one, several = body["content"]["application/json"]["schema"]["anyOf"]
    assert one["discriminator"]["propertyName"] == "type"
    assert several == {"$ref": "#/components/schemas/CommandList"}


# -- whatever is sent --------------------------------------------------------------------------------------------------

SCHEMA = schemathesis.openapi.from_dict(json.loads(FROZEN.read_text(encoding="utf-8")))
# What fits its schema can still make no sense in a game: it is refused with 422, as is a number written 1.0.
NOT_ASKED: list[Any] = [checks.positive_data_acceptance]
EVERY_OPERATION = [result.ok() for result in SCHEMA.get_all_operations() if isinstance(result, Ok)]
FEW = hypothesis.settings(
    max_examples=15,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(hypothesis.HealthCheck),
)


@pytest.fixture(scope="module")
def fuzzed() -> Iterator[tuple[Served, Game]]:
    """A service with a game, for requests that nobody in their right mind would send."""
    with served() as server, Game(server, 3) as game:
        yield server, game


@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("operation", EVERY_OPERATION, ids=lambda operation: operation.label)
def test_whatever_is_sent_is_answered_as_described(
    fuzzed: tuple[Served, Game], operation: Operation, mode: schemathesis.GenerationMode
) -> None:
    """Status, type and shape of every answer are described, and nothing makes the service fail."""
    server, game = fuzzed

    @FEW
    @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Case) -> None:
        if "game_id" in (case.path_parameters or {}):
            case.path_parameters["game_id"] = game.game_id
        case.call_and_validate(
            base_url=server.url, headers=game.headers("operator"), excluded_checks=NOT_ASKED, timeout=10
        )

    try:
        ask()
    except hypothesis.errors.Unsatisfiable:
        assert (
            mode is schemathesis.GenerationMode.NEGATIVE
        )  # what takes nothing cannot be given anything wrong


def test_every_operation_says_for_itself_which_token_it_needs() -> None:
    """None, any that opens more, or one without which nobody is answered; readers show a lock beside it."""
    needed = {
        (method, path): operation["security"]
        for method, path, operation in operations()
        if {} not in operation["security"]
    }
    assert {one for one, security in needed.items() if security} == {
        ("post", "/v1/games/import"),
        ("post", "/v1/games/{game_id}/commands"),
        ("post", "/v1/games/{game_id}/fork"),
        ("get", "/v1/games/{game_id}/moves"),
        ("delete", "/v1/games/{game_id}/seats/{seat}"),
    }
    assert {path.split("/")[1:3][-1] for (_, path), security in needed.items() if not security} == {
        "healthz",
        "readyz",
        "metrics",
        "bots",
        "variants",
    }


def test_what_needs_a_token_answers_nobody_without_one(game: Game) -> None:
    """As the description says."""
    for method, path, operation in operations():
        if operation["security"] == [{"token": []}]:
            url = path.replace("{game_id}", game.game_id).replace("{seat}", "0")
            bodies: dict[str, Json] = {"post": {"json": {"type": "draw", "source": "stock"}}}
            if path.endswith("/fork"):
                bodies["post"] = {"json": {"at": 1}}
            if path.endswith("/import"):
                bodies["post"] = {"content": b"{}", "headers": {"Content-Type": "application/x-ndjson"}}
            answer = game._client.request(method.upper(), url, **bodies.get(method, {}))
            assert answer.status_code in (401, 403), (method, path)


def test_summaries_are_plain_text() -> None:
    """Marks of code are rendered in descriptions alone."""
    assert not [path for _, path, operation in operations() if "`" in operation["summary"]]
