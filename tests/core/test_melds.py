"""What a few cards can be: every set and run that they could take, enumerated and never guessed."""

from __future__ import annotations

import pytest
from tests.support.games import installed
from tests.support.positions import meld

from meldlog_contracts import melds
from meldlog_contracts.cards import Card, cards
from meldlog_contracts.melds import Addition, Reading
from meldlog_service.core.ruleset import Ruleset


def rules(**house_rules: bool | int | str | None) -> Ruleset:
    """Crazy Rummy with these house rules."""
    return installed().ruleset_for_new("crazy-rummy", (), dict(house_rules))


def could_be(text: str, wild: str = "9", **house_rules: bool | int | str | None) -> list[str]:
    """What the cards could be, as ``run 5H 6H 7H`` or ``set QC QS QX``."""
    readings = rules(**house_rules).meanings(cards(text), tuple(wild.split()))
    return sorted(f"{reading.kind} {' '.join(reading.reads_as)}" for reading in readings)


def ways(
    lying: str, text: str, wild: str = "9", **house_rules: bool | int | str | None
) -> list[tuple[str, str]]:
    """Below and above: what cards laid off would read as."""
    found = rules(**house_rules).additions(meld(lying), cards(text), tuple(wild.split()))
    return sorted((" ".join(way.low_reads_as), " ".join(way.high_reads_as)) for way in found)


@pytest.mark.parametrize(
    ("text", "wild", "readings"),
    [
        ("8D 8H 8C 8S", "9", ["set 8C 8D 8H 8S"]),
        ("2C 3C 4C", "9", ["run 2C 3C 4C"]),
        ("4C 2C 3C", "9", ["run 2C 3C 4C"]),
        ("7C TC TH", "7", ["set TC TH TX"]),
        ("AH 2H 7S", "7", ["run AH 2H 3H"]),
        ("5H 6H 9C", "9", ["run 4H 5H 6H", "run 5H 6H 7H"]),
        ("QS QH 9S", "9", ["set QH QS QX"]),
        ("JD 3D 3S", "3", ["run 9D TD JD", "run JD QD KD", "run TD JD QD", "set JD JX JX"]),
        ("KC KH JC JD", "J", ["set KC KH KX KX"]),
        ("KC KH JC JD", "7", []),
        ("KC KH JC JD JS", "J", []),
        ("QH KH AH", "9", []),
        ("KH AH 2H", "9", []),
        ("QD QD QH", "9", []),
        ("7S JK", "9", []),
        ("7S 8H 9C", "2", []),
        ("7H 7H 7D JK", "2", []),
    ],
)
def test_cards_could_be_this_and_nothing_else(text: str, wild: str, readings: list[str]) -> None:
    """One pack, ace low, as the rule sheet's own examples have it."""
    assert could_be(text, wild) == readings


def test_house_rules_say_what_a_meld_is() -> None:
    """Ace, identical cards, shortest run, largest set."""
    assert could_be("QH KH AH", ace_in_runs="low_or_high") == ["run QH KH AH"]
    assert could_be("KH AH 2H", ace_in_runs="low_or_high") == []
    assert could_be("KH AH 2H", ace_in_runs="around_corner") == ["run KH AH 2H"]
    assert could_be("QD QD QH", packs=2) == ["set QD QD QH"]
    assert could_be("5C 6C 7C", min_run_length=4) == []
    assert could_be("KC KH JC JD JS", "J", max_set_size=5) == ["set KC KH KX KX KX"]
    assert could_be("5C 6D 7H", runs_any_suit=True) == ["run 5C 6D 7H"]


def test_a_card_of_the_wild_rank_in_its_own_place_is_a_natural() -> None:
    """It is no wild there, though it could stand for another."""
    readings = rules().meanings(cards("9C TC JC"), ("9",))
    assert {(" ".join(reading.reads_as), reading.wilds) for reading in readings} == {
        ("9C TC JC", 0),
        ("TC JC QC", 1),
    }


def test_a_declaration_is_put_in_table_order() -> None:
    """Whatever order it was said in."""
    judged = rules()
    wilds = judged.wild_cards(("9",))
    declared = melds.declared(cards("9C 6H 5H"), cards("7H 6H 5H"), wilds, judged.kind_of)
    assert declared == Reading("run", cards("5H 6H 9C"), cards("5H 6H 7H"))
    kings = tuple(map(Card, ("KX", "KX", "KH")))
    assert melds.declared(cards("9C 9D KH"), kings, wilds, judged.kind_of) == Reading(
        "set", cards("KH 9C 9D"), (Card("KH"), Card("KX"), Card("KX"))
    )


