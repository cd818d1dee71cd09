"""The JSON Schema of a stored commit, made from the structs: ``python -m tests.support.schema`` writes it anew."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from meldlog_contracts.events import Commit

PATH = Path(__file__).parents[2] / "contracts" / "events.schema.json"


def events_schema() -> str:
    """The schema as the file holds it: every command, every event and the commit around them."""
    schema = msgspec.json.schema(Commit)
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "One commit of a Meldlog game: one line of its log",
    }
    return json.dumps({**head, **schema}, ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    PATH.write_text(events_schema(), encoding="utf-8")
