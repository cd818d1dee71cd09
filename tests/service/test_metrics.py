"""The metrics count what they say, in one process and over several."""

import os
import subprocess
import sys
from pathlib import Path

from meldlog_service.metrics import OUTCOMES, VERDICTS, Metrics, forget_worker, worker_environment

WORKER = """
import os
from meldlog_service.metrics import Metrics
metrics = Metrics()
metrics.command("accepted")
metrics.open_streams.set(3)
print(os.getpid())
"""


def test_every_outcome_and_verdict_is_there_from_the_start() -> None:
    """A rate can be taken of something that has not happened yet."""
    text = Metrics({}).exposition().decode()
    for outcome in OUTCOMES:
        assert f'meldlog_commands_total{{outcome="{outcome}"}} 0.0' in text
    for verdict in VERDICTS:
        assert f'meldlog_audits_total{{verdict="{verdict}"}} 0.0' in text


def test_what_happens_is_counted() -> None:
    """Each metric by its own name."""
    metrics = Metrics({})
    metrics.command("refused")
    metrics.audit("differs")
    metrics.conflicts.inc()
    metrics.append_seconds.observe(0.0004)
    metrics.append_batch.observe(3)
    metrics.open_streams.inc()
    metrics.cached_tables.set(12)
    lines = metrics.exposition().decode().splitlines()
    assert {
        'meldlog_commands_total{outcome="refused"} 1.0',
        'meldlog_audits_total{verdict="differs"} 1.0',
        "meldlog_conflicts_total 1.0",
        'meldlog_append_seconds_bucket{le="0.0005"} 1.0',
        'meldlog_append_batch_bucket{le="2.0"} 0.0',
        'meldlog_append_batch_bucket{le="4.0"} 1.0',
        "meldlog_open_streams 1.0",
        "meldlog_cached_tables 12.0",
    } <= set(lines)


def test_two_services_in_one_process_count_apart() -> None:
    """Tests and embedders make several."""
    first, second = Metrics({}), Metrics({})
    first.command("accepted")
    assert 'outcome="accepted"} 0.0' in second.exposition().decode()


def test_workers_share_their_numbers(tmp_path: Path) -> None:
    """Whichever worker is asked answers for all; one that has ended keeps its counts and loses its gauges."""
    folder = tmp_path / "metrics"
    folder.mkdir()
    (folder / "counter_1.db").write_bytes(b"left by an earlier run")
    shared = worker_environment(folder)
    pids = [
        int(
            subprocess.run(
                [sys.executable, "-c", WORKER], env=os.environ | shared, capture_output=True, check=True
            ).stdout
        )
        for _ in range(2)
    ]
    text = Metrics(shared).exposition().decode()
    assert 'meldlog_commands_total{outcome="accepted"} 2.0' in text
    for pid in pids:
        forget_worker(pid, folder)
    text = Metrics(shared).exposition().decode()
    assert 'meldlog_commands_total{outcome="accepted"} 2.0' in text
    assert "meldlog_open_streams 6.0" not in text
