"""What a hook may not do is noted, whatever way it takes; what it may do is not."""

from __future__ import annotations

import gc
import io
import os
import random
import secrets
import threading
import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from meldlog_service.checking.faults import Hook
from meldlog_service.checking.traps import trapped

HOOK = Hook("planted", "card_points")

FORBIDDEN: dict[str, Callable[[], object]] = {
    "the clock": time.time,
    "a stopwatch": time.perf_counter,
    "the date": lambda: datetime.now(UTC),
    "a pause": lambda: time.sleep(0),
    "chance": random.random,
    "a choice": lambda: random.choice("ab"),
    "chance without a seed": lambda: random.Random().random(),
    "chance of the system": lambda: random.SystemRandom().random(),
    "secrets": lambda: secrets.token_hex(4),
    "random bytes": lambda: os.urandom(4),
    "a new id": uuid.uuid4,
    "the environment": lambda: os.environ.get("PATH"),
    "a file": lambda: Path("/dev/null").read_text(),
    "another file": lambda: io.open("/dev/null").close(),  # noqa: UP020
    "a thread": lambda: threading.Thread(target=int).start(),
}
ALLOWED: dict[str, Callable[[], object]] = {
    "arithmetic": lambda: sum(range(10)),
    "chance with a seed": lambda: random.Random(7).sample(range(10), 3),
    "text": lambda: ["7H", "8H"],
    "a given moment": lambda: datetime.fromtimestamp(0, UTC).isoformat(),
}


def caught(work: Callable[[], object], *active: Hook) -> list[tuple[Hook, str]]:
    """What the trap notes while some hooks are at work."""
    found: list[tuple[Hook, str]] = []
    with trapped(active, found):
        work()
    return found


@pytest.mark.parametrize("work", FORBIDDEN.values(), ids=FORBIDDEN)
def test_a_hook_is_caught_at_what_it_may_not_do(work: Callable[[], object]) -> None:
    """And named."""
    found = caught(work, HOOK)
    assert found
    assert found[0][0] == HOOK


@pytest.mark.parametrize("work", ALLOWED.values(), ids=ALLOWED)
def test_a_hook_may_do_what_always_comes_out_the_same(work: Callable[[], object]) -> None:
    """That is all that is asked."""
    assert caught(work, HOOK) == []


def test_whoever_is_no_hook_is_let_pass() -> None:
    """The trap is for plugins."""
    assert caught(time.time) == []


def test_whoever_listens_to_the_collector_is_let_pass() -> None:
    """It may begin at any moment, and others may measure how long it takes."""

    def listener(*_: object) -> None:
        time.perf_counter()

    gc.callbacks.append(listener)
    try:
        assert caught(lambda: [[] for _ in range(10_000)], HOOK) == []
        assert gc.isenabled()
    finally:
        gc.callbacks.remove(listener)
