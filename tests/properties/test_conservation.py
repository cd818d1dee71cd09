"""Law 5, conservation, and its kin: no card is lost, one seat is to act, every deal ends."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given
from tests.properties.commands import nonsense
from tests.properties.strategies import MOST_COMMANDS, examples, played, started
from tests.support.games import Game, any_move, busy

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import Discard, Draw
from meldlog_contracts.events import DealEnded, TurnPassed
from meldlog_contracts.table import Table
from meldlog_service.core.evolve import evolve


def everywhere(table: Table) -> Counter[Card]:
    """Every card of the deal, wherever it lies."""
    deal = table.deal
    return Counter(
        (
            *deal.stock,
            *deal.discard_pile,
            *(card for hand in deal.hands for card in hand),
            *(card for meld in deal.melds for card in meld.cards),
        )
    )


@examples(150)
@given(played())
def test_every_card_is_in_exactly_one_place_after_every_event(game: Game) -> None:
    """Event by event, not only commit by commit."""
    pack = Counter(game.rules.pack())
    table = Table()
    for commit, after in zip(game.commits, game.tables[1:], strict=True):
        for event in commit.events:
            table = evolve(table, event)
            if table.deal.number:
                assert everywhere(table) == pack, event
            for meld in table.deal.melds:
                assert len(meld.cards) == len(meld.reads_as) == len(meld.by)
        table = after


@examples(150)
@given(started())
def test_one_seat_is_to_act_and_no_other_may(start: tuple[Game, random.Random]) -> None:
    """Whoever is on turn has a legal move; nobody else has, whatever they ask for."""
    game, rng = start
    choose = any_move(rng)
    while game.table.status == "playing" and game.version < 200:
        seat = game.on_turn
        assert game.table.deal.turn.phase in ("naming_wild", "draw", "play", "lay_off", "offer")
        assert game.moves().moves, "the seat on turn can do nothing"
        for other in range(len(game.table.seats)):
            if other != seat:
                assert game.moves(other).moves == ()
        stranger = rng.choice([other for other in range(len(game.table.seats)) if other != seat])
        command = nonsense(rng, game.seen_by(stranger), stranger)
        assert game.refusal(command, f"seat:{stranger}").code == "not_your_turn"
        game.step(choose)


@examples(60)
@given(played())
def test_a_game_that_is_over_stays_so(game: Game) -> None:
    """Nobody has a move, and every command is refused as coming too late."""
    assert game.table.result is not None
    rng = random.Random(game.version)
    for seat in range(len(game.table.seats)):
        assert game.moves(seat).moves == ()
        assert game.refusal(nonsense(rng, game.seen_by(seat), seat), f"seat:{seat}").code == "game_over"


@examples(60)
@given(started())
def test_a_deal_ends_though_nobody_ever_melds(start: tuple[Game, random.Random]) -> None:
    """Players who draw and discard and do nothing else come to an end, whatever becomes of the stock."""
    game, rng = start

    def reluctant(listed: object, table: Table) -> Draw | Discard:
        own = [move for move in game.moves().moves if isinstance(move, Draw | Discard)]
        return rng.choice(own)

    while game.table.status == "playing":
        assert game.version < MOST_COMMANDS
        if any(isinstance(move, Draw | Discard) for move in game.moves().moves):
            game.step(reluctant)
        else:
            game.step(any_move(rng))


@examples(60)
@given(started())
def test_totals_are_the_sum_of_what_was_scored(start: tuple[Game, random.Random]) -> None:
    """Whoever reads the scores can add them up; the last deal ended for a reason that is told."""
    game, rng = start
    game.play_out(busy(rng), MOST_COMMANDS)
    columns = zip(*game.table.scores, strict=True)
    assert tuple(sum(column) for column in columns) == game.table.totals
    ends = [event for commit in game.commits for event in commit.events if isinstance(event, DealEnded)]
    assert len(ends) == len(game.table.scores) == len(game.table.outs) == len(game.table.wilds)


@examples(40)
@given(played())
def test_turns_go_round_the_table(game: Game) -> None:
    """Within a deal each turn passes to the next seat in the direction of play, nobody is skipped."""
    step = 1 if game.rules.clockwise else -1
    seats = len(game.table.seats)
    for commit, before in zip(game.commits, game.tables, strict=False):
        passed = [event for event in commit.events if isinstance(event, TurnPassed)]
        dealt = any(type(event).__name__ == "DealStarted" for event in commit.events)
        if passed and not dealt:
            assert [event.seat for event in passed] == [(before.deal.turn.seat + step) % seats]
