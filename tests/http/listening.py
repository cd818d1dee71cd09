"""Listening to a live stream, as a browser would."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx

Json = dict[str, Any]


class Event:
    """A server-sent event."""

    def __init__(self, event_id: str, name: str, data: str) -> None:
        self.id = event_id
        self.name = name
        self.data = data

    @property
    def commit(self) -> Json:
        """The commit that it brings."""
        found: Json = json.loads(self.data)
        return found


@contextmanager
def listening(
    client: httpx.Client, path: str, headers: Mapping[str, str] | None = None, **params: object
) -> Iterator[Iterator[Event]]:
    """Open the stream of a game; the events come as they come."""
    headers = {"Accept": "text/event-stream", **(headers or {})}
    with client.stream("GET", f"{path}/events", headers=headers, params=params) as answer:  # type: ignore[arg-type]
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield _events(answer.iter_lines())


def _events(lines: Iterator[str]) -> Iterator[Event]:
    fields: dict[str, str] = {}
    for line in lines:
        if line.startswith(":"):
            continue
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        else:
            if "data" in fields:
                yield Event(fields["id"], fields["event"], fields["data"])
            fields = {}
