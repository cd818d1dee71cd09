"""`export`, `replay` and `audit` of a service's games: while it runs, when it does not, and over HTTP."""

import json
import signal
from pathlib import Path

import pytest
from tests.cli.commands import Serving, is_one_sentence, meldlog
from tests.support.servers import free_port

from meldlog_service.core.chain import decode


@pytest.fixture(scope="module")
def game(serving: Serving) -> str:
    """A game that has begun, of two seats that nobody plays any further."""
    with serving.client(serving.token) as operator:
        created = operator.create_game("crazy-rummy", 2)
        for name in ("Ann", "Bob"):
            operator.take_seat(created.game_id, name)
        operator.start(created.game_id)
    return created.game_id


def test_a_running_service_is_exported_byte_for_byte(serving: Serving, game: str, tmp_path: Path) -> None:
    """From its store with every secret; over HTTP the operator is given the same bytes."""
    done = meldlog("export", game, "--data-dir", serving.data_dir, home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    commits = [decode(line) for line in done.stdout.splitlines()]
    assert [commit.version for commit in commits] == [1, 2, 3, 4]
    over_http = meldlog("export", game, "--url", serving.url, "--token", serving.token, home=tmp_path)
    assert over_http.stdout == done.stdout
    by_variable = meldlog(
        "export", game, "--url", serving.url, home=tmp_path, MELDLOG_OPERATOR_TOKEN=serving.token
    )
    assert by_variable.stdout == done.stdout


def test_a_spectator_exports_what_a_spectator_may_see(serving: Serving, game: str, tmp_path: Path) -> None:
    """It verifies all the same."""
    file = tmp_path / "log.ndjson"
    done = meldlog("export", game, "--url", serving.url, "--out", file, "--json", home=tmp_path)
    assert json.loads(done.stdout) == {"game_id": game, "versions": 4, "file": str(file)}
    assert '"value"' not in file.read_text()
    assert meldlog("verify", file, home=tmp_path).returncode == 0


def test_a_running_service_is_replayed_and_audited(serving: Serving, game: str, tmp_path: Path) -> None:
    """Its Valkey is asked, and goes on."""
    store = ("--data-dir", str(serving.data_dir))
    replayed = meldlog("replay", game, *store, home=tmp_path)
    assert replayed.returncode == 0
    assert "version 4  " in replayed.stdout
    assert meldlog("audit", game, *store, home=tmp_path).returncode == 0
    assert meldlog("audit", "--all", *store, home=tmp_path).returncode == 0
    assert serving.get("/readyz").status_code == 200


def test_games_are_replayed_and_audited_over_http(serving: Serving, game: str, tmp_path: Path) -> None:
    """As far as the token reaches."""
    service = ("--url", serving.url)
    operator = (*service, "--token", serving.token)
    assert "version 4  " in meldlog("replay", game, *operator, home=tmp_path).stdout
    audited = meldlog("audit", game, *operator, home=tmp_path)
    assert "agrees up to version 4" in audited.stdout
    refused = meldlog("audit", game, *service, home=tmp_path)
    assert refused.returncode == 2
    assert is_one_sentence(refused.stderr)


def test_a_service_that_was_stopped_or_killed_can_be_read(tmp_path: Path) -> None:
    """Its server is started for the time being; nothing of it is left, so the service can start again."""
    games = set()
    store = ("--data-dir", str(tmp_path / "games"))
    for how in (signal.SIGTERM, signal.SIGKILL):
        with Serving(tmp_path) as serving:
            with serving.client() as client:
                games.add(client.create_game("crazy-rummy", 2).game_id)
            serving.stop(how)
        for game in games:
            done = meldlog("export", game, *store, home=tmp_path)
            assert (done.returncode, done.stdout.count("\n")) == (0, 1), done.stderr
    audited = meldlog("audit", "--all", "--json", *store, home=tmp_path)
    assert {json.loads(line)["game"] for line in audited.stdout.splitlines()} == games


def test_a_game_that_there_is_not_is_told(serving: Serving, tmp_path: Path) -> None:
    """With status 2, from the store and over HTTP."""
    for where in (("--data-dir", str(serving.data_dir)), ("--url", serving.url)):
        for command in ("export", "replay", "audit"):
            done = meldlog(command, "nosuchgame", *where, home=tmp_path)
            assert done.returncode == 2
            assert is_one_sentence(done.stderr)


def test_a_store_or_service_that_is_not_there_is_told(tmp_path: Path) -> None:
    """With status 1: it may be there tomorrow."""
    nowhere = f"127.0.0.1:{free_port()}"
    for where in (("--redis-url", f"redis://{nowhere}"), ("--url", f"http://{nowhere}")):
        done = meldlog("export", "g", *where, home=tmp_path)
        assert done.returncode == 1
        assert is_one_sentence(done.stderr)


def test_a_token_that_opens_nothing_is_told(serving: Serving, game: str, tmp_path: Path) -> None:
    """With status 2."""
    done = meldlog("replay", game, "--url", serving.url, "--token", "mt_nonsense", home=tmp_path)
    assert done.returncode == 2
    assert is_one_sentence(done.stderr)


def test_an_exported_game_is_imported_into_a_running_service(
    serving: Serving, game: str, tmp_path: Path
) -> None:
    """Over HTTP and into its store; the same log a second time is refused in a sentence."""
    file = tmp_path / "log.ndjson"
    meldlog("export", game, "--data-dir", serving.data_dir, "--out", file, home=tmp_path)
    service = ("--url", serving.url, "--token", serving.token)
    done = meldlog("import", file, *service, "--json", home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert (told["version"], sorted(told["seat_tokens"])) == (5, ["0", "1"])
    audited = meldlog("audit", told["game_id"], "--data-dir", serving.data_dir, home=tmp_path)
    assert "agrees up to version 5" in audited.stdout
    for where in (service, ("--data-dir", str(serving.data_dir))):
        again = meldlog("import", file, *where, home=tmp_path)
        assert again.returncode == 1
        assert is_one_sentence(again.stderr)
        assert told["game_id"] in again.stderr

    shorter = tmp_path / "shorter.ndjson"
    shorter.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:3]))
    stored = meldlog("import", shorter, "--data-dir", serving.data_dir, home=tmp_path)
    assert stored.returncode == 0, stored.stderr
    assert stored.stdout.count("mt_") == 3


