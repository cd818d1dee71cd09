"""What an audit says is about the game: nobody who reads it need know Python."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.support.games import Game, played
from tests.support.plugins import catalogue_with, plugin

from meldlog_contracts.cards import cards
from meldlog_contracts.commands import Discard
from meldlog_contracts.events import CardDiscarded
from meldlog_service.app.audit import audit_log


def test_an_event_that_asks_for_a_card_that_is_not_there_is_told() -> None:
    """The event, the card, the hand."""
    game = played(5, house_rules={"deal_count": 1})
    log = list(game.commits)
    commit = next(one for one in log if isinstance(one.events[0], CardDiscarded))
    first = commit.events[0]
    assert isinstance(first, CardDiscarded)
    hand = game.tables[commit.version - 1].deal.hands[first.seat]
    missing = next(card for card in cards("QC QD QH QS") if card not in hand)
    log[commit.version - 1] = replace(commit, events=(replace(first, card=missing), *commit.events[1:]))
    [fold] = [one for one in audit_log(log, game.catalogue).checks if one.name == "fold"]

    assert (fold.verdict, fold.version) == ("differs", commit.version)
    assert fold.detail == (
        f"the event card_discarded does not fit version {commit.version - 1}: "
        f"it asks for a card that is not in the hand: {missing} is not among {' '.join(hand)}"
    )


@pytest.mark.parametrize("fault", [KeyError("x"), ValueError("list.remove(x): x not in list"), IndexError()])
def test_rules_that_give_up_are_named_without_what_python_says(fault: Exception) -> None:
    """The author finds the place; a reader learns that the command cannot be decided."""
    faults: list[Exception] = []

    def objections(command: Discard) -> None:
        for one in faults:
            raise one

    rule = plugin("moody", hooks={"objections": objections}, kind="option")
    game = Game(
        "crazy-rummy", options=["moody"], house_rules={"deal_count": 1}, catalogue=catalogue_with(rule)
    )
    game.started()
    while not isinstance(game.commits[-1].command, Discard):
        game.do(game.moves().moves[0])
    faults.append(fault)
    [decisions] = [one for one in audit_log(game.commits, game.catalogue).checks if one.name == "decisions"]

    assert (decisions.verdict, decisions.version) == ("differs", game.version)
    words = "the command can't be decided: the rules find no answer to it and give up, in "
    assert decisions.detail == f"{words}{__name__}.objections"
