"""The embedded server comes back from every kill, keeps what was acknowledged, and shares its folder with nobody."""

import asyncio
import fcntl
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import redis
from tests.store.games import commit, log_of, play, pointer
from tests.store.opening import opened
from tests.support.servers import embedded_server, eventually

from meldlog_service.settings import Durability
from meldlog_service.store.embedded import EmbeddedServer, FolderInUse, ServerFailed
from meldlog_service.store.embedded import server as server_module
from meldlog_service.store.embedded.append_only import MANIFEST
from meldlog_service.store.embedded.asking import ask
from meldlog_service.store.embedded.binary import server_binary
from meldlog_service.store.embedded.folder import LONGEST_SOCKET, DataFolder
from meldlog_service.store.event_store import StoreError, StoreUnavailable
from meldlog_service.store.redis_streams import RedisStreams

PROCESS = Durability("process")


async def logs_of(server: EmbeddedServer, *games: str) -> list[int]:
    """The versions that games end with, after reading them whole."""
    async with opened(server.url) as store:
        return [len(await store.read(game)) for game in games]


def increment(folder: Path) -> Path:
    """The part of the append-only file that is being written."""
    return max(folder.glob("appendonlydir/*.incr.aof"))


# A quiet life.


async def test_games_are_there_at_the_next_start(tmp_path: Path) -> None:
    """After an end in good order."""
    for start in range(3):
        with embedded_server(tmp_path) as server:
            async with opened(server.url) as store:
                await play(store, "g", 2, after=2 * start)
                assert await store.read("g") == log_of("g", 2 * start + 2)
                assert await store.check() == []


