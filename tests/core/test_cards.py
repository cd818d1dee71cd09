"""Cards as text: the pack in standard order, and what taking cards away leaves."""

from __future__ import annotations

from collections import Counter

import pytest

from meldlog_contracts.cards import (
    CARDS,
    HIDDEN,
    PLAIN_PACK,
    cards,
    is_joker,
    less,
    pack,
    rank,
    suit,
    without,
)
from meldlog_service.core.context import Context, milliseconds, rfc3339


def test_a_pack_has_every_card_once_in_standard_order() -> None:
    """Suit by suit from clubs to spades, each from the ace to the king."""
    assert len(set(PLAIN_PACK)) == len(PLAIN_PACK) == 52
    assert PLAIN_PACK[:3] == cards("AC 2C 3C")
    assert PLAIN_PACK[12:14] == cards("KC AD")
    assert PLAIN_PACK[-1] == "KS"
    assert Counter(card[0] for card in PLAIN_PACK) == dict.fromkeys("A23456789TJQK", 4)
    assert Counter(card[1] for card in PLAIN_PACK) == dict.fromkeys("CDHS", 13)


@pytest.mark.parametrize(("packs", "jokers"), [(1, 0), (1, 4), (2, 0), (2, 2)])
def test_packs_follow_one_another_and_jokers_come_last(packs: int, jokers: int) -> None:
    """The order that every shuffle begins from."""
    assert pack(packs, jokers) == PLAIN_PACK * packs + cards("JK") * jokers


def test_cards_are_read_as_they_are_written() -> None:
    """A word that is no card is named."""
    assert cards("7H TD JK") == ("7H", "TD", "JK")
    assert cards("") == ()
    assert (rank(cards("TD")[0]), suit(cards("TD")[0])) == ("T", "D")
    assert [is_joker(card) for card in cards("JK JS")] == [True, False]
    for word in ("10H", "7h", "??", "7"):
        with pytest.raises(ValueError, match="is not a card"):
            cards(f"7H {word}")
    assert HIDDEN not in CARDS


def test_taking_cards_takes_each_once() -> None:
    """The others keep their order."""
    assert without(cards("7H 8H 7H"), cards("7H")) == cards("8H 7H")
    with pytest.raises(ValueError, match="7H is not among 7H 8H"):
        without(cards("7H 8H"), cards("7H 7H"))
    with pytest.raises(ValueError, match="no cards"):
        without((), cards("7H"))


def test_an_unseen_card_can_be_any_card() -> None:
    """A seen one is taken first."""
    assert without((HIDDEN, cards("7H")[0]), cards("7H")) == (HIDDEN,)
    assert without((HIDDEN, cards("7H")[0]), cards("8H")) == cards("7H")


def test_what_was_waited_for_is_struck_off_once() -> None:
    """What nobody waited for changes nothing."""
    assert less(cards("7H 7H 8H"), cards("7H 9H")) == cards("7H 8H")
    assert less((), cards("7H")) == ()


def test_times_are_written_to_the_millisecond_in_utc() -> None:
    """And read back."""
    assert rfc3339(1_764_450_000_123) == "2025-11-29T21:00:00.123Z"
    assert milliseconds("2025-11-29T21:00:00.123Z") == 1_764_450_000_123
    assert Context(1_764_450_000_123).deadline(90) == "2025-11-29T21:01:30.123Z"
    assert Context(1_764_450_000_123).deadline(None) is None


@pytest.mark.parametrize("ms", [0, 1, 999, 1000, 253402300799999])
def test_every_moment_survives_being_written(ms: int) -> None:
    """From 1970 to the year 9999."""
    assert milliseconds(rfc3339(ms)) == ms
