"""Which bots are installed: our own, and whatever packages bring by the entry point group ``meldlog.bots``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import metadata
from types import MappingProxyType
from typing import cast

from meldlog_service.bots.patient import Patient
from meldlog_service.bots.plain import Plain
from meldlog_service.bots.sharp import THINK_MS, Sharp
from meldlog_service.bots.strategy import Strategy
from meldlog_service.bots.uniform import Uniform

ENTRY_POINTS = "meldlog.bots"


class BrokenBot(Exception):
    """An installed bot that does not load, or is no strategy."""


def own(think_ms: int = THINK_MS) -> Mapping[str, Strategy]:
    """The bots that come with Meldlog, by name, weakest first.

    Args:
        think_ms: How long those that search may think about a move, in milliseconds of a usual machine.
    """
    ours = (Uniform(), Plain(), Patient(), Sharp(think_ms))
    return MappingProxyType({strategy.name: strategy for strategy in ours})


@cache
def strategies(think_ms: int = THINK_MS) -> Mapping[str, Strategy]:
    """Every bot that can be seated, by name: ours, weakest first, then others in alphabetical order.

    Args:
        think_ms: See `own`.

    Raises:
        BrokenBot: naming the entry point that brings no strategy, or one of a name that is taken.
    """
    found = dict(own(think_ms))
    for entry in sorted(metadata.entry_points(group=ENTRY_POINTS), key=lambda entry: entry.name):
        strategy = _loaded(entry)
        if strategy.name in found:
            raise BrokenBot(f"the bot {entry.name} ({entry.value}) has the name of another")
        found[strategy.name] = strategy
    return MappingProxyType(found)


def _loaded(entry: metadata.EntryPoint) -> Strategy:
    told = f"the bot {entry.name} ({entry.value})"
    try:
        brought = entry.load()
        strategy = brought() if isinstance(brought, type) else brought
    except Exception as error:
        raise BrokenBot(f"{told} does not load: {error}") from error
    if not callable(getattr(strategy, "choose", None)):
        raise BrokenBot(f"{told} is no strategy: it has no method `choose`")
    if getattr(strategy, "name", None) != entry.name:
        raise BrokenBot(
            f"{told} goes by the name {getattr(strategy, 'name', None)!r}: the two must be the same"
        )
    return cast("Strategy", strategy)
