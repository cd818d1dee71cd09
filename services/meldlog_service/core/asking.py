"""Hooks resolved once: asked through pluggy a question costs ten times as much as called directly."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from types import NoneType, UnionType
from typing import cast

import pluggy

from meldlog_contracts.commands import PlayCommand


def adapted(impl: pluggy.HookImpl, offered: tuple[str, ...]) -> Callable[..., object]:
    """The implementation as a function of everything that is offered, though it names only what it wants."""
    function = impl.function
    wanted = impl.argnames
    if wanted == offered:
        return function
    places = tuple(offered.index(name) for name in wanted)
    if len(places) == 1:
        (only,) = places
        return lambda *given: function(given[only])
    if places == tuple(range(len(places))):
        count = len(places)
        return lambda *given: function(*given[:count])
    return lambda *given: function(*[given[place] for place in places])


def resolved(
    manager: pluggy.PluginManager, name: str, offered: tuple[str, ...]
) -> tuple[Callable[..., object], ...]:
    """A hook's implementations as functions of all that is offered, in the order in which they speak.

    Raises:
        pluggy.PluginValidationError: when a hook that collects answers is wrapped.
    """
    caller = cast("pluggy.HookCaller", getattr(manager.hook, name))
    impls = caller.get_hookimpls()
    wrapping = next((impl for impl in impls if impl.wrapper or impl.hookwrapper), None)
    if wrapping is not None:
        if caller.spec is None or not caller.spec.opts.get("firstresult"):
            raise pluggy.PluginValidationError(
                wrapping.plugin, f"{name} collects answers and cannot be wrapped"
            )
        # A wrapped question is asked through pluggy, which knows how wrappers nest.
        return (lambda *given: caller(**dict(zip(offered, given, strict=True))),)
    return tuple(adapted(impl, offered) for impl in reversed(impls))


def objectors_by_command(manager: pluggy.PluginManager) -> dict[type, tuple[Callable[..., object], ...]]:
    """Objectors by the command that they annotate: an objection to discards costs a draw nothing."""
    offered = ("command", "table", "seat", "rules")
    commands = typing.get_args(PlayCommand)
    found: dict[type, list[Callable[..., object]]] = {command: [] for command in commands}
    for impl in reversed(manager.hook.objections.get_hookimpls()):
        asked = typing.get_type_hints(inspect.unwrap(impl.function)).get("command", PlayCommand)
        union = typing.get_origin(asked) in (typing.Union, UnionType)
        wanted = set(typing.get_args(asked) if union else (asked,)) - {NoneType}
        for command in commands:
            if command in wanted:
                found[command].append(adapted(impl, offered))
    return {command: tuple(objectors) for command, objectors in found.items()}
