"""What happens to a log after it was made: it is redacted for a viewer, or somebody tampers with it."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tests.support.forge import Node, canonical, closed, content_hash, seal


def export(lines: Iterable[bytes], viewer: int | None) -> list[bytes]:
    """The log as a seat is given it, or (None) a spectator: only the viewer's own cards are open."""
    given: list[bytes] = []
    for line in lines:
        commit: Node = json.loads(line)
        for event in commit["events"]:
            own = event.get("card") if event["type"] == "card_drawn" and event["seat"] == viewer else None
            hands = event["hands"] if event["type"] == "deal_started" else []
            mine = hands[viewer] if viewer is not None and hands else None
            for key, value in list(event.items()):
                event[key] = closed(value)
            if own is not None:
                event["card"] = own
            if mine is not None:
                event["hands"][viewer] = mine
        given.append(canonical(commit).encode())
    return given


def edited(
    lines: Sequence[bytes], version: int, change: Callable[[Node], object], *, rehash: bool = True
) -> list[bytes]:
    """The log with one commit changed and, unless told otherwise, every hash from there on made to fit again."""
    commits: list[Node] = [json.loads(line) for line in lines]
    change(commits[version - 1])
    return chained(commits, version) if rehash else [canonical(commit).encode() for commit in commits]


def chained(commits: Sequence[Node], first: int = 1) -> list[bytes]:
    """Write commits with links and hashes that fit, from version `first` on."""
    written: list[bytes] = []
    before: str | None = None
    for version, commit in enumerate(copy.deepcopy(list(commits)), 1):
        if version >= first:
            if before is not None:
                commit["prev"] = before
            commit["hash"] = content_hash(commit)
        before = commit["hash"]
        written.append(canonical(commit).encode())
    return written


def resealed(secret: Node, value: Any) -> None:
    """Put another value into an open secret, under the same salt, with a seal that fits."""
    secret["value"] = value
    secret["seal"] = seal(secret["salt"], value)


def version_of(lines: Sequence[bytes], event_type: str, number: int = 1) -> int:
    """Version of the `number`-th commit that holds an event of this type."""
    holding = [
        at for at, line in enumerate(lines, 1) if re.search(rb'"type":"%s"' % event_type.encode(), line)
    ]
    return holding[number - 1]


def event_of(commit: Node, event_type: str) -> Node:
    """The first event of this type in a commit."""
    found: Node = next(event for event in commit["events"] if event["type"] == event_type)
    return found
