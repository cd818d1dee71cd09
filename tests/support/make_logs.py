"""Makes many whole games of every variant, quickly: ``python -m tests.support.make_logs FOLDER 2000 [short]``.

For tests and measurements that want a store or a folder full of finished games. The same count and seed make the same
games. Bots play that lay what they can, so no game is long; variants take turns. Short games are by house rules that
end them after a deal or two: five times as many in the same time.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path

from meldlog_contracts.table import HouseValue
from meldlog_service.cli.jobs import in_order
from meldlog_service.simulating.keeping import InFolder, Keeper
from meldlog_service.simulating.plan import Plan
from meldlog_service.simulating.playing import Played, installed, play

BOTS = ("plain", "patient")
SHORT: Mapping[str, HouseValue] = {"deal_count": 2, "target": 20, "limit_alone": 30, "limit_pairs": 30}
"""House rules that make games short, of whatever variant has them."""


def plans(games: int, seed: str, variants: Sequence[str] = (), *, short: bool = False) -> list[Plan]:
    """A plan for each variant (all that are installed, unless some are named), for so many games together."""
    infos = [info for info in installed().infos() if info.kind == "variant"]
    chosen = [info for info in infos if not variants or info.name in variants]
    return [
        Plan(
            info.name,
            BOTS,
            seats=info.players[0],
            games=len(range(turn, games, len(chosen))),
            seed=seed,
            house_rules=_shortened(info.name) if short else {},
        )
        for turn, info in enumerate(chosen)
    ]


def _shortened(variant: str) -> dict[str, HouseValue]:
    known = installed().ruleset_for_new(variant).house.flat
    return {name: value for name, value in SHORT.items() if name in known}


async def made(
    games: int,
    keeper: Keeper,
    *,
    seed: str = "logs",
    variants: Sequence[str] = (),
    short: bool = False,
    done: Callable[[Plan, Played], None] = lambda *_: None,
) -> list[str]:
    """Make games, the variants in turn, and have them kept.

    Args:
        games: How many.
        keeper: What keeps them.
        seed: Others make other games.
        variants: Only these.
        short: Whether games end after a deal or two.
        done: Hears of every game.

    Returns:
        Their ids.
    """
    planned = plans(games, seed, variants, short=short)

    async def jobs() -> AsyncIterator[tuple[Plan, int, bool]]:
        for number in range(games):
            yield planned[number % len(planned)], number // len(planned), True

    found: list[str] = []
    async with aclosing(in_order(play, jobs(), games)) as played:
        async for game in played:
            assert game.outcome == "finished", game.detail
            await keeper.keep(game)
            done(planned[len(found) % len(planned)], game)
            found.append(game.game_id)
    return found


def main(folder: str, games: str, how: str = "") -> None:
    """Write games into a folder, and tell how many a second of a processor there were of each variant."""
    counts: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    commands: Counter[str] = Counter()

    def done(plan: Plan, game: Played) -> None:
        counts[plan.variant] += 1
        commands[plan.variant] += game.commands
        seconds[plan.variant] += game.seconds  # type: ignore[assignment]

    began = time.perf_counter()
    asyncio.run(made(int(games), InFolder(Path(folder)), short=how == "short", done=done))
    elapsed = time.perf_counter() - began
    for variant, count in counts.items():
        print(
            f"{variant:15} {count:6} games  {commands[variant] / count:6.0f} commands each"
            f"  {count / seconds[variant]:6.1f} games/s"
        )
    print(f"{counts.total()} games in {elapsed:.1f} s: {counts.total() / elapsed:.1f} games/s")


if __name__ == "__main__":
    main(*sys.argv[1:])
