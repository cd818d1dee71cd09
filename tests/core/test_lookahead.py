"""Looking ahead within a turn for obligations that nobody here foresaw: bounded, and honest about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from tests.support.plugins import catalogue_with, plugin
from tests.support.positions import Position, position

from meldlog_contracts.cards import Card, cards
from meldlog_contracts.commands import Discard, Draw, LayMeld, LayOff
from meldlog_contracts.hooks import Obligation
from meldlog_contracts.problems import Objection, Refused
from meldlog_contracts.table import Table
from meldlog_service.core import lookahead
from meldlog_service.core.moves import moves

FULL_TABLE = (
    "1: AC 2C 3C",
    "1: 5C 6C 7C",
    "1: TC JC QC",
    "1: AD 2D 3D",
    "1: 5D 6D 7D",
    "1: TD JD QD",
    "1: AH 2H 3H",
    "1: 5H 6H 7H",
)


def obliged(here: Position, *obligations: Obligation) -> Position:
    """The same table by rules under which these obligations hold as long as their cards are in the hand."""

    def holds(table: Table, seat: int, rule: Obligation) -> Obligation | None:
        waiting = tuple(card for card in rule.put_down if card in table.hand(seat))
        return replace(rule, put_down=waiting) if waiting or rule.go_out or rule.not_last else None

    hooks = [
        plugin(
            f"oblige-{number}",
            kind="option",
            hooks={"obligations": lambda table, seat, rule=rule: holds(table, seat, rule)},
        )
        for number, rule in enumerate(obligations)
    ]
    names = tuple(f"oblige-{number}" for number in range(len(obligations)))
    return Position(here.table, catalogue_with(*hooks).ruleset_for_new("crazy-rummy", names))


def test_what_must_be_put_down_may_need_several_melds() -> None:
    """Two cards: a run for the one, a set for the other, and a card to discard."""
    here = position("7S 8S TS 4C 4D 4H KD", "2S", wild="K", drawn="KD")
    rule = Obligation("our-house.use", put_down=cards("8S 4C"))
    both = obliged(here, rule)
    assert both.refusal(Discard(Card("TS"))).rule == "our-house.use"
    assert lookahead.objection_after(both.table, 0, both.rules) is None
    alone = obliged(position("7S 8S TC 4C 4D 4H JD", "2S", wild="K", drawn="JD"), rule)
    objection = lookahead.objection_after(alone.table, 0, alone.rules)
    assert objection is not None
    assert objection.detail == "then this turn could not be ended as 8S 4C must be played"


def test_a_card_is_laid_off_only_where_the_rules_let_it() -> None:
    """Before a meld of one's own it is not; a game that asks for none lets it."""
    melds = ["1: 5S 6S 7S"]
    here = position("8S KD", "2S", melds=melds, wild="A", drawn="KD")
    rule = Obligation("our-house.use", put_down=cards("8S"))
    waits = obliged(here, rule)
    assert lookahead.objection_after(waits.table, 0, waits.rules) is not None
    hooks = {"obligations": lambda table, seat: rule if "8S" in table.hand(seat) else None}
    catalogue = catalogue_with(plugin("oblige", kind="option", hooks=hooks))
    free = catalogue.ruleset_for_new("crazy-rummy", ["oblige"], {"layoff_requires_own_meld": False})
    assert lookahead.objection_after(here.table, 0, free) is None


def test_an_objection_of_any_plugin_is_heard() -> None:
    """Another plugin forbids the only meld, so that the obligation could not be met."""
    hooks: dict[str, Callable[..., Any]] = {
        "obligations": lambda table, seat: (
            Obligation("our-house.use", put_down=cards("8S")) if "8S" in table.hand(seat) else None
        ),
        "objections": _no_melds(Objection("our-house.no-melds", "nobody melds")),
    }
    catalogue = catalogue_with(plugin("strange", kind="option", hooks=hooks))
    here = position("7S 8S 9S KD", "2S", wild="A", drawn="KD")
    rules = catalogue.ruleset_for_new("crazy-rummy", ["strange"])
    assert lookahead.objection_after(here.table, 0, rules) is not None


def _no_melds(objection: object) -> Callable[..., Any]:
    def objections(command: LayMeld) -> object:
        return objection

    objections.__annotations__["command"] = LayMeld
    return objections


def many_ways() -> Position:
    """A large hand with wilds, a full table, and an order to go out that cannot be met."""
    here = position(
        "4C 8C 9C 4D 8D 9D 4H 8H 9H KC KD KH 2S 6S JS",
        "3S",
        melds=FULL_TABLE,
        wild="K",
        drawn="JS",
        laid=(0,),
    )
    return obliged(here, Obligation("our-house.out", go_out=True))


def test_a_search_that_takes_too_long_is_given_up_and_says_so() -> None:
    """The command is refused, in words of its own."""
    here = many_ways()
    with pytest.raises(lookahead.Undecided) as undecided:
        lookahead.objection_after(here.table, 0, here.rules)
    assert undecided.value.rule == "our-house.out"
    assert "more than can be looked through" in undecided.value.detail
    assert isinstance(here.refusal(LayOff(1, (Card("4C"),))), Refused)


def test_a_list_in_which_a_move_may_be_missing_for_that_is_marked() -> None:
    """Though it is short."""
    here = many_ways()
    assert moves(here.table, 0, here.rules).truncated


def test_the_bound_is_far_beyond_what_games_need() -> None:
    """Taking a discard that must be melded, with a hand of wilds and melds on the table."""
    here = position(
        "4C 8C 9C 4D 8D KC KD KH 2S 6S", "3S", melds=FULL_TABLE, pile="9S", wild="K", phase="draw", held=10
    )
    rule = Obligation("our-house.use", put_down=cards("9S"))
    asked = obliged(here, rule)
    assert asked.events(Draw("discard", 1))


def test_a_last_card_that_may_not_be_discarded_is_told_by_name() -> None:
    """The way out would leave it alone."""
    here = position("KC 4C", "3S", melds=("0: AC 2C 3C",), wild="K", drawn="4C", held=5)
    rules = obliged(here, Obligation("our-house.last", not_last=cards("KC")))
    refusal = rules.refusal(LayOff(1, (Card("4C"),)))
    assert (refusal.rule, refusal.detail) == (
        "our-house.last",
        "then only KC would be left, which may not be discarded last",
    )
