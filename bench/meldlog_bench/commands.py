"""Accepted commands over HTTP, beside a bare handler that is asked in the same way in the same run.

Every request is a legal draw or discard of a running game, prepared so that it is accepted: the games are played here
beforehand, and the service finds their beginnings in its store. A round gives each server its turn with the same games;
new rounds have new games, since a command can be carried out only once.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from meldlog_bench.filling import DURABILITY, fill
from meldlog_bench.floor import FloorAnswer, FloorSettings
from meldlog_bench.machine import Usage, usage_of
from meldlog_bench.plays import Play, Step, draw_or_discard, played
from meldlog_bench.results import Gap, Row, Target
from meldlog_bench.servers import Served, floor, service
from meldlog_bench.traffic import NoCompiler, Sent, command_request, compiled, plan, send
from meldlog_service.catalogue import Catalogue
from meldlog_service.core.views import redact_event
from meldlog_service.store.embedded import EmbeddedServer

ROUNDS = STEPS = 8
GAMES = 64
CONNECTIONS = 32
WARMING = 10
"""Commands of every game that are not measured: the first has the service read and fold the game's log."""
MEASURED = 100
"""Commands of every game that are."""


class _Game(Struct, frozen=True):
    """A game of one round: what its log begins with, and the commands to send."""

    play: Play
    steps: Sequence[Step]


class _Turn(Struct, frozen=True):
    """What a server did in one round."""

    sent: Sent
    usage: tuple[Usage, Usage] | None


def measured(catalogue: Catalogue, tick: Callable[[], None]) -> Iterator[Row | Gap]:
    """One worker and two, beside the bare handler and one that appends as much."""
    with ExitStack() as leaving:
        folder = Path(leaving.enter_context(tempfile.TemporaryDirectory(prefix="meldlog-bench-")))
        try:
            client = compiled(folder)
        except NoCompiler as missing:
            yield Gap("commands", str(missing))
            return
        rounds = [[_game(catalogue, number, place) for place in range(GAMES)] for number in range(ROUNDS)]
        for workers in (1, 2):
            with EmbeddedServer(folder / f"service-{workers}", DURABILITY) as store:
                fill(store.url, (game.play.lobby for games in rounds for game in games))
        store = leaving.enter_context(EmbeddedServer(folder / "floor", DURABILITY))
        settings = _floor_settings(rounds[0][0], store.url)
        one = leaving.enter_context(service(folder / "service-1"))
        two = leaving.enter_context(service(folder / "service-2", "--workers", "2"))
        bare = replace(settings, store_url=None)
        servers = {
            "bare": leaving.enter_context(floor(bare)),
            "one": [one],
            "append": leaving.enter_context(floor(settings)),
            "bare two": leaving.enter_context(floor(bare, 2)),
            "two": [two],
        }
        turns: dict[str, list[_Turn]] = {name: [] for name in servers}
        for games in rounds:
            for name, serving in servers.items():
                if name in ("one", "two"):
                    _warm(client, serving[0], games)
                turns[name].append(_turn(client, serving, games))
            tick()
    yield from _rows(turns)


def _game(catalogue: Catalogue, number: int, place: int) -> _Game:
    play = Play(catalogue, f"commands-{number:03d}-{place:05d}")
    return _Game(play, tuple(played(play, draw_or_discard, WARMING + MEASURED)))


def _floor_settings(game: _Game, store_url: str) -> FloorSettings:
    """Answers and commits of the first turn that the service would give and store."""
    answers: dict[str, FloorAnswer] = {}
    lines: dict[str, str] = {}
    for step in game.steps:
        if step.pointer.type not in lines:
            seat = int(step.by.removeprefix("seat:"))
            events = tuple(redact_event(event, seat) for event in step.commit.events)
            answers[step.pointer.type] = FloorAnswer(step.commit.version, events, replayed=False)
            lines[step.pointer.type] = step.line.decode()
    return FloorSettings(0, answers, lines, store_url)


