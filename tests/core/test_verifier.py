"""The stand-alone verifier accepts what is right, and says what an export can prove and what it cannot."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.support.forge import PLAIN, Forge, Node, small_game, whole_game
from tests.support.tamper import chained, edited, event_of, export, version_of

from meldlog_contracts import verifier
from meldlog_contracts.verifier import Report, verify

SOURCE = Path(verifier.__file__)
GAME = whole_game()
UNFINISHED = whole_game(reveal=False)


def verdicts(report: Report) -> dict[str, set[str]]:
    """Every verdict given under each name."""
    given: dict[str, set[str]] = {}
    for check in report.checks:
        given.setdefault(check.name, set()).add(check.verdict)
    return given


def counted(report: Report, name: str, verdict: str) -> int:
    """How many things got this verdict under this name."""
    return sum(check.count for check in report.checks if (check.name, check.verdict) == (name, verdict))


def faults(report: Report) -> list[tuple[str, int | None]]:
    """Name and version of every fault."""
    return [(check.name, check.version) for check in report.checks if check.verdict == "fault"]


# -- what is proved


def test_the_operators_export_of_a_whole_game_is_proved_in_every_point() -> None:
    """Nothing is left open where every secret is open and the head is known."""
    report = verify(GAME.lines, GAME.prev)
    assert report.ok
    assert {verdict for given in verdicts(report).values() for verdict in given} == {"proved"}
    assert (report.game_id, report.versions, report.head) == ("g-1", GAME.version, GAME.prev)
    assert report.first_fault is None


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_a_finished_game_is_proved_to_every_viewer_by_its_revealed_seed(viewer: int | None) -> None:
    """With the game seed, closed hands, stock and draws are recomputed and their seals compared."""
    lines = export(GAME.lines, viewer)
    report = verify(lines, GAME.prev)
    assert report.ok
    assert {verdict for given in verdicts(report).values() for verdict in given} == {"proved"}
    assert counted(report, "seals", "proved") == counted(verify(GAME.lines), "seals", "proved")


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_a_game_still_played_is_accepted_with_what_nobody_can_prove_yet(viewer: int | None) -> None:
    """Without seeds the chain and the opened values are proved, chance is not."""
    report = verify(export(UNFINISHED.lines, viewer))
    assert report.ok
    given = verdicts(report)
    assert given["chain"] == {"proved", "not_provable"}
    assert given["conservation"] == {"proved"}
    assert given["commitments"] == given["shuffles"] == given["draws"] == {"not_provable"}
    opened = sum(line.count(b'"salt"') for line in export(UNFINISHED.lines, viewer))
    assert counted(report, "seals", "proved") == opened
    assert (
        counted(report, "seals", "not_provable")
        == counted(verify(UNFINISHED.lines), "seals", "proved") - opened
    )


def test_every_viewer_computes_the_same_head() -> None:
    """The chain covers the public form, so redaction does not change it."""
    heads = {verify(export(GAME.lines, viewer)).head for viewer in (None, 0, 1, 2)}
    assert heads == {verify(GAME.lines).head} == {GAME.prev}


def test_a_deals_own_seed_lets_everybody_redo_its_shuffle_but_opens_no_seal() -> None:
    """Salts follow from the game seed alone, so closed values stay closed; own cards are compared."""
    game = Forge()
    game.take_seats()
    for _ in range(2):
        game.deal(3, 3, 3)
        game.draw(1)
        game.discard(1)
        game.score()
        game.reveal_deal()
    report = verify(export(game.lines, 1))
    assert report.ok
    assert counted(report, "commitments", "proved") == counted(report, "shuffles", "proved") == 2
    assert counted(report, "draws", "proved") == 2
    assert verdicts(report)["seals"] == {"proved", "not_provable"}
    assert verdicts(verify(export(game.lines, 0)))["draws"] == {"not_provable"}


@pytest.mark.parametrize("direction", ["cw", "ccw", None])
@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_cards_are_dealt_in_the_direction_of_play(direction: str | None, dealer: int) -> None:
    """From the seat after the dealer to the dealer, clockwise unless told otherwise; the extra card comes last."""
    step = -1 if direction == "ccw" else 1
    game = Forge(house_rules={"packs": 1} | ({"direction": direction} if direction else {}))
    game.take_seats()
    game.deal(4, 5, 4, dealer=dealer, step=step)
    game.deal(4, 4, 4, dealer=dealer, step=-step)
    assert faults(verify(game.lines)) == [("shuffles", 6)]
    assert verify(game.lines[:5]).ok


def test_two_packs_and_jokers_are_shuffled_pack_by_pack_with_the_jokers_last() -> None:
    """The house rules name the packs, the number of cards dealt tells the jokers."""
    game = Forge(house_rules={"packs": 2, "printed_jokers": 4}, pack=[*PLAIN, *PLAIN, *["JK"] * 4])
    game.take_seats()
    game.deal(13, 13, 14)
    game.reveal_game()
    assert counted(verify(export(game.lines, None)), "shuffles", "proved") == 1
    assert counted(verify(game.lines), "shuffles", "proved") == 1


def test_a_pack_that_house_rules_do_not_tell_is_read_off_the_open_cards() -> None:
    """A pack of eight is proved to the operator; to others only numbers of cards are checked."""
    game = small_game()
    assert all(given == {"proved"} for given in verdicts(verify(game.lines, game.prev)).values())
    report = verify(export(game.lines, 0), game.prev)
    assert verdicts(report)["shuffles"] == verdicts(report)["conservation"] == {"not_provable"}
    assert "the packs are not told in this export" in report.text()


@pytest.mark.parametrize(
    ("sizes", "one_pack"), [((3, 3), False), ((9,), False), ((4, 2, 7), True), ((), False)]
)
def test_the_draw_for_the_first_dealer_goes_on_in_one_pack_or_takes_a_new_one(
    sizes: tuple[int, ...], one_pack: bool
) -> None:
    """Both follow from the game seed."""
    game = Forge()
    game.take_seats()
    game.commit({"type": "start_game"}, game.draw_for_dealer(*sizes, one_pack=one_pack))
    report = verify(game.lines)
    assert report.ok
    assert counted(report, "shuffles", "proved") == len(sizes)


@pytest.mark.parametrize("viewer", ["operator", None, 1])
def test_a_pile_turned_over_without_a_shuffle_keeps_its_order(viewer: int | str | None) -> None:
    """The bottom card comes to the front; everybody has seen it, so later draws are checked."""
    game = Forge()
    game.take_seats()
    game.deal(3, 3, 3)
    game.use_up_stock(0)
    game.renew(keep=1, shuffle=False)
    game.draw(1)
    game.discard(1)
    lines = (
        game.lines
        if viewer == "operator"
        else export(game.lines, viewer if isinstance(viewer, int) else None)
    )
    report = verify(lines)
    assert report.ok
    assert counted(report, "draws", "proved") == {"operator": 43, None: 0, 1: 1}[viewer]


def test_a_seat_that_was_removed_moves_the_later_ones_down() -> None:
    """Entropies are joined in the order of the seats that are left; a seat left empty adds nothing."""
    game = Forge(entropies=("a", None, "c", "d"))
    game.take_seats()
    game.commit({"type": "leave"}, {"type": "seat_left", "seat": 1, "removed": True})
    game.commit({"type": "leave"}, {"type": "seat_left", "seat": 2})
    game.entropies = ["a", "c", None]
    game.deal(3, 3, 3)
    assert verify(game.lines).ok


def test_seats_may_be_told_as_a_list() -> None:
    """A number of seats or one entry for each."""
    game = Forge(seats=[{"seat": 0}, {"seat": 1}, {"seat": 2}])
    game.take_seats()
    game.deal(3, 3, 3)
    assert verify(game.lines).ok


def test_a_fork_goes_on_from_the_old_games_commits_with_its_own_seed() -> None:
    """The chain begins with the old game's id; seals and chance go on with the new seed."""
    game = whole_game(reveal=False)
    game.fork("g-2", bytes(32))
    game.deal(5, 5, 5)
    game.draw(1)
    report = verify(game.lines)
    assert report.ok
    assert report.game_id == "g-2"
    assert counted(report, "commitments", "proved") == 2 + 4
    game.reveal_game()
    redacted = verify(export(game.lines, None))
    assert redacted.ok
    assert counted(redacted, "commitments", "proved") == 2
    assert counted(redacted, "commitments", "not_provable") == 4


