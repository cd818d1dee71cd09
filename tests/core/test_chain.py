"""The chain: what a commit's hash covers, what links it, and that every viewer computes the same."""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.support import forge
from tests.support.games import Game, any_move, played

from meldlog_contracts.events import Commit
from meldlog_service.core import chain
from meldlog_service.core.views import OPERATOR, SPECTATOR, redact


@pytest.fixture(scope="module")
def game() -> Game:
    """A whole game with every kind of secret in it."""
    return played(3, house_rules={"stock_exhaustion": "reshuffle_keep_top", "deal_count": 4})


def public_hash(line: bytes) -> str:
    """The hash of a stored commit, with the standard library alone: closed, without ``hash``, canonical."""
    node = forge.closed(json.loads(line))
    del node["hash"]
    text = json.dumps(node, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_first_commit_links_to_the_game_id() -> None:
    """SHA-256 of its UTF-8 bytes."""
    assert chain.genesis("g-é") == hashlib.sha256("g-é".encode()).hexdigest()
    assert Game(game_id="g-é").commits[0].prev == chain.genesis("g-é")


def test_every_commit_links_to_the_one_before(game: Game) -> None:
    """From the first on."""
    links = [commit.prev for commit in game.commits]
    assert links == [chain.genesis("g1"), *(commit.hash for commit in game.commits[:-1])]


def test_the_hash_covers_the_public_form_and_nothing_else(game: Game) -> None:
    """As a program computes it that knows no struct of ours."""
    for commit, line in zip(game.commits, game.lines, strict=True):
        assert public_hash(line) == commit.hash == chain.hash_of(commit)


@pytest.mark.parametrize("viewer", [0, 1, 2, SPECTATOR, OPERATOR])
def test_every_viewer_computes_the_same_hash(game: Game, viewer: Any) -> None:
    """From what that viewer was sent, once it has been over the wire."""
    for commit in game.commits:
        sent = chain.canonical(redact(commit, viewer))
        assert public_hash(sent) == chain.hash_of(chain.decode(sent)) == commit.hash


def test_the_stored_bytes_are_canonical_and_read_back(game: Game) -> None:
    """Decoding and encoding again changes no byte."""
    for commit, line in zip(game.commits, game.lines, strict=True):
        assert (
            line
            == json.dumps(
                json.loads(line), ensure_ascii=False, sort_keys=True, separators=(",", ":")
            ).encode()
        )
        assert chain.decode(line) == commit
        assert chain.canonical(chain.decode(line)) == line


CHANGES: dict[str, dict[str, Any]] = {
    "at": {"at": "2026-01-01T00:00:00.000Z"},
    "by": {"by": "operator"},
    "command_id": {"command_id": "another"},
    "prev": {"prev": "0" * 64},
    "version": {"version": 99},
    "events": {"events": ()},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_no_part_of_a_commit_changes_without_its_hash(game: Game, change: dict[str, Any]) -> None:
    """Whatever is public is covered."""
    commit = game.commits[-1]
    assert chain.hash_of(replace(commit, **change)) != commit.hash


def test_the_hash_that_a_commit_carries_is_not_covered(game: Game) -> None:
    """Or it could not be in it."""
    assert chain.hash_of(replace(game.commits[-1], hash="")) == game.commits[-1].hash


def test_a_seal_is_covered_though_its_value_is_not(game: Game) -> None:
    """Another value needs another seal, and that breaks the chain."""
    dealt = next(commit for commit in game.commits if b"deal_started" in chain.canonical(commit.events))
    text = chain.canonical(dealt).decode()
    seals = [part[:64] for part in text.split('"seal":"')[1:]]
    forged = chain.decode(text.replace(seals[0], "0" * 64))
    assert chain.hash_of(forged) != dealt.hash


def test_what_is_no_commit_cannot_be_read() -> None:
    """Half a line, another shape, an event that nobody knows, a seat that cannot be."""
    line = Game().started().lines[-1]
    for bad in (
        line[:-1],
        b"{}",
        b"[]",
        line.replace(b'"deal_started"', b'"deal_dreamt"'),
        line.replace(b'"dealer":', b'"dealer":-'),
        line.replace(b'"number":1', b'"number":0'),
    ):
        with pytest.raises(msgspec.DecodeError):
            chain.decode(bad)


def test_a_commit_of_a_later_schema_is_not_read_as_one_of_today() -> None:
    """A release that does not know a shape says so instead of guessing."""
    line = Game().lines[0]
    with pytest.raises(chain.UnknownSchema, match="schema 2"):
        chain.decode(line.replace(b'"schema":1', b'"schema":2'))


def test_the_same_moves_make_the_same_bytes() -> None:
    """Nothing random and no clock is in the core: two runs agree to the last bit."""
    lines: list[list[bytes]] = []
    for _ in range(2):
        game = Game(house_rules={"deal_count": 2}).started().play_out(any_move(random.Random(8)))
        lines.append(game.lines)
    assert lines[0] == lines[1]


def test_a_commit_is_made_of_exactly_nine_members() -> None:
    """The stored shape of the log format."""
    members = {"at", "by", "command", "command_id", "events", "hash", "prev", "schema", "version"}
    assert set(json.loads(Game().lines[0])) == members == set(Commit.__struct_fields__)


def test_the_hash_of_a_line_is_that_of_its_commit(game: Game) -> None:
    """With secrets open and closed, whatever the line holds."""
    for commit, line in zip(game.commits, game.lines, strict=True):
        assert chain.hash_of_line(line, commit) == commit.hash
        for viewer in (0, SPECTATOR):
            sent = chain.canonical(redact(commit, viewer))
            assert chain.hash_of_line(sent, chain.decode(sent)) == commit.hash


def test_a_line_that_is_not_canonical_has_another_hash(game: Game) -> None:
    """White space does not pass for what was stored, where no list of secrets makes the line be encoded again."""
    for commit, line in zip(game.commits, game.lines, strict=True):
        if any(path != "card" for event in commit.events for path, _ in chain.sealed_fields(event)):
            continue
        assert chain.hash_of_line(line.replace(b'"by":', b'"by": '), commit) != commit.hash
