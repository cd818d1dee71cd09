"""`meldlog audit`: every recorded command decided again."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from meldlog_service.cli.faults import FOUND_A_FAULT, WRONG_USAGE, Fault
from meldlog_service.cli.helping import examples, json_option
from meldlog_service.cli.sources import STANDARD_INPUT, Source, is_file, read_file, source_options

if TYPE_CHECKING:
    from meldlog_service.cli.auditing import Instead, Job
    from meldlog_service.cli.resuming import State
    from meldlog_service.cli.tallying import Audited, Tally
    from meldlog_service.store.event_store import EventStore


def _instead(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> Instead:
    """Rules versions by plugin."""
    found: dict[str, int] = {}
    for text in texts:
        name, _equals, number = text.partition("=")
        if not name or not (number.isascii() and number.isdecimal()):
            raise click.BadParameter(f"{text!r} is no plugin and rules version, as in crazy-rummy=2")
        if name in found:
            raise click.BadParameter(f"{name} is named twice")
        found[name] = int(number)
    return tuple(found.items())


@click.command(
    "audit",
    epilog=examples(
        "meldlog audit 3kd0qzjxw5yk7m2fpb4t",
        "meldlog audit --all --json > audit.ndjson",
        "meldlog audit --all --resume audit.state",
        "meldlog audit folder/ --with crazy-rummy=2",
    ),
)
@click.argument("games", metavar="[GAME|FILE|FOLDER]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Every game of the store.")
@click.option(
    "--with",
    "instead",
    multiple=True,
    callback=_instead,
    metavar="PLUGIN=VERSION",
    help="Judge by this rules version of a plugin in place of the recorded one, and tell which games would have gone "
    "otherwise; may be repeated.",
)
@click.option(
    "--resume",
    "state_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep what is found in this file, and leave out what it says was judged already.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="How many processes judge. [default: one a core]"
)
@source_options
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    games: tuple[str, ...],
    everything: bool,
    instead: Instead,
    state_file: Path | None,
    jobs: int | None,
    source: Source,
    as_json: bool,
) -> None:
    """Decide every recorded command again by the rules that the game recorded, and compare.

    A game agrees when everything comes out the same, byte for byte. It differs when something does not; the report
    names the version and what is wrong. It cannot be judged where its plugins are not installed in the version that
    it recorded, or where the log was redacted or cannot be read now. A log that is damaged differs, and keeps no other
    from being judged. Files are logs that were exported, and a folder stands for those in it; with --url a service
    audits its games itself.

    Exit status: 0 when every game agrees, 1 when one does not, 2 when there is no such game.
    """
    if everything == bool(games):
        raise click.UsageError("name the games to audit, or --all")
    if everything and source.url is not None:
        raise click.UsageError("--all reads a store: leave --url out")
    if source.url is not None and (instead or state_file is not None):
        raise click.UsageError("--with and --resume judge here: leave --url out")
    from meldlog_service.cli.tallying import Tally

    for game in games:
        _check_readable(game)
    named = [name for game in games for name in _logs_in(game)]
    in_full = len(named) == 1 and not everything
    words = " and ".join(f"{name} {version}" for name, version in instead) or None
    tally = Tally(as_json=as_json, in_full=in_full, instead=words)
    if source.url is not None:
        _ask_service(source, named, tally)
    else:
        with ExitStack() as stack:
            state = _state(state_file, instead)
            if state is not None:
                stack.enter_context(state)
            judging = _Judging(tally, instead, state, jobs)
            if everything or not all(map(is_file, named)):
                _judge_store(source, named, judging)
            else:
                _judge_files(named, judging)
    tally.sum_up()
    if not tally.all_agree:
        ctx.exit(FOUND_A_FAULT)


def _check_readable(name: str) -> None:
    """See that a file which is named can be opened, before anything is judged; raises Fault."""
    if name == STANDARD_INPUT or not is_file(name):
        return
    path = Path(name)
    try:
        if not path.is_dir():
            path.open("rb").close()
    except OSError as error:
        raise Fault(f"{name} cannot be read: {error.strerror}", WRONG_USAGE) from error


def _logs_in(name: str) -> list[str]:
    """The logs that an argument means: itself, or those in it if it is a folder."""
    folder = Path(name)
    if not folder.is_dir():
        return [name]
    found = sorted(str(path) for path in folder.glob("*.ndjson"))
    if not found:
        raise Fault(f"there are no logs (*.ndjson) in {name}", WRONG_USAGE)
    return found


def _state(path: Path | None, instead: Instead) -> State | None:
    """What was found before, if that is kept; sees on the way that the rules asked for are installed."""
    if path is None and not instead:
        return None
    from meldlog_service.catalogue import PluginUnavailable
    from meldlog_service.cli.installed import installed
    from meldlog_service.cli.resuming import State

    catalogue = installed()
    try:
        for name, version in instead:
            catalogue.version(name, version)
    except PluginUnavailable as missing:
        raise Fault(str(missing), WRONG_USAGE) from missing
    return None if path is None else State(path, catalogue, dict(instead))


def _ask_service(source: Source, games: Sequence[str], tally: Tally) -> None:
    """Have a service audit its games."""
    import msgspec

    from meldlog_service.app.differences import Difference
    from meldlog_service.cli.progress import progress
    from meldlog_service.cli.sources import problems_told
    from meldlog_service.cli.tallying import Audited, Finding

    with problems_told(), source.client() as client, progress("auditing", len(games)) as step:
        for game in games:
            report = client.audit(game)
            checks = tuple(Finding(one.name, one.verdict, one.detail, one.version) for one in report.checks)
            difference = msgspec.json.decode(msgspec.json.encode(report.difference), type=Difference | None)
            tally.add(Audited(game, report.verdict, report.version, checks, difference))
            step()


def _judge_files(games: Sequence[str], judging: _Judging) -> None:
    """Audit logs that were exported."""
    import asyncio

    async def jobs() -> AsyncIterator[Job]:
        for game in games:
            yield judging.of_file(game)

    asyncio.run(judging.judge(jobs(), len(games)))


def _judge_store(source: Source, games: Sequence[str], judging: _Judging) -> None:
    """Audit games of a store, all of them unless some are named; among those that are may be files as well."""
    from meldlog_service.cli.stores import using_store

    async def work(store: EventStore) -> None:
        for game in games:
            if not is_file(game):
                await _check_there(store, game)
        named = list(games) or [game async for game in store.games()]

        async def jobs() -> AsyncIterator[Job]:
            for game in named:
                if games and is_file(game):
                    yield judging.of_file(game)
                else:
                    # A game whose log is kept elsewhere stays in the index.
                    yield await judging.of_store(store, game)

        await judging.judge(jobs(), len(named))

    using_store(source.settings(), work)


async def _check_there(store: EventStore, game: str) -> None:
    """See that there is such a game, before any is judged; a broken log is there. Raises Fault."""
    from meldlog_service.store.archive.objects import ArchiveUnavailable
    from meldlog_service.store.event_store import BrokenLog

    try:
        there = await store.last_version(game) > 0
    except (BrokenLog, ArchiveUnavailable):
        there = True
    if not there:
        raise Fault(f"there is no game {game} in this store", WRONG_USAGE)


class _Judging:
    """What to judge, by what, and who is told.

    Args:
        tally: Hears of every game.
        instead: Rules versions to judge by in place of those that games recorded.
        state: What was found before, and keeps what is found now.
        processes: How many judge; as many as there are cores, unless it is said.
    """

    def __init__(self, tally: Tally, instead: Instead, state: State | None, processes: int | None) -> None:
        self._tally = tally
        self._instead = instead
        self._state = state
        self._processes = processes

    def of_file(self, name: str) -> Job:
        """The audit of a file, which is the same log as long as it has the same size and time."""
        from meldlog_service.app.audit_report import Unread
        from meldlog_service.cli.auditing import Job

        if name == STANDARD_INPUT:
            return Job(name, lines=read_file(name))
        try:
            about = Path(name).stat()
        except OSError as error:
            return Job(name, lines=(), unread=Unread.because(error))
        key = f"file {Path(name).resolve()} {about.st_size} {about.st_mtime_ns}"
        return Job(name, key, known=self._known(key))

    async def of_store(self, store: EventStore, game: str) -> Job:
        """The audit of a game, which is the same log as long as it ends with the same version.

        One that cannot be read is told of like one that differs, and no other is kept from being judged.

        Raises:
            StoreUnavailable: when the store itself, and not an archive, cannot be asked.
        """
        from meldlog_service.app.audit_report import Unread
        from meldlog_service.cli.auditing import Job
        from meldlog_service.store.archive.objects import ArchiveUnavailable
        from meldlog_service.store.event_store import BrokenLog

        key = ""
        lines: list[bytes] = []
        try:
            if self._state is not None:
                key = f"game {game} {await store.last_version(game)}"
            known = self._known(key)
            if known is not None:
                return Job(game, key, known=known)
            async for _, line in store.scan(game):
                lines.append(line)
        except (BrokenLog, ArchiveUnavailable) as fault:
            return Job(game, lines=lines, unread=Unread.because(fault))
        return Job(game, key, lines)

    def _known(self, key: str) -> Audited | None:
        return self._state.find(key) if key and self._state is not None else None

    async def judge(self, jobs: AsyncIterator[Job], games: int) -> None:
        """Judge them all, and tell of each."""
        from meldlog_service.cli.auditing import audit_all
        from meldlog_service.cli.progress import progress

        with progress("auditing", games) as step:
            await audit_all(jobs, games, self._done(step), self._instead, processes=self._processes)

    def _done(self, step: Callable[[], None]) -> Callable[[Job, Audited], None]:
        def done(job: Job, audited: Audited) -> None:
            if self._state is not None and job.key and job.known is None:
                self._state.add(job.key, audited)
            self._tally.add(audited)
            step()

        return done
