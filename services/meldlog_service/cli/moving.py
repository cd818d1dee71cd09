"""What `meldlog archive` and `meldlog restore` do with a store and its archive, and how they tell it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence

import msgspec
import rich_click as click
from msgspec import Struct

from meldlog_service.app.archiving import Archiver, Faults, Moved
from meldlog_service.app.errors import NoSuchGame
from meldlog_service.app.handler import now_ms
from meldlog_service.cli.faults import WRONG_USAGE, Fault
from meldlog_service.cli.progress import progress
from meldlog_service.cli.stores import using_store
from meldlog_service.cli.words import shown
from meldlog_service.settings import Age, Settings, variable
from meldlog_service.store.archive.store import ArchivedStore
from meldlog_service.store.event_store import EventStore

KIB = 1024


class Told(Struct, frozen=True, omit_defaults=True):
    """What became of one game, as --json tells it."""

    game: str
    outcome: str
    version: int | None = None
    log_bytes: int | None = None
    detail: str | None = None


class _Tally:
    """Tells of every game, and of all of them at the end."""

    def __init__(self, done: str, place: str, *, as_json: bool) -> None:
        """Begin to count.

        Args:
            done: What is done to each game, as ``restored``.
            place: Where it is then.
            as_json: For programs, a line of JSON for each game and no more.
        """
        self._done = done
        self._place = place
        self._as_json = as_json
        self._games = 0
        self._already = 0
        self._bytes = 0
        self.faults = 0

    def moved(self, game: str, moved: Moved) -> None:
        """A game is where it should be."""
        outcome = f"{self._done} already" if moved.already else self._done
        if moved.already:
            self._already += 1
            if not self._as_json:
                click.echo(f"game {shown(game)} is in the {self._place} already: nothing was moved")
        else:
            self._games += 1
            self._bytes += moved.entry.log_bytes
        self._tell(Told(game, outcome, moved.entry.version, moved.entry.log_bytes))

    def failed(self, game: str, fault: Exception) -> None:
        """A game is not, and why."""
        self.faults += 1
        self._tell(Told(game, "failed", detail=_reason(fault)))

    def _tell(self, told: Told) -> None:
        if self._as_json:
            click.echo(msgspec.json.encode(told))
        elif told.detail is not None:
            click.echo(f"meldlog: {told.detail}", err=True)

    def sum_up(self) -> None:
        """The last line, for people."""
        told = self._already + self.faults
        if not self._as_json and (self._games or told != 1):  # what became of the one game has been told
            failed = f", {_games(self.faults)} not" if self.faults else ""
            click.echo(f"{_games(self._games)} {self._done}, {self._bytes / KIB:,.0f} KiB of log{failed}")


def archive(settings: Settings, games: Sequence[str], age: Age | None, *, as_json: bool) -> bool:
    """Archive these games, or those of an age, and what was interrupted before; whether all went well.

    Raises:
        Fault: when there is no archive, or store or archive cannot be used.
    """
    tally = _Tally("archived", "archive", as_json=as_json)

    async def work(store: EventStore) -> None:
        archiver = Archiver(_with_archive(store))
        await archiver.sweep()
        chosen = dict.fromkeys([*await archiver.interrupted(), *games])
        if age is not None:
            moment = now_ms() - 1000 * age.seconds
            old = archiver.ended_before(moment, tally.failed)
            chosen |= dict.fromkeys([game async for game in old])
        await _each(chosen, archiver.archive, tally, "archiving")

    using_store(settings, work)
    tally.sum_up()
    return not tally.faults


def restore(settings: Settings, games: Sequence[str], *, as_json: bool) -> bool:
    """Bring games back; whether all went well.

    Raises:
        Fault: when there is no archive, or store or archive cannot be used.
    """
    tally = _Tally("restored", "store", as_json=as_json)

    async def work(store: EventStore) -> None:
        archived = _with_archive(store)
        archiver = Archiver(archived)

        async def bring_back(game: str) -> Moved:
            try:
                return await archiver.restore(game)
            except NoSuchGame as missing:
                raise _NotArchived(game, in_store=await archived.last_version(game) > 0) from missing

        await _each(dict.fromkeys(games), bring_back, tally, "restoring")

    using_store(settings, work)
    tally.sum_up()
    return not tally.faults


def relist(settings: Settings, *, as_json: bool) -> bool:
    """Put every archived game into the store's index; whether all went well.

    Raises:
        Fault: when there is no archive, or store or archive cannot be used.
    """
    faults: list[str] = []

    async def work(store: EventStore) -> int:
        return await Archiver(_with_archive(store)).enlist(lambda fault: faults.append(str(fault)))

    count = using_store(settings, work)
    if as_json:
        click.echo(msgspec.json.encode({"archived": count, "faults": faults}))
        return not faults
    for fault in faults:
        click.echo(f"meldlog: {shown(fault)}", err=True)
    if faults:
        click.echo(f"{_games(count)} of the archive listed, {_games(len(faults))} not")
    else:
        click.echo(f"{_games(count)} in the archive, all listed")
    return not faults


async def _each(
    games: Iterable[str], move: Callable[[str], Awaitable[Moved]], tally: _Tally, what: str
) -> None:
    named = list(games)
    with progress(what, len(named)) as step:
        for game in named:
            try:
                tally.moved(game, await move(game))
            except Faults as fault:
                tally.failed(game, fault)
            step()


def _with_archive(store: EventStore) -> ArchivedStore:
    if not isinstance(store, ArchivedStore):
        raise Fault(
            f"this store has no archive: name one with --archive-url or {variable('archive_url')}",
            WRONG_USAGE,
        )
    return store


class _NotArchived(NoSuchGame):
    """A game that cannot be brought back, as the archive does not have it."""

    def __init__(self, game_id: str, *, in_store: bool) -> None:
        super().__init__(game_id)
        self.in_store = in_store


def _reason(fault: Exception) -> str:
    match fault:
        case _NotArchived(in_store=True):
            name = shown(fault.game_id)
            return f"game {name} was never archived: it is in the store already, and nothing was changed"
        case _NotArchived():
            return f"there is no game {shown(fault.game_id)}, neither in the archive nor in the store"
        case NoSuchGame():
            return f"there is no game {shown(fault.game_id)}, neither in the store nor in the archive"
        case _:
            return str(fault)


def _games(count: int) -> str:
    return f"{count:,} game{'' if count == 1 else 's'}"
