"""Runs the shell blocks of a page as a reader would: one after the other, in one shell, against a fresh service.

A page's first block starts the service. Every further `sh` block is given to one bash, so that variables and functions
stay. A `text` block after it is what the reader is told to see, with … for whatever differs from run to run.
"""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import IO

from msgspec import Struct
from tests.docs.markdown import ROOT, Block, blocks

PORT = "8000"
"""The port that pages name; a test puts a free one in its place."""
START = re.compile(r"((?:MELDLOG_[A-Z_]+=\S+ )*)make run\n")
"""A page's first block: it may set variables."""
MARK = "=== end of block ==="
SECONDS = 90
"""After which a process that hangs is ended."""


class Step(Struct, frozen=True):
    """A block to be run, and what it should print, if the page says so."""

    block: Block
    expected: Block | None


def steps(path: Path) -> list[Step]:
    """The shell blocks of a page, each with the output that directly follows it."""
    found: list[Step] = []
    for block in blocks(path, "sh", "text"):
        if block.language == "sh":
            found.append(Step(block, None))
        elif found and found[-1].expected is None:
            found[-1] = Step(found[-1].block, block)
        else:
            raise ValueError(f"{block.where}: this output follows no shell block")
    return found


class Told(Struct, frozen=True):
    """What a block printed, on both channels, in order."""

    step: Step
    text: str


class Reader:
    """Somebody who pastes a page's blocks.

    Args:
        folder: Where the blocks are run and the service keeps its games; it looks as if it were the project's.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = PORT
        home = folder / "home"
        home.mkdir()
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "TMPDIR") if name in os.environ}
        self._environ = kept | {"HOME": str(home), "MELDLOG_PORT": "0"}
        (folder / ".venv").symlink_to(ROOT / ".venv")

    @contextmanager
    def service(self, block: Block) -> Iterator[str]:
        """The service, started as the page's first block says; what it printed until it was ready."""
        said = START.fullmatch(block.text)
        assert said is not None, f"{block.where} does not start the service"
        self._environ |= dict(word.split("=", 1) for word in said[1].split())
        # `--assume-old`: whoever runs the tests has made the environment, and a test must not renew it.
        command = [
            "make",
            "--directory",
            str(ROOT),
            "--assume-old",
            ".venv/.stamp",
            "--silent",
            "run",
        ]
        log = self._folder / "service.log"
        with log.open("w") as errors, self._started(command, errors) as service:
            assert service.stdout is not None
            told = ""
            while "Operator token" not in told:
                line = service.stdout.readline()
                assert line, log.read_text()
                told += line
            [self._port] = re.findall(r"http://127\.0\.0\.1:(\d+)", told)
            yield told.replace(self._port, PORT)

    def paste(self, pasted: list[Step]) -> list[Told]:
        """Run blocks in one shell."""
        bash = shutil.which("bash")
        assert bash is not None
        script = "".join(f"{step.block.text}\nprintf '%s\\n' '{MARK}'\n" for step in pasted)
        command = [bash, "-c", re.sub(rf"\b{PORT}\b", self._port, script)]
        with self._started(command, subprocess.STDOUT) as shell:
            assert shell.stdout is not None
            printed = ""
            # Not to the end of what it prints: a block may leave something behind that still listens.
            while printed.count(f"{MARK}\n") < len(pasted) and (line := shell.stdout.readline()):
                printed += line
        *told, last = printed.replace(self._port, PORT).split(f"{MARK}\n")
        done = [Told(step, text) for step, text in zip(pasted, told, strict=False)]
        assert len(done) == len(pasted), f"{pasted[len(done)].block.where} does not end; it printed\n{last}"
        return done

    @contextmanager
    def _started(self, command: list[str], errors: IO[str] | int) -> Iterator[subprocess.Popen[str]]:
        """A process, which is ended with all that it started; should it hang, after a while."""
        process = subprocess.Popen(
            command,
            cwd=self._folder,
            env=self._environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        )
        alarm = Timer(SECONDS, os.killpg, (process.pid, signal.SIGTERM))
        alarm.start()
        try:
            yield process
        finally:
            alarm.cancel()
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.communicate()


def is_as_shown(told: str, shown: str) -> bool:
    """Whether a block printed what the page shows, … standing for anything."""
    pattern = ".*?".join(re.escape(part) for part in shown.strip().split("…"))
    return re.fullmatch(pattern, told.strip(), re.DOTALL) is not None
