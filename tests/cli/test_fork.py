"""`meldlog fork`: of a service that runs, of one that does not, and of a game in the archive."""

import json
from pathlib import Path

import pytest
from tests.cli.commands import Serving, is_one_sentence, meldlog
from tests.support.archives import finished


def test_a_game_is_forked_over_http_and_in_its_store(serving: Serving, tmp_path: Path) -> None:
    """Each time a game of its own, whose tokens are told once and play on."""
    with serving.client(serving.token) as operator:
        created = operator.create_game("crazy-rummy", 2)
        for name in ("Ann", "Bob"):
            operator.take_seat(created.game_id, name)
        operator.start(created.game_id)
        games = {created.game_id}
        for where in (
            ("--url", serving.url, "--token", serving.token),
            ("--data-dir", str(serving.data_dir)),
        ):
            done = meldlog("fork", created.game_id, "--at", "4", *where, "--json", home=tmp_path)
            assert (done.returncode, done.stderr) == (0, "")
            told = json.loads(done.stdout)
            assert (told["version"], told["status"], sorted(told["seat_tokens"])) == (
                5,
                "playing",
                ["0", "1"],
            )
            games.add(told["game_id"])
            table = operator.table(told["game_id"])
            assert table.origin is not None
            assert (table.origin.game_id, table.origin.version) == (created.game_id, 4)
            assert table.deal is not None
            player = operator.as_caller(told["seat_tokens"][str(table.deal.turn)])
            assert player.send(told["game_id"], player.moves(told["game_id"]).moves[0]).version == 6
            host = operator.as_caller(told["host_token"])
            assert host.table(told["game_id"]).version == 6
        assert len(games) == 3
    for_people = meldlog(
        "fork", created.game_id, "--at", "2", "--data-dir", serving.data_dir, home=tmp_path
    ).stdout.splitlines()
    assert for_people[0].endswith(" (open, version 3)")
    assert [line.split()[0] for line in for_people] == ["game", "host", "seat"]


@pytest.mark.parametrize(
    ("game", "at", "status"),
    [("g1", "0", 2), ("g1", "99999", 2), ("nobody", "1", 2), ("g1", "last", 1)],
)
def test_what_cannot_be_forked_is_told(data: Path, tmp_path: Path, game: str, at: str, status: int) -> None:
    """A version that there is not, a game that there is not, and a game that is over."""
    version = str(finished("g1").version) if at == "last" else at
    done = meldlog("fork", game, "--at", version, "--data-dir", data, home=tmp_path)
    assert (done.returncode, done.stdout) == (status, "")
    if at != "0":
        assert is_one_sentence(done.stderr)


def test_an_archived_game_is_forked(data: Path, tmp_path: Path) -> None:
    """It stays in the archive; the fork is in the store and audits clean, and so does a fork of the fork."""
    where = ("--data-dir", str(data))
    assert meldlog("archive", "g1", *where, home=tmp_path).returncode == 0
    game = "g1"
    for at in (finished("g1").version - 1, finished("g1").version):
        done = meldlog("fork", game, "--at", str(at), *where, "--json", home=tmp_path)
        assert done.returncode == 0, done.stderr
        game = json.loads(done.stdout)["game_id"]
        audited = meldlog("audit", game, *where, home=tmp_path)
        assert audited.returncode == 0, audited.stdout
    log = tmp_path / "log.ndjson"
    assert meldlog("export", game, "--out", log, *where, home=tmp_path).returncode == 0
    assert meldlog("verify", log, home=tmp_path).returncode == 0
    assert meldlog("restore", "g1", *where, home=tmp_path).returncode == 0
