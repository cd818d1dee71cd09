"""`meldlog verify`: the verifier of the contracts, which shares no code with the service."""

import rich_click as click

from meldlog_service.cli.helping import examples, json_option


@click.command(
    "verify",
    epilog=examples("meldlog verify log.ndjson", "meldlog export 3kd0qzjxw5yk7m2fpb4t | meldlog verify -"),
)
@click.argument("file", metavar="FILE|-")
@click.option("--head", metavar="HASH", help="The hash of the last commit as you noted it elsewhere.")
@json_option
@click.pass_context
def command(ctx: click.Context, file: str, head: str | None, as_json: bool) -> None:
    """Verify an exported log: its chain, its seals, its shuffles, and that no card appears or vanishes.

    FILE is a log as `meldlog export` writes it, or as a player or a spectator was given it; `-` reads standard input.
    Nothing else is needed: no service, no plugins, no network. The same check runs anywhere with nothing but Python:
    `python -m meldlog_contracts.verifier FILE`.

    Exit status: 0 when no fault was found, 1 for a fault, 2 when the file cannot be read.
    """
    from meldlog_contracts import verifier

    arguments = ["--json"] if as_json else []
    arguments += ["--head", head] if head is not None else []
    ctx.exit(verifier.main([*arguments, "--", file]))
