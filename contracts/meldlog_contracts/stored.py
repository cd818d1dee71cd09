"""Reading stored commits, of this schema and of every one before it.

This is the one place where bytes become commits. A commit of an older schema is lifted, schema by schema, to the shapes
of today; what it was recorded as stays what its hash covers (`meldlog_service.core.chain.hash_of_line`), and its
``schema`` goes on saying which shapes those were.

A lift changes the names and values of members. It keeps the number and order of events, and the sealed values with
their paths, from which salts are made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import msgspec
from msgspec import Struct

from meldlog_contracts.events import SCHEMA, Commit

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
Members: TypeAlias = "dict[str, Json]"

_decoder = msgspec.json.Decoder(Commit)


class UnknownSchema(ValueError):
    """A commit written in a schema that this release does not know."""


class _Head(Struct):
    """What every commit of every schema has."""

    schema: int
    version: int


_head_decoder = msgspec.json.Decoder(_Head)


def decode(line: bytes | str) -> Commit:
    """Read a stored commit.

    Raises:
        msgspec.DecodeError: when it is not one.
        UnknownSchema: when a later release wrote it.
    """
    try:
        return _decode(line)
    except RecursionError as error:
        raise msgspec.DecodeError("it is nested too deeply") from error


def _decode(line: bytes | str) -> Commit:
    try:
        commit = _decoder.decode(line)
    except msgspec.ValidationError:
        head = _head_decoder.decode(line)
        if head.schema == SCHEMA:
            raise
    else:
        if commit.schema == SCHEMA:
            return commit
        head = _Head(commit.schema, commit.version)
    if head.schema not in LIFTS:
        raise UnknownSchema(
            f"version {head.version} is written in schema {head.schema}; this release knows {_known()}"
        )
    members: Members = msgspec.json.decode(line)
    for schema in range(head.schema, SCHEMA):
        members = LIFTS[schema](members)
    return msgspec.convert(members, Commit)


def _known() -> str:
    return ", ".join(map(str, sorted({*LIFTS, SCHEMA})))


def _from_schema_0(commit: Members) -> Members:
    """Schema 0 is that of the drafts, which no release wrote: it keeps this way open, and shows how it is gone.

    A turn was passed ``to`` a seat ``until`` a time, a draw was made ``from`` somewhere, and no deal had a multiplier.
    """
    lifted = dict(commit)
    command, events = commit.get("command"), commit.get("events")
    if isinstance(command, dict):
        lifted["command"] = _with_source(command)
    if isinstance(events, list):
        lifted["events"] = list(map(_event_of_schema_0, events))
    return lifted


def _with_source(command: Members) -> Json:
    listed = command.get("commands")
    if command.get("type") == "batch" and isinstance(listed, list):
        commands = [_with_source(one) if isinstance(one, dict) else one for one in listed]
        return {**command, "commands": commands}
    return _renamed(command, {"from": "source"}) if command.get("type") == "draw" else command


def _event_of_schema_0(event: Json) -> Json:
    if not isinstance(event, dict):
        return event
    match event.get("type"):
        case "turn_passed":
            return _renamed(event, {"to": "seat", "until": "deadline"})
        case "deal_scored":
            return {"multiplier": 1, **event}
        case _:
            return event


def _renamed(members: Members, names: Mapping[str, str]) -> Members:
    return {names.get(name, name): value for name, value in members.items()}


LIFTS: Mapping[int, Callable[[Members], Members]] = {0: _from_schema_0}
"""From each older schema to the one after it. A lift leaves what it can make no sense of, and raises nothing."""
