"""Replay: the log, read again and folded again, is the game that was played; and it is the same bytes again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from meldlog_contracts.events import Commit, RulesNoted
from meldlog_contracts.table import Table
from meldlog_service.checking.faults import Broken
from meldlog_service.core import chain
from meldlog_service.core.evolve import Corrupt, apply


def check_readable(line: bytes, commit: Commit) -> None:
    """Read a line again that was just written.

    Raises:
        Broken: ``replay``.
    """
    try:
        again = chain.decode(line)
    except (msgspec.MsgspecError, ValueError) as error:
        raise Broken(
            "replay", f"what was decided cannot be read again: {error}", about=_about(commit)
        ) from error
    if again != commit or chain.canonical(again) != line:
        raise Broken(
            "replay", "what was decided is something else when it is read again", about=_about(commit)
        )


def _about(commit: Commit) -> str | None:
    return "noted" if any(isinstance(event, RulesNoted) for event in commit.events) else None


def check_replay(log: Sequence[bytes], played: Table) -> None:
    """Read and fold a whole log.

    Raises:
        Broken: ``replay``, naming the version.
    """
    table = Table()
    for version, line in enumerate(log, 1):
        try:
            commit = chain.decode(line)
            table = apply(table, commit)
        except (msgspec.MsgspecError, ValueError, Corrupt) as error:
            raise Broken("replay", f"version {version} cannot be read again: {error}") from error
        if chain.canonical(commit) != line:
            raise Broken("replay", f"version {version}, read and written again, is other bytes")
    if table != played:
        names = [name for name in Table.__struct_fields__ if getattr(table, name) != getattr(played, name)]
        raise Broken("replay", f"the folded log is another table than was played: {', '.join(names)} differ")
