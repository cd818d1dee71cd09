"""What every request has: an id, a log line, a problem when there is one, HEAD, and its share."""

from __future__ import annotations

import asyncio
import socket

import httpx
import pytest
from tests.http.conftest import LogLines, MakeGame
from tests.http.playing import HOST, OPERATOR, Game, assert_problem
from tests.http.serving import PATIENCE, Served, served

from meldlog_service.app.handler import Handler
from meldlog_service.core.evolve import Corrupt
from meldlog_service.http.rate_limit import RateLimiter
from meldlog_service.store.event_store import NotDurable, OutcomeUnknown, StoreUnavailable
from meldlog_service.store.memory import MemoryStore

ROUTES = [
    "/",
    "/docs",
    "/docs/swagger-ui.css",
    "/docs/start.js",
    "/healthz",
    "/readyz",
    "/metrics",
    "/problems",
    "/problems/not_found",
    "/schema/openapi.json",
    "/v1/games",
    "/v1/variants",
    "/v1/variants/crazy-rummy",
    "{game}",
    "{game}/moves",
    "{game}/events",
    "{game}/audit",
]
"""Everything that can be read."""


def ask(game: Game, method: str, path: str, **more: object) -> httpx.Response:
    """A request of the operator."""
    url = path.replace("{game}", game.path)
    params = {"seat": 0} if path.endswith("/moves") else {}
    headers = {**game.headers(OPERATOR), **more.pop("headers", {})}  # type: ignore[dict-item]
    return game._client.request(method, url, params=params, headers=headers, **more)  # type: ignore[arg-type]


# -- ids ---------------------------------------------------------------------------------------------------------------


def test_every_answer_has_an_id_of_its_own(client: httpx.Client) -> None:
    """Errors included."""
    ids = [
        client.get(path).headers["x-request-id"] for path in ("/healthz", "/nowhere", "/v1/games", "/healthz")
    ]

    assert len(set(ids)) == 4


@pytest.mark.parametrize("given", ["a", "trace-7.42_x~", "f" * 128])
def test_a_sane_id_of_the_caller_is_taken_over(client: httpx.Client, given: str) -> None:
    """So that one request can be followed through several services."""
    assert client.get("/healthz", headers={"X-Request-ID": given}).headers["x-request-id"] == given
    assert client.get("/nowhere", headers={"X-Request-ID": given}).json()["request_id"] == given


@pytest.mark.parametrize("given", ["", "two words", "f" * 129, "<script>", "a\tb", "ü"])
def test_any_other_id_is_replaced(client: httpx.Client, given: str) -> None:
    """It would stand in logs and in answers."""
    answer = client.get("/nowhere", headers=[(b"X-Request-ID", given.encode())])

    assert answer.headers["x-request-id"] not in ("", given)
    assert_problem(answer, 404, "not_found")


# -- routes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/nowhere"),
        ("GET", "/v1"),
        ("GET", "/v1/nowhere"),
        ("GET", "/v2/games"),
        ("GET", "/schema"),
        ("GET", "/schema/openapi.yaml"),
        ("GET", "/docs/../../etc/passwd"),
        ("GET", "/docs/%2e%2e%2fsecret"),
        ("GET", "/docs/swagger-ui.js.map"),
        ("GET", "/problems/no_such_problem"),
        ("GET", "/v1/variants/no-such-variant"),
        ("POST", "/v1/games/x/y/commands"),
        ("POST", "/v1/games//commands"),
        ("DELETE", "/v1/games/x/seats/"),
        ("PUT", "/nowhere"),
        ("GET", "/%00"),
        ("GET", "/v1/games/%ff%fe"),
    ],
)
def test_what_is_not_there_is_a_problem(client: httpx.Client, method: str, path: str) -> None:
    """404, whatever the method; a game's commands without an id are no route."""
    answer = client.request(method, path)
    if (method, path) == ("POST", "/v1/games//commands"):
        assert answer.status_code in (404, 405, 415)
        assert answer.headers["content-type"] == "application/problem+json"
    elif answer.status_code == 405:
        assert_problem(answer, 405, "method_not_allowed")
    else:
        assert_problem(answer, 404, "not_found")


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize("method", ["PUT", "PATCH", "TRACE"])
def test_another_method_is_a_problem_that_names_those_there_are(game: Game, method: str, path: str) -> None:
    """405 with `Allow`."""
    answer = ask(game, method, path)

    problem = assert_problem(answer, 405, "method_not_allowed")
    assert "GET" in answer.headers["allow"]
    assert problem["detail"] == f"the methods here are {answer.headers['allow']}"


