"""How a server must be set up: durability, configuration, rights."""

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path

import pytest
from tests.store.games import commit, log_of, play, pointer
from tests.store.opening import opened
from tests.support.servers import BareServer, Options, eventually

from meldlog_service.settings import Durability
from meldlog_service.store.event_store import ConfigurationRefused, Conflict, NotDurable, StoreUnavailable
from meldlog_service.store.redis_streams.checks import check_node
from meldlog_service.store.redis_streams.replies import Reply

# Durability.


async def test_fsync_durability_waits_for_the_disk(tmp_path: Path) -> None:
    """On a server that syncs before it answers."""
    with BareServer(tmp_path, {"appendonly": "yes", "appendfsync": "always"}) as server:
        async with opened(server.url, "fsync") as store:
            assert await store.check() == []
            await asyncio.gather(*(play(store, f"g{n}", 3) for n in range(8)))
            with pytest.raises(Conflict):
                await play(store, "g0", 1)
            assert await store.read("g0") == log_of("g0", 3)


@pytest.mark.parametrize(("durability", "words"), [("fsync", "disk"), ("replicas=1", "0 of 1 replicas")])
async def test_a_commit_that_is_not_durable_yet_is_told_from_one_that_is_not_stored(
    tmp_path: Path, durability: str, words: str
) -> None:
    """Stored, but not as durably as asked; a conflict in the same batch stays a conflict."""
    with BareServer(tmp_path, {"appendonly": "yes", "appendfsync": "no"}) as server:
        async with opened(server.url, durability, answer_seconds=1.0) as store:
            results = await asyncio.gather(
                store.append(pointer("g", 1), commit("g", 1)),
                store.append(pointer("h", 5), commit("h", 5)),
                return_exceptions=True,
            )
            assert [type(result) for result in results] == [NotDurable, Conflict]
            assert words in str(results[0])
            assert await store.read("g") == log_of("g", 1)


async def test_replicas_durability_waits_for_a_replica(tmp_path: Path) -> None:
    """An answer means that a replica has it."""
    with ExitStack() as stack:
        primary = stack.enter_context(BareServer(tmp_path / "a", port=True))
        copy = stack.enter_context(stack.enter_context(BareServer(tmp_path / "b")).client)
        copy.replicaof("127.0.0.1", primary.port)
        await eventually(lambda: copy.info("replication")["master_link_status"] == "up")
        async with opened(primary.url, "replicas=1") as store:
            await play(store, "g", 3)
            assert copy.xlen(f"meldlog:{{{sha256(b'g').hexdigest()[:2]}}}:game:g") == 3


# Configuration.

SOUND = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}


@pytest.mark.parametrize(
    ("options", "durability", "words"),
    [
        ({"appendonly": "no"}, "process", "games are lost when it restarts"),
        ({"maxmemory-policy": "allkeys-lru"}, "process", "set the policy to noeviction"),
        ({"appendfsync": "everysec"}, "fsync", "up to a second"),
        ({}, "replicas=2", "the server has 0 now"),
    ],
)
async def test_what_may_cost_games_is_warned_of(
    tmp_path: Path, options: Options, durability: str, words: str
) -> None:
    """The operator reads what to change."""
    with BareServer(tmp_path, {**SOUND, **options}) as server:
        async with opened(server.url, durability) as store:
            (warning,) = await store.check()
            assert words in warning


@pytest.mark.parametrize(
    ("options", "durability", "words"),
    [
        ({"appendonly": "no"}, "fsync", "Set appendonly to yes"),
        ({"appendfsync": "no"}, "fsync", "set appendfsync to always"),
        ({"rename-command": ("WAITAOF", "HIDDEN")}, "fsync", "needs WAITAOF"),
        ({"maxmemory-policy": "allkeys-lru", "maxmemory": "100mb"}, "process", "Set it to noeviction"),
    ],
)
async def test_what_cannot_keep_the_promise_is_refused(
    tmp_path: Path, options: Options, durability: str, words: str
) -> None:
    """Before the first game."""
    with BareServer(tmp_path, {**SOUND, **options}) as server:
        async with opened(server.url, durability) as store:
            with pytest.raises(ConfigurationRefused, match=words):
                await store.check()


