"""A person at a terminal: what a command shows there, and keys that are pressed."""

import os
import pty
import selectors
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.cli.commands import MELDLOG, PATIENCE, environ


class Terminal:
    """A command at a terminal; a context manager that ends it.

    Args:
        arguments: Of the command.
        home: The user's home.
        only_errors: Whether the terminal is only where errors go, as at the head of a pipe.
    """

    def __init__(self, *arguments: str | Path, home: Path, only_errors: bool = False) -> None:
        self._end, theirs = pty.openpty()
        self.screen = ""
        self.process = subprocess.Popen(
            [MELDLOG, *arguments],
            stdin=subprocess.DEVNULL if only_errors else theirs,
            stdout=subprocess.PIPE if only_errors else theirs,
            stderr=theirs,
            env=environ(home, TERM="xterm"),
            start_new_session=True,
        )
        os.close(theirs)

    def read_until(self, words: str) -> None:
        """Watch the screen until something is there."""
        while words not in self.screen:
            chunk = self._read()
            assert chunk, f"{words!r} never came: {self.screen}"
            self.screen += chunk

    def press(self, keys: str) -> None:
        """Press keys; what was on the screen is forgotten."""
        self.screen = ""
        os.write(self._end, keys.encode())

    def read_all(self) -> str:
        """All that is shown to the end."""
        while chunk := self._read():
            self.screen += chunk
        return self.screen

    def _read(self) -> str:
        with selectors.DefaultSelector() as selector:
            selector.register(self._end, selectors.EVENT_READ)
            assert selector.select(PATIENCE), f"nothing more is shown: {self.screen}"
        try:
            return os.read(self._end, 65536).decode(errors="replace")
        except OSError:  # the other end is closed
            return ""

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        os.close(self._end)
