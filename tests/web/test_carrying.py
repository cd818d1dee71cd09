"""Cards that are carried to the table: what is let go is what is played, and what is put down is not."""

from __future__ import annotations

import pytest
from playwright.sync_api import CDPSession
from tests.http.serving import Served
from tests.web.arranged import Arranged
from tests.web.conftest import Comes
from tests.web.visitors import Visitor

PILE = "[data-pile=discard]"
ELSEWHERE = (5.0, 300.0)
Point = tuple[float, float]


@pytest.fixture
def commands() -> list[object]:
    """Every command that Ann's page sends after her draw."""
    return []


def at_her_turn(comes: Comes, server: Served, name: str, commands: list[object], **more: object) -> Visitor:
    """Ann, who has drawn a seven and may discard."""
    game = Arranged(server, "crazy-rummy", name, number=13, ann="3C 4C 9H KD", stock="7S", discards="JH")
    ann = comes(**more)
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.wait_for_turn()
    ann.choose(".actions [data-offer=stock]")
    card(ann, "7S")
    ann.wait_for_turn()
    ann.page.on(
        "request", lambda one: commands.append(one.post_data_json) if one.url.endswith("/commands") else None
    )
    return ann


def card(ann: Visitor, name: str) -> Point:
    """The free left edge of a card in the hand."""
    box = ann.page.locator(f".hand button[data-card='{name}']").bounding_box()
    assert box is not None
    return box["x"] + 10, box["y"] + 40


def pile(ann: Visitor) -> Point:
    """The middle of the top card of the discard pile."""
    box = ann.page.locator(f"{PILE} .top-card").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def carry(ann: Visitor, name: str, there: Point) -> None:
    """Take a card somewhere, and hold it there."""
    ann.page.mouse.move(*card(ann, name))
    ann.page.mouse.down()
    ann.page.mouse.move(*there, steps=5)
    ann.page.wait_for_selector(".hand.dragging")


def is_put_down(ann: Visitor) -> None:
    """Nothing is carried any more."""
    ann.page.locator(".hand.dragging").wait_for(state="detached")


def is_still_so(ann: Visitor) -> None:
    """Whatever comes of what was done has come: the page has drawn twice, and no command is on its way."""
    ann.page.evaluate("new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))")
    ann.wait_for_turn()


@pytest.mark.parametrize("picked", [[], ["4C"], ["4C", "9H"]], ids=["nothing", "another card", "two others"])
def test_the_carried_card_is_discarded_whatever_was_picked_before(
    comes: Comes, server: Served, commands: list[object], picked: list[str]
) -> None:
    """Also at the first try with nothing picked, and however quickly it is thrown."""
    ann = at_her_turn(comes, server, f"carry{len(picked)}", commands)
    ann.pick_cards(*picked)
    carry(ann, "3C", pile(ann))
    ann.page.mouse.up()
    ann.page.locator(f"{PILE} .top-card [data-card='3C']").wait_for()
    assert commands == [{"type": "discard", "card": "3C"}]


def test_a_picked_card_is_carried_with_the_others_that_are_picked(
    comes: Comes, server: Served, commands: list[object]
) -> None:
    """Two cards are no discard; one of them carried alone, once the other was put back, is."""
    ann = at_her_turn(comes, server, "carryboth", commands)
    ann.pick_cards("3C", "4C")
    carry(ann, "3C", pile(ann))
    assert ann.page.locator(".hand button.carried").count() == 2
    ann.page.mouse.up()
    is_put_down(ann)
    is_still_so(ann)
    assert commands == []
    ann.pick_cards("4C")
    carry(ann, "3C", pile(ann))
    ann.page.mouse.up()
    ann.page.locator(f"{PILE} .top-card [data-card='3C']").wait_for()


def test_escape_ends_the_carrying_and_nothing_is_played(
    comes: Comes, server: Served, commands: list[object]
) -> None:
    """The button let go afterwards plays nothing and picks nothing, over the pile and over the card itself."""
    ann = at_her_turn(comes, server, "carryescape", commands)
    home = card(ann, "3C")
    for there in (pile(ann), home):
        carry(ann, "3C", pile(ann))
        ann.page.mouse.move(*there)
        ann.page.keyboard.press("Escape")
        is_put_down(ann)
        ann.page.mouse.up()
        is_still_so(ann)
        assert commands == []
        assert not ann.has(".hand [aria-pressed=true]")
    # Whoever takes it up again may play it.
    carry(ann, "3C", pile(ann))
    ann.page.mouse.up()
    ann.page.locator(f"{PILE} .top-card [data-card='3C']").wait_for()


class Fingers:
    """Fingers on a screen, by number."""

    def __init__(self, visitor: Visitor) -> None:
        self._to: CDPSession = visitor.context.new_cdp_session(visitor.page)
        self._down: dict[int, Point] = {}

    def put(self, finger: int, point: Point) -> None:
        """A finger comes down."""
        self._down[finger] = point
        self._tell("touchStart")

    def move(self, finger: int, point: Point) -> None:
        """A finger moves."""
        self._down[finger] = point
        self._tell("touchMove")

    def lift(self, finger: int) -> None:
        """A finger goes up."""
        del self._down[finger]
        # To Chromium an end is that of all; of one it is told by who is still there.
        self._tell("touchMove" if self._down else "touchEnd")

    def lose_all(self) -> None:
        """The system takes them for something of its own."""
        self._down.clear()
        self._tell("touchCancel")

    def _tell(self, type_: str) -> None:
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in self._down.items()]
        self._to.send("Input.dispatchTouchEvent", {"type": type_, "touchPoints": points})


def test_a_second_finger_neither_moves_nor_plays_what_the_first_one_carries(
    comes: Comes, server: Served, commands: list[object]
) -> None:
    """It comes down on the pile, moves, goes up again; the first one still carries, and its end is what counts."""
    ann = at_her_turn(comes, server, "carrytwo", commands, has_touch=True)
    fingers = Fingers(ann)
    fingers.put(1, card(ann, "3C"))
    fingers.move(1, ELSEWHERE)
    ann.page.wait_for_selector(".hand.dragging")
    at = ann.page.locator(".hand button.carried").bounding_box()
    x, y = pile(ann)
    fingers.put(2, (x, y))
    fingers.move(2, (x + 9, y + 9))
    fingers.lift(2)
    fingers.put(2, card(ann, "KD"))
    fingers.move(2, (x, y))
    fingers.lift(2)
    is_still_so(ann)
    assert ann.has(".hand button.carried[data-card='3C']")
    assert ann.page.locator(".hand button.carried").bounding_box() == at
    assert commands == []
    fingers.move(1, (x, y))
    fingers.lift(1)
    ann.page.locator(f"{PILE} .top-card [data-card='3C']").wait_for()
    assert commands == [{"type": "discard", "card": "3C"}]


def test_a_touch_that_the_system_takes_away_plays_nothing(
    comes: Comes, server: Served, commands: list[object]
) -> None:
    """As when a call comes in; the card lies where it was."""
    ann = at_her_turn(comes, server, "carrycancel", commands, has_touch=True)
    before = ann.shown()["hand"], card(ann, "3C")
    fingers = Fingers(ann)
    fingers.put(1, before[1])
    fingers.move(1, pile(ann))
    ann.page.wait_for_selector(".hand.dragging")
    fingers.lose_all()
    is_put_down(ann)
    ann.page.keyboard.press("Escape")
    is_still_so(ann)
    assert commands == []
    assert (ann.shown()["hand"], card(ann, "3C")) == before
