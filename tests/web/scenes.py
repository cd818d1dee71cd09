"""What the web client looks like at work: moments of games, brought on the screen for somebody to look at."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from playwright.sync_api import Browser
from tests.http.playing import HOST, Game
from tests.http.serving import Served
from tests.web.arranged import OPENS_RAMI_51, Arranged
from tests.web.visitors import Json, Visitor

NAMES = {
    "en-GB": ("Ann", "Ben", "Clara", "David"),
    "fa-IR": ("سارا", "داریوش", "پروین", "کاوه"),
    "ar-EG": ("ليلى", "سمير", "هدى", "يوسف"),
}
_numbers = count(1)


class Looker:
    """Somebody who only looks: a locale, a width, light or dark."""

    def __init__(
        self, served: Served, browser: Browser, locale: str, size: tuple[int, int], scheme: str
    ) -> None:
        self.served = served
        self.locale = locale
        settings: Json = {"pace": "instant", "scheme": scheme, "name": NAMES[locale][0]}
        width, height = size
        self.visitor = Visitor(
            browser,
            served.url,
            locale,
            settings=settings,
            viewport={"width": width, "height": height},
            device_scale_factor=1 if width > height else 2,
            has_touch=width < height,
        )
        self.page = self.visitor.page

    def at(self, variant: str, *, seats: int = 4, **wanted: object) -> None:
        """Sit down at a table of people, nobody of whom does anything."""
        game = Arranged(
            self.served,
            variant,
            f"scene{next(_numbers)}",
            seats=seats,
            names=NAMES[self.locale],
            **wanted,  # type: ignore[arg-type]
        )
        self.visitor.sit_at(game.game_id, 0, game.tokens[0])
        self.visitor.wait_for_turn()


def lobby(looker: Looker) -> None:
    """The first page."""
    looker.page.goto(looker.served.url)
    looker.page.wait_for_selector(".variants li")


def new_table(looker: Looker) -> None:
    """A game chosen: seats, options, house rules, and the rule sheet."""
    looker.page.goto(f"{looker.served.url}/#/play/rami-51")
    looker.page.wait_for_selector(".part summary")


def start(looker: Looker) -> None:
    """A table just dealt, with a wild card in the hand."""
    looker.at("crazy-rummy", first_turn=True, ann="AH 4H 5H 9C 9D JS QD KS")


def middle(looker: Looker) -> None:
    """Many melds, and something to add."""
    looker.at(
        "crazy-rummy",
        number=7,
        totals=(48, 61, 35, 112),
        table=[
            "ann: TC JC QC",
            "bea: 4S 4H 4D",
            "cyd: 8D 9D 7C=TD JD",
            "dan: QS QH QD",
            "bea: AS 2S 3S",
            "cyd: KC KD KH",
        ],
        ann="9C KS 5H 6H TH",
        discards="2D 8S JH",
        stock="4C",
    )
    looker.visitor.choose(".actions [data-offer=stock]")
    looker.visitor.wait_for_turn()
    looker.visitor.pick_cards("9C")
    rules = looker.page.locator(".side .tabs button").last
    if rules.is_visible():
        rules.click()
        looker.page.click(".side .part[data-subject=lay] summary")


def reading(looker: Looker) -> None:
    """Cards that can be read in several ways."""
    looker.at("crazy-rummy", number=9, totals=(20, 31, 8, 40), ann="5H 6H 9C KS 2D QD", stock="4C")
    looker.visitor.choose(".actions [data-offer=stock]")
    looker.visitor.wait_for_turn()
    looker.visitor.pick_cards("5H", "6H", "9C")
    looker.visitor.choose(".actions [data-offer=lay]")
    looker.page.wait_for_selector("dialog[open]")


def opening(looker: Looker) -> None:
    """Melds put aside for an opening."""
    looker.at(
        "rami-51",
        house_rules={"teams": "none"},
        ann=OPENS_RAMI_51,
        stock="3H",
    )
    looker.visitor.choose(".actions [data-offer=stock]")
    looker.visitor.wait_for_turn()
    for cards in ("8S 8H 8D", "4C 5C 6C 7C"):
        looker.visitor.pick_cards(*cards.split())
        looker.visitor.choose(".actions [data-offer=aside]")
    looker.page.wait_for_selector(".tray meter")


def refusal(looker: Looker) -> None:
    """What the rules forbid, with the clause."""
    looker.page.route(
        "**/moves",
        lambda route: route.fulfill(
            json={
                **(answer := route.fetch().json()),
                "moves": [*answer["moves"], {"type": "discard", "card": "9C"}],
            }
        ),
    )
    looker.at(
        "crazy-rummy",
        number=3,
        totals=(12, 40, 18, 25),
        table=["bea: 7S 7H 7D"],
        ann="9C TC JC 5H 2D KS",
        discards="8H QC",
    )
    looker.visitor.pick_cards("9C")
    looker.visitor.choose(".actions [data-offer=discard]")
    looker.page.wait_for_selector(".refusal")


def deal_over(looker: Looker) -> None:
    """The end of a deal."""
    looker.at(
        "crazy-rummy",
        number=4,
        totals=(48, 61, 35, 96),
        table=["bea: 8S 8H 8D"],
        ann="5C 5D 5H",
        bea="QS JD 2C",
        cyd="KD KH 9S 3C",
        dan="AD TH",
        stock="7C",
    )
    looker.visitor.play(until=lambda: looker.visitor.has("dialog[open]"))


def game_over(looker: Looker) -> None:
    """The end of a game."""
    looker.at(
        "crazy-rummy",
        number=13,
        totals=(148, 161, 135, 196),
        table=["bea: 8S 8H 8D"],
        ann="5C 5D 5H",
        bea="QS JD 2C",
        cyd="KD JH 9S 3C",
        dan="AD TH",
        stock="7C",
    )
    looker.visitor.play(until=lambda: looker.visitor.has("dialog[open]"))


def replay(looker: Looker) -> None:
    """A finished game again, with all hands, and what was proved of it."""
    with Game(looker.served, 4, house_rules={"deal_count": 6}, start=False) as game:
        for seat in range(4):
            assert game.delete(seat, seat).status_code == 200
            sat = game.post(
                HOST, "/seats", {"name": NAMES[looker.locale][seat], "seat": seat, "bot": "plain"}
            )
            assert sat.status_code == 201, sat.text
        assert game.send(HOST, {"type": "start_game"}).status_code == 200
        assert looker.served.until(lambda: game.table()["status"] == "finished")
        version = game.table()["version"] * 5 // 6
    looker.page.goto(f"{looker.served.url}/#/replay/{game.game_id}/{version}")
    looker.page.wait_for_selector(".hands .card[data-card]")
    looker.page.click("[data-offer=check]")
    looker.page.wait_for_selector(".check .verdict")


SCENES: dict[str, Callable[[Looker], None]] = {
    scene.__name__: scene
    for scene in (lobby, new_table, start, middle, reading, opening, refusal, deal_over, game_over, replay)
}
