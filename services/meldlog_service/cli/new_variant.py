"""`meldlog new-variant`: a package to begin a variant of one's own with."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import rich_click as click

from meldlog_service.cli.faults import WRONG_USAGE, Fault
from meldlog_service.cli.helping import examples, json_option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from meldlog_service.kit.package import Blueprint


@click.command(
    "new-variant",
    epilog=examples(
        "meldlog new-variant tea-rummy",
        "meldlog new-variant tea-rummy --base crazy-rummy --author 'Ann Example <ann@example.org>'",
        "meldlog new-variant tea-rummy --into .",
    ),
)
@click.argument("name")
@click.option(
    "--into",
    "folder",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="The package's own folder, made when it is missing; meldlog-NAME here if left out.",
)
@click.option(
    "--base",
    metavar="VARIANT",
    default="basic",
    show_default=True,
    help="What answers where the new variant does not: any installed variant, or basic for sets and runs alone.",
)
@click.option("--author", metavar="AUTHOR", help="For pyproject.toml: a name, or NAME <MAIL>.")
@json_option
def command(name: str, folder: Path | None, base: str, author: str | None, as_json: bool) -> None:
    """Write a package that holds a variant called NAME: it installs, passes its own tests and can be played at once.

    It has the variant as a page of data and one hook, commented for whoever writes a first one; its rule sheet in four
    languages; tests; and a pyproject.toml with the entry point by which Meldlog finds it. NAME is permanent: lower
    case, words joined by hyphens. Nothing that is there already is overwritten.

    Exit status: 0 when the package is written, 1 when it cannot be, 2 for a NAME or a base that cannot be.
    """
    from meldlog_service.kit.package import written

    plan = _plan(name, base, _one_line(author))
    target = folder or Path(plan.names.distribution)
    texts = written(plan)
    _write(target, texts)
    if as_json:
        import msgspec

        told = {
            "name": plan.names.name,
            "distribution": plan.names.distribution,
            "module": f"{plan.names.package}.{plan.names.module}",
            "base": base,
            "folder": str(target),
            "files": [str(path) for path in texts],
        }
        click.echo(msgspec.json.encode(told))
        return
    click.echo(f"{target} holds {plan.names.title}:")
    for path in texts:
        click.echo(f"  {path}")
    click.echo(
        f"Begin in that folder: {_entering()}pip install --editable '.[dev]' && pytest && meldlog variants {name}"
    )


def _entering() -> str:
    """How a shell comes to this program's environment, where its `pip` and `meldlog` are not those that it finds."""
    activate = Path(sys.prefix, "bin", "activate")
    entered = os.environ.get("VIRTUAL_ENV") == sys.prefix
    return "" if entered or not activate.is_file() else f". {shlex.quote(str(activate))} && "


def _plan(name: str, base: str, author: str | None) -> Blueprint:
    from meldlog_service.cli.installed import installed
    from meldlog_service.kit.names import BadName, named
    from meldlog_service.kit.package import BadBase, blueprint

    catalogue = installed()
    if name in {info.name for info in catalogue.infos()}:
        raise Fault(f"{name} is installed already; a name is a plugin's for ever", WRONG_USAGE)
    try:
        return blueprint(named(name), base, author, catalogue)
    except (BadName, BadBase) as error:
        raise Fault(str(error), WRONG_USAGE) from error


def _one_line(author: str | None) -> str | None:
    """An author as given; raises Fault for what cannot stand in a line of TOML."""
    from meldlog_service.cli.words import shown

    if author is not None and (not author.strip() or shown(author) != author):
        raise Fault("--author takes a name in one line", WRONG_USAGE)
    return author


def _write(folder: Path, texts: Mapping[PurePosixPath, str]) -> None:
    """Write every file, or none when one is there already.

    Raises:
        Fault: naming what is in the way, or what the system says.
    """
    for path in texts:
        if (folder / path).exists():
            raise Fault(f"{folder / path} is there already, and nothing was written")
    for path, text in texts.items():
        file = folder / path
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("x", encoding="utf-8") as new:
                new.write(text)
        except OSError as error:
            raise Fault(f"{file} cannot be written: {error.strerror}") from error
