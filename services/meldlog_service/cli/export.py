"""`meldlog export`: a game's log, byte for byte as it is stored."""

import sys
from pathlib import Path

import rich_click as click

from meldlog_service.cli.helping import examples, json_option
from meldlog_service.cli.sources import Source, source_options
from meldlog_service.cli.writing import check_free, force_option, write


@click.command(
    "export",
    epilog=examples(
        "meldlog export 3kd0qzjxw5yk7m2fpb4t > log.ndjson",
        "meldlog export 3kd0qzjxw5yk7m2fpb4t --url http://127.0.0.1:8000 --token mt_... --out log.ndjson",
    ),
)
@click.argument("game", metavar="GAME")
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to this file, not to standard output; one that is there already is left alone without --force.",
)
@force_option
@source_options
@json_option
def command(
    game: str,
    out: Path | None,
    source: Source,
    force: bool,
    as_json: bool,
) -> None:
    """Write the log of a game: one commit a line (NDJSON), for `verify`, `replay` and `audit`.

    From a store comes every secret with it, the seed of a game that is still played too: keep such a file to
    yourself until the game is over. Over HTTP (--url) comes what the token's owner may see.

    The log is JSON in any case; with --out, --json tells on standard output what was written.
    """
    if out is not None:
        check_free(out, force=force)
    lines = source.log(game)
    log = b"".join(line + b"\n" for line in lines)
    if out is None:
        sys.stdout.buffer.write(log)
        return
    write(out, log, force=force)
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode({"game_id": game, "versions": len(lines), "file": str(out)}))
    else:
        click.echo(f"{out}: {len(lines)} versions of game {game}")
