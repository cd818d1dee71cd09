"""What every test may ask for."""

import hypothesis
import pytest
from tests.support import servers

# The same examples in every run, however slow the machine; others with `make test PYTEST=--hypothesis-profile=explore`.
hypothesis.settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
hypothesis.settings.register_profile("explore", max_examples=1000, deadline=None)
hypothesis.settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The event loop of every `async def` test and fixture, of any scope."""
    return "asyncio"


def pytest_report_header() -> str:
    """Say which real servers the stores are tested on."""
    return servers.report()
