"""`meldlog archive`: finished games out of the store, into the archive."""

from __future__ import annotations

import rich_click as click

from meldlog_service.cli.faults import FOUND_A_FAULT
from meldlog_service.cli.helping import examples, json_option
from meldlog_service.cli.sources import Source, store_options
from meldlog_service.settings import Age


def _age(_: click.Context, __: click.Parameter, text: str | None) -> Age | None:
    if text is None:
        return None
    try:
        return Age.parse(text)
    except ValueError as error:
        raise click.BadParameter(f"{error}; it was {text!r}") from error


@click.command(
    "archive",
    epilog=examples(
        "meldlog archive --older-than 30d",
        "meldlog archive 3kd0qzjxw5yk7m2fpb4t",
        "meldlog archive --older-than 0s --archive-url s3://bucket/meldlog --redis-url redis://127.0.0.1:6379/0",
        "meldlog archive --relist --data-dir /srv/new",
    ),
)
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option(
    "--older-than",
    metavar="AGE",
    callback=_age,
    help="Every game that ended as long ago: `30d`, `12h`, `0s` for all that are over (or `MELDLOG_ARCHIVE_AFTER`).",
)
@click.option(
    "--relist",
    is_flag=True,
    help="Move nothing: put every archived game into the store's list of games again, as after the loss of a store.",
)
@store_options
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    games: tuple[str, ...],
    older_than: Age | None,
    relist: bool,
    source: Source,
    as_json: bool,
) -> None:
    """Move finished games from the store to the archive.

    Each becomes a compressed file with an entry in the archive's index, is read back and compared, and only then leaves
    the store. It stays readable as before, over HTTP and for every command; `meldlog restore` brings it back. What was
    interrupted is finished first. The service may run meanwhile. A log whose chain is broken is not archived, and told.

    Exit status: 0, 1 when a game could not be archived, 2 when the command was used wrongly.
    """
    settings = source.settings()
    age = older_than if older_than is not None else settings.archive_after
    if relist and (games or older_than is not None):
        raise click.UsageError("--relist moves nothing: leave games and --older-than out")
    if games and older_than is not None:
        raise click.UsageError("name games, or say how old, not both")
    if not (games or relist or age is not None):
        raise click.UsageError("name games, or say how old they must be: --older-than 30d")
    from meldlog_service.cli import moving

    if relist:
        if not moving.relist(settings, as_json=as_json):
            ctx.exit(FOUND_A_FAULT)
    elif not moving.archive(settings, games, None if games else age, as_json=as_json):
        ctx.exit(FOUND_A_FAULT)
