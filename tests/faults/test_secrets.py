"""Secrets: what a player must not know is not in the bytes that player gets, in any deal; what is public is."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from tests.faults.index import keeps
from tests.support.games import Game, any_move
from tests.support.positions import position

from meldlog_contracts.cards import Card, cards
from meldlog_contracts.commands import Discard, Draw, LayMeld, LayOff
from meldlog_contracts.events import CardDrawn, DealStarted, DiscardsTaken
from meldlog_contracts.sealed import Sealed
from meldlog_contracts.table import HouseValue, Table
from meldlog_service.core import chain
from meldlog_service.core.evolve import apply
from meldlog_service.core.views import SPECTATOR, redact, redact_event, view


def secrets(node: Any) -> Iterator[dict[str, Any]]:
    """Every sealed value in a message."""
    if isinstance(node, dict):
        if "seal" in node:
            yield node
        for value in node.values():
            yield from secrets(value)
    elif isinstance(node, list):
        for value in node:
            yield from secrets(value)


@pytest.fixture(scope="module")
def game() -> Game:
    """Four deals between three people, the stock renewed now and then."""
    house: dict[str, HouseValue] = {"deal_count": 4, "stock_exhaustion": "reshuffle_keep_top"}
    return Game(house_rules=house).started().play_out(any_move(random.Random(5)))


@keeps(83)
@pytest.mark.parametrize("claimed", [0, 2])
def test_nobody_acts_for_another_by_saying_so(claimed: int) -> None:
    """The actor is who sent it; the named seat's cards stay where they are."""
    here = position("7H 8H", "AC 2C", "JD QD", turn=1)
    no = here.refusal(Discard(here.table.hand(claimed)[0], seat=claimed), "seat:1")
    assert no.code == "not_your_seat"
    assert here.table.hand(claimed)[0] not in no.detail


@keeps(84)
def test_what_a_player_declares_is_checked() -> None:
    """A natural that is called another card, a gap that is called none, a set that is called a run."""
    here = position("5H 6H 8H 9C KC KD 2S", "AC")
    for text, claimed in (
        ("5H 6H 8H", "5H 6H 7H"),
        ("5H 6H 9C", "5H 6H 8H"),
        ("KC KD 9C", "KC KD AC"),
        ("KC KD 2S", "KC KD KS"),
    ):
        no = here.refusal(LayMeld(cards(text), cards(claimed)))
        assert (no.code, no.rule) == ("illegal_move", "meld.shape")
    here = position("5H KD", "AC", melds=["0: 6H 7H 8H"])
    assert here.refusal(LayOff(1, cards("KD"), cards("9H"))).rule == "layoff.fits"


@keeps(85, 86)
@pytest.mark.parametrize("viewer", [0, 1, 2, SPECTATOR])
def test_no_message_carries_what_its_reader_may_not_know(game: Game, viewer: Any) -> None:
    """Every commit of every deal as it is sent: a hand of one's own, one's own draws, and nothing else is open."""
    dealt = 0
    for commit in game.commits:
        sent = json.loads(chain.canonical(redact(commit, viewer)))
        for event in sent["events"]:
            own: list[dict[str, Any]] = []
            if event["type"] == "deal_started":
                dealt += 1
                own = [event["hands"][viewer]] if viewer != SPECTATOR else []
            elif event["type"] == "card_drawn" and event["seat"] == viewer:
                own = [event["card"]]
            for secret in secrets(event):
                assert ("value" in secret) == ("salt" in secret) == any(secret is one for one in own)
    assert dealt == 4


@keeps(85, 86)
@pytest.mark.parametrize("viewer", [0, 1, 2, SPECTATOR])
def test_no_view_carries_what_its_reader_may_not_know(game: Game, viewer: Any) -> None:
    """At every version until the end, the only hand in it is one's own."""
    for table in game.tables[5:-1]:
        shown = json.loads(msgspec.json.encode(view(table, viewer)))
        assert [seat["seat"] for seat in shown["seats"] if "hand" in seat] == (
            [viewer] if viewer != SPECTATOR else []
        )
        text = json.dumps(shown)
        assert game.game_seed not in text
        assert '"stock":' not in text


@keeps(87)
def test_the_last_action_is_redacted_too() -> None:
    """The stock's card is seen by who drew it, the pile's by all."""
    here = position("7H 8H", "AC", "JD", stock="6C KS", pile="JS", phase="draw")
    (drawn,) = here.events(Draw("stock"))
    assert redact_event(drawn, 0) == CardDrawn(0, Sealed(1, value=Card("6C")))
    for other in (1, 2, SPECTATOR):
        assert redact_event(drawn, other) == CardDrawn(0, Sealed(1))
    (taken,) = here.events(Draw("discard"))
    for anybody in (0, 1, 2, SPECTATOR):
        assert redact_event(taken, anybody) == DiscardsTaken(0, cards("JS"))


@keeps(87)
def test_a_refusal_names_no_card_that_its_reader_cannot_see() -> None:
    """Whatever is asked for, the stock and the other hands are not in the answer."""
    here = position("7H 8H", "AC KC", "JD", stock="6C KS", pile="JS", phase="draw")
    hidden = {"AC", "KC", "JD", "6C", "KS"}
    for command in (Draw("discard", 2), Draw("stock", 2), Discard(Card("7H")), LayMeld(cards("7H 8H 9H"))):
        detail = here.refusal(command).detail
        assert not any(card in detail for card in hidden)


@keeps(89)
def test_a_client_needs_no_rules_to_follow_a_game(game: Game) -> None:
    """The table of a seat is the fold of the events it was sent, each stating what happened and not why."""
    told = Table()
    for commit, live in zip(game.commits, game.tables[1:], strict=True):
        told = apply(told, chain.decode(chain.canonical(redact(commit, 1))))
        assert view(told, 1) == view(live, 1)


@keeps(90)
def test_what_is_public_is_shown() -> None:
    """Melds with their meanings, the pile to its bottom, hand sizes, who has melded, what is wild."""
    here = position("7H 8H", "AC", "JD", melds=["1: QS QH 9S=QX", "1: 9C=4H 5H 6H"], pile="2C 3C")
    shown = view(here.table, 2)
    assert shown.deal is not None
    assert [[card.reads_as for card in meld.cards] for meld in shown.deal.melds] == [
        ["QS", "QH", "QX"],
        ["4H", "5H", "6H"],
    ]
    assert shown.deal.discard_pile == cards("2C 3C")
    assert shown.deal.wild == ("9",)
    assert [(seat.hand_count, seat.has_laid) for seat in shown.seats] == [(2, False), (1, True), (1, False)]


@keeps(75)
def test_a_new_game_knows_nothing_of_the_last() -> None:
    """Nothing is revealed, versions begin at 1, and the same seed tells another game's cards apart by its id alone."""
    first = Game(house_rules={"deal_count": 1}).started().play_out(any_move(random.Random(1)))
    second = Game(game_id="g2").started()
    assert [commit.version for commit in second.commits] == [1, 2, 3, 4, 5]
    shown = view(second.table, SPECTATOR)
    assert all(seat.hand is msgspec.UNSET for seat in shown.seats)
    assert (shown.scores, shown.result) == ((), None)
    assert first.commits[0].prev != second.commits[0].prev


@keeps(78)
def test_no_card_is_dealt_to_two_hands(game: Game) -> None:
    """Hands and stock of every deal are the pack, each card once."""
    for commit in game.commits:
        for event in commit.events:
            if isinstance(event, DealStarted):
                dealt = [card for hand in (*event.hands, event.stock) for card in hand.value or ()]
                assert sorted(dealt) == sorted(game.rules.pack())
