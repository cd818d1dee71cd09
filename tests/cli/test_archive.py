"""`archive` and `restore`, by real processes on the embedded store: while the service runs, and when it does not."""

import asyncio
import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.app.archived import assert_is_there_once
from tests.cli.commands import Serving, is_one_sentence, meldlog
from tests.cli.data_folders import GAMES, filled
from tests.docs.markdown import ROOT
from tests.support.archives import STEPS, finished, put, with_archive
from tests.support.games import Game
from tests.support.servers import embedded_server

from meldlog_service.app.archiving import Archiver
from meldlog_service.store.archive import names
from meldlog_service.store.archive.archive import Archive
from meldlog_service.store.archive.folder import Folder
from meldlog_service.store.archive.store import ArchivedStore
from meldlog_service.store.redis_streams import RedisStreams


def test_games_are_archived_by_age_read_as_before_and_restored(data: Path, tmp_path: Path) -> None:
    """With every command that reads; each of them starts the store for the time being."""
    where = ("--data-dir", str(data))
    before = meldlog("export", "g1", *where, home=tmp_path).stdout
    assert before.encode().splitlines() == finished("g1").lines

    young = meldlog("archive", "--older-than", "36500d", *where, home=tmp_path)
    assert (young.returncode, young.stdout) == (0, "0 games archived, 0 KiB of log\n")
    done = meldlog("archive", "--older-than", "0s", "--json", *where, home=tmp_path)
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted((one["game"], one["outcome"]) for one in told) == [(name, "archived") for name in GAMES]
    assert len(list((data / "archive" / "games").rglob("*.ndjson.zst"))) == 3

    assert meldlog("export", "g1", *where, home=tmp_path).stdout == before
    assert "version 3  " in meldlog("replay", "g1", "--at", "3", *where, home=tmp_path).stdout
    audited = meldlog("audit", "--all", "--json", *where, home=tmp_path)
    assert audited.returncode == 0, audited.stdout
    assert {json.loads(line)["game"] for line in audited.stdout.splitlines()} >= {*GAMES, "playing"}

    restored = meldlog("restore", "g1", *where, home=tmp_path)
    assert restored.returncode == 0
    assert restored.stdout.startswith("1 game restored, ")
    again = meldlog("restore", "g1", *where, home=tmp_path)
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout == "game g1 is in the store already: nothing was moved\n"
    assert meldlog("export", "g1", *where, home=tmp_path).stdout == before


def test_a_game_that_was_over_when_it_came_is_archived_by_age_as_well(data: Path, tmp_path: Path) -> None:
    """Its end is not the last thing in its log: that it was imported is."""
    where = ("--data-dir", str(data))
    log = tmp_path / "log.ndjson"
    assert meldlog("export", "g1", "--out", log, *where, home=tmp_path).returncode == 0
    came = meldlog("import", log, "--json", *where, home=tmp_path)
    assert came.returncode == 0, came.stderr
    done = meldlog("archive", "--older-than", "0s", "--json", *where, home=tmp_path)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(one["game"] for one in told) == sorted([*GAMES, json.loads(came.stdout)["game_id"]])
    assert {one["outcome"] for one in told} == {"archived"}


def test_what_cannot_be_moved_is_told_and_the_rest_is_moved(data: Path, tmp_path: Path) -> None:
    """A sentence for each, status 1."""
    where = ("--data-dir", str(data))
    done = meldlog("archive", "playing", "nobody", "g2", *where, home=tmp_path)
    assert done.returncode == 1
    assert done.stdout.endswith(", 2 games not\n")
    assert done.stdout.startswith("1 game archived")
    playing, nobody = done.stderr.splitlines()
    assert playing == "meldlog: game playing is not over: only finished games are archived"
    assert nobody == "meldlog: there is no game nobody, neither in the store nor in the archive"
    here = meldlog("restore", "g1", "g2", "--json", *where, home=tmp_path)
    assert here.returncode == 1
    assert [json.loads(line)["outcome"] for line in here.stdout.splitlines()] == ["failed", "restored"]


