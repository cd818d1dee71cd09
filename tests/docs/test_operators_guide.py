"""docs/operators.md names the settings, the metrics and the commands that there are."""

import re

from tests.docs.markdown import ROOT

from meldlog_service.cli.program import COMMANDS
from meldlog_service.metrics import Metrics
from meldlog_service.settings import describe

GUIDE = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")
DATA_FOLDER = "~/.local/share/meldlog"
"""Where `meldlog serve` keeps games: the default of `data_dir` is for those who start a service in another way."""


def table_of_settings() -> str:
    """The table as the guide must have it."""
    lines = ["| variable | default | what it says |", "|---|---|---|"]
    for setting in describe():
        default = DATA_FOLDER if setting.name == "data_dir" else setting.default
        lines.append(
            f"| `{setting.variable}` | {f'`{default}`' if default else ''} | {setting.description} |"
        )
    return "\n".join(lines) + "\n"


def test_the_table_of_settings_is_the_one_that_the_settings_make() -> None:
    """Copy it from here when a setting has changed."""
    assert table_of_settings() in GUIDE, table_of_settings()


def test_every_metric_is_told_of() -> None:
    """And no other."""
    exposed = set(re.findall(r"^# TYPE (meldlog_\w+)", Metrics({}).exposition().decode(), re.MULTILINE))
    exposed = {name for name in exposed if not name.endswith("_created")}
    assert set(re.findall(r"^\| `(meldlog_\w+)", GUIDE, re.MULTILINE)) == exposed


def test_every_command_that_is_shown_is_one() -> None:
    """A command that was renamed is found here."""
    assert set(re.findall(r"`meldlog (\w[\w-]*)", GUIDE)) <= set(COMMANDS)
