"""Tables on low screens: a phone held sideways, a small one, a page made twice as large; everything can be reached."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize
from tests.http.serving import Served
from tests.web.arranged import OPENS_RAMI_51, Arranged
from tests.web.conftest import Comes
from tests.web.visitors import Visitor

SIZES = [(844, 390), (740, 360), (667, 375), (600, 400), (360, 640), (1200, 420)]
HIDDEN = """() => {
    const found = [];
    const places = [...document.querySelectorAll(
        ".actions button, .pile > .top-card, .pile > span[role=img], .pile > button"
        + ", .hand button, .tray button, .sorting button")];
    for (const place of places) {
        place.scrollIntoView({ block: "center", inline: "center" });
        const { left, top, width, height } = place.getBoundingClientRect();
        // Of a card in the hand the left edge lies free.
        const x = place.closest(".hand") ? left + 8 : left + width / 2;
        const hit = document.elementFromPoint(x, top + height / 2);
        if (!hit || !(place.contains(hit) || hit.contains(place) && hit.closest(".pile"))) {
            found.push(`${place.outerHTML.slice(0, 80)} is covered by ${hit?.outerHTML.slice(0, 80)}`);
        }
    }
    if (!places.length) found.push("there is nothing");
    return found;
}"""
OVERLAPPING = """() => {
    const places = [...document.querySelectorAll(".others, .middle, .dock, .table-page > .side")]
        .filter((one) => one.offsetHeight)
        .map((one) => ({ name: one.className, box: one.getBoundingClientRect() }));
    return places.flatMap(({ name, box }, place) => places.slice(place + 1)
        .filter((other) => other.box.top < box.bottom - 1 && box.top < other.box.bottom - 1
            && other.box.left < box.right - 1 && box.left < other.box.right - 1)
        .map((other) => `${name} and ${other.name}`));
}"""
MISSING_HEIGHT = """() => {
    const [middle, piles] = [".middle", ".piles"].map((one) => document.querySelector(one));
    return Math.max(0, piles.offsetHeight - middle.clientHeight);
}"""


CUT_OFF = """() => {
    const [middle, piles] = [".middle", ".piles"].map((one) => document.querySelector(one));
    middle.scrollTop = 0;
    return Math.max(0, piles.getBoundingClientRect().bottom - middle.getBoundingClientRect().bottom);
}"""


def is_all_there(visitor: Visitor) -> None:
    """Every button and both piles are hit in their middle, nothing lies over another, the piles have room."""
    page = visitor.page
    assert page.evaluate(OVERLAPPING) == []
    assert page.evaluate(MISSING_HEIGHT) == 0
    assert page.evaluate(HIDDEN) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.fixture
def at_rami(comes: Comes, server: Served) -> Visitor:
    """Ann at Rami 51 with three others, who has drawn and put a meld aside."""
    game = Arranged(
        server,
        "rami-51",
        "low",
        seats=4,
        house_rules={"teams": "none"},
        ann=OPENS_RAMI_51,
        stock="3H",
        discards="JD QD",
    )
    ann = comes(viewport=ViewportSize(width=1280, height=800))
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.wait_for_turn()
    is_all_there(ann)
    ann.choose(".actions [data-offer=stock]")
    ann.page.locator(".hand button[data-card='3H']").wait_for()
    ann.wait_for_turn()
    ann.pick_cards("8S", "8H", "8D")
    ann.choose(".actions [data-offer=aside]")
    ann.page.wait_for_selector(".tray meter")
    ann.pick_cards("2C")
    return ann


def test_everything_of_a_table_is_reached_on_a_low_screen(at_rami: Visitor) -> None:
    """With a meld in the tray; on a high screen the page does not scroll, on a low one it does."""
    page = at_rami.page
    page.wait_for_selector(".actions [data-offer=discard]")
    is_all_there(at_rami)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("() => document.querySelector('.hand').scrollWidth <= innerWidth")
        assert page.evaluate(CUT_OFF) == 0
        is_all_there(at_rami)


def test_picking_a_card_scrolls_no_page(comes: Comes, server: Served) -> None:
    """On a low screen a meld that it fits is brought in where the melds lie, and the hand stays where it is."""
    game = Arranged(
        server,
        "crazy-rummy",
        "lowmelds",
        number=9,
        table=["ann: 2S 2H 2D", "bea: TD JD QD KD", "bea: 4S 5S 6S", "bea: 3C 3D 3H", "ann: 7S 7H 7D"],
        ann="8S 3S 7C 9H KS",
        stock="4H",
    )
    ann = comes(viewport={"width": 667, "height": 375})
    page = ann.page
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.wait_for_turn()
    ann.choose(".actions [data-offer=stock]")
    page.locator(".hand button[data-card='4H']").wait_for()
    ann.wait_for_turn()
    page.locator(".actions").scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    before = page.evaluate("scrollY")
    assert before > 0
    page.locator(".hand button[data-card='7C']").click(position={"x": 8, "y": 30})
    page.locator(".meld.fits").wait_for()
    page.evaluate("new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))")
    assert page.evaluate("scrollY") == before
    seen = page.evaluate(
        """() => {
            const [meld, middle] = [".meld.fits", ".middle"]
                .map((one) => document.querySelector(one).getBoundingClientRect());
            return meld.top >= middle.top - 1 && meld.top < middle.bottom;
        }"""
    )
    assert seen