def test_commands_are_posted(game: Game) -> None:
    """405 for everything else; OPTIONS says so."""
    for method in ("GET", "PUT", "DELETE", "PATCH"):
        answer = ask(game, method, "{game}/commands")
        assert "OPTIONS, POST" in assert_problem(answer, 405, "method_not_allowed")["detail"]
        assert set(answer.headers["allow"].split(", ")) == {"OPTIONS", "POST"}
    assert ask(game, "HEAD", "{game}/commands").status_code == 405
    options = ask(game, "OPTIONS", "{game}/commands")
    assert (options.status_code, options.headers["allow"]) == (204, "OPTIONS, POST")


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/", "GET, HEAD, OPTIONS"),
        ("/v1/games", "GET, HEAD, OPTIONS, POST"),
        ("{game}", "GET, HEAD, OPTIONS"),
        ("{game}/commands", "OPTIONS, POST"),
        ("{game}/seats", "OPTIONS, POST"),
        ("{game}/seats/0", "DELETE, OPTIONS"),
        ("{game}/events", "GET, HEAD, OPTIONS"),
    ],
)
def test_allow_names_every_method_of_a_path(game: Game, path: str, methods: str) -> None:
    """Whoever asks with OPTIONS learns the same as whoever used a wrong method."""
    options, refused = ask(game, "OPTIONS", path), ask(game, "PUT", path)

    assert (options.status_code, options.headers["allow"]) == (204, methods)
    assert (refused.status_code, refused.headers["allow"]) == (405, methods)


@pytest.mark.parametrize("path", ROUTES)
def test_head_is_get_without_the_body(game: Game, path: str) -> None:
    """The same status and the same headers, the length included."""
    varying = {"date", "x-request-id"}
    got, head = ask(game, "GET", path), ask(game, "HEAD", path)

    assert (head.status_code, head.content) == (200, b"")
    if path != "/metrics":
        assert {k: v for k, v in head.headers.items() if k not in varying} == {
            k: v for k, v in got.headers.items() if k not in varying
        }


@pytest.mark.parametrize("accept", ["text/event-stream", "application/x-ndjson"])
def test_head_of_a_stream_does_not_stay(server: Served, game: Game, log_lines: LogLines, accept: str) -> None:
    """It is answered, and over: nothing is amiss, and the connection may be used again."""
    answer = ask(game, "HEAD", "{game}/events", headers={"Accept": accept})

    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"].startswith(accept)
    assert "connection" not in answer.headers
    line_of(answer.headers["x-request-id"], server, log_lines)
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        head = f"HEAD {game.path}/events HTTP/1.1\r\nHost: x\r\nAccept: {accept}\r\n\r\n".encode()
        for _ in range(2):
            connection.sendall(head)
            assert received_head(connection).startswith(b"HTTP/1.1 200")
    assert [line for line in log_lines() if line["level"] != "info"] == []


def received_head(connection: socket.socket) -> bytes:
    """The next answer, which has no body; nothing where the connection ended."""
    received = b""
    while not received.endswith(b"\r\n\r\n") and (part := connection.recv(65_536)):
        received += part
    return received


def test_head_of_what_is_not_there_says_so(client: httpx.Client) -> None:
    """Without a body, as every HEAD."""
    answer = client.head("/nowhere")

    assert (answer.status_code, answer.content) == (404, b"")
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_slash_at_the_end_changes_nothing(game: Game) -> None:
    """Also where the router is passed by."""
    assert ask(game, "GET", "{game}/").status_code == 200
    answer = ask(game, "POST", "{game}/commands/", json={"type": "draw", "source": "moon"})
    assert_problem(answer, 422, "invalid")


