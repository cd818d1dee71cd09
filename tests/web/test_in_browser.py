"""People play at the web client: in a real browser, by what is offered on the page."""

from __future__ import annotations

import re

from playwright.sync_api import Route
from tests.http.serving import Served
from tests.web.conftest import Comes
from tests.web.screens import differences
from tests.web.visitors import DISCARD, KeyboardVisitor, sit_down_alone

PERSIAN_DIGITS = re.compile("[۰-۹]")


def test_a_whole_game_against_bots_is_played_by_clicking(comes: Comes, server: Served) -> None:
    """From the lobby to the result, always seeing the service's own table; then it is seen again and checked."""
    ann = comes()
    sit_down_alone(ann, deals=2)
    ann.play()

    page = ann.page
    with server.client(ann.place()["seatToken"]) as client:
        assert differences(ann.tables_shown(), client, ann.game, 0) == []
    if ann.has("dialog[open]"):
        page.keyboard.press("Escape")
    assert "Winner" in page.locator(".result h2").first.inner_text()
    page.click(".result a[href*=replay]")
    page.wait_for_selector("main[data-version]")
    page.get_by_role("button", name="Next deal").click()
    page.locator(".status .deal", has_text="Deal 2 of 2").wait_for()
    assert page.locator(".hands .card[data-card]").count() >= 20
    assert re.search(r"#/replay/\w+/\d+$", page.url)
    page.click("[data-offer=check]")
    page.wait_for_selector(".check .verdict")
    assert page.locator(".check .verdict").get_attribute("class") in ("verdict verified", "verdict agrees")
    ann.complaints = [one for one in ann.complaints if "404" not in one]


def test_a_whole_game_is_played_in_persian_from_right_to_left(comes: Comes) -> None:
    """The browser asks for Persian, and everything is: direction, digits, rules, last moves."""
    sara = comes("fa-IR")
    sit_down_alone(sara)
    page = sara.page
    assert page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == ["fa", "rtl"]
    assert page.locator(".top h1").inner_text() == "رامی دیوانه"
    sara.play()

    words = page.locator("main").inner_text()
    assert "برنده" in words
    assert PERSIAN_DIGITS.search(words)
    assert not re.search(r"\b(you|drew|laid|discarded)\b", words, re.IGNORECASE)


def test_a_hand_is_rearranged_by_keys_by_drag_and_by_sorting(comes: Comes) -> None:
    """And stays so when the page is loaded anew."""
    ann = comes()
    sit_down_alone(ann)
    page = ann.page
    ann.wait_for_turn()

    def cards() -> list[str]:
        found: list[str] = page.evaluate(
            "[...document.querySelectorAll('.hand button')].map((one) => one.dataset.card)"
        )
        return found

    before = cards()
    page.locator(".hand button").first.focus()
    page.keyboard.press("Shift+ArrowRight")
    assert cards() == [before[1], before[0], *before[2:]]
    first = page.locator(".hand button").first.bounding_box()
    last = page.locator(".hand button").last.bounding_box()
    assert first is not None
    assert last is not None
    page.mouse.move(first["x"] + 10, first["y"] + 40)
    page.mouse.down()
    page.mouse.move(last["x"] + last["width"] - 5, last["y"] + 40, steps=5)
    page.mouse.up()
    assert cards() == [before[0], *before[2:], before[1]]
    page.get_by_role("button", name="By rank").click()
    ordered = cards()
    page.reload()
    page.wait_for_selector(".hand button")
    assert cards() == ordered


def test_a_refusal_names_the_clause_in_the_readers_language(comes: Comes) -> None:
    """Where the page's list of moves is out of date, the service refuses, and says by which clause."""
    ben = comes("fr-FR")

    def with_another_draw(route: Route) -> None:
        answer = route.fetch()
        moves = answer.json()
        if moves["moves"] and all(move["type"] != "draw" for move in moves["moves"]):
            moves["moves"].append({"type": "draw", "source": "stock"})
        route.fulfill(response=answer, json=moves)

    ben.page.route("**/moves", with_another_draw)
    sit_down_alone(ben)
    ben.wait_for_turn()
    if not ben.has(DISCARD) and ben.has(".actions [data-offer=stock]"):
        ben.choose(".actions [data-offer=stock]")
        ben.wait_for_turn()
    ben.choose(".actions [data-offer=stock]")
    refusal = ben.page.locator(".refusal")
    refusal.wait_for()
    assert "Ce n’est pas possible maintenant." in refusal.inner_text()
    assert len(refusal.inner_text()) > len("Ce n’est pas possible maintenant.") + 15
    ben.complaints = [one for one in ben.complaints if "409" not in one]


def test_what_happens_is_told_to_those_who_listen(comes: Comes) -> None:
    """Every move, and that it is one's turn."""
    ben = comes(kind=KeyboardVisitor)
    sit_down_alone(ben)
    heard: set[str] = set()
    turns = iter(range(4))
    ben.play(
        until=lambda: next(turns, None) is None,
        after_each=lambda: heard.add(ben.page.locator("[role=status]").last.inner_text()),
    )
    assert any("It is your turn." in one for one in heard)
    assert any(" discarded " in one for one in heard)
