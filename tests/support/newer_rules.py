"""Newer rules versions of two plugins, as an author tries them on old games: one scores, one forbids, otherwise.

Installed beside those they come after; `tests.cli` puts them on a path with entry points of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec.structs import replace

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import Discard
from meldlog_contracts.hooks import PROJECT, Rules, hookimpl
from meldlog_contracts.problems import Objection
from meldlog_contracts.table import Table
from meldlog_variants.rules import card_values as card_values_1
from meldlog_variants.rules import taken_discard as taken_discard_1

ENTRIES = (
    "[meldlog.plugins]\ncard-values-2 = {module}:card_values\ntaken-discard-2 = {module}:taken_discard\n"
)


def _newer(old: ModuleType, **hooks: Callable[..., Any]) -> ModuleType:
    """Rules version 2 of a plugin: as it was, but for some hooks."""
    new = ModuleType(f"{old.__name__}_2")
    for name, hook in {**vars(old), **hooks}.items():
        if hasattr(hook, f"{PROJECT}_impl"):
            setattr(new, name, hook)
    info = old.variant_info()
    new.variant_info = hookimpl(lambda: replace(info, rules_version=2))  # type: ignore[attr-defined]
    return new


@hookimpl
def card_points(card: Card, table: Table, rules: Rules) -> int | None:
    """A king costs thirteen."""
    return 13 if card[0] == "K" else card_values_1.card_points(card, table, rules)


@hookimpl
def objections(command: Discard, table: Table, seat: int, rules: Rules) -> Objection | None:
    """No queen is thrown away."""
    return Objection("discard.queens", "a queen is not discarded") if command.card[0] == "Q" else None


card_values = _newer(card_values_1, card_points=card_points)
taken_discard = _newer(taken_discard_1, objections=objections)


def install(folder: Path) -> None:
    """Put both into a folder that Python looks into, as pip would leave them."""
    module = "newer_rules"
    (folder / f"{module}.py").write_text(Path(__file__).read_text(encoding="utf-8"), encoding="utf-8")
    about = folder / f"{module}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRIES.format(module=module))
