"""`meldlog import`: a log that was exported becomes a game again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import rich_click as click

from meldlog_service.cli.helping import examples, json_option
from meldlog_service.cli.sources import Source, source_options

if TYPE_CHECKING:
    from meldlog_service.cli.begun import Begun
    from meldlog_service.store.event_store import EventStore


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
    becomes a game once. A data folder that holds no games yet is made a store, for a service to begin with.

    Exit status: 0; 1 when the log is refused, or was imported before; 2 when the file or the service cannot be read.
    """
    from meldlog_service.cli.sources import read_file

    lines = read_file(file)
    done = _store(source, lines) if source.url is None else _ask_service(source, lines)
    done.tell(as_json=as_json)


def _ask_service(source: Source, lines: Sequence[bytes]) -> Begun:
    from meldlog_service.cli.begun import Begun
    from meldlog_service.cli.sources import problems_told

    with problems_told(), source.client() as client:
        return Begun.of_service(client.import_log(lines))


def _store(source: Source, lines: Sequence[bytes]) -> Begun:
    from meldlog_service.app.errors import GameExists, NotImported
    from meldlog_service.app.handler import Handler
    from meldlog_service.app.importing import Import
    from meldlog_service.catalogue import PluginUnavailable
    from meldlog_service.cli.begun import Begun
    from meldlog_service.cli.faults import Fault
    from meldlog_service.cli.installed import installed
    from meldlog_service.cli.progress import progress
    from meldlog_service.cli.stores import using_store
    from meldlog_service.cli.words import shown

    catalogue = installed()
    incoming = Import(catalogue)

    async def work(store: EventStore) -> Begun:
        return Begun.of_store(await incoming.finish(Handler(store, catalogue, cache_tables=1)))

    try:
        # Judged before there is a store: for a log that is refused no data folder is made.
        with progress("judging", len(lines)) as step:
            for line in lines:
                incoming.take(line)
                step()
        return using_store(source.settings(), work, new=True)
    except NotImported as refused:
        raise Fault(f"the log is not imported: {shown(str(refused))}") from refused
    except PluginUnavailable as missing:
        raise Fault(f"the log cannot be judged here: {shown(str(missing))}") from missing
    except GameExists as there:
        raise Fault(f"this log was imported before: {there}") from there
