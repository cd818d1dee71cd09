"""`meldlog serve --workers N`: several processes, one service."""

import os
import signal
from collections import Counter
from pathlib import Path

import httpx
from tests.cli.commands import Serving, is_running, meldlog, valkey_of, workers_of
from tests.support.servers import BareServer, eventually, free_port


def answers(serving: Serving, count: int = 40) -> Counter[int]:
    """Statuses of requests, each on a connection of its own."""
    return Counter(serving.get("/readyz").status_code for _ in range(count))


async def test_workers_share_one_port_one_store_and_one_operator(tmp_path: Path) -> None:
    """Whoever answers, it is the same service; the numbers of all of them are summed up."""
    with Serving(tmp_path, "--workers", "2") as serving:
        await eventually(lambda: len(workers_of(serving)) == 2)
        games = set()
        for _ in range(12):
            with serving.client(serving.token) as operator:
                games.add(operator.create_game("crazy-rummy", 2, listed=False).game_id)
        for game in games:
            with serving.client(serving.token) as operator:
                assert operator.table(game).version == 1
        assert 'meldlog_commands_total{outcome="accepted"} 12.0' in serving.get("/metrics").text
        workers, valkey = workers_of(serving), valkey_of(serving)
        assert serving.stop() == 0
        assert not any(map(is_running, [*workers, valkey]))
        assert "Traceback" not in serving.log()


async def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    """Without a pause in the service."""
    with Serving(tmp_path, "--workers", "2") as serving:
        await eventually(lambda: len(workers_of(serving)) == 2)
        before = workers_of(serving)
        os.kill(before[0], signal.SIGKILL)
        await eventually(lambda: len(set(workers_of(serving)) - {before[0]}) == 2)
        assert answers(serving) == {200: 40}
        assert before[1] in workers_of(serving)


async def test_no_worker_outlives_its_parent(tmp_path: Path) -> None:
    """A parent that is killed takes workers and Valkey along, and the next start finds port and folder free."""
    port = free_port()
    with Serving(tmp_path, "--workers", "2", "--port", str(port)) as serving:
        await eventually(lambda: len(workers_of(serving)) == 2)
        with serving.client() as client:
            game = client.create_game("crazy-rummy", 2).game_id
        left = [*workers_of(serving), valkey_of(serving)]
        serving.stop(signal.SIGKILL)
        with Serving(tmp_path, "--port", str(port)) as again:
            assert httpx.URL(again.url).port == port
            with again.client() as client:
                assert client.table(game).version == 1
        await eventually(lambda: not any(map(is_running, left)))


def test_workers_that_cannot_start_are_told(tmp_path: Path) -> None:
    """A store that would lose games is refused once, not by every worker."""
    options = {"maxmemory": "100mb", "maxmemory-policy": "allkeys-lru"}
    with BareServer(tmp_path / "redis", options) as server:
        done = meldlog("serve", "--port", "0", "--workers", "2", "--redis-url", server.url, home=tmp_path)
    assert done.returncode == 1
    assert done.stderr.count("noeviction") == 1
    assert "Traceback" not in done.stderr
