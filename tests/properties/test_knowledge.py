"""Who knew what follows from what each viewer was sent, and is true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hypothesis import given
from tests.properties.strategies import examples, played
from tests.support.games import Game

from meldlog_contracts.cards import HIDDEN, Card
from meldlog_contracts.events import Commit, DealStarted
from meldlog_contracts.sealed import cards_of
from meldlog_service.core import chain
from meldlog_service.core.knowledge import Knowledge, learn
from meldlog_service.core.views import SPECTATOR, Viewer, redact


def everybody(game: Game) -> Iterator[Viewer]:
    """Who sees less than everything."""
    yield from range(len(game.table.seats))
    yield SPECTATOR


def cards_in(knowledge: Knowledge) -> Counter[Card]:
    """Every card that is known to be somewhere now."""
    places = (*knowledge.hands, knowledge.stock, knowledge.pile, *knowledge.melds)
    return Counter(card for place in places for card in place if card != HIDDEN)


def pack_of(commit: Commit) -> Counter[Card] | None:
    """The cards that a commit deals, if it does."""
    for event in commit.events:
        if isinstance(event, DealStarted):
            upcard = () if event.upcard is None else (event.upcard,)
            dealt = [cards_of(sealed) for sealed in (*event.hands, event.stock)]
            return Counter(card for cards in (*dealt, upcard) for card in cards)
    return None


@examples(15)
@given(played())
def test_what_a_viewer_knows_follows_from_its_own_log(game: Game) -> None:
    """The operator's log and the bytes that were sent to that viewer tell the same, at every version."""
    for viewer in everybody(game):
        full = told = Knowledge()
        for commit in game.commits:
            full = learn(full, commit, viewer)
            told = learn(told, chain.decode(chain.canonical(redact(commit, viewer))), viewer)
            assert full == told


@examples(15)
@given(played())
def test_nothing_is_known_that_was_not_sent(game: Game) -> None:
    """Every card in it stood open in a commit that this viewer was sent since the deal began."""
    for viewer in everybody(game):
        now, sent = Knowledge(), b""
        for commit in game.commits:
            now = learn(now, commit, viewer)
            line = chain.canonical(redact(commit, viewer))
            sent = line if pack_of(commit) else sent + line
            for card in {*now.seen, *cards_in(now)}:
                assert card.encode() in sent


@examples(15)
@given(played())
def test_what_is_known_is_so(game: Game) -> None:
    """At every version: known cards lie where they are known to lie, and none is seen that the pack has not."""
    for viewer in everybody(game):
        now, pack = Knowledge(), Counter[Card]()
        for commit, table in zip(game.commits, game.tables[1:], strict=True):
            now = learn(now, commit, viewer)
            pack = pack_of(commit) or pack
            deal = table.deal
            if not now.deal:
                continue
            assert now.deal == deal.number
            assert now.pile == deal.discard_pile
            assert [Counter(meld) for meld in now.melds] == [Counter(meld.cards) for meld in deal.melds]
            assert len(now.stock) == len(deal.stock)
            assert all(card in (HIDDEN, lies) for card, lies in zip(now.stock, deal.stock, strict=True))
            for known, held in zip(now.hands, deal.hands, strict=True):
                assert Counter(known) <= Counter(held)
            if isinstance(viewer, int):
                assert Counter(now.hands[viewer]) == Counter(deal.hands[viewer])
            assert Counter(now.seen) <= pack
            assert cards_in(now) <= Counter(now.seen)
