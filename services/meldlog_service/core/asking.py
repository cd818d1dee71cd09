"""Hooks resolved once: asked through pluggy a question costs ten times as much as called directly."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Collection, Generator, Mapping
from operator import itemgetter
from types import NoneType, UnionType
from typing import cast

import pluggy

from meldlog_contracts.commands import PlayCommand
from meldlog_contracts.hooks import Spec

Voice = Callable[..., object]
"""A plugin's implementation of a hook, called with all that the hook offers, in the order of its signature."""
Silences = Mapping[str, Collection[str]]
"""By plugin: the hooks that it need not be asked in a game."""
HOOKS: dict[str, tuple[str, ...]] = {
    name: tuple(inspect.signature(hook).parameters)[1:]
    for name, hook in vars(Spec).items()
    if hasattr(hook, "meldlog_spec")
}
"""Every hook, and what it offers."""


def adapted(impl: pluggy.HookImpl, offered: tuple[str, ...]) -> Voice:
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


def first_answer(voices: tuple[Voice, ...], *given: object) -> object:
    """What the first who has an answer says; None where nobody has one."""
    for voice in voices:
        answer = voice(*given)
        if answer is not None:
            return answer
    return None


def wrapped(wrapper: Voice, inner: Voice) -> Voice:
    """A question whose answer goes through a wrapper, as pluggy would hand it on."""

    def ask(*given: object) -> object:
        around = cast("Generator[None, object, object]", wrapper(*given))
        if next(around, around) is around:
            raise RuntimeError("a hook wrapper yields once")
        try:
            try:
                answer = inner(*given)
            except BaseException as error:  # the wrapper may have an answer to it
                around.throw(error)
            else:
                around.send(answer)
        except StopIteration as done:
            return done.value
        raise RuntimeError("a hook wrapper yields once")

    return ask


def check_wrappers(caller: pluggy.HookCaller) -> None:
    """Check that a hook which collects answers has no wrapper: a wrapper would have a list to wrap.

    Raises:
        pluggy.PluginValidationError: naming the plugin that wraps it, or wraps any hook in pluggy's old way.
    """
    first_wins = caller.spec is not None and caller.spec.opts.get("firstresult")
    for impl in caller.get_hookimpls():
        if impl.hookwrapper:
            raise pluggy.PluginValidationError(
                impl.plugin, f"{caller.name} is wrapped with wrapper=True, not with hookwrapper=True"
            )
        if impl.wrapper and not first_wins:
            raise pluggy.PluginValidationError(
                impl.plugin, f"{caller.name} collects answers and cannot be wrapped"
            )


def silences(manager: pluggy.PluginManager, rules: object) -> Silences:
    """What each plugin says it need not be asked in this game (hook ``silent``).

    Raises:
        pluggy.PluginValidationError: when one names a hook that it does not implement.
    """
    caller = manager.hook.silent
    check_wrappers(caller)
    found: dict[str, Collection[str]] = {}
    for impl in caller.get_hookimpls():
        named = cast("Collection[str] | None", adapted(impl, HOOKS["silent"])(rules)) or ()
        own = {one.name for one in manager.get_hookcallers(impl.plugin) or ()}
        for hook in named:
            if hook not in own:
                raise pluggy.PluginValidationError(
                    impl.plugin, f"{impl.plugin_name} is silent about {hook!r}, which is no hook of its own"
                )
        found[impl.plugin_name] = frozenset(named)
    return found


def asked(manager: pluggy.PluginManager, name: str, silent: Silences) -> list[pluggy.HookImpl]:
    """A hook's implementations but the silent ones, in the order in which they were registered.

    Raises:
        pluggy.PluginValidationError: when the hook is wrapped though it collects answers.
    """
    caller = cast("pluggy.HookCaller", getattr(manager.hook, name))
    check_wrappers(caller)
    return [impl for impl in caller.get_hookimpls() if name not in silent.get(impl.plugin_name, ())]


def resolved(manager: pluggy.PluginManager, name: str, silent: Silences) -> tuple[Voice, ...]:
    """A hook's implementations as functions of all that is offered, in the order in which they speak.

    A wrapped question is one function: the wrappers, the last registered outermost, around the first answer.

    Raises:
        pluggy.PluginValidationError: when the hook is wrapped though it collects answers.
    """
    offered = HOOKS[name]
    impls = asked(manager, name, silent)
    voices = tuple(adapted(impl, offered) for impl in reversed(impls) if not impl.wrapper)
    wrappers = [adapted(impl, offered) for impl in impls if impl.wrapper]
    if not wrappers:
        return voices

    def ask(*given: object) -> object:
        return first_answer(voices, *given)

    for wrapper in wrappers:
        ask = wrapped(wrapper, ask)
    return (ask,)


def objectors_by_command(manager: pluggy.PluginManager, silent: Silences) -> dict[type, tuple[Voice, ...]]:
    """Objectors by the command that they annotate: an objection to discards costs a draw nothing."""
    commands = typing.get_args(PlayCommand)
    found: dict[type, list[Voice]] = {command: [] for command in commands}
    for impl in reversed(asked(manager, "objections", silent)):
        annotated = typing.get_type_hints(inspect.unwrap(impl.function)).get("command", PlayCommand)
        union = typing.get_origin(annotated) in (typing.Union, UnionType)
        wanted = set(typing.get_args(annotated) if union else (annotated,)) - {NoneType}
        for command in commands:
            if command in wanted:
                found[command].append(adapted(impl, HOOKS["objections"]))
    return {command: tuple(objectors) for command, objectors in found.items()}
