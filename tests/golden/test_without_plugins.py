"""Where every plugin was uninstalled, golden logs replay, and every finished game is read over HTTP as before.

The commands and the service run in processes that find no plugin and can import none.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from tests.cli.commands import Serving, is_one_sentence, meldlog
from tests.support.servers import embedded_server

from meldlog_contracts.stored import decode
from meldlog_service.app.archiving import Archiver
from meldlog_service.app.envelope import pointer_of
from meldlog_service.core.evolve import fold
from meldlog_service.core.views import OPERATOR, SPECTATOR, Viewer, view
from meldlog_service.store.archive.archive import Archive
from meldlog_service.store.archive.folder import Folder
from meldlog_service.store.archive.store import ArchivedStore
from meldlog_service.store.redis_streams import RedisStreams

FOLDER = Path(__file__).parent
LOGS = sorted(FOLDER.rglob("*.ndjson"))
GOLDEN = sorted(FOLDER.glob("*.ndjson"))
BARE = str(FOLDER.parent / "support" / "bare")
"""Of what is in this folder, a process on whose PYTHONPATH it is finds no plugin."""
LINES = {"Accept": "application/x-ndjson"}


def named(path: Path) -> str:
    """As in ``schema-0/beanie``."""
    return str(path.relative_to(FOLDER).with_suffix(""))


def lines_of(path: Path) -> list[bytes]:
    """The recorded log."""
    return path.read_bytes().splitlines()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A service without plugins, on a store in which all golden games are; every second one is in the archive."""
    home = tmp_path_factory.mktemp("bare")
    data = home / "games"

    async def fill(url: str) -> None:
        live = RedisStreams(url)
        archiver = Archiver(ArchivedStore(live, Archive(Folder(data / "archive"))))
        for number, path in enumerate(GOLDEN):
            pointer = pointer_of(lines_of(path))
            await live.adopt(pointer, lines_of(path))
            if number % 2:
                await archiver.archive(pointer.game_id)
        await live.close()

    with embedded_server(data) as server:
        asyncio.run(fill(server.url))
    with Serving(home, data_dir=data, PYTHONPATH=BARE) as running:
        yield running


@pytest.fixture
def operator(service: Serving) -> Iterator[httpx.Client]:
    """The operator of it."""
    headers = {"Authorization": f"Bearer {service.token}"}
    with httpx.Client(base_url=service.url, headers=headers, timeout=30) as client:
        yield client


def as_json(value: object) -> Any:
    """As it is sent."""
    return json.loads(msgspec.json.encode(value))


def test_no_plugin_is_there(service: Serving, tmp_path: Path) -> None:
    """Neither for the service nor for a command."""
    assert service.get("/v1/variants").json()["items"] == []
    done = meldlog("variants", "crazy-rummy", home=tmp_path, PYTHONPATH=BARE)
    assert done.returncode == 2
    assert is_one_sentence(done.stderr)


@pytest.mark.parametrize("path", LOGS, ids=named)
def test_every_golden_log_replays_and_verifies(path: Path, tmp_path: Path) -> None:
    """Through anybody's eyes, to the table that is folded with plugins at hand."""
    lines = lines_of(path)
    table = fold(map(decode, lines))
    viewers: tuple[tuple[str, Viewer], ...] = (
        ("operator", OPERATOR),
        ("spectator", SPECTATOR),
        ("seat:1", 1),
    )
    for viewer, eyes in viewers:
        done = meldlog(
            "replay", path, "--as", viewer, "--json", "--knowledge", home=tmp_path, PYTHONPATH=BARE
        )
        assert (done.returncode, done.stderr) == (0, "")
        steps = done.stdout.splitlines()
        assert len(steps) == len(lines)
        assert json.loads(steps[-1])["table"] == as_json(view(table, eyes))
    assert meldlog("verify", path, home=tmp_path, PYTHONPATH=BARE).returncode == 0


@pytest.mark.parametrize("path", GOLDEN, ids=named)
def test_every_finished_game_is_read_over_http(service: Serving, operator: httpx.Client, path: Path) -> None:
    """Table, earlier versions, events in every form, who knew what; and that nothing is to be played."""
    lines = lines_of(path)
    commits = [decode(line) for line in lines]
    table = fold(commits)
    game = f"/v1/games/{table.game_id}"
    with httpx.Client(base_url=service.url, timeout=30) as anybody:
        callers: tuple[tuple[httpx.Client, Viewer], ...] = ((operator, OPERATOR), (anybody, SPECTATOR))
        for client, eyes in callers:
            assert client.get(game).json() == as_json(view(table, eyes))
            for version in (1, 2, len(lines) // 2, len(lines) - 1):
                then = fold(commits[:version])
                shown = as_json(view(then, eyes, open_hands=True))
                assert client.get(game, params={"at": version}).json() == shown
            log = client.get(f"{game}/events", headers=LINES).content.splitlines()
            assert len(log) == len(lines)
            assert (log == lines) == (eyes == OPERATOR)
            page = client.get(f"{game}/events", params={"after": 5, "limit": 7}).json()
            assert [item["version"] for item in page["items"]] == list(range(6, 13))
            assert len(client.get(f"{game}/knowledge").json()["known"]) == len(table.seats)
        assert operator.get(f"{game}/moves", params={"seat": 0}).json()["moves"] == []
        listed = anybody.get("/v1/games", params={"status": "finished", "limit": 100}).json()["items"]
        assert table.game_id in {item["game_id"] for item in listed}


@pytest.mark.parametrize("path", GOLDEN, ids=named)
def test_what_needs_rules_says_that_they_are_missing(operator: httpx.Client, path: Path) -> None:
    """The rule sheet, a command, a fork, an import: 503 with the plugin's name. An audit checks what needs none."""
    lines = lines_of(path)
    game = f"/v1/games/{pointer_of(lines).game_id}"
    log = b"".join(b"%b\n" % line for line in lines)
    for answer in (
        operator.get(f"{game}/rules"),
        operator.post(f"{game}/fork", json={"at": 5}),
        operator.post("/v1/games/import", content=log, headers={"Content-Type": "application/x-ndjson"}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (503, "plugin_unavailable")
        assert "is not installed" in answer.json()["detail"]
    report = operator.get(f"{game}/audit").json()
    assert (report["verdict"], report["version"]) == ("cannot_judge", 1)
    verdicts = {check["name"]: check["verdict"] for check in report["checks"]}
    assert {name for name, verdict in verdicts.items() if verdict != "agrees"} == {"plugins", "decisions"}


def test_the_command_audits_as_far_as_it_can(service: Serving, tmp_path: Path) -> None:
    """Every game of the store and of the archive, and says for each that it cannot judge here."""
    done = meldlog("audit", "--all", "--data-dir", service.data_dir, "--json", home=tmp_path, PYTHONPATH=BARE)
    assert (done.returncode, done.stderr) == (1, "")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(GOLDEN)
    assert {one["verdict"] for one in found} == {"cannot_judge"}
    for_people = meldlog(
        "audit", "--all", "--data-dir", service.data_dir, home=tmp_path, PYTHONPATH=BARE
    ).stdout
    assert for_people.endswith(f"  {len(GOLDEN):>5}  cannot judge: plugins\n")
