"""Files that commands write: one that is there already stays as it is, unless the command is told otherwise."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from meldlog_service.cli.faults import WRONG_USAGE, Fault

force_option = click.option("--force", is_flag=True, help="Write the file even where one is there already.")
"""Adds ``--force``; the command hands it to `write` and `check_free`."""


def check_free(path: Path, *, force: bool) -> None:
    """Check, before the work is done, that `write` would not meet a file; raises Fault."""
    if not force and path.is_file():
        raise Fault(f"{path} exists already: name another file, or say --force", WRONG_USAGE)


def write(path: Path, content: bytes, *, force: bool) -> None:
    """Write a file; a pipe or a terminal is written to in any case.

    Raises:
        Fault: when it exists already, or cannot be written.
    """
    check_free(path, force=force)
    try:
        with path.open("wb" if force or path.exists() else "xb") as file:
            file.write(content)
    except OSError as error:
        raise Fault(f"{path} cannot be written: {error.strerror}", WRONG_USAGE) from error
