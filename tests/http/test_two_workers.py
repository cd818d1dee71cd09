"""Two services on one store, as two workers are: neither knows of the other, and neither shows it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path

import pytest
from tests.http.listening import listening
from tests.http.playing import OPERATOR, SHORT, Game, Json, assert_problem
from tests.http.serving import Served, served
from tests.support.servers import embedded_server

from meldlog_service.store.redis_streams import RedisStreams

Workers = tuple[Served, Served]
DRAW: Json = {"type": "draw", "source": "stock"}


@contextmanager
def embedded(folder: Path) -> Iterator[Workers]:
    """Both on the server that `meldlog serve` starts."""
    with (
        embedded_server(folder) as server,
        served(store=lambda: RedisStreams(server.url)) as one,
        served(store=lambda: RedisStreams(server.url)) as other,
    ):
        yield one, other


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workers]:
    """Two workers on an embedded store."""
    with embedded(tmp_path_factory.mktemp("workers")) as pair:
        yield pair


@contextmanager
def at_both(workers: Workers, **more: object) -> Iterator[tuple[Game, Game]]:
    """A game made through the first worker, and the same game through the second."""
    one, other = workers
    with Game(one, **more) as here, other.client() as client:  # type: ignore[arg-type]
        yield here, here.through(client)


def test_a_listener_at_one_worker_sees_what_the_other_writes(workers: Workers) -> None:
    """Every version, in order, exactly once."""
    with (
        at_both(workers) as (here, there),
        workers[1].client() as client,
        listening(client, there.path) as events,
    ):
        first = here.table()["version"]
        seen = [event.commit["version"] for event in islice(events, first)]
        for _ in range(30):
            (here if len(seen) % 2 else there).play(1, seed=len(seen))
            seen += [event.commit["version"] for event in islice(events, 1)]

    assert seen == list(range(1, first + 31))


def test_a_seat_taken_through_one_worker_plays_through_the_other(workers: Workers) -> None:
    """Though the other knew the game before the seat was taken."""
    with at_both(workers, seats=3, bots={2: "plain"}, start=False) as (here, there):
        assert there.table()["version"] == here.table()["version"]
        assert there.send("host", DRAW).status_code == 403  # now its cache knows the game
        here.delete("host", 2)
        taken = here.post("spectator", "/seats", {"name": "Ann"})
        there.tokens[2] = here.tokens[2] = taken.json()["seat_token"]
        assert here.send("host", {"type": "start_game"}).status_code == 200
        there.until("draw")
        while there.on_turn() != 2:
            there.play(1)
        there.until("draw")

        assert there.send(there.on_turn(), DRAW).status_code == 200


def test_a_command_may_be_sent_again_to_another_worker(workers: Workers) -> None:
    """It has been played once, and both give the same answer."""
    with at_both(workers) as (here, there):
        here.until("draw")
        seat = here.on_turn()
        headers = {"Idempotency-Key": "again"}
        first = here.send(seat, DRAW, headers=headers)
        second = there.send(seat, DRAW, headers=headers)

        assert second.json() == {**first.json(), "replayed": True}


def test_of_two_players_at_two_workers_one_is_first(workers: Workers) -> None:
    """Each command is played once, whoever races for it; the log stays whole."""
    with at_both(workers, house_rules=SHORT) as (here, there), ThreadPoolExecutor(8) as pool:
        for number in count():
            table = here.table()
            if table["status"] != "playing" or number == 25:
                break
            seat = table["deal"]["turn"]
            move = here.moves(seat)[0]
            places = [here, there] * 4
            answers = list(pool.map(lambda place, s=seat, m=move: place.send(s, m), places))
            assert sum(answer.status_code == 200 for answer in answers) == 1
            assert {answer.status_code for answer in answers} <= {200, 409, 422}
        assert here.table(OPERATOR) == there.table(OPERATOR)
        assert here.get(OPERATOR, "/audit").json()["verdict"] == "agrees"


def test_bots_play_on_whichever_worker_runs_them(workers: Workers) -> None:
    """Two workers that both want to move the same bots end one game, not two."""
    with at_both(workers, seats=3, bots=dict.fromkeys(range(3), "plain"), house_rules=SHORT) as (here, there):
        assert workers[0].until(lambda: there.table()["status"] == "finished")
        assert here.get(path="/audit").json()["verdict"] == "agrees"


def test_a_token_that_was_given_up_opens_nothing_at_the_other_worker(workers: Workers) -> None:
    """Reading is always from the store."""
    with at_both(workers) as (here, there):
        assert there.get(0, "/moves").status_code == 200
        here.delete(0, 0)

        assert_problem(there.get(0, "/moves"), 401, "unauthenticated")
        assert_problem(there.get(0), 401, "unauthenticated")
