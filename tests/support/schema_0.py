"""The drafts' schema 0, written: the way back from what `meldlog_contracts.stored` lifts.

``python -m tests.support.schema_0 crazy-rummy`` recorded the golden log of that schema, once, from the one of today's.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.support.forge import Node
from tests.support.tamper import chained

FOLDER = Path(__file__).parents[1] / "golden"


def as_schema_0(lines: Sequence[bytes]) -> list[bytes]:
    """A log as the drafts would have stored it, hashes and all."""
    return chained([_commit(json.loads(line)) for line in lines])


def _commit(commit: Node) -> Node:
    return {
        **commit,
        "schema": 0,
        "command": _command(commit["command"]),
        "events": [_event(event) for event in commit["events"]],
    }


def _command(command: Node) -> Node:
    if command["type"] == "batch":
        return {**command, "commands": [_command(one) for one in command["commands"]]}
    if command["type"] == "draw":
        return {{"source": "from"}.get(name, name): value for name, value in command.items()}
    return command


def _event(event: Node) -> Node:
    match event["type"]:
        case "turn_passed":
            names = {"seat": "to", "deadline": "until"}
            return {names.get(name, name): value for name, value in event.items()}
        case "deal_scored":
            if event["multiplier"] != 1:
                raise ValueError("schema 0 knew no multiplier")
            return {name: value for name, value in event.items() if name != "multiplier"}
        case _:
            return event


def record(variant: str) -> Path:
    """Record the golden log of schema 0; refuses to do it again."""
    path = FOLDER / "schema-0" / f"{variant}.ndjson"
    path.parent.mkdir(exist_ok=True)
    lines = as_schema_0((FOLDER / f"{variant}.ndjson").read_bytes().splitlines())
    with path.open("xb") as file:
        file.write(b"".join(line + b"\n" for line in lines))
    return path


if __name__ == "__main__":
    print(record(sys.argv[1]))
