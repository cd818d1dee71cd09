"""Nothing that a log may hold makes the stand-alone verifier raise, hang or take a wrong form for a right one."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from tests.support.forge import Forge, Node, canonical, small_game
from tests.support.hostile import NOT_CANONICAL, hostile_logs
from tests.support.tamper import edited, event_of

from meldlog_contracts import verifier
from meldlog_contracts.verifier import MAX_DEPTH, verify

GAME = small_game()
LINE = GAME.lines[-2]


def fault(line: bytes | str) -> tuple[str, str]:
    """The check that a bad third line fails, and what is said about it."""
    report = verify([*GAME.lines[:2], line, *GAME.lines[3:]])
    assert report.first_fault is not None
    assert report.first_fault.version == 3
    return report.first_fault.name, report.first_fault.detail


@pytest.mark.parametrize(("line", "detail"), NOT_CANONICAL, ids=[f"{row[0][:24]!r}" for row in NOT_CANONICAL])
def test_a_line_that_is_not_canonical_json_is_refused_with_its_reason(line: bytes | str, detail: str) -> None:
    """RFC 8785, restricted to whole numbers; no key twice, no half characters, no white space."""
    name, said = fault(line)
    assert name == "canonical"
    assert detail in said


def test_canonical_json_of_any_text_is_accepted() -> None:
    """Control characters, quotation marks, text outside the basic plane, keys sorted by code point."""
    names = "".join(map(chr, [*range(0x30), 0x5C, 0x7F, 0x80, 0x2028, 0xFFFF, 0x1F600]))

    def rename(commit: Node) -> None:
        commit["command"] = {names: names, "\U0001f600": 1, "\uffff": -1, "": 2**53 - 1}

    assert verify(edited(GAME.lines, 3, rename)).ok
    assert verify([line.decode() + "\n" for line in edited(GAME.lines, 3, rename)]).ok


def test_an_empty_log_is_a_fault() -> None:
    """It proves nothing about any game."""
    report = verify([])
    assert not report.ok
    assert (report.game_id, report.versions, report.head) == (None, 0, None)
    assert not verify([], "0" * 64).ok


def test_a_line_without_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading stops at the first line, or the first log, too long to be a game."""
    monkeypatch.setattr(verifier, "MAX_LINE", 5000)

    def lines() -> Iterator[bytes]:
        yield from GAME.lines[:2]
        yield b"[" * 6000
        raise AssertionError("went on reading")

    report = verify(lines())
    assert [(check.name, check.version) for check in report.checks if check.verdict == "fault"] == [
        ("canonical", 3)
    ]
    monkeypatch.setattr(verifier, "MAX_LOG", 1000)
    assert not verify(GAME.lines).ok


def test_lists_and_objects_may_not_be_nested_without_end() -> None:
    """Deep, but not always too deep for a JSON reader: the verdict is the same on every machine."""

    def nest(depth: int) -> list[bytes]:
        node: Any = 1
        for _ in range(depth):
            node = [node]
        return edited(GAME.lines, 3, lambda commit: commit["events"][0].update(data=node))

    # The commit, its events and the event itself count as well.
    assert verify(nest(MAX_DEPTH - 3)).ok
    report = verify(nest(MAX_DEPTH - 2))
    assert report.first_fault is not None
    assert "nested too deeply" in report.first_fault.detail
    for depth in range(100, 1000, 9):
        for where in ("events", "command"):
            report = verify(nested(depth, where))
            assert report.first_fault is not None
            assert "nested too deeply" in report.first_fault.detail


def nested(depth: int, where: str) -> list[bytes]:
    """A log in whose third line something is nested so deeply that Python may or may not follow."""
    deep = b"[" * depth + b"]" * depth
    commit: Node = json.loads(GAME.lines[2])
    commit[where] = "HERE"
    return [*GAME.lines[:2], canonical(commit).encode().replace(b'"HERE"', deep), *GAME.lines[3:]]


def test_numbers_of_cards_beyond_any_pack_are_refused_before_they_are_counted_out() -> None:
    """A closed stock of nine thousand million million cards takes no memory."""
    for count in (2**16, 2**16 + 1, 2**53 - 1):

        def swell(commit: Node, count: int = count) -> None:
            event_of(commit, "deal_started")["stock"] = {"count": count, "seal": "0" * 64}

        report = verify(edited(GAME.lines, 3, swell))
        assert report.first_fault is not None
        assert (report.first_fault.name, report.first_fault.version) == ("conservation", 3)
        assert "cards" in report.first_fault.detail
    assert not verify(Forge(seats=2**53 - 1).lines).ok


def test_foreign_text_reaches_the_terminal_harmlessly() -> None:
    """No control characters, and never more than a line of it."""
    game = Forge(game_id="\x1b[2J" + "x" * 10_000)
    text = verify([*game.lines, b"\x1b[2J"]).text()
    assert "\x1b" not in text
    assert len(text) < 2000


@pytest.mark.parametrize("seed", range(4))
def test_no_value_in_any_place_makes_it_raise(seed: int) -> None:
    """Random values in random places, with hashes made to fit so that every later check is reached."""
    for lines, head in hostile_logs(seed, 150):
        report = verify(lines, head)
        assert report.versions == len(lines)
        assert report.text()
        assert report.ok == (report.first_fault is None)


def test_random_bytes_never_make_it_raise() -> None:
    """Garbage in, a plain fault out."""
    chance = random.Random(5)
    for _ in range(300):
        garbage = chance.randbytes(chance.randrange(40))
        assert not verify([garbage, *GAME.lines]).ok
        cut = chance.randrange(len(LINE))
        assert not verify([*GAME.lines[:-2], LINE[:cut] + garbage, GAME.lines[-1]]).ok
