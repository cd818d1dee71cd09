"""`meldlog import`: a log that was exported becomes a game again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import rich_click as click
from msgspec import Struct

from meldlog_service.cli.helping import examples, json_option
from meldlog_service.cli.sources import Source, source_options

if TYPE_CHECKING:
    from meldlog_service.store.event_store import EventStore


class Imported(Struct, frozen=True):
    """What became of the log; the tokens are told only here."""

    game_id: str
    version: int
    status: str
    host_token: str
    seat_tokens: Mapping[int, str]


@click.command(
    "import",
    epilog=examples(
        "meldlog import log.ndjson",
        "meldlog import log.ndjson --url http://127.0.0.1:8000 --token mt_...",
        "meldlog export 3kd0qzjxw5yk7m2fpb4t --data-dir OLD | meldlog import - --data-dir NEW",
    ),
)
@click.argument("file", metavar="FILE|-")
@source_options
@json_option
def command(file: str, source: Source, as_json: bool) -> None:
    """Let a log that was exported become a game of this service.

    FILE is a log as an operator exports it, every secret open; `-` reads standard input. Every command in it is
    judged again before anything is stored: the first fault refuses the log and names the version. The game that it
    becomes has an id, tokens and chance of its own from there on; the log says where it comes from. The same log
    becomes a game once.

    Exit status: 0; 1 when the log is refused, or was imported before; 2 when the file or the service cannot be read.
    """
    from meldlog_service.cli.sources import read_file

    lines = read_file(file)
    done = _store(source, lines) if source.url is None else _ask_service(source, lines)
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode(done))
        return
    click.echo(f"game        {done.game_id} ({done.status}, version {done.version})")
    click.echo(f"host token  {done.host_token}")
    for seat, token in done.seat_tokens.items():
        click.echo(f"seat {seat:<6} {token}")


def _ask_service(source: Source, lines: Sequence[bytes]) -> Imported:
    from meldlog_service.cli.sources import problems_told

    with problems_told(), source.client() as client:
        begun = client.import_log(lines)
    return Imported(begun.game_id, begun.version, begun.status, begun.host_token, begun.seat_tokens)


def _store(source: Source, lines: Sequence[bytes]) -> Imported:
    from meldlog_service.app.errors import GameExists, NotImported
    from meldlog_service.app.handler import Handler
    from meldlog_service.app.importing import Import
    from meldlog_service.catalogue import Catalogue, PluginUnavailable
    from meldlog_service.cli.faults import Fault
    from meldlog_service.cli.progress import progress
    from meldlog_service.cli.stores import using_store
    from meldlog_service.cli.words import shown

    async def work(store: EventStore) -> Imported:
        catalogue = Catalogue.from_entry_points()
        incoming = Import(catalogue)
        with progress("judging", len(lines)) as step:
            for line in lines:
                incoming.take(line)
                step()
        begun = await incoming.finish(Handler(store, catalogue, cache_tables=1))
        table = begun.table
        return Imported(table.game_id, table.version, table.status, begun.host_token, begun.seat_tokens)

    try:
        return using_store(source.settings(), work)
    except NotImported as refused:
        raise Fault(f"the log is not imported: {shown(str(refused))}") from refused
    except PluginUnavailable as missing:
        raise Fault(f"the log cannot be judged here: {shown(str(missing))}") from missing
    except GameExists as there:
        raise Fault(f"this log was imported before: {there}") from there
