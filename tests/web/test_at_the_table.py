"""How a table lies on a screen: the hand, what is said of picked cards, what stays where it is, who came where."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Position, Request, ViewportSize
from tests.http.serving import Served
from tests.web.accessible import looked_at
from tests.web.arranged import OPENS_RAMI_51, Arranged
from tests.web.conftest import Comes
from tests.web.visitors import DISCARD, Visitor

WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
LEFT_EDGE: Position = {"x": 12, "y": 40}
FOURTEEN = OPENS_RAMI_51
TWENTY = FOURTEEN + " 2S 3S 4S 5S 6S 7D"
ROWS = """() => {
    const tops = [...document.querySelectorAll(".hand li")].map((one) => Math.round(one.getBoundingClientRect().top));
    return [...new Set(tops)].map((top) => tops.filter((one) => one === top).length);
}"""
FITS = "() => { const hand = document.querySelector('.hand'); return hand.scrollWidth <= hand.clientWidth; }"
CAPTIONS = (
    "() => [...document.querySelectorAll('.pile .caption')].map((one) => one.getBoundingClientRect().top)"
)
PLACES = """() => [".hand", ".dock", ".piles", "[data-pile=discard]", ".melds", "[data-meld]"].map((where) => {
    const { left, top, width, height } = document.querySelector(where).getBoundingClientRect();
    return [where, left, top, width, height].join(" ");
})"""


def at_rami(comes: Comes, server: Served, name: str, hand: str = FOURTEEN, **more: object) -> Visitor:
    """Ann, who has drawn the three of hearts."""
    game = Arranged(server, "rami-51", name, house_rules={"teams": "none"}, ann=hand, stock="3H")
    ann = comes(**more)
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.wait_for_turn()
    ann.choose(".actions [data-offer=stock]")
    ann.page.locator(".hand button[data-card='3H']").wait_for()
    ann.wait_for_turn()
    return ann


@pytest.mark.parametrize(
    ("hand", "locale", "on_a_phone"),
    [(FOURTEEN, "en-GB", [7, 7]), (TWENTY, "ar-EG", [10, 10])],
    ids=["14 cards", "20 cards, from right to left"],
)
def test_a_hand_of_many_cards_lies_in_even_rows(
    comes: Comes, server: Served, hand: str, locale: str, on_a_phone: list[int]
) -> None:
    """On a wide screen in one; every card is found at its free left edge, by pointer and by finger."""
    ann = at_rami(comes, server, f"hand{len(hand)}", hand, locale=locale, viewport=WIDE, has_touch=True)
    cards = ann.page.locator(".hand button")
    assert ann.page.evaluate(ROWS) == [sum(on_a_phone)]
    for place in (0, sum(on_a_phone) - 2):
        cards.nth(place).click(position=LEFT_EDGE)
        assert cards.nth(place).get_attribute("aria-pressed") == "true"
    ann.page.set_viewport_size(PHONE)
    ann.page.wait_for_function(
        f"wanted => JSON.stringify(({ROWS})()) === wanted", arg=str(on_a_phone).replace(" ", "")
    )
    assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for place in (on_a_phone[0] - 1, on_a_phone[0] + 1):
        cards.nth(place).tap(position=LEFT_EDGE)
        assert cards.nth(place).get_attribute("aria-pressed") == "true"


def test_cards_that_make_no_meld_are_told_so(comes: Comes, server: Served) -> None:
    """Once they have been picked; fewer are never asked about, and with those put back nothing is said."""
    ann = at_rami(comes, server, "nomeld")
    asked: list[Request] = []
    ann.page.on("request", lambda one: asked.append(one) if "dry_run" in one.url else None)
    ann.pick_cards("4C", "9D", "KS", "3H")
    ann.page.locator(".reason").get_by_text("These cards make no meld").wait_for()
    assert ann.page.locator(".actions button").count() == 0
    held = ["4C", "9D", "KS", "3H"]
    # Whoever is slow to pick the fourth has asked about three.
    questions = [one.post_data_json for one in asked]
    assert questions[-1] == {"type": "lay_meld", "cards": held}
    assert questions[:-1] in ([], [{"type": "lay_meld", "cards": held[:3]}])
    looked_at(ann.page, "why nothing is offered")
    ann.pick_cards("4C", "9D")
    assert ann.page.locator(".reason").inner_text() == ""


def test_escape_puts_picked_cards_down(comes: Comes, server: Served) -> None:
    """The focus stays; over a dialog the key closes that, and the cards stay picked."""
    game = Arranged(server, "crazy-rummy", "escape", number=9, ann="5H 6H 9C KS 2D QD", stock="4C")
    ann = comes()
    page = ann.page
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.wait_for_turn()
    ann.choose(".actions [data-offer=stock]")
    page.locator(".hand button[data-card='4C']").wait_for()
    ann.wait_for_turn()
    picked = page.locator(".hand [aria-pressed=true]")
    ann.pick_cards("5H", "6H", "9C")
    ann.choose(".actions [data-offer=lay]")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    assert picked.count() == 3
    page.locator(".hand button[data-card='9C']").focus()
    page.keyboard.press("Escape")
    page.locator(".actions [data-offer=lay]").wait_for(state="detached")
    assert picked.count() == 0
    assert page.evaluate("document.activeElement.dataset.card") == "9C"


MELDS = [
    "ann: TC JC QC",
    "bea: 4S 4H 4D",
    "bea: AS 2S 3S",
    "ann: 8D 9D TD JD",
    "bea: KC KD KH",
    "ann: 5C 6C 7C 8C",
    "bea: 6H 7H 8H 9H TH",
    "ann: 2C 2D 2H",
    "bea: 3C 3D 3H",
    "ann: 5D 6D 7D",
    "bea: 8S 9S TS JS",
]
SIZE = "() => document.querySelector('.melds .card').offsetWidth"
ALL_SEEN = """() => {
    const { scrollHeight, clientHeight } = document.querySelector(".middle");
    return scrollHeight <= clientHeight;
}"""


def test_melds_are_as_large_as_there_is_room_for(comes: Comes, server: Served) -> None:
    """A few lie as large as any card of the table, however many there are; more are smaller, so that all are seen."""

    def at_a_table_with(count: int) -> Page:
        game = Arranged(
            server, "crazy-rummy", f"room{count}", number=13, table=MELDS[:count], ann="5H 9C", discards="JH"
        )
        ann = comes(viewport={"width": 1440, "height": 900})
        ann.sit_at(game.game_id, 0, game.tokens[0])
        ann.wait_for_turn()
        assert ann.page.evaluate(ALL_SEEN)
        return ann.page

    full = at_a_table_with(1).evaluate(SIZE)
    assert at_a_table_with(6).evaluate(SIZE) == full
    crowded = at_a_table_with(len(MELDS))
    assert crowded.evaluate(SIZE) < full
    crowded.set_viewport_size({"width": 1440, "height": 1600})
    crowded.wait_for_function(f"size => ({SIZE})() === size", arg=full)
    assert crowded.evaluate(ALL_SEEN)


def test_the_clause_that_forbids_it_is_told_in_the_readers_language(comes: Comes, server: Served) -> None:
    """In Crazy Rummy a wild counts as any card, but a card must be left to discard."""
    game = Arranged(server, "crazy-rummy", "noneleft", number=9, ann="7C 7D", stock="7H")
    sara = comes("fa-IR")
    sara.sit_at(game.game_id, 0, game.tokens[0])
    sara.wait_for_turn()
    sara.choose(".actions [data-offer=stock]")
    sara.page.locator(".hand button[data-card='7H']").wait_for()
    sara.wait_for_turn()
    sara.pick_cards("7C", "7D", "7H")
    sara.page.locator(".reason strong").wait_for()
    with server.client() as client:
        sheet = client.get(f"/v1/games/{game.game_id}/rules", params={"lang": "fa"}).json()
    clause = next(one["text"] for one in sheet["clauses"] if one["id"] == "final-discard")
    assert clause in sara.page.locator(".reason").inner_text()


def test_nothing_moves_when_something_is_offered(comes: Comes, server: Served) -> None:
    """Neither hints nor buttons for picked cards, nor the reason why there are none; on a wide screen and a phone."""
    game = Arranged(
        server,
        "crazy-rummy",
        "still",
        number=9,
        table=["bea: 7S 7H 7D", "ann: 4S 5S 6S", "bea: TD JD QD"],
        ann="8S 3S 7C 9D 9H KD 8C 8D 5H 6H",
        stock="4H",
    )
    ann = comes(viewport=WIDE)
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.wait_for_turn()
    ann.choose(".actions [data-offer=stock]")
    ann.page.locator(".hand button[data-card='4H']").wait_for()
    ann.wait_for_turn()
    for screen in (WIDE, PHONE):
        ann.page.set_viewport_size(screen)
        ann.page.wait_for_function(FITS)
        ann.page.locator(".actions .hint").first.wait_for()
        before = ann.page.evaluate(PLACES)
        ann.pick_cards("7C")
        ann.page.locator("[data-meld] [data-offer=lay_off]").wait_for()
        assert ann.has(DISCARD)
        assert ann.page.evaluate(PLACES) == before
        ann.pick_cards("8C", "KD")
        ann.page.locator(".reason strong").wait_for()
        assert ann.page.evaluate(PLACES) == before
        ann.pick_cards("7C", "8C", "KD")


def test_equals_share_a_place_at_the_end(comes: Comes, server: Served) -> None:
    """Two who are second, and a fourth; those who listen are told as well."""
    game = Arranged(
        server,
        "crazy-rummy",
        "places",
        seats=4,
        number=13,
        totals=(148, 160, 150, 196),
        table=["bea: 8S 8H 8D"],
        ann="5C 5D 5H",
        bea="QS JD 2C",
        cyd="QH JH QC 2H",
        dan="AD TH",
        stock="7C",
    )
    ann = comes()
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.play(until=lambda: ann.has("dialog[open]"))
    assert ann.page.locator("dialog .ranking .place").all_inner_texts() == ["1.", "2.", "2.", "4."]
    told = ann.page.locator("dialog .ranking li .hidden").all_text_contents()
    assert [one.strip() for one in told] == ["Place 1:", "Place 2, shared:", "Place 2, shared:", "Place 4:"]


@pytest.mark.parametrize(
    ("locale", "you", "digits"),
    [("en-GB", "You", "en"), ("fa-IR", "شما", "fa-u-nu-arabext")],
    ids=["English", "Persian"],
)
def test_the_own_seat_is_you_and_each_total_is_told_once_at_the_end(
    comes: Comes, server: Served, locale: str, you: str, digits: str
) -> None:
    """In the table of the end, the ranking, the scores and their chart; a watcher is shown names alone."""
    game = Arranged(
        server,
        "crazy-rummy",
        f"you{locale[:2]}",
        number=13,
        totals=(148, 160),
        ann="5C 5D 5H",
        stock="7C",
        names=("Player", "Ben"),
    )
    ann, eve = comes(locale), comes(locale)
    eve.page.goto(f"{eve.url}/#/table/{game.game_id}")
    eve.page.locator("[data-pile=stock]").wait_for()
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.play(until=lambda: ann.has("dialog[open]"))
    for visitor, name in ((ann, you), (eve, "Player")):
        page = visitor.page
        page.wait_for_selector("dialog .ranking")
        looked_at(page, "the end of a game")
        with server.client() as client:
            totals = client.get(f"/v1/games/{game.game_id}").json()["totals"]
        numbers = page.evaluate(
            "([totals, numbers]) => totals.map((one) => new Intl.NumberFormat(numbers).format(one))",
            [totals, digits],
        )
        told = page.locator("dialog").inner_text()
        assert [told.count(one) for one in numbers] == [1, 1]
        assert _names(page, "dialog .ended tbody th") == [name, "Ben"]
        assert _names(page, "dialog .ranking .who") == [name, "Ben"]
        assert name in page.locator("dialog .result h2").inner_text()
        page.keyboard.press("Escape")
        page.locator(".side .tabs button").nth(1).click()
        assert _names(page, ".scores thead th")[1:] == [name, "Ben"]
        assert _names(page, ".chart .key") == [name, "Ben"]
        page.goto(f"{visitor.url}/#/replay/{game.game_id}")
        page.wait_for_selector(".chart .key")
        assert _names(page, ".chart .key") == [name, "Ben"]


def _names(page: Page, selector: str) -> list[str]:
    return [one.strip("\u2068\u2069 ") for one in page.locator(selector).all_inner_texts()]


LINES = """() => [...document.querySelectorAll("dialog .ended tbody tr")].map((row) => {
    const name = row.querySelector("th").getBoundingClientRect();
    const lines = new Map();
    let clear = true;
    for (const card of row.querySelectorAll(".card")) {
        const { left, right, top } = card.getBoundingClientRect();
        lines.set(Math.round(top), Math.min(Math.round(left), lines.get(Math.round(top)) ?? Infinity));
        clear &&= left >= name.right || right <= name.left;
    }
    return { lines: lines.size, lefts: new Set(lines.values()).size, clear };
})"""


@pytest.mark.parametrize("locale", ["en-GB", "ar-EG"], ids=["English", "from right to left"])
def test_on_a_phone_what_was_left_in_a_hand_lies_in_lines_that_begin_together(
    comes: Comes, server: Served, locale: str
) -> None:
    """Fourteen cards need several, and none of them lies on a name."""
    left = FOURTEEN + " 3D"
    game = Arranged(
        server,
        "crazy-rummy",
        f"left{locale}",
        number=5,
        ann="2D 2H 2S",
        bea=left,
        stock="7D",
        names=("Ann", "Benjamina"),
    )
    ann = comes(locale, viewport=PHONE)
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.play(until=lambda: ann.has("dialog[open]"))
    _, other = ann.page.evaluate(LINES)
    assert other == {"lines": other["lines"], "lefts": 1, "clear": True}
    assert other["lines"] > 1
    dialog = ann.page.locator("dialog")
    assert dialog.evaluate("one => one.scrollWidth <= one.clientWidth")
    looked_at(ann.page, "the end of a deal")


def test_both_piles_have_their_captions_on_one_line(comes: Comes, server: Served) -> None:
    """Whatever may be taken from them, on a wide screen and a phone."""
    game = Arranged(server, "crazy-rummy", "captions", number=9, ann="KS 5H", discards="2D 8S", stock="4C")
    ann = comes(viewport=WIDE)
    ann.sit_at(game.game_id, 0, game.tokens[0])

    def stand_on_one_line() -> bool:
        for screen in (PHONE, WIDE):
            ann.page.set_viewport_size(screen)
            tops = ann.page.evaluate(CAPTIONS)
            if len(tops) != 2 or tops[0] != tops[1]:
                return False
        return True

    ann.wait_for_turn()
    assert ann.has("[data-pile=discard] [data-offer=take]")
    assert stand_on_one_line()
    ann.choose(".actions [data-offer=stock]")
    ann.page.locator(".hand button[data-card='4C']").wait_for()
    ann.wait_for_turn()
    assert not ann.has("[data-pile] [data-offer]")
    assert stand_on_one_line()


def test_house_rules_are_closed_but_for_those_that_differ(comes: Comes) -> None:
    """A group is opened by its heading; what was changed in it stays to be seen when it is closed again."""
    ann = comes("fa-IR", viewport=PHONE)
    page = ann.page
    page.goto(f"{ann.url}/#/play/rami-51")
    page.wait_for_selector(".part summary")
    page.click("details.rules summary")
    assert page.locator(".rule").count() == 0
    heading = page.locator(".rule-group[data-group=lay] h2 button")
    heading.click()
    page.locator("#rule-final_discard_required").click()
    heading.click()
    assert page.locator(".rule.differs label").count() == page.locator(".rule").count() == 1
    assert page.locator(".rule-group .count").filter(has_text="تغییر").count() == 1
    looked_at(page, "house rules")


def test_bots_are_called_in_the_readers_language(comes: Comes, server: Served) -> None:
    """At the table and in the last moves."""
    sara = comes("fa-IR")
    page = sara.page
    page.goto(sara.url)
    page.locator(".welcome .big:enabled").click()
    page.wait_for_selector(".hand button")
    names = page.locator(".others .who strong").all_inner_texts()
    assert [name.strip("\u2068\u2069 ") for name in names] == ["ساده ۱", "ساده ۲", "ساده ۳"]
    assert "plain" not in page.locator("main").inner_text()