def test_a_wild_of_a_set_stands_for_no_suit() -> None:
    """Whoever says one is understood as naming the rank."""
    judged = rules()
    reading = melds.declared(cards("KH KS 9C"), cards("KH KS KD"), judged.wild_cards(("9",)), judged.kind_of)
    assert reading is not None
    assert reading.reads_as[-1] == "KX"


@pytest.mark.parametrize("own", ["9X 9D 9H", "9C 9D 9H", "9S 9D 9H"])
def test_a_set_of_the_wild_rank_holds_no_wild(own: str) -> None:
    """Each of its cards is a natural there, however it was declared."""
    judged = rules()
    meant = tuple(map(Card, own.split()))
    reading = melds.declared(cards("9C 9D 9H"), meant, judged.wild_cards(("9",)), judged.kind_of)
    assert reading == Reading("set", cards("9C 9D 9H"), cards("9C 9D 9H"))


@pytest.mark.parametrize(
    ("text", "reads_as"),
    [
        ("5H 6H 9C", "5H 7H 6H"),  # a natural stands for itself
        ("5H 6H 9C", "5H 6H 8H"),  # a gap
        ("5H 6H 9C", "5H 6H JK"),  # a joker stands for others and is stood for by none
        ("5H 6H 9C", "5H 6H 7X"),  # a wild of a run has a suit
        ("KH KS 9C", "KH KS QX"),
        ("KH KS 9C", "KH KS"),
        ("5H 6H", "5H 6H"),
    ],
)
def test_a_declaration_that_is_no_meld_is_none(text: str, reads_as: str) -> None:
    """Nothing is put right for the player."""
    judged = rules()
    meant = tuple(map(Card, reads_as.split()))
    assert melds.declared(cards(text), meant, judged.wild_cards(("9",)), judged.kind_of) is None


@pytest.mark.parametrize(
    ("lying", "text", "found"),
    [
        ("5H 6H 9C=7H", "8H", [("", "8H")]),
        ("5H 6H 9C=7H", "4H", [("4H", "")]),
        ("5H 6H 9C=7H", "3H", []),
        ("5H 6H 9C=7H", "7H", []),
        ("9C=4H 5H 6H", "8H", []),
        ("5S 6S 7S 8S", "6S", []),
        ("5S 6S 7S 8S", "9H", [("", "9S"), ("4S", "")]),
        ("5S 6S 7S 8S", "9S", [("", "9S"), ("4S", "")]),
        ("5S 6S 7S 8S", "4S TS", []),
        ("5S 6S 7S 8S", "4S 9D", [("3S 4S", ""), ("4S", "9S")]),
        ("AS 2S 3S", "KS", []),
        ("JS QS KS", "AS", []),
        ("QS QH 9S=QX", "QC", [("", "QC")]),
        ("QS QH 9S=QX", "QH", []),
        ("QS QH QC QD", "9S", []),
        ("QS QH QC", "KC", []),
    ],
)
def test_cards_are_laid_off_where_they_continue_what_lies_there(
    lying: str, text: str, found: list[tuple[str, str]]
) -> None:
    """By what lies there reads as, at the two ends of a run or in a set with room."""
    assert ways(lying, text) == found


def test_a_high_ace_ends_a_run_and_a_low_one_begins_it() -> None:
    """Nothing goes beyond."""
    assert ways("JS QS KS", "AS", ace_in_runs="low_or_high") == [("", "AS")]
    assert ways("QS KS AS", "2S", ace_in_runs="low_or_high") == []
    assert ways("QS KS AS", "2S", ace_in_runs="around_corner") == [("", "2S")]
    assert ways("AS 2S 3S", "KS", ace_in_runs="low_or_high") == []


def test_two_copies_of_a_card_do_not_both_go_on_a_run() -> None:
    """With two packs a run still holds no card twice."""
    assert ways("5S 6S 7S 8S", "9S 9S", wild="2", packs=2) == []
    assert ways("5S 6S 7S 8S", "4S 9S", wild="2", packs=2) == [("4S", "9S")]
    assert could_be("5S 5S 6S 7S", wild="2", packs=2) == []


def test_a_run_has_no_more_cards_than_there_are_ranks() -> None:
    """Also where it may go round."""
    whole = " ".join(f"{rank}S" for rank in "A23456789TJQK")
    assert ways(whole, "9D", ace_in_runs="around_corner") == []


def test_an_addition_reads_in_table_order() -> None:
    """Low cards first."""
    way = Addition(cards("4S"), cards("4S"), cards("9D"), cards("9S"))
    assert (way.cards, way.reads_as) == (cards("4S 9D"), cards("4S 9S"))
