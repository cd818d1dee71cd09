"""How many files the service may have open: what its streams need, where the system lets it."""

import resource
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.commands import Serving

from meldlog_service.cli.open_files import ROOM, is_enough, limit_for

LOW = 1024
"""The soft limit that a shell usually has."""


@pytest.fixture
def low_limit() -> Iterator[int]:
    """Processes that are started now have the usual soft limit; gives the hard one."""
    before, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (LOW, hard))
    try:
        yield hard
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (before, hard))


def soft_limit_of(pid: int) -> int:
    """How many files a process may have open."""
    limits = Path(f"/proc/{pid}/limits").read_text()
    return int(next(line for line in limits.splitlines() if line.startswith("Max open files")).split()[3])


def test_the_service_raises_the_limit_that_its_shell_gave_it(low_limit: int, tmp_path: Path) -> None:
    """So that `MELDLOG_STREAMS` are to be had without further ado."""
    with Serving(tmp_path, "--streams", "1000") as serving:
        assert soft_limit_of(serving.process.pid) == limit_for(1000, LOW, low_limit) > LOW
        assert "open files" not in serving.log()


def test_a_hard_limit_that_is_too_low_is_told(low_limit: int, tmp_path: Path) -> None:
    """At the start, in a line of the log, with both numbers."""
    with Serving(tmp_path, "--streams", str(low_limit)) as serving:
        assert soft_limit_of(serving.process.pid) == low_limit
        assert "hard limit of open files is too low" in serving.log()
        assert f"open_files={low_limit}" in serving.log()


@pytest.mark.parametrize(
    ("soft", "hard", "limit"),
    [
        (1024, 1_048_576, 5000 + ROOM),
        (1024, resource.RLIM_INFINITY, 5000 + ROOM),
        (1024, 4096, 4096),
        (1024, 1024, 1024),
        (100_000, 1_048_576, 100_000),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, resource.RLIM_INFINITY),
    ],
)
def test_the_limit_is_raised_as_far_as_is_of_use_and_never_lowered(soft: int, hard: int, limit: int) -> None:
    """For 5000 streams."""
    assert limit_for(5000, soft, hard) == limit


def test_streams_must_leave_room_for_everything_else() -> None:
    """A limit that they could use up is not enough."""
    assert is_enough(6000, 5000)
    assert is_enough(resource.RLIM_INFINITY, 5000)
    assert not is_enough(5000, 5000)
