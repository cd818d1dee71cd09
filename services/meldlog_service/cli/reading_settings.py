"""Settings from options and variables, and where games are kept unless these say otherwise."""

import os
import sys
from pathlib import Path

import rich_click as click

from meldlog_service.settings import InvalidSettingsError, Settings


def default_data_dir() -> Path:
    """Where games are kept unless `--data-dir` says otherwise: the user's folder for applications' data.

    It does not depend on the folder that a command is run in, so `meldlog export` finds the games of `meldlog serve`.
    On macOS it is `~/Library/Application Support/meldlog`, elsewhere `$XDG_DATA_HOME/meldlog`, by default
    `~/.local/share/meldlog` (XDG Base Directory Specification).
    """
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "meldlog"
    # The specification says to pass over a path that is not absolute.
    given = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".local" / "share") / "meldlog"


def read_settings(**options: object) -> Settings:
    """Settings from the variables `MELDLOG_*` and the options that were given (not None), which win.

    Raises:
        click.UsageError: telling everything that is wrong with them.
    """
    if not os.environ.get("MELDLOG_DATA_DIR") and options.get("data_dir") is None:
        options["data_dir"] = default_data_dir()
    try:
        return Settings.from_environment(os.environ, **options)
    except InvalidSettingsError as error:
        raise click.UsageError(str(error)) from error
