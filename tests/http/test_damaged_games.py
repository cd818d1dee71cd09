"""A log that is damaged hides no other game, and the operator can have it audited."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from tests.http.playing import OPERATOR, SHORT, SPECTATOR, Game, assert_problem
from tests.http.serving import OPERATOR_TOKEN, served
from tests.support.archives import with_archive

from meldlog_service.app.archiving import Archiver
from meldlog_service.store.archive import names
from meldlog_service.store.archive.archive import Archive
from meldlog_service.store.archive.folder import Folder
from meldlog_service.store.memory import MemoryStore, Shelf


def test_a_damaged_log_is_audited_and_the_list_shows_the_others() -> None:
    """Its table cannot be shown; why not is told to the operator."""
    shelf = Shelf()
    with (
        served(store=lambda: MemoryStore(shelf)) as first,
        Game(first, 2) as damaged,
        Game(first, 2) as whole,
    ):
        log = shelf.logs[damaged.game_id]
        changed = msgspec.json.decode(log[2])
        changed["at"] = "2020-01-01T00:00:00.000Z"
        log[2] = msgspec.json.encode(changed, order="sorted")
        # A worker that has not read the games yet.
        with served(store=lambda: MemoryStore(shelf)) as other, other.client() as client:
            game = damaged.through(client)
            assert_problem(game.get(OPERATOR), 500, "internal")
            report = game.get(OPERATOR, "/audit").json()
            assert (report["verdict"], report["version"]) == ("differs", 3)
            assert_problem(game.get(SPECTATOR, "/audit"), 500, "internal")
            listed = client.get("/v1/games").json()["items"]
            assert [game["game_id"] for game in listed] == [whole.game_id]


@pytest.mark.parametrize("of", [names.log_name, names.entry_name])
def test_a_damaged_archive_is_told_by_an_audit(tmp_path: Path, of: Callable[[str], str]) -> None:
    """Of the log or of its entry; the other games are listed."""
    shelf, folder = Shelf(), Folder(tmp_path)
    with (
        served(store=lambda: MemoryStore(shelf), archive=Archive(folder)) as first,
        Game(first, 2, house_rules=SHORT) as damaged,
        Game(first, 2) as whole,
    ):
        damaged.play(10_000)
        asyncio.run(Archiver(with_archive(MemoryStore(shelf), folder)).archive(damaged.game_id))
        file = tmp_path / of(damaged.game_id)
        file.write_bytes(file.read_bytes()[:-30])
        with (
            served(store=lambda: MemoryStore(shelf), archive=Archive(folder)) as other,
            other.client(OPERATOR_TOKEN) as client,
        ):
            report = client.get(f"{damaged.path}/audit").json()
            assert (report["verdict"], report["version"]) == ("differs", 1)
            log = next(check for check in report["checks"] if check["name"] == "log")
            assert log["detail"].startswith(f"the archived log of game {damaged.game_id} is damaged")
            answer = client.get("/v1/games")
            assert answer.status_code == 200
            assert whole.game_id in {game["game_id"] for game in answer.json()["items"]}
            assert_problem(client.get("/v1/games/nobody/audit"), 404, "not_found")
