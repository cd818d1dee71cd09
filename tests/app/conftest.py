"""One worker on a store in memory that fails on demand."""

from pathlib import Path

import pytest
from tests.app.scripted import ScriptedStore
from tests.app.staging import Clock, handler_on

from meldlog_service.app.handler import Handler
from meldlog_service.store.archive.folder import Folder
from meldlog_service.store.memory import Shelf


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


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Where an archive is."""
    return Folder(tmp_path)


@pytest.fixture
def shelf() -> Shelf:
    """Where the logs of a store are that has one."""
    return Shelf()
