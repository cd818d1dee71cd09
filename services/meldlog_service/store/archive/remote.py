"""An archive at a URL, by fsspec: an object store, another machine, memory for tests.

Names are looked up by reading them, never in a listing that may have been kept from before. What is written gets its
name by a move: on an object store that is a copy made by the store, whole or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import fsspec  # type: ignore[import-untyped]
from fsspec.spec import AbstractFileSystem  # type: ignore[import-untyped]

from meldlog_service.settings import without_password
from meldlog_service.store.archive.names import new_draft
from meldlog_service.store.archive.objects import ArchiveUnavailable


class Remote:
    """`Objects` at a URL.

    Keys and the like are fsspec's to find: in its configuration, or in the variables that the store's package reads.

    Args:
        url: As fsspec takes it, `s3://bucket/folder` for one.

    Raises:
        ValueError: for a kind of URL that fsspec does not know, or whose package is not installed.
    """

    def __init__(self, url: str) -> None:
        self._shown = without_password(url)
        files: Any
        try:
            files, root = fsspec.core.url_to_fs(url, use_listings_cache=False)
        except (ValueError, ImportError) as error:
            raise ValueError(f"{self._shown} is no place for an archive: {error}") from error
        self._files = files
        self._root = str(root).rstrip("/")

    def read(self, name: str) -> bytes | None:
        """See `Objects.read`."""
        with self._told("read"):
            try:
                data: bytes = self._files.cat_file(self._path(name))
            except (FileNotFoundError, NotADirectoryError):
                return None
            return data

    def draft(self, data: bytes) -> str:
        """See `Objects.draft`."""
        name = new_draft()
        with self._told("written"):
            self._in_its_folder(name, lambda: self._files.pipe_file(self._path(name), data))
        return name

    def publish(self, draft: str, name: str) -> None:
        """See `Objects.publish`."""
        with self._told("written"):
            self._in_its_folder(name, lambda: self._move(self._path(draft), self._path(name)))

    def delete(self, name: str) -> None:
        """See `Objects.delete`."""
        with self._told("written"):
            try:
                self._files.rm_file(self._path(name))
            except FileNotFoundError:
                return

    def names(self, folder: str) -> list[str]:
        """See `Objects.names`."""
        with self._told("read"):
            self._files.invalidate_cache()
            try:
                found: list[str] = self._files.find(self._path(folder))
            except FileNotFoundError:
                return []
            return [path.removeprefix(f"{self._root}/") for path in found]

    def _move(self, old: str, new: str) -> None:
        if type(self._files).mv is not AbstractFileSystem.mv:
            self._files.mv(old, new)
            return
        # The general one first looks for folders and patterns, with many questions to an object store.
        self._files.cp_file(old, new)
        self._files.rm_file(old)

    def _in_its_folder(self, name: str, write: Callable[[], None]) -> None:
        """Write a file; where there are folders and its own is missing, make that first."""
        try:
            write()
        except FileNotFoundError:
            self._files.makedirs(self._path(name).rpartition("/")[0], exist_ok=True)
            write()

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}"

    @contextmanager
    def _told(self, action: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            # Every store's package has errors of its own; none of them is a fault of the caller.
            raise ArchiveUnavailable(
                f"the archive {self._shown} cannot be {action}: {type(error).__name__}: {error}"
            ) from error
