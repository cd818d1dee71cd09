"""Secrets are sealed one by one: what a seal covers, and that nothing opens without one."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

import pytest
from msgspec import UNSET, UnsetType
from msgspec.structs import replace
from tests.support.games import Game

from meldlog_contracts.cards import Card, cards
from meldlog_contracts.events import CardDrawn, Commit, DealStarted, Event, GameCreated, StockRenewed
from meldlog_contracts.sealed import Sealed, cards_of, unsealed_card, unsealed_cards
from meldlog_service.core.chain import BrokenSeal, check_seals, seal_events, seal_of, sealed_fields

GAME_SEED = "00112233445566778899aabbccddeeff" * 2


def salt(version: int, index: int, field: str) -> str:
    """The salt of the log format, with the standard library alone."""
    message = f"salt:{version}:{index}:{field}".encode()
    return hmac.new(bytes.fromhex(GAME_SEED), message, hashlib.sha256).digest()[:16].hex()


def seal(salted: str, value: Any) -> str:
    """The seal of the log format, with the standard library alone."""
    text = json.dumps({"salt": salted, "value": value}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_card_drawn_is_sealed_under_its_version_place_and_field() -> None:
    """Event 1 of version 57: the path of the one secret is ``card``."""
    quiet = CardDrawn(0, unsealed_card(Card("2C")))
    events = seal_events((quiet, CardDrawn(2, unsealed_card(Card("7H")))), 57, GAME_SEED)
    drawn = events[1]
    assert isinstance(drawn, CardDrawn)
    expected = salt(57, 1, "card")
    assert drawn.card == Sealed(1, seal(expected, "7H"), expected, Card("7H"))
    assert drawn.card != events[0].card if isinstance(events[0], CardDrawn) else False


def test_every_hand_and_the_stock_have_salts_of_their_own() -> None:
    """Paths ``hands.0``, ``hands.1`` … and ``stock``; a list of cards is sealed in its order."""
    hands = (cards("7H 8H"), cards("AC JK"))
    stock = cards("2C 3C 4C")
    draft = DealStarted(1, 0, 1, "c", tuple(map(unsealed_cards, hands)), unsealed_cards(stock), None)
    (dealt,) = seal_events((draft,), 9, GAME_SEED)
    assert [path for path, _ in sealed_fields(dealt)] == ["hands.0", "hands.1", "stock"]
    for (path, sealed), value in zip(sealed_fields(dealt), (*hands, stock), strict=True):
        assert sealed.count == len(value)
        assert (sealed.salt, sealed.seal) == (salt(9, 0, path), seal(salt(9, 0, path), list(value)))


def test_the_game_seed_is_sealed_as_text_and_counts_no_card() -> None:
    """Path ``game_seed``; a fork seals its new seed in the same way."""
    game = Game(game_seed=GAME_SEED)
    created = game.commits[0].events[0]
    assert isinstance(created, GameCreated)
    expected = salt(1, 0, "game_seed")
    assert created.game_seed == Sealed(0, seal(expected, GAME_SEED), expected, GAME_SEED)


def test_the_order_of_a_list_is_part_of_what_is_sealed() -> None:
    """The stock's order is the secret."""
    assert seal_of("00", cards("2C 3C")) != seal_of("00", cards("3C 2C"))


def test_a_value_cannot_be_sealed_that_is_not_there() -> None:
    """A closed value can't come out of a decision."""
    with pytest.raises(BrokenSeal, match="no value to seal at card"):
        seal_events((CardDrawn(0, Sealed(1, "ab")),), 3, GAME_SEED)


def test_a_closed_value_keeps_its_count_and_its_seal() -> None:
    """Two members, as the log format says; unseen cards are counted."""
    open_ = Sealed(2, "ab", "cd", cards("7H 8H"))
    assert open_.is_open
    assert open_.closed() == Sealed(2, "ab")
    assert not open_.closed().is_open
    assert cards_of(open_.closed()) == ("??", "??")
    assert cards_of(open_) == ("7H", "8H")
    assert cards_of(Sealed(1, "ab", "cd", Card("7H"))) == ("7H",)


def with_secret(commit: Commit, sealed: Sealed) -> Commit:
    """The commit with another value in place of the first card drawn."""
    events: tuple[Event, ...] = tuple(
        CardDrawn(event.seat, sealed) if isinstance(event, CardDrawn) else event for event in commit.events
    )
    return replace(commit, events=events)


@pytest.fixture(scope="module")
def drawing() -> Commit:
    """A commit in which a card was drawn from the stock."""
    game = Game().started()
    game.do(game.moves().moves[-1])
    return game.do(next(move for move in game.moves().moves if getattr(move, "source", "") == "stock"))


def drawn_in(commit: Commit) -> Sealed:
    """The card drawn in a commit."""
    return next(event.card for event in commit.events if isinstance(event, CardDrawn))


def test_what_was_sealed_opens(drawing: Commit) -> None:
    """The honest commit passes, and so does what a spectator has of it."""
    check_seals(drawing)
    check_seals(with_secret(drawing, drawn_in(drawing).closed()))


FORGED: dict[str, dict[str, Any]] = {
    "another value": {"value": Card("JK")},
    "another salt": {"salt": "00" * 16},
    "another seal": {"seal": "00" * 32},
    "a value without its salt": {"salt": UNSET},
    "a salt without its value": {"value": UNSET},
    "another count": {"count": 2},
    "a list where there was a card": {"value": (Card("JK"),)},
}


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED.keys())
def test_a_forged_secret_does_not_open(drawing: Commit, change: dict[str, Any]) -> None:
    """Whatever was changed, the version and the field are named."""
    forged = with_secret(drawing, replace(drawn_in(drawing), **change))
    with pytest.raises(BrokenSeal, match=rf"version {drawing.version}, event 0: card"):
        check_seals(forged)


def test_a_list_counts_as_many_cards_as_it_holds() -> None:
    """Who sees only the count of a stock must be able to rely on it."""
    draft = StockRenewed(1, False, (), unsealed_cards(cards("2C 3C")), None)
    (renewed,) = seal_events((draft,), 4, GAME_SEED)
    assert isinstance(renewed, StockRenewed)
    assert not isinstance(renewed.stock.value, UnsetType)
    game = Game()
    honest = replace(game.commits[0], events=(renewed,))
    check_seals(honest)
    with pytest.raises(BrokenSeal, match="stock"):
        check_seals(replace(honest, events=(replace(renewed, stock=replace(renewed.stock, count=3)),)))
