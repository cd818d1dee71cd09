"""Another process that audits: there every set has another order, so what depends on one comes out differently.

It is started with a hash seed of its own, loads the installed plugins by their entry points, is given logs on standard
input and answers each with a report.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import chain as chained
from types import TracebackType
from typing import IO, Self

import msgspec

from meldlog_service.app.audit import audit_log
from meldlog_service.app.audit_report import AuditReport
from meldlog_service.catalogue import Catalogue
from meldlog_service.core import chain

Judge = Callable[[Sequence[bytes]], AuditReport]
"""Audits a log."""
AGREES = "agrees"
HASH_SEEDS = (1, 2, 3)
"""Of the processes that audit a log which is looked at alone."""
_LENGTH = 8
"""Bytes that say how long a message is."""
_logs = msgspec.msgpack.Decoder(list[bytes])
_reports = msgspec.msgpack.Decoder(AuditReport)


class Twin:
    """A process that audits; a context manager that ends it.

    Args:
        hash_seed: What the order of its sets follows from, 1 or more.
    """

    def __init__(self, hash_seed: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        )

    def audit(self, log: Sequence[bytes]) -> AuditReport:
        """Have a log audited.

        Raises:
            EOFError: when the process has ended.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        _send(self._process.stdin, msgspec.msgpack.encode(list(log)))
        return _reports.decode(_receive(self._process.stdout))

    def __enter__(self) -> Self:
        """Use it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it."""
        self.end()

    def end(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


def several(log: Sequence[bytes]) -> AuditReport:
    """Have a log audited by processes with different orders of their sets, up to the first that does not agree."""
    reports = (_audited_by_twin(hash_seed, log) for hash_seed in HASH_SEEDS)
    first = next(reports)
    return next((one for one in chained((first,), reports) if one.verdict != AGREES), first)


def _audited_by_twin(hash_seed: int, log: Sequence[bytes]) -> AuditReport:
    with Twin(hash_seed) as twin:
        return twin.audit(log)


def in_this_process(catalogue: Catalogue) -> Judge:
    """An auditor without a process of its own."""
    return lambda log: audit_log(map(chain.decode, log), catalogue)


def _send(pipe: IO[bytes], message: bytes) -> None:
    rest = memoryview(len(message).to_bytes(_LENGTH, "big") + message)
    while rest:
        rest = rest[pipe.write(rest) :]
    pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes:
    return _exactly(pipe, int.from_bytes(_exactly(pipe, _LENGTH), "big"))


def _exactly(pipe: IO[bytes], count: int) -> bytes:
    parts = bytearray()
    while len(parts) < count:
        part = pipe.read(count - len(parts))
        if not part:
            raise EOFError("the process that audits has ended")
        parts += part
    return bytes(parts)


def _serve() -> None:
    """Audit whatever comes, until nothing comes any more."""
    judge = in_this_process(Catalogue.from_entry_points())
    while True:
        try:
            message = _receive(sys.stdin.buffer)
        except EOFError:
            return
        _send(sys.stdout.buffer, msgspec.msgpack.encode(judge(_logs.decode(message))))


if __name__ == "__main__":
    _serve()
