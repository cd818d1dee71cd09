"""`meldlog fork`: a game goes on from one of its versions as a new game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rich_click as click

from meldlog_service.cli.helping import examples, json_option
from meldlog_service.cli.sources import Source, source_options

if TYPE_CHECKING:
    from meldlog_service.cli.begun import Begun
    from meldlog_service.store.event_store import EventStore


@click.command(
    "fork",
    epilog=examples(
        "meldlog fork 3kd0qzjxw5yk7m2fpb4t --at 57",
        "meldlog fork 3kd0qzjxw5yk7m2fpb4t --at 57 --url http://127.0.0.1:8000 --token mt_...",
        "meldlog fork 3kd0qzjxw5yk7m2fpb4t --at 57 --json",
    ),
)
@click.argument("game", metavar="GAME")
@click.option(
    "--at",
    type=click.IntRange(min=1),
    required=True,
    metavar="VERSION",
    help="Go on from this version: it is the last that both games have.",
)
@source_options
@json_option
def command(game: str, at: int, source: Source, as_json: bool) -> None:
    """Go on from a version of a game as a new game.

    The new game has the same past, cards in hands and stock included, and an id, tokens and chance of its own from
    there on; the log says where it comes from. The old game stays as it is, in the store or in the archive. Whoever
    plays the new one knows what is still hidden in the old one: fork a game that is being played for yourself alone.

    Exit status: 0; 1 when nothing can follow that version, or its rules are not installed; 2 when there is no such game
    or version.
    """
    done = _store(source, game, at) if source.url is None else _ask_service(source, game, at)
    done.tell(as_json=as_json)


def _ask_service(source: Source, game: str, at: int) -> Begun:
    from meldlog_service.cli.begun import Begun
    from meldlog_service.cli.sources import problems_told

    with problems_told(), source.client() as client:
        return Begun.of_service(client.fork(game, at))


def _store(source: Source, game: str, at: int) -> Begun:
    from meldlog_contracts.problems import Refused
    from meldlog_service.app.errors import NoSuchGame, NoSuchVersion
    from meldlog_service.app.forking import fork
    from meldlog_service.app.handler import Handler
    from meldlog_service.catalogue import PluginUnavailable
    from meldlog_service.cli.begun import Begun
    from meldlog_service.cli.faults import WRONG_USAGE, Fault
    from meldlog_service.cli.installed import installed
    from meldlog_service.cli.stores import using_store
    from meldlog_service.cli.words import shown
    from meldlog_service.core.evolve import Corrupt

    async def work(store: EventStore) -> Begun:
        return Begun.of_store(await fork(Handler(store, installed(), cache_tables=1), game, at))

    try:
        return using_store(source.settings(), work)
    except (NoSuchGame, NoSuchVersion) as missing:
        raise Fault(shown(str(missing)), WRONG_USAGE) from missing
    except Refused as refused:
        raise Fault(refused.detail) from refused
    except PluginUnavailable as missing:
        raise Fault(f"the game cannot go on here: {shown(str(missing))}") from missing
    except Corrupt as corrupt:
        raise Fault(f"the log cannot be read: {shown(str(corrupt))}") from corrupt
