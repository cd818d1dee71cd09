"""A word with a server over its socket, where no event loop runs: is it ready, is it ours, let it end."""

import socket
from pathlib import Path
from typing import TypeAlias

Answer: TypeAlias = str | list[str]


def ask(path: Path, *words: str, seconds: float = 1.0) -> Answer | None:
    """The answer to a command: a text (also of an error) or a list of texts; None when nobody answers in time."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(seconds)
        try:
            connection.connect(str(path))
            connection.sendall(" ".join(words).encode() + b"\r\n")
            with connection.makefile("rb") as answers:
                line = answers.readline().decode()
                if not line.startswith("*"):
                    return line[1:].strip() or None
                # A list of texts, each after a line that tells its length.
                return [
                    (answers.readline(), answers.readline())[1].decode().strip() for _ in range(int(line[1:]))
                ]
        except OSError:
            return None
