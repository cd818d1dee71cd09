"""People at the web client, in a real browser: what they click, and what their browser saw."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright
from tests.support.browser import chromium
from tests.web.screens import RECORD, SHOWN

Json = dict[str, Any]
AT_ONCE = {"pace": "instant"}
"""Settings of somebody who does not wait to see the moves of others."""
ONE_BY_ONE = {"pace": "quick"}
"""Settings of somebody who sees every move of others by itself; a hurried clock makes the waits between them short."""
FIRST_OF_ALL = (
    "hint-together",
    "hint-lay",
    "hint-lay_off",
    "stock",
    "decline",
    "decline-discard",
    "wild",
    "penalty",
)
"""Offers that somebody takes who takes whatever is offered, in this order."""
IN_DIALOGS = ("go-on", "reading", "take-count")
PATIENCE = 60_000
"""Milliseconds after which somebody gives up."""


@contextmanager
def a_browser() -> Iterator[Browser]:
    """A Chromium that is gone afterwards."""
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"]) as browser,
    ):
        yield browser


class Visitor:
    """Somebody with a browser of their own.

    Args:
        browser: A Chromium.
        url: Of the service.
        locale: What the browser asks for.
        settings: What was chosen in this browser before.
        more: Further options of the browser's context.
    """

    def __init__(
        self,
        browser: Browser,
        url: str,
        locale: str = "en-GB",
        *,
        settings: Json = AT_ONCE,
        **more: Any,
    ) -> None:
        self.url = url
        self.context = browser.new_context(locale=locale, base_url=url, reduced_motion="reduce", **more)
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(
            "localStorage.getItem('meldlog.settings') ?? "
            f"localStorage.setItem('meldlog.settings', '{json.dumps(settings)}')"
        )
        self.context.add_init_script(LISTEN)
        self.context.add_init_script(RECORD)
        if settings == ONE_BY_ONE:
            self.context.add_init_script(HURRY)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.foreign: list[str] = []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._look_at)

    def _hear(self, message: ConsoleMessage) -> None:
        # Chromium tells of every request without an answer, which are part of a test, and of every answer that is a no:
        # whoever only asks what would be may get one.
        only_asked = message.location["url"].endswith("?dry_run=true")
        if message.type == "error" and "net::ERR" not in message.text and not only_asked:
            self.complaints.append(message.text)

    def _look_at(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme != "data" and f"{address.scheme}://{address.netloc}" != self.url:
            self.foreign.append(request.url)

    def tables_shown(self) -> list[Json]:
        """Every table that was on the screen since the page was loaded, in order."""
        found: list[Json] = self.page.evaluate("globalThis.tablesShown")
        return found

    @property
    def heard(self) -> str:
        """Everything that the service sent to the page since it was loaded, live streams included."""
        found: str = self.page.evaluate("globalThis.heard")
        return found

    def close(self) -> None:
        """Leave."""
        self.context.close()

    def sit_at(self, game_id: str, seat: int, token: str) -> None:
        """Come to a table where one sits already, as this browser remembers."""
        place = json.dumps({"seat": seat, "seatToken": token})
        self.context.add_init_script(f"({REMEMBER})('{game_id}', {place})")
        self.page.goto(f"{self.url}/#/table/{game_id}")
        self.page.wait_for_selector(".hand button")

    @property
    def game(self) -> str:
        """The game whose page is shown."""
        return self.page.url.rpartition("/")[2]

    def place(self) -> Json:
        """The tokens that this browser keeps of the game."""
        found: Json = self.page.evaluate(
            "game => JSON.parse(localStorage['meldlog.places'])[game]", self.game
        )
        return found

    def shown(self) -> Json:
        """What lies on the table on the screen."""
        found: Json = self.page.evaluate(SHOWN)
        return found

    # ------------------------------------------------------------------------------------------------ playing

    def has(self, selector: str) -> bool:
        """Whether something is on the page."""
        return self.page.locator(selector).count() > 0

    def wait_for_turn(self) -> str:
        """Wait until something may be done or the game is over: ``turn``, ``dialog`` or ``over``."""
        found: str = self.page.wait_for_function(AWAITED).json_value()
        return found

    def play(
        self, until: Callable[[], bool] = lambda: False, after_each: Callable[[], None] = lambda: None
    ) -> None:
        """Take whatever is offered first, until something is so or the game is over."""
        while (awaited := self.wait_for_turn()) != "over" and not until():
            after_each()
            self._act(awaited)

    def act(self) -> None:
        """Take what is offered first, and wait for what comes of it."""
        self._act(self.wait_for_turn())

    def _act(self, awaited: str) -> None:
        before = self.page.evaluate(MARK)
        offer = self._offered(within="dialog" if awaited == "dialog" else ".actions")
        if offer is None:
            self.discard()
        else:
            self.choose(offer)
        self.page.wait_for_function(f"before => ({MARK})() !== before", arg=before)

    def _offered(self, within: str) -> str | None:
        offers = IN_DIALOGS if within == "dialog" else FIRST_OF_ALL
        selectors = [f"{within} [data-offer={offer}]" for offer in offers]
        found: str | None = self.page.evaluate(FIRST_THERE, selectors)
        return found

    def choose(self, selector: str) -> None:
        """Click."""
        self.page.locator(selector).first.click()

    def pick(self, place: int) -> None:
        """Pick a card of the hand, or put it back among the others; its left edge lies free."""
        self.page.locator(".hand button").nth(place).click(position={"x": 8, "y": 40})

    def pick_cards(self, *cards: str) -> None:
        """Pick these cards of the hand."""
        for card in cards:
            held = self.page.evaluate(
                "[...document.querySelectorAll('.hand button')].map((one) => one.dataset.card)"
            )
            self.pick(held.index(card))

    def discard(self) -> None:
        """Pick a card that may be discarded, and discard it."""
        for place in reversed(range(self.page.locator(".hand button").count())):
            self.pick(place)
            if self.has(DISCARD):
                self.choose(DISCARD)
                return
            self.pick(place)
        raise AssertionError("no card may be discarded")


class KeyboardVisitor(Visitor):
    """Somebody who has no pointer."""

    def choose(self, selector: str) -> None:
        """Go there with Tab, and press Enter."""
        self.go_to(selector)
        # What was drawn anew since has the focus again for this key.
        self.page.locator(selector).first.press("Enter")

    def pick(self, place: int) -> None:
        """Go through the hand with the arrows, and press the space bar."""
        self.go_to(".hand button")
        last = self.page.locator(".hand button").count() - 1
        self.page.keyboard.press("Home" if place <= last - place else "End")
        for _ in range(min(place, last - place)):
            self.page.keyboard.press("ArrowRight" if place <= last - place else "ArrowLeft")
        self.page.wait_for_function(AT_CARD, arg=place)
        card = self.page.locator(".hand button").nth(place)
        pressed = card.get_attribute("aria-pressed")
        card.press(" ")
        if pressed == "false":
            card.and_(self.page.locator("[aria-pressed=true]")).wait_for()

    def go_to(self, selector: str) -> None:
        """Press Tab, with Shift for what stands before, until the focus is there."""
        for _ in range(150):
            key = self.page.evaluate(WAY_TO, selector)
            if key is None:
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"the keyboard does not lead to {selector}")


def sit_down_alone(visitor: Visitor, variant: str = "crazy-rummy", deals: int | None = 1) -> None:
    """Open a table against three bots, of so many deals."""
    page = visitor.page
    page.goto(f"{visitor.url}/#/play/{variant}")
    page.wait_for_selector(".part summary")
    if deals is not None:
        page.click("details.rules summary")
        page.click(".rule-group[data-group=deal] h2 button")
        rule = page.locator(".rule", has=page.locator("#rule-deal_count"))
        rule.locator("select").select_option("number")
        rule.locator("input[type=number]").fill(str(deals))
        rule.locator("input[type=number]").blur()
        assert "differs" in (rule.get_attribute("class") or "")
    page.click(".new-table button.primary")
    page.wait_for_selector(".hand button")


LISTEN = """
    globalThis.heard = "";
    const asked = globalThis.fetch;
    globalThis.fetch = async (...given) => {
        const answer = await asked(...given);
        const note = new WritableStream({ write: (text) => { globalThis.heard += text; } });
        answer.clone().body?.pipeThrough(new TextDecoderStream()).pipeTo(note).catch(() => {});
        return answer;
    };
