"""The names of the keys, frozen by the description of the stored log.

A game's partition is the first two hex digits of SHA-256 of its id. The braces keep all keys of a partition in
one slot of a cluster, so that one script may write the log and what is derived from it.
"""

from functools import lru_cache
from hashlib import sha256

from meldlog_service.store.event_store import STATUSES, Status

PARTITIONS = tuple(f"{number:02x}" for number in range(256))

LOGS = "meldlog:{[0-9a-f][0-9a-f]}:game:*"
"""A pattern that every log matches."""


def partition_of(game_id: str) -> str:
    """The partition a game lives in, two hex digits."""
    return sha256(game_id.encode()).hexdigest()[:2]


def log_key(game_id: str) -> str:
    """The stream of a game's commits."""
    return f"meldlog:{{{partition_of(game_id)}}}:game:{game_id}"


def feed_key(partition: str) -> str:
    """The stream of pointers to new versions, trimmed."""
    return f"meldlog:{{{partition}}}:feed"


def clock_key(partition: str) -> str:
    """The sorted set of games by deadline."""
    return f"meldlog:{{{partition}}}:clock"


def index_key(partition: str, status: Status) -> str:
    """The sorted set of games of a status by creation."""
    return f"meldlog:{{{partition}}}:index:{status}"


def game_of(log: bytes) -> str:
    """The game whose log has this key."""
    return log.split(b":game:", 1)[1].decode()


class GameKeys:
    """All keys that one append touches, in the order in which the script takes them."""

    __slots__ = ("all", "log", "partition")

    def __init__(self, game_id: str) -> None:
        self.partition = partition_of(game_id)
        self.log = log_key(game_id)
        self.all = (
            self.log,
            feed_key(self.partition),
            clock_key(self.partition),
            *(index_key(self.partition, status) for status in STATUSES),
        )


# The keys of a game in play are asked for at every command.
keys_of = lru_cache(maxsize=65_536)(GameKeys)