async def test_nothing_is_left_running_or_lying_about(tmp_path: Path) -> None:
    """An end in good order ends the server and takes its socket away."""
    with embedded_server(tmp_path / "data") as server:
        pid = server.pid
        assert pid is not None
        os.kill(pid, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert not (tmp_path / "data" / "valkey.sock").exists()
    assert server.pid is None
    server.stop()


async def test_a_server_can_be_started_again(tmp_path: Path) -> None:
    """With the same object."""
    server = EmbeddedServer(tmp_path, PROCESS)
    for start in range(2):
        server.start()
        async with opened(server.url) as store:
            await play(store, "g", 1, after=start)
        server.stop()
    assert server.starts == 2


async def test_the_folder_is_for_its_owner_only(tmp_path: Path) -> None:
    """It holds every hand of every game."""
    with embedded_server(tmp_path / "data"):
        assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
        for path in (tmp_path / "data").rglob("*"):
            assert path.stat().st_mode & 0o077 == 0 or path.name.endswith((".lock", ".json", ".log"))


@pytest.mark.parametrize(("durability", "policy"), [("process", "no"), ("fsync", "always")])
async def test_the_file_is_written_before_the_answer(tmp_path: Path, durability: str, policy: str) -> None:
    """`everysec` may answer first while a sync is slow, so it is never used."""
    with embedded_server(tmp_path, durability) as server:
        async with opened(server.url, durability) as store:
            assert await store.check() == []
            await play(store, "g", 2)
        with redis.Redis.from_url(server.url, decode_responses=True) as client:
            assert client.config_get("appendfsync") == {"appendfsync": policy}


async def test_a_folder_with_a_long_path_has_its_socket_elsewhere(tmp_path: Path) -> None:
    """A socket's path may have some hundred bytes only."""
    folder = tmp_path / ("long" * 30) / "data"
    with embedded_server(folder) as server:
        socket = Path(server.url.removeprefix("unix://"))
        assert len(os.fsencode(socket)) <= LONGEST_SOCKET
        assert socket.parent.stat().st_mode & 0o777 == 0o700
        async with opened(server.url) as store:
            await play(store, "g", 1)
    assert not socket.parent.exists()
    with embedded_server(folder) as server:
        assert await logs_of(server, "g") == [1]


async def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    """Also one that means something in a URL."""
    with embedded_server(tmp_path / "a b%20?é#") as server:
        async with opened(server.url) as store:
            await play(store, "g", 1)


# One service at a time.


async def test_two_services_on_one_folder_are_refused(tmp_path: Path) -> None:
    """The second is told who has it, and the first goes on."""
    with embedded_server(tmp_path) as first:
        with pytest.raises(
            FolderInUse, match=rf"another Meldlog service \(process {os.getpid()}\).*--data-dir"
        ):
            EmbeddedServer(tmp_path, PROCESS).start()
        async with opened(first.url) as store:
            await play(store, "g", 1)
    with embedded_server(tmp_path) as again:
        assert await logs_of(again, "g") == [1]


def left_behind(folder: Path) -> "subprocess.Popen[bytes]":
    """A server of an earlier service that outlived it, as can happen where the kernel does not end it."""
    data = DataFolder(folder)
    data.claim()
    lock = data.server_lock(0)
    assert lock is not None
    socket = data.new_socket()
    words = [
        "--port",
        "0",
        "--unixsocket",
        str(socket),
        "--dir",
        str(folder),
        "--appendonly",
        "yes",
        "--save",
        "",
    ]
    orphan = subprocess.Popen([str(server_binary()), *words], pass_fds=[lock], stdout=subprocess.DEVNULL)
    while ask(socket, "PING") != "PONG":
        assert orphan.poll() is None
    data.release()
    return orphan


async def test_a_server_that_was_left_behind_is_asked_to_end(tmp_path: Path) -> None:
    """And what it was told last is kept."""
    orphan = left_behind(tmp_path)
    async with opened(f"unix://{tmp_path}/valkey.sock") as store:
        await play(store, "g", 3)
    with embedded_server(tmp_path) as server:
        assert orphan.wait(5) == 0
        assert await logs_of(server, "g") == [3]


async def test_a_server_that_was_left_behind_and_hangs_is_not_killed_by_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator is told what to do, and two servers never share a file."""
    monkeypatch.setattr(server_module, "ORPHAN_SECONDS", 0.05)
    orphan = left_behind(tmp_path)
    (tmp_path / "server.json").unlink()
    try:
        with pytest.raises(FolderInUse, match="End that valkey-server process"):
            EmbeddedServer(tmp_path, PROCESS).start()
        assert orphan.poll() is None
    finally:
        orphan.kill()
        orphan.wait()
    with embedded_server(tmp_path) as server:
        assert await logs_of(server, "g") == [0]


async def test_somebody_elses_server_at_our_socket_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a server that works in our folder is ours."""
    monkeypatch.setattr(server_module, "ORPHAN_SECONDS", 0.05)
    with embedded_server(tmp_path / "theirs") as theirs:
        (tmp_path / "ours").mkdir()
        with (tmp_path / "ours" / "server.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            (tmp_path / "ours" / "server.json").write_bytes(
                (tmp_path / "theirs" / "server.json").read_bytes()
            )
            with pytest.raises(FolderInUse):
                EmbeddedServer(tmp_path / "ours", PROCESS).start()
        assert await logs_of(theirs, "g") == [0]


# Kills.


class Players:
    """Appends to several games without end, and remembers what was acknowledged of each."""

    def __init__(self, store: RedisStreams, games: list[str]) -> None:
        self.acknowledged = dict.fromkeys(games, 0)
        self.faults = 0
        self._store = store
        self._more = asyncio.Condition()
        self._tasks = [asyncio.create_task(self._play(game)) for game in games]

    async def _play(self, game: str) -> None:
        version = 1
        while True:
            try:
                await self._store.append(pointer(game, version), commit(game, version))
            except StoreError:
                self.faults += 1
                version = await self._tail(game) + 1
                continue
            self.acknowledged[game] = version
            version += 1
            async with self._more:
                self._more.notify_all()

    async def _tail(self, game: str) -> int:
        while True:
            try:
                return await self._store.last_version(game)
            except StoreUnavailable:
                self.faults += 1
                await asyncio.sleep(0.01)

    async def go_on(self, appends: int) -> None:
        """Return when so many more have been acknowledged."""
        target = sum(self.acknowledged.values()) + appends
        async with asyncio.timeout(20), self._more:
            await self._more.wait_for(lambda: sum(self.acknowledged.values()) >= target)

    async def stop(self) -> None:
        """End all appends."""
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)


