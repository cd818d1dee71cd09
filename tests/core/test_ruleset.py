"""One game's rules behind typed questions: what is remembered, what is merged, and what no plugin answered."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.support.games import Game, installed
from tests.support.plugins import catalogue_with, plugin
from tests.support.positions import meld, position

from meldlog_contracts.cards import Card, cards
from meldlog_contracts.problems import Objection
from meldlog_service.core.ruleset import Ruleset, Unanswered, merged_house_rules


def rules(**house_rules: bool | int | str | None) -> Ruleset:
    """Crazy Rummy with these house rules."""
    return installed().ruleset_for_new("crazy-rummy", (), dict(house_rules))


def test_cards_are_wild_by_rank_and_jokers_always() -> None:
    """Every copy of a text is wild or none."""
    assert rules().wild_cards(("9",)) == set(cards("9C 9D 9H 9S JK"))
    assert rules().wild_cards(()) == {"JK"}
    assert rules().wild_cards(("9", "T")) == set(cards("9C 9D 9H 9S TC TD TH TS JK"))


def test_the_windows_are_the_runs_that_the_game_knows() -> None:
    """For every suit and first rank the stretches that are runs, shortest first."""
    windows = rules().run_windows()
    assert len(windows) == 4 * 11
    assert windows[0][0] == cards("AC 2C 3C")
    assert len(windows[0]) == 11
    assert windows[10] == (cards("JC QC KC"),)
    high = rules(ace_in_runs="low_or_high").run_windows()
    assert (cards("QC KC AC"),) in high
    assert sum(map(len, high)) > sum(map(len, windows))


def test_a_limit_of_wilds_or_naturals_is_named() -> None:
    """None where the game has none."""
    assert rules().limits_broken(3, 3) is None
    limited = rules(max_wilds_per_meld=1, min_naturals_per_meld=2)
    assert limited.limits_broken(1, 3) is None
    assert limited.limits_broken(2, 4) == Objection("meld.wild-limit", "a meld holds at most 1 wild card")
    naturals = rules(min_naturals_per_meld=2).limits_broken(2, 3)
    assert naturals is not None
    assert naturals.rule == "meld.natural-limit"


def test_the_limits_hold_for_what_is_laid_off_too() -> None:
    """Counting the wilds that lie there."""
    lying = meld("5H 6H 9C=7H")
    assert rules().additions(lying, cards("9D"), ("9",))
    assert not rules(max_wilds_per_meld=1).additions(lying, cards("9D"), ("9",))
    assert rules(max_wilds_per_meld=1).additions(lying, cards("8H"), ("9",))


def test_a_wild_frees_no_wild() -> None:
    """Though it be the very card."""
    lying = meld("9C 9D=TC JC")
    assert rules().exchanges(lying, Card("TC"), ("9",)) == (1,)
    assert rules().exchanges(meld("8C 9D=9C TC"), Card("9C"), ("9",)) == ()


def test_clauses_belong_to_the_house_rules() -> None:
    """Those in force are on the sheet, in the order of the stack, each once."""
    plain = [clause.id for clause in rules().clauses()]
    assert len(plain) == len(set(plain))
    assert plain.index("run.suit") < plain.index("turn.order") < plain.index("one-card.stock")
    assert "meld.wild-limit" not in plain
    limited = {clause.id: clause for clause in rules(max_wilds_per_meld=2, one_card_rule=False).clauses()}
    assert "one-card.stock" not in limited
    assert "2" in limited["meld.wild-limit"].text("en", rules(max_wilds_per_meld=2).house.flat)


def test_every_clause_is_told_in_every_language_with_its_numbers() -> None:
    """Whatever the house rules are, no sentence keeps a gap."""
    sheet = rules(max_wilds_per_meld=2, no_progress_limit=9, going_out_bonus=15)
    for clause in sheet.clauses():
        for language in ("en", "fr", "fa", "ar"):
            text = clause.text(language, sheet.house.flat)
            assert text
            assert "{" not in text


def test_a_question_that_every_game_needs_answered_names_itself() -> None:
    """A variant that is only an identity cannot be dealt."""
    bare = catalogue_with(plugin("bare")).ruleset_for_new("bare")
    table = Game().started().table
    for ask, hook in (
        (lambda: bare.deal_plan(table, 0), "deal_plan"),
        (lambda: bare.first_dealer(3, lambda _: ()), "first_dealer"),
        (lambda: bare.points(Card("7H"), table), "card_points"),
        (lambda: bare.ranking(table), "ranking"),
        (lambda: bare.stock_empty(table), "stock_empty"),
    ):
        with pytest.raises(Unanswered, match=f"bare answers {hook}"):
            ask()
    with pytest.raises(Unanswered, match="says when the game ends"):
        bare.is_last_deal(replace(table, deals=None))


def test_questions_that_may_stay_open_have_an_answer_of_their_own() -> None:
    """Nothing is wild, nothing is owed, nobody is stopped."""
    bare = catalogue_with(plugin("bare")).ruleset_for_new("bare")
    table = Game().started().table
    assert bare.wild_ranks(1, table) == ()
    assert bare.deal_count() is None
    assert bare.deal_over(table, 0) is None
    assert bare.unsettled(table, 0) is None
    assert bare.multiplier(table) == 1
    assert not bare.after_out(table, 0)
    assert bare.penalty_offer(table) is None


def test_deals_that_are_counted_end_the_game() -> None:
    """With the last of them scored."""
    table = Game(house_rules={"deal_count": 2}).started().table
    assert not rules(deal_count=2).is_last_deal(replace(table, scores=((0, 0, 0),)))
    assert rules(deal_count=2).is_last_deal(replace(table, scores=((0, 0, 0),) * 2))


def test_amendments_are_laid_over_defaults_in_order() -> None:
    """And must be declared by somebody."""
    declared = rules().declarations
    merged = merged_house_rules(declared, [{"packs": 2}, {"packs": 1, "hand_size": 9}], {"hand_size": 8})
    assert (merged["packs"], merged["hand_size"]) == (1, 8)
    with pytest.raises(KeyError, match="colour"):
        merged_house_rules(declared, [{"colour": 1}], {})


def test_two_games_with_other_house_rules_do_not_mix() -> None:
    """Each has a stack of its own, at the same time."""
    low, high = rules(ace_in_runs="low"), rules(ace_in_runs="low_or_high")
    royal = cards("QH KH AH")
    assert (low.kind_of(royal), high.kind_of(royal)) == (None, "run")
    assert (low.kind_of(royal), high.kind_of(royal)) == (None, "run")


def test_shapes_from_outside_do_not_fill_the_memory() -> None:
    """What is remembered has a bound; beyond it the answer is the same."""
    judged = rules()
    for number in range(200):
        assert judged.kind_of((Card("7H"),) * (3 + number % 5)) in (None, "set")
    assert position("7H 8H TC", "AC", wild="K").rules.kind_of(cards("7H 8H 9H")) == "run"
