"""Audits of finished games: beside the engine deciding the same commands and nothing else, and on two cores."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from meldlog_bench.plays import Play, Step, any_legal, played
from meldlog_bench.results import Row, Target
from meldlog_bench.timing import rates
from meldlog_contracts.events import GameCreated
from meldlog_contracts.table import Table
from meldlog_service.app.audit import audit_log
from meldlog_service.catalogue import Catalogue
from meldlog_service.cli.auditing import Job, audit_all
from meldlog_service.cli.tallying import AGREES, Audited
from meldlog_service.core.context import Context, milliseconds
from meldlog_service.core.decide import decide

GAMES = 4
ROUNDS = 7
COPIES = 40
"""Of each game, for the audit of many: work that outlasts the start of a process."""
TURNS = 2
STEPS = 2 * TURNS


class Disagreed(Exception):
    """A game of the bench's own did not agree."""


def measured(catalogue: Catalogue, tick: Callable[[], None]) -> Iterator[Row]:
    """Whole random games, audited one after the other, and many of them at once."""
    games = [_steps(Play(catalogue, f"audit-{number}")) for number in range(GAMES)]
    commits = sum(map(len, games))
    found = rates(
        ROUNDS,
        {
            "audit": (commits, lambda: [_audit(game, catalogue) for game in games]),
            "engine": (commits, lambda: [_decide_again(game, catalogue) for game in games]),
        },
    )
    yield Row(
        name="audit.commits",
        title="Audit: every command decided, sealed and linked again, every check",
        figure=max(found["audit"]),
        unit="commits/s",
        floor_title="the engine decides the same commands, no more",
        floor=max(found["engine"]),
        target=Target("ratio", "at least", 1 / 3),
        details={"games/s": max(found["audit"]) * GAMES / commits},
        rounds=found["audit"],
        floor_rounds=found["engine"],
    )
    with TemporaryDirectory(prefix="meldlog-bench-") as folder:
        files = [_written(game, Path(folder) / f"{number}.ndjson") for number, game in enumerate(games)]
        yield _on_two_cores(files * COPIES, commits * COPIES, tick)


def _on_two_cores(files: Sequence[str], commits: int, tick: Callable[[], None]) -> Row:
    """Many files, as `meldlog audit` takes them, by one process and by two: by the clock on the wall, start and all."""
    rounds: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(TURNS):
        for processes, found in rounds.items():
            began = time.perf_counter()
            asyncio.run(_audit_files(files, processes))
            found.append(len(files) / (time.perf_counter() - began))
            tick()
    return Row(
        name="audit.two_cores",
        title=f"Audit of {len(files)} files by two processes",
        figure=max(rounds[2]),
        unit="games/s",
        floor_title="the same by one process",
        floor=max(rounds[1]),
        target=Target("ratio", "at least", 1.7),
        details={"commits/s": max(rounds[2]) * commits / len(files)},
        rounds=tuple(rounds[2]),
        floor_rounds=tuple(rounds[1]),
    )


async def _audit_files(files: Sequence[str], processes: int) -> None:
    async def jobs() -> AsyncIterator[Job]:
        for file in files:
            yield Job(file)

    def done(job: Job, audited: Audited) -> None:
        if audited.verdict != AGREES:
            raise Disagreed(f"{job.game}: {audited}")

    await audit_all(jobs(), len(files), done, processes=processes)


def _steps(play: Play) -> Sequence[Step]:
    return [*play.lobby, *played(play, any_legal)]


def _written(game: Sequence[Step], file: Path) -> str:
    file.write_bytes(b"".join(step.line + b"\n" for step in game))
    return str(file)


def _audit(game: Sequence[Step], catalogue: Catalogue) -> None:
    report = audit_log([step.line for step in game], catalogue)
    if report.verdict != AGREES:
        raise Disagreed(str(report))


def _decide_again(game: Sequence[Step], catalogue: Catalogue) -> None:
    """What any audit has to do: every command judged at the table that the one before made."""
    (created, *_) = game[0].commit.events
    if not isinstance(created, GameCreated):
        raise Disagreed("a game begins by being created")
    seed, table = str(created.game_seed.value), Table()
    rules = catalogue.ruleset_for_new(created.variant, created.options)
    for step in game:
        context = Context(milliseconds(step.commit.at), seed)
        decided = decide(step.command, step.by, table, rules, context)
        table = replace(decided.table, version=table.version + 1)
