"""What a long audit has found by now, kept in a file, so that one that was interrupted can be gone on with."""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import msgspec
from msgspec import Struct

from meldlog_service.catalogue import Catalogue
from meldlog_service.cli.faults import WRONG_USAGE, Fault
from meldlog_service.cli.tallying import Audited


class _Head(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: which audit this is. Other plugins, or other rules, could find other things."""

    audit_state: int
    plugins: str
    instead: dict[str, int]


class _Found(Struct, frozen=True):
    """Every other line: one log and what was found in it."""

    key: str
    audited: Audited


class State:
    """What was found so far; a context manager that closes the file.

    A game is written when it has been judged, a line each; a line that was cut off counts for nothing.

    Args:
        path: The file; made when it is missing.
        catalogue: The installed plugins.
        instead: Rules versions that games are judged by in place of their own.

    Raises:
        Fault: when the file is no such state, or that of another audit.
    """

    def __init__(self, path: Path, catalogue: Catalogue, instead: Mapping[str, int]) -> None:
        head = _Head(1, _digest(catalogue), dict(instead))
        try:
            self._file = path.open("a+b")
        except OSError as error:
            raise Fault(f"{path} cannot be used: {error.strerror}", WRONG_USAGE) from error
        try:
            _lock(self._file, path)
            self._file.seek(0)
            data = self._file.read()
            whole = data[: data.rfind(b"\n") + 1]
            self._found = _read(path, data, whole, head)
            # Not before it is known to be ours; then what was cut off goes.
            self._file.truncate(len(whole))
        except BaseException:
            self._file.close()
            raise
        if not whole:
            self._write(head)

    def find(self, key: str) -> Audited | None:
        """What was found in this log."""
        return self._found.get(key)

    def add(self, key: str, audited: Audited) -> None:
        """Keep what was found in a log."""
        self._write(_Found(key, audited))

    def _write(self, entry: Struct) -> None:
        self._file.write(msgspec.json.encode(entry) + b"\n")
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def _lock(file: BinaryIO, path: Path) -> None:
    """See that nobody else writes the same state; the lock goes with the file."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise Fault(f"{path} is being written by another audit", WRONG_USAGE) from error


def _read(path: Path, data: bytes, whole: bytes, head: _Head) -> dict[str, Audited]:
    """What was found, by the key of its log; raises Fault when these are no lines of this audit."""
    if not whole:
        if not msgspec.json.encode(head).startswith(data):
            raise Fault(f"{path} is no state of an audit", WRONG_USAGE)
        return {}
    first, *lines = whole.splitlines()
    try:
        recorded = msgspec.json.decode(first, type=_Head)
        entries = [msgspec.json.decode(line, type=_Found) for line in lines]
    except msgspec.DecodeError as error:
        raise Fault(f"{path} is no state of an audit: {error}", WRONG_USAGE) from error
    if recorded != head:
        what = "other rules" if recorded.instead != head.instead else "other plugins"
        raise Fault(f"{path} is the state of an audit by {what}: begin a new one", WRONG_USAGE)
    return {entry.key: entry.audited for entry in entries}


def _digest(catalogue: Catalogue) -> str:
    return hashlib.sha256(msgspec.json.encode(catalogue.refs())).hexdigest()
