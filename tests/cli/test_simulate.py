"""`meldlog simulate`: games by bots, told and kept."""

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest
from click.testing import CliRunner, Result
from tests.cli.commands import (
    MELDLOG,
    PATIENCE,
    Serving,
    children_of,
    environ,
    is_one_sentence,
    is_running,
    meldlog,
)
from tests.cli.terminals import Terminal

from meldlog_service.cli.program import program

SHORT = ("crazy-rummy", "--house-rule", "deal_count=1", "--house-rule", "hand_size=7")
SEEDED = (*SHORT, "--bots", "plain,random", "--seed", "7")
MANY = ("crazy-rummy", "--games", "100000", "--seed", "7", "--jobs", "2")


def run(*arguments: str | Path) -> Result:
    """A command in this process: what it says and how it ends. To start one takes longer than most games."""
    return CliRunner().invoke(program, [str(argument) for argument in arguments])


def contents(folder: Path) -> dict[str, bytes]:
    """Every file in a folder, hidden ones as well."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_people_are_told_who_wins_and_how_long_games_are(tmp_path: Path) -> None:
    """In tables; nothing is written anywhere."""
    done = run("simulate", *SEEDED, "--games", "4")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "crazy-rummy, 2 seats, 4 games with seed 7" in done.stdout
    for words in (
        "plain against random: 4 won, 0 lost, 0 shared;",
        "points a deal ahead (",
        "In crazy-rummy fewer points are better.",
        "win rate",
        "points per deal",
        "Wilson",
        "Student's t",
        "4 deals ended",
    ):
        assert words in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("bots", ["plain,random", "random,plain"])
def test_two_strategies_are_compared_as_they_are_named(bots: str) -> None:
    """Who is ahead is told in words, and in a field: points are penalties here."""
    first, second = bots.split(",")
    asked = ("simulate", *SHORT, "--seed", "7", "--games", "4", "--bots", bots)
    told = json.loads(run(*asked, "--json").stdout)["summary"]
    duel = told["duel"]
    assert [one["strategy"] for one in told["strategies"]] == [first, second]
    assert (duel["strategy"], duel["against"]) == (first, second)
    assert (duel["ahead"], duel["fewer_is_better"]) == ("plain", True)
    assert (duel["points_per_deal"]["value"] < 0) == (duel["points_ahead"]["value"] > 0) == (first == "plain")
    words = " ".join(run(*asked).stdout.split())
    by = abs(duel["points_ahead"]["value"])
    assert f"{by:.2f} points a deal {'ahead' if first == 'plain' else 'behind'} (" in words


def test_duplicates_are_told_as_such() -> None:
    """What is one observation, to people and to programs."""
    asked = ("simulate", *SEEDED, "--games", "4", "--duplicate")
    assert "the games of one shuffle being one observation" in " ".join(run(*asked).stdout.split())
    told = json.loads(run(*asked, "--json").stdout)
    assert told["plan"]["duplicate"] is True
    assert "one shuffle" in told["intervals"]["points_per_deal"]


def test_duplicates_without_rotation_are_refused() -> None:
    """Nobody would play another's hand."""
    done = run("simulate", *SEEDED, "--duplicate", "--no-rotate")
    assert done.exit_code == 2
    assert is_one_sentence(done.stderr)


def test_programs_are_told_everything(tmp_path: Path) -> None:
    """One JSON object: the plan, by which the games can be played again, and the figures."""
    done = run("simulate", *SEEDED, "--games", "4", "--json")
    told = json.loads(done.stdout)
    assert told["plan"]["house_rules"] == {"deal_count": 1, "hand_size": 7}
    assert (told["plan"]["seed"], told["plan"]["bots"], told["plan"]["seats"]) == (
        "7",
        ["plain", "random"],
        2,
    )
    assert (told["summary"]["played"], told["summary"]["finished"]) == (4, 4)
    assert [one["strategy"] for one in told["summary"]["strategies"]] == ["plain", "random"]
    assert sum(one["wins"] for one in told["summary"]["strategies"]) == 4
    assert told["summary"]["games"]["deals_ended"]
    assert (told["kept"], told["kept_in"], told["interrupted"]) == (0, None, False)
    assert told["confidence"] == 0.95


