"""Which hook is at work: every hook of a game behind a wrapper that notes who is asked.

A game is played by its plain ruleset. Where it is looked at closer the same command is decided once more by a watched
one, which has the same plugins, each hook wrapped.
"""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from time import thread_time
from types import CodeType, ModuleType, TracebackType
from typing import Any
from weakref import WeakKeyDictionary

import msgspec

from meldlog_contracts.hooks import PROJECT, Obligation, Spec
from meldlog_contracts.problems import Objection
from meldlog_contracts.table import Table
from meldlog_service.catalogue import Catalogue
from meldlog_service.checking.faults import Broken, Hook
from meldlog_service.checking.traps import trapped
from meldlog_service.core.ruleset import Ruleset

_MARK = f"{PROJECT}_impl"
_HOOKS = tuple(name for name, hook in vars(Spec).items() if hasattr(hook, f"{PROJECT}_spec"))
_LONGEST_ANSWER = 200
"""Characters of a hook's answer that are told."""


def snapshot(value: object) -> bytes:
    """What a value says, byte by byte; two snapshots of one table differ where a hook has changed it."""
    try:
        return msgspec.json.encode(value, order="sorted")
    except (TypeError, ValueError, msgspec.MsgspecError):
        return repr(value).encode()


_WATCHES: WeakKeyDictionary[Ruleset, Watch] = WeakKeyDictionary()


def watch_of(rules: Ruleset, catalogue: Catalogue) -> Watch:
    """The watch over a ruleset's plugins: made once, since what rules remember takes its time to be found again."""
    watch = _WATCHES.get(rules)
    if watch is None:
        watch = _WATCHES[rules] = Watch(rules, catalogue)
    return watch


