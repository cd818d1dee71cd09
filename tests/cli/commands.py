"""The real command in processes of its own, with nothing of the developer's settings and folders."""

import json
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import IO, Any, Self

import httpx

from meldlog_client import MeldlogClient

MELDLOG = Path(sys.executable).parent / "meldlog"
PATIENCE = 60.0
"""Seconds after which a process that says nothing fails its test, on a machine that is busy with other tests."""

LINES = 4
"""Of what the service says to people when it is ready."""


def environ(home: Path, **variables: str) -> dict[str, str]:
    """Variables of a user with an empty home."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    return {**kept, "HOME": str(home), "COLUMNS": "110", **variables}


def meldlog(
    *arguments: str | Path, home: Path, stdin: bytes = b"", **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    done = subprocess.run(
        [MELDLOG, *arguments],
        input=stdin,
        capture_output=True,
        env=environ(home, **variables),
        timeout=PATIENCE,
        check=False,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def is_one_sentence(text: str) -> bool:
    """Whether this is what a command may say on standard error: a line of its own, and no traceback."""
    return text.startswith("meldlog: ") and "Traceback" not in text and text.count("\n") == 1


class Serving:
    """A service that `meldlog serve` runs; a context manager that ends it.

    Args:
        home: The user's home; the data folder is inside.
        arguments: More options.
        data_dir: Another data folder.
        for_people: Whether it speaks to people when it is ready, not to programs.
        variables: More variables.
    """

    def __init__(
        self,
        home: Path,
        *arguments: str,
        data_dir: Path | None = None,
        for_people: bool = False,
        **variables: str,
    ) -> None:
        how = () if for_people else ("--json",)
        self._for_people = for_people
        self.data_dir = data_dir or home / "games"
        self._log = (home / "serve.log").open("ab")
        self.began = monotonic()
        self.process = subprocess.Popen(
            [MELDLOG, "serve", "--port", "0", "--data-dir", self.data_dir, *how, *arguments],
            bufsize=0,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=environ(home, **variables),
            start_new_session=True,
        )
        self.home = home
        self.announced: dict[str, Any] = {}
        self.words = ""

    def wait_until_ready(self) -> Self:
        """Read what is printed when requests are answered."""
        assert self.process.stdout is not None
        lines = [read_line(self.process.stdout) for _ in range(LINES if self._for_people else 1)]
        assert all(lines), f"the service did not start: {self.log()}"
        if self._for_people:
            self.words = b"".join(lines).decode()
        else:
            self.announced = json.loads(lines[0])
        return self

    @property
    def url(self) -> str:
        """Where it is."""
        return str(self.announced["url"])

    @property
    def token(self) -> str:
        """The operator's token, made for this run."""
        return str(self.announced["operator_token"])

    def client(self, token: str | None = None) -> MeldlogClient:
        """A client of it, to be closed."""
        return MeldlogClient(self.url, token)

    def get(self, path: str) -> httpx.Response:
        """One request of nobody in particular."""
        return httpx.get(f"{self.url}{path}")

    def log(self) -> str:
        """What it said on standard error."""
        return (self.home / "serve.log").read_text()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End it; its exit status."""
        self.process.send_signal(how)
        return self.process.wait(PATIENCE)

    def __enter__(self) -> Self:
        """Wait until it is ready."""
        try:
            return self.wait_until_ready()
        except BaseException:
            self.__exit__(None, None, None)
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self._log.close()


def valkey_of(serving: Serving) -> int:
    """The process of the embedded server; any thread of the service may have started it."""
    children = children_of(serving.process.pid)
    (valkey,) = (pid for pid in children if "valkey" in told_by_proc(Path(f"/proc/{pid}/comm")))
    return valkey


def children_of(pid: int) -> list[int]:
    """Processes that any thread of a process started."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for file in lists for child in told_by_proc(file).split()]


def told_by_proc(file: Path) -> str:
    """What the system tells of a process or a thread; nothing when it went, before the file was opened or read."""
    try:
        return file.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def is_running(pid: int) -> bool:
    """Whether a process is there and has not ended; nobody may have asked yet how it ended."""
    status = told_by_proc(Path(f"/proc/{pid}/stat"))
    return status != "" and status.rpartition(")")[2].split()[0] not in "ZX"


def read_line(pipe: IO[bytes]) -> bytes:
    """The next line of a process (its pipe unbuffered), or nothing when it ended; fails when it stays silent."""
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        assert selector.select(PATIENCE), "the process says nothing"
        return pipe.readline()


def write_log(path: Path, lines: Sequence[bytes]) -> Path:
    """A log in a file, as it is exported."""
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def workers_of(serving: Serving) -> list[int]:
    """The worker processes that answer by now, or will soon."""
    return [
        pid
        for pid in children_of(serving.process.pid)
        if is_running(pid) and "meldlog_service.cli.worker" in command_line(pid)
    ]


def command_line(pid: int) -> str:
    """What a process was started with; nothing when it is gone."""
    return told_by_proc(Path(f"/proc/{pid}/cmdline"))
