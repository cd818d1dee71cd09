"""Whatever a job raises in another process arrives as it was raised: its kind, its words, and what else it says."""

from __future__ import annotations

import importlib
import inspect
import pickle
import pkgutil
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing
from typing import NoReturn

import pytest

from meldlog_contracts.problems import Fault, Refused
from meldlog_service.cli.jobs import FEW, Carried, do, in_order

PACKAGES = ("meldlog_contracts", "meldlog_variants", "meldlog_service", "meldlog_client")
SAID = {"game_id": "g1", "detail": "so it is", "version": 3, "code": "invalid", "invariant": "accepted"}
"""Something for each argument that an exception is made of."""


def exceptions() -> Iterator[type[Exception]]:
    """Every class of exceptions of the project."""
    found: dict[str, type[Exception]] = {}
    for name in PACKAGES:
        package = importlib.import_module(name)
        for info in pkgutil.walk_packages(package.__path__, f"{name}."):
            if info.name.endswith("__main__"):
                continue
            for kind in vars(importlib.import_module(info.name)).values():
                if inspect.isclass(kind) and issubclass(kind, Exception) and kind.__module__ == info.name:
                    found[f"{kind.__module__}.{kind.__qualname__}"] = kind
    yield from (found[name] for name in sorted(found))


KINDS = list(exceptions())


def made(kind: type[Exception]) -> Exception:
    """One of them."""
    if not inspect.isfunction(kind.__init__):
        return kind("so it is")
    arguments, named = [], {}
    for name, parameter in list(inspect.signature(kind.__init__).parameters.items())[1:]:
        value = SAID.get(name, 7 if "int" in str(parameter.annotation) else "text")
        if name == "faults":
            value = (Fault("/a", "b"),) if kind is Refused else ["a", "b"]
        elif parameter.default is not parameter.empty:
            value = parameter.default
        if parameter.kind is parameter.KEYWORD_ONLY:
            named[name] = value
        else:
            arguments.append(value)
    return kind(*arguments, **named)


def fail(kind: type[Exception]) -> NoReturn:
    """Raise one of them, as a job does."""
    raise made(kind)


def told(error: BaseException) -> tuple[object, ...]:
    """All that an exception says."""
    return type(error), str(error), error.args, vars(error)


def test_there_are_exceptions_to_try() -> None:
    """Among them those that are made of something else than their words."""
    assert Refused in KINDS
    assert len(KINDS) > 50


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__qualname__)
def test_every_exception_of_the_project_can_be_sent(kind: type[Exception]) -> None:
    """As `multiprocessing` sends it."""
    with pytest.raises(Exception) as raised:  # noqa: PT011 (which one it is, is asked below)
        do(fail, kind)
    arrived = pickle.loads(pickle.dumps(raised.value))
    error = arrived.unpacked() if isinstance(arrived, Carried) else arrived
    assert told(error) == told(made(kind))


class Odd(Exception):
    """Of somebody's plugin."""

    def __init__(self, *, card: str) -> None:
        super().__init__()
        self.card = card


def refuse() -> NoReturn:
    """As a command is refused in the midst of a job."""
    raise Refused("illegal_move", "no", "turn.draw", (Fault("/card", "not held"),))


def be_odd() -> NoReturn:
    """As a plugin may."""
    raise Odd(card="7H")


def be_missing() -> NoReturn:
    """As the system does."""
    raise FileNotFoundError(2, "No such file", "log.ndjson")


@pytest.mark.parametrize("function", [refuse, be_odd, be_missing])
@pytest.mark.parametrize("count", [1, FEW + 1])
async def test_it_comes_through(function: Callable[[], NoReturn], count: int) -> None:
    """From this process and from another, with the place where it was raised."""

    async def jobs() -> AsyncIterator[tuple[()]]:
        for _ in range(count):
            yield ()

    with pytest.raises(Exception) as here:  # noqa: PT011
        function()
    with pytest.raises(type(here.value)) as there:
        async with aclosing(in_order(function, jobs(), count, processes=2)) as results:
            await anext(results)
    assert told(there.value) == told(here.value)
    assert function.__name__ in "".join(traceback.format_exception(there.value))
