"""`meldlog verify`: the verifier of the contracts, which shares no code with the service."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import rich_click as click

from meldlog_service.cli.helping import examples, json_option
from meldlog_service.cli.writing import force_option, write


@click.command(
    "verify",
    epilog=examples(
        "meldlog verify log.ndjson",
        "meldlog export 3kd0qzjxw5yk7m2fpb4t | meldlog verify -",
        "meldlog verify log.ndjson --head 5d41…",
        "meldlog verify --write-standalone meldlog_verify.py",
    ),
)
@click.argument("file", metavar="FILE|-", required=False)
@click.option(
    "--head",
    metavar="HASH",
    help="The hash of a commit, the last one or an earlier, as you noted it elsewhere.",
)
@json_option
@click.option(
    "--write-standalone",
    "standalone",
    metavar="NAME",
    type=click.Path(path_type=Path),
    help="Write the verifier itself into a file: NAME.py runs by itself, NAME.mjs is for Node and for pages.",
)
@force_option
@click.pass_context
def command(
    ctx: click.Context,
    file: str | None,
    head: str | None,
    as_json: bool,
    standalone: Path | None,
    force: bool,
) -> None:
    """Verify an exported log: its chain, its seals, its shuffles, and that no card appears or vanishes.

    FILE is a log as `meldlog export` writes it, or as a player or a spectator was given it; `-` reads standard input.
    The report says what was proved, what this export cannot prove, and where the first fault lies. With --head it
    says up to which version this is the log whose hash you kept.

    Nothing else is needed: no service, no plugins, no network. With --write-standalone the same check is a file to
    carry away, which runs anywhere with nothing but Python: `python meldlog_verify.py log.ndjson`.

    Exit status: 0 when no fault was found, 1 for a fault, 2 when the file cannot be read.
    """
    if (file is None) == (standalone is None):
        raise click.UsageError("name the log to verify, or --write-standalone")
    if standalone is not None:
        _write(standalone, force=force)
        return
    from meldlog_contracts import verifier

    arguments = ["--json"] if as_json else []
    arguments += ["--head", head] if head is not None else []
    ctx.exit(verifier.main([*arguments, "--", str(file)], program="meldlog verify"))


def _write(name: Path, *, force: bool) -> None:
    """Write the verifier that the name's ending asks for, and say how it is run."""
    import hashlib

    source, run = _source(name)
    content = source.read_bytes()
    write(name, content, force=force)
    click.echo(f"SHA-256 {hashlib.sha256(content).hexdigest()}")
    click.echo(f"run it  {run} {name} log.ndjson")


def _source(name: Path) -> tuple[Traversable, str]:
    """The verifier for an ending, and the program that runs it."""
    match name.suffix:
        case ".py":
            return resources.files("meldlog_contracts").joinpath("verifier.py"), "python"
        case ".mjs" | ".js":
            return resources.files("meldlog_web").joinpath("static", "verifier.js"), "node"
        case _:
            raise click.UsageError("a verifier is called NAME.py or NAME.mjs")
