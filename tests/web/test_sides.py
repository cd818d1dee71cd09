"""Games of two against two, and hands that are given up: what those are told who only look on."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import ViewportSize
from tests.http.serving import Served
from tests.web.accessible import looked_at
from tests.web.arranged import Arranged
from tests.web.conftest import Comes

WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
PARTNERS = """() => Object.fromEntries([...document.querySelectorAll(".others .player")].map((one) =>
    [one.dataset.seat, one.querySelector(".partners").innerText.replace(/[\u2068\u2069]/g, "")]))"""


@pytest.mark.parametrize("screen", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_watcher_is_told_who_plays_together(comes: Comes, server: Served, screen: ViewportSize) -> None:
    """Beside each name; where everybody plays alone nothing stands there, and a player is shown the own partner."""
    width = screen["width"]
    hands: dict[str, Any] = {"ann": "8S 8H 4C", "bea": "5C KS 2D", "cyd": "9C TD 3H", "dan": "JC QD AH"}
    game = Arranged(server, "rami-51", f"sides{width}", seats=4, stock="7C", **hands)
    alone = Arranged(
        server, "rami-51", f"alone{width}", seats=4, house_rules={"teams": "none"}, stock="7C", **hands
    )
    eve, ann = comes(viewport=screen), comes(viewport=screen)
    page = eve.page
    page.goto(f"{eve.url}/#/table/{game.game_id}")
    page.wait_for_selector(".others .partners")
    told = {"0": "with Cyd", "1": "with Dan", "2": "with Ann", "3": "with Ben"}
    assert page.evaluate(PARTNERS) == told
    assert all(one.is_visible() for one in page.locator(".others .partners").all())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    looked_at(page, "two against two, watched")
    page.goto(f"{eve.url}/#/table/{alone.game_id}")
    page.wait_for_function("() => document.querySelectorAll('.others .player').length === 4")
    page.wait_for_selector(".others .partners", state="detached")
    ann.sit_at(game.game_id, 0, game.tokens[0])
    assert not ann.has(".partners")
    assert ann.page.locator(".player .tag", has_text="Partner").count() == 1


def test_whoever_gives_up_the_hand_is_told_that_a_bot_plays_on(comes: Comes, server: Served) -> None:
    """It is no surprise to them, and the page asks for nothing that the seat alone may have."""
    game = Arranged(
        server, "crazy-rummy", "resigned", seats=2, strategy="plain", number=9, ann="5H 9C KS 2D", stock="4C"
    )
    ann = comes(viewport=WIDE)
    page = ann.page
    refused: list[str] = []
    page.on("response", lambda one: refused.append(one.url) if one.status in (401, 403) else None)
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.wait_for_turn()
    page.locator(".top button", has_text="Give up the hand").click()
    page.locator("dialog .danger").click()
    page.locator(".banner[role=status]", has_text="A bot plays for you now.").wait_for()
    page.locator(".watching").wait_for()
    assert not ann.has(".hand")
    page.wait_for_function("before => Number(document.querySelector('main').dataset.version) > before", arg=5)
    assert refused == []
    assert ann.place().get("seatToken") is None


def test_whoever_loses_the_seat_otherwise_is_told_so(comes: Comes, server: Served) -> None:
    """Here another page of theirs gave the hand up."""
    game = Arranged(
        server, "crazy-rummy", "lost", seats=2, strategy="plain", number=9, ann="5H 9C KS 2D", stock="4C"
    )
    ann = comes(viewport=WIDE)
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.wait_for_turn()
    with server.client(game.tokens[0]) as client:
        client.post(f"/v1/games/{game.game_id}/commands", json={"type": "resign"}).raise_for_status()
    ann.page.locator(".banner[role=alert]", has_text="Your seat is no longer yours").wait_for()
    ann.complaints = [one for one in ann.complaints if "401" not in one]
