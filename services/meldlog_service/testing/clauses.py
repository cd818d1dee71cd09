"""Which tests speak of which clause: every sentence of a rule sheet wants one of what it allows, one of what not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Literal

import pytest
from msgspec import Struct

MARKER = (
    'clause(id, says): the clause of the rule sheet that a test is about, and whether it shows what that "allows" or '
    'what it "refuses" (for a clause that states a fact: what happens, and what does not)'
)
Says = Literal["allows", "refuses"]
SAYS: tuple[Says, ...] = ("allows", "refuses")


class Spoken(Struct, frozen=True):
    """One test's word about one clause."""

    clause: str
    says: Says
    test: str


def spoken(modules: Iterable[ModuleType]) -> Iterator[Spoken]:
    """What the tests of these modules say about clauses, read off their ``clause`` marks.

    Raises:
        ValueError: for a mark that is not a clause and one of `SAYS`.
    """
    for module in modules:
        for name, test in vars(module).items():
            if not name.startswith("test_"):
                continue
            marks: list[pytest.Mark] = getattr(test, "pytestmark", [])
            for mark in marks:
                if mark.name != "clause":
                    continue
                if len(mark.args) != len(SAYS) or mark.args[1] not in SAYS:
                    raise ValueError(f"{module.__name__}.{name}: clause{mark.args} is no clause mark")
                yield Spoken(mark.args[0], mark.args[1], f"{module.__name__.rpartition('.')[2]}::{name}")


def report(clauses: Iterable[str], said: Iterable[Spoken]) -> dict[str, dict[Says, list[str]]]:
    """Clauses by tests: for each clause, and for each thing to say about it, who says it."""
    table: dict[str, dict[Says, list[str]]] = {clause: {says: [] for says in SAYS} for clause in clauses}
    for one in said:
        table.setdefault(one.clause, {says: [] for says in SAYS})[one.says].append(one.test)
    return table