@pytest.mark.parametrize(
    ("path", "forms"),
    [
        ("/v1/games", ["application/json"]),
        ("/v1/variants/crazy-rummy", ["application/json", "text/markdown"]),
        ("{game}", ["application/json"]),
        ("{game}/events", ["application/json", "text/event-stream", "application/x-ndjson"]),
        ("/", ["text/html"]),
        ("/docs", ["text/html"]),
        ("/problems/not_found", ["application/json", "text/html", "text/markdown"]),
    ],
)
def test_a_form_that_is_not_there_is_not_acceptable(game: Game, path: str, forms: list[str]) -> None:
    """406, and the problem says what there is."""
    for accept in ("image/png", "application/xml", f"{forms[0]};q=0", "nonsense"):
        problem = assert_problem(ask(game, "GET", path, headers={"Accept": accept}), 406, "not_acceptable")
        assert all(form in problem["detail"] for form in forms)


def test_a_command_whose_answer_would_not_be_taken_is_not_played(game: Game) -> None:
    """406 comes before anything is done."""
    version = game.table()["version"]
    answer = game.send(game.on_turn(), game.moves(game.on_turn())[0], headers={"Accept": "text/html"})

    assert_problem(answer, 406, "not_acceptable")
    assert game.table()["version"] == version


# -- browsers ----------------------------------------------------------------------------------------------------------


def test_pages_of_other_origins_may_read(client: httpx.Client) -> None:
    """A public table is public; there are no cookies to be misused."""
    asked = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "GET"}
    preflight = client.options("/v1/games", headers=asked)

    assert preflight.status_code == 204
    assert preflight.headers["access-control-allow-origin"] == "*"
    assert preflight.headers["access-control-allow-methods"] == "GET, HEAD"
    assert "Authorization" in preflight.headers["access-control-allow-headers"]
    answer = client.get("/v1/games", headers={"Origin": "https://elsewhere.example"})
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "ETag" in answer.headers["access-control-expose-headers"]


def test_pages_of_other_origins_may_not_write(client: httpx.Client) -> None:
    """A page somebody happens to open makes no games."""
    answer = client.post(
        "/v1/games",
        json={"variant": "crazy-rummy", "seats": 2},
        headers={"Origin": "https://elsewhere.example"},
    )

    assert "access-control-allow-origin" not in answer.headers


# -- logs --------------------------------------------------------------------------------------------------------------


def test_every_request_is_one_line(
    server: Served, client: httpx.Client, new_game: MakeGame, log_lines: LogLines
) -> None:
    """With what was asked, by whom, and what came of it; nothing secret, and no query."""
    game = new_game()
    table, command, nowhere = (
        line_of(answer.headers["x-request-id"], server, log_lines)
        for answer in (
            game.get(0, params={"at": 3}),
            game.send(0, {"type": "discard", "card": "1H"}, headers={"X-Request-ID": "my-own"}),
            client.get("/nowhere?token=mt_secret"),
        )
    )

    assert (table["event"], table["method"], table["status"]) == ("request", "GET", 200)
    assert (table["route"], table["game_id"], table["by"]) == ("/v1/games/{game_id}", game.game_id, "seat:0")
    assert (command["status"], command["code"], command["request_id"]) == (422, "invalid", "my-own")
    assert command["route"] == "/v1/games/{game_id}/commands"
    assert (nowhere["status"], nowhere["code"]) == (404, "not_found")
    assert "mt_secret" not in str(log_lines())
    assert all(isinstance(line["ms"], float) for line in (table, command, nowhere))


def line_of(request_id: str, server: Served, log_lines: LogLines) -> dict[str, object]:
    """The log line of a request, which is written when its answer is on its way."""

    def found() -> list[dict[str, object]]:
        return [line for line in log_lines() if line.get("request_id") == request_id]

    assert server.until(lambda: bool(found()))
    return found()[0]


