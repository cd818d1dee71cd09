"""`meldlog audit` of logs that were exported."""

import json
from pathlib import Path

import pytest
from tests.cli.commands import PATIENCE, is_one_sentence, meldlog, write_log
from tests.cli.terminals import Terminal
from tests.support.games import Game
from tests.support.tamper import edited, export


def test_a_game_that_was_played_agrees(log_file: Path, finished: Game, tmp_path: Path) -> None:
    """Every check is told."""
    done = meldlog("audit", log_file, home=tmp_path)
    assert done.returncode == 0, done.stdout
    assert f"agrees up to version {finished.version}" in done.stdout
    assert "decisions" in done.stdout
    assert done.stderr == ""


def test_many_games_are_summed_up(log_file: Path, tmp_path: Path) -> None:
    """More than one process judges them; only what does not agree is told one by one."""
    done = meldlog("audit", *[log_file] * 6, home=tmp_path)
    assert (done.returncode, done.stdout) == (0, "6 games: 6 agree\n")


def test_causes_are_counted(finished: Game, log_file: Path, tmp_path: Path) -> None:
    """By the check that failed first; the status says that something did."""

    def another_time(commit: dict[str, object]) -> None:
        commit["at"] = "2020-01-01T00:00:00.000Z"

    broken = write_log(tmp_path / "broken.ndjson", edited(finished.lines, 9, another_time, rehash=False))
    nonsense = tmp_path / "nonsense.ndjson"
    nonsense.write_text("{}\n")
    redacted = write_log(tmp_path / "redacted.ndjson", export(finished.lines, 1))
    done = meldlog("audit", log_file, broken, nonsense, redacted, broken, home=tmp_path)
    assert done.returncode == 1
    assert "5 games: 1 agree" in done.stdout
    assert "2  differs: chain" in done.stdout
    assert "1  differs: log" in done.stdout
    assert "1  cannot judge" in done.stdout


def test_programs_are_told_a_game_a_line(finished: Game, log_file: Path, tmp_path: Path) -> None:
    """In the order that they were named in."""
    redacted = write_log(tmp_path / "redacted.ndjson", export(finished.lines, None))
    done = meldlog("audit", log_file, redacted, "--json", home=tmp_path)
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["game"], first["verdict"]) == (str(log_file), "agrees")
    assert (second["game"], second["verdict"]) == (str(redacted), "cannot_judge")
    assert done.returncode == 1


def test_nothing_does_not_agree(tmp_path: Path) -> None:
    """An empty file proves nothing."""
    empty = write_log(tmp_path / "empty.ndjson", [])
    for command in ("audit", "verify", "replay"):
        assert meldlog(command, empty, home=tmp_path).returncode == 1


@pytest.mark.parametrize("arguments", [[], ["--all", "x.ndjson"], ["--all", "--url", "http://127.0.0.1:1"]])
def test_wrong_usage_is_told(arguments: list[str], tmp_path: Path) -> None:
    """Status 2."""
    assert meldlog("audit", *arguments, home=tmp_path).returncode == 2


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    """In a sentence."""
    done = meldlog("audit", "nothing.ndjson", home=tmp_path)
    assert done.returncode == 2
    assert is_one_sentence(done.stderr)


def test_a_person_who_watches_sees_how_far_it_is(log_file: Path, tmp_path: Path) -> None:
    """On standard error; the answer goes its own way, as it would if nobody watched."""
    with Terminal("audit", *[log_file] * 3, home=tmp_path, only_errors=True) as terminal:
        assert "auditing" in terminal.read_all()
        assert terminal.process.stdout is not None
        assert terminal.process.stdout.read() == b"3 games: 3 agree\n"
        assert terminal.process.wait(PATIENCE) == 0
