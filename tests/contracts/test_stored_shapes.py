"""The stored shapes outlive every release: their schema and their bytes are frozen here.

A test that fails says how to renew what is frozen. Do so only for what was added: a new command, a new event, a new
field with a default. A line that changes is a log of an earlier release that can no longer be verified.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any, get_args

import jsonschema_rs
import msgspec
import pytest
from msgspec import Struct
from tests.contracts.examples import COMMANDS, EVENTS, commits, snapshot
from tests.contracts.growth import changes
from tests.support import forge
from tests.support.games import played
from tests.support.schema import PATH as SCHEMA_PATH
from tests.support.schema import events_schema

from meldlog_contracts.commands import Command
from meldlog_contracts.events import SCHEMA, Event
from meldlog_service.core import chain

SNAPSHOT = Path(__file__).parent / "stored_shapes.ndjson"
SHAPES = Path(__file__).parent / f"schema-{SCHEMA}.json"
"""The shapes of this schema as they were frozen; a new schema gets a file of its own, and this one stays."""
RENEW_SCHEMA = "if this is meant: python -m tests.support.schema"
NEW_SCHEMA = "give the format a new SCHEMA and a lift from the one before (meldlog_contracts.stored)"
RENEW_BYTES = "if only lines were added: python -m tests.contracts.renew"


def test_the_schema_of_a_commit_is_the_one_that_was_published() -> None:
    """``contracts/events.schema.json`` is made from the structs and checked in."""
    assert SCHEMA_PATH.read_text(encoding="utf-8") == events_schema(), RENEW_SCHEMA


def test_the_bytes_of_every_command_and_event_are_what_they_were() -> None:
    """Names, order, seals, salts and hashes."""
    assert SNAPSHOT.read_bytes() == snapshot(), RENEW_BYTES


def test_the_stored_format_has_only_grown() -> None:
    """Since its schema was given a number: nothing is gone, renamed, or of another type."""
    frozen = json.loads(SHAPES.read_text(encoding="utf-8"))
    assert not changes(frozen, json.loads(events_schema())), NEW_SCHEMA


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.__name__)
def test_a_change_of_the_stored_format_is_noticed(kind: type[Struct]) -> None:
    """A field renamed, removed, of another type, or new and without a default."""
    frozen = json.loads(SHAPES.read_text(encoding="utf-8"))
    name = next(name for name in frozen["$defs"][kind.__name__]["properties"] if name != "type")

    def renamed(properties: dict[str, Any]) -> None:
        properties["other"] = properties.pop(name)

    def retyped(properties: dict[str, Any]) -> None:
        properties[name] = {"type": "number"}

    for change in (renamed, retyped, lambda properties: properties.pop(name)):
        now = copy.deepcopy(frozen)
        change(now["$defs"][kind.__name__]["properties"])
        assert changes(frozen, now)
    grown = copy.deepcopy(frozen)
    shape = grown["$defs"][kind.__name__]
    shape["properties"]["more"] = {"type": "string", "default": ""}
    assert not changes(frozen, grown)
    shape["required"].append("more")
    assert changes(frozen, grown)


def test_what_was_stored_is_read_back_as_what_it_was() -> None:
    """Every frozen line decodes to its example and encodes to itself."""
    for line, commit in zip(SNAPSHOT.read_bytes().splitlines(), commits(), strict=True):
        assert chain.decode(line) == commit
        assert chain.canonical(chain.decode(line)) == line
        assert forge.content_hash(json.loads(line)) == commit.hash
        chain.check_seals(commit)


def test_there_is_an_example_of_everything() -> None:
    """Of every command, every event, and every field away from its default."""
    for union, examples in ((Command, COMMANDS), (Event, EVENTS)):
        assert {type(example) for example in examples} == set(get_args(union))
        for kind in get_args(union):
            written = {
                name for example in examples if type(example) is kind for name in msgspec.to_builtins(example)
            }
            described = msgspec.inspect.type_info(kind)
            assert isinstance(described, msgspec.inspect.StructType)
            assert {member.encode_name for member in described.fields} <= written, kind


def test_logs_fit_the_schema() -> None:
    """Those of whole games, and every example."""
    validator = jsonschema_rs.validator_for(json.loads(SCHEMA_PATH.read_text(encoding="utf-8")))
    for line in (*SNAPSHOT.read_bytes().splitlines(), *played(6, house_rules={"deal_count": 2}).lines):
        validator.validate(json.loads(line))
    whole = json.loads(SNAPSHOT.read_bytes().splitlines()[0])
    for wrong in (
        {"type": "deal_dreamt"},
        {"type": "card_discarded", "seat": -1, "card": "7H"},
        {"type": "card_drawn", "seat": 1},
    ):
        assert not validator.is_valid({**whole, "events": [wrong]})


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.__name__)
def test_a_field_added_later_leaves_the_bytes_of_earlier_events_alone(kind: type[Struct]) -> None:
    """It has a default, and what is at its default is not written: old hashes stay what they are."""
    added: list[tuple[str, Any, Any]] = [("added_later", str | None, None)]
    later = msgspec.defstruct(
        f"Later{kind.__name__}", added, bases=(kind,), frozen=True, kw_only=True, tag=_tag(kind)
    )
    for commit in commits():
        for event in commit.events:
            if type(event) is kind:
                grown = msgspec.convert(msgspec.to_builtins(event), later)
                assert chain.canonical(grown) == chain.canonical(event)


def _tag(kind: type[Struct]) -> str:
    tag = kind.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def test_fields_at_their_defaults_are_not_written() -> None:
    """An ordinary turn is short."""
    assert chain.canonical(chain.decode(_line("turn_passed")).events[0]).count(b"phase") == 1
    short = b'{"deadline":null,"seat":2,"type":"turn_passed"}'
    assert chain.canonical(msgspec.json.decode(short, type=Event)) == short


def _line(tag: str) -> bytes:
    return next(line for line in SNAPSHOT.read_bytes().splitlines() if f'"type":"{tag}"'.encode() in line)
