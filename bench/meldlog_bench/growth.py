"""What a command costs late in a long game: the log grows, the table does not, so it must cost no more than early."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median

from meldlog_bench.filling import DURABILITY
from meldlog_bench.plays import Play, Step, draw_or_discard, played
from meldlog_bench.results import Row, Target
from meldlog_contracts.commands import CreateGame
from meldlog_service.app.handler import Handler
from meldlog_service.catalogue import Catalogue
from meldlog_service.store.embedded import EmbeddedServer
from meldlog_service.store.redis_streams import RedisStreams

GAMES = 16
STEPS = 0
EARLY, LATE = 20, 2000
AROUND = 10
"""Commands measured on either side of each: as many draws as discards."""
LONG_GAME = {"packs": 2, "hand_size": 5}
"""With two packs and small hands the deals are long enough for a game of so many commands."""


def measured(catalogue: Catalogue, _: Callable[[], None]) -> Iterator[Row]:
    """The 2,000th command beside the 20th, each of several games."""
    games = [_prepared(catalogue, f"growth-{number}") for number in range(GAMES)]
    with (
        tempfile.TemporaryDirectory(prefix="meldlog-bench-") as folder,
        EmbeddedServer(Path(folder), DURABILITY) as server,
    ):
        early, late = asyncio.run(_measure(server.url, catalogue, games))
    yield Row(
        name="growth.late",
        title=f"Command {LATE:,} of a game, through the handler and the store",
        figure=1e6 * median(late),
        unit="µs",
        floor_title=f"command {EARLY} of one",
        floor=1e6 * median(early),
        target=Target("ratio", "at most", 1.2),
    )


def _prepared(catalogue: Catalogue, name: str) -> tuple[Play, Sequence[Step]]:
    play = Play(catalogue, name, LONG_GAME)
    return play, (*play.lobby, *played(play, draw_or_discard, LATE + AROUND))


async def _measure(
    url: str, catalogue: Catalogue, games: Sequence[tuple[Play, Sequence[Step]]]
) -> tuple[list[float], list[float]]:
    """Seconds that early and late commands take, in turns: half of the games are played on to the late ones first."""
    seeds = {play.name: play.seed for play, _ in games}
    current = ""
    store = RedisStreams(url, DURABILITY)
    handler = Handler(store, catalogue, cache_tables=2 * GAMES, random_hex=lambda: seeds[current])

    async def give(play: Play, step: Step) -> None:
        nonlocal current
        current = play.name
        if isinstance(step.command, CreateGame):
            await handler.create(step.command, step.commit.command_id)
        else:
            await handler.submit(play.name, step.command, step.by, command_id=step.commit.command_id)

    async def give_all(play: Play, steps: Sequence[Step]) -> None:
        for step in steps:
            await give(play, step)

    try:
        long, short = games[: GAMES // 2], games[GAMES // 2 :]
        await asyncio.gather(*(give_all(play, steps[: LATE - AROUND]) for play, steps in long))
        await asyncio.gather(*(give_all(play, steps[: EARLY - AROUND]) for play, steps in short))
        times: tuple[list[float], list[float]] = ([], [])
        for (old, old_steps), (young, young_steps) in zip(long, short, strict=True):
            for turn in range(-AROUND, AROUND):
                for kind, play, step in (
                    (0, young, young_steps[EARLY + turn]),
                    (1, old, old_steps[LATE + turn]),
                ):
                    began = time.perf_counter()
                    await give(play, step)
                    times[kind].append(time.perf_counter() - began)
        return times
    finally:
        await handler.close()
        await store.close()
