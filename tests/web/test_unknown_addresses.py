"""Addresses that lead to nothing, and lists that have not come: the page says so, and leads on."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route
from tests.http.playing import Game
from tests.http.serving import Served
from tests.web.accessible import looked_at
from tests.web.conftest import Comes

NO_GAME = {
    "en-GB": "There is no such game here",
    "fr-FR": "Ce jeu n’existe pas ici",
    "fa-IR": "چنین بازی‌ای اینجا نیست",
    "ar-EG": "لا توجد لعبة كهذه هنا",
}
NO_PAGE = {"en-GB": "There is no such page", "fa-IR": "چنین صفحه‌ای نیست"}
NO_TABLE = {"en-GB": "This table cannot be shown", "fa-IR": "این میز را نمی‌توان نشان داد"}


@pytest.mark.parametrize("locale", NO_GAME)
def test_a_game_that_is_not_installed_is_told_so_above_those_that_are(comes: Comes, locale: str) -> None:
    """Its name is shown; an option is no game either."""
    ann = comes(locale)
    page = ann.page
    for name in ("nothing", "press", "%E0"):
        page.goto(f"{ann.url}/#/play/{name}")
        page.locator(".unknown p", has_text=name).wait_for()
        assert page.locator(".unknown h1").inner_text() == NO_GAME[locale]
        assert page.locator(".variants li").count() >= 9
        assert not page.locator(".new-table, .welcome").count()
    looked_at(page, "no such game")
    page.click(".variants a[href='#/play/rami-51']")
    page.wait_for_selector(".new-table")
    assert not page.locator(".unknown").count()
    page.goto(f"{ann.url}/#/play/nothing")
    page.click(".unknown a")
    page.wait_for_selector(".welcome")


@pytest.mark.parametrize("locale", NO_PAGE)
@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("tabel/abc", NO_PAGE),
        ("table/%E0", NO_PAGE),
        ("table/nothing", NO_TABLE),
        ("replay/nothing/7", NO_TABLE),
    ],
)
def test_what_is_not_there_is_told_with_the_way_back(
    comes: Comes, locale: str, place: str, told: dict[str, str]
) -> None:
    """A page, a table, a replay."""
    ann = comes(locale)
    page = ann.page
    page.goto(f"{ann.url}/#/{place}")
    page.wait_for_selector(".missing")
    assert page.locator("h1").inner_text() == told[locale]
    assert page.title() == f"{told[locale]} – Meldlog"
    looked_at(page, place)
    page.click(".missing a")
    page.wait_for_selector(".welcome")
    ann.complaints = [one for one in ann.complaints if "404" not in one]


@pytest.mark.parametrize(
    ("locale", "end", "start"),
    [
        ("en-GB", "This game has no moment 9999: it ends at {}", "no moment 0: it begins at 1"),
        ("fa-IR", "این بازی لحظهٔ ۹۹۹۹ ندارد: در لحظهٔ {}", "لحظهٔ ۰ ندارد: از لحظهٔ ۱"),
    ],
    ids=["English", "Persian"],
)
def test_a_moment_that_a_game_does_not_have_is_told_so(
    comes: Comes, server: Served, locale: str, end: str, start: str
) -> None:
    """Shown is the nearest one; whoever goes on from there is told no more, and a moment that there is says nothing."""
    with Game(server, 2, bots={0: "plain", 1: "plain"}, house_rules={"deal_count": 1}) as game:
        assert server.until(lambda: game.table()["status"] == "finished")
        last = game.table()["version"]
    ann = comes(locale)
    page = ann.page
    banner = page.locator(".replay .banner")
    page.goto(f"{ann.url}/#/replay/{game.game_id}/9999")
    page.locator(f"main[data-version='{last}']").wait_for()
    digits = page.evaluate(
        "last => new Intl.NumberFormat(document.documentElement.lang === 'fa' ? 'fa-u-nu-arabext' : 'en').format(last)",
        last,
    )
    assert end.format(digits) in banner.inner_text()
    assert page.url.endswith(f"/{last}")
    looked_at(page, "a moment beyond the end")
    page.locator("[data-offer=play]").click()
    banner.wait_for(state="detached")
    page.goto(f"{ann.url}/#/replay/{game.game_id}/0")
    banner.wait_for()
    assert start in banner.inner_text()
    page.goto(f"{ann.url}/#/replay/{game.game_id}/2")
    page.locator("main[data-version='2']").wait_for()
    assert not banner.count()


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("/9999999999", "no moment 9999999999: it ends at"),
        ("/-1", "no moment -1: it begins at 1"),
        ("/1e3", "no moment “1e3”: its moments are the numbers from 1 to"),
        ("/2?eyes=99", "no seat 99: its seats have the numbers 0 to 1"),
        ("/2?eyes=-1", "no seat -1: its seats have the numbers 0 to 1"),
        ("?eyes=x", "no seat x: its seats have the numbers 0 to 1"),
    ],
)
def test_a_moment_or_a_seat_that_no_game_has_is_told_so(
    comes: Comes, server: Served, place: str, told: str
) -> None:
    """The game is shown all the same, from everybody's eyes; a seat that there is says nothing."""
    with Game(server, 2, bots={0: "plain", 1: "plain"}, house_rules={"deal_count": 1}) as game:
        assert server.until(lambda: game.table()["status"] == "finished")
    ann = comes()
    page = ann.page
    page.goto(f"{ann.url}/#/replay/{game.game_id}{place}")
    banner = page.locator(".replay .banner")
    banner.wait_for()
    assert told in banner.inner_text().replace("\u2068", "").replace("\u2069", "")
    page.locator("main[data-version]").wait_for()
    assert "eyes" not in page.url
    page.goto(f"{ann.url}/#/replay/{game.game_id}/2?eyes=1")
    page.locator("main[data-version='2']").wait_for()
    banner.wait_for(state="detached")
    page.wait_for_function("() => location.hash.endsWith('/2?eyes=1')")


def test_a_moment_that_is_not_yet_played_is_told_so(comes: Comes, server: Served) -> None:
    """The game may come there."""
    ann = comes()
    with Game(server, 2) as game:
        last = game.table()["version"]
        ann.page.goto(f"{ann.url}/#/replay/{game.game_id}/{last + 1}")
        told = ann.page.locator(".replay .banner").inner_text()
    assert told == f"This game has no moment {last + 1} yet: shown is the last, {last}."


def test_a_list_that_has_not_come_is_not_called_empty(comes: Comes) -> None:
    """Of the tables in the lobby, on a slow line."""
    ann = comes()
    page = ann.page
    asked: list[Route] = []
    page.route("**/v1/games?*", lambda route: asked.append(route))  # noqa: PLW0108 -- it is marked by Playwright
    page.goto(ann.url)
    page.locator(".tables .empty", has_text="One moment").wait_for()
    page.unroute("**/v1/games?*")  # which lets them go on
    page.locator(".tables .empty", has_text="One moment").wait_for(state="detached")
