"""What may come between browser and service: the page says so, comes back, and no click is lost or counts twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route
from tests.http.conftest import Chance
from tests.http.playing import Game
from tests.http.serving import Served, served
from tests.support.servers import embedded_server
from tests.web.arranged import Arranged
from tests.web.conftest import Comes
from tests.web.screens import differences
from tests.web.visitors import Visitor, sit_down_alone

from meldlog_service.store.redis_streams import RedisStreams

CUTS = 10


def take_a_step(ann: Visitor) -> None:
    """Draw, or discard."""
    if ann.has(".actions [data-offer=stock]"):
        ann.choose(".actions [data-offer=stock]")
    else:
        ann.discard()


def no_click_counted_twice(server: Served, ann: Visitor) -> None:
    """Every command stands in the log once, and every table on the screen was the service's."""
    with server.client(ann.place()["seatToken"]) as client:
        log = client.get(f"/v1/games/{ann.game}/events", params={"limit": 1000}).json()["items"]
        assert differences(ann.tables_shown(), client, ann.game, 0) == []
    keys = [commit["command_id"] for commit in log]
    assert len(set(keys)) == len(keys)


def test_the_network_is_cut_and_comes_back_ten_times(comes: Comes, server: Served) -> None:
    """The page says so, shows no state that was not, and a click during the cut is sent afterwards."""
    ann = comes()
    with Game(server, 2, bots={1: "random"}) as game:
        ann.sit_at(game.game_id, 0, game.tokens[0])
        for _ in range(CUTS):
            assert ann.wait_for_turn() != "over"
            ann.context.set_offline(True)
            before = ann.shown()
            take_a_step(ann)
            ann.page.get_by_text("No answer yet. Your move is sent again.").wait_for()
            assert ann.shown() == before
            ann.context.set_offline(False)
            ann.page.wait_for_function(
                "before => Number(document.querySelector('main').dataset.version) > before",
                arg=before["version"],
            )
        ann.wait_for_turn()
        no_click_counted_twice(server, ann)


@contextmanager
def kept(folder: Path, chance: Chance, port: int = 0) -> Iterator[Served]:
    """A service with the embedded store of `meldlog serve`, in a folder."""
    with (
        embedded_server(folder) as store,
        served(store=lambda: RedisStreams(store.url), port=port, random_hex=chance) as running,
    ):
        yield running


def test_a_restarted_service_is_waited_for(comes: Comes, chance: Chance, tmp_path: Path) -> None:
    """In the middle of a turn, with its store: the banner comes and goes, and the same turn goes on."""
    with kept(tmp_path, chance) as first:
        ann = comes(url=first.url)
        sit_down_alone(ann)
        ann.wait_for_turn()
        if ann.has(".actions [data-offer=stock]"):
            ann.act()
            ann.wait_for_turn()
        before = ann.shown()
    banner = ann.page.locator(".banner")
    banner.wait_for()
    assert "connection is lost" in banner.inner_text()
    assert ann.shown() == before
    with kept(tmp_path, chance, first.port) as second:
        banner.wait_for(state="detached")
        assert ann.shown() == before
        turns = iter(range(3))
        ann.play(until=lambda: next(turns, None) is None)
        assert ann.shown()["version"] > before["version"]
        no_click_counted_twice(second, ann)
        ann.close()


@pytest.mark.parametrize("arrives", [True, False], ids=["its answer is lost", "it never arrives"])
def test_a_click_without_an_answer_is_sent_again_by_the_page_loaded_anew(
    comes: Comes, server: Served, *, arrives: bool
) -> None:
    """Under the same key, and for that table only: it happens once."""
    ann = comes()
    sent: list[dict[str, Any]] = []
    game = Arranged(server, "crazy-rummy", f"reload{arrives}", ann="5C 7D 9H KS", stock="2C 3C")

    def cut(route: Route) -> None:
        sent.append(route.request.headers)
        if arrives and len(sent) == 1:
            route.fetch()
        route.abort()

    ann.page.route("**/commands", cut)
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.wait_for_turn()
    before = ann.shown()["version"]
    ann.choose(".actions [data-offer=stock]")
    ann.page.get_by_text("No answer yet. Your move is sent again.").wait_for()
    ann.page.reload()
    ann.page.get_by_text("No answer yet. Your move is sent again.").wait_for()
    ann.page.unroute("**/commands")
    with ann.page.expect_request("**/commands") as again:
        pass
    ann.wait_for_turn()
    sent.append(again.value.headers)

    assert ann.shown()["version"] == before + 1
    assert len(ann.shown()["hand"]) == 5
    assert len({headers["idempotency-key"] for headers in sent}) == 1
    assert sent[-1]["if-match"] == f'"{before}"'
    assert ann.page.evaluate("Object.keys(sessionStorage)") == []
    no_click_counted_twice(server, ann)
    # The next click is another command.
    ann.act()
    assert not ann.has(".refusal")


def test_a_click_that_comes_too_late_is_not_played_at_another_table(comes: Comes, server: Served) -> None:
    """Somebody else played that turn meanwhile: the page says that nothing was done."""
    ann = comes()
    game = Arranged(server, "crazy-rummy", "late", ann="5C 7D 9H KS", bea="2H 3H 4D 6S", stock="2C 3C")
    ann.page.route("**/commands", lambda route: route.abort())
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.wait_for_turn()
    ann.choose(".actions [data-offer=stock]")
    ann.page.get_by_text("No answer yet. Your move is sent again.").wait_for()
    for seat, command in (
        (0, {"type": "draw", "source": "stock"}),
        (0, {"type": "discard", "card": "2C"}),
        (1, {"type": "draw", "source": "stock"}),
        (1, {"type": "discard", "card": "3C"}),
    ):
        with server.client(game.tokens[seat]) as client:
            answer = client.post(f"/v1/games/{game.game_id}/commands", json=command)
            assert answer.status_code == 200, answer.text
    ann.page.unroute("**/commands")
    ann.page.locator(".refusal", has_text="your move was not made").wait_for()
    ann.wait_for_turn()
    assert ann.shown()["hand"] == ["5C", "7D", "9H", "KS"]
    ann.complaints = [one for one in ann.complaints if "412" not in one]


@pytest.mark.parametrize("reloaded", [False, True], ids=["the page waits", "the page is loaded anew"])
@pytest.mark.parametrize("arrives", [True, False], ids=["its answer is lost", "it never arrives"])
def test_a_seat_is_not_lost_with_the_answer_that_gave_it(
    comes: Comes, server: Served, *, arrives: bool, reloaded: bool
) -> None:
    """Its token was made here: the request is sent again, and one seat is taken."""
    ann = comes()
    lost: list[str] = []

    def cut(route: Route) -> None:
        if arrives and not lost:
            route.fetch()
        lost.append(route.request.headers["idempotency-key"])
        route.abort()

    with Game(server, 3, start=False, bots={1: "plain"}) as game:
        assert game.delete(0, 0).status_code == 200
        ann.page.goto(f"{ann.url}/#/table/{game.game_id}")
        ann.page.route("**/seats", cut)
        with ann.page.expect_event("requestfailed"):
            ann.page.locator(".chairs button", has_text="Sit").first.click()
        if reloaded:
            with ann.page.expect_event("requestfailed"):
                ann.page.reload()
        ann.page.unroute("**/seats")
        ann.page.locator(".chairs .tag", has_text="You").wait_for()
        seats = game.table()["seats"]
        assert [seat["name"] is None for seat in seats] == [False, False, False]
        assert len(set(lost)) == 1
        with server.client(ann.place()["seatToken"]) as client:
            assert client.get(game.path).status_code == 200
