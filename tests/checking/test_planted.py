"""Every promise is tried: a variant that breaks one is caught, by the name of the promise and of the hook."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest
from msgspec import Struct
from msgspec.structs import replace
from tests.checking import planted
from tests.checking.finding import PACE, fault_in
from tests.support.plugins import catalogue_with

from meldlog_service.checking.faults import Invariant
from meldlog_service.checking.options import Cell
from meldlog_service.checking.planning import Wanted, as_it_is, combined, jobs_of
from meldlog_service.checking.players import MIXED
from meldlog_service.checking.running import perform
from meldlog_service.checking.tallies import Tally
from meldlog_service.checking.twins import in_this_process


class Caught(Struct, frozen=True):
    """How a planted fault should be told."""

    plant: Callable[[], ModuleType]
    invariant: Invariant
    hook: str
    words: str
    slowest_ms: float = PACE.slowest_ms


CAUGHT = (
    Caught(planted.reads_the_clock, "purity", "card_points", "read the clock or waited (time.time)"),
    Caught(planted.reads_the_date, "purity", "next_dealer", "read the clock (date.today)"),
    Caught(planted.draws_chance, "purity", "card_points", "drew chance (random.randint)"),
    Caught(planted.asks_the_system, "purity", "card_points", "asked the operating system"),
    Caught(planted.writes_on_the_table, "purity", "deal_over", "changed the table that it was shown"),
    Caught(
        planted.remembers_between_decisions, "purity", "multiplier", "was asked the same twice and answered"
    ),
    Caught(planted.loses_a_card, "conservation", "objections", "missing"),
    Caught(planted.duplicates_a_card, "conservation", "pack", "AS"),
    Caught(planted.deals_what_is_no_card, "conservation", "pack", "the pack holds '1H', which is no card"),
    Caught(planted.scores_what_was_not_dealt, "scores", "score_deal", "the deals add up to"),
    Caught(planted.scores_half_points, "scores", "score_deal", "whole points"),
    Caught(planted.scores_too_few, "hooks", "score_deal", "answered DealScore"),
    Caught(planted.pays_the_bank, "scores", "settlement", "the settlement does not sum to zero"),
    Caught(planted.ranks_at_random, "scores", "ranking", "not those at the head of the ranking"),
    Caught(planted.never_ends, "termination", "is_last_deal", "no end after 300 commands"),
    Caught(planted.leaves_no_move, "termination", "objections", "has no legal move: discard.planted"),
    Caught(
        planted.lists_what_it_refuses, "listed", "objections", "a listed move is refused (discard.planted)"
    ),
    Caught(
        planted.hides_what_it_accepts, "unlisted", "laid_together", "accepted together, but no part of them"
    ),
    Caught(planted.refuses_without_a_word, "unlisted", "objections", "refused without a word"),
    Caught(planted.tells_another_hand, "secrecy", "objections", "which seat"),
    Caught(planted.judges_by_another_hand, "secrecy", "objections", "depends on what seat"),
    Caught(planted.notes_a_hand, "secrecy", "noted", "which not everybody has seen"),
    Caught(
        planted.quotes_no_clause, "sheet", "objections", "discard.nowhere, which is not on this game's sheet"
    ),
    Caught(planted.lacks_a_language, "sheet", "clauses", "discard.planted is not told in fa"),
    Caught(planted.speaks_of_an_unknown_rule, "sheet", "clauses", "cannot be said in en"),
    Caught(planted.has_an_option_without_clause, "sheet", "house_rules", "planted_rule names no clause"),
    Caught(planted.has_an_option_with_a_wrong_clause, "sheet", "house_rules", "which no sheet has"),
    Caught(planted.raises, "hooks", "card_points", "raised KeyError"),
    Caught(planted.raises_at_creation, "hooks", "senseless", "raised KeyError"),
    Caught(planted.deals_more_than_there_is, "hooks", "deal_plan", "sizes=(40, 40)"),
    Caught(planted.is_very_slow, "time", "objections", "allowed", slowest_ms=2.0),
    Caught(planted.notes_what_is_no_json, "replay", "noted", "cannot be read again"),
    Caught(planted.notes_an_object, "replay", "noted", "cannot be written as JSON"),
    Caught(planted.ends_deals_for_no_reason, "replay", "deal_over", "answered 'tea_time'"),
)


@pytest.mark.parametrize("caught", CAUGHT, ids=lambda caught: caught.plant.__name__)
def test_a_planted_fault_is_caught_and_named(caught: Caught) -> None:
    """By the promise that it breaks, the hook that breaks it, and what it did."""
    plugin = caught.plant()
    fault = fault_in(plugin, pace=replace(PACE, slowest_ms=caught.slowest_ms))
    assert fault is not None
    assert (fault.invariant, str(fault.hook)) == (caught.invariant, f"hook {caught.hook} of planted")
    assert caught.words in fault.detail


def test_a_variant_whose_rules_cannot_be_made_is_caught() -> None:
    """It has no hooks to blame yet; what is said is what is missing."""
    fault = fault_in(planted.amends_what_is_not_there())
    assert fault is not None
    assert (fault.invariant, fault.hook) == ("hooks", None)
    assert "KeyError: 'nobody_knows'" in fault.detail


@pytest.mark.parametrize("plant", [planted.raises_at_creation, planted.amends_what_is_not_there])
def test_a_variant_that_cannot_be_asked_is_still_played_to_tell_the_fault(
    plant: Callable[[], ModuleType],
) -> None:
    """Also where combinations were wanted."""
    catalogue = catalogue_with(plant())
    wanted = Wanted("planted", 1, 0, (), MIXED)
    tally = Tally("planted")
    assert as_it_is(wanted, catalogue) == [Cell()]
    [job, *_] = jobs_of(wanted, combined(wanted, 2, catalogue, tally))
    done = perform(job, catalogue, in_this_process(catalogue))
    assert done.fault is not None
    assert done.fault.invariant == "hooks"
