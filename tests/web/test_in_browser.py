"""People play at the web client: in a real browser, by what is offered on the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route
from tests.http.playing import OPERATOR, Game
from tests.http.serving import Served, served
from tests.web.visitors import DISCARD, KeyboardVisitor, Visitor, a_browser

from meldlog_service.store.memory import MemoryStore, Shelf

pytestmark = pytest.mark.timeout(300)
AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text("utf-8")
PERSIAN_DIGITS = re.compile("[۰-۹]")
Comes = Callable[..., Visitor]


@pytest.fixture(scope="module")
def service() -> Iterator[Served]:
    """A service that deals the same in every run."""
    chance = Random("web")
    with served(random_hex=lambda: chance.randbytes(32).hex()) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of this file."""
    with a_browser() as found:
        yield found


@pytest.fixture
def comes(browser: Browser, service: Served) -> Iterator[Comes]:
    """Lets people come to the service; in the end nobody's browser complained, or asked anybody else."""
    there: list[Visitor] = []

    def come(
        locale: str = "en-GB", kind: type[Visitor] = Visitor, url: str | None = None, **more: Any
    ) -> Visitor:
        there.append(kind(browser, url or service.url, locale, **more))
        return there[-1]

    yield come
    for visitor in there:
        visitor.close()
    assert [one for visitor in there for one in visitor.complaints] == []
    assert [one for visitor in there for one in visitor.foreign] == []


def sit_down_alone(visitor: Visitor, variant: str = "crazy-rummy", deals: int | None = 1) -> None:
    """Open a table against three bots, of so many deals."""
    page = visitor.page
    page.goto(f"{visitor.url}/#/play/{variant}")
    page.wait_for_selector(".clauses li")
    if deals is not None:
        page.click("details.rules summary")
        rule = page.locator(".rule", has=page.locator("#rule-deal_count"))
        rule.locator("select").select_option("number")
        rule.locator("input[type=number]").fill(str(deals))
        rule.locator("input[type=number]").blur()
        assert "differs" in (rule.get_attribute("class") or "")
    page.click(".new-table button.primary")
    page.wait_for_selector(".hand button")


def the_same_as_the_service_shows(visitor: Visitor, served: Served) -> None:
    """What lies on the screen is the service's table of that version."""
    shown = visitor.shown()
    token = visitor.place()["seatToken"]
    with served.client(token) as client:
        table = client.get(f"/v1/games/{visitor.game}", params={"at": shown["version"]}).json()
    deal = table["deal"]
    assert shown["hand"] == sorted(next(seat["hand"] for seat in table["seats"] if "hand" in seat))
    assert shown["melds"] == [
        [meld["meld"], [one["card"] for one in meld["cards"]]] for meld in deal["melds"]
    ]
    assert shown["top"] == (deal["discard_pile"][-1] if deal["discard_pile"] else None)
    assert shown["turn"] == deal["turn"]


def test_a_whole_game_against_bots_is_played_by_clicking(comes: Comes, service: Served) -> None:
    """From the lobby to the result, always seeing the service's own table; then it is seen again and checked."""
    ann = comes()
    sit_down_alone(ann, deals=2)
    ann.play(until=lambda: False, after_each=lambda: the_same_as_the_service_shows(ann, service))

    page = ann.page
    if ann.has("dialog[open]"):
        page.keyboard.press("Escape")
    assert "Winner" in page.locator(".result h2").first.inner_text()
    page.click(".result a[href*=replay]")
    page.wait_for_selector(".controls")
    first = page.locator("main").get_attribute("data-version")
    page.get_by_role("button", name="Next deal").click()
    page.wait_for_function("first => document.querySelector('main').dataset.version > first", arg=first)
    assert page.locator(".status .deal").inner_text() == "Deal 2 of 2"
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
    sara.play(until=lambda: False)

    words = page.locator("main").inner_text()
    assert "برنده" in words
    assert PERSIAN_DIGITS.search(words)
    assert not re.search(r"\b(you|drew|laid|discarded)\b", words, re.IGNORECASE)


def test_a_deal_is_played_by_keyboard_alone(comes: Comes) -> None:
    """Tab, arrows, space and Enter are enough, and what happens is told to those who listen."""
    ben = comes(kind=KeyboardVisitor)
    sit_down_alone(ben)
    heard: set[str] = set()
    ben.play(
        until=lambda: False, after_each=lambda: heard.add(ben.page.locator("[role=status]").last.inner_text())
    )
    assert ben.has("main[data-status=finished]")
    assert any("It is your turn." in one for one in heard)


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


