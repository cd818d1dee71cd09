"""Keys as they are pressed at a terminal, without waiting for enter."""

import os
import re
import select
import termios
import tty
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

NextKey: TypeAlias = Callable[[float | None], str | None]
"""Waits for the next key, at most so many seconds: `NOTHING` when none was pressed, None when no more will be."""
NOTHING = ""

_KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|.", re.DOTALL)
"""What one key sends: an arrow, for one, three characters."""

AT_ONCE = 64
"""Bytes that are read together, far more than anybody presses in a moment."""


@contextmanager
def pressed_keys(terminal: int) -> Iterator[NextKey]:
    """The keys that are pressed, until the terminal closes; afterwards it is as it was.

    It is set once, so that what is pressed while something is being shown is not lost.

    Args:
        terminal: Number of its file.
    """
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        yield _Keys(terminal).next
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


class _Keys:
    """What was pressed and not asked for yet."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._waiting: deque[str] = deque()

    def next(self, seconds: float | None) -> str | None:
        """See `NextKey`."""
        if not self._waiting:
            if seconds is not None and not select.select([self._terminal], [], [], seconds)[0]:
                return NOTHING
            try:
                data = os.read(self._terminal, AT_ONCE)
            except OSError:
                return None  # the terminal was closed: some systems say so by an error
            if not data:
                return None
            self._waiting.extend(_KEY.findall(data.decode(errors="replace")))
        return self._waiting.popleft()
