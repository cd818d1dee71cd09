"""What only some games have, each in its place: press, named wilds, opening points, several discards."""

from __future__ import annotations

import pytest
from tests.http.serving import Served
from tests.web.accessible import looked_at
from tests.web.arranged import OPENS_RAMI_51, Arranged
from tests.web.conftest import Comes
from tests.web.screens import differences
from tests.web.visitors import DISCARD, KeyboardVisitor, Visitor

BOTH = pytest.mark.parametrize("kind", [Visitor, KeyboardVisitor], ids=["by pointer", "by keyboard"])


def at(comes: Comes, game: Arranged, kind: type[Visitor] = Visitor) -> Visitor:
    """Ann at her table."""
    ann = comes(kind=kind)
    ann.sit_at(game.game_id, 0, game.tokens[0])
    ann.wait_for_turn()
    return ann


def agrees(ann: Visitor, server: Served, game: Arranged) -> bool:
    """Whether every table on Ann's screen was the service's."""
    with server.client(game.tokens[0]) as client:
        return differences(ann.tables_shown(), client, game.game_id, 0) == []


@BOTH
def test_melds_are_put_aside_until_they_are_worth_an_opening(
    comes: Comes, server: Served, kind: type[Visitor], request: pytest.FixtureRequest
) -> None:
    """In Rami 51, the page says how many of 51 points lie there, and lays when they are enough."""
    game = Arranged(
        server,
        "rami-51",
        f"rami{kind.__name__}",
        house_rules={"teams": "none"},
        ann=OPENS_RAMI_51,
        stock="3H",
    )
    ann = at(comes, game, kind)
    ann.choose(".actions [data-offer=stock]")
    ann.wait_for_turn()
    ann.pick_cards("8S", "8H", "8D")
    ann.choose(".actions [data-offer=aside]")
    ann.page.locator(".tray .verdict", has_text="24 of 51").wait_for()
    ann.pick_cards("4C", "5C", "6C", "7C")
    ann.choose(".actions [data-offer=aside]")
    ann.page.locator(".tray .verdict", has_text="46 of 51").wait_for()
    assert ann.page.locator(".tray [data-offer=together]").is_disabled()
    looked_at(ann.page, "melds put aside")
    ann.pick_cards("TH", "JH", "QH")
    ann.choose(".actions [data-offer=aside]")
    ann.page.locator(".tray [data-offer=together]:enabled").wait_for()
    ann.choose(".tray [data-offer=together]")
    ann.page.locator(".mine [data-meld]").nth(2).wait_for()
    assert ann.page.locator(".tray").count() == 0
    assert agrees(ann, server, game)


@BOTH
def test_several_discards_are_taken_and_every_card_has_its_owner(
    comes: Comes, server: Served, kind: type[Visitor]
) -> None:
    """In Ace to Ace, where whoever laid a card scores for it, also on somebody else's meld."""
    game = Arranged(
        server,
        "ace-to-ace",
        f"ace{kind.__name__}",
        number=5,
        ann="8D 9C KS 2H",
        bea="3S 4S JD 9H",
        table=["ann: 6S 7S 8S", "bea: TD TH TC"],
        discards="3D QC QD",
        stock="TS",
    )
    ann = at(comes, game, kind)
    ann.choose(".actions [data-offer=take]")
    ann.page.locator("dialog [data-offer=take-count]").nth(2).wait_for()
    looked_at(ann.page, "taking several discards")
    ann.choose("dialog li:nth-child(2) [data-offer=take-count]")
    ann.page.locator(".hand button[data-card=QC]").wait_for()
    assert ann.shown()["top"] == "3D"
    ann.wait_for_turn()
    ann.pick_cards("9C")
    ann.choose(DISCARD)
    ann.page.locator(".others .on-turn").wait_for()
    assert agrees(ann, server, game)


