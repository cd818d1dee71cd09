"""The log as a page, as lines, and live."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import AsyncIterator
from itertools import islice

import httpx
import pytest
from tests.http.conftest import LogLines, MakeGame
from tests.http.listening import listening
from tests.http.playing import HOST, OPERATOR, SHORT, SPECTATOR, Game, Json, assert_problem
from tests.http.serving import Served, served

from meldlog_contracts.events import Commit
from meldlog_service.app.handler import Handler
from meldlog_service.core import chain
from meldlog_service.core.evolve import Corrupt

LINES = {"Accept": "application/x-ndjson"}
LIVE = {"Accept": "text/event-stream"}


def lines(game: Game, who: int | str = SPECTATOR, **params: object) -> list[Json]:
    """The log as somebody gets it, line by line."""
    answer = game.get(who, "/events", headers=LINES, params=params)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


# -- pages -------------------------------------------------------------------------------------------------------------


def test_a_page_leads_to_the_next(game: Game) -> None:
    """`next_cursor` goes into `after`, and is null when there are no more."""
    game.play(8)
    seen: list[int] = []
    after = 0
    while True:
        page = game.get(path="/events", params={"after": after, "limit": 3}).json()
        seen += [commit["version"] for commit in page["items"]]
        assert len(page["items"]) <= 3
        if page["next_cursor"] is None:
            break
        after = page["next_cursor"]

    assert seen == list(range(1, game.table()["version"] + 1))


def test_after_the_last_version_there_is_an_empty_page(game: Game) -> None:
    """Not an error: the next version is not there yet."""
    last = game.table()["version"]
    assert game.get(path="/events", params={"after": last}).json() == {"items": [], "next_cursor": None}


@pytest.mark.parametrize("form", ["application/json", "application/x-ndjson", "text/event-stream"])
def test_nobody_waits_for_what_follows_a_version_that_is_not_there(game: Game, form: str) -> None:
    """404 with the newest version: of a log that came back shorter, a silence for ever would tell nothing."""
    last = game.table()["version"]
    accept = {"Accept": form}
    asked = [game.get(path="/events", headers=accept, params={"after": last + 1})]
    if form == "text/event-stream":
        asked.append(game.get(path="/events", headers={**accept, "Last-Event-ID": str(last + 1)}))
    for answer in asked:
        problem = assert_problem(answer, 404, "not_found")
        assert problem["version"] == last
        assert str(last + 1) in problem["detail"]


# -- lines -------------------------------------------------------------------------------------------------------------


def test_lines_are_the_whole_log_in_canonical_json(game: Game) -> None:
    """The operator's lines are what is stored, byte for byte."""
    game.play(10)
    answer = game.get(OPERATOR, "/events", headers=LINES)

    for version, line in enumerate(answer.text.splitlines(), start=1):
        commit = chain.decode(line)
        assert commit.version == version
        assert chain.canonical(commit).decode() == line
        chain.check_seals(commit)


def test_lines_begin_after_the_version_that_is_known(game: Game) -> None:
    """`?after=`."""
    game.play(5)
    assert [commit["version"] for commit in lines(game, after=4)] == list(
        range(5, game.table()["version"] + 1)
    )
    assert lines(game, after=game.table()["version"]) == []


def test_everybody_computes_the_same_chain(game: Game) -> None:
    """From what each was given, with the secrets of others closed."""
    game.play(20)
    heads = set()
    for who in (SPECTATOR, HOST, 0, 1, 2, OPERATOR):
        prev = chain.genesis(game.game_id)
        for line in game.get(who, "/events", headers=LINES).text.splitlines():
            commit = chain.decode(line)
            assert (commit.prev, chain.hash_of(commit)) == (prev, commit.hash)
            prev = commit.hash
        heads.add(prev)

    assert len(heads) == 1


