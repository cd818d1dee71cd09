"""The data folder: who may use it, and where its server listens.

Two locks keep two servers from ever writing the same file. `service.lock` is held by the service. `server.lock` is
handed to the server when it is started and stays locked until the server, too, is gone: a server that outlived
its service is known by it, without trusting a number of a process.
"""

import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import IO

import msgspec

from meldlog_service.store.event_store import StoreError

LONGEST_SOCKET = 100
"""Bytes that a socket's path may have everywhere (108 with the final zero on Linux, 104 on macOS)."""

SHORT_FOLDER = "meldlog-"
"""How the names of folders begin that are made only to hold a socket."""

LARGEST_LOG = 1_000_000
"""Bytes of the server's own log above which a new one is begun at the next start; the last one is kept."""


class FolderInUse(StoreError):
    """Somebody else uses the data folder; the message says who and what to do."""


class _Record(msgspec.Struct):
    """What is written down about the server, for the next start and for people: `server.json`."""

    socket: str
    """Where it listens."""
    service: int
    """The process that started it."""
    folder: str
    """The data folder it was written in: in a copy of that folder it speaks of somebody else's server."""


class DataFolder:
    """The folder of one embedded server.

    Args:
        path: Made, readable only by its owner, when it is missing.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.log_file = self.path / "valkey.log"
        self.appendonly = self.path / "appendonlydir"
        self._service_lock: IO[str] | None = None
        self._server_lock: IO[str] | None = None
        self._socket_folder: Path | None = None

    def claim(self) -> None:
        """Take the folder for this service; raises FolderInUse."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = (self.path / "service.lock").open("a+")
        if not _lock(file):
            file.seek(0)
            holder = file.read().strip() or "unknown"
            file.close()
            raise FolderInUse(
                f"The data folder {self.path} is in use by another Meldlog service (process {holder}). "
                "Stop that one first, or give this one another folder with --data-dir."
            )
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        self._service_lock = file
        if self.log_file.exists() and self.log_file.stat().st_size > LARGEST_LOG:
            self.log_file.replace(self.log_file.with_suffix(".log.1"))

    def server_lock(self, seconds: float) -> int | None:
        """The lock to hand to the server, or None while an earlier server of this folder is alive after `seconds`."""
        until = time.monotonic() + seconds
        if self._server_lock is None:
            file = (self.path / "server.lock").open("a+")
            while not _lock(file):
                if time.monotonic() > until:
                    file.close()
                    return None
                time.sleep(0.005)
            self._server_lock = file
        return self._server_lock.fileno()

    def old_socket(self) -> Path | None:
        """Where the last server of this very folder listened, if that was written down."""
        try:
            record = msgspec.json.decode((self.path / "server.json").read_bytes(), type=_Record)
        except (FileNotFoundError, msgspec.DecodeError):
            return None
        return Path(record.socket) if record.folder == str(self.path.resolve()) else None

    def new_socket(self) -> Path:
        """Where the server is to listen; written down, with nothing there yet."""
        socket = self.path / "valkey.sock"
        if len(os.fsencode(socket)) > LONGEST_SOCKET:
            # A path that is too long for a socket: a short one, in a folder that only its owner can enter.
            self._socket_folder = Path(tempfile.mkdtemp(prefix=SHORT_FOLDER))
            socket = self._socket_folder / "valkey.sock"
        if (old := self.old_socket()) is not None and old != socket and old.is_socket():
            old.unlink()
            if old.parent.name.startswith(SHORT_FOLDER) and not any(old.parent.iterdir()):
                old.parent.rmdir()
        socket.unlink(missing_ok=True)
        draft = self.path / "server.json.new"
        draft.write_bytes(msgspec.json.encode(_Record(str(socket), os.getpid(), str(self.path.resolve()))))
        draft.replace(self.path / "server.json")
        return socket

    def end_of_log(self, lines: int = 8) -> str:
        """The last lines of the server's log."""
        return "\n".join(self.log_file.read_text(errors="replace").splitlines()[-lines:])

    def release(self) -> None:
        """Give the folder back."""
        if self._socket_folder is not None:
            shutil.rmtree(self._socket_folder, ignore_errors=True)
        for lock in (self._server_lock, self._service_lock):
            if lock is not None:
                lock.close()
        self._server_lock = self._service_lock = None


def _lock(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
