"""Reading logs back: commits a second, beside the plain decoding of the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from meldlog_bench.plays import Play, any_legal, played
from meldlog_bench.results import Row, Target
from meldlog_bench.timing import rates
from meldlog_contracts.events import Commit
from meldlog_contracts.table import Table
from meldlog_contracts.verifier import verify
from meldlog_service.catalogue import Catalogue
from meldlog_service.core import chain
from meldlog_service.core.evolve import Corrupt, apply

GAMES = 4
ROUNDS = 7
STEPS = 0
Log = Sequence[bytes]


def measured(catalogue: Catalogue, _: Callable[[], None]) -> Iterator[Row]:
    """Whole random games, read in every way there is."""
    logs = [_log(Play(catalogue, f"replay-{number}")) for number in range(GAMES)]
    commits = sum(len(log) for log in logs)

    def each(read: Callable[[Log], object]) -> tuple[int, Callable[[], object]]:
        return commits, lambda: [read(log) for log in logs]

    found = rates(
        ROUNDS,
        {
            "decode": each(_decode),
            "replay": each(_replay),
            "chain": each(_with_chain),
            "seals": each(_with_seals),
            "verifier": each(_verify),
        },
    )
    floor = found["decode"]

    def row(name: str, title: str, least: float | None) -> Row:
        return Row(
            name=f"replay.{name}",
            title=title,
            figure=max(found[name]),
            unit="commits/s",
            floor_title="msgspec decodes the same bytes, no more",
            floor=max(floor),
            target=None if least is None else Target("ratio", "at least", least),
            rounds=found[name],
            floor_rounds=floor,
        )

    yield row("replay", "Replay: decode and fold", 0.3)
    yield row("chain", "Replay, the chain verified", 0.2)
    yield row("seals", "Replay, chain and seals verified", None)
    yield row("verifier", "The stand-alone verifier, all its checks", None)


def _log(play: Play) -> Log:
    return [step.line for step in (*play.lobby, *played(play, any_legal))]


_decoder = msgspec.json.Decoder(Commit)


def _decode(log: Log) -> None:
    for line in log:
        _decoder.decode(line)


def _replay(log: Log) -> None:
    table = Table()
    for line in log:
        table = apply(table, chain.decode(line))


def _with_chain(log: Log, check: Callable[[Commit], None] | None = None) -> None:
    table, head = Table(), None
    for line in log:
        commit = chain.decode(line)
        if head not in (None, commit.prev) or chain.hash_of_line(line, commit) != commit.hash:
            raise Corrupt(f"the chain is broken at version {commit.version}")
        if check is not None:
            check(commit)
        table, head = apply(table, commit), commit.hash


def _with_seals(log: Log) -> None:
    _with_chain(log, chain.check_seals)


def _verify(log: Log) -> None:
    report = verify(log)
    if not report.ok:
        raise Corrupt("the verifier found a fault")
