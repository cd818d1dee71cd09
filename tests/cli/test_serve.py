"""`meldlog serve`: it starts, says where it is, survives and stops."""

import json
import os
import signal
import socket
from pathlib import Path

import httpx
import pytest
from tests.cli.commands import Serving, is_one_sentence, is_running, meldlog, valkey_of
from tests.support.servers import BareServer, eventually, free_port

from meldlog_contracts.commands import StartGame
from meldlog_service.settings import describe


def game_of_bots(serving: Serving, token: str | None = None) -> str:
    """A new game of two bots that has not been started."""
    with serving.client(token) as client:
        return client.create_game("crazy-rummy", 2, bots={0: "plain", 1: "plain"}).game_id


def versions_of(serving: Serving, game_id: str) -> int:
    """How far a game has got."""
    with serving.client() as client:
        return client.table(game_id).version


# The start.


def test_it_says_once_where_it_is_and_who_is_operator(tmp_path: Path) -> None:
    """For people: address, data folder, and the token that was made for this run."""
    with Serving(tmp_path, for_people=True) as serving:
        assert serving.stop() == 0
        assert serving.process.stdout is not None
        assert serving.process.stdout.read() == b""
    address = next(line.split()[1] for line in serving.words.splitlines() if "Address" in line)
    assert address.startswith("http://127.0.0.1:")
    assert f"Data folder     {tmp_path}/games" in serving.words
    assert serving.words.count("mt_") == 1
    assert "mt_" not in serving.log()


def test_the_token_that_is_printed_is_the_operators(serving: Serving) -> None:
    """It may list every game, also those that are not listed."""
    with serving.client(serving.token) as client:
        hidden = client.create_game("crazy-rummy", 2, listed=False).game_id
        assert client.table(hidden).status == "open"
    assert serving.get(f"/v1/games/{hidden}").status_code == 404


def test_a_token_that_was_set_is_not_printed(tmp_path: Path) -> None:
    """It is a secret of whoever set it; and it works."""
    with Serving(tmp_path, MELDLOG_OPERATOR_TOKEN="a-secret-of-mine") as serving:
        assert serving.announced["operator_token"] is None
        with serving.client("a-secret-of-mine") as operator:
            game = operator.create_game("crazy-rummy", 2, bots={0: "plain", 1: "plain"}).game_id
            operator.start(game)
    assert "a-secret-of-mine" not in serving.log()


def test_settings_come_from_variables_and_options_beat_them(tmp_path: Path) -> None:
    """The same settings by either door."""
    with Serving(
        tmp_path, "--create", "anybody", MELDLOG_CREATE="operator", MELDLOG_BODY_LIMIT="1024"
    ) as serving:
        game_of_bots(serving)
        large = httpx.post(f"{serving.url}/v1/games", json={"variant": "x" * 2000, "seats": 2})
        assert large.status_code == 413


def test_all_that_is_wrong_with_settings_is_told_at_once(tmp_path: Path) -> None:
    """Status 2."""
    done = meldlog("serve", "--port", "many", home=tmp_path, MELDLOG_WORKERS="0", MELDLOG_TYPO="1")
    assert done.returncode == 2
    for variable in ("MELDLOG_PORT", "MELDLOG_WORKERS", "MELDLOG_TYPO"):
        assert variable in done.stderr


def test_every_setting_is_an_option(tmp_path: Path) -> None:
    """As the help says."""
    help_text = meldlog("serve", "--help", home=tmp_path).stdout
    for setting in describe():
        assert f"--{setting.name.replace('_', '-')} " in help_text


# A start that cannot be.