def test_a_log_that_was_tampered_with_is_not_imported(serving: Serving, game: str, tmp_path: Path) -> None:
    """The version is named."""
    file = tmp_path / "log.ndjson"
    meldlog("export", game, "--data-dir", serving.data_dir, "--out", file, home=tmp_path)
    file.write_bytes(file.read_bytes().replace(b"Bob", b"Eve"))
    for where in (("--url", serving.url, "--token", serving.token), ("--data-dir", str(serving.data_dir))):
        done = meldlog("import", file, *where, home=tmp_path)
        assert done.returncode == 1
        assert is_one_sentence(done.stderr)
        assert "version 3" in done.stderr


def test_a_log_is_imported_into_a_folder_that_holds_no_games_yet(
    serving: Serving, game: str, tmp_path: Path
) -> None:
    """It is made a store, deep down too; for a log that is refused nothing is made."""
    file, broken, new = tmp_path / "log.ndjson", tmp_path / "broken.ndjson", tmp_path / "new" / "games"
    meldlog("export", game, "--data-dir", serving.data_dir, "--out", file, home=tmp_path)
    broken.write_bytes(file.read_bytes().replace(b"Bob", b"Eve"))
    assert meldlog("import", broken, "--data-dir", new, home=tmp_path).returncode == 1
    assert not new.parent.exists()
    done = meldlog("import", file, "--data-dir", new, "--json", home=tmp_path)
    assert done.returncode == 0, done.stderr
    audited = meldlog("audit", json.loads(done.stdout)["game_id"], "--data-dir", new, home=tmp_path)
    assert "agrees up to version 5" in audited.stdout


def test_a_file_that_is_there_is_overwritten_only_by_force(
    serving: Serving, game: str, tmp_path: Path
) -> None:
    """It may be another game's log, and the only one."""
    file = tmp_path / "log.ndjson"
    file.write_text("precious")
    exporting = ("export", game, "--data-dir", str(serving.data_dir), "--out", str(file))
    done = meldlog(*exporting, home=tmp_path)
    assert (done.returncode, file.read_text()) == (2, "precious")
    assert is_one_sentence(done.stderr)
    assert "--force" in done.stderr
    assert meldlog(*exporting, "--force", home=tmp_path).returncode == 0
    assert file.read_text().count("\n") == 4
    if Path("/dev/stdout").exists():  # which is there, and no file
        exporting = (*exporting[:-1], "/dev/stdout")
        assert meldlog(*exporting, home=tmp_path).returncode == 0