def test_an_answer_that_cannot_be_ended_does_not_look_ended(
    game: Game, client: httpx.Client, log_lines: LogLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks off, and the log line tells where, but no card."""

    async def damaged(self: Handler, game_id: str, after: int = 0) -> AsyncIterator[Commit]:
        for commit in await self.read(game_id, after, 3):
            yield commit
        raise Corrupt("7H was drawn where 8H lay")

    monkeypatch.setattr(Handler, "scan", damaged)
    monkeypatch.setattr("meldlog_service.http.stream._CHUNK", 1)
    with pytest.raises(httpx.RemoteProtocolError):
        client.get(f"{game.path}/events", headers=LINES)

    [line] = [line for line in log_lines() if line.get("code") == "internal"]
    assert (line["status"], line["level"]) == (200, "error")
    assert "Corrupt" in str(line["where"])
    assert "7H" not in str(log_lines())


# -- live --------------------------------------------------------------------------------------------------------------


def test_a_stream_begins_with_what_was_and_goes_on_with_what_comes(game: Game, client: httpx.Client) -> None:
    """Each commit with its version for `id`."""
    with listening(client, game.path) as events:
        there = game.table()["version"]
        seen = list(islice(events, there))
        game.play(3)
        seen += islice(events, 3)

    assert [event.id for event in seen] == [str(version) for version in range(1, there + 4)]
    assert {event.name for event in seen} == {"commit"}
    assert [event.commit for event in seen] == game.log()


def test_a_stream_shows_what_its_listener_may_see(game: Game, client: httpx.Client) -> None:
    """As every other reading does."""
    version = game.table()["version"]
    for who in (SPECTATOR, 0, OPERATOR):
        with listening(client, game.path, game.headers(who)) as events:
            assert [event.commit for event in islice(events, version)] == game.log(who)


def test_fifty_interruptions_lose_and_repeat_nothing(new_game: MakeGame, client: httpx.Client) -> None:
    """While bots play, the listener hangs up after every few commits and comes back with `Last-Event-ID`."""
    game = new_game(3, bots={0: "plain", 1: "plain", 2: "plain"})
    seen: list[Json] = []
    for number in range(50):
        headers = {"Last-Event-ID": seen[-1]["version"]} if seen else {}
        headers = {name: str(value) for name, value in headers.items()}
        # A browser asks again with the URL it had at first: what it saw last must win over `after`.
        with listening(client, game.path, headers, after=0) as events:
            seen += [event.commit for event in islice(events, 1 + number % 3)]

    assert [commit["version"] for commit in seen] == list(range(1, len(seen) + 1))
    assert seen == game.log()[: len(seen)]


@pytest.mark.parametrize("last", ["x", "-1", "1.5", "9" * 40])
def test_what_is_no_version_resumes_nothing(game: Game, last: str) -> None:
    """422 before the stream begins."""
    answer = game.get(path="/events", headers={**LIVE, "Last-Event-ID": last})

    assert assert_problem(answer, 422, "invalid")["errors"][0]["pointer"] == "/Last-Event-ID"


def test_a_stream_stays_open_when_the_game_is_over(new_game: MakeGame, client: httpx.Client) -> None:
    """Nothing comes any more, and nobody is hung up on."""
    game = new_game(2, house_rules=SHORT)
    for _ in game.commands():
        pass
    last = game.table()["version"]
    patience = httpx.Timeout(5, read=0.3)
    parts: list[str] = []
    with client.stream("GET", f"{game.path}/events", headers=LIVE, timeout=patience) as answer:
        arriving = answer.iter_text()
        with pytest.raises(httpx.ReadTimeout):
            parts.extend(arriving)
    text = "".join(parts)

    assert f"id: {last}\n" in text
    assert '"type":"game_ended"' in text


def test_a_stream_ends_when_its_token_comes_to_mean_something_else(game: Game, client: httpx.Client) -> None:
    """Whoever handed the seat over sees that seat's cards no longer."""
    version = game.table()["version"]
    with listening(client, game.path, game.headers(0), after=version) as events:
        assert game.delete(0, 0).status_code == 200
        seen = [event.commit["command"]["type"] for event in events]

    assert seen == ["hand_over_seat"]
    assert_problem(game.get(0, "/events", headers=LIVE), 401, "unauthenticated")


def test_streams_of_others_go_on_when_a_seat_is_handed_over(game: Game, client: httpx.Client) -> None:
    """Their tokens mean what they meant."""
    version = game.table()["version"]
    for who in (SPECTATOR, 1, OPERATOR):
        with listening(client, game.path, game.headers(who), after=version) as events:
            if who == SPECTATOR:
                assert game.delete(0, 0).status_code == 200
            assert next(events).commit["command"]["type"] == "hand_over_seat"
            assert game.send(OPERATOR, {"type": "resign", "seat": 2}).status_code in (200, 422)
            assert next(events).commit["version"] == version + 2


def test_a_silent_stream_says_that_it_is_alive(
    game: Game, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With comments, which no listener takes for events."""
    monkeypatch.setattr("meldlog_service.http.stream.KEEP_ALIVE_SECONDS", 0.05)
    last = game.table()["version"]
    with client.stream("GET", f"{game.path}/events", headers=LIVE, params={"after": last}) as answer:
        text = ""
        for part in answer.iter_text():
            text += part
            if text.count(": keep-alive\n\n") == 3:
                break

    assert text.startswith("retry: ")


def test_a_worker_holds_no_more_streams_than_it_may() -> None:
    """One more is refused with `Retry-After`; when one is closed there is room again."""
    with (
        served(streams=1) as server,
        server.client() as client,
        server.client() as other,
        Game(server) as game,
    ):
        with listening(client, game.path) as events:
            next(events)
            answer = other.get(f"{game.path}/events", headers=LIVE)
            assert_problem(answer, 503, "too_many_streams")
            assert answer.headers["retry-after"] == "1"
            assert b"meldlog_open_streams 1.0" in other.get("/metrics").content
        assert closed(server)
        with listening(other, game.path) as events:
            next(events)


def closed(server: Served) -> bool:
    """Whether the service noticed that nobody listens any more; waits for it a little."""
    return server.until(lambda: b"meldlog_open_streams 0.0" in server.service.metrics.exposition())


def test_when_the_service_stops_streams_end_at_once() -> None:
    """And orderly: the listener sees the end of the answer and comes back to whoever takes over."""
    with (
        served(shutdown_grace=15) as stopping,
        stopping.client() as client,
        Game(stopping) as game,
        listening(client, game.path) as events,
    ):
        next(events)
        stopping.server.should_exit = True
        begun = time.monotonic()
        assert {event.name for event in events} <= {"commit"}
        assert time.monotonic() - begun < 5


@pytest.mark.parametrize("accept", [LIVE, LINES])
def test_a_slow_reader_holds_only_what_is_on_its_way(
    accept: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever does not read is not read for: the log waits in the store, not in memory."""
    sent: list[object] = []
    as_it_is = Handler.sent

    async def counted(handler: Handler, game_id: str, commit: Commit) -> bytes:
        sent.append(commit)
        return await as_it_is(handler, game_id, commit)

    monkeypatch.setattr(Handler, "sent", counted)
    with served(send_buffer=4096) as server, Game(server, 4, bots=dict.fromkeys(range(4), "random")) as game:
        assert server.until(lambda: game.table()["version"] > 600)
        last = game.table()["version"]
        with socket.create_connection(("127.0.0.1", server.port)) as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.sendall(
                f"GET {game.path}/events HTTP/1.1\r\nHost: test\r\nAccept: {accept['Accept']}\r\n\r\n".encode()
            )
            assert server.until(lambda: len(sent) > 0)
            seen = -1
            while seen != (seen := len(sent)):
                game.table()  # meanwhile everybody else is answered
                time.sleep(0.05)

    assert len(sent) < last / 2
