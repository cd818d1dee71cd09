"""Logs in the streams of Redis or Valkey."""

import logging
from collections.abc import AsyncIterator, Callable, Sequence

from meldlog_service.settings import Durability
from meldlog_service.store.cursors import place_of
from meldlog_service.store.event_store import (
    ArchivedLog,
    BrokenLog,
    Conflict,
    Entry,
    OutcomeUnknown,
    Page,
    Pointer,
    Status,
)
from meldlog_service.store.redis_streams import index, reindexing
from meldlog_service.store.redis_streams.batcher import Batcher
from meldlog_service.store.redis_streams.checks import check_node
from meldlog_service.store.redis_streams.durability import Receipt
from meldlog_service.store.redis_streams.feed import RedisFeed
from meldlog_service.store.redis_streams.keys import keys_of
from meldlog_service.store.redis_streams.line import Patience
from meldlog_service.store.redis_streams.replies import NOT_DONE, Reply, ServerSaid, expect_bytes, expect_list
from meldlog_service.store.redis_streams.script import (
    OK,
    append_command,
    append_command_in_full,
    enlist_command,
    remove_command,
    restore_command,
)
from meldlog_service.store.redis_streams.topology import Times, servers_at

PROCESS = Durability("process")

_log = logging.getLogger(__name__)


