"""A real Chromium for tests of what runs in browsers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, sync_playwright


def chromium() -> str:
    """Where the system's Chromium is; a machine without one fails the test and is told what to do."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.fail(
            "this test needs Chromium: apt-get install --no-install-recommends chromium", pytrace=False
        )
    return found


@contextmanager
def page_in_chromium() -> Iterator[Page]:
    """An empty page, in a browser that is gone afterwards."""
    # A sandbox of its own needs rights that a container may not have; nothing foreign is opened here.
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"]) as browser,
        browser.new_page() as page,
    ):
        yield page
