"""The news: one task that waits at the feeds of all partitions and wakes whoever subscribed.

A wake-up only means "go and read the log", so the task has one duty: never to miss one. It knows its place in
each feed. Wherever it cannot be sure of having seen everything since then (a new connection, or more news than
it takes at a time, which is less than a feed keeps) it wakes everybody who could be concerned.
"""

import asyncio
import logging

from meldlog_service.store.event_store import StoreUnavailable
from meldlog_service.store.redis_streams.keys import feed_key, keys_of
from meldlog_service.store.redis_streams.link import Link
from meldlog_service.store.redis_streams.replies import (
    Lost,
    Reply,
    ServerSaid,
    UnexpectedReply,
    expect_bytes,
    expect_list,
)
from meldlog_service.store.redis_streams.script import FEED_LENGTH, pack
from meldlog_service.store.redis_streams.servers import Servers
from meldlog_service.store.subscribers import Subscriber, Subscribers

MOST = FEED_LENGTH // 2
"""Pointers taken from a partition's feed at a time."""

BLOCK = 5.0
"""Seconds that the server may hold a question that has no answer yet."""

PACE = 0.01
"""Seconds between two questions: under load each brings all news of that time at once."""

FIRST_PAUSE, LAST_PAUSE = 0.02, 1.0
"""Seconds before a lost feed is followed again, doubled from try to try."""

_log = logging.getLogger(__name__)


class RedisFeed:
    """A `Feed` over streams.

    Args:
        servers: Where the feeds are.
        seconds: How long an answer may take.
    """

    def __init__(self, servers: Servers, seconds: float) -> None:
        self._servers = servers
        self._seconds = seconds
        self._followers: dict[str, _Follower] = {}

    def subscribe(self, game_id: str) -> Subscriber:
        """See `Feed.subscribe`."""
        group = self._servers.read_together(keys_of(game_id).partition)
        if (follower := self._followers.get(group[0])) is None:
            follower = self._followers[group[0]] = _Follower(self._servers, group, self._seconds)
        return follower.subscribe(game_id)

    def wrote(self, game_id: str, version: int) -> None:
        """This process itself appended a version; its subscribers need not wait for the feed."""
        group = self._servers.read_together(keys_of(game_id).partition)
        if (follower := self._followers.get(group[0])) is not None:
            follower.room.wake(game_id, version)

    async def close(self) -> None:
        """Stop following; whoever waits hears that the store is closed."""
        for follower in self._followers.values():
            await follower.close()


class _Follower:
    """Follows the feeds of a group of partitions, for as long as anybody wants to know."""

    def __init__(self, servers: Servers, group: tuple[str, ...], seconds: float) -> None:
        self.room = Subscribers()
        self._servers = servers
        self._partition = group[0]
        self._keys = [feed_key(partition) for partition in group]
        self._seconds = seconds
        self._task: asyncio.Task[None] | None = None
        self._pause = FIRST_PAUSE

    def subscribe(self, game_id: str) -> Subscriber:
        subscriber = self.room.join(game_id)
        if not self.room.closed and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._follow())
        return subscriber

    async def close(self) -> None:
        self.room.close()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _follow(self) -> None:
        self._pause = FIRST_PAUSE
        while self.room.anybody:
            try:
                node = await self._servers.node(self._partition)
                link = await node.dial()
                try:
                    await self._listen(link)
                except ServerSaid as error:
                    await self._servers.come_right(error)
                    raise
                finally:
                    link.close()
            except (Lost, ServerSaid, StoreUnavailable, UnexpectedReply) as error:
                _log.warning("the feed was lost and is followed again in %g s: %s", self._pause, error)
                await asyncio.sleep(self._pause)
                self._pause = min(2 * self._pause, LAST_PAUSE)

    async def _listen(self, link: Link) -> None:
        tails = await link.send(
            b"".join(pack("XREVRANGE", key, "+", "-", "COUNT", 1) for key in self._keys),
            len(self._keys),
            self._seconds,
        )
        places = {key: _last_id(tail) for key, tail in zip(self._keys, tails, strict=True)}
        # From here on nothing is missed; of what was written before, nobody may have been told.
        self.room.wake_all()
        while self.room.anybody:
            (reply,) = await link.send(_question(places), 1, BLOCK + self._seconds)
            for stream in expect_list(reply) if reply is not None else ():
                key, entries = expect_list(stream)
                self._tell(expect_list(entries))
                places[expect_bytes(key).decode()] = _last_id(entries)
            self._pause = FIRST_PAUSE
            await asyncio.sleep(PACE)

    def _tell(self, entries: list[Reply]) -> None:
        for entry in entries:
            _, fields = expect_list(entry)
            _, game_id, _, version, *_ = (expect_bytes(field) for field in expect_list(fields))
            self.room.wake(game_id.decode(), int(version))
        if len(entries) == MOST:
            self.room.wake_all()


def _question(places: dict[str, bytes]) -> bytes:
    """What is new in each feed after these places?"""
    return pack("XREAD", "COUNT", MOST, "BLOCK", int(BLOCK * 1000), "STREAMS", *places, *places.values())


def _last_id(entries: Reply) -> bytes:
    """The id of the last of some entries; `0-0`, before any, when there are none."""
    return expect_bytes(expect_list(expect_list(entries)[-1])[0]) if entries else b"0-0"