@pytest.mark.parametrize("durability", ["process", "fsync"])
async def test_a_sound_server_is_not_warned_of(tmp_path: Path, durability: str) -> None:
    """Nothing to say is said by nothing."""
    with BareServer(tmp_path, SOUND) as server:
        async with opened(server.url, durability) as store:
            assert await store.check() == []


async def test_a_server_that_hides_its_configuration_is_warned_of(tmp_path: Path) -> None:
    """As managed servers do; with a user and a password in the URL."""
    with BareServer(tmp_path, SOUND, port=True) as server:
        with server.client as client:
            client.acl_setuser(
                "app", enabled=True, passwords=["+p@ss/word"], keys=["*"], commands=["+@all", "-config"]
            )
        async with opened(server.url.replace("//", "//app:p%40ss%2Fword@")) as store:
            (warning,) = await store.check()
            assert "CONFIG is refused" in warning
            await play(store, "g", 2)
            assert await store.read("g") == log_of("g", 2)


async def test_a_wrong_password_is_told_at_once(tmp_path: Path) -> None:
    """Waiting would not help."""
    with BareServer(tmp_path, {"requirepass": "right"}, port=True) as server:
        for login in ("", ":wrong@", "nobody:right@"):
            async with opened(server.url.replace("//", f"//{login}")) as store:
                with pytest.raises(StoreUnavailable, match=r"NOAUTH|WRONGPASS"):
                    await play(store, "g", 1)


async def test_a_server_without_memory_stores_nothing(tmp_path: Path) -> None:
    """Neither the log nor what is derived from it."""
    with BareServer(tmp_path, {"maxmemory-policy": "noeviction"}) as server:
        async with opened(server.url) as store:
            await play(store, "g", 1)
            with server.client as client:
                client.config_set("maxmemory", "1")
                with pytest.raises(StoreUnavailable, match="OOM"):
                    await store.append(pointer("g", 2, "finished"), commit("g", 2))
                client.config_set("maxmemory", "0")
            assert await store.read("g") == log_of("g", 1)
            assert [game async for game in store.games("playing")] == ["g"]


async def test_a_database_of_its_own_is_used(tmp_path: Path) -> None:
    """The number in the URL."""
    with BareServer(tmp_path, port=True) as server:
        async with opened(f"{server.url}/3") as store:
            await play(store, "g", 1)
        with server.client as client:
            assert client.info("keyspace").keys() == {"db3"}


class OldServer:
    """Answers as a server of some version does that hides its configuration."""

    def __init__(self, version: str) -> None:
        self._version = version

    async def ask(self, commands: Sequence[bytes]) -> list[Reply]:
        """INFO, CONFIG GET, COMMAND INFO."""
        assert len(commands) == 3
        return [f"# Server\r\nredis_version:{self._version}\r\n".encode(), [b"appendonly", b"yes"], [None]]


@pytest.mark.parametrize("version", ["5.0.14", "6.0.20", "2.8.24"])
async def test_a_server_that_is_too_old_is_refused(version: str) -> None:
    """Redis 6.2 has all that is needed, an earlier one has not."""
    with pytest.raises(ConfigurationRefused, match=r"must be Redis 6\.2 or later"):
        await check_node(OldServer(version), Durability("process"))


@pytest.mark.parametrize("version", ["6.2.0", "7.0.15", "8.2.1", "255.255.255"])
async def test_a_server_that_is_new_enough_passes(version: str) -> None:
    """Also one built from an unreleased state."""
    assert await check_node(OldServer(version), Durability("process")) == []
