"""The event store: what every place that keeps logs promises.

A store knows bytes, versions and pointers, never the rules. A game's log is the list of its commits, versions
1, 2, 3 …; nothing in it is ever changed. Beside the logs lies what is derived from them, and only from them:
the index of games, the clock of deadlines and the feed of news. It may be lost and made again; the log may not.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from types import TracebackType
from typing import Literal, Protocol, Self, TypeAlias, runtime_checkable

import msgspec

Status: TypeAlias = Literal["open", "playing", "finished"]
STATUSES: tuple[Status, ...] = ("open", "playing", "finished")

Entry: TypeAlias = tuple[int, bytes]
"""A version and its commit, canonical JSON as it was appended."""


class Pointer(msgspec.Struct, frozen=True):
    """What is written beside the log in the same step as a commit, and can be derived from the log again."""

    game_id: str
    version: int
    type: str
    """The type of the commit's command."""
    status: Status
    """Of the game after this commit; the game stands in the index under it."""
    created_ms: int
    """When the game was created, in milliseconds since 1970; the index lists the newest first."""
    deadline_ms: int | None
    """When the clock must look at the game again; None takes it off the clock."""


class Page(msgspec.Struct, frozen=True):
    """A part of the index."""

    items: list[tuple[str, int]]
    """Game and `created_ms`, newest first."""
    next_cursor: str | None
    """What to ask the next page with; None after the last one."""


class ArchivedLog(msgspec.Struct, frozen=True, kw_only=True):
    """What an archive's index says of a log that it keeps."""

    game_id: str
    version: int
    """The version that the log ends with."""
    head: str
    """Hash of the last commit."""
    created_ms: int
    """When the game was created, in milliseconds since 1970."""
    ended_ms: int
    """When its last command was given."""
    archived_ms: int
    """When the log came into the archive."""
    log_bytes: int
    """Size of the log as NDJSON, every line with its end."""
    log_sha256: str
    """SHA-256 of these bytes, in hex."""
    summary: msgspec.Raw
    """What a list of games shows of the game, so that it need not be read and folded: JSON that no store looks into."""
    restored_ms: int | None = None
    """When the log was last brought back into the store, where it then is as well; None if it never was."""
    layout: int = 1
    """Of the object and of this entry; a release refuses one that it does not know."""


class StoreError(Exception):
    """Something that a store has to say no to."""


class Conflict(StoreError):
    """The version is not the next one: somebody was first, or the store is behind the caller. Nothing was stored."""

    def __init__(self, game_id: str, version: int, last: int) -> None:
        self.last = last
        """The version that the store's log ends with; 0 when there is no such game."""
        super().__init__(f"version {version} of game {game_id} does not follow version {last}")


class StoreUnavailable(StoreError):
    """The store cannot be used now; nothing was stored."""


class OutcomeUnknown(StoreError):
    """Whether the commit was stored is not known: look at the tail of the log before anything else."""


class NotDurable(OutcomeUnknown):
    """The commit is stored, but not yet as durably as the setting asks, and may still be lost with the server."""


class BrokenLog(StoreError):
    """A log has a gap, so it is not the log that was written."""

    def __init__(self, game_id: str, expected: int, found: int) -> None:
        super().__init__(f"the log of game {game_id} has version {found} where version {expected} belongs")
        self.version = expected
        """The first that is not there."""


class ConfigurationRefused(StoreError):
    """The server is set up so that it would lose games; the message says what to change."""


class InvalidCursor(ValueError):
    """A cursor that no page gave out."""


