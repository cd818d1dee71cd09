"""Several people at one table, each with a browser of their own."""

from __future__ import annotations

import re

from playwright.sync_api import Page
from tests.http.serving import Served
from tests.web.arranged import Arranged
from tests.web.conftest import Comes
from tests.web.screens import differences
from tests.web.visitors import KeyboardVisitor


def reaches(page: Page, version: int) -> None:
    """Wait until a version is on the screen."""
    page.wait_for_function(
        "version => Number(document.querySelector('main').dataset.version) >= version", arg=version
    )


def test_two_people_play_each_other_and_a_watcher_is_sent_no_hidden_card(
    comes: Comes, server: Served
) -> None:
    """A link is sent, a seat taken; who only watches has no hand in its page and none of its secrets on its wire.

    After every event all three see the service's table.
    """
    ann, ben, eve = comes(), comes("en-GB", KeyboardVisitor), comes()
    page = ann.page
    page.goto(f"{ann.url}/#/play/crazy-rummy")
    page.wait_for_selector(".seats select")
    while page.locator(".seats li").count() > 2:
        page.locator(".seats li button").last.click()
    page.locator(".seats select").last.select_option("person")
    page.click(".new-table button.primary")
    link = page.locator(".invitation input").input_value()
    ben.page.goto(link)
    ben.page.get_by_label("Your name").fill("Benoît")
    ben.choose(".chairs .free button")
    page.get_by_text("Benoît").first.wait_for()
    eve.page.goto(link)
    page.click("[data-offer=start]")
    for _ in range(8):
        first = page.wait_for_function(
            "() => document.querySelector('.player.on-turn')?.dataset.seat"
        ).json_value()
        on_turn = ann if first == "0" else ben
        on_turn.wait_for_turn()
        on_turn.act()
        version = on_turn.shown()["version"]
        for one in (ann, ben, eve):
            reaches(one.page, version)
    with server.client("the-operators-own-token") as client:
        log = client.get(f"/v1/games/{ann.game}/events").json()["items"]
    for visitor, seat in ((ann, 0), (ben, 1), (eve, None)):
        token = None if seat is None else visitor.place()["seatToken"]
        with server.client(token) as client:
            shown = visitor.tables_shown()
            assert differences(shown, client, ann.game, seat) == []
        versions = [screen["version"] for screen in shown]
        assert versions == list(range(versions[0], log[-1]["version"] + 1))
    secrets = set(re.findall(r"'salt': '([0-9a-f]+)'", str(log)))
    assert secrets
    told, watched = ann.heard, eve.heard
    assert any(salt in told for salt in secrets)
    assert '"events"' in watched
    assert not [salt for salt in secrets if salt in watched]
    assert not eve.has(".hand")


def test_the_same_people_play_again(comes: Comes, server: Served) -> None:
    """Who opens the new table need send no link: whoever still looks at the old one is shown the way."""
    game = Arranged(
        server,
        "crazy-rummy",
        "rematch",
        house_rules={"deal_count": 1, "hand_size": 6},
        ann="5C 5D 5H",
        stock="8C",
    )
    ann, ben = comes(), comes()
    for visitor, seat in ((ann, 0), (ben, 1)):
        visitor.sit_at(game.game_id, seat, game.tokens[seat])
    ann.play()
    ben.wait_for_turn()
    ann.choose("dialog [data-offer=rematch]")
    ann.page.locator(".waiting").wait_for()
    assert ann.page.locator(".chairs .free").count() == 1
    join = "dialog [data-offer=join]"
    ben.page.locator(join).wait_for()
    assert "Ann" in ben.page.locator(join).inner_text()
    ben.choose(join)
    ben.page.locator(".waiting").wait_for()
    ben.choose(".chairs .free button")
    ann.page.locator("[data-offer=start]:enabled").wait_for()
    ann.choose("[data-offer=start]")
    for visitor in (ann, ben):
        visitor.page.locator(".status .deal", has_text="Deal 1 of 1").wait_for()
        assert visitor.game != game.game_id
    with server.client() as client:
        again = client.get(f"/v1/games/{ann.game}").json()
    assert again["house_rules"]["hand_size"] == 6
    assert [seat["name"] for seat in again["seats"]] == ["Ann", "Player"]
