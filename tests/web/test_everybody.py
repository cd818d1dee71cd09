"""Everybody can use the pages: axe finds nothing on any of them, in light and in dark."""

from __future__ import annotations

import pytest
from tests.http.playing import Game
from tests.http.serving import Served
from tests.web.accessible import looked_at
from tests.web.conftest import Comes
from tests.web.visitors import sit_down_alone


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(comes: Comes, server: Served, scheme: str) -> None:
    """On no page: names, roles, contrast, order."""
    ann = comes("en-GB" if scheme == "light" else "ar-EG", color_scheme=scheme)
    page = ann.page
    page.goto(ann.url)
    page.wait_for_selector(".variants li")
    looked_at(page, "lobby")
    page.click(".top button")
    page.wait_for_selector("dialog[open]")
    looked_at(page, "settings")
    page.keyboard.press("Escape")
    sit_down_alone(ann, "ace-to-ace")
    turns = iter(range(6))
    ann.play(until=lambda: next(turns, None) is None)
    looked_at(page, "table")
    page.click(".top button.wide-only")
    page.wait_for_selector("dialog[open] .danger")
    looked_at(page, "giving up the hand")
    page.keyboard.press("Escape")
    with Game(server, 2, start=False) as game:
        page.goto(f"{ann.url}/#/table/{game.game_id}")
        page.wait_for_selector(".chairs li")
        looked_at(page, "waiting for players")
    with Game(server, 2, bots={0: "plain", 1: "plain"}, house_rules={"deal_count": 1}) as game:
        assert server.until(lambda: game.table()["status"] == "finished")
    page.goto(f"{ann.url}/#/replay/{game.game_id}")
    page.wait_for_selector(".controls")
    looked_at(page, "replay")
    page.click("[data-offer=check]")
    page.wait_for_selector(".check .verdict")
    looked_at(page, "what was proved")
