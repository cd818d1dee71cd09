"""A run: some parts, one after the other."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Protocol, cast

from meldlog_bench.machine import this_machine
from meldlog_bench.results import Gap, Report, Row, report_of
from meldlog_service.catalogue import Catalogue
from meldlog_service.cli.progress import progress


class Part(Protocol):
    """A module that measures something; it is imported when its turn comes."""

    STEPS: int
    """How often it tells that it has come on."""

    def measured(self, catalogue: Catalogue, tick: Callable[[], None]) -> Iterable[Row | Gap]:
        """Measure.

        Args:
            catalogue: The installed plugins.
            tick: Is called `STEPS` times, for whoever watches.
        """
        ...


def run(parts: Iterable[str]) -> Report:
    """Measure some parts, named after their modules."""
    machine = this_machine()
    catalogue = Catalogue.from_entry_points()
    found: list[Row | Gap] = []
    for name in parts:
        part = cast(Part, import_module(f"meldlog_bench.{name}"))
        gc.collect()
        with progress(f"Measuring {name}", part.STEPS) as tick:
            found += part.measured(catalogue, tick)
    rows = [one for one in found if isinstance(one, Row)]
    gaps = [one for one in found if isinstance(one, Gap)]
    return report_of(rows, gaps, machine)
