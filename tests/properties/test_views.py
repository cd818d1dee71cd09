"""Law 3, view: a viewer's table is made from nothing but what that viewer was sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from tests.properties.strategies import examples, played
from tests.support.games import Game

from meldlog_contracts.table import Table
from meldlog_service.core import chain
from meldlog_service.core.evolve import apply
from meldlog_service.core.views import OPERATOR, SPECTATOR, Viewer, conceal, redact, view

OPENED = {"count", "salt", "seal", "value"}
CLOSED = {"count", "seal"}


def viewers(game: Game) -> tuple[Viewer, ...]:
    """Everybody who can look at a game."""
    return (*range(len(game.table.seats)), SPECTATOR, OPERATOR)


def sealed(node: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every sealed value inside, with its path."""
    if isinstance(node, dict):
        if "seal" in node:
            yield path, node
        else:
            for key, value in node.items():
                yield from sealed(value, f"{path}.{key}")
    elif isinstance(node, list):
        for place, value in enumerate(node):
            yield from sealed(value, f"{path}.{place}")


def may_open(viewer: Viewer, event: dict[str, Any], path: str) -> bool:
    """Who opens what, written out once more from the log format."""
    if viewer == OPERATOR:
        return True
    field = path.split(".", 3)[-1]
    if event["type"] == "card_drawn":
        return bool(event["seat"] == viewer)
    return event["type"] == "deal_started" and field == f"hands.{viewer}"


@examples(25)
@given(played())
def test_the_view_of_the_log_is_the_view_of_what_was_sent(game: Game) -> None:
    """At every version and for every viewer, from the bytes that go over the wire."""
    for viewer in viewers(game):
        told = Table()
        for version, commit in enumerate(game.commits, 1):
            sent = chain.canonical(redact(commit, viewer))
            told = apply(told, chain.decode(sent))
            assert chain.canonical(view(told, viewer)) == chain.canonical(view(game.tables[version], viewer))


@examples(25)
@given(played())
def test_what_a_seat_was_sent_is_what_it_may_know(game: Game) -> None:
    """Concealing the service's table and concealing the fold of what was sent leave the same."""
    for seat in range(len(game.table.seats)):
        told = Table()
        for version, commit in enumerate(game.commits, 1):
            told = apply(told, redact(commit, seat))
            if game.tables[version].status == "playing":
                assert conceal(told, seat) == conceal(game.tables[version], seat)


@examples(15)
@given(played())
def test_redaction_drops_salts_and_values_and_nothing_else(game: Game) -> None:
    """Whatever a viewer may not open has two members, whatever it may open has four, and all else is untouched."""
    for commit, line in zip(game.commits, game.lines, strict=True):
        stored = json.loads(line)
        for viewer in viewers(game):
            expected = json.loads(line)
            for path, secret in sealed(expected):
                assert secret.keys() == OPENED
                event = stored["events"][int(path.split(".")[2])]
                if not may_open(viewer, event, path):
                    del secret["salt"], secret["value"]
            assert json.loads(chain.canonical(redact(commit, viewer))) == expected


@examples(15)
@given(played())
def test_every_viewer_computes_the_same_chain(game: Game) -> None:
    """The hash covers the public form, which is the same for all."""
    prev = chain.genesis("g1")
    for commit in game.commits:
        assert commit.prev == prev
        for viewer in viewers(game):
            told = chain.decode(chain.canonical(redact(commit, viewer)))
            assert chain.hash_of(told) == commit.hash
            chain.check_seals(told)
        prev = commit.hash
