"""Reading what is derived from the logs: the index and the clock, merged over all partitions."""

from collections.abc import Iterable
from heapq import merge

from meldlog_service.store.cursors import Place, cursor_of
from meldlog_service.store.event_store import STATUSES, Page, Status
from meldlog_service.store.redis_streams.keys import PARTITIONS, clock_key, index_key
from meldlog_service.store.redis_streams.replies import Reply, expect_bytes, expect_list
from meldlog_service.store.redis_streams.script import pack
from meldlog_service.store.redis_streams.servers import Servers


class _Shelf:
    """The games of one partition and status, fetched piece by piece, newest first."""

    def __init__(self, partition: str, status: Status, after: Place | None) -> None:
        self.partition = partition
        self.places: list[Place] = []
        self.complete = False
        self._key = index_key(partition, status)
        self._after = after

    def question(self, count: int) -> bytes:
        """The command for the next `count` games."""
        # Games of one millisecond share a score: those already seen come again, and are passed over.
        newest = "+inf" if self._after is None else self._after.created_ms
        return pack("ZREVRANGEBYSCORE", self._key, newest, "-inf", "WITHSCORES", "LIMIT", 0, count)

    def take(self, reply: Reply, count: int) -> None:
        """Put the answer to `question` on the shelf."""
        found = list(_scored(reply))
        fresh = [place for place in found if self._after is None or place < self._after]
        self.complete = len(found) < count
        self.places += fresh
        if fresh:
            self._after = fresh[-1]


async def page_of(servers: Servers, status: Status | None, after: Place | None, limit: int) -> Page:
    """See `EventStore.page`."""
    statuses = STATUSES if status is None else (status,)
    shelves = [_Shelf(partition, each, after) for partition in PARTITIONS for each in statuses]
    # A game's partition is chance, so each has about as many of the newest as any other.
    count = 2 + 2 * limit // len(shelves)
    lacking = shelves
    while lacking:
        await _fetch(servers, lacking, count)
        merged = _newest(shelves, limit + 1)
        # Whatever a shelf did not give yet is older than its last; that matters only if the page reaches so far.
        reach = merged[-1] if len(merged) > limit else None
        lacking = [
            shelf
            for shelf in shelves
            if not shelf.complete and (reach is None or not shelf.places or shelf.places[-1] >= reach)
        ]
        count *= 2
    places = _newest(shelves, limit + 1)
    shown = places[:limit]
    more = len(places) > limit and bool(shown)
    return Page(
        [(place.game_id, place.created_ms) for place in shown], cursor_of(shown[-1]) if more else None
    )


async def _fetch(servers: Servers, shelves: list[_Shelf], count: int) -> None:
    """Ask every shelf's partition once; one command for each partition and round."""
    rest = shelves
    while rest:
        now = {shelf.partition: shelf for shelf in rest}
        replies = await servers.ask_each(
            {partition: shelf.question(count) for partition, shelf in now.items()}
        )
        for partition, reply in replies.items():
            now[partition].take(reply, count)
        rest = [shelf for shelf in rest if now[shelf.partition] is not shelf]


def _newest(shelves: list[_Shelf], limit: int) -> list[Place]:
    places = merge(*(shelf.places for shelf in shelves), reverse=True)
    return [place for place, _ in zip(places, range(limit), strict=False)]


async def due(servers: Servers, now_ms: int, limit: int) -> list[tuple[str, int]]:
    """See `EventStore.due`."""
    replies = await servers.ask_each(
        {
            partition: pack(
                "ZRANGEBYSCORE", clock_key(partition), "-inf", now_ms, "WITHSCORES", "LIMIT", 0, limit
            )
            for partition in PARTITIONS
        }
    )
    overdue = sorted(place for reply in replies.values() for place in _scored(reply))
    return [(place.game_id, place.created_ms) for place in overdue[:limit]]


def _scored(reply: Reply) -> Iterable[Place]:
    """Members and scores of a sorted set."""
    flat = [expect_bytes(part) for part in expect_list(reply)]
    for member, score in zip(flat[::2], flat[1::2], strict=True):
        yield Place(int(float(score)), member.decode())
