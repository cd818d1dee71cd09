"""Logs of every schema before today's: lifted where they are read, and verified as what they were recorded as.

The golden logs in ``schema-N`` were recorded once. Whoever changes the stored format gives it a new schema, adds a lift
from the one before (`meldlog_contracts.stored`) and, before that, a folder with logs of it here.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import httpx
import msgspec
import pytest
from tests.app.staging import handler_on, on_turn, simple_move
from tests.http.serving import OPERATOR_TOKEN, served
from tests.support import schema_0
from tests.support.games import Game, installed
from tests.support.tamper import edited, event_of, export, version_of

from meldlog_client import MeldlogClient
from meldlog_contracts.events import SCHEMA
from meldlog_contracts.stored import LIFTS
from meldlog_contracts.verifier import verify
from meldlog_service.app.audit import audit, audit_log
from meldlog_service.app.envelope import pointer_of
from meldlog_service.core import chain
from meldlog_service.core.evolve import fold
from meldlog_service.core.views import SPECTATOR, Viewer, redact
from meldlog_service.store.memory import MemoryStore

FOLDER = Path(__file__).parent
OLDER = sorted(FOLDER.glob("schema-*/*.ndjson"))


def named(path: Path) -> str:
    """As in ``schema-0/beanie``."""
    return f"{path.parent.name}/{path.stem}"


async def keeping(lines: Sequence[bytes]) -> MemoryStore:
    """A store in which a game has been since that schema."""
    store = MemoryStore()
    await store.adopt(pointer_of(lines), lines)
    return store


def test_there_are_golden_logs_of_every_schema_there_ever_was() -> None:
    """And a way from each to the next."""
    assert sorted(LIFTS) == list(range(SCHEMA))
    assert {path.parent.name for path in OLDER} == {f"schema-{schema}" for schema in range(SCHEMA)}
    for path in OLDER:
        lines = path.read_bytes().splitlines()
        assert {json.loads(line)["schema"] for line in lines} == {int(path.parent.name[-1])}


@pytest.mark.parametrize("path", OLDER, ids=named)
def test_an_older_log_folds_to_the_same_game(path: Path) -> None:
    """As the log of today's schema in which the same was played."""
    today = (FOLDER / path.name).read_bytes().splitlines()
    lines = path.read_bytes().splitlines()
    assert fold(map(chain.decode, lines)) == fold(map(chain.decode, today))
    assert lines != today


@pytest.mark.parametrize("path", OLDER, ids=named)
def test_an_older_log_agrees(path: Path) -> None:
    """Decided again, its commands have the recorded consequences, and its chain is that of its own bytes."""
    report = audit_log(path.read_bytes().splitlines(), installed())
    assert report.verdict == "agrees", report


@pytest.mark.parametrize("path", OLDER, ids=named)
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_an_older_log_is_verified_without_meldlog(path: Path, viewer: int | None) -> None:
    """In every point, as the operator and as every viewer is given it, and to the same head."""
    lines = path.read_bytes().splitlines()
    head = json.loads(lines[-1])["hash"]
    for given in (lines, export(lines, viewer)):
        report = verify(given, head)
        assert report.ok, report.text()
        assert {check.verdict for check in report.checks} == {"proved"}


@pytest.mark.parametrize("path", OLDER, ids=named)
@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 1])
def test_every_viewer_is_sent_an_older_log_as_it_was_recorded(path: Path, viewer: Viewer) -> None:
    """Without the secrets of others and with nothing else changed, so that everybody computes the same hashes."""
    lines = path.read_bytes().splitlines()
    sent = []
    for line in lines:
        commit = chain.decode(line)
        sent.append(chain.sent(line, redact(commit, viewer)))
        assert chain.hash_of_line(sent[-1], chain.decode(sent[-1])) == commit.hash
    assert sent == export(lines, viewer if isinstance(viewer, int) else None)


@pytest.mark.parametrize(
    ("event", "change"),
    [
        ("deal_scored", {"totals": [0, 0, 0, 0]}),
        ("turn_passed", {"to": 0}),
        ("turn_passed", {"until": "soon"}),
    ],
)
def test_an_older_log_that_was_changed_is_found_out(event: str, change: dict[str, object]) -> None:
    """Whether or not its hashes were made to fit."""
    lines = (FOLDER / "schema-0" / "beanie.ndjson").read_bytes().splitlines()
    at = version_of(lines, event, 3)
    for rehash in (True, False):
        forged = edited(lines, at, lambda commit: event_of(commit, event).update(change), rehash=rehash)
        report = audit_log(forged, installed())
        found = {one.name: one.version for one in report.checks if one.verdict == "differs"}
        assert (report.verdict, report.version) == ("differs", at)
        assert found["decisions"] == at
        assert ("chain" in found) is not rehash
        if not rehash:
            fault = verify(forged).first_fault
            assert fault is not None
            assert (fault.name, fault.version) == ("chain", at)


