"""Reading a game's log as it arrives: lines and server-sent events become commits, each version exactly once."""

import msgspec
from httpx_sse import ServerSentEvent
from msgspec import Struct

from meldlog_client.problems import MeldlogUnintelligible
from meldlog_contracts.events import Commit, GameEnded
from meldlog_contracts.stored import UnknownSchema, decode


class _Numbered(Struct):
    version: int


class Place:
    """Where a reader is in a log, however often the connection is lost.

    Args:
        after: The version that the reader knows already; 0 begins with the first.
    """

    def __init__(self, after: int) -> None:
        self.after = after

    def advance(self, line: bytes | str) -> bool:
        """Go on to this commit if it is the next one; False for one that the reader has had.

        Raises:
            MeldlogUnintelligible: for what is no commit, or when versions are missing before it.
        """
        try:
            version = msgspec.json.decode(line, type=_Numbered).version
        except msgspec.DecodeError as error:
            raise MeldlogUnintelligible(
                f"after version {self.after} came what is no commit: {error}"
            ) from error
        if version <= self.after:
            return False
        if version > self.after + 1:
            raise MeldlogUnintelligible(f"after version {self.after} came version {version}")
        self.after = version
        return True

    def commit_of(self, event: ServerSentEvent) -> Commit | None:
        """The commit that a server-sent event brings, or None for any other event and for a repeated commit."""
        if event.event not in ("message", "commit") or not event.data or not self.advance(event.data):
            return None
        return read_commit(event.data)


def read_commit(line: bytes | str) -> Commit:
    """Read a commit; raises MeldlogUnintelligible."""
    try:
        return decode(line)
    except (msgspec.DecodeError, UnknownSchema) as error:
        raise MeldlogUnintelligible(f"a commit of a kind that this release does not know: {error}") from error


def is_last(commit: Commit) -> bool:
    """Whether nothing can follow: the game is over."""
    return any(isinstance(event, GameEnded) for event in commit.events)


class Lines:
    """Cuts a body into lines where it has line feeds, and nowhere else: names may hold other line ends."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that are complete now, without their line feeds."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        return lines

    def end(self) -> list[bytes]:
        """What came after the last line feed, if anything did."""
        return [self._rest] if self._rest else []
