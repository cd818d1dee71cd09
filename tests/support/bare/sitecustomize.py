"""With this folder on PYTHONPATH a process is one of an environment in which every plugin was uninstalled.

Python imports the module by itself, before anything else. No entry point is found, and no module of the variants.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import metadata
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

GROUP = "meldlog.plugins"
PACKAGES = ("meldlog_variants", "meldlog_one_eyed_jacks")


class Uninstalled(MetaPathFinder):
    """Says of the plugins' packages that they are not there."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """See `MetaPathFinder.find_spec`."""
        del path, target
        if name.partition(".")[0] in PACKAGES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


_found = metadata.Distribution.entry_points


class WithoutPlugins:
    """A distribution's entry points but for the plugins."""

    def __get__(self, distribution: metadata.Distribution, of: type) -> metadata.EntryPoints:
        found: metadata.EntryPoints = _found.__get__(distribution, of)
        return metadata.EntryPoints(entry for entry in found if entry.group != GROUP)


metadata.Distribution.entry_points = WithoutPlugins()  # type: ignore[assignment]
sys.meta_path.insert(0, Uninstalled())
