"""`meldlog audit`: every recorded command decided again."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING

import rich_click as click

from meldlog_service.cli.faults import FOUND_A_FAULT
from meldlog_service.cli.helping import examples, json_option
from meldlog_service.cli.sources import Source, is_file, read_file, source_options

if TYPE_CHECKING:
    from meldlog_service.cli.tallying import Audited, Tally
    from meldlog_service.store.event_store import EventStore


@click.command(
    "audit",
    epilog=examples(
        "meldlog audit 3kd0qzjxw5yk7m2fpb4t",
        "meldlog audit --all --json > audit.ndjson",
        "meldlog audit one.ndjson another.ndjson",
    ),
)
@click.argument("games", metavar="[GAME|FILE]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Every game of the store.")
@source_options
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    games: tuple[str, ...],
    everything: bool,
    source: Source,
    as_json: bool,
) -> None:
    """Decide every recorded command again by the rules that the game recorded, and compare.

    A game agrees when everything comes out the same, byte for byte. It differs when something does not; the report
    names the version and what is wrong. It cannot be judged where its plugins are not installed in the version that
    it recorded, or where the log was redacted. Files are logs that were exported; with --url a service audits its
    games itself.

    Exit status: 0 when every game agrees, 1 when one does not, 2 when there is no such game.
    """
    if everything == bool(games):
        raise click.UsageError("name the games to audit, or --all")
    if everything and source.url is not None:
        raise click.UsageError("--all reads a store: leave --url out")
    from meldlog_service.cli.tallying import Tally

    tally = Tally(as_json=as_json, in_full=len(games) == 1)
    if source.url is not None:
        _ask_service(source, games, tally)
    elif everything or not all(map(is_file, games)):
        _judge_store(source, games, tally)
    else:
        _judge_files(games, tally)
    tally.sum_up()
    if not tally.all_agree:
        ctx.exit(FOUND_A_FAULT)


def _ask_service(source: Source, games: tuple[str, ...], tally: Tally) -> None:
    """Have a service audit its games."""
    from meldlog_service.cli.progress import progress
    from meldlog_service.cli.sources import problems_told
    from meldlog_service.cli.tallying import Audited, Finding

    with problems_told(), source.client() as client, progress("auditing", len(games)) as step:
        for game in games:
            report = client.audit(game)
            checks = tuple(Finding(one.name, one.verdict, one.detail, one.version) for one in report.checks)
            tally.add(Audited(game, report.verdict, report.version, checks))
            step()


def _judge_files(games: tuple[str, ...], tally: Tally) -> None:
    """Audit logs that were exported."""
    import asyncio

    async def logs() -> AsyncIterator[tuple[str, Sequence[bytes]]]:
        for game in games:
            yield game, read_file(game)

    asyncio.run(_judge(logs(), len(games), tally))


def _judge_store(source: Source, games: tuple[str, ...], tally: Tally) -> None:
    """Audit games of a store, all of them unless some are named; among those that are may be files as well."""
    from meldlog_service.cli.stores import read_log, using_store

    async def work(store: EventStore) -> None:
        named = list(games) or [game async for game in store.games()]

        async def logs() -> AsyncIterator[tuple[str, Sequence[bytes]]]:
            for game in named:
                if not games:
                    # A game whose log is kept elsewhere stays in the index.
                    yield game, [line async for _, line in store.scan(game)]
                else:
                    yield game, read_file(game) if is_file(game) else await read_log(store, game)

        await _judge(logs(), len(named), tally)

    using_store(source.settings(), work)


async def _judge(logs: AsyncIterator[tuple[str, Sequence[bytes]]], games: int, tally: Tally) -> None:
    from meldlog_service.cli.auditing import audit_all
    from meldlog_service.cli.progress import progress

    with progress("auditing", games) as step:

        def done(audited: Audited) -> None:
            tally.add(audited)
            step()

        await audit_all(logs, games, done)
