"""The focus goes on to what is sensible when what had it is gone, and is taken from nobody."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize
from tests.http.playing import Game
from tests.http.serving import Served
from tests.web.arranged import Arranged
from tests.web.conftest import Comes
from tests.web.visitors import DISCARD, KeyboardVisitor, Visitor

IN_HAND = ".hand button"
TABLE = ".middle"
GO_ON, AGAIN, JOIN, REPLAY = (f"dialog [data-offer={one}]" for one in ("go-on", "rematch", "join", "replay"))
SCREENS: dict[str, ViewportSize] = {
    "wide": {"width": 1280, "height": 800},
    "phone": {"width": 390, "height": 600},
}
IN_SIGHT = """where => {
    const { top, bottom } = document.querySelector(where).getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight && document.querySelector("dialog").scrollTop === 0;
}"""


def reaches(page: Page, selector: str) -> None:
    """Wait until the focus is on such a thing; it stays there."""
    page.wait_for_function("where => document.activeElement.matches(where)", arg=selector)


def open_a_table(visitor: Visitor, last: str = "plain") -> None:
    """Choose Crazy Rummy for two, with a bot or a person on the other seat, and press the button."""
    page = visitor.page
    page.goto(f"{visitor.url}/#/play/crazy-rummy")
    page.wait_for_selector(".seats select")
    while page.locator(".seats li").count() > 2:
        page.locator(".seats li button").last.click()
    page.locator(".seats select").last.select_option(last)
    page.locator(".new-table button.primary").press("Enter")


def test_a_game_that_starts_is_looked_at_first(comes: Comes) -> None:
    """From the lobby, and from the waiting room."""
    ann = comes(kind=KeyboardVisitor)
    open_a_table(ann)
    ann.page.wait_for_selector(IN_HAND)
    reaches(ann.page, TABLE)

    open_a_table(ann, last="person")
    reaches(ann.page, ".waiting h2")
    ann.page.locator(".chairs select").select_option("plain")
    ann.page.locator("[data-offer=start]:enabled").press("Enter")
    ann.page.wait_for_selector(IN_HAND)
    reaches(ann.page, TABLE)


@pytest.mark.parametrize("kind", [Visitor, KeyboardVisitor], ids=["by pointer", "by keyboard"])
def test_the_hand_has_the_focus_after_a_draw_and_a_discard(
    comes: Comes, server: Served, kind: type[Visitor]
) -> None:
    """So has it after a dialog and after whatever else was offered and is done."""
    game = Arranged(
        server,
        "crazy-rummy",
        f"focus{kind.__name__}",
        number=9,
        ann="5H 6H 9C KS 2D QD",
        stock="4C",
    )
    ann = comes(kind=kind)
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.wait_for_turn()
    ann.choose(".actions [data-offer=stock]")
    ann.page.locator(f"{IN_HAND}[data-card='4C']").wait_for()
    reaches(ann.page, IN_HAND)
    ann.wait_for_turn()
    ann.pick_cards("5H", "6H", "9C")
    ann.choose(".actions [data-offer=lay]")
    ann.choose("dialog [data-offer=reading]")
    ann.page.locator(".mine [data-meld]").wait_for()
    reaches(ann.page, IN_HAND)
    ann.wait_for_turn()
    ann.pick_cards("KS")
    ann.choose(DISCARD)
    ann.page.locator(".others .on-turn").wait_for()
    reaches(ann.page, IN_HAND)


def test_a_deal_that_was_read_leads_back_to_the_hand(comes: Comes, server: Served) -> None:
    """What had the focus before the dialog is not there any more."""
    game = Arranged(server, "crazy-rummy", "focusdeal", number=4, ann="5C 5D 5H", stock="7C")
    ann = comes(kind=KeyboardVisitor)
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.play(until=lambda: ann.has("dialog[open]"))
    ann.choose("dialog [data-offer=go-on]")
    ann.page.locator("dialog").wait_for(state="detached")
    reaches(ann.page, IN_HAND)


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize(
    ("number", "for_player", "for_watcher"),
    [(4, GO_ON, GO_ON), (13, AGAIN, REPLAY)],
    ids=["deal", "game"],
)
def test_the_main_way_on_has_the_focus_at_the_end(
    comes: Comes, server: Served, number: int, for_player: str, for_watcher: str, screen: str
) -> None:
    """Of a deal and of a game; it is in sight, and so is the beginning of what is told."""
    game = Arranged(
        server,
        "crazy-rummy",
        f"wayon{number}{screen}",
        seats=6,
        number=number,
        ann="5C 5D 5H",
        stock="7C",
    )
    ann, eve = comes(viewport=SCREENS[screen]), comes(viewport=SCREENS[screen])
    eve.page.goto(f"{eve.url}/#/table/{game.game_id}")
    eve.page.locator("[data-pile=stock]").wait_for()
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.play(until=lambda: ann.has("dialog[open]"))
    for visitor, way in ((ann, for_player), (eve, for_watcher)):
        visitor.page.wait_for_selector("dialog[open]")
        reaches(visitor.page, way)
        assert visitor.page.evaluate(IN_SIGHT, way)


def test_a_table_that_another_opens_takes_the_focus_of_playing_again(comes: Comes, server: Served) -> None:
    """The button that had it is gone then."""
    game = Arranged(server, "crazy-rummy", "focusjoin", number=13, ann="5C 5D 5H", stock="7C")
    ann, ben = comes(kind=KeyboardVisitor), comes()
    for visitor, seat in ((ann, 0), (ben, 1)):
        visitor.sit_at(game.game_id, seat, game.tokens[seat])
    ann.play()
    reaches(ann.page, AGAIN)
    ben.choose(AGAIN)
    reaches(ann.page, JOIN)


@pytest.mark.parametrize("locale", ["en-GB", "ar-EG"])
def test_a_dialog_begins_at_its_first_choice(comes: Comes, server: Served, locale: str) -> None:
    """Of readings, of discards to take, of settings; of giving up the hand at going on. None begins at its cross."""
    game = Arranged(
        server,
        "ace-to-ace",
        f"choices{locale[:2]}",
        number=5,
        ann="8D 9D 5C TS KS 2H",
        bea="3S JD 9H",
        table=["ann: 6S 7S 8S"],
        discards="3D QC QD",
        stock="6H",
    )
    ann = comes(locale, viewport=SCREENS["wide"])
    page = ann.page
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.wait_for_turn()
    ann.choose(".actions [data-offer=take]")
    reaches(page, "dialog li:first-child [data-offer=take-count]")
    page.keyboard.press("Escape")
    page.click(".top button:last-of-type")
    reaches(page, "dialog select")
    page.keyboard.press("Escape")
    page.click(".top button.wide-only")
    reaches(page, "dialog .primary")
    page.keyboard.press("Enter")
    page.locator("dialog").wait_for(state="detached")
    ann.choose(".actions [data-offer=stock]")
    page.locator(f"{IN_HAND}[data-card='6H']").wait_for()
    ann.wait_for_turn()
    ann.pick_cards("8D", "9D", "5C")
    ann.choose(".actions [data-offer=lay]")
    reaches(page, "dialog li:first-child [data-offer=reading]")


@pytest.mark.parametrize("screen", SCREENS)
def test_what_can_be_done_comes_after_the_hand(comes: Comes, server: Served, screen: str) -> None:
    """For the Tab key as on the screen."""
    game = Arranged(server, "crazy-rummy", f"order{screen}", number=9, ann="5H 9D KS", stock="4C")
    ann = comes(kind=KeyboardVisitor, viewport=SCREENS[screen])
    page = ann.page
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.wait_for_turn()
    ann.choose(".actions [data-offer=stock]")
    page.locator(f"{IN_HAND}[data-card='4C']").wait_for()
    ann.wait_for_turn()
    ann.pick_cards("KS")
    page.keyboard.press("Tab")
    reaches(page, DISCARD)
    page.keyboard.press("Shift+Tab")
    reaches(page, f"{IN_HAND}[data-card=KS]")
    hand, actions = (page.locator(one).bounding_box() for one in (".hand", ".actions"))
    assert hand is not None
    assert actions is not None
    assert hand["y"] + hand["height"] <= actions["y"]


def test_nobody_who_types_loses_the_focus(comes: Comes, server: Served) -> None:
    """Others sit down meanwhile, and the game starts without whoever is still typing."""
    ben = comes()
    with Game(server, 2, start=False) as game:
        assert game.delete(1, 1).status_code == 200
        ben.page.goto(f"{ben.url}/#/table/{game.game_id}")
        ben.page.get_by_label("Your name").press_sequentially("Be")
        assert game.delete(0, 0).status_code == 200
        ben.page.locator(".chairs .free").nth(1).wait_for()
        ben.page.keyboard.type("n")
        assert ben.page.get_by_label("Your name").input_value() == "Ben"


def test_the_last_move_of_a_replay_leaves_the_focus_at_the_controls(comes: Comes, server: Served) -> None:
    """Where the button that was pressed leads no further."""
    ann = comes()
    with Game(server, 2) as game:
        last = game.table()["version"]
        ann.page.goto(f"{ann.url}/#/replay/{game.game_id}/{last - 1}")
        ann.page.locator(f"main[data-version='{last - 1}']").wait_for()
        ann.page.get_by_role("button", name="On one move").press("Enter")
        reaches(ann.page, "[data-offer=play]")
