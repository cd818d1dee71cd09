"""Where games go: files that are whole, and stores that know them as games."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.support import servers

from meldlog_service.app.audit import audit
from meldlog_service.app.handler import Handler
from meldlog_service.cli.stores import store_at
from meldlog_service.settings import Durability
from meldlog_service.simulating.keeping import InFolder, InStore, OtherGame
from meldlog_service.simulating.plan import Plan
from meldlog_service.simulating.playing import Played, installed, play
from meldlog_service.store.event_store import EventStore
from meldlog_service.store.memory import MemoryStore

PLAN = Plan("beanie", ("plain", "random"), seats=2, games=2, seed="1", house_rules={"deal_count": 1})
STORES = ["memory", "embedded", *(["redis"] if servers.real_redis_is() else [])]


@pytest.fixture(scope="module")
def games() -> list[Played]:
    """Two finished games."""
    return [play(PLAN, number, with_log=True) for number in range(2)]


@pytest.fixture(params=STORES)
async def store(request: pytest.FixtureRequest, tmp_path: Path, worker_id: str) -> AsyncIterator[EventStore]:
    """Stores of every kind; in a real Redis the games of other tests are let be."""
    if request.param == "memory":
        yield MemoryStore()
        return
    number = int(worker_id.removeprefix("gw")) if worker_id.startswith("gw") else 0
    server = (
        servers.real_redis(number)
        if request.param == "redis"
        else servers.embedded_server(tmp_path / "games")
    )
    with server as found:
        opened = store_at(found if isinstance(found, str) else found.url, Durability.parse("process"))
        yield opened
        await opened.close()


async def test_games_in_files_are_named_after_their_ids(games: list[Played], tmp_path: Path) -> None:
    """A commit a line, as they are exported; nothing else lies there."""
    keeper = InFolder(tmp_path / "new" / "logs")
    for game in games:
        assert await keeper.keep(game)
    files = sorted((tmp_path / "new" / "logs").iterdir())
    assert [file.name for file in files] == sorted(f"{game.game_id}.ndjson" for game in games)
    written = (tmp_path / "new" / "logs" / f"{games[0].game_id}.ndjson").read_bytes()
    assert written.split(b"\n") == [*(line for _, line in games[0].log), b""]


def test_a_file_that_is_there_stays_unless_it_is_the_same_game(games: list[Played], tmp_path: Path) -> None:
    """Played again, the same file comes out; another log of this name is not written over."""
    keep = InFolder(tmp_path).keep
    assert asyncio.run(keep(games[0]))
    assert asyncio.run(keep(games[0]))
    file = tmp_path / f"{games[0].game_id}.ndjson"
    file.write_bytes(b"precious")
    with pytest.raises(FileExistsError, match="another log is there already"):
        asyncio.run(keep(games[0]))
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [b"precious"]


def test_a_file_that_cannot_be_written_leaves_none(games: list[Played], tmp_path: Path) -> None:
    """Neither half a game nor a draft of it."""
    place = tmp_path / f"{games[0].game_id}.ndjson"
    place.mkdir()
    (place / "something").touch()
    with pytest.raises(OSError, match="irectory"):
        asyncio.run(InFolder(tmp_path).keep(games[0]))
    assert list(tmp_path.iterdir()) == [place]


async def test_a_store_lists_reads_and_audits_the_games(store: EventStore, games: list[Played]) -> None:
    """Byte for byte what was played, among the finished games, the later one first."""
    for game in games:
        assert await InStore(store).keep(game)
    ids = [game.game_id for game in games]
    assert [game_id async for game_id in store.games("finished") if game_id in ids] == ids[::-1]
    assert not [game_id async for game_id in store.games("playing") if game_id in ids]
    handler = Handler(store, installed(), cache_tables=10)
    for game in games:
        assert [line for _, line in await store.read(game.game_id)] == [line for _, line in game.log]
        assert (await audit(handler, game.game_id)).verdict == "agrees"


async def test_a_game_that_is_there_stays_and_half_a_game_is_completed(games: list[Played]) -> None:
    """So a run that was killed can be run again."""
    store = MemoryStore()
    for pointer, line in games[0].log[:7]:
        await store.append(pointer, line)
    for _ in range(2):
        assert await InStore(store).keep(games[0])
        assert [line for _, line in await store.read(games[0].game_id)] == [line for _, line in games[0].log]


async def test_another_game_with_this_id_is_refused(games: list[Played]) -> None:
    """It stays as it is."""
    store = MemoryStore()
    pointer, line = games[1].log[0]
    await store.append(replace(pointer, game_id=games[0].game_id), line)
    with pytest.raises(OtherGame, match=games[0].game_id):
        await InStore(store).keep(games[0])
    assert await store.last_version(games[0].game_id) == 1


async def test_a_store_gets_no_game_that_is_not_over(games: list[Played], tmp_path: Path) -> None:
    """A service would let its bots play on; a file does not move."""
    store = MemoryStore()
    left = replace(games[0], outcome="unfinished")
    assert not await InStore(store).keep(left)
    assert await store.last_version(left.game_id) == 0
    assert await InFolder(tmp_path).keep(left)
