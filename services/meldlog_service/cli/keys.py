"""Keys as they are pressed at a terminal, without waiting for enter."""

import os
import re
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

_KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|.", re.DOTALL)
"""What one key sends: an arrow, for one, three characters."""

AT_ONCE = 64
"""Bytes that are read together, far more than anybody presses in a moment."""


@contextmanager
def pressed_keys(terminal: int) -> Iterator[Iterator[str]]:
    """The keys that are pressed, until the terminal closes; afterwards it is as it was.

    It is set once, so that what is pressed while something is being shown is not lost.

    Args:
        terminal: Number of its file.
    """
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        yield _keys(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _keys(terminal: int) -> Iterator[str]:
    while data := os.read(terminal, AT_ONCE):
        yield from _KEY.findall(data.decode(errors="replace"))