@BOTH
def test_a_reading_is_chosen_and_a_card_is_added_to_anothers_meld(
    comes: Comes, server: Served, kind: type[Visitor]
) -> None:
    """A wild may stand at either end; what was added to a meld of somebody else is told beside it."""
    game = Arranged(
        server,
        "ace-to-ace",
        f"readings{kind.__name__}",
        number=5,
        ann="8D 9D 5C TS KS 2H",
        bea="3S JD 9H",
        table=["bea: TD TH TC"],
        discards="3D QC",
        stock="6H",
    )
    ann = at(comes, game, kind)
    ann.choose(".actions [data-offer=stock]")
    ann.wait_for_turn()
    ann.pick_cards("8D", "9D", "5C")
    ann.choose(".actions [data-offer=lay]")
    ann.page.locator("dialog [data-offer=reading]").nth(1).wait_for()
    looked_at(ann.page, "choosing a reading")
    ann.choose("dialog li:nth-child(2) [data-offer=reading]")
    ann.page.locator(".mine [data-meld] .means").wait_for()
    ann.wait_for_turn()
    ann.pick_cards("TS")
    ann.choose("[data-meld='1'] [data-offer=lay_off]")
    ann.page.locator("[data-meld='1'] .by", has_text="You").wait_for()
    assert agrees(ann, server, game)


@BOTH
def test_a_wild_is_taken_back(comes: Comes, server: Served, kind: type[Visitor]) -> None:
    """For the card that it stands for, in Treize Brasses."""
    game = Arranged(
        server,
        "treize-brasses",
        f"wilds{kind.__name__}",
        number=4,
        ann="7H KD 2S",
        bea="3S JD 9H",
        table=["ann: 5H 6H 4C=7H 8H"],
        stock="6C",
    )
    ann = at(comes, game, kind)
    ann.choose(".actions [data-offer=stock]")
    ann.wait_for_turn()
    ann.pick_cards("7H")
    ann.choose("[data-meld='1'] [data-offer=reclaim]")
    ann.page.locator(".hand button[data-card='4C']").wait_for()
    assert ann.shown()["melds"] == [{"meld": 1, "cards": ["5H", "6H", "7H", "8H"], "means": []}]
    assert agrees(ann, server, game)


@BOTH
def test_a_press_is_offered_to_whoever_is_last(comes: Comes, server: Served, kind: type[Visitor]) -> None:
    """After the deal has been read; taken, the next deal counts twice."""
    game = Arranged(
        server,
        "crazy-rummy",
        f"press{kind.__name__}",
        strategy="plain",
        options=["press"],
        house_rules={"deal_count": 2},
        ann="9S TD KC JH 2D",
        bea="5C 5D 5H",
        stock="8C 7C",
    )
    ann = at(comes, game, kind)
    ann.play(until=lambda: ann.has("dialog[open]"))
    looked_at(ann.page, "end of a deal")
    ann.choose("dialog [data-offer=go-on]")
    ann.page.locator(".actions [data-offer=penalty]").wait_for()
    assert "counts double" in ann.page.locator(".prompt").inner_text()
    looked_at(ann.page, "offer of a press")
    ann.choose(".actions [data-offer=penalty]")
    ann.page.locator(".status .deal", has_text="Deal 2 of 2").wait_for()
    assert agrees(ann, server, game)
    ann.play()
    assert "counts 2 times" in ann.page.locator("dialog .why").inner_text()
    looked_at(ann.page, "end of a game")
    with server.client(game.tokens[0]) as client:
        totals = client.get(f"/v1/games/{game.game_id}").json()["totals"]
    assert ann.page.locator("dialog .ranking li").count() == len(totals)


@BOTH
def test_the_dealer_names_the_wild(comes: Comes, server: Served, kind: type[Visitor]) -> None:
    """In Beanie with that option: all ranks are offered, and the one that is named is seen by all."""
    game = Arranged(
        server,
        "beanie",
        f"beanie{kind.__name__}",
        strategy="plain",
        options=["dealer-chooses-wild"],
        house_rules={"deal_count": 2, "no_meld_first_round": False},
        wild="3",
        first_turn=True,
        ann="5C 5D 5H 9S",
    )
    ann = at(comes, game, kind)
    ann.play(until=lambda: ann.has("dialog[open]"))
    ann.choose("dialog [data-offer=go-on]")
    ann.page.locator(".actions [data-offer=wild]").first.wait_for()
    assert ann.page.locator(".actions [data-offer=wild]").count() == 12
    looked_at(ann.page, "naming the wild")
    ann.choose(".actions [data-offer=wild][data-rank='9']")
    ann.page.locator(".status .wild-rank strong", has_text="9").wait_for()
    assert agrees(ann, server, game)