class Watch:
    """One game's plugins, watched.

    Attributes:
        rules: The watched ruleset.
        answers: By name of a hook, who answered last, and what; the last of all at the end.
        objectors: By clause, who quoted it last.
    """

    def __init__(self, rules: Ruleset, catalogue: Catalogue) -> None:
        """Wrap every hook of a ruleset's plugins."""
        self._active: list[Hook] = []
        self._watching = False
        self._thorough = False
        self._timed = False
        self._seen: dict[int, tuple[Table, bytes]] = {}
        self._seconds: dict[Hook, float] = {}
        self.answers: dict[str, tuple[Hook, object]] = {}
        self.objectors: dict[str, Hook] = {}
        self._codes: dict[CodeType, Hook] = {}
        plugins = []
        for ref in rules.refs:
            plugin = catalogue.version(ref.name, ref.rules_version).plugin
            plugins.append((ref, self._wrapped(ref.name, plugin)))
        self.rules = Ruleset(plugins, rules.house.flat, rules.info, rules.options)

    # -- who is at work ------------------------------------------------------------------------------------------------

    def raised_in(self, trace: TracebackType | None) -> Hook | None:
        """The innermost hook that an exception passed through, watched or not."""
        found = None
        while trace is not None:
            found = self._codes.get(trace.tb_frame.f_code, found)
            trace = trace.tb_next
        return found

    @property
    def slowest(self) -> tuple[Hook, float] | None:
        """The hook in which most time was spent while `timing`, and its seconds."""
        if not self._seconds:
            return None
        hook = max(self._seconds, key=self._seconds.__getitem__)
        return hook, self._seconds[hook]

    @contextmanager
    def timing(self) -> Iterator[None]:
        """Measure the hooks that `rules` asks meanwhile; see `slowest`."""
        self._begin()
        self._timed = True
        try:
            yield
        finally:
            self._timed = False

    @contextmanager
    def watching(self, *, thorough: bool = False) -> Iterator[None]:
        """Watch what is decided meanwhile by `rules`.

        Args:
            thorough: Ask every hook twice, and look at its arguments after every answer: slow, but it gives the name.

        Raises:
            Broken: ``purity``, when a hook read what it may not or changed a table.
        """
        self._begin()
        self._thorough = thorough
        caught: list[tuple[Hook, str]] = []
        self._watching = True
        try:
            with trapped(self._active, caught):
                yield
        finally:
            self._watching = False
        if caught:
            hook, what = caught[0]
            raise Broken("purity", f"{hook} {what}", hook=hook)
        for table, before in self._seen.values():
            if snapshot(table) != before:
                raise Broken("purity", "a hook changed the table that it was shown")

    def _begin(self) -> None:
        self._thorough = False
        self._seen, self._seconds = {}, {}
        self._active.clear()

    # -- the wrappers --------------------------------------------------------------------------------------------------

    def _wrapped(self, name: str, plugin: object) -> ModuleType:
        """A plugin with the same hooks, each of them watched."""
        watched = ModuleType(f"watched {name}")
        for hook_name in _HOOKS:
            hook = getattr(plugin, hook_name, None)
            if not inspect.isroutine(hook) or getattr(hook, _MARK, None) is None:
                continue
            which = Hook(name, hook_name)
            code = getattr(inspect.unwrap(hook), "__code__", None)
            if code is not None:
                self._codes[code] = which
            wrap = self._watched_wrapper if inspect.isgeneratorfunction(hook) else self._watched
            setattr(watched, hook_name, wrap(which, hook))
        return watched

    def _watched(self, which: Hook, hook: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(hook)
        def asked(*given: object) -> object:
            self._see(given)
            began = thread_time() if self._timed else 0.0
            self._active.append(which)
            try:
                answer = hook(*given)
                if self._thorough:
                    self._compare(which, hook, given, answer)
            finally:
                self._active.pop()
                if self._timed:
                    self._seconds[which] = self._seconds.get(which, 0.0) + thread_time() - began
            self._note(which, answer)
            return answer

        return asked

    def _watched_wrapper(self, which: Hook, hook: Callable[..., Any]) -> Callable[..., Any]:
        """A hook that wraps others: it is at work before and after them, not meanwhile."""

        @functools.wraps(hook)
        def asked(*given: object) -> Generator[object, object, object]:
            self._see(given)
            running = hook(*given)
            self._active.append(which)
            try:
                wanted = next(running)
            finally:
                self._active.pop()
            answer = yield wanted
            self._active.append(which)
            try:
                running.send(answer)
            except StopIteration as stop:
                self._note(which, stop.value)
                if self._thorough:
                    self._check_unchanged(which, given)
                return stop.value
            finally:
                self._active.pop()
            raise RuntimeError(f"{which} yields more than once")

        return asked

    def _see(self, given: tuple[object, ...]) -> None:
        """Remember how tables are before a hook sees them."""
        for one in given:
            if isinstance(one, Table) and id(one) not in self._seen:
                self._seen[id(one)] = (one, snapshot(one))

    def _check_unchanged(self, which: Hook, given: tuple[object, ...]) -> None:
        for one in given:
            if isinstance(one, Table) and snapshot(one) != self._seen[id(one)][1]:
                raise Broken("purity", f"{which} changed the table that it was shown", hook=which)

    def _note(self, which: Hook, answer: object) -> None:
        if self._watching:
            _check_answer(which, answer)
        if answer is not None:
            self.answers.pop(which.name, None)
            self.answers[which.name] = (which, answer)
        if isinstance(answer, Objection | Obligation):
            self.objectors[answer.rule] = which

    def _compare(
        self, which: Hook, hook: Callable[..., Any], given: tuple[object, ...], answer: object
    ) -> None:
        """Ask the same once more, and look whether an argument is another now."""
        self._check_unchanged(which, given)
        again = hook(*given)
        if snapshot(again) != snapshot(answer):
            raise Broken(
                "purity",
                f"{which} was asked the same twice and answered {shown_answer(answer)}, then {shown_answer(again)}",
                hook=which,
            )


def _check_answer(which: Hook, answer: object) -> None:
    """Compare an answer with what the hook may answer.

    Raises:
        Broken: ``hooks``.
    """
    if answer is None:
        return
    try:
        msgspec.convert(msgspec.to_builtins(answer), _answer_type(which.name))
    except (msgspec.ValidationError, TypeError) as error:
        raise Broken(
            "hooks", f"{which} answered {shown_answer(answer)}, which is no answer to it: {error}", hook=which
        ) from error


@functools.cache
def _answer_type(hook: str) -> Any:
    return typing.get_type_hints(getattr(Spec, hook))["return"]


def shown_answer(answer: object) -> str:
    """An answer as it is told."""
    return repr(answer)[:_LONGEST_ANSWER]
