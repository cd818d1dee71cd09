"""A trap for what a hook may not do: read a clock, draw chance, open a file, wait, ask the system.

Python calls the trap at every call of a function while it is set, so that nothing need be replaced and nothing is
missed that is written in C. That makes everything a few times slower; it is set for a decision here and there.
"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from types import FrameType
from typing import Any

from meldlog_service.checking.faults import Hook

_FORBIDDEN_MODULES = {
    "time": "read the clock or waited",
    "random": "drew chance",
    "secrets": "drew chance",
    "uuid": "drew chance",
    "posix": "asked the operating system",
    "os": "asked the operating system",
    "socket": "used the network",
    "_socket": "used the network",
    "subprocess": "started a process",
    "_posixsubprocess": "started a process",
    "io": "opened a file",
    "_io": "opened a file",
    "threading": "used threads",
    "_thread": "used threads",
}
"""What calling a function of these modules means."""
_HARMLESS = frozenset({"fspath", "fsencode", "fsdecode", "allocate_lock", "RLock", "get_ident"})
_CLOCKS = frozenset({"now", "utcnow", "today"})


@contextmanager
def trapped(active: Sequence[Hook], caught: list[tuple[Hook, str]]) -> Iterator[None]:
    """Note what hooks do meanwhile that they may not; what nobody's hook does is let pass.

    Args:
        active: The hooks at work, the innermost last; it changes as they are asked.
        caught: Takes each hook and what it did.
    """

    def called(frame: FrameType, event: str, argument: Any) -> None:
        if not active or event not in ("call", "c_call"):
            return
        did = _python_call(frame) if event == "call" else _c_call(argument)
        if did is not None:
            caught.append((active[-1], did))

    before = sys.getprofile()
    collecting = gc.isenabled()
    gc.disable()  # what the collector calls, and whoever listens to it, is no hook's doing
    sys.setprofile(called)
    try:
        yield
    finally:
        sys.setprofile(before if callable(before) else None)  # a profiler in C cannot be put back
        if collecting:
            gc.enable()


def _python_call(frame: FrameType) -> str | None:
    """What a call of a Python function means; a generator of chance that was given a seed is no chance."""
    module = frame.f_globals.get("__name__", "")
    did = _FORBIDDEN_MODULES.get(module)
    if did is None or frame.f_code.co_name in _HARMLESS:
        return None
    if module == "random":
        return _chance(frame.f_locals.get("self"), frame)
    return f"{did} ({module}.{frame.f_code.co_name})"


def _chance(generator: object, frame: FrameType) -> str | None:
    name = frame.f_code.co_name
    without_seed = name in ("__init__", "seed") and frame.f_locals.get("x", frame.f_locals.get("a")) is None
    if without_seed or isinstance(generator, random.SystemRandom) or generator is _global_generator():
        return f"drew chance (random.{name})"
    return None


def _global_generator() -> object:
    """The generator behind the functions of `random`."""
    return getattr(random.random, "__self__", None)


def _c_call(function: Any) -> str | None:
    """What a call of a function written in C means."""
    name = getattr(function, "__name__", "")
    owner = getattr(function, "__self__", None)
    if isinstance(owner, type):
        return f"read the clock ({owner.__name__}.{name})" if _is_clock(owner, name) else None
    if isinstance(owner, random.Random):
        of_nobody = owner is _global_generator() or isinstance(owner, random.SystemRandom)
        return f"drew chance (random.{name})" if of_nobody else None
    module = getattr(function, "__module__", None)
    did = _FORBIDDEN_MODULES.get(module) if isinstance(module, str) else None
    return None if did is None or name in _HARMLESS else f"{did} ({module}.{name})"


def _is_clock(owner: type, name: str) -> bool:
    return issubclass(owner, date) and name in _CLOCKS
