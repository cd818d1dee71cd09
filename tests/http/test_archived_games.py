"""A game in the archive answers every route as before, at every worker; what would write answers 409 `archived`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import httpx
import pytest
from tests.http.listening import listening
from tests.http.playing import HOST, OPERATOR, SHORT, SPECTATOR, Game, Json, Who, assert_problem
from tests.http.serving import Served, served
from tests.support.archives import with_archive

from meldlog_service.app.archiving import Archiver
from meldlog_service.store.archive.archive import Archive
from meldlog_service.store.archive.folder import Folder
from meldlog_service.store.memory import MemoryStore, Shelf

VIEWERS: tuple[Who, ...] = (SPECTATOR, 0, 1, HOST, OPERATOR)
RESIGN: Json = {"type": "resign"}
LINES = {"Accept": "application/x-ndjson"}


class Place:
    """Two workers that share a store and an archive, and somebody who moves games."""

    def __init__(self, one: Served, other: Served, shelf: Shelf, folder: Folder) -> None:
        self.workers = (one, other)
        self.shelf = shelf
        self._folder = folder

    def archive(self, game: Game) -> None:
        """Move a game to the archive, as `meldlog archive` does beside a service that runs."""
        asyncio.run(self._archiver().archive(game.game_id))
        assert game.game_id not in self.shelf.logs

    def restore(self, game: Game) -> None:
        """Bring it back."""
        asyncio.run(self._archiver().restore(game.game_id))

    def _archiver(self) -> Archiver:
        return Archiver(with_archive(MemoryStore(self.shelf), self._folder))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Empty at first."""
    shelf, folder = Shelf(), Folder(tmp_path_factory.mktemp("archive"))
    with (
        served(store=lambda: MemoryStore(shelf), archive=Archive(folder)) as one,
        served(store=lambda: MemoryStore(shelf), archive=Archive(folder)) as other,
    ):
        yield Place(one, other, shelf, folder)


@pytest.fixture
def finished(place: Place) -> Iterator[Game]:
    """A game of two players that is over, played through the first worker."""
    with Game(place.workers[0], 2, house_rules=SHORT) as game:
        game.play(10_000)
        assert game.table()["status"] == "finished"
        yield game


def answers(game: Game) -> list[tuple[int, object]]:
    """What every viewer is told at every route that reads."""
    version = game.table()["version"]
    asked = [
        game.get(who, path, headers=headers)
        for who in VIEWERS
        for path, headers in (
            ("", {}),
            (f"?at={version // 2}", {}),
            ("?at=99999", {}),
            ("/events", {}),
            ("/events?after=5&limit=3", {}),
            ("/events?after=3", LINES),
            ("/events", LINES),
            ("/moves", {}),
            ("/audit", {}),
        )
    ]
    return [(answer.status_code, told(answer)) for answer in asked]


def told(answer: httpx.Response) -> object:
    """The body, without what is new in every request."""
    if answer.headers["content-type"] not in {"application/json", "application/problem+json"}:
        return answer.text
    return {name: value for name, value in answer.json().items() if name != "request_id"}


def test_every_route_that_reads_answers_as_before(place: Place, finished: Game) -> None:
    """At the worker that knows the game, and at the one that never heard of it."""
    before = answers(finished)
    place.archive(finished)
    for worker in place.workers:
        with worker.client() as client:
            assert answers(finished.through(client)) == before


def test_a_live_stream_gives_the_whole_log_and_resumes(place: Place, finished: Game) -> None:
    """It stays open, as that of any game that is over: a browser would come back at once to one that ends."""
    version = finished.table()["version"]
    place.archive(finished)
    with place.workers[1].client() as client:
        with listening(client, finished.path) as events:
            assert [int(event.id) for event in islice(events, version)] == list(range(1, version + 1))
        with listening(client, finished.path, {"Last-Event-ID": str(version - 2)}) as events:
            assert [int(event.id) for event in islice(events, 2)] == [version - 1, version]


def test_the_list_shows_archived_games_in_their_places(place: Place) -> None:
    """Newest first, whatever is where; each once, on whatever page."""
    games = []
    for _ in range(4):
        with Game(place.workers[0], 2, house_rules=SHORT) as game:
            game.play(10_000)
            games.append(game)
    with place.workers[1].client() as client:
        before = client.get("/v1/games", params={"status": "finished", "limit": 4}).json()
        assert [item["game_id"] for item in before["items"]] == [game.game_id for game in reversed(games)]
        for game in games[::2]:
            place.archive(game)
        assert client.get("/v1/games", params={"status": "finished", "limit": 4}).json() == before
        pages: list[Json] = []
        cursor: Json = {}
        for _ in games:
            page = client.get("/v1/games", params={"status": "finished", "limit": 1, **cursor}).json()
            pages += page["items"]
            cursor = {"cursor": page["next_cursor"]}
        assert pages == before["items"]


