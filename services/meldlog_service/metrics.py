"""The few numbers that tell whether the service does its work, in Prometheus' text form.

With several workers each request for `/metrics` meets one of them, so the workers share their numbers through
files in one folder: the parent process names it in the workers' environment (`worker_environment`) before it
starts them, since prometheus_client chooses how to keep values when it is first imported.
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Outcome: TypeAlias = Literal["accepted", "replayed", "refused", "stale", "failed"]
"""How a command ended: stored; answered again from the log; refused by a rule; judged against a version that
other writers have passed; failed for a reason that is the service's."""
Verdict: TypeAlias = Literal["agrees", "differs", "cannot_judge"]

OUTCOMES: tuple[Outcome, ...] = ("accepted", "replayed", "refused", "stale", "failed")
ArchiveMove: TypeAlias = Literal["archived", "restored", "failed"]
"""What became of a finished game that was to go into the archive, or to come back; `failed` was told in the log."""
ARCHIVE_MOVES: tuple[ArchiveMove, ...] = ("archived", "restored", "failed")
VERDICTS: tuple[Verdict, ...] = ("agrees", "differs", "cannot_judge")

# From a store on the same machine (tenths of a millisecond) to one whose disk is stuck.
APPEND_SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
BATCH_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Metrics:
    """All metrics of one process; every label value is there from the start, so that a rate can be taken."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._folder = environ.get(FOLDER_VARIABLE)
        self._registry = CollectorRegistry()
        self._commands = Counter(
            "meldlog_commands", "Commands by how they ended.", ["outcome"], registry=self._registry
        )
        self._by_outcome = {outcome: self._commands.labels(outcome) for outcome in OUTCOMES}
        self._audits = Counter(
            "meldlog_audits", "Audits of whole games by their verdict.", ["verdict"], registry=self._registry
        )
        self._by_verdict = {verdict: self._audits.labels(verdict) for verdict in VERDICTS}
        self._archive_moves = Counter(
            "meldlog_archive_moves",
            "Finished games moved to the archive, brought back, or left because something is wrong with them.",
            ["outcome"],
            registry=self._registry,
        )
        self._by_move = {move: self._archive_moves.labels(move) for move in ARCHIVE_MOVES}
        self.archive_reads = Counter(
            "meldlog_archive_reads",
            "Logs that were read from the archive, and not from memory.",
            registry=self._registry,
        )
        self.conflicts = Counter(
            "meldlog_conflicts",
            "Appends that met a newer version and were decided again.",
            registry=self._registry,
        )
        self.append_seconds = Histogram(
            "meldlog_append_seconds",
            "Seconds from a commit handed to the store to the store's answer.",
            buckets=APPEND_SECONDS,
            registry=self._registry,
        )
        self.append_batch = Histogram(
            "meldlog_append_batch",
            "Commits that went to the store in one round trip.",
            buckets=BATCH_SIZES,
            registry=self._registry,
        )
        self.open_streams = Gauge(
            "meldlog_open_streams",
            "Live streams held open now.",
            registry=self._registry,
            multiprocess_mode="livesum",
        )
        self.cached_tables = Gauge(
            "meldlog_cached_tables",
            "Tables kept folded in memory now.",
            registry=self._registry,
            multiprocess_mode="livesum",
        )
        if self._folder is None:
            ProcessCollector(registry=self._registry)

    def command(self, outcome: Outcome) -> None:
        """Count a command."""
        self._by_outcome[outcome].inc()

    def audit(self, verdict: Verdict) -> None:
        """Count an audit."""
        self._by_verdict[verdict].inc()

    def archive_move(self, outcome: ArchiveMove) -> None:
        """Count a move to the archive, or back."""
        self._by_move[outcome].inc()

    def exposition(self) -> bytes:
        """The body of `/metrics`, of type `CONTENT_TYPE`: the sum over all workers that share a folder."""
        if self._folder is None:
            return generate_latest(self._registry)
        everybody = CollectorRegistry()
        MultiProcessCollector(everybody, path=self._folder)  # type: ignore[no-untyped-call]
        return generate_latest(everybody)


def worker_environment(folder: Path) -> dict[str, str]:
    """What workers must find in their environment to share numbers; an earlier run's are removed."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    return {FOLDER_VARIABLE: str(folder)}


def forget_worker(pid: int, folder: Path) -> None:
    """Leave the gauges of a worker that has ended out of the sums; its counts stay."""
    mark_process_dead(pid, str(folder))  # type: ignore[no-untyped-call]
