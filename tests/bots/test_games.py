"""Whole games by bots, of every installed variant: legal to the last move, and over in the end."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest
from tests.support.games import Chooser, Game, installed

from meldlog_contracts.hooks import VariantInfo
from meldlog_contracts.table import HouseValue, Table
from meldlog_service.bots import STRATEGIES, Move
from meldlog_service.bots.installed import own
from meldlog_service.core.moves import Moves

VARIANTS = [info for info in installed().infos() if info.kind == "variant"]
PLAYERS = own(think_ms=1)
"""The bots, those that search doing so for no longer than a test may take."""
LIMIT = 30_000
"""Commands that no game of bots comes near."""


def by_strategies(names: Sequence[str], seed: int) -> Chooser:
    """Every seat plays by its strategy."""
    rng = random.Random(seed)

    def choose(listed: Moves, table: Table) -> Move:
        return PLAYERS[names[listed.seat]].choose(table, listed.seat, listed.moves, rng)

    return choose


def played_by(variant: str, names: Sequence[str], seed: int, **house_rules: HouseValue) -> Game:
    """A whole game; every move is judged by the core, which refuses what is illegal."""
    game = Game(variant, seats=len(names), game_seed=f"{seed:064x}", house_rules=house_rules)
    return game.started().play_out(by_strategies(names, seed), LIMIT)


def test_every_strategy_goes_by_its_own_name() -> None:
    """The name in the log finds the strategy again."""
    assert {name: strategy.name for name, strategy in STRATEGIES.items()} == {
        "random": "random",
        "plain": "plain",
        "patient": "patient",
        "sharp": "sharp",
    }


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda info: info.name)
@pytest.mark.parametrize("names", [("plain", "plain"), ("random", "random"), ("sharp", "patient")])
def test_bots_play_every_variant_to_its_end(variant: VariantInfo, names: tuple[str, str]) -> None:
    """With as few players as the variant takes, and with four where it takes so many."""
    least, most = variant.players
    for seats in {least, min(most, 4)}:
        game = played_by(variant.name, [names[seat % 2] for seat in range(seats)], seats)
        assert game.table.status == "finished"


@pytest.mark.parametrize(
    "house_rules",
    [
        {"stock_exhaustion": "turn_over"},
        {"stock_exhaustion": "reshuffle_keep_top", "min_naturals_per_meld": 3},
        {"stock_exhaustion": "until_discard_refused"},
        {"packs": 2, "printed_jokers": 4, "max_wilds_per_meld": 1},
        {"wild_reclaim_use": "same_turn", "one_card_rule": False},
        {"final_discard_required": False, "layoff_requires_own_meld": False},
        {
            "initial_upcard": True,
            "extra_card_to": "none",
            "starter_first_turn": "normal",
            "min_run_length": 4,
        },
    ],
    ids=", ".join,
)
def test_bots_play_by_house_rules_that_they_know_nothing_of(house_rules: dict[str, HouseValue]) -> None:
    """What is legal they are told; nobody gets stuck and no deal goes on for ever."""
    for seed in range(3):
        game = played_by("crazy-rummy", ("sharp", "random", "patient"), seed, deal_count=4, **house_rules)
        assert game.table.status == "finished"


@pytest.mark.parametrize("better", ["plain", "patient", "sharp"])
def test_a_bot_that_thinks_beats_random(better: str) -> None:
    """Over ten games of three deals, seats changing, it pays less in every one of them."""
    wins: Counter[str] = Counter()
    for seed in range(10):
        names = (better, "random") * 2 if seed % 2 else ("random", better) * 2
        game = played_by("crazy-rummy", names, seed, deal_count=3)
        points: Counter[str] = Counter()
        for name, total in zip(names, game.table.totals, strict=True):
            points[name] += total
        wins[min(points, key=lambda name: points[name])] += 1

    assert wins[better] == 10


def test_the_same_chance_makes_the_same_game() -> None:
    """A strategy keeps nothing and asks nobody: only its random generator makes a difference."""
    logs = [played_by("crazy-rummy", ("random", "plain"), seed, deal_count=2).lines for seed in (1, 1)]
    moved = by_strategies(("random", "random"), 7)
    other = (
        Game(seats=2, house_rules={"deal_count": 2}, game_seed=f"{1:064x}").started().play_out(moved, LIMIT)
    )

    assert logs[0] == logs[1] != other.lines
