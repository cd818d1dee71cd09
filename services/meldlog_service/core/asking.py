"""Hooks resolved once: asked through pluggy a question costs ten times as much as called directly."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from operator import itemgetter
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
    chosen = itemgetter(*places)
    return lambda *given: function(*chosen(given))


def check_not_wrapped(caller: pluggy.HookCaller) -> None:
    """Check that a hook which collects answers has no wrapper: a wrapper would have a list to wrap.

    Raises:
        pluggy.PluginValidationError: naming the plugin that wraps it.
    """
    if caller.spec is not None and caller.spec.opts.get("firstresult"):
        return
    for impl in caller.get_hookimpls():
        if impl.wrapper or impl.hookwrapper:
            raise pluggy.PluginValidationError(
                impl.plugin, f"{caller.name} collects answers and cannot be wrapped"
            )


def resolved(
    manager: pluggy.PluginManager, name: str, offered: tuple[str, ...]
) -> tuple[Callable[..., object], ...]:
    """A hook's implementations as functions of all that is offered, in the order in which they speak.

    Raises:
        pluggy.PluginValidationError: when a hook that collects answers is wrapped.
    """
    caller = cast("pluggy.HookCaller", getattr(manager.hook, name))
    impls = caller.get_hookimpls()
    check_not_wrapped(caller)
    if any(impl.wrapper or impl.hookwrapper for impl in impls):
        # A wrapped question is asked through pluggy, which knows how wrappers nest.
        return (lambda *given: caller(**dict(zip(offered, given, strict=True))),)
    return tuple(adapted(impl, offered) for impl in reversed(impls))


def objectors_by_command(manager: pluggy.PluginManager) -> dict[type, tuple[Callable[..., object], ...]]:
    """Objectors by the command that they annotate: an objection to discards costs a draw nothing."""
    offered = ("command", "table", "seat", "rules")
    commands = typing.get_args(PlayCommand)
    check_not_wrapped(manager.hook.objections)
    found: dict[type, list[Callable[..., object]]] = {command: [] for command in commands}
    for impl in reversed(manager.hook.objections.get_hookimpls()):
        asked = typing.get_type_hints(inspect.unwrap(impl.function)).get("command", PlayCommand)
        union = typing.get_origin(asked) in (typing.Union, UnionType)
        wanted = set(typing.get_args(asked) if union else (asked,)) - {NoneType}
        for command in commands:
            if command in wanted:
                found[command].append(adapted(impl, offered))
    return {command: tuple(objectors) for command, objectors in found.items()}