@runtime_checkable
class Subscription(Protocol):
    """One reader's ear at the feed; leave it by `close` or as a context manager.

    Wake-ups are only that: go and read the log. They may come too often, and they are never lost, so

        with feed.subscribe(game_id) as news:
            while True:
                ...  # read the log after the version that was seen last
                await news.changed()

    sees every version.
    """

    async def changed(self) -> int:
        """Wait until the game may have a version that was not there at the last call (or the subscription).

        Returns:
            The newest version heard of, or 0 when it is not known and only the log can tell.

        Raises:
            StoreUnavailable: when the store is closed.
        """
        ...

    def close(self) -> None:
        """Hear nothing more."""
        ...

    def __enter__(self) -> Self:
        """Itself."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        ...


@runtime_checkable
class Feed(Protocol):
    """News of all games, whoever writes them."""

    def subscribe(self, game_id: str) -> Subscription:
        """Hear of every version of a game that is written from now on."""
        ...


@runtime_checkable
class EventStore(Protocol):
    """Where logs are kept. Every method may raise StoreUnavailable."""

    async def append(self, pointer: Pointer, commit: bytes) -> None:
        """Add the commit as `pointer.version`, and what is derived from it, in one step or not at all.

        Raises:
            Conflict: when that is not the version after the last one; nothing was stored.
            OutcomeUnknown: when the answer was lost; NotDurable when it is stored but may yet be lost.
        """
        ...

    async def adopt(self, pointer: Pointer, commits: Sequence[bytes]) -> None:
        """Begin a log with everything that it has by now, and what is derived from it, in one step or not at all.

        Args:
            pointer: Of the last commit.
            commits: All of them, version 1 first.

        Raises:
            Conflict: when there is a log of this game already; nothing was stored.
            OutcomeUnknown: as in `append`.
        """
        ...

    async def read(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """The commits after a version, contiguous and in order; empty when there are none or no such game.

        Raises:
            BrokenLog: when a version is missing between them.
        """
        ...

    async def last_version(self, game_id: str) -> int:
        """The version the log ends with; 0 when there is no such game."""
        ...

    def scan(self, game_id: str, after: int = 0, page: int = 500) -> AsyncIterator[Entry]:
        """As `read`, for long logs: at most `page` commits are held at a time."""
        ...

    async def archived(self, game_id: str) -> ArchivedLog | None:
        """The archive's entry of a log that is kept there and not here, so that nothing can be added to it.

        Raises:
            StoreUnavailable: when the archive cannot be asked.
        """
        ...

    async def page(self, status: Status | None, cursor: str | None, limit: int) -> Page:
        """List games of a status (None: of any), newest first; a game that keeps its status comes exactly once.

        Raises:
            InvalidCursor: for a cursor that no page gave out.
        """
        ...

    def games(self, status: Status | None = None) -> AsyncIterator[str]:
        """Every game in the index, newest first."""
        ...

    def logs(self) -> AsyncIterator[str]:
        """Every game that has a log here, in no order; the index is not asked."""
        ...

    async def due(self, now_ms: int, limit: int) -> list[tuple[str, int]]:
        """At most `limit` games whose deadline is not after `now_ms`, with it, the longest overdue first."""
        ...

    def follow(self) -> Feed:
        """The news; one feed for each store object, closed with it."""
        ...

    async def remove(self, game_id: str, last: int) -> None:
        """Take away a log that ends with version `last` and is kept elsewhere; the game stays in the index.

        A log that is gone already is no fault. As long as the index says that the game is finished, its log is not
        begun anew: an append of version 1 is a Conflict, and `restore` alone brings the log back.

        Raises:
            Conflict: when the log ends with another version; it stays.
        """
        ...

    async def restore(self, pointer: Pointer, commits: Sequence[bytes]) -> None:
        """Bring back a whole log that was taken away, and its place in the index, in one step or not at all.

        A log that is there already and ends with the same version is no fault, and stays as it is.

        Args:
            pointer: Of the last commit.
            commits: All of them, version 1 first.

        Raises:
            Conflict: when there is a log that ends with another version; it stays.
            OutcomeUnknown: as in `append`.
        """
        ...

    async def enlist(self, pointer: Pointer) -> None:
        """Let a game whose log is kept elsewhere stand in the index; nothing happens when there is a log here."""
        ...

    async def reindex(self, pointer_of: Callable[[Sequence[bytes]], Pointer]) -> int:
        """Make index, clock and feed again from the logs alone, while appends go on.

        Args:
            pointer_of: From all commits of a game to the pointer of the last.

        Returns:
            How many games were looked at.
        """
        ...

    async def check(self) -> list[str]:
        """Look at the server's configuration; the warnings are sentences for the operator.

        Raises:
            ConfigurationRefused: when games would be lost, or the durability asked for cannot be kept.
        """
        ...

    async def ping(self) -> None:
        """Return when the store answers."""
        ...

    async def close(self) -> None:
        """Give up every connection; whoever waits for news hears StoreUnavailable."""
        ...