def test_a_mistake_of_the_service_is_logged_and_not_told(
    server: Served, game: Game, log_lines: LogLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """500 with nothing but the request's id, by which the log tells where it happened, though not what was said."""

    async def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the hand is 7H 8H and the token is mt_secret")

    monkeypatch.setattr(Handler, "submit", fail)
    monkeypatch.setattr(Handler, "table", fail)
    for answer in (game.get(0), game.send(0, {"type": "draw", "source": "stock"})):
        problem = assert_problem(answer, 500, "internal")
        assert "7H" not in answer.text
        assert "RuntimeError" not in answer.text
        line = line_of(problem["request_id"], server, log_lines)
        assert (line["level"], line["status"]) == ("error", 500)
        assert line["error"] == "RuntimeError"
        assert any("test_edge.py" in place for place in line["where"])  # type: ignore[attr-defined]
        assert "7H" not in str(line)
        assert "mt_secret" not in str(line)


def test_a_damaged_log_is_a_mistake_of_the_service(
    server: Served, game: Game, log_lines: LogLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """500; neither the answer nor the line tells which card was found where another lay."""

    async def damaged(*_: object, **__: object) -> None:
        raise Corrupt("7H was drawn where 8H lay")

    monkeypatch.setattr(Handler, "table", damaged)
    answer = game.get(0)

    problem = assert_problem(answer, 500, "internal")
    assert "7H" not in answer.text + str(line_of(problem["request_id"], server, log_lines))


# -- trouble with the store --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (StoreUnavailable("at redis://:password@host"), "cannot be reached"),
        (OutcomeUnknown("at redis://:password@host"), "same Idempotency-Key is safe"),
        (NotDurable("at redis://:password@host"), "same Idempotency-Key is safe"),
    ],
)
def test_when_the_store_fails_the_caller_is_told_to_come_back(
    game: Game, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    """503 with `Retry-After`; of a command whose fate is unknown, that a retry is safe."""

    async def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(MemoryStore, "append", fail)
    game_on_turn = game.on_turn()
    command = game.moves(game_on_turn)[0]
    answer = game.send(game_on_turn, command)

    problem = assert_problem(answer, 503, "store_unavailable")
    assert words in problem["detail"]
    assert "password" not in answer.text
    assert answer.headers["retry-after"] == "1"


def test_a_service_without_its_store_is_not_ready(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But it is alive: a restart would not help."""

    async def fail(_: MemoryStore) -> None:
        raise StoreUnavailable("gone")

    monkeypatch.setattr(MemoryStore, "ping", fail)
    answer = client.get("/readyz")
    assert_problem(answer, 503, "store_unavailable")
    assert answer.headers["retry-after"] == "1"
    assert client.get("/healthz").status_code == 200


def test_a_store_that_does_not_answer_is_not_ready_either(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks is not kept waiting."""

    async def hang(_: MemoryStore) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(MemoryStore, "ping", hang)
    monkeypatch.setattr("meldlog_service.http.health._PATIENCE_SECONDS", 0.05)
    assert_problem(client.get("/readyz"), 503, "store_unavailable")


# -- shares ------------------------------------------------------------------------------------------------------------


def test_too_many_requests_are_refused_where_there_is_a_limit() -> None:
    """429 with `Retry-After`; who asks whether the service lives is always answered."""
    with served(rate_limit="5/second") as server, server.client() as client:
        answers = [client.get("/v1/games") for _ in range(20)]
        refused = [answer for answer in answers if answer.status_code != 200]
        assert len(refused) >= 10
        for answer in refused:
            assert_problem(answer, 429, "rate_limited")
            assert answer.headers["retry-after"] == "1"
        assert {
            client.get(path).status_code for path in ("/healthz", "/readyz", "/metrics") for _ in range(10)
        } == {200}


def test_a_bucket_fills_with_time_and_each_address_has_its_own() -> None:
    """Two a second, two at once."""
    now = [100.0]
    limiter = RateLimiter(2, clock=lambda: now[0])

    assert [limiter.wait("a") for _ in range(3)] == [0, 0, 1]
    assert limiter.wait("b") == 0
    now[0] += 0.5
    assert [limiter.wait("a") for _ in range(2)] == [0, 1]
    now[0] += 3600
    assert [limiter.wait("a") for _ in range(3)] == [0, 0, 1]


def test_behind_a_proxy_that_is_trusted_the_caller_counts_and_not_the_proxy() -> None:
    """`MELDLOG_TRUSTED_PROXIES`."""
    with served(rate_limit="3/second", trusted_proxies="127.0.0.1") as server, server.client() as client:
        for number in range(10):
            answer = client.get("/v1/games", headers={"X-Forwarded-For": f"192.0.2.{number}"})
            assert answer.status_code == 200


# -- the server --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "hosts", "status"),
    [
        ("1.1", 0, 400),
        ("1.1", 1, 200),
        ("1.1", 2, 400),
        ("1.0", 0, 200),
        ("1.0", 2, 400),
        ("2.0", 0, 400),
    ],
)
def test_a_request_names_its_host_once(server: Served, version: str, hosts: int, status: int) -> None:
    """RFC 9112, section 3.2; before HTTP/1.1 it need not."""
    head = f"GET /v1/variants HTTP/{version}\r\n" + "Host: x\r\n" * hosts
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(f"{head}Connection: close\r\n\r\n".encode())
        received = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert received.startswith(f"HTTP/1.1 {status}".encode())
    assert (b'"code":"malformed"' in received) == (status == 400)


@pytest.mark.parametrize(
    "sent",
    [
        b"nonsense\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
)
def test_what_is_no_http_is_a_problem_too(server: Served, log_lines: LogLines, sent: bytes) -> None:
    """400, and the connection ends; the log's one line of it has the id that the caller was told."""
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(sent)
        received = b"".join(iter(lambda: connection.recv(65_536), b""))

    head, _, body = received.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400")
    assert b"application/problem+json" in head
    assert b'"code":"malformed"' in body
    assert server.until(lambda: bool(log_lines()))
    [line] = log_lines()
    told = {"event": "request", "level": "info", "status": 400, "code": "malformed"}
    assert line.items() >= told.items()
    assert f'"request_id":"{line["request_id"]}"'.encode() in body


def test_whoever_sends_no_more_is_still_answered(server: Served, game: Game) -> None:
    """However soon the caller's half of the connection ends; the other half ends with the answer."""
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
            connection.sendall(f"GET {game.path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            connection.shutdown(socket.SHUT_WR)
            received = b"".join(iter(lambda: connection.recv(65_536), b""))
        assert received.startswith(b"HTTP/1.1 200")


def test_nonsense_behind_a_request_does_not_take_its_answer(server: Served) -> None:
    """The request is answered, as the last one of its connection."""
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n")
        received = b"".join(iter(lambda: connection.recv(65_536), b""))

    assert received.startswith(b"HTTP/1.1 200")
    assert received.count(b"HTTP/1.1 ") == 1
    assert b"connection: close" in received


@pytest.mark.parametrize(
    "head", [b"GET /" + b"x" * 70_000, b"GET / HTTP/1.1\r\n" + b"X: 0123456789\r\n" * 7_000]
)
def test_a_head_without_end_is_not_taken(server: Served, head: bytes) -> None:
    """Neither one long line nor many short ones."""
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(head)
        received = connection.recv(65_536)

    assert received.startswith(b"HTTP/1.1 400")


def test_what_is_not_answered_when_the_service_stops_is_told_so(log_lines: LogLines) -> None:
    """503 as a problem, and one line of the log, once the time is over that open requests are given."""
    head = b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n"
    with (
        served(shutdown_grace=0) as stopping,
        socket.create_connection(("127.0.0.1", stopping.port)) as connection,
    ):
        connection.sendall(head + b"Expect: 100-continue\r\n\r\n")
        assert connection.recv(65_536).startswith(b"HTTP/1.1 100")
        stopping.server.should_exit = True
        received = b"".join(iter(lambda: connection.recv(65_536), b""))

    assert received.startswith(b"HTTP/1.1 503")
    assert b"application/problem+json" in received
    assert b'"code":"stopping"' in received
    [line] = [line for line in log_lines() if line.get("event") == "request"]
    assert (line["status"], line["code"]) == (503, "stopping")
    assert not any("exception" in line for line in log_lines())


@pytest.mark.parametrize("host", ["bad host<>", "a b/c?", "a, b", "a:xx", "a@b", "[::1", "a:1:2", b"\xff"])
def test_a_host_header_that_is_none_is_malformed(client: httpx.Client, game: Game, host: str | bytes) -> None:
    """400 as a problem, whatever is asked."""
    headers = [(b"Host", host if isinstance(host, bytes) else host.encode())]
    assert_problem(client.get("/v1/games", headers=headers), 400, "malformed")
    command = {"type": "draw", "source": "stock"}
    assert_problem(client.post(f"{game.path}/commands", json=command, headers=headers), 400, "malformed")


@pytest.mark.parametrize(
    "host", ["example.org", "example.org:80", "[::1]:8000", "a_b.example:", "xn--mller-kva.example"]
)
def test_a_host_may_be_a_name_or_an_address(client: httpx.Client, host: str) -> None:
    """With a port or without."""
    assert client.get("/v1/variants", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "path", ["{game}/commands", "{game}/seats", "/v1/games", "/v1/variants/crazy-rummy/judge"]
)
def test_a_caller_that_hangs_up_in_the_middle_harms_nobody(
    server: Served, game: Game, log_lines: LogLines, path: str
) -> None:
    """Half a body is no command, and no fault of the service."""
    version = game.table()["version"]
    url = path.replace("{game}", game.path)
    head = f"POST {url} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(head.encode() + b'Content-Length: 50\r\n\r\n{"type":')
    assert server.until(lambda: any(line.get("method") == "POST" for line in log_lines()))

    assert game.table()["version"] == version
    [line] = [line for line in log_lines() if line.get("method") == "POST"]
    assert (line["level"], line["code"]) == ("info", "malformed")


def test_whoever_asks_for_another_protocol_is_answered_in_this_one(
    client: httpx.Client, log_lines: LogLines
) -> None:
    """And the operator's log advises nothing."""
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}

    assert client.get("/healthz", headers=upgrade).status_code == 200
    assert [line for line in log_lines() if line["level"] != "info"] == []


@pytest.mark.parametrize("waits", [False, True])
def test_whoever_asks_for_another_protocol_is_heard_to_the_end(server: Served, *, waits: bool) -> None:
    """As curl and Java's client do for HTTP/2, with a POST: its body is read; what follows is the next request."""
    body = b'{"variant":"crazy-rummy","seats":2}'
    head = (
        b"POST /v1/games HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
        b"HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n" % len(body)
    )
    next_one = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        if waits:
            connection.sendall(head + b"Expect: 100-continue\r\n\r\n")
            assert connection.recv(65_536) == b"HTTP/1.1 100 Continue\r\n\r\n"
            connection.sendall(body + next_one)
        else:
            connection.sendall(head + b"\r\n" + body + next_one)
        received = b"".join(iter(lambda: connection.recv(65_536), b""))

    assert [part[:3] for part in received.split(b"HTTP/1.1 ")[1:]] == [b"201", b"200"]


@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("POST", "/commands"), ("DELETE", "/seats/0")])
def test_of_an_id_that_is_too_long_there_is_no_game(
    server: Served, operator: httpx.Client, log_lines: LogLines, method: str, path: str
) -> None:
    """404 as for any other that there is not; neither the store nor the log is given it."""
    content = {"json": {"type": "decline"}} if method == "POST" else {}
    there, too_long = (
        operator.request(method, f"/v1/games/{'g' * length}{path}", **content)  # type: ignore[arg-type]
        for length in (64, 65)
    )

    for answer in (there, too_long):
        assert_problem(answer, 404, "not_found")
    assert there.json()["detail"] == too_long.json()["detail"]
    assert "g" * 64 in str(line_of(there.headers["x-request-id"], server, log_lines))
    line = line_of(too_long.headers["x-request-id"], server, log_lines)
    assert "ggg" not in str(line)
    assert line["route"] == f"/v1/games/{{game_id}}{path.replace('0', '{seat}')}"


def test_the_host_token_plays_no_seat(game: Game) -> None:
    """It starts the game, and that is that."""
    assert_problem(game.send(HOST, {"type": "draw", "source": "stock", "seat": 0}), 403, "forbidden")
