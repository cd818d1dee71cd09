"""How large melds are drawn that a player lays by a click, while their cards move from the hand to the table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize
from tests.http.serving import Served
from tests.web.arranged import OPENS_RAMI_51, Arranged
from tests.web.conftest import Comes
from tests.web.visitors import ONE_BY_ONE, Visitor

WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
FULL = {1280: 64, 390: 42}
"""Pixels that a card of the table is wide where there is room, by the width of the screen."""
WIDTHS = "() => [...document.querySelectorAll('.melds .card')].map((one) => one.offsetWidth)"
AT_REST = """() => document.querySelectorAll('.melds .card').length > 0 && document.getAnimations().length === 0 &&
    new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(() => then(true))))"""
SCREENS = pytest.mark.parametrize("screen", [WIDE, PHONE], ids=["wide", "phone"])


def at(comes: Comes, game: Arranged, screen: ViewportSize) -> Visitor:
    """Ann, who has drawn from the stock, and sees cards move."""
    ann = comes(settings=ONE_BY_ONE, viewport=screen)
    ann.page.emulate_media(reduced_motion="no-preference")
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.wait_for_turn()
    held = ann.page.locator(".hand button").count()
    ann.choose(".actions [data-offer=stock]")
    ann.page.locator(".hand button").nth(held).wait_for()
    ann.wait_for_turn()
    return ann


def sizes(page: Page) -> set[int]:
    """How wide the cards of all melds are, once nothing moves any more."""
    page.wait_for_function(AT_REST)
    found: list[int] = page.evaluate(WIDTHS)
    return set(found)


@SCREENS
@pytest.mark.parametrize("variant", ["crazy-rummy", "ace-to-ace"])
def test_a_meld_that_is_laid_by_a_click_is_as_large_as_any(
    comes: Comes, server: Served, variant: str, screen: ViewportSize
) -> None:
    """Cards on their way from the hand need no room; nobody has to look anew."""
    width = screen["width"]
    game = Arranged(
        server, variant, f"lay-{variant}-{width}", number=9, ann="5H 6H 7H 2C JD KS QD", stock="4C"
    )
    ann = at(comes, game, screen)
    ann.choose(".actions [data-offer=hint-lay]")
    assert sizes(ann.page) == {FULL[width]}
    ann.page.reload()
    assert sizes(ann.page) == {FULL[width]}


@SCREENS
def test_melds_that_are_laid_together_are_as_large_as_any(
    comes: Comes, server: Served, screen: ViewportSize
) -> None:
    """The tray in which they lay has left its room to them."""
    width = screen["width"]
    game = Arranged(
        server,
        "rami-51",
        f"together-{width}",
        house_rules={"teams": "none"},
        ann=OPENS_RAMI_51,
        stock="3H",
    )
    ann = at(comes, game, screen)
    for cards in (("8S", "8H", "8D"), ("4C", "5C", "6C", "7C"), ("TH", "JH", "QH")):
        ann.pick_cards(*cards)
        ann.choose(".actions [data-offer=aside]")
    ann.page.locator(".tray [data-offer=together]:enabled").click()
    ann.page.locator(".mine [data-meld]").nth(2).wait_for()
    after = sizes(ann.page)
    ann.page.reload()
    assert after == sizes(ann.page)
    if screen is WIDE:
        assert after == {FULL[width]}
