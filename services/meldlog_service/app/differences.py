"""Where a decision comes out otherwise than it was recorded: what was asked, what is decided, how the tables differ."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from meldlog_contracts.commands import Command
from meldlog_contracts.events import Event
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Table
from meldlog_service.core.views import Viewer, redact_event, view

MOST_CHANGES = 50
"""Of a table; one that differs in more differs in everything."""

Json = bool | int | str | None | list["Json"] | dict[str, "Json"]


class Change(Struct, frozen=True):
    """One place of the table (a JSON pointer, RFC 6901), and what is there; None where there is nothing."""

    pointer: str
    recorded: msgspec.Raw
    decided: msgspec.Raw


class Difference(Struct, frozen=True, kw_only=True):
    """The first command that is decided otherwise than it was recorded."""

    version: int
    by: str
    command: Command
    code: str | None = None
    """Where the command is refused now: as what."""
    rule: str | None = None
    """The clause by which it is."""
    detail: str | None = None
    recorded: tuple[Event, ...]
    decided: tuple[Event, ...] = ()
    """Empty where the command is refused now."""
    table: tuple[Change, ...] = ()
    """How the two tables after it differ."""


def refusal(
    version: int, by: str, command: Command, recorded: tuple[Event, ...], refused: Refused, viewer: Viewer
) -> Difference:
    """A command that was accepted and is refused now."""
    return Difference(
        version=version,
        by=by,
        command=command,
        code=refused.code,
        rule=refused.rule,
        detail=refused.detail,
        recorded=_seen(recorded, viewer),
    )


def another(
    version: int,
    by: str,
    command: Command,
    events: tuple[tuple[Event, ...], tuple[Event, ...]],
    tables: tuple[Table | None, Table],
    viewer: Viewer,
) -> Difference:
    """A command that has other consequences now.

    Args:
        version: Where.
        by: Who gave the command.
        command: What was asked.
        events: As they were recorded, and as they are decided.
        tables: After these and after those; None where the recorded events fit no table.
        viewer: Who is told: secrets of others stay closed.
    """
    recorded, decided = tables
    changes = () if recorded is None else tuple(_changes(_shown(recorded, viewer), _shown(decided, viewer)))
    return Difference(
        version=version,
        by=by,
        command=command,
        recorded=_seen(events[0], viewer),
        decided=_seen(events[1], viewer),
        table=changes[:MOST_CHANGES],
    )


def _seen(events: tuple[Event, ...], viewer: Viewer) -> tuple[Event, ...]:
    return tuple(redact_event(event, viewer) for event in events)


def _shown(table: Table, viewer: Viewer) -> Json:
    found: Json = msgspec.json.decode(msgspec.json.encode(view(table, viewer)))
    return found


_NOTHING = msgspec.Raw(b"null")


def _changes(recorded: Json, decided: Json, pointer: str = "") -> Iterator[Change]:
    """Every innermost place where two values differ; of lists of different length the ends."""
    if recorded == decided and type(recorded) is type(decided):
        return
    if isinstance(recorded, dict) and isinstance(decided, dict):
        for name in dict.fromkeys((*recorded, *decided)):
            yield from _changes(recorded.get(name), decided.get(name), f"{pointer}/{_escaped(name)}")
    elif isinstance(recorded, list) and isinstance(decided, list):
        longer = max(len(recorded), len(decided))
        for place in range(longer):
            one, other = (side[place] if place < len(side) else None for side in (recorded, decided))
            yield from _changes(one, other, f"{pointer}/{place}")
    else:
        yield Change(pointer, _raw(recorded), _raw(decided))


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _raw(value: Json) -> msgspec.Raw:
    return _NOTHING if value is None else msgspec.Raw(msgspec.json.encode(value))