async def test_every_acknowledged_append_survives_kills_of_the_server_under_load(tmp_path: Path) -> None:
    """Killed again and again, also in the middle of a rewrite of its file: every log whole, nothing torn."""
    games = [f"g{n}" for n in range(8)]
    with embedded_server(tmp_path) as server:
        async with opened(server.url) as store:
            players = Players(store, games)
            for round_ in range(12):
                await players.go_on(150)
                if round_ % 3 == 2:
                    with redis.Redis.from_url(server.url) as client:
                        client.bgrewriteaof()
                    await players.go_on(1)
                assert server.pid is not None
                os.kill(server.pid, signal.SIGKILL)
            await players.go_on(150)
            await players.stop()
            assert server.starts == 13
            assert players.faults > 0
    with embedded_server(tmp_path) as server:
        async with opened(server.url) as store:
            for game in games:
                log = await store.read(game)
                assert len(log) >= players.acknowledged[game]
                assert log == log_of(game, len(log))


SERVICE = """
import asyncio, sys
from pathlib import Path
from meldlog_service.settings import Durability
from meldlog_service.store.embedded import EmbeddedServer
from meldlog_service.store.event_store import StoreError, StoreUnavailable
from meldlog_service.store.redis_streams import RedisStreams
from tests.store.games import commit, pointer

async def play(store, game):
    for version in range(1, 1_000_000):
        await store.append(pointer(game, version), commit(game, version))
        print(game, version, flush=True)

async def serve(server):
    print("server", server.pid, flush=True)
    store = RedisStreams(server.url)
    await asyncio.gather(*(play(store, f"g{n}") for n in range(4)))

with EmbeddedServer(Path(sys.argv[1]), Durability("process")) as server:
    asyncio.run(serve(server))
"""


class Service:
    """A service in a process of its own, which tells what was acknowledged, a line for each."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", SERVICE, str(folder)],
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            text=True,
        )

    def hear(self, lines: int) -> list[str]:
        """The next lines."""
        assert self._process.stdout is not None
        return [self._process.stdout.readline() for _ in range(lines)]

    def kill(self) -> list[str]:
        """End it at once, and hear its last lines."""
        self._process.kill()
        rest, _ = self._process.communicate()
        return rest.splitlines()


@pytest.mark.parametrize("first", ["service", "server", "service with its server"])
async def test_every_acknowledged_append_survives_kills_of_the_service(tmp_path: Path, first: str) -> None:
    """In whatever order; no server is left running, and the next start finds everything."""
    service = Service(tmp_path)
    told = await asyncio.to_thread(service.hear, 200)
    pid = int(told[0].split()[1])
    if first != "service":
        os.kill(pid, signal.SIGKILL)
    if first == "server":
        # The service starts it again and goes on, then is killed while all is well.
        told += await asyncio.to_thread(service.hear, 10)
    rest = await asyncio.to_thread(service.kill)
    acknowledged: dict[str, int] = {}
    for line in told[1:] + rest:
        if len(words := line.split()) == 2:
            acknowledged[words[0]] = int(words[1])
    with embedded_server(tmp_path) as server:
        assert server.starts == 1
        async with opened(server.url) as store:
            for game, version in acknowledged.items():
                log = await store.read(game)
                assert len(log) >= version
                assert log == log_of(game, len(log))
    assert max(acknowledged.values()) > 10


@pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere the next start ends the server that was left behind"
)
async def test_a_killed_service_leaves_no_server_behind(tmp_path: Path) -> None:
    """The kernel ends it, in good order."""
    service = Service(tmp_path)
    await asyncio.to_thread(service.hear, 1)
    await asyncio.to_thread(service.kill)
    data = DataFolder(tmp_path)
    assert await asyncio.to_thread(data.server_lock, 5) is not None
    data.release()
    assert "ready to exit" in (tmp_path / "valkey.log").read_text()


async def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    """With the end of its own log."""
    with embedded_server(tmp_path) as server:
        async with opened(server.url) as store:
            await play(store, "g", 3)
    part = increment(tmp_path)
    part.write_bytes(b"not the protocol\r\n" + part.read_bytes())
    with pytest.raises(ServerFailed, match="Bad file format"):
        EmbeddedServer(tmp_path, PROCESS).start()
    part.write_bytes(part.read_bytes().removeprefix(b"not the protocol\r\n"))
    with embedded_server(tmp_path) as server:
        assert await logs_of(server, "g") == [3]


async def test_a_program_that_is_no_server_is_told_of(tmp_path: Path) -> None:
    """And the folder is free again."""
    with pytest.raises(ServerFailed, match="ended with status"):
        EmbeddedServer(tmp_path, PROCESS, binary=Path("/bin/false")).start()
    with embedded_server(tmp_path) as server:
        assert server.pid is not None


# Damage.


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A folder with a game of twenty versions: ten in the base, ten written since."""
    with embedded_server(tmp_path) as server:
        async with opened(server.url) as store:
            await play(store, "g", 10)
            with redis.Redis.from_url(server.url) as client:
                client.bgrewriteaof()
                await eventually(lambda: not client.info("persistence")["aof_rewrite_in_progress"])
            await play(store, "g", 10, after=10)
    return tmp_path


