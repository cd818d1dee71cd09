"""The list of legal moves where it is longest: hands of Rami with three jokers, which lie in hundreds of ways."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from meldlog_bench.results import Row, Target
from meldlog_contracts.cards import JOKER, RANKS, SUITS
from meldlog_service.catalogue import Catalogue
from meldlog_service.core.moves import moves
from meldlog_service.core.views import conceal
from meldlog_service.testing import draw
from meldlog_service.testing.game import Game

VARIANTS = ("rami-51", "rami-71")
HANDS = 200
ROUNDS = 3
JOKERS = 3
HELD = 14
RICH = (
    "3C 4C 5C 6C 7C 8C 9C TC JC QC",
    "3C 4C 5C 6C 7C 3D 4D 5D 6D 7D",
    "9C 9D 9H 9S TC TD TH TS JC JD",
    "5C 6C 7C 8C 5D 6D 7D 8D 5H 6H",
)
"""Hands that nobody is dealt in a lifetime: with the jokers, almost everything goes with everything."""


def measured(catalogue: Catalogue) -> Iterator[Row]:
    """The slowest list among hands at random and rich ones, before anything is laid."""
    rng = random.Random(HANDS)
    pack = [rank + suit for rank in RANKS for suit in SUITS]
    dealt = [" ".join(rng.sample(pack, HELD - JOKERS - 1)) for _ in range(HANDS)]
    for variant in VARIANTS:
        took = [_milliseconds(catalogue, variant, hand) for hand in (*RICH, *dealt)]
        yield Row(
            name=f"engine.list-{variant}",
            title=f"The list of moves for {HELD} cards with {JOKERS} jokers in {variant}: the slowest of {len(took)}",
            figure=max(took),
            unit="ms",
            target=Target("figure", "at most", 5.0),
            details={"median ms": sorted(took)[len(took) // 2]},
        )


def _milliseconds(catalogue: Catalogue, variant: str, hand: str) -> float:
    """How long the list takes after a draw, by the processor's clock; the best of some rounds."""
    game = Game(catalogue, variant, (), {"printed_jokers": JOKERS + 1}, 2)
    game.given_deal(1, ann=f"{hand} {' '.join([JOKER] * JOKERS)}", stock="2H").after(draw())
    seen = conceal(game.table, 0)
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.thread_time()
        moves(seen, 0, game.rules)
        best = min(best, time.thread_time() - began)
    return 1000 * best
