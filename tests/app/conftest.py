"""One worker on a store in memory that fails on demand."""

import pytest
from tests.app.scripted import ScriptedStore
from tests.app.staging import Clock, handler_on

from meldlog_service.app.handler import Handler


@pytest.fixture
def store() -> ScriptedStore:
    """An empty store."""
    return ScriptedStore()


@pytest.fixture
def clock() -> Clock:
    """The clock of the worker."""
    return Clock()


@pytest.fixture
def handler(store: ScriptedStore, clock: Clock) -> Handler:
    """A worker."""
    return handler_on(store, clock=clock)
