"""Logs: replayed they make the same bytes, stored they mean the same, and they do not grow out of proportion."""

from __future__ import annotations

import json
import random

import pytest
from msgspec.structs import replace
from tests.faults.index import keeps
from tests.support.games import Game, any_move, played

from meldlog_contracts.commands import CreateGame
from meldlog_contracts.table import Table
from meldlog_service.catalogue import Catalogue
from meldlog_service.core import chain
from meldlog_service.core.evolve import apply, fold
from meldlog_service.core.views import SPECTATOR, redact


@keeps(100)
@pytest.mark.parametrize("seed", range(3))
def test_a_game_played_again_from_its_commands_makes_the_same_bytes(seed: int) -> None:
    """All chance comes from the recorded seed: nothing is drawn while commands are decided."""
    first = played(seed, house_rules={"stock_exhaustion": "reshuffle_keep_top", "deal_count": 3})
    created = first.commits[0].command
    assert isinstance(created, CreateGame)
    again = Game(seats=created.seats, house_rules=created.house_rules)
    random.seed(seed + 1)
    for commit in first.commits[1:]:
        again.do(commit.command, commit.by)
    assert again.lines == first.lines


@keeps(102)
def test_what_is_stored_folds_to_what_was_live() -> None:
    """Through the bytes and back, and by the same names."""
    game = played(3, house_rules={"deal_count": 3})
    again = fold(map(chain.decode, game.lines))
    assert again == game.table
    assert chain.canonical(again) == chain.canonical(game.table)


@keeps(103)
def test_a_table_cannot_be_changed_behind_the_log_s_back() -> None:
    """Folded structs are frozen, lists are tuples, and equal tables are equal by value."""
    own = Catalogue.from_entry_points()
    game = Game(house_rules={"deal_count": 1}, catalogue=own).started().play_out(any_move(random.Random(3)))
    stored = list(game.lines)
    table = fold(game.commits)
    for owner, name in ((table, "version"), (table.deal, "stock"), (table.seats[0], "name")):
        with pytest.raises(AttributeError):
            setattr(owner, name, None)
    assert table is not game.table
    assert table == game.table
    table.house_rules["packs"] = 99
    assert [chain.canonical(commit) for commit in game.commits] == stored
    assert own.ruleset_for_new("crazy-rummy", (), {"deal_count": 1}).house.flat["packs"] == 1


@keeps(104)
def test_a_missed_commit_is_small_however_long_the_game() -> None:
    """No event carries the table: what one turn adds does not grow with what came before."""
    game = played(1, seats=4)
    turns = [line for line in game.lines[1:] if b"deal_started" not in line]
    assert len(game.lines) > 500
    assert max(map(len, turns)) < 2048
    late = [len(line) for line in turns[-200:]]
    early = [len(line) for line in turns[:200]]
    assert sum(late) / len(late) < 1.5 * sum(early) / len(early)


@keeps(104)
def test_whoever_has_most_of_the_log_needs_the_rest_of_it_only() -> None:
    """A table folded up to a version goes on from there."""
    game = played(1, house_rules={"deal_count": 2})
    told = Table()
    for commit in game.commits[:-1]:
        told = apply(told, redact(commit, SPECTATOR))
    missed = chain.canonical(redact(game.commits[-1], SPECTATOR))
    assert apply(told, chain.decode(missed)).status == "finished"


@keeps(76, 100)
def test_what_is_refused_leaves_no_trace_in_the_log() -> None:
    """A game with a thousand refusals between its commands has the bytes of one without."""
    quiet = Game(house_rules={"deal_count": 1}).started()
    noisy = Game(house_rules={"deal_count": 1}).started()
    rng = random.Random(2)
    while quiet.table.status == "playing":
        seat = quiet.on_turn
        move = any_move(rng)(quiet.moves(), quiet.seen_by(seat))
        for other in range(3):
            if other != seat:
                noisy.refusal(move, f"seat:{other}")
        quiet.do(move)
        noisy.do(move)
    assert noisy.lines == quiet.lines
    assert json.loads(noisy.lines[-1])["version"] == noisy.version
    assert replace(noisy.table) == quiet.table
