"""What every test may ask for."""

from importlib import metadata

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


def pytest_sessionstart(session: pytest.Session) -> None:
    """These are tests of what comes with Meldlog: other plugins would change the lists and sheets that they compare."""
    found = {
        entry.dist.name
        for group in ("meldlog.plugins", "meldlog.bots")
        for entry in metadata.entry_points(group=group)
        if entry.dist is not None
    }
    others = sorted(found - {"meldlog"})
    if others:
        pytest.exit(
            f"other packages bring plugins here: .venv/bin/python -m pip uninstall {' '.join(others)}", 4
        )
