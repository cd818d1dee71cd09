"""`meldlog restore`: archived games back into the store."""

from __future__ import annotations

import rich_click as click

from meldlog_service.cli.faults import FOUND_A_FAULT
from meldlog_service.cli.helping import examples, json_option
from meldlog_service.cli.sources import Source, store_options


@click.command(
    "restore",
    epilog=examples(
        "meldlog restore 3kd0qzjxw5yk7m2fpb4t",
        "meldlog restore 3kd0qzjxw5yk7m2fpb4t --archive-url s3://bucket/meldlog --redis-url redis://127.0.0.1:6379/0",
    ),
)
@click.argument("games", metavar="GAME...", nargs=-1, required=True)
@store_options
@json_option
@click.pass_context
def command(ctx: click.Context, games: tuple[str, ...], source: Source, as_json: bool) -> None:
    """Bring archived games back into the store, byte for byte.

    What is in the archive is compared with its index and checked as a log before anything is written. The archive keeps
    its copy; a game that was brought back is archived again when it has been back for as long as the age says, or by
    `meldlog archive GAME`.

    Exit status: 0, 1 when a game could not be brought back, 2 when the command was used wrongly.
    """
    from meldlog_service.cli import moving

    if not moving.restore(source.settings(), games, as_json=as_json):
        ctx.exit(FOUND_A_FAULT)
