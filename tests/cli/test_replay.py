"""`meldlog replay`."""

import json
import subprocess
import sys
from io import StringIO
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console
from tests.cli.commands import PATIENCE, environ, is_one_sentence, meldlog, write_log
from tests.cli.terminals import Terminal
from tests.support.games import Game
from tests.support.tamper import edited, event_of, export, version_of

from meldlog_contracts.events import Event
from meldlog_service.cli.keys import NOTHING
from meldlog_service.cli.replaying import Step, replay
from meldlog_service.cli.stepping import Stepping, deal_at, step_through
from meldlog_service.cli.words import SENTENCES, shown
from meldlog_service.core.views import Viewer, view


def as_json(game: Game, version: int, viewer: Viewer) -> Any:
    """A table that was played, as a viewer sees it in JSON."""
    return msgspec.json.decode(msgspec.json.encode(view(game.tables[version], viewer)))


def test_every_version_is_printed(log_file: Path, finished: Game, tmp_path: Path) -> None:
    """The commit, what happened, and the table after it, down to the result."""
    done = meldlog("replay", log_file, home=tmp_path)
    assert done.returncode == 0
    assert all(f"version {version}  " in done.stdout for version in range(1, finished.version + 1))
    assert "seat 0 is next" in done.stdout
    assert done.stdout.rstrip().splitlines()[-1].startswith("game over: won by")
    assert "\x1b" not in done.stdout


