"""Cases from other people's rummy games, put to our judge: 126 of 314.

``cases.json`` holds those that Crazy Rummy's house rules can express: what cards could be (78 "meld", 21 "run_wild"),
lay-offs (9), exchanges (9) and scores (9). Each runs through what a game asks its rules: `Ruleset.meanings`,
`additions`, `exchanges`, `points`, `ranking`.

Left out, because no house rule here says such things: 53 on finding the melds hidden in a hand; 29 on gin's knock,
its defence, results and bonuses; 15 on canasta, Indian rummy and a winner who takes the sum; 24 on the value of laid
melds; 10 on card values that no option has; 57 on meld rules that no option has (an ace that is high only, a wild rank
that is never natural, sets or runs of one exact length, no more wilds than naturals, no two wilds side by side, ranks
that are never melded, sets that give up no wild).

`DECIDED_OTHERWISE` lists the few that Crazy Rummy decides in another way, with the clause that says so.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from meldlog_contracts import melds
from meldlog_contracts.cards import CARDS, Card
from meldlog_contracts.table import Meld, MeldKind
from meldlog_service.catalogue import Catalogue
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.testing import Play

Case = dict[str, Any]
CASES: list[Case] = json.loads(Path(__file__).with_name("cases.json").read_text(encoding="utf-8"))
DECIDED_OTHERWISE = {
    "m010": "card.held",
    "w024": "reclaim.run",
}
"""Our judge is asked about cards that there are (a hand holds no other); and any wild is freed, not jokers alone."""
ACES = {"low": "low", "high_or_low": "low_or_high", "around": "around_corner"}
SET_EXCHANGES = {"exact": "by_packs", "either_missing": "any_missing_suit", "any_same_rank": "any_same_rank"}


def of_kind(kind: str, mode: str | None = None) -> list[Any]:
    """The cases of a kind, by their ids."""
    return [
        pytest.param(case, id=case["id"])
        for case in CASES
        if case["kind"] == kind and (mode is None or case["mode"] == mode)
    ]


def house_rules(case: Case) -> dict[str, Any]:
    """The case's rules as house rules of Crazy Rummy."""
    rules = case["rules"]
    house: dict[str, Any] = {
        "packs": rules["decks"],
        "printed_jokers": min(rules["jokers"], 4),
        "ace_in_runs": ACES.get(rules["ace"], "low"),
        "min_run_length": rules["min_run"],
        "max_set_size": rules["max_set"],
        "set_identical_cards": not rules["distinct_suits"],
        "max_wilds_per_meld": rules.get("max_wilds"),
        "min_naturals_per_meld": rules.get("min_naturals", 0),
        "set_reclaim": SET_EXCHANGES[case.get("swap_rules", {"sets": "exact"})["sets"]],
    }
    values = rules.get("points")
    if case["kind"] == "score" and values:
        wild = rules["wild_rank"]
        house["ace_value"] = values.get("A", 1)
        house["court_values"] = "ten" if values["K"] == 10 else "11_12_13"
        house["joker_penalty"] = values.get("JK", 50)
        house["wild_penalty"] = values.get("wild", int(wild) if wild else 25)
    return house


@pytest.fixture
def rules(meldlog_catalogue: Catalogue, request: pytest.FixtureRequest) -> Ruleset:
    """Crazy Rummy with the house rules of the case at hand."""
    return meldlog_catalogue.ruleset_for_new(
        "crazy-rummy", (), house_rules(request.node.callspec.params["case"])
    )


def wild_of(case: Case) -> tuple[str, ...]:
    """What is wild."""
    rank = case["rules"]["wild_rank"]
    return () if rank is None else (rank,)


def cards_of(case: Case) -> tuple[Card, ...]:
    """The cards in question."""
    return tuple(Card(card) for card in case["cards"])


def expected(case: Case, answer: object, ours: object) -> bool:
    """Whether our answer is the expected one, or another where Crazy Rummy says so."""
    return (answer == ours) is (case["id"] not in DECIDED_OTHERWISE)


@pytest.mark.parametrize("case", of_kind("meld"))
def test_what_is_a_meld(case: Case, rules: Ruleset) -> None:
    """A set, a run, either or neither; pure where no wild stands for another card."""
    found = rules.meanings(cards_of(case), wild_of(case), ordered=case.get("ordered", False))
    kinds = {reading.kind for reading in found if case.get("ask") in (None, reading.kind)}
    if not set(case["cards"]) <= CARDS:
        assert case["id"] in DECIDED_OTHERWISE  # no such card: it is in no hand
        return
    assert expected(case, case["expect"]["kinds"], sorted(kinds))
    if "pure" in case["expect"]:
        assert any(reading.wilds == 0 for reading in found) is case["expect"]["pure"]


