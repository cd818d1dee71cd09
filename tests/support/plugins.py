"""Small plugins for tests, made on the spot, and catalogues that hold them beside everything installed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import metadata
from types import ModuleType
from typing import Any

from msgspec import Struct

from meldlog_contracts.hooks import PROJECT, VariantInfo, hookimpl
from meldlog_contracts.table import HouseValue
from meldlog_service.catalogue import ENTRY_POINTS, Catalogue


def plugin(
    name: str,
    *,
    version: int = 1,
    declares: type[Struct] | None = None,
    amends: Mapping[str, HouseValue] | None = None,
    hooks: Mapping[str, Callable[..., Any]] | None = None,
    **info: Any,
) -> ModuleType:
    """A plugin module with this identity, these house rules and these hooks, which may be marked already."""
    module = ModuleType(f"plugin_{name}_{version}")
    answers: dict[str, Callable[..., Any]] = {
        "variant_info": lambda: VariantInfo(name, name.title(), version, **info),
        **(hooks or {}),
    }
    if declares is not None:
        answers["house_rules"] = lambda: declares
    if amends is not None:
        answers["amendments"] = lambda: amends
    for hook, answer in answers.items():
        setattr(module, hook, answer if hasattr(answer, f"{PROJECT}_impl") else hookimpl(answer))
    return module


def catalogue_with(*plugins: object) -> Catalogue:
    """Everything installed, and these."""
    return Catalogue([*(entry.load() for entry in metadata.entry_points(group=ENTRY_POINTS)), *plugins])
