"""Scores: a fold over what happened, by rule facts alone, for everybody and everything they hold."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.faults.index import keeps
from tests.support.games import Game, installed, played
from tests.support.positions import Position, position

from meldlog_contracts.cards import Card, cards
from meldlog_contracts.commands import Discard, Draw, LayOff
from meldlog_contracts.events import DealScored, GameEnded
from meldlog_service.core import chain
from meldlog_service.core.evolve import fold
from meldlog_service.core.views import SPECTATOR, view

LAST_DEAL = "K"


def scored(here: Position) -> DealScored:
    """How the deal is scored when seat 0 discards its last card."""
    events = here.events(Discard(here.table.hand(0)[0]))
    return next(event for event in events if isinstance(event, DealScored))


def ended(here: Position) -> GameEnded:
    """How the game ends when seat 0 discards its last card in the last deal."""
    events = here.events(Discard(here.table.hand(0)[0]))
    return next(event for event in events if isinstance(event, GameEnded))


def with_totals(here: Position, *totals: int) -> Position:
    """The position, the seats standing at these totals."""
    return Position(replace(here.table, totals=totals), here.rules)


@keeps(39)
def test_what_was_laid_off_is_on_the_table_and_not_in_the_hand() -> None:
    """Its points are gone, and the view shows who laid it."""
    here = position("7H", "6C 8D", "AC", melds=["0: 7C 8C 9D=9C"], turn=1, laid=[1], wild="9")
    after = here.after(LayOff(1, cards("6C")))
    shown = view(after.table, SPECTATOR).deal
    assert shown is not None
    first = shown.melds[0].cards[0]
    assert (first.card, first.by) == ("6C", 1)
    events = after.events(Discard(Card("8D")))
    score = next(event for event in events if isinstance(event, DealScored))
    assert (score.hands, score.points) == ((cards("7H"), (), cards("AC")), (7, 0, 1))


@keeps(43)
def test_the_totals_decide_and_not_who_went_out() -> None:
    """Seat 0 goes out and loses."""
    here = with_totals(position("7H", "AC", "KD", wild=LAST_DEAL), 95, 20, 90)
    assert ended(here) == GameEnded((1,), (1, 0, 2), None)


@keeps(44)
@pytest.mark.parametrize("seed", range(3))
def test_totals_are_a_fold_over_the_scores(seed: int) -> None:
    """Replayed from the log they are the live ones, deal by deal."""
    game = played(seed)
    again = fold(map(chain.decode, game.lines))
    assert (again.scores, again.totals) == (game.table.scores, game.table.totals)
    running = [0, 0, 0]
    for commit in game.commits:
        for event in commit.events:
            if isinstance(event, DealScored):
                running = [total + points for total, points in zip(running, event.points, strict=True)]
                assert list(event.totals) == running


@keeps(45)
def test_whoever_did_not_go_out_pays_for_all_cards_held() -> None:
    """The one drawn in the last turn too: the stock ran out with it."""
    here = position("2H 3H", "AC", stock="KD", pile="4C", phase="draw", wild="9")
    events = here.after(Draw("stock")).events(Discard(Card("2H")))
    score = next(event for event in events if isinstance(event, DealScored))
    assert score.points == (13, 1)


@keeps(48)
@settings(max_examples=40)
@given(st.permutations((12, 40, 7, 7)))
def test_places_go_by_totals_and_a_seat_breaks_no_tie(totals: list[int]) -> None:
    """The lowest first; equal totals stand in seat order and win together."""
    here = with_totals(position("7H", "AC", "2C", "3C", wild=LAST_DEAL), *totals)
    over = ended(here)
    after = [totals[0], totals[1] + 1, totals[2] + 2, totals[3] + 3]
    assert list(over.ranking) == sorted(range(4), key=lambda seat: (after[seat], seat))
    assert set(over.winners) == {seat for seat in range(4) if after[seat] == min(after)}


@keeps(49)
def test_where_a_card_lies_in_a_hand_changes_no_score() -> None:
    """Nor in which order it came."""
    points = {
        scored(position("7H", " ".join(order), "JD", wild="9")).points
        for order in permutations(("AC", "9C", "TD", "KH"))
    }
    assert points == {(0, 46, 10)}


@keeps(50)
@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("bonus", [0, 15])
@pytest.mark.parametrize("court", ["ten", "11_12_13"])
@pytest.mark.parametrize("wild", ["7", "9"])
def test_scoring_rules_that_apply_together_all_apply(double: bool, bonus: int, court: str, wild: str) -> None:
    """Each by itself: doubled penalties, a bonus that is not doubled, dearer court cards, the wild's own price."""
    here = position(
        "2H",
        f"KD {wild}C",
        "AC",
        wild=wild,
        house_rules={
            "double_when_7_or_K_wild": double,
            "going_out_bonus": bonus,
            "court_values": court,
            "wild_penalty": 20,
        },
    )
    times = 2 if double and wild == "7" else 1
    king = 13 if court == "11_12_13" else 10
    score = scored(here)
    assert (score.multiplier, score.points) == (times, (-bonus, times * (king + 20), times * 1))


@keeps(51)
@pytest.mark.parametrize(
    ("totals", "winners"), [((85, 59, 70), (1,)), ((60, 59, 70), (0, 1)), ((60, 59, 58), (0, 1, 2))]
)
def test_a_tie_is_won_together(totals: tuple[int, ...], winners: tuple[int, ...]) -> None:
    """The lowest total wins, whoever has it."""
    assert ended(with_totals(position("7H", "AC", "2C", wild=LAST_DEAL), *totals)).winners == winners


@keeps(105)
def test_a_game_just_created_has_everything_that_follows_from_it() -> None:
    """Seats, house rules, number of deals, who shares a score: from the first event alone."""
    game = Game(seats=4, house_rules={"teams": "pairs"})
    assert len(game.commits) == 1
    assert (game.table.deals, len(game.table.seats), game.table.sides) == (13, 4, 2)
    assert game.table.house_rules == game.rules.house.flat
    assert installed().ruleset_of(game.table).refs == game.rules.refs
    shown = view(game.table, SPECTATOR)
    assert (shown.scores, shown.totals, shown.deal) == ((), (), None)