def test_a_port_in_use_is_told(tmp_path: Path) -> None:
    """In a sentence, before anything is made."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = meldlog("serve", "--port", port, "--data-dir", tmp_path / "games", home=tmp_path)
    assert done.returncode == 1
    assert is_one_sentence(done.stderr)
    assert port in done.stderr
    assert not (tmp_path / "games").exists()


def test_a_data_folder_in_use_is_told(serving: Serving, tmp_path: Path) -> None:
    """With the process that uses it; the service that has it goes on."""
    done = meldlog("serve", "--port", "0", "--data-dir", serving.data_dir, home=tmp_path)
    assert done.returncode == 1
    assert is_one_sentence(done.stderr)
    assert str(serving.process.pid) in done.stderr
    assert serving.get("/readyz").status_code == 200


def test_a_data_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """In a sentence."""
    (tmp_path / "file").write_text("")
    done = meldlog("serve", "--port", "0", "--data-dir", tmp_path / "file" / "games", home=tmp_path)
    assert done.returncode == 1
    assert is_one_sentence(done.stderr)


def test_a_redis_that_is_not_there_is_told(tmp_path: Path) -> None:
    """In a sentence, without the password."""
    url = f"redis://:secret@127.0.0.1:{free_port()}"
    done = meldlog("serve", "--port", "0", home=tmp_path, MELDLOG_REDIS_URL=url)
    assert done.returncode == 1
    assert is_one_sentence(done.stderr)
    assert "secret" not in done.stderr


def test_a_redis_that_would_lose_games_is_refused(tmp_path: Path) -> None:
    """The sentence says what to change."""
    options = {"maxmemory": "100mb", "maxmemory-policy": "allkeys-lru"}
    with BareServer(tmp_path / "redis", options) as server:
        done = meldlog("serve", "--port", "0", "--redis-url", server.url, home=tmp_path)
    assert done.returncode == 1
    assert is_one_sentence(done.stderr)
    assert "noeviction" in done.stderr


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_redis_that_may_lose_games_is_warned_of(tmp_path: Path, workers: str) -> None:
    """Once, in the log, however many workers answer."""
    with (
        BareServer(tmp_path / "redis", {"appendonly": "no"}) as server,
        Serving(tmp_path, "--redis-url", server.url, "--workers", workers) as serving,
    ):
        assert serving.get("/readyz").status_code == 200
        assert serving.log().count("no append-only file") == 1


def test_the_embedded_store_needs_no_warning(serving: Serving) -> None:
    """It is set up to keep games."""
    assert "warning" not in serving.log()


def test_an_address_that_is_none_is_told(tmp_path: Path) -> None:
    """In a sentence."""
    done = meldlog("serve", "--host", "192.0.2.1", "--port", "0", home=tmp_path)
    assert done.returncode == 1
    assert is_one_sentence(done.stderr)


# The end.


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_in_good_order_while_streams_are_open(how: signal.Signals, tmp_path: Path) -> None:
    """Open streams end as answers do, and nothing is left behind."""
    with Serving(tmp_path) as serving:
        game = game_of_bots(serving)
        events = f"{serving.url}/v1/games/{game}/events"
        with httpx.stream("GET", events, headers={"Accept": "text/event-stream"}) as stream:
            lines = stream.iter_lines()
            assert "id: 1" in lines
            valkey = valkey_of(serving)
            assert serving.stop(how) == 0
            assert list(lines)[-1] == ""
        assert not is_running(valkey)
        assert "Traceback" not in serving.log()


# Kills.


def test_games_survive_a_kill_of_the_service(tmp_path: Path) -> None:
    """The next start finds every version that was acknowledged, on the same folder."""
    with Serving(tmp_path) as serving:
        game = game_of_bots(serving)
        valkey = valkey_of(serving)
        assert serving.stop(signal.SIGKILL) == -signal.SIGKILL
    with Serving(tmp_path) as again:
        assert versions_of(again, game) == 1
        assert not is_running(valkey)
        assert again.token != serving.token


async def test_the_service_survives_a_kill_of_its_valkey(tmp_path: Path) -> None:
    """It is started again, with every game, and the same service goes on."""
    with Serving(tmp_path) as serving:
        game = game_of_bots(serving)
        valkey = valkey_of(serving)
        os.kill(valkey, signal.SIGKILL)
        await eventually(lambda: not is_running(valkey))
        with serving.client(serving.token) as operator:
            operator.send(game, StartGame())
            assert operator.table(game).status == "playing"


def test_bots_play_a_game_to_its_end(serving: Serving) -> None:
    """A stream tells every version, and ends with the game."""
    with serving.client(serving.token) as operator:
        game = operator.create_game(
            "crazy-rummy", 2, bots={0: "plain", 1: "plain"}, house_rules={"no_progress_limit": 1}
        ).game_id
        operator.start(game)
        versions = [commit.version for commit in operator.stream(game)]
        assert versions == list(range(1, len(versions) + 1))
        assert operator.table(game).status == "finished"
        assert operator.audit(game).verdict == "agrees"


def test_json_is_what_programs_read(serving: Serving) -> None:
    """Every fact of the announcement, in a line."""
    assert serving.announced.keys() == {"url", "data_dir", "redis_url", "operator_token", "workers", "pid"}
    assert serving.announced["pid"] == serving.process.pid
    assert json.dumps(serving.announced)
