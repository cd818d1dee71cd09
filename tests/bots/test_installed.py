"""Bots that other packages bring."""

import importlib.metadata
import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from meldlog_service.bots import STRATEGIES, BrokenBot, installed, strategies

MODULE = '''
"""A strategy that takes the last of its moves."""


class Last:
    """Whatever is listed last."""

    name = "last"

    def choose(self, table, seat, moves, rng):
        return moves[-1]
'''


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder in which a package with a bot is installed, as pip would leave it."""
    (tmp_path / "last_bot.py").write_text(MODULE)
    told = tmp_path / "last_bot-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: last-bot\nVersion: 1.0\n")
    (told / "entry_points.txt").write_text("[meldlog.bots]\nlast = last_bot:Last\n")
    return tmp_path


def test_a_bot_of_another_package_plays(package: Path) -> None:
    """By its entry point alone, in processes of their own too."""
    command = ["simulate", "crazy-rummy", "--games", "6", "--bots", "last,plain", "--seed", "1", "--json"]
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "from meldlog_service.cli import main; main()",
            *command,
            "--house-rule",
            "deal_count=1",
            "--jobs",
            "2",
        ],
        env={**os.environ, "PYTHONPATH": str(package)},
        check=True,
        capture_output=True,
        text=True,
    )

    summary = json.loads(told.stdout)["summary"]
    assert summary["finished"] == 6
    assert [one["strategy"] for one in summary["strategies"]] == ["last", "plain"]


def test_ours_come_first_and_weakest_first() -> None:
    """As the lobby lists them."""
    assert list(strategies())[:4] == list(STRATEGIES) == ["random", "plain", "patient", "sharp"]


class Nameless:
    """A strategy that does not say who it is."""

    def choose(self, *_: object) -> None:
        """See `Strategy.choose`."""


class Plain(Nameless):
    """A strategy that takes the name of one of ours."""

    name = "plain"


NOT_CALLABLE = object()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("gone", "no_such_module_anywhere", "does not load"),
        ("thing", f"{__name__}:NOT_CALLABLE", "is no strategy"),
        ("other", f"{__name__}:Nameless", "the two must be the same"),
        ("plain", f"{__name__}:Plain", "has the name of another"),
    ],
)
def test_a_bot_that_is_none_is_told_by_its_entry_point(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    """At the start, not when somebody seats it."""
    entry = EntryPoint(name, value, installed.ENTRY_POINTS)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda *, group: [entry] * (group == entry.group))

    with pytest.raises(BrokenBot, match=f"the bot {name} .*{said}"):
        strategies.__wrapped__()