@pytest.mark.parametrize(
    "nonsense",
    [
        {},
        {"command": 7, "events": 7},
        {"command": {"type": "batch", "commands": [7]}, "events": [7, {}, {"type": 7}]},
        {"command": {"type": "draw"}, "events": [{"type": "turn_passed"}]},
    ],
)
def test_what_is_no_commit_of_an_older_schema_either_is_told_as_any_other(
    nonsense: dict[str, object],
) -> None:
    """A lift may be given anything."""
    with pytest.raises(msgspec.DecodeError):
        chain.decode(json.dumps({**nonsense, "schema": 0, "version": 1}).encode())


def test_a_line_that_is_nested_without_end_is_no_commit() -> None:
    """Of any schema."""
    for schema in (0, SCHEMA):
        line = b'{"schema":%d,"version":1,"events":%b}' % (schema, b"[" * 100_000 + b"]" * 100_000)
        with pytest.raises(msgspec.DecodeError):
            chain.decode(line)


async def test_a_game_of_an_older_schema_goes_on_in_todays() -> None:
    """Its log is read by every worker, and audited as a whole."""
    game = Game().started()
    for _ in range(7):
        game.do(simple_move(game.table))
    store = await keeping(schema_0.as_schema_0(game.lines))
    handler = handler_on(store)
    table = await handler.table("g1")
    assert table == game.table

    await handler.submit("g1", simple_move(table), on_turn(table))

    other = handler_on(store, worker=1)
    lines = [line async for line in other.lines("g1")]
    assert [json.loads(line)["schema"] for line in lines] == [0] * game.version + [SCHEMA]
    assert (await other.table("g1")).version == game.version + 1
    assert (await audit(other, "g1")).verdict == "agrees"


@pytest.mark.parametrize("end", [4, 60])
@pytest.mark.parametrize("path", OLDER, ids=named)
def test_an_older_log_is_imported_and_forked(path: Path, end: int) -> None:
    """As it was recorded; what is added has today's schema, and everything is verified and audited together."""
    lines = path.read_bytes().splitlines()[:end]
    with served() as service, MeldlogClient(service.url, OPERATOR_TOKEN) as operator:
        begun = operator.import_log(lines)
        for game in (begun.game_id, operator.fork(begun.game_id, end + 1).game_id):
            log = list(operator.lines(game))
            assert log[:end] == lines
            assert {json.loads(line)["schema"] for line in log[end:]} == {SCHEMA}
            assert operator.audit(game).verdict == "agrees"
            assert verify(log).ok


async def test_a_service_sends_the_recorded_bytes_in_every_form() -> None:
    """As lines, as a page and live; a client reads them all."""
    lines = (FOLDER / "schema-0" / "basic-rummy.ndjson").read_bytes().splitlines()
    store = await keeping(lines)
    with served(store=lambda: store) as service:
        path = f"/v1/games/{pointer_of(lines).game_id}/events"
        with service.client(OPERATOR_TOKEN) as operator:
            assert as_lines(operator, path) == lines
            assert as_page(operator, path) == lines
            assert live(operator, path) == lines
        with service.client() as anybody:
            assert as_lines(anybody, path) == as_page(anybody, path) == export(lines, None)
        with MeldlogClient(service.url) as client:
            commits = list(client.events(pointer_of(lines).game_id))
    assert fold(commits).status == "finished"


def as_lines(client: httpx.Client, path: str) -> list[bytes]:
    """The log as NDJSON."""
    return client.get(path, headers={"Accept": "application/x-ndjson"}).content.splitlines()


def as_page(client: httpx.Client, path: str) -> list[bytes]:
    """The log as a page of JSON."""
    return [chain.canonical(item) for item in client.get(path, params={"limit": 1000}).json()["items"]]


def live(client: httpx.Client, path: str) -> list[bytes]:
    """The log as server-sent events, up to the end of the game."""
    found = []
    with client.stream("GET", path, headers={"Accept": "text/event-stream"}) as response:
        for line in response.iter_lines():
            if line.startswith("data: "):
                found.append(line.removeprefix("data: ").encode())
                if '"game_ended"' in line:
                    break
    return found
