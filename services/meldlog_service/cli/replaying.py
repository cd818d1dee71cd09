"""A replay: the table after every version, folded from what one viewer may see. No rules and no plugin are needed."""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from meldlog_contracts.events import Commit
from meldlog_contracts.table import Table
from meldlog_service.cli.faults import WRONG_USAGE, Fault
from meldlog_service.core import chain
from meldlog_service.core.evolve import Corrupt, apply
from meldlog_service.core.knowledge import Knowing, SeenBy
from meldlog_service.core.views import TableView, Viewer, redact, view
from meldlog_service.misfits import unread


class Step(Struct, frozen=True):
    """One version: the commit and the table after it, as the viewer sees both."""

    commit: Commit
    table: TableView
    knowledge: tuple[SeenBy, ...] | None = None
    """What was known then, if that was asked for: to the operator every seat's, to others their own."""

    def json(self) -> bytes:
        """As one line of JSON: the commit's own members, `table`, and `knowledge` if it was asked for."""
        members = {name: getattr(self.commit, name) for name in self.commit.__struct_fields__}
        members["table"] = self.table
        if self.knowledge is not None:
            members["knowledge"] = self.knowledge
        return chain.canonical(members)


class Replay(Struct, frozen=True):
    """What a log shows to a viewer, and what is wrong with it."""

    steps: tuple[Step, ...]
    """Version n at index n - 1, up to the first that cannot be read."""
    fault: str | None
    """The first thing wrong, as a sentence."""


def replay(lines: Sequence[bytes], viewer: Viewer, *, knowledge: bool = False) -> Replay:
    """Fold a log as far as it goes, on request with who knew what.

    Raises:
        Fault: when the viewer is a seat that the game has not.
    """
    if not lines:
        return Replay((), "the log is empty")
    found: list[Step] = []
    try:
        for step in _steps(lines, viewer, knowledge=knowledge):
            if isinstance(viewer, int) and viewer >= len(step.table.seats):
                seats = len(step.table.seats)
                raise Fault(f"the game has no seat {viewer}: seats are 0 to {seats - 1}", WRONG_USAGE)
            found.append(step)
    except (msgspec.DecodeError, chain.UnknownSchema) as error:
        why = unread(error, Commit, lines[len(found)])
        return Replay(tuple(found), f"line {len(found) + 1} is no commit of a log: {why}")
    except Corrupt as error:
        return Replay(
            tuple(found), f"line {len(found) + 1} does not follow from the lines before it: {error}"
        )
    return Replay(tuple(found), _first_break(lines))


def _steps(lines: Sequence[bytes], viewer: Viewer, *, knowledge: bool) -> Iterator[Step]:
    table, knowing = Table(), Knowing(viewer)
    for line in lines:
        commit = redact(chain.decode(line), viewer)
        table = apply(table, commit)
        seen = knowing.after(commit, len(table.seats)) if knowledge else None
        yield Step(commit, view(table, viewer), seen)


def _first_break(lines: Sequence[bytes]) -> str | None:
    """The first version that is not what was recorded; None for an unbroken log."""
    before: str | None = None
    for line in lines:
        commit = chain.decode(line)
        if commit.hash != chain.hash_of_line(line, commit) or (before is not None and commit.prev != before):
            return f"the chain is broken at version {commit.version}"
        try:
            chain.check_seals(commit)
        except chain.BrokenSeal as error:
            return str(error)
        before = commit.hash
    return None
