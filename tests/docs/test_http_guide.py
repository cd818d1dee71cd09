"""docs/http.md lists every command, every event and every code that there is."""

import re
from typing import get_args

import msgspec
from tests.docs.markdown import ROOT

from meldlog_contracts.commands import GameCommand
from meldlog_contracts.events import Event
from meldlog_service.http.command_bodies import read
from meldlog_service.http.problems import KINDS

GUIDE = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")


def tags(union: object) -> set[str]:
    """The words that stand for the members of a union on the wire."""
    return {str(member.__struct_config__.tag) for member in get_args(union)}


def table_of_problems() -> str:
    """The table as the guide must have it."""
    lines = ["| status | `code` | when |", "|---|---|---|"]
    lines += [f"| {kind.status} | `{code}` | {kind.about} |" for code, kind in KINDS.items()]
    return "\n".join(lines) + "\n"


def test_every_command_is_listed_as_it_can_be_posted() -> None:
    """Each example is read as the route reads it."""
    listed = [match[1] for match in re.finditer(r"^\| `(\{.*\})` \|", GUIDE, re.MULTILINE)]
    commands = [read(text.encode()) for text in listed]
    assert {msgspec.to_builtins(command)["type"] for command in commands} == tags(GameCommand)


def test_every_event_is_listed() -> None:
    """And no other."""
    _, _, after = GUIDE.partition("### Events")
    rows = [line.split("|")[1] for line in after.partition("\n## ")[0].splitlines() if line.startswith("| `")]
    assert {word for row in rows for word in re.findall(r"`(\w+)`", row)} == tags(Event)


def test_the_table_of_problems_is_the_one_that_the_service_has() -> None:
    """Copy it from here when a code was added."""
    assert table_of_problems() in GUIDE, table_of_problems()