def test_the_same_seed_makes_the_same_files_whatever_the_number_of_jobs(tmp_path: Path) -> None:
    """By one process or by two; another seed makes others."""
    games = (*SEEDED, "--games", "6")
    assert run("simulate", *games, "--jobs", "1", "--out", tmp_path / "one").exit_code == 0
    done = meldlog("simulate", *games, "--jobs", "2", "--out", tmp_path / "two", home=tmp_path)
    assert done.returncode == 0, done.stderr
    made = contents(tmp_path / "one")
    assert len(made) == 6
    assert made == contents(tmp_path / "two")
    run("simulate", *games, "--jobs", "1", "--seed", "8", "--out", tmp_path / "other")
    assert made.keys().isdisjoint(contents(tmp_path / "other"))


def test_files_are_audited_and_verified_like_any_others(tmp_path: Path) -> None:
    """They are what `meldlog export` writes."""
    run("simulate", *SEEDED, "--games", "3", "--out", tmp_path / "logs")
    files = sorted((tmp_path / "logs").iterdir())
    audited = run("audit", *files)
    assert (audited.exit_code, audited.stdout) == (0, "3 games: 3 agree\n")
    verified = run("verify", files[0])
    assert verified.exit_code == 0, verified.stdout
    assert run("replay", files[0], "--at", "3").exit_code == 0


def test_games_go_into_a_new_data_folder_from_where_a_service_serves_them(tmp_path: Path) -> None:
    """They are listed as finished, and audited; to play them again changes nothing."""
    games = tmp_path / "games"
    for _ in range(2):
        done = run("simulate", *SEEDED, "--games", "3", "--data-dir", games, "--json")
        assert (done.exit_code, json.loads(done.stdout)["kept"]) == (0, 3), done.stderr
    assert run("audit", "--all", "--data-dir", games).stdout == "3 games: 3 agree\n"
    with Serving(tmp_path, data_dir=games) as serving:
        listed = serving.get("/v1/games?status=finished").json()["items"]
        assert len(listed) == 3
        view = serving.get(f"/v1/games/{listed[0]['game_id']}").json()
        assert (view["status"], view["seats"][0]["kind"]) == ("finished", "bot")


def test_games_go_into_the_store_of_a_running_service(serving: Serving, tmp_path: Path) -> None:
    """It finds them at once."""
    logs = tmp_path / "logs"
    games = ("simulate", *SEEDED, "--seed", "running", "--games", "1")
    assert run(*games, "--data-dir", serving.data_dir).exit_code == 0
    assert run(*games, "--out", logs).exit_code == 0
    for file in logs.iterdir():
        assert serving.get(f"/v1/games/{file.stem}").json()["status"] == "finished"
        exported = run("export", file.stem, "--data-dir", serving.data_dir)
        assert exported.stdout_bytes == file.read_bytes()


def test_a_game_that_does_not_end_is_told(tmp_path: Path) -> None:
    """With its number, and status 1; it stays out of a store."""
    done = run("simulate", *SEEDED, "--games", "2", "--most-commands", "9")
    assert done.exit_code == 1
    assert is_one_sentence(done.stderr)
    assert "2 of 2 games" in done.stderr
    assert "Game 0 (" in done.stdout
    assert "unfinished: left after 9 commands" in done.stdout
    kept = ("--data-dir", tmp_path / "games", "--json")
    told = run("simulate", *SEEDED, "--games", "2", "--most-commands", "9", *kept).stdout
    assert json.loads(told)["kept"] == 0


