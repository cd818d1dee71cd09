"""A short game of every variant, with as many kinds of events as a few dozen commits hold; always the same bytes."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from tests.support.games import Chooser, Game, busy
from tests.support.golden import plain

from meldlog_contracts.commands import Batch, Discard, Draw, PlayCommand
from meldlog_contracts.table import HouseValue, Table
from meldlog_service.core.moves import Moves

TWO_DEALS: Mapping[str, HouseValue] = {"deal_count": 2}
ALONE: Mapping[str, HouseValue] = {"teams": "none", "limit_alone": 30, "opening_threshold": 20}
SHORT: Mapping[str, tuple[int, Mapping[str, HouseValue], int]] = MappingProxyType(
    {
        "ace-to-ace": (3, TWO_DEALS, 6),
        "basic-rummy": (5, {"target": 30}, 1),
        "beanie": (3, TWO_DEALS, 7),
        "biddies": (3, TWO_DEALS, 6),
        "crazy-rummy": (3, TWO_DEALS, 6),
        "rami-51": (2, ALONE, 11),
        "rami-71": (2, ALONE, 10),
        "rami-simple": (2, {"teams": "none", "limit_alone": 30, "close_required_melds": "none"}, 10),
        "treize-brasses": (3, TWO_DEALS, 6),
    }
)
"""Seats, house rules and the seed of the play."""
RENEWED = "basic-rummy"
"""The variant whose short game uses up its stock."""


@cache
def short_game(variant: str, *, another: bool = False) -> Game:
    """The variant's short game; or another one of it, by another seed."""
    seed = SHORT[variant][2]
    game = _created(variant, seed + 100 * another, f"short-{variant}{'-again' * another}")
    choose = _lively(random.Random(seed))
    return game.started(["pepper"]).play_out(_until_renewed(choose) if variant == RENEWED else choose)


def played_otherwise(variant: str, after: int) -> Game:
    """The short game as whoever holds its seed can tell it: the same up to a version, then other moves."""
    seed = SHORT[variant][2]
    game = _created(variant, seed, f"short-{variant}")
    for commit in short_game(variant).commits[1:after]:
        game.do(commit.command, commit.by)
    return game.play_out(_lively(random.Random(seed + 1)))


def _created(variant: str, seed: int, game_id: str) -> Game:
    seats, house_rules, _ = SHORT[variant]
    return Game(variant, seats=seats, house_rules=house_rules, game_seed=f"{seed:064x}", game_id=game_id)


def _lively(rng: random.Random) -> Chooser:
    """Half of the seats lay down whatever can be laid, the other half play to win."""
    eager, thinking = busy(rng), plain(rng)
    return lambda listed, seen: (thinking if listed.seat % 2 == 0 else eager)(listed, seen)


def _until_renewed(then: Chooser) -> Chooser:
    """Draw from the stock and discard until the stock was renewed once; then play otherwise."""

    def choose(listed: Moves, seen: Table) -> PlayCommand | Batch:
        dull = [
            move
            for move in listed.moves
            if isinstance(move, Discard) or (isinstance(move, Draw) and move.source == "stock")
        ]
        return dull[0] if dull and not seen.deal.renewals and not seen.scores else then(listed, seen)

    return choose
