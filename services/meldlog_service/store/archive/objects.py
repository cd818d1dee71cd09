"""Where an archive's files are: named bytes that come into their place whole, or not at all."""

from __future__ import annotations

from typing import Protocol
from urllib.parse import unquote, urlsplit

from meldlog_service.store.event_store import StoreUnavailable


class ArchiveUnavailable(StoreUnavailable):
    """The archive cannot be used now."""


class Objects(Protocol):
    """Files by names with slashes between. Every method blocks, and may raise ArchiveUnavailable."""

    def read(self, name: str) -> bytes | None:
        """What is in a file; None when there is none."""
        ...

    def draft(self, data: bytes) -> str:
        """Keep these bytes, safely when this returns, under a name of their own, from which `publish` takes them."""
        ...

    def publish(self, draft: str, name: str) -> None:
        """Give a draft its name in one step; a file of that name is replaced."""
        ...

    def delete(self, name: str) -> None:
        """Take a file away; one that is not there is no fault."""
        ...

    def names(self, folder: str) -> list[str]:
        """Every file directly in a folder, or in the folders there; none when there is no such folder."""
        ...


def objects_at(url: str) -> Objects:
    """The files of an archive: a folder's, by its path or `file://`, or those at any other URL that fsspec knows.

    Nothing is looked at yet, and no folder is made before there is something to put there.

    Raises:
        ValueError: for a URL whose kind is not known, or whose package is not installed.
    """
    from meldlog_service.store.archive.folder import Folder  # noqa: PLC0415 (only the kind that is asked for)

    parts = urlsplit(url)
    if not parts.scheme:
        return Folder(url)
    if parts.scheme == "file":
        if parts.netloc not in {"", "localhost"}:
            raise ValueError(
                f"a folder is written as file:///path, with three slashes, not file://{parts.netloc}"
            )
        return Folder(unquote(parts.path))
    # A service whose archive is a folder starts without fsspec.
    from meldlog_service.store.archive.remote import Remote  # noqa: PLC0415

    return Remote(url)