@contextmanager
def simulating(home: Path, where: str, place: Path, *more: str) -> Iterator[subprocess.Popen[bytes]]:
    """A long run that has kept something; killed at the end, if it is still going on."""
    process = subprocess.Popen(
        [MELDLOG, "simulate", *MANY, where, place, *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environ(home),
    )
    try:
        until = monotonic() + 3 * PATIENCE  # three processes start
        while not has_games(place):
            assert monotonic() < until
            assert process.poll() is None
            sleep(0.01)  # nobody tells that a game has been kept
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("where", ["--out", "--data-dir"])
def test_an_interrupted_run_tells_what_is_finished_and_leaves_no_half_game(
    where: str, tmp_path: Path
) -> None:
    """With status 130, soon, though many games are left; all that it kept agrees."""
    place = tmp_path / "games"
    with simulating(tmp_path, where, place, "--json") as process:
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=PATIENCE)
    told = json.loads(out)
    assert process.returncode == 130
    assert is_one_sentence(errors.decode())
    assert f"{told['summary']['finished']} of 100000 games are finished" in errors.decode()
    assert told["interrupted"] is True
    if where == "--out":
        assert len(contents(place)) == told["kept"] > 0
        games: list[str | Path] = list(place.iterdir())
    else:
        games = ["--all", "--data-dir", place]
    audited = meldlog("audit", *games, home=tmp_path)
    assert f"{told['kept']} game" in audited.stdout
    assert audited.returncode == 0


def test_no_process_outlives_a_run_that_is_killed(tmp_path: Path) -> None:
    """Games that nobody asks for any more are not played on."""
    place = tmp_path / "games"
    with simulating(tmp_path, "--out", place) as process:
        helpers = children_of(process.pid)
        assert len(helpers) > 2
    until = monotonic() + PATIENCE
    while any(map(is_running, helpers)):
        assert monotonic() < until
        sleep(0.01)


def has_games(place: Path) -> bool:
    """Whether something has been kept in a folder, of files or of a store."""
    if any(place.glob("*.ndjson")):
        return True
    return any(file.stat().st_size > 10_000 for file in place.glob("appendonlydir/*.incr.aof"))


@pytest.mark.parametrize(
    "arguments",
    [
        ["nothing"],
        ["stock-end"],
        ["beanie", "--bots", "plain,nobody"],
        ["beanie", "--bots", "plain,plain,plain", "--seats", "2"],
        ["beanie", "--seats", "99"],
        ["beanie", "--house-rule", "nonsense=1"],
        ["beanie", "--option", "nonsense"],
    ],
    ids=" ".join,
)
def test_a_game_that_there_cannot_be_is_told(arguments: list[str], tmp_path: Path) -> None:
    """In a sentence, before anything is played."""
    done = run("simulate", *arguments, "--out", tmp_path / "logs")
    assert done.exit_code == 2
    assert is_one_sentence(done.stderr)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [["--out", "a", "--data-dir", "b"], ["--games", "0"], ["--house-rule", "deal_count"]],
    ids=" ".join,
)
def test_wrong_usage_is_told(arguments: list[str]) -> None:
    """Status 2."""
    assert run("simulate", "beanie", *arguments).exit_code == 2


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """With status 1."""
    (tmp_path / "file").touch()
    for where in (("--out", tmp_path / "file" / "logs"), ("--redis-url", "redis://127.0.0.1:1")):
        done = run("simulate", *SHORT, "--games", "1", *where)
        assert done.exit_code == 1
        assert is_one_sentence(done.stderr)


def test_a_person_who_watches_sees_how_far_it_is(tmp_path: Path) -> None:
    """On standard error; the tables go their own way."""
    with Terminal("simulate", *SHORT, "--games", "3", home=tmp_path, only_errors=True) as terminal:
        assert "playing" in terminal.read_all()
        assert terminal.process.stdout is not None
        assert b"3 games with seed" in terminal.process.stdout.read()
        assert terminal.process.wait(PATIENCE) == 0