def test_fields_added_by_later_releases_are_no_fault() -> None:
    """The log format promises that more fields may come."""

    def add(commit: Node) -> None:
        commit["shard"] = "x"
        for event in commit["events"]:
            event["note"] = {"seen": [1, {"by": None}]}

    assert verify(edited(GAME.lines, 7, add)).ok


def test_a_secret_opened_later_is_checked_against_the_seal_given_then() -> None:
    """The hands of a redacted log may be opened afterwards; the head stays the same."""
    redacted, full = export(UNFINISHED.lines, None), UNFINISHED.lines
    at = version_of(full, "deal_started") - 1
    report = verify([*redacted[:at], full[at], *redacted[at + 1 :]], UNFINISHED.prev)
    assert report.ok
    assert counted(report, "seals", "proved") == 4


# -- the head


def test_a_missing_end_is_found_with_the_head_only() -> None:
    """Without a hash kept elsewhere the report says that it cannot know."""
    cut = GAME.lines[:-2]
    assert verify(cut).ok
    assert "missing at the end" in verify(cut).text()
    # Nothing else is not provable beyond the last version, so programs know it by its place.
    beyond = [one for one in verify(cut).checks if one.version is not None and one.version > len(cut)]
    assert [(one.name, one.verdict, one.version) for one in beyond] == [
        ("chain", "not_provable", len(cut) + 1)
    ]
    assert not [one for one in verify(cut, verify(cut).head).checks if (one.version or 0) > len(cut)]
    report = verify(cut, GAME.prev)
    assert faults(report) == [("chain", len(cut))]
    assert "the end is missing" in report.text()


