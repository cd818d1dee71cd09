"""The rules tests use the same fixtures that authors of variants are given."""

from functools import partial

import pytest
from tests.rules.support import Crazy

from meldlog_service.testing import Play, meldlog_catalogue, play, pytest_configure

__all__ = ["crazy", "meldlog_catalogue", "play", "pytest_configure"]


@pytest.fixture
def crazy(play: Play) -> Crazy:
    """Crazy Rummy, with these house rules."""
    return partial(play, "crazy-rummy")