def test_a_game_that_cannot_be_restored_is_told_in_one_sentence(data: Path, tmp_path: Path) -> None:
    """Of which there is nothing, or nothing in the archive."""
    in_store = "was never archived: it is in the store already, and nothing was changed"
    for game, why in (("nosuchgame", "there is no game nosuchgame"), ("g1", in_store)):
        done = meldlog("restore", game, "--data-dir", data, home=tmp_path)
        assert (done.returncode, done.stdout) == (1, "")
        assert is_one_sentence(done.stderr)
        assert why in done.stderr


def test_a_game_is_archived_beside_a_service_that_runs(data: Path, tmp_path: Path) -> None:
    """Its readers see no difference; what would write is refused."""
    with Serving(tmp_path) as serving:
        before = serving.get("/v1/games/g1/events").json()
        done = meldlog("archive", "g1", "--data-dir", data, home=tmp_path)
        assert done.returncode == 0, done.stderr
        assert serving.get("/v1/games/g1/events").json() == before
        with serving.client(serving.token) as operator:
            assert operator.table("g1").status == "finished"
        listed = serving.get("/v1/games?status=finished").json()["items"]
        assert sorted(item["game_id"] for item in listed) == list(GAMES)


@pytest.mark.parametrize(
    "arguments",
    [
        ("archive",),
        ("archive", "--older-than", "soon"),
        ("archive", "g1", "--older-than", "1d"),
        ("archive", "g1", "--relist"),
        ("restore",),
        ("archive", "g1", "--archive-url", "nonsense://x"),
        ("archive", "g1", "--redis-url", "redis://127.0.0.1:1"),
    ],
)
def test_a_command_that_makes_no_sense_is_wrong_usage(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """Status 2, before anything is looked at; a store of one's own has no archive unless it is named."""
    done = meldlog(*arguments, home=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_an_archive_that_cannot_be_used_is_told(data: Path, tmp_path: Path) -> None:
    """A sentence, status 1; the games stay where they are."""
    (tmp_path / "file").write_text("I am no folder")
    done = meldlog("archive", "g1", "--data-dir", data, "--archive-url", tmp_path / "file", home=tmp_path)
    assert done.returncode == 1
    assert is_one_sentence(done.stderr)
    assert meldlog("export", "g1", "--data-dir", data, home=tmp_path).returncode == 0


def test_a_lost_store_lists_its_archived_games_again(data: Path, tmp_path: Path) -> None:
    """They could be read all the time; now they are listed."""
    archive = ("--archive-url", str(data / "archive"))
    assert meldlog("archive", "--older-than", "0s", "--data-dir", data, home=tmp_path).returncode == 0
    filled(tmp_path / "new", ())
    new = ("--data-dir", str(tmp_path / "new"), *archive)
    assert meldlog("export", "g1", *new, home=tmp_path).returncode == 0
    done = meldlog("archive", "--relist", *new, home=tmp_path)
    assert (done.returncode, done.stdout) == (0, "3 games in the archive, all listed\n")
    audited = meldlog("audit", "--all", "--json", *new, home=tmp_path)
    assert {json.loads(line)["game"] for line in audited.stdout.splitlines() if '"game"' in line} == set(
        GAMES
    )


def test_what_is_damaged_keeps_nobody_else_out(data: Path, tmp_path: Path) -> None:
    """An entry of the index is told with status 1, by whoever meets it; the others are listed, or archived."""
    where = ("--data-dir", str(data))
    assert meldlog("archive", "g1", "g2", *where, home=tmp_path).returncode == 0
    assert meldlog("restore", "g2", *where, home=tmp_path).returncode == 0
    for name in ("g1", "g2"):
        (data / "archive" / names.entry_name(name)).write_text("{")
    relisted = meldlog("archive", "--relist", *where, home=tmp_path)
    assert (relisted.returncode, relisted.stdout) == (1, "0 games of the archive listed, 2 games not\n")
    told = sorted(relisted.stderr.splitlines())
    assert [line.partition(" is damaged")[0] for line in told] == [
        "meldlog: the archived log of game g1",
        "meldlog: the archived log of game g2",
    ]
    old = meldlog("archive", "--older-than", "0s", "--json", *where, home=tmp_path)
    assert (old.returncode, old.stderr) == (1, "")
    outcomes = {one["game"]: one["outcome"] for one in map(json.loads, old.stdout.splitlines())}
    assert outcomes == {"g2": "failed", "g3": "archived"}
    # Named, it is archived anew: the log that the entry should speak of is in the store.
    assert meldlog("archive", "g2", *where, home=tmp_path).returncode == 0


# Killed for good.


@pytest.fixture
def embedded_url(tmp_path: Path) -> Iterator[str]:
    """An embedded server with nothing in it."""
    with embedded_server(tmp_path / "store") as server:
        yield server.url


def test_processes_killed_at_every_write_lose_and_double_nothing(embedded_url: str, tmp_path: Path) -> None:
    """SIGKILL before each write of a move, on the real store: every game is there once, and the next one ends it."""
    folder = tmp_path / "archive"
    games = {write: finished(f"g{write}") for write in range(1, STEPS + 2)}
    playing = Game(seats=2, game_id="playing").started()

    async def fill() -> None:
        store = RedisStreams(embedded_url)
        for game in (*games.values(), playing):
            await put(store, game)
        await store.close()

    async def look() -> None:
        live = RedisStreams(embedded_url)
        for game in games.values():
            # With nothing in memory of what another looked at.
            await assert_is_there_once(ArchivedStore(live, Archive(Folder(folder))), game)
        await live.close()

    async def end() -> list[str]:
        live = RedisStreams(embedded_url)
        archiver = Archiver(with_archive(live, Folder(folder)))
        await archiver.look(0)
        assert await archiver.interrupted() == []
        left = [game async for game in live.logs()]
        await live.close()
        return left

    asyncio.run(fill())
    assert killed(embedded_url, folder, *(f"g{write}:{write}" for write in games)) == [
        f"g{write}:{write} {0 if write > STEPS else -signal.SIGKILL}" for write in games
    ]
    asyncio.run(look())
    assert asyncio.run(end()) == ["playing"]
    asyncio.run(look())


def killed(url: str, folder: Path, *pairs: str) -> list[str]:
    """Have processes archive a game each and be killed; how each ended."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.killed_archiver", url, str(folder), *pairs],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout.splitlines()


def test_processes_killed_at_fifty_moments_lose_and_double_nothing(embedded_url: str, tmp_path: Path) -> None:
    """Wherever they are then: between two writes, in the middle of one, before the first or behind the last."""
    folder, chance = tmp_path / "archive", random.Random(50)
    # Some more than fifty: a process may be faster than the first one, and done before its moment comes.
    moments = {f"g{number}": chance.uniform(0, 0.75) for number in range(1, 61)}
    games = [finished(name) for name in ("g0", *moments)]

    async def fill() -> None:
        store = RedisStreams(embedded_url)
        for game in games:
            await put(store, game)
        await store.close()

    async def look() -> None:
        live = RedisStreams(embedded_url)
        for game in games:
            await assert_is_there_once(ArchivedStore(live, Archive(Folder(folder))), game)
        await live.close()

    async def end() -> None:
        live = RedisStreams(embedded_url)
        archiver = Archiver(with_archive(live, Folder(folder)))
        await archiver.look(0)
        assert await archiver.interrupted() == []
        assert [game async for game in live.logs()] == []
        await live.close()

    asyncio.run(fill())
    ends = killed(embedded_url, folder, "g0:0", *(f"{name}:{moment:.6f}" for name, moment in moments.items()))
    assert ends[0] == "g0:0 0"
    assert {int(one.rpartition(" ")[2]) for one in ends[1:]} <= {0, -signal.SIGALRM}
    asyncio.run(look())
    asyncio.run(end())
    asyncio.run(look())
