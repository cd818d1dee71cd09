"""Records the golden log of a variant, once: ``python -m tests.support.golden crazy-rummy``.

What is recorded is never recorded again: a log of an earlier release is read, verified and audited by every later one.
So this refuses to write where a golden log lies already. House rules may follow as ``name=value`` (JSON), for a variant
whose games by random players are long; of a few games the shortest is kept that has some deals.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace
from tests.support.games import Chooser, Game, any_move, busy, installed

from meldlog_contracts.commands import Batch, LeaveSeat, Resign, StartGame, TakeSeat
from meldlog_contracts.table import HouseValue
from meldlog_service.bots import STRATEGIES
from meldlog_service.core.views import SPECTATOR, view

FOLDER = Path(__file__).parents[1] / "golden"
SEATS = 4
SEEDS = range(2026, 2046)
DEALS = 3
"""Deals that make a game worth keeping."""


def plain(rng: random.Random) -> Chooser:
    """Play as the bot of that name does: where a whole hand is laid at once, chance alone never gets there."""
    return lambda listed, seen: STRATEGIES["plain"].choose(seen, listed.seat, listed.moves, rng)


def record(variant: str, seed: int, house_rules: Mapping[str, HouseValue] | None = None) -> Game:
    """A whole game with a bit of everything: people, a bot, a stranger who left, lists, the operator, a resignation."""
    least, most = installed().newest(variant).info.players
    seats = min(max(least, SEATS), most)
    game = Game(
        variant,
        seats=seats,
        house_rules=house_rules,
        turn_seconds=60,
        game_seed=f"{seed:064x}",
        game_id=f"golden-{variant}",
    )
    game.do(TakeSeat(0, "stranger"), "seat:0")
    game.do(LeaveSeat(0), "seat:0")
    for seat in range(seats - 1):
        game.do(TakeSeat(seat, f"player {seat}", entropy="pepper" if seat == 0 else None), f"seat:{seat}")
    game.do(TakeSeat(seats - 1, f"random {seats - 1}", "bot", "random", "salt"), "host")
    game.do(StartGame(), "host")
    rng = random.Random(seed)
    while game.table.status == "playing":
        seat = game.on_turn
        thinking = plain if seat % 2 == 0 else busy
        style = thinking if rng.random() < 0.9 else any_move
        move = style(rng)(game.moves(), game.seen_by(seat))
        if isinstance(move, Batch):
            game.do(move)
        elif rng.random() < 0.05:
            game.do(replace(move, seat=seat), "operator")
        elif rng.random() < 0.05:
            game.do(Batch((move,)))
        else:
            game.do(move)
        if len(game.table.scores) == 1 and game.table.seats[1].kind == "player" and game.table.result is None:
            game.do(Resign(), "seat:1")
    return game


def looks(game: Game) -> dict[str, object]:
    """How the game looks: to seat 0 in the middle and to everybody at the end."""
    middle = game.version // 2
    return {
        "versions": game.version,
        "head": game.commits[-1].hash,
        "middle": {"version": middle, "seat_0": msgspec.to_builtins(view(game.tables[middle], 0))},
        "final": msgspec.to_builtins(view(game.table, SPECTATOR)),
    }


def main(variant: str, *changes: str) -> None:
    """Write the log and how it looks.

    Raises:
        FileExistsError: when there is one.
    """
    house_rules = {
        name: json.loads(value) for name, _, value in (change.partition("=") for change in changes)
    }
    played = [record(variant, seed, house_rules) for seed in SEEDS]
    game = min(played, key=lambda game: (len(game.table.scores) < DEALS, game.version))
    with (FOLDER / f"{variant}.ndjson").open("xb") as log:
        log.write(b"".join(line + b"\n" for line in game.lines))
    with (FOLDER / f"{variant}.json").open("x", encoding="utf-8") as described:
        json.dump(looks(game), described, ensure_ascii=False, indent=1, sort_keys=True)
        described.write("\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