def test_the_tables_are_those_that_were_played(log_file: Path, finished: Game, tmp_path: Path) -> None:
    """As JSON, a line for each version."""
    done = meldlog("replay", log_file, "--json", home=tmp_path)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == finished.version
    for version in (1, finished.version // 2, finished.version):
        assert lines[version - 1]["version"] == version
        assert lines[version - 1]["table"] == as_json(finished, version, "operator")


@pytest.mark.parametrize("viewer", ["spectator", "seat:1"])
def test_other_eyes_see_no_cards_of_others(
    viewer: str, log_file: Path, finished: Game, tmp_path: Path
) -> None:
    """The table is made from nothing but what that viewer was sent."""
    middle = finished.version // 2
    done = meldlog("replay", log_file, "--as", viewer, "--at", str(middle), "--json", home=tmp_path)
    (line,) = done.stdout.splitlines()
    told = json.loads(line)["table"]
    assert told == as_json(finished, middle, 1 if viewer == "seat:1" else "spectator")
    assert [seat["seat"] for seat in told["seats"] if "hand" in seat] == ([1] if viewer == "seat:1" else [])


def test_a_log_is_replayed_where_no_plugin_is_installed(log_file: Path, tmp_path: Path) -> None:
    """Neither the variants nor the library that plugs them in can be imported."""
    code = f"""
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("pluggy", "meldlog_variants"):
            raise ImportError(name)

sys.meta_path.insert(0, Blocker())
sys.argv = ["meldlog", "replay", {str(log_file)!r}]
from meldlog_service.cli import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environ(tmp_path), check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "game over" in done.stdout


def test_a_tampered_log_is_shown_and_told(finished: Game, tmp_path: Path) -> None:
    """The replay shows what the file says; that it is not what was recorded is said as well, with status 1."""

    def another_time(commit: dict[str, object]) -> None:
        commit["at"] = "2020-01-01T00:00:00.000Z"

    file = write_log(tmp_path / "log.ndjson", edited(finished.lines, 9, another_time, rehash=False))
    done = meldlog("replay", file, home=tmp_path)
    assert done.returncode == 1
    assert "game over" in done.stdout
    assert is_one_sentence(done.stderr)
    assert "version 9" in done.stderr


def test_a_log_with_a_gap_is_shown_up_to_it(finished: Game, tmp_path: Path) -> None:
    """A version that is missing leaves nothing to be shown after it."""
    file = write_log(tmp_path / "log.ndjson", [*finished.lines[:9], *finished.lines[10:]])
    done = meldlog("replay", file, home=tmp_path)
    assert done.returncode == 1
    assert "version 9  " in done.stdout
    assert "version 11  " not in done.stdout
    assert "line 10 does not follow" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--as", "seat:9"],
        ["--as", "nobody"],
        ["--at", "100000"],
        ["--deal", "99"],
        ["--deal", "1", "--at", "5"],
        ["--speed", "0"],
        ["--speed", "nan"],
        ["--token", "mt_1"],
        ["--url", "x"],
        ["--url", "http://x", "--data-dir", "y"],
    ],
)
def test_wrong_usage_is_told_apart_from_faults(arguments: list[str], log_file: Path, tmp_path: Path) -> None:
    """Status 2."""
    done = meldlog("replay", log_file, *arguments, home=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_file_that_is_no_log_is_told(tmp_path: Path) -> None:
    """In a sentence."""
    file = tmp_path / "log.ndjson"
    file.write_text("this is no log\n")
    done = meldlog("replay", file, home=tmp_path)
    assert done.returncode == 1
    assert is_one_sentence(done.stderr)


def test_keys_step_through_a_game(finished: Game) -> None:
    """Next, previous, a number, and never over an edge."""
    steps = replay(finished.lines, "operator").steps
    last = len(steps)
    keys = iter(
        [
            "n",
            "n",
            "p",
            "2",
            "0",
            "\r",
            "\x1b[C",
            "9",
            "9",
            "9",
            "9",
            "9",
            "\r",
            "n",
            "1",
            "\r",
            "p",
            "q",
            "never asked for",
        ]
    )
    seen: list[int] = []

    def show(step: Step) -> None:
        seen.append(step.commit.version)

    step_through(steps, show, Console(file=StringIO()), Stepping(steps, 1), lambda _: next(keys))
    # A digit that is typed shows the same version again.
    assert [version for version, _ in groupby(seen)] == [1, 2, 3, 2, 20, 21, last, 1]
    assert list(keys) == ["never asked for"]


def test_keys_go_from_deal_to_deal(finished: Game) -> None:
    """To the next, to the beginning of this one, to the one before, and to one by its number."""
    steps = replay(finished.lines, "operator").steps
    begins = {number: deal_at(steps, number) for number in (1, 2, 3)}
    assert begins[1] == 4
    where = Stepping(steps, 1)
    reached = []
    for key in ("d", "d", "n", "n", "D", "D", "D", "3", "d", "9", "9", "d", "D"):
        where.press(key)
        reached.append(where.at)
    one, two, three = begins[1], begins[2], begins[3]
    assert two is not None
    assert reached == [one, two, two + 1, two + 2, two, one, 1, 1, three, three, three, three, two]


def test_a_replay_plays_by_itself(finished: Game) -> None:
    """At a speed that keys change, until it is stopped or at its end."""
    steps = replay(finished.lines, "operator").steps
    where = Stepping(steps, len(steps) - 3)
    waits = [where.pause]
    for key in ("s", "+", "+", "-", NOTHING, "s", "s"):
        where.press(key)
        waits.append(where.pause)
    assert waits == [None, 1.0, 0.5, 0.25, 0.5, 0.5, None, 0.5]
    assert where.at == len(steps) - 2
    for _ in range(5):
        where.press(NOTHING)
    assert (where.at, where.pause) == (len(steps), None)


def test_a_person_at_a_terminal_steps(log_file: Path, tmp_path: Path) -> None:
    """One version at a time, until q."""
    with Terminal("replay", log_file, home=tmp_path) as terminal:
        terminal.read_until("[1/")
        terminal.press("n")
        terminal.read_until("[2/")
        terminal.press("40\r")
        terminal.read_until("[40/")
        assert "version 40" in terminal.screen
        terminal.press("q")
        assert terminal.process.wait(PATIENCE) == 0


def test_a_person_may_press_anything(log_file: Path, tmp_path: Path) -> None:
    """Long numbers, digits of other scripts, half an arrow, bytes that are no text: the next key is heeded again."""
    with Terminal("replay", log_file, "--knowledge", home=tmp_path) as terminal:
        terminal.read_until("[1/")
        terminal.press("9" * 6000 + "\r²٣é\x1b[\x1b[200~\x00p")
        terminal.press("5\r")
        terminal.read_until("[5/")
        terminal.press("q")
        assert terminal.process.wait(PATIENCE) == 0


@pytest.mark.parametrize("arguments", [("--at", "1"), ("--deal", "1"), ()])
def test_a_log_of_which_nothing_can_be_shown_is_told(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """By what is wrong with it, whatever was asked for."""
    done = meldlog("replay", "-", *arguments, home=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "the log is empty" in done.stderr


def test_a_log_from_standard_input_is_shown_up_to_where_it_was_cut(log_file: Path, tmp_path: Path) -> None:
    """In the midst of a line."""
    log = log_file.read_bytes()
    done = meldlog("replay", "-", "--as", "seat:1", home=tmp_path, stdin=log[: len(log) // 2])
    whole = log[: len(log) // 2].count(b"\n")
    assert done.returncode == 1
    assert f"version {whole}  " in done.stdout
    assert f"version {whole + 1}  " not in done.stdout
    assert f"line {whole + 1} is no commit of a log" in done.stderr


def test_names_in_a_log_are_no_words_to_the_terminal(finished: Game, tmp_path: Path) -> None:
    """Neither what moves the cursor nor what a library takes for markup."""

    def another_name(commit: dict[str, Any]) -> None:
        event_of(commit, "seat_taken").update(name="[/x] [red]Ann\x1b[2J\u202e")

    at = version_of(finished.lines, "seat_taken")
    file = write_log(tmp_path / "log.ndjson", edited(finished.lines, at, another_name))
    done = meldlog("replay", file, home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "[/x] [red]Ann\ufffd[2J\ufffd" in done.stdout
    assert "\x1b" not in done.stdout


def test_every_event_has_its_sentence() -> None:
    """A new kind of event needs one."""
    tags = {str(kind.__struct_config__.tag) for kind in Event.__args__}
    assert SENTENCES.keys() == tags


def test_names_cannot_write_on_the_terminal() -> None:
    """What moves the cursor or turns the line round is replaced; what scripts need stays."""
    assert shown("Ann\x1b[2J\u202eevil\x07") == "Ann\ufffd[2J\ufffdevil\ufffd"
    assert shown("می\u200cخواهم") == "می\u200cخواهم"


def test_a_deal_is_printed_by_itself(log_file: Path, finished: Game, tmp_path: Path) -> None:
    """From its first version to its last."""
    done = meldlog("replay", log_file, "--deal", "2", "--json", home=tmp_path)
    versions = [json.loads(line)["version"] for line in done.stdout.splitlines()]
    played = [table.version for table in finished.tables if table.deal.number == 2]
    assert versions == played


def test_who_knew_what_is_told(log_file: Path, finished: Game, tmp_path: Path) -> None:
    """To the operator of every seat, to others of themselves; to a seat the same from its own export."""
    middle = finished.version // 2
    at = ("--at", str(middle), "--knowledge", "--json")
    everybody = json.loads(meldlog("replay", log_file, *at, home=tmp_path).stdout)["knowledge"]
    own = json.loads(meldlog("replay", log_file, "--as", "seat:1", *at, home=tmp_path).stdout)["knowledge"]
    redacted = write_log(tmp_path / "mine.ndjson", export(finished.lines, 1))
    mine = json.loads(meldlog("replay", redacted, "--as", "seat:1", *at, home=tmp_path).stdout)["knowledge"]
    assert [one["viewer"] for one in everybody] == ["seat:0", "seat:1"]
    assert own == mine == everybody[1:]
    assert sorted(own[0]["hands"][1]) == sorted(finished.tables[middle].deal.hands[1])
    told = meldlog("replay", log_file, "--at", str(middle), "--knowledge", home=tmp_path).stdout
    assert "seat:0 knows" in told
    assert "has seen" in told


def test_a_person_lets_it_play(log_file: Path, tmp_path: Path) -> None:
    """By itself from the start, and stops it by a key."""
    with Terminal("replay", log_file, "--speed", "20", home=tmp_path) as terminal:
        terminal.read_until("[4/")
        terminal.press("sq")
        assert terminal.process.wait(PATIENCE) == 0