def test_a_head_noted_during_the_game_still_proves_what_lay_before_it() -> None:
    """Commits that came later are named, and are no fault."""
    noted = verify(GAME.lines[:9]).head
    assert noted is not None
    report = verify(GAME.lines, noted.upper())
    assert report.ok
    later = GAME.version - 9
    assert report.anchor == 9
    assert (
        f"up to version 9, whose hash you gave, this is the log you knew; commits came after it ({later})"
        in [check.detail for check in report.checks]
    )


def test_who_has_all_seeds_can_write_another_log_and_only_the_head_tells() -> None:
    """This is what commit-and-reveal cannot prevent."""
    forged = whole_game(seed=bytes(32))
    assert verify(forged.lines).ok
    assert not verify(forged.lines, GAME.prev).ok


# -- the command line and the file itself


def run(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Exit status and output of the command."""
    status = verifier.main(arguments)
    return status, capsys.readouterr().out


def test_the_command_says_fine_fault_or_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 0, 1 and 2."""
    log = tmp_path / "log.ndjson"
    log.write_bytes(b"".join(line + b"\n" for line in GAME.lines))
    assert run([str(log), "--head", GAME.prev], capsys)[0] == 0
    assert run([str(log), "--head", "0" * 64], capsys)[0] == 1
    log.write_bytes(b"\n".join(GAME.lines[:4]) + b"\r\n")
    status, output = run([str(log)], capsys)
    assert status == 1
    assert output.splitlines()[-1].startswith(
        "FAULT in version 4: canonical: the line ends in a carriage return"
    )
    assert verifier.main([str(tmp_path / "none")]) == verifier.main([str(tmp_path)]) == 2
    with pytest.raises(SystemExit, match="2"):
        verifier.main([str(log), "--head", "not a hash"])


def test_the_report_is_also_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For programs."""
    log = tmp_path / "log.ndjson"
    log.write_bytes(b"\n".join(GAME.lines))
    report = json.loads(run([str(log), "--json"], capsys)[1])
    assert (report["ok"], report["versions"], report["head"]) == (True, GAME.version, GAME.prev)
    members = {"name", "verdict", "detail", "version", "event", "event_type", "count"}
    assert members == set(report["checks"][0])
    assert (report["first_fault"], report["anchor"], report["closed"]) == (None, None, 0)


def test_the_file_runs_alone(tmp_path: Path) -> None:
    """Carried away into an empty folder, without site packages, reading standard input."""
    shutil.copy(SOURCE, tmp_path / "verifier.py")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "verifier.py", "-"], cwd=tmp_path, input=b"\n".join(GAME.lines),
        capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines()[-1] == "No fault was found."


def test_the_file_imports_the_standard_library_only() -> None:
    """So that nobody needs to trust anything else of ours."""
    imported = {
        (node.module if isinstance(node, ast.ImportFrom) else alias.name) or ""
        for node in ast.walk(ast.parse(SOURCE.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert {name.split(".")[0] for name in imported} <= sys.stdlib_module_names


def test_the_first_fault_is_the_one_with_the_lowest_version() -> None:
    """Later faults may follow from it."""
    commits: list[Node] = [json.loads(line) for line in GAME.lines]
    event_of(commits[GAME.version - 1], "seeds_revealed")["game_seed"] = "0" * 64
    commits[10]["at"] = "later"
    lines = chained(commits, 12)
    report = verify(lines)
    assert faults(report) == [("chain", 11), ("commitments", GAME.version)]
    assert report.first_fault is not None
    assert report.first_fault.version == 11
    assert report.text().endswith(
        "FAULT in version 11: chain: the hash of version 11 is not that of its content"
    )


def test_a_fault_in_an_event_names_the_event() -> None:
    """Its index in the commit and its type, beside the version and the check."""
    at = version_of(GAME.lines, "stock_renewed")
    report = verify(
        edited(GAME.lines, at, lambda commit: event_of(commit, "stock_renewed").update(kept=["JK"]))
    )
    fault = report.first_fault
    assert fault is not None
    assert (fault.name, fault.version, fault.event, fault.event_type) == (
        "conservation",
        at,
        0,
        "stock_renewed",
    )
    assert f"FAULT in version {at}, event 0 (stock_renewed): conservation: JK is left lying" in report.text()


def test_the_report_says_what_this_export_keeps_from_its_reader() -> None:
    """Open and closed secrets are counted."""
    full, redacted = verify(GAME.lines), verify(export(GAME.lines, None))
    assert (full.opened, full.closed) == (redacted.closed, redacted.opened) == (full.opened, 0)
    assert "export    0 sealed values open, " in redacted.text()
    assert "nothing is kept from you" in full.text()
