"""Law 2, audit: deciding every recorded command again makes the recorded bytes, and a forged log does not pass."""

from __future__ import annotations

import pytest
from hypothesis import given
from msgspec.structs import replace
from tests.properties.strategies import examples, played
from tests.support import games
from tests.support.games import Game, decided_again

from meldlog_contracts.events import CardDiscarded
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Table
from meldlog_contracts.verifier import verify
from meldlog_service.core import chain
from meldlog_service.core.evolve import apply


@examples(40)
@given(played())
def test_deciding_again_makes_the_recorded_bytes(game: Game) -> None:
    """From the folded table, with rules found anew by what the game recorded."""
    table = Table()
    for line in game.lines:
        commit = chain.decode(line)
        assert decided_again(commit, table, game.game_seed) == line
        table = apply(table, commit)


def test_the_lone_verifier_finds_no_fault_in_what_the_core_recorded() -> None:
    """Two programs that share no code read the log format alike, for the operator and for a player."""
    game = games.played(11, seats=4, house_rules={"stock_exhaustion": "reshuffle_keep_top"})
    report = verify(game.lines, game.commits[-1].hash)
    assert report.ok, report.text()
    assert {check.verdict for check in report.checks} == {"proved"}


def test_a_forged_discard_is_seen_at_its_version() -> None:
    """Somebody rewrote the log, chain and all, so that another card of the hand was thrown."""
    game = Game(house_rules={"deal_count": 1}).started()
    seat = game.on_turn
    before = game.table
    honest = game.do(game.moves().moves[-1])
    assert isinstance(honest.events[0], CardDiscarded)
    other = next(held for held in before.hand(seat) if held != honest.events[0].card)
    forged = replace(honest, events=(CardDiscarded(seat, other), *honest.events[1:]))
    assert apply(before, forged) != game.table
    assert decided_again(forged, before, game.game_seed) != chain.canonical(forged)


def test_a_command_that_was_never_legal_is_refused_again() -> None:
    """A log whose command should have been refused fails its audit, whatever its events say."""
    game = Game(house_rules={"deal_count": 1}).started()
    before = game.table
    commit = game.do(game.moves().moves[-1])
    wrong = replace(commit, by=f"seat:{(game.tables[-2].deal.turn.seat + 1) % 3}")
    with pytest.raises(Refused) as refused:
        decided_again(wrong, before, game.game_seed)
    assert refused.value.code == "not_your_turn"
