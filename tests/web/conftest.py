"""A service and a browser for all tests, and people who come to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser
from tests.http.conftest import chance, same_cards_in_every_run, server
from tests.http.serving import Served
from tests.web.visitors import Visitor, a_browser

__all__ = ["chance", "same_cards_in_every_run", "server"]

Comes = Callable[..., Visitor]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium for the tests of a file; everybody in it has a profile of their own.

    While it is there, an event loop runs in this thread: tests of other files need the place for theirs.
    """
    with a_browser() as found:
        yield found


@pytest.fixture
def comes(browser: Browser, server: Served) -> Iterator[Comes]:
    """Lets people come to the service; in the end nobody's browser complained, or asked anybody else."""
    there: list[Visitor] = []

    def come(
        locale: str = "en-GB", kind: type[Visitor] = Visitor, url: str | None = None, **more: Any
    ) -> Visitor:
        there.append(kind(browser, url or server.url, locale, **more))
        return there[-1]

    yield come
    for visitor in there:
        visitor.close()
    assert [one for visitor in there for one in visitor.complaints] == []
    assert [one for visitor in there for one in visitor.foreign] == []
