"""What a log should not hold: lines in a wrong form, and values in places where nobody expects them."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

from tests.support.forge import GAME_SEED, Node, small_game, whole_game
from tests.support.tamper import chained

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
"""A line, and what is said about it."""

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


def hostile_logs(seed: int, number: int) -> Iterator[tuple[list[bytes], str | None]]:
    """Logs with one or two such values, every later hash made to fit; and a head to compare, or none."""
    chance = random.Random(seed)
    games = [small_game().lines, whole_game().lines[:14]]
    for _ in range(number):
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
        yield chained(commits, first), chance.choice([None, "0" * 64])
