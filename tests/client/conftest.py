"""Both clients in turn, on a script."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.client.scripts import Script

OpenClient = Callable[..., Any]


@pytest.fixture(params=["sync", "async"])
def open_client(request: pytest.FixtureRequest) -> OpenClient:
    """Makes a client on a script."""

    def open_one(script: Script, **options: float) -> Any:
        return script.sync_client(**options) if request.param == "sync" else script.async_client(**options)

    return open_one