class RedisStreams:
    """An `EventStore` on Redis >= 6.2 or Valkey. It connects when it is first used, and belongs to one event loop.

    Args:
        url: One server, a service of sentinels, or a cluster; see `topology` for the forms.
        durability: What an append waits for.
        connect_seconds: How long a connection may take to stand.
        answer_seconds: How long an answer may take before the connection counts as lost.
        on_batch: Hears how many appends went out together.

    Raises:
        ValueError: for a URL in none of the forms.
    """

    def __init__(
        self,
        url: str,
        durability: Durability = PROCESS,
        *,
        connect_seconds: float = 2.0,
        answer_seconds: float = 5.0,
        on_batch: Callable[[int], None] | None = None,
    ) -> None:
        self._durability = durability
        receipt = Receipt(durability, answer_seconds)
        self._servers = servers_at(
            url,
            Times(connect_seconds, answer_seconds),
            lambda line: Batcher(line, receipt, answer_seconds, on_batch),
        )
        self._feed = RedisFeed(self._servers, answer_seconds)

    async def append(self, pointer: Pointer, commit: bytes) -> None:
        """See `EventStore.append`."""
        await self._write(pointer, append_command(pointer, commit), commit)
        self._feed.wrote(pointer.game_id, pointer.version)

    async def adopt(self, pointer: Pointer, commits: Sequence[bytes]) -> None:
        """See `EventStore.adopt`."""
        *past, last = commits
        await self._write(pointer, append_command(pointer, last, past), last, past)
        self._feed.wrote(pointer.game_id, pointer.version)

    async def _write(
        self, pointer: Pointer, command: bytes, commit: bytes = b"", past: Sequence[bytes] = ()
    ) -> None:
        """Have a script write, and wait until what it wrote is as durable as it has to be."""
        partition = keys_of(pointer.game_id).partition
        patience: Patience | None = None
        while True:
            node = self._servers.known(partition) or await self._servers.node(partition)
            answer = await node.appends.put(command)
            if answer == OK:
                return
            if isinstance(answer, int):
                raise Conflict(pointer.game_id, pointer.version, answer)
            if not isinstance(answer, ServerSaid) or answer.code not in NOT_DONE:
                raise OutcomeUnknown(f"the server answered {answer!r}")
            # Refused before it did anything, so it may be sent again.
            if answer.code == "NOSCRIPT":
                command = append_command_in_full(pointer, commit, past)
                continue
            await self._servers.come_right(answer)
            patience = patience or Patience()
            await patience.wait(answer)

    async def read(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """See `EventStore.read`."""
        count = () if limit is None else ("COUNT", limit)
        keys = keys_of(game_id)
        reply = await self._servers.ask(keys.partition, "XRANGE", keys.log, f"{after + 1}-0", "+", *count)
        entries = [_entry(entry) for entry in expect_list(reply)]
        if entries and entries[-1][0] != after + len(entries):
            expected, found = next(
                (expected, entry[0])
                for expected, entry in enumerate(entries, after + 1)
                if entry[0] != expected
            )
            raise BrokenLog(game_id, expected, found)
        return entries

    async def last_version(self, game_id: str) -> int:
        """See `EventStore.last_version`."""
        keys = keys_of(game_id)
        reply = await self._servers.ask(keys.partition, "XREVRANGE", keys.log, "+", "-", "COUNT", 1)
        entries = expect_list(reply)
        return _entry(entries[0])[0] if entries else 0

    async def scan(self, game_id: str, after: int = 0, page: int = 500) -> AsyncIterator[Entry]:
        """See `EventStore.scan`."""
        while entries := await self.read(game_id, after, page):
            for entry in entries:
                yield entry
            after += len(entries)

    async def archived(self, game_id: str) -> ArchivedLog | None:  # noqa: ARG002
        """See `EventStore.archived`; whoever has an archive wraps this store."""
        return None

    async def page(self, status: Status | None, cursor: str | None, limit: int) -> Page:
        """See `EventStore.page`."""
        return await index.page_of(self._servers, status, place_of(cursor), limit)

    async def games(self, status: Status | None = None) -> AsyncIterator[str]:
        """See `EventStore.games`."""
        cursor: str | None = None
        while True:
            page = await self.page(status, cursor, 500)
            for game_id, _ in page.items:
                yield game_id
            if (cursor := page.next_cursor) is None:
                return

    async def logs(self) -> AsyncIterator[str]:
        """See `EventStore.logs`."""
        for game_id in await reindexing.games_with_logs(self._servers):
            yield game_id

    async def due(self, now_ms: int, limit: int) -> list[tuple[str, int]]:
        """See `EventStore.due`."""
        return await index.due(self._servers, now_ms, limit)

    def follow(self) -> RedisFeed:
        """See `EventStore.follow`."""
        return self._feed

    async def remove(self, game_id: str, last: int) -> None:
        """See `EventStore.remove`."""
        partition = keys_of(game_id).partition
        found = (await self._servers.ask_each({partition: remove_command(game_id, last)}))[partition]
        if isinstance(found, int):
            raise Conflict(game_id, last + 1, found)

    async def restore(self, pointer: Pointer, commits: Sequence[bytes]) -> None:
        """See `EventStore.restore`."""
        await self._write(pointer, restore_command(pointer, commits))

    async def enlist(self, pointer: Pointer) -> None:
        """See `EventStore.enlist`."""
        await self._servers.ask_each({keys_of(pointer.game_id).partition: enlist_command(pointer)})

    async def reindex(self, pointer_of: Callable[[Sequence[bytes]], Pointer]) -> int:
        """See `EventStore.reindex`."""
        games = await reindexing.games_with_logs(self._servers)
        for game_id in games:
            await self._reindex_game(game_id, pointer_of)
        await reindexing.forget_others(self._servers, games)
        return len(games)

    async def _reindex_game(self, game_id: str, pointer_of: Callable[[Sequence[bytes]], Pointer]) -> None:
        while commits := [commit async for _, commit in self.scan(game_id)]:
            try:
                # Without a commit, only what is derived is written.
                pointer = pointer_of(commits)
                await self._write(pointer, append_command(pointer, b""))
            except Conflict as grown:
                _log.info("game %s went on to version %d meanwhile", game_id, grown.last)
            else:
                return

    async def check(self) -> list[str]:
        """See `EventStore.check`."""
        warnings: list[str] = []
        for node in await self._servers.nodes():
            found = await check_node(node, self._durability)
            warnings += [warning for warning in found if warning not in warnings]
        return warnings

    async def ping(self) -> None:
        """See `EventStore.ping`."""
        for node in await self._servers.nodes():
            await node.ask_one("PING")

    async def close(self) -> None:
        """See `EventStore.close`."""
        await self._feed.close()
        self._servers.close()


def _entry(reply: Reply) -> Entry:
    """A stream's entry: its id `<version>-0` and its only field, `commit`."""
    entry_id, fields = expect_list(reply)
    _, commit = expect_list(fields)
    return int(expect_bytes(entry_id).partition(b"-")[0]), expect_bytes(commit)
