"""Forks and imports attacked, on two workers and a real store: at once, tampered with, cut, and by old tokens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from tests.http.playing import SHORT, SPECTATOR, Game, Json, assert_problem
from tests.http.serving import OPERATOR_TOKEN, Served, served
from tests.support.forgeries import forgeries
from tests.support.servers import embedded_server
from tests.support.short_games import short_game

from meldlog_service.app.archiving import Archiver
from meldlog_service.store.archive.archive import Archive
from meldlog_service.store.archive.folder import Folder
from meldlog_service.store.archive.store import ArchivedStore
from meldlog_service.store.redis_streams import RedisStreams

LINES = {"Accept": "application/x-ndjson"}
NDJSON = {"Content-Type": "application/x-ndjson"}
AT_ONCE = 8
FORGED = "crazy-rummy"


class Place:
    """Two workers on one store and one archive."""

    def __init__(self, url: str, folder: Path, workers: tuple[Served, Served]) -> None:
        self.workers = workers
        self._url = url
        self._folder = folder

    def archive(self, game_id: str) -> None:
        """Move a game to the archive."""

        async def move() -> None:
            live = RedisStreams(self._url)
            await Archiver(ArchivedStore(live, Archive(Folder(self._folder)))).archive(game_id)
            await live.close()

        asyncio.run(move())


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Empty at first."""
    folder = tmp_path_factory.mktemp("archive")
    with (
        embedded_server(tmp_path_factory.mktemp("store")) as server,
        served(store=lambda: RedisStreams(server.url), archive=Archive(Folder(folder))) as one,
        served(store=lambda: RedisStreams(server.url), archive=Archive(Folder(folder))) as other,
    ):
        yield Place(server.url, folder, (one, other))


@pytest.fixture
def operators(place: Place) -> Iterator[tuple[httpx.Client, httpx.Client]]:
    """The operator, at either worker."""
    with place.workers[0].client(OPERATOR_TOKEN) as one, place.workers[1].client(OPERATOR_TOKEN) as other:
        yield one, other


@pytest.fixture
def finished(place: Place) -> Iterator[Game]:
    """A game of two players that is over."""
    with Game(place.workers[0], 2, house_rules=SHORT) as game:
        game.play(10_000)
        yield game


def log_of(client: httpx.Client, path: str) -> list[bytes]:
    """What an operator exports."""
    return client.get(f"{path}/events", headers=LINES).content.splitlines()


def imported(client: httpx.Client, lines: list[bytes]) -> httpx.Response:
    """What a service says to a log."""
    return client.post("/v1/games/import", content=b"".join(b"%b\n" % line for line in lines), headers=NDJSON)


def forked(client: httpx.Client, path: str, at: int) -> httpx.Response:
    """What a service says to being asked for a fork."""
    return client.post(f"{path}/fork", json={"at": at})


def games(client: httpx.Client) -> int:
    """How many there are."""
    found, cursor = 0, dict[str, str]()
    while True:
        page = client.get("/v1/games", params={"limit": 100, **cursor}).json()
        found += len(page["items"])
        if page["next_cursor"] is None:
            return found
        cursor = {"cursor": page["next_cursor"]}


Operators = tuple[httpx.Client, httpx.Client]


def test_a_log_that_is_imported_by_many_at_once_is_one_game(operators: Operators, finished: Game) -> None:
    """At both workers: one of them begins it, the others are told which it is."""
    lines = log_of(operators[0], finished.path)
    before = games(operators[0])
    with ThreadPoolExecutor(AT_ONCE) as threads:
        answers = list(threads.map(lambda number: imported(operators[number % 2], lines), range(AT_ONCE)))
    (begun,) = (answer.json() for answer in answers if answer.status_code == 201)
    for answer in answers:
        if answer.status_code != 201:
            assert begun["game_id"] in assert_problem(answer, 409, "game_exists")["detail"]
    assert games(operators[1]) == before + 1
    path = f"/v1/games/{begun['game_id']}"
    assert log_of(operators[1], path)[:-1] == lines
    assert operators[1].get(f"{path}/audit").json()["verdict"] == "agrees"


def test_many_forks_at_once_are_as_many_games(operators: Operators, finished: Game) -> None:
    """Each with tokens of its own that open no other, and a past that is the same."""
    lines = log_of(operators[0], finished.path)
    at = len(lines) // 2
    with ThreadPoolExecutor(AT_ONCE) as threads:
        answers = list(threads.map(lambda n: forked(operators[n % 2], finished.path, at), range(AT_ONCE)))
    begun = [answer.json() for answer in answers]
    assert {answer.status_code for answer in answers} == {201}
    assert len({one["game_id"] for one in begun}) == AT_ONCE
    tokens = [token for one in begun for token in (one["host_token"], *one["seat_tokens"].values())]
    assert len(set(tokens)) == 3 * AT_ONCE
    for one in begun:
        assert log_of(operators[1], f"/v1/games/{one['game_id']}")[:-1] == lines[:at]
    stranger = {"Authorization": f"Bearer {begun[0]['seat_tokens']['0']}"}
    answer = operators[0].get(f"/v1/games/{begun[1]['game_id']}", headers=stranger)
    assert_problem(answer, 401, "unauthenticated")


