"""`meldlog audit` of logs that were exported."""

import fcntl
import json
from pathlib import Path

import pytest
from tests.cli.commands import PATIENCE, is_one_sentence, meldlog, write_log
from tests.cli.terminals import Terminal
from tests.support import newer_rules
from tests.support.games import Game
from tests.support.tamper import edited, event_of, export, version_of


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


def forged(finished: Game, folder: Path) -> Path:
    """A game whose first deal was scored too well, every hash made to fit."""

    def better(commit: dict[str, object]) -> None:
        event_of(commit, "deal_scored").update(totals=[0, 0])

    at = version_of(finished.lines, "deal_scored")
    return write_log(folder / "forged.ndjson", edited(finished.lines, at, better))


def test_a_difference_is_shown(finished: Game, tmp_path: Path) -> None:
    """What was recorded, what is decided, and where the tables differ."""
    done = meldlog("audit", forged(finished, tmp_path), home=tmp_path)
    assert done.returncode == 1
    assert "recorded: points" in done.stdout
    assert "decided:  points" in done.stdout
    assert "/totals/" in done.stdout
    assert "1  differs: decisions: other consequences" in done.stdout
    programs = meldlog("audit", forged(finished, tmp_path), "--json", home=tmp_path)
    difference = json.loads(programs.stdout)["difference"]
    assert difference["version"] == version_of(finished.lines, "deal_scored")
    assert difference["table"]


def test_a_folder_stands_for_the_logs_in_it(log_file: Path, tmp_path: Path) -> None:
    """One without any is told."""
    write_log(tmp_path / "other.ndjson", log_file.read_bytes().splitlines())
    done = meldlog("audit", tmp_path, home=tmp_path)
    assert (done.returncode, done.stdout) == (0, "2 games: 2 agree\n")
    empty = tmp_path / "empty"
    empty.mkdir()
    done = meldlog("audit", empty, home=tmp_path)
    assert done.returncode == 2
    assert is_one_sentence(done.stderr)


def test_old_games_are_judged_by_newer_rules(log_file: Path, finished: Game, tmp_path: Path) -> None:
    """Which would have gone otherwise, where, and by which clause; the rules must be there."""
    missing = meldlog("audit", log_file, "--with", "taken-discard=2", home=tmp_path)
    assert missing.returncode == 2
    assert is_one_sentence(missing.stderr)
    newer_rules.install(tmp_path)
    assert meldlog("audit", log_file, home=tmp_path, PYTHONPATH=str(tmp_path)).returncode == 0

    done = meldlog("audit", log_file, "--with", "taken-discard=2", home=tmp_path, PYTHONPATH=str(tmp_path))

    assert done.returncode == 1
    assert "decided:  refused, illegal_move (discard.queens): a queen is not discarded" in done.stdout
    assert "judged by taken-discard 2: 0 would have gone as they went, 1 otherwise" in done.stdout
    assert "1  differs: decisions: refused now, discard.queens" in done.stdout


@pytest.mark.parametrize("wrong", ["crazy-rummy", "=2", "crazy-rummy=two", "crazy-rummy=-1"])
def test_rules_are_named_with_their_version(log_file: Path, tmp_path: Path, wrong: str) -> None:
    """Anything else is told."""
    assert meldlog("audit", log_file, "--with", wrong, home=tmp_path).returncode == 2


def test_an_audit_can_be_gone_on_with(log_file: Path, finished: Game, tmp_path: Path) -> None:
    """What was judged is told again and not judged again; what has changed since is."""
    copies = [write_log(tmp_path / f"{n}.ndjson", finished.lines) for n in range(5)]
    bad = forged(finished, tmp_path)
    state = tmp_path / "state"
    first = meldlog("audit", *copies, bad, "--resume", state, "--json", home=tmp_path)
    assert len(state.read_bytes().splitlines()) == 7

    # Killed in the middle of its sixth game, and while it wrote that one down.
    whole = state.read_bytes().splitlines(keepends=True)
    state.write_bytes(b"".join(whole[:6]) + whole[6][:20])
    again = meldlog("audit", *copies, bad, "--resume", state, "--json", home=tmp_path)

    assert again.returncode == first.returncode == 1
    assert again.stdout == first.stdout
    assert len(state.read_bytes().splitlines()) == 7
    copies[2].write_bytes(b"")
    changed = meldlog("audit", *copies, "--resume", state, "--json", home=tmp_path)
    verdicts = [json.loads(line)["verdict"] for line in changed.stdout.splitlines()]
    assert verdicts == ["agrees", "agrees", "cannot_judge", "agrees", "agrees"]


def test_the_state_of_another_audit_is_not_gone_on_with(log_file: Path, tmp_path: Path) -> None:
    """By other rules, or no state at all."""
    newer_rules.install(tmp_path)
    state, nonsense = tmp_path / "state", tmp_path / "nonsense"
    nonsense.write_text("{}\n")
    assert meldlog("audit", log_file, "--resume", state, home=tmp_path).returncode == 0
    for file, more in ((state, ("--with", "taken-discard=2")), (state, ()), (nonsense, ())):
        done = meldlog("audit", log_file, "--resume", file, *more, home=tmp_path, PYTHONPATH=str(tmp_path))
        assert done.returncode == 2
        assert is_one_sentence(done.stderr)


@pytest.mark.parametrize("content", ["my notes", "my notes\nand more", "\n", "{}\n{"])
def test_a_file_that_is_no_state_stays_as_it_is(log_file: Path, tmp_path: Path, content: str) -> None:
    """A name that was mistyped costs nobody anything."""
    notes = tmp_path / "notes.txt"
    notes.write_text(content)
    done = meldlog("audit", log_file, "--resume", notes, home=tmp_path)
    assert done.returncode == 2
    assert is_one_sentence(done.stderr)
    assert notes.read_text() == content


def test_a_state_that_was_cut_in_its_first_line_begins_anew(log_file: Path, tmp_path: Path) -> None:
    """As by a kill in the first moment."""
    state = tmp_path / "state"
    assert meldlog("audit", log_file, "--resume", state, home=tmp_path).returncode == 0
    whole = state.read_bytes()
    for cut in (0, 1, whole.index(b"\n")):
        state.write_bytes(whole[:cut])
        assert meldlog("audit", log_file, "--resume", state, home=tmp_path).returncode == 0
        assert state.read_bytes() == whole


def test_two_audits_do_not_share_a_state(log_file: Path, tmp_path: Path) -> None:
    """Their lines would be mixed up."""
    state = tmp_path / "state"
    with state.open("a+b") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        done = meldlog("audit", log_file, "--resume", state, home=tmp_path)
    assert done.returncode == 2
    assert "is being written by another audit" in done.stderr
    assert state.read_bytes() == b""