"""
HURRY = """
    const wait = globalThis.setTimeout;
    globalThis.setTimeout = (then, ms, ...given) => wait(then, ms <= 350 ? 0 : ms, ...given);
"""
REMEMBER = """(game, place) => {
    const places = JSON.parse(localStorage.getItem("meldlog.places") ?? "{}");
    places[game] ??= place;
    localStorage.setItem("meldlog.places", JSON.stringify(places));
}"""
DISCARD = ".actions [data-offer=discard]"
FIRST_THERE = "selectors => selectors.find((one) => document.querySelector(one)) ?? null"
WAY_TO = """where => {
    const here = document.activeElement;
    if (here?.matches(where)) return null;
    const there = document.querySelector(where);
    const isBefore = there && here && here.compareDocumentPosition(there) & Node.DOCUMENT_POSITION_PRECEDING;
    return isBefore ? "Shift+Tab" : "Tab";
}"""
AT_CARD = "place => [...document.querySelectorAll('.hand button')].indexOf(document.activeElement) === place"
MARK = """() => [
    document.querySelector("main")?.dataset.version, document.querySelector("dialog h2")?.textContent,
].join()"""
AWAITED = """() => {
    const main = document.querySelector("main");
    if (main?.dataset.status === "finished") return "over";
    if (document.querySelector("dialog[open]")) return "dialog";
    const ready = document.querySelector(".dock.on-turn .actions[data-ready=true]");
    return ready ? "turn" : false;
}"""