def test_forks_of_whatever_there_is(place: Place, operators: Operators, finished: Game) -> None:
    """Of an archived game, of the fork, of an imported game, and of the fork of that: each goes on and audits clean."""
    one, other = operators
    lines = log_of(one, finished.path)
    place.archive(finished.game_id)
    path, last = finished.path, len(lines)
    assert_problem(forked(one, path, last), 409, "game_over")
    for client in (one, other):
        answer = forked(client, path, last - 1)
        assert answer.status_code == 201, answer.text
        path, last = f"/v1/games/{answer.json()['game_id']}", last + 1
        assert other.get(f"{path}/audit").json()["verdict"] == "agrees"
        assert_problem(forked(client, path, 0), 422, "invalid")
        assert_problem(forked(client, path, last + 1), 404, "not_found")
        answer = imported(other, log_of(one, path))
        assert answer.status_code == 201, answer.text
        path, last = f"/v1/games/{answer.json()['game_id']}", last + 1
        report = one.get(f"{path}/audit").json()
        assert (report["verdict"], report["version"]) == ("agrees", answer.json()["version"])
        last = answer.json()["version"] + 1


def test_a_fork_shows_nobody_more_of_its_past_than_they_saw(place: Place, operators: Operators) -> None:
    """At every version, in every route: what anybody is shown in the fork, they were shown before."""
    with Game(place.workers[0], 3) as game:
        game.play(25)
        at = game.table()["version"]
        begun = forked(operators[0], game.path, at).json()
        fork = game.through(game._client)
        fork.game_id, fork.path = begun["game_id"], f"/v1/games/{begun['game_id']}"
        fork.tokens |= {int(seat): token for seat, token in begun["seat_tokens"].items()}
        for who in (SPECTATOR, 0, 1, 2):
            assert fork.log(who)[:at] == game.log(who)
            assert known(fork, who, at) == known(game, who, at)
            for version in range(1, at + 1):
                shown, was = (one.table(who, at=version) for one in (fork, game))
                assert shown["seats"] == was["seats"]
                assert shown["deal"] == was["deal"]
        # What was forked shows itself openly to everybody when it is over, as every game does; the old one stays shut.
        fork.play(10_000)
        assert fork.table()["status"] == "finished"
        for who in (SPECTATOR, 0, 1, 2):
            table = game.table(who)
            assert [seat["seat"] for seat in table["seats"] if "hand" in seat] == (
                [] if who == SPECTATOR else [who]
            )


def known(game: Game, who: int | str, at: int) -> Json:
    """Who knew what, as somebody is told it."""
    answer: Json = game.get(who, f"/knowledge?at={at}").json()
    return {name: value for name, value in answer.items() if name not in {"request_id", "game_id", "version"}}


def test_an_unlisted_game_is_forked_and_imported_unlisted(place: Place, operators: Operators) -> None:
    """Whoever could not look at the old one cannot look at the new ones."""
    with Game(place.workers[0], 2, listed=False) as game:
        lines = log_of(operators[0], game.path)
        for answer in (forked(operators[0], game.path, 3), imported(operators[1], lines)):
            assert answer.status_code == 201
            with place.workers[1].client() as nobody:
                assert_problem(nobody.get(f"/v1/games/{answer.json()['game_id']}"), 404, "not_found")


def test_every_forgery_that_an_audit_finds_is_refused(operators: Operators) -> None:
    """At its version, and nothing of it is kept; what an audit cannot find is taken for what it says it is."""
    before = games(operators[0])
    taken, refused = set(), 0
    for number, forgery in enumerate(one for one in forgeries(FORGED) if not one.kind.redacted):
        answer = imported(operators[number % 2], list(forgery.lines))
        if answer.status_code == 201:
            taken.add(forgery.kind.what)
            assert forgery.kind.audit is None
        elif answer.json()["code"] == "game_exists":
            taken.add(forgery.kind.what)
        else:
            refused += 1
            assert answer.json()["code"] in {"log_refused", "plugin_unavailable"}, answer.text
            told = json.loads(forgery.lines[forgery.version - 1])["version"]
            assert answer.json().get("version") in {forgery.version, told, None}, (forgery, answer.text)
    assert refused > 50
    assert games(operators[0]) == before + len(taken)


@pytest.mark.parametrize("end", [1, 2, 9, 40])
def test_a_log_that_was_cut_is_a_game_that_goes_on(operators: Operators, end: int) -> None:
    """Between two lines; cut in the midst of a line it is none."""
    lines = list(short_game(FORGED).lines)[:end]
    answer = imported(operators[0], lines)
    assert answer.status_code == 201, answer.text
    assert answer.json()["version"] == end + 1
    cut = [*lines[:-1], lines[-1][:-9]]
    assert_problem(imported(operators[0], cut), 422, "log_refused")
    assert imported(operators[0], cut).json()["version"] == end


def test_a_log_of_another_name_is_refused(operators: Operators) -> None:
    """The game's id is what the first commit is linked to."""
    lines = list(short_game(FORGED).lines)
    first = json.loads(lines[0])
    assert first["command"]["game_id"]
    renamed = lines[0].replace(first["command"]["game_id"].encode(), b"another")
    answer = imported(operators[0], [renamed, *lines[1:]])
    assert assert_problem(answer, 422, "log_refused")["version"] == 1


def test_an_enormous_log_is_refused_and_the_service_goes_on(operators: Operators) -> None:
    """More lines than may be sent, one that has no end, and a log of nothing but empty lines."""
    lines = list(short_game(FORGED).lines)

    def endless(piece: bytes) -> Iterator[bytes]:
        for _ in range(40 * 2**20 // len(piece)):
            yield piece

    for piece in (b"x" * 65_536, b"\n" * 65_536, (lines[0] + b"\n") * 64):
        answer = operators[0].post("/v1/games/import", content=endless(piece), headers=NDJSON)
        assert answer.status_code in {413, 422}, answer.text
        assert operators[0].get("/readyz").status_code == 200
