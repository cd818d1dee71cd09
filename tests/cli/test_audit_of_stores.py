"""`meldlog audit` of a store in which something is damaged: that game is told of, and every other one is judged."""

import asyncio
import json
from pathlib import Path

import pytest
from tests.cli.commands import is_one_sentence, meldlog, write_log
from tests.support.archives import finished
from tests.support.servers import embedded_server
from tests.support.tamper import edited

from meldlog_service.store.archive import names
from meldlog_service.store.redis_streams.keys import keys_of
from meldlog_service.store.redis_streams.store import RedisStreams


def audited(*arguments: str | Path, home: Path) -> tuple[int, dict[str, dict[str, object]]]:
    """The exit status, and what was found by game."""
    done = meldlog("audit", *arguments, "--json", home=home)
    assert done.stderr == ""
    return done.returncode, {found["game"]: found for found in map(json.loads, done.stdout.splitlines())}


def verdicts(found: dict[str, dict[str, object]]) -> dict[str, object]:
    """By game."""
    return {game: one["verdict"] for game, one in found.items()}


@pytest.fixture
def archived(data: Path, tmp_path: Path) -> Path:
    """The data folder when the three games that are over are in its archive."""
    assert meldlog("archive", "--older-than", "0s", "--data-dir", data, home=tmp_path).returncode == 0
    return data


@pytest.mark.parametrize("name", [names.log_name("g2"), names.entry_name("g2")])
def test_a_damaged_archive_stops_no_audit(archived: Path, tmp_path: Path, name: str) -> None:
    """Neither its logs nor its index: the game differs, the others are judged, and the status says so."""
    file, state = archived / "archive" / name, tmp_path / "state"
    before = file.read_bytes()
    file.write_bytes(before[:-30])
    arguments = ("--all", "--data-dir", archived, "--resume", state)

    status, found = audited(*arguments, home=tmp_path)

    assert status == 1
    assert verdicts(found) == {"g1": "agrees", "g2": "differs", "g3": "agrees", "playing": "agrees"}
    assert found["g2"]["version"] == 1
    for_people = meldlog("audit", "--all", "--data-dir", archived, home=tmp_path)
    assert for_people.returncode == 1
    assert "  differs: log: the archived log of game g2 is damaged: " in for_people.stdout
    assert for_people.stdout.endswith("4 games: 3 agree\n       1  differs: log\n")

    # Put right again from a copy, it is judged: what could not be read is not kept as if it had been.
    file.write_bytes(before)
    status, found = audited(*arguments, home=tmp_path)
    assert (status, set(verdicts(found).values())) == (0, {"agrees"})


def test_a_later_release_s_archive_cannot_be_judged(archived: Path, tmp_path: Path) -> None:
    """That is no fault of the log."""
    file = archived / "archive" / names.entry_name("g2")
    file.write_bytes(file.read_bytes().replace(b'"layout":1', b'"layout":2'))
    status, found = audited("--all", "--data-dir", archived, home=tmp_path)
    assert (status, found["g2"]["verdict"]) == (1, "cannot_judge")
    assert len(found) == 4


def test_an_archive_that_cannot_be_read_is_told_game_by_game(archived: Path, tmp_path: Path) -> None:
    """What is in the store is judged all the same."""
    nowhere = tmp_path / "file"
    nowhere.write_text("I am no folder")
    status, found = audited("--all", "--data-dir", archived, "--archive-url", str(nowhere), home=tmp_path)
    assert status == 1
    assert verdicts(found) == dict.fromkeys(("g1", "g2", "g3"), "cannot_judge") | {"playing": "agrees"}


def test_a_gap_in_a_stream_stops_no_audit(data: Path, tmp_path: Path) -> None:
    """It is told at the version that is not there."""

    async def lose(url: str) -> None:
        store = RedisStreams(url)
        keys = keys_of("g2")
        assert await store._servers.ask(keys.partition, "XDEL", keys.log, "7-0") == 1
        await store.close()

    with embedded_server(data) as server:
        asyncio.run(lose(server.url))
    status, found = audited("--all", "--data-dir", data, home=tmp_path)
    assert status == 1
    assert verdicts(found) == {"g1": "agrees", "g2": "differs", "g3": "agrees", "playing": "agrees"}
    assert found["g2"]["version"] == 7


def test_a_game_that_is_not_there_is_told_before_any_is_judged(data: Path, tmp_path: Path) -> None:
    """The command was used wrongly; nobody has to look for that behind an hour's work."""
    done = meldlog("audit", "g1", "nobody", "--data-dir", data, home=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert is_one_sentence(done.stderr)


def test_what_is_no_file_in_a_folder_of_logs_stops_no_audit(tmp_path: Path) -> None:
    """A link to nowhere, a folder that is called like a log, and a line that no reader can make sense of."""
    folder = tmp_path / "logs"
    folder.mkdir()
    lines = finished().lines
    for number in range(4):
        write_log(folder / f"{number}.ndjson", lines)
    (folder / "folder.ndjson").mkdir()
    (folder / "link.ndjson").symlink_to("nowhere")
    write_log(folder / "nonsense.ndjson", [b'{"schema":0,"version":1}'])
    write_log(folder / "time.ndjson", edited(lines, 9, lambda commit: commit.update(at="soon")))
    state = tmp_path / "state"
    for _ in range(2):
        status, found = audited(folder, "--resume", state, home=tmp_path)
        assert status == 1
        assert {Path(game).stem: verdict for game, verdict in verdicts(found).items()} == {
            **dict.fromkeys("0123", "agrees"),
            "folder": "cannot_judge",
            "link": "cannot_judge",
            "nonsense": "differs",
            "time": "differs",
        }