async def test_a_torn_end_of_the_file_is_cut_off(folder: Path) -> None:
    """What the machine did not finish writing was not acknowledged; all before it is whole."""
    part = increment(folder)
    part.write_bytes(part.read_bytes()[:-100])
    with embedded_server(folder) as server:
        async with opened(server.url) as store:
            assert await store.read("g") == log_of("g", 19)
            await play(store, "g", 1, after=19)
    with embedded_server(folder) as server:
        assert await logs_of(server, "g") == [20]


@pytest.mark.parametrize(
    "kept",
    [
        None,
        "",
        "garbage\n",
        "file appendonly.aof.2.base.rdb seq 2 ty",
        "file appendonly.aof.2.base.rdb seq 2 type b\n",
    ],
)
async def test_a_manifest_that_is_torn_or_missing_is_made_again(
    folder: Path, kept: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    """A server that finds none would begin with no data, over what is there."""
    manifest = folder / "appendonlydir" / MANIFEST
    manifest.unlink() if kept is None else manifest.write_text(kept)
    with embedded_server(folder) as server:
        assert await logs_of(server, "g") == [20]
    assert "it was made again from its parts" in caplog.text


async def test_parts_that_were_written_but_not_listed_yet_do_no_harm(folder: Path) -> None:
    """A kill between any two steps of a rewrite: drafts, an older base, increments that the base contains."""
    parts = folder / "appendonlydir"
    base = max(parts.glob("*.base.rdb"))
    (parts / "appendonly.aof.1.base.rdb").write_bytes(base.read_bytes()[:20])
    (parts / "appendonly.aof.1.incr.aof").write_bytes(increment(folder).read_bytes())
    (parts / "temp-rewriteaof-bg-99.aof").write_bytes(b"half")
    (parts / f"temp-{MANIFEST}").write_text("file append")
    (parts / MANIFEST).unlink()
    with embedded_server(folder) as server:
        async with opened(server.url) as store:
            assert await store.read("g") == log_of("g", 20)
    assert not list(parts.glob("temp-*"))


async def test_a_stale_socket_and_record_do_not_stop_a_start(tmp_path: Path) -> None:
    """What a kill leaves."""
    data = DataFolder(tmp_path)
    data.claim()
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(data.new_socket()))
    data.release()
    with embedded_server(tmp_path) as server:
        assert await logs_of(server, "g") == [0]
    (tmp_path / "server.json").write_text("{torn")
    with embedded_server(tmp_path) as server:
        assert await logs_of(server, "g") == [0]
