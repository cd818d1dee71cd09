"""Measuring on a machine that has other work: what is compared takes turns, and each is judged by its best turn.

Others' work only ever makes a turn slower, so the fastest of several is the nearest to what the code costs. What runs
in this process is timed by the processor's clock of the thread, which stands still while others run.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping


def rates(
    rounds: int, amounts: Mapping[str, tuple[int, Callable[[], object]]]
) -> dict[str, tuple[float, ...]]:
    """Things a second of processor time, round by round.

    Args:
        rounds: How often each has its turn.
        amounts: By name: how many things a call does, and the call.
    """
    found: dict[str, list[float]] = {name: [] for name in amounts}
    for _ in range(rounds):
        for name, (amount, call) in amounts.items():
            gc.collect()
            # As in the service, whose collector is told to keep away from the middle of requests.
            gc.disable()
            try:
                began = time.thread_time()
                call()
                seconds = time.thread_time() - began
            finally:
                gc.enable()
            found[name].append(amount / seconds)
    return {name: tuple(each) for name, each in found.items()}
