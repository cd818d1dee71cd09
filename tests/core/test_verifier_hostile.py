"""Nothing that a log may hold makes the stand-alone verifier raise, hang or take a wrong form for a right one."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from tests.support.forge import GAME_SEED, Forge, Node, canonical, small_game, whole_game
from tests.support.tamper import chained, edited, event_of

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


NOT_CANONICAL: list[tuple[bytes | str, str]] = [
    (b"", "is not JSON"),
    (b"\n", "is not JSON"),
    (b"{", "is not JSON"),
    (b"\xef\xbb\xbf{}", "is not JSON"),
    (b"\xff", "is not UTF-8"),
    (b'"\xed\xa0\x80"', "is not UTF-8"),
    ("\ud800", "is not UTF-8"),
    (b"[]", "is not a JSON object"),
    (b"7", "is not a JSON object"),
    (b"null", "is not a JSON object"),
    (b'{"a":1.0}', "the number 1.0"),
    (b'{"a":1e3}', "the number 1e3"),
    (b'{"a":-0}', "at character 6 it has '-0}'"),
    (b'{"a":NaN}', "the number NaN"),
    (b'{"a":-Infinity}', "the number -Infinity"),
    (b'{"a":9007199254740992}', "too large"),
    (b'{"a":-9007199254740992}', "too large"),
    (b'{"a":' + b"9" * 100_000 + b"}", "too large"),
    (b'{"a":1,"a":1}', "the key a twice"),
    (b'{"a":[{"b":1,"c":2,"b":1}]}', "the key b twice"),
    (b'{"b":1,"a":1}', "at character 3"),
    (b'{"a": 1}', "at character 6"),
    (b' {"a":1}', "at character 1"),
    (b'{"a":1} ', "at character 8"),
    (b'{"a":1}\n\n', "at character 8"),
    (b'{"a":1}\r\n', "carriage return"),
    (b'{"a":"\\u0041"}', "at character 7"),
    (b'{"a":"\\/"}', "at character 7"),
    (b'{"a":"\\u000A"}', "at character 8"),
    (b'{"a":"\\ud83d\\ude00"}', "at character 7"),
    (b'{"a":"\\ud83d"}', "lone surrogate"),
    (b'{"a":"\t"}', "is not JSON"),
    (b"[" * 100_000, "nested too deeply"),
    (b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
    (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply"),
]


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


HOSTILE: list[Any] = [
    None, True, 0, 1, -1, 2**53 - 1, "", "??", "AS", "JK", "0" * 64, GAME_SEED.hex(), "x" * 300,
    [], {}, [[]], [None], ["AS"], ["AS"] * 60, [[{"card": "AS"}]], [{"seat": 0, "card": "AS"}], {"packs": 1},
    {"seal": "x"}, {"count": 1, "seal": "0" * 64}, {"count": -1, "seal": "0" * 64},
    {"count": 3, "salt": "", "seal": "", "value": ["AS", "2S", "3S"]},
    {"count": 1, "salt": 1, "seal": "", "value": {}}, {"count": 1, "salt": "", "seal": "", "value": None},
]  # fmt: skip


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every place inside a commit, as what holds it and its key."""
    inside = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, item in list(inside):
        yield node, key
        yield from places(item)


@pytest.mark.parametrize("seed", range(4))
def test_no_value_in_any_place_makes_it_raise(seed: int) -> None:
    """Random values in random places, with hashes made to fit so that every later check is reached."""
    chance = random.Random(seed)
    games = [small_game().lines, whole_game().lines[:14]]
    for _ in range(150):
        commits: list[Node] = [json.loads(line) for line in chance.choice(games)]
        first = len(commits)
        for _ in range(chance.choice([1, 1, 2])):
            at = chance.randrange(len(commits))
            holder, key = chance.choice(list(places(commits[at])))
            first = min(first, at + 1)
            if chance.random() < 0.15:
                del holder[key]
            else:
                holder[key] = copy.deepcopy(chance.choice(HOSTILE))
        report = verify(chained(commits, first), chance.choice([None, "0" * 64]))
        assert report.versions == len(commits)
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
