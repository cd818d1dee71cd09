"""An archive in a folder of this machine, or of one that is mounted here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from meldlog_service.store.archive.names import new_draft
from meldlog_service.store.archive.objects import ArchiveUnavailable

PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600
"""For their owner alone: a log may hold secrets that its game never revealed."""


class Folder:
    """`Objects` in a folder. What was published stays after a power cut: files and folders are synced.

    Args:
        path: Made, with what is missing above it, when there is something to put there.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path).expanduser().absolute()

    def read(self, name: str) -> bytes | None:
        """See `Objects.read`."""
        with self._told("read"):
            try:
                return (self._path / name).read_bytes()
            except (FileNotFoundError, NotADirectoryError):
                return None

    def draft(self, data: bytes) -> str:
        """See `Objects.draft`."""
        name = new_draft()
        with self._told("written"):
            path = self._path / name
            _make(path.parent)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        return name

    def publish(self, draft: str, name: str) -> None:
        """See `Objects.publish`."""
        with self._told("written"):
            path = self._path / name
            _make(path.parent)
            (self._path / draft).replace(path)
            _sync(path.parent)

    def delete(self, name: str) -> None:
        """See `Objects.delete`."""
        with self._told("written"):
            (self._path / name).unlink(missing_ok=True)

    def names(self, folder: str) -> list[str]:
        """See `Objects.names`."""
        with self._told("read"):
            return [
                (Path(where) / file).relative_to(self._path).as_posix()
                for where, _, files in os.walk(self._path / folder, onerror=_raise)
                for file in files
            ]

    @contextmanager
    def _told(self, action: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise ArchiveUnavailable(
                f"the archive {self._path} cannot be {action}: {error.strerror or error}"
            ) from error


def _make(folder: Path) -> None:
    """Make a folder and those above it, each on the disk before anything is in it."""
    if folder.is_dir():
        return
    _make(folder.parent)
    folder.mkdir(PRIVATE_FOLDER, exist_ok=True)
    _sync(folder.parent)


def _sync(folder: Path) -> None:
    """Bring the names in a folder to the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _raise(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error