# -- a round -----------------------------------------------------------------------------------------------------------


def _warm(client: Path, served: Served, games: Sequence[_Game]) -> None:
    requests = [[command_request(game.play, step) for step in game.steps[:WARMING]] for game in games]
    send(client, served.port, plan(requests, CONNECTIONS), "all")


def _turn(client: Path, servers: Sequence[Served], games: Sequence[_Game]) -> _Turn:
    """The same requests to one server or another, which may be several processes on one port."""
    requests = [[command_request(game.play, step) for step in game.steps[WARMING:]] for game in games]
    prepared = plan(requests, CONNECTIONS)
    before = _used(servers)
    sent = send(client, servers[0].port, prepared, "busy")
    after = _used(servers)
    return _Turn(sent, None if before is None or after is None else (before, after))


def _used(servers: Sequence[Served]) -> Usage | None:
    used = [usage for served in servers if (usage := usage_of(served.pid)) is not None]
    if len(used) < len(servers):
        return None
    return Usage(
        sum(one.service_seconds for one in used),
        sum(one.store_seconds for one in used),
        sum(one.service_bytes for one in used),
        sum(one.store_bytes for one in used),
    )


# -- rows --------------------------------------------------------------------------------------------------------------


def _rows(turns: dict[str, list[_Turn]]) -> Iterator[Row]:
    how = f"{CONNECTIONS} connections, {GAMES} games"
    yield _row(
        "one-worker",
        f"Accepted commands over HTTP, one worker ({how})",
        turns["one"],
        "a bare Litestar handler of the same route",
        turns["bare"],
        Target("ratio", "at least", 0.7),
    )
    best = _best(turns["one"]).sent
    yield Row(
        name="commands.p99",
        title="Of these, the slowest in a hundred take longer than",
        figure=best.p99_ms,
        unit="ms",
        floor_title="a bare Litestar handler of the same route",
        floor=_best(turns["bare"]).sent.p99_ms,
        target=Target("figure", "at most", 10.0),
        rounds=tuple(turn.sent.p99_ms for turn in turns["one"]),
        floor_rounds=tuple(turn.sent.p99_ms for turn in turns["bare"]),
    )
    yield _row(
        "one-worker-append",
        "The same figure again",
        turns["one"],
        "the bare handler appending as much to our store",
        turns["append"],
    )
    yield _row(
        "two-workers",
        f"Accepted commands over HTTP, two workers ({how})",
        turns["two"],
        "the bare handler in two processes",
        turns["bare two"],
    )


def _best(turns: Sequence[_Turn]) -> _Turn:
    return max(turns, key=lambda turn: turn.sent.rate)


def _row(
    name: str,
    title: str,
    turns: Sequence[_Turn],
    floor_title: str,
    floor_turns: Sequence[_Turn],
    target: Target | None = None,
) -> Row:
    best = _best(turns)
    details = {"p50 ms": best.sent.p50_ms, "p99 ms": best.sent.p99_ms}
    for prefix, turn in (("", best), ("floor ", _best(floor_turns))):
        if turn.usage is not None:
            before, after = turn.usage
            service = (after.service_seconds - before.service_seconds) / turn.sent.requests
            store = (after.store_seconds - before.store_seconds) / turn.sent.requests
            details[f"{prefix}server CPU µs"] = round(1e6 * service, 1)
            if store:
                details[f"{prefix}store CPU µs"] = round(1e6 * store, 1)
    return Row(
        name=f"commands.{name}",
        title=title,
        figure=best.sent.rate,
        unit="commands/s",
        floor_title=floor_title,
        floor=_best(floor_turns).sent.rate,
        target=target,
        details=details,
        rounds=tuple(turn.sent.rate for turn in turns),
        floor_rounds=tuple(turn.sent.rate for turn in floor_turns),
    )