@pytest.mark.parametrize("case", of_kind("run_wild"))
def test_what_a_wild_stands_for_in_a_run(case: Case, rules: Ruleset) -> None:
    """All stretches that the cards could be, or whether a declaration holds."""
    lying, wild = cards_of(case), wild_of(case)
    if "declared" in case:
        said = tuple(Card(card) for card in case["declared"])
        reading = melds.declared(lying, said, rules.wild_cards(wild), rules.kind_of)
        assert expected(case, case["expect"]["valid"], reading is not None)
        return
    runs = [reading for reading in rules.meanings(lying, wild) if reading.kind == "run"]
    stretches = sorted(f"{reading.reads_as[0]}-{reading.reads_as[-1]}" for reading in runs)
    assert expected(case, sorted(case["expect"]["readings"]), stretches)
    assert case["expect"]["ambiguous"] is (len(stretches) > 1)
    if "pure" in case["expect"]:
        assert all(reading.wilds == 0 for reading in runs) is case["expect"]["pure"]


def on_table(lying: list[str], reads_as: list[str], wilds: frozenset[Card]) -> Meld:
    """A meld that lies on the table; a set's wild has no suit."""
    kind: MeldKind = "set" if len({card[0] for card in reads_as}) == 1 else "run"
    cards = tuple(Card(card) for card in lying)
    meanings = tuple(
        melds.any_of(meaning[0]) if kind == "set" and card != meaning and card in wilds else Card(meaning)
        for card, meaning in zip(cards, reads_as, strict=True)
    )
    return Meld(1, kind, 0, cards, meanings, (0,) * len(cards), len(cards))


@pytest.mark.parametrize("case", of_kind("layoff"))
def test_what_may_be_laid_off(case: Case, rules: Ruleset) -> None:
    """Step by step, at the end that is named and for the card that is said."""
    wild = wild_of(case)
    meld = on_table(case["meld"], case["meld"], rules.wild_cards(wild))
    fits = True
    for step in case["steps"]:
        ways = [
            way
            for way in rules.additions(meld, (Card(step["card"]),), wild)
            if way.reads_as == (step.get("as", way.reads_as[0]),)
            and (step.get("side") is None or bool(way.low) is (step["side"] == "low"))
        ]
        if not ways:
            fits = False
            break
        (way,) = ways
        meld = on_table(
            [*way.low, *meld.cards, *way.high],
            [*way.low_reads_as, *meld.reads_as, *way.high_reads_as],
            rules.wild_cards(wild),
        )
    assert expected(case, case["expect"]["valid"], fits)
    if fits:
        assert list(meld.reads_as) == case["expect"]["meld_after"]


@pytest.mark.parametrize("case", of_kind("swap"))
def test_what_frees_a_wild(case: Case, rules: Ruleset) -> None:
    """The card given, and the place it takes."""
    wild = wild_of(case)
    meld = on_table(case["cards"], case["declared"], rules.wild_cards(wild))
    places = [
        place
        for place in rules.exchanges(meld, Card(case["give"]), wild)
        if case.get("index") in (None, place)
    ]
    assert expected(case, case["expect"]["valid"], bool(places))
    if places and case["expect"]["valid"]:
        after = list(case["cards"])
        after[places[0]] = case["give"]
        assert (after, case["cards"][places[0]]) == (case["expect"]["meld_after"], case["expect"]["freed"])


@pytest.mark.parametrize("case", of_kind("score", "hand_points"))
def test_what_a_hand_counts(case: Case, play: Play) -> None:
    """Every card of it."""
    assert points(case, case["cards"], play) == case["expect"]["points"]


@pytest.mark.parametrize("case", of_kind("score", "racks"))
def test_what_all_hands_count(case: Case, play: Play) -> None:
    """There penalties are written as negative points."""
    assert [-points(case, rack, play) for rack in case["racks"]] == case["expect"]["scores"]


def points(case: Case, hand: list[str], play: Play) -> int:
    """What a hand counts while the case's rank is wild."""
    game = play("crazy-rummy", **house_rules(case)).given_deal()
    table = replace(game.table, deal=replace(game.table.deal, wild=wild_of(case)))
    return sum(game.rules.points(Card(card), table) for card in hand)


@pytest.mark.parametrize("case", of_kind("score", "lowest_wins"))
def test_who_wins(case: Case, play: Play) -> None:
    """The lowest total, or all who share it."""
    game = play("crazy-rummy", seats=len(case["totals"])).given_deal(13, totals=case["totals"])
    assert list(game.rules.ranking(game.table).winners) == case["expect"]["winners"]


def test_every_case_is_of_a_kind_that_is_tested() -> None:
    """None is skipped in silence."""
    assert len(CASES) == 126
    tested = [
        *of_kind("meld"),
        *of_kind("run_wild"),
        *of_kind("layoff"),
        *of_kind("swap"),
        *of_kind("score", "hand_points"),
        *of_kind("score", "racks"),
        *of_kind("score", "lowest_wins"),
    ]
    assert len(tested) == len(CASES)
    assert set(DECIDED_OTHERWISE) <= {case["id"] for case in CASES}