@pytest.mark.parametrize(
    ("who", "path", "body"),
    [
        (0, "/commands", RESIGN),
        (HOST, "/commands", {"type": "start_game"}),
        (OPERATOR, "/commands", {**RESIGN, "seat": 0}),
        (0, "/commands", {"commands": [RESIGN]}),
        (0, "/commands?dry_run=true", RESIGN),
        (SPECTATOR, "/seats", {"name": "Late"}),
        (SPECTATOR, "/seats", {"name": "Late", "seat": 1}),
        (HOST, "/seats", {"bot": "plain"}),
        (HOST, "/seats", {"bot": "plain", "seat": 1}),
    ],
)
def test_whatever_would_write_answers_archived(
    place: Place, finished: Game, who: Who, path: str, body: Json
) -> None:
    """At both workers; nothing is stored."""
    version = finished.table()["version"]
    place.archive(finished)
    for worker in place.workers:
        with worker.client() as client:
            game = finished.through(client)
            assert_problem(game.post(who, path, body), 409, "archived")
            assert game.post(who, path, body).json()["version"] == version
    assert finished.game_id not in place.shelf.logs


def test_a_seat_of_an_archived_game_is_not_left(place: Place, finished: Game) -> None:
    """It would be a command."""
    place.archive(finished)
    assert_problem(finished.delete(0, 0), 409, "archived")


def test_whoever_may_not_write_is_told_that(place: Place, finished: Game) -> None:
    """Before anything about the archive."""
    place.archive(finished)
    assert_problem(finished.send(SPECTATOR, RESIGN), 401, "unauthenticated")
    assert_problem(finished.send(0, RESIGN, headers={"If-Match": '"3"'}), 412, "stale_version")


def test_a_retry_of_the_last_command_is_answered_from_the_archive(place: Place) -> None:
    """A lost answer is given again, wherever the log is by then."""

    def again(game: Game) -> httpx.Response:
        """The last move of the game, under the version that it was meant for."""
        return game.send(seat, move, headers={"Idempotency-Key": str(version)})

    seat, move, version = 0, RESIGN, 0
    with Game(place.workers[0], 2, house_rules=SHORT) as game:
        while (table := game.table())["status"] == "playing":
            seat, version = table["deal"]["turn"], table["version"]
            move = game.moves(seat)[-1]
            assert again(game).status_code == 200
        place.archive(game)
        for worker in place.workers:
            with worker.client() as client:
                answer = again(game.through(client))
                assert answer.status_code == 200, answer.text
                assert answer.json()["version"] == table["version"] == version + 1
                assert answer.json()["replayed"]
                assert answer.headers["Idempotent-Replayed"] == "true"


def test_a_restored_game_answers_as_before(place: Place, finished: Game) -> None:
    """Writing to it is refused by the rules again."""
    before = answers(finished)
    place.archive(finished)
    place.restore(finished)
    for worker in place.workers:
        with worker.client() as client:
            game = finished.through(client)
            assert answers(game) == before
            assert_problem(game.send(0, RESIGN), 409, "game_over")


def test_a_service_archives_by_itself_what_is_old_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here everything that is over, and at once; what is played stays."""
    monkeypatch.setattr(Archiver.run, "__kwdefaults__", {"every": 0.01, "soon": 0.01})
    shelf = Shelf()
    archive = Archive(Folder(tmp_path))
    with (
        served(store=lambda: MemoryStore(shelf), archive=archive, archive_after="0s") as running,
        Game(running, 2, house_rules=SHORT) as over,
        Game(running, 2) as played,
    ):
        over.play(10_000)
        assert running.until(lambda: over.game_id not in shelf.logs)
        assert over.table()["status"] == "finished"
        assert_problem(over.send(0, RESIGN), 409, "archived")
        assert list(shelf.logs) == [played.game_id]
        with running.client() as client:
            numbers = client.get("/metrics").text
    assert 'meldlog_archive_moves_total{outcome="archived"} 1.0' in numbers
