"""The list of moves and the judge agree: what is listed is accepted, what is not listed is refused by a clause."""

from __future__ import annotations

import random
from typing import get_args

from hypothesis import given
from msgspec.structs import replace
from tests.properties.commands import nonsense
from tests.properties.strategies import examples, started
from tests.support.games import START_MS, Game, any_move, busy

from meldlog_contracts.commands import Batch, GameCommand, LayMeld, LayOff, PlayCommand
from meldlog_contracts.events import Event, MeldLaid
from meldlog_contracts.problems import Code, Refused
from meldlog_contracts.table import Table
from meldlog_service.core.context import Context
from meldlog_service.core.decide import Decision, decide
from meldlog_service.core.moves import moves

CODES = get_args(Code)
CLAUSED = ("illegal_move", "wrong_phase", "not_your_turn", "game_over")
"""Refusals by a rule of the game, which always name it."""


@examples(120)
@given(started())
def test_every_listed_move_is_accepted(start: tuple[Game, random.Random]) -> None:
    """By the service's table, though it was listed from the seat's own."""
    game, rng = start
    choose = busy(rng)
    while game.table.status == "playing" and game.version < 120:
        listed = game.moves().moves
        for move in rng.sample(listed, min(25, len(listed))):
            decide(move, f"seat:{game.on_turn}", game.table, game.rules, game.context())
        assert len(set(map(repr, listed))) == len(listed), "a move is listed twice"
        game.step(choose)


@examples(150)
@given(started())
def test_what_is_not_listed_is_refused_and_the_clause_is_on_the_sheet(
    start: tuple[Game, random.Random],
) -> None:
    """What is accepted is listed in its normal form; a refusal names a clause that the game's sheet shows."""
    game, rng = start
    choose = any_move(rng)
    sheet = {clause.id for clause in game.rules.clauses()}
    while game.table.status == "playing" and game.version < 150:
        seat = game.on_turn
        listed = game.moves().moves
        for _ in range(6):
            command = nonsense(rng, game.seen_by(seat), seat)
            decision = _judged(game, command, sheet)
            if decision is None:
                continue
            if isinstance(command, LayOff) and len(command.cards) > 1:
                _as_single_lay_offs(game, command, decision.table)
            else:
                assert _is_listed(game, command, decision.events[0], listed), command
        game.step(choose)


def _judged(game: Game, command: PlayCommand, sheet: set[str]) -> Decision | None:
    """What a command does, or None where it is refused in good order."""
    try:
        return decide(command, f"seat:{game.on_turn}", game.table, game.rules, game.context())
    except Refused as refused:
        no = refused
    assert no.code in CODES
    assert no.detail
    assert bool(no.faults) == (no.code == "invalid")
    assert (no.rule in sheet) == (no.code in CLAUSED), (command, no.rule)
    return None


def _is_listed(
    game: Game, command: PlayCommand, done: Event, listed: tuple[PlayCommand | Batch, ...]
) -> bool:
    """Whether a listed move does the same; which of several wilds of a new meld stands where makes no difference."""
    if command in listed:
        return True
    similar = [move for move in listed if _about(move) == _about(command)]
    by = f"seat:{game.on_turn}"
    return any(
        _normal(decide(move, by, game.table, game.rules, game.context()).events[0]) == _normal(done)
        for move in similar
    )


def _about(command: PlayCommand | Batch) -> tuple[object, ...]:
    """What a command is and which cards it moves."""
    if isinstance(command, LayMeld | LayOff):
        return type(command), sorted(command.cards), getattr(command, "meld", None)
    return (command,)


def _normal(event: Event) -> Event:
    if isinstance(event, MeldLaid):
        return replace(event, cards=tuple(sorted(event.cards)))
    return event


def _as_single_lay_offs(game: Game, command: LayOff, after: Table) -> None:
    """A longer lay-off is a sequence of listed ones that leads to the same table."""
    waiting = [(game.table, len(command.cards))]
    wanted = (after.deal.hands, after.deal.melds)
    while waiting:
        table, left = waiting.pop()
        seat = table.deal.turn.seat
        if left == 0:
            if (table.deal.hands, table.deal.melds) == wanted:
                return
            continue
        for move in moves(table, seat, game.rules).moves:
            if isinstance(move, LayOff) and move.meld == command.meld and move.cards[0] in command.cards:
                step = decide(move, f"seat:{seat}", table, game.rules, Context(START_MS, game.game_seed))
                waiting.append((step.table, left - 1))
    raise AssertionError(f"no sequence of single lay-offs makes {command}")


@examples(60)
@given(started())
def test_a_list_does_what_its_commands_do_one_by_one(start: tuple[Game, random.Random]) -> None:
    """A whole turn in one commit leads to the same table as the same turn in several.

    The operator plays it: a seat's own list ends where a card is turned up.
    """
    game, rng = start
    choose = any_move(rng)
    for _ in range(8):
        before, seat, turn = game.table, game.on_turn, game.version
        commands: list[GameCommand] = []
        while game.table.status == "playing" and game.on_turn == seat:
            chosen = choose(game.moves(), game.seen_by(seat))
            commands += chosen.commands if isinstance(chosen, Batch) else [chosen]
            game.do(chosen)
            if len(game.table.scores) > len(before.scores):
                break
        if not commands:
            return
        context = Context(START_MS + 1000 * (turn + 1), game.game_seed)
        acted_for = tuple(replace(command, seat=seat) for command in commands)
        whole = decide(Batch(acted_for), "operator", before, game.rules, context)
        assert len(whole.events) == sum(len(commit.events) for commit in game.commits[turn:])
        assert replace(whole.table, version=game.version) == game.table
