"""The tables in the lobby: what each line leads to, and where those are that everybody left."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Route
from tests.http.playing import Game
from tests.http.serving import Served
from tests.web.accessible import looked_at
from tests.web.arranged import Arranged
from tests.web.conftest import Comes
from tests.web.visitors import Json

OPEN, PLAYING, FINISHED = range(3)
WAYS = {
    "en-GB": ("Go back to it", "Join", "See it again"),
    "fa-IR": ("بازگشت به آن", "پیوستن", "دیدن دوبارهٔ بازی"),
}


def line(page: Page, game: str) -> str:
    """What a line of the list says that it is there for."""
    return page.locator(f".games a[href*='/{game}'] .go").inner_text()


@pytest.mark.parametrize("locale", WAYS)
def test_a_line_says_what_its_table_is_there_for(comes: Comes, server: Served, locale: str) -> None:
    """One's own to go back to, another's to join, a finished one to be seen again, whoever played it."""
    back, join, again = WAYS[locale]
    ann, ben = comes(locale), comes(locale)
    page = ann.page
    won = Arranged(server, "crazy-rummy", f"won{locale[:2]}", number=13, ann="5C 5D 5H", stock="7C")
    ann.sit_at(won.game_id, 0, won.tokens[0])
    ann.play()
    page.goto(f"{ann.url}/#/play/crazy-rummy")
    page.locator(".seats select").last.select_option("person")
    page.locator(".new-table button.primary").click()
    page.wait_for_selector(".chairs li")
    own = ann.game
    for visitor, way in ((ann, back), (ben, join)):
        visitor.page.goto(f"{visitor.url}/#/")
        visitor.page.locator(f".games a[href='#/table/{own}']").wait_for()
        assert line(visitor.page, own) == way
        visitor.page.locator(".tables .tabs button").nth(FINISHED).click()
        visitor.page.locator(f".games a[href='#/replay/{won.game_id}']").wait_for()
        assert line(visitor.page, won.game_id) == again


def last_touched(game: str, ago: timedelta) -> Callable[[Route], None]:
    """Answers as the service does, but for the time of the last thing that happened at one table."""

    def answer(route: Route) -> None:
        found = route.fetch()
        told: Json = found.json()
        for one in told["items"]:
            if one["game_id"] == game:
                one["updated_at"] = f"{datetime.now(UTC) - ago:%Y-%m-%dT%H:%M:%S.000Z}"
        route.fulfill(response=found, json=told)

    return answer


@pytest.mark.parametrize("status", [OPEN, PLAYING], ids=["open", "being played"])
def test_a_table_that_everybody_left_is_folded_away(comes: Comes, server: Served, status: int) -> None:
    """And is still to be found; where something happened within the hour a table stands among the others."""
    ann = comes()
    page = ann.page
    with Game(server, 2, start=status == PLAYING) as left:
        if status == OPEN:
            assert left.delete(1, 1).status_code == 200
        address = f".games a[href='#/table/{left.game_id}']"
        page.route("**/v1/games?*", last_touched(left.game_id, timedelta(minutes=59)))
        page.goto(ann.url)
        page.locator(".tables .tabs button").nth(status).click()
        page.locator(address).wait_for()
        assert not page.locator(f".older {address}").count()
        page.unroute("**/v1/games?*")
        page.route("**/v1/games?*", last_touched(left.game_id, timedelta(minutes=61)))
        page.locator(f".older {address}").wait_for(state="attached")
        assert not page.locator(address).is_visible()
        page.locator(".older summary", has_text="Older tables").click()
        assert page.locator(address).is_visible()
        looked_at(page, "older tables")
        page.locator(address).click()
        page.wait_for_selector("main.table-page")
        page.unroute_all(behavior="wait")


def pages_of(*pages: list[Json]) -> Callable[[Route], None]:
    """Answers with these pages of the list."""

    def answer(route: Route) -> None:
        place = int(parse_qs(urlsplit(route.request.url).query).get("cursor", ["0"])[0])
        following = str(place + 1) if place + 1 < len(pages) else None
        route.fulfill(json={"items": pages[place], "next_cursor": following})

    return answer


def nothing_more(route: Route) -> None:
    """Answers whatever page of the list is asked for with its end."""
    route.fulfill(json={"items": [], "next_cursor": None})


def like(game: Game, name: str, count: int, ago: timedelta) -> list[Json]:
    """So many games that look like this one, last touched then."""
    shown = game.table()
    at = f"{datetime.now(UTC) - ago:%Y-%m-%dT%H:%M:%S.000Z}"
    seats = [{"seat": one["seat"], "name": one["name"], "kind": one["kind"]} for one in shown["seats"]]
    common = {"status": "playing", "variant": shown["variant"], "seats": seats, "deal": 1, "of": 13}
    return [
        {"game_id": f"{name}{place}", "created_at": at, "updated_at": at, **common} for place in range(count)
    ]


def test_neither_ones_own_table_nor_one_that_is_played_gets_lost_behind_others(
    comes: Comes, server: Served
) -> None:
    """Fifty that everybody left come before it; the rest of the list is a click away."""
    day, now = timedelta(days=1), timedelta()
    ann = comes()
    page = ann.page
    with Game(server, 2) as own, Game(server, 2) as other:
        ann.sit_at(own.game_id, 0, own.tokens[0])
        pages = pages_of(
            like(other, "left", 50, day),
            like(other, "lively", 12, now),
            like(other, "later", 3, now),
        )
        page.route("**/v1/games?*", pages)
        page.goto(f"{ann.url}/#/")
        page.locator(".tables .tabs button").nth(PLAYING).click()
        page.locator(".games a[href='#/table/lively11']").wait_for()
        assert page.locator(".games a").first.get_attribute("href") == f"#/table/{own.game_id}"
        assert line(page, own.game_id) == "Go back to it"
        assert page.locator(".older .games a").count() == 50
        assert not page.locator(".games a[href='#/table/later0']").count()
        looked_at(page, "more tables")
        page.locator(".tables [data-offer=more]").click()
        page.locator(".games a[href='#/table/later0']").wait_for()
        page.locator(".tables [data-offer=more]").wait_for(state="detached")
        assert page.locator(f".games a[href='#/table/{own.game_id}']").count() == 1
        page.locator(".tables .tabs button").nth(OPEN).click()
        page.locator(f".games a[href='#/table/{own.game_id}']").wait_for(state="detached")
        # A list that is half read would go on with the service, which knows none of these pages.
        page.route("**/v1/games?*", nothing_more)
        with page.expect_response("**/v1/games?*"):
            page.reload()
        page.unroute_all(behavior="wait")


def test_times_of_a_table_that_are_none_break_no_list(comes: Comes, server: Served) -> None:
    """It stands among the others."""
    ann = comes()
    with Game(server, 2) as game:
        odd = {**like(game, "odd", 1, timedelta())[0], "deal": 0, "updated_at": "soon", "created_at": None}
        ann.page.route("**/v1/games?*", pages_of([odd, *like(game, "good", 1, timedelta())]))
        ann.page.goto(ann.url)
        ann.page.locator(".tables .tabs button").nth(PLAYING).click()
        for name in ("odd0", "good0"):
            ann.page.locator(f".games a[href='#/table/{name}']").wait_for()
        ann.page.unroute_all(behavior="wait")


@pytest.mark.parametrize("hours", [-30, 30])
def test_a_readers_wrong_clock_folds_no_table_away(comes: Comes, server: Served, hours: int) -> None:
    """What is old is told by the service's clock."""
    ann = comes()
    page = ann.page
    page.clock.install(time=datetime.now(UTC) + timedelta(hours=hours))
    with Game(server, 2) as fresh, Game(server, 2) as left:
        page.route("**/v1/games?*", last_touched(left.game_id, timedelta(hours=2)))
        page.goto(ann.url)
        page.locator(".tables .tabs button").nth(PLAYING).click()
        page.locator(f".older .games a[href='#/table/{left.game_id}']").wait_for(state="attached")
        assert page.locator(f".games a[href='#/table/{fresh.game_id}']").is_visible()
        page.unroute_all(behavior="wait")