def test_a_cut_network_is_told_and_overcome(comes: Comes, service: Served) -> None:
    """Again and again: the page says so, shows no state that was not, and a click during the cut is sent afterwards."""
    ann = comes()
    sit_down_alone(ann)
    page = ann.page
    for _ in range(3):
        assert ann.wait_for_turn() != "over"
        ann.context.set_offline(True)
        before = ann.shown()["version"]
        if ann.has(".actions [data-offer=stock]"):
            ann.choose(".actions [data-offer=stock]")
        else:
            ann.discard()
        page.get_by_text("No answer yet. Your move is sent again.").wait_for()
        assert ann.shown()["version"] == before
        ann.context.set_offline(False)
        page.wait_for_function(
            "before => Number(document.querySelector('main').dataset.version) > before", arg=before
        )
        ann.wait_for_turn()
        the_same_as_the_service_shows(ann, service)
    with service.client(ann.place()["seatToken"]) as client:
        log = client.get(f"/v1/games/{ann.game}/events", params={"limit": 1000}).json()["items"]
    keys = [commit["command_id"] for commit in log]
    assert len(set(keys)) == len(keys)


def test_a_restarted_service_is_waited_for(comes: Comes) -> None:
    """In the middle of a turn: the banner comes and goes, and the game goes on."""
    shelf = Shelf()
    with served(store=lambda: MemoryStore(shelf)) as first:
        ann = comes(url=first.url)
        sit_down_alone(ann)
        ann.wait_for_turn()
        before = ann.shown()
    page = ann.page
    page.locator(".banner").wait_for()
    assert "connection is lost" in page.locator(".banner").inner_text()
    assert ann.shown() == before
    with served(store=lambda: MemoryStore(shelf), port=int(first.url.rpartition(":")[2])) as second:
        page.locator(".banner").wait_for(state="detached")
        turns = iter(range(2))
        ann.play(until=lambda: next(turns, None) is None)
        the_same_as_the_service_shows(ann, second)
        ann.close()


def test_two_people_play_each_other_and_a_watcher_is_sent_no_hidden_card(
    comes: Comes, service: Served
) -> None:
    """A link is sent, a seat taken; who only watches has no hand in its page and none of its secrets on its wire."""
    ann, ben, eve = comes(), comes("fr-FR"), comes()
    page = ann.page
    page.goto(f"{ann.url}/#/play/crazy-rummy")
    page.wait_for_selector(".seats select")
    while page.locator(".seats li").count() > 2:
        page.locator(".seats li button").last.click()
    page.locator(".seats select").last.select_option("person")
    page.click(".new-table button.primary")
    link = page.locator(".invitation input").input_value()
    ben.page.goto(link)
    ben.page.get_by_label("Votre nom").fill("Benoît")
    ben.page.get_by_role("button", name="S’asseoir ici").click()
    page.get_by_text("Benoît").first.wait_for()
    eve.page.goto(link)
    page.click("[data-offer=start]")
    for _ in range(4):
        first = page.wait_for_function(
            "() => document.querySelector('.player.on-turn')?.dataset.seat"
        ).json_value()
        on_turn = ann if first == "0" else ben
        on_turn.wait_for_turn()
        version = page.locator("main").get_attribute("data-version")
        on_turn.act()
        for other in (ann, ben, eve):
            other.page.wait_for_function(
                "version => Number(document.querySelector('main').dataset.version) > version",
                arg=int(version or 0),
            )
    with service.client("the-operators-own-token") as client:
        log = client.get(f"/v1/games/{ann.game}/events").json()["items"]
    secrets = set(re.findall(r"'salt': '([0-9a-f]+)'", str(log)))
    assert secrets
    told, watched = ann.heard, eve.heard
    assert any(salt in told for salt in secrets)
    assert '"events"' in watched
    assert not [salt for salt in secrets if salt in watched]
    assert not eve.has(".hand")


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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(comes: Comes, service: Served, scheme: str) -> None:
    """On no page, in light and in dark: names, roles, contrast, order."""
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
    with Game(service, 2, bots={0: "plain", 1: "plain"}, house_rules={"deal_count": 1}) as game:
        with service.client() as client:
            while client.get(game.path).json()["status"] != "finished":
                client.get(game.path)
        page.goto(f"{ann.url}/#/replay/{game.game_id}")
        page.wait_for_selector(".controls")
        looked_at(page, "replay")
    assert game.tokens[OPERATOR]


def looked_at(page: Page, what: str) -> None:
    """Let axe look at what is shown now."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    told = [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary']}"
        for one in found
        for node in one["nodes"]
    ]
    assert not told, "\n".join([what, *told])
