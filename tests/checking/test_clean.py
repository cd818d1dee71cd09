"""The variants that come with Meldlog keep every promise, as they are and with their house rules changed."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from tests.support.games import installed

from meldlog_service.checking.examining import Pace
from meldlog_service.checking.options import Cell, alone, choices
from meldlog_service.checking.planning import Wanted, combined, each_alone, jobs_of, shared
from meldlog_service.checking.players import MIXED
from meldlog_service.checking.running import perform
from meldlog_service.checking.tallies import Tally
from meldlog_service.checking.twins import in_this_process

VARIANTS = [info.name for info in installed().infos() if info.kind == "variant"]
CLOSE = Pace(every=12)


def wanted(variant: str, games: int) -> Wanted:
    """Some games of a variant."""
    return Wanted(variant, games, seed=100, seats=(), bots=MIXED, pace=CLOSE)


def checked(one: Wanted) -> Tally:
    """What a check counted of games as they are, and of as many with other house rules; no fault is found."""
    catalogue = installed()
    tally = Tally(one.variant)
    for job in jobs_of(one, [Cell(), *combined(one, 1, catalogue, tally)]):
        done = perform(job, catalogue, in_this_process(catalogue))
        assert done.fault is None, done.fault
        tally.add(done.tally)
    return tally


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_keeps_every_promise(variant: str) -> None:
    """In a game with house rules of its own, and in one with others."""
    tally = checked(wanted(variant, games=1))
    assert tally.games == 2
    assert tally.commands > 0
    assert tally.positions > 0
    assert tally.probes > 0
    assert tally.refusals


def test_all_nine_are_there() -> None:
    """None is left out."""
    assert len(VARIANTS) >= 9


def test_the_games_of_an_option_are_shared_by_its_values_and_variants() -> None:
    """So many in all, one at least of each, and no two alike."""
    one = [Cell(("press",)), *(Cell((), {"packs": packs}) for packs in (1, 2, 3))]
    plans = shared(
        [(wanted("a", games=8), one), (wanted("b", games=8), one[1:3]), (wanted("c", games=8), [Cell()])]
    )
    seeds = [
        (cell.about, seed)
        for own, cells in plans
        for cell in cells
        for seed in range(own.seed, own.seed + own.games)
    ]
    assert Counter(about for about, _ in seeds) == {"press": 8, "packs": 8, "": 8}
    assert len(set(seeds)) == len(seeds)
    assert [(own.variant, own.games) for own, cells in plans if cells[0].about == "packs"] == [
        ("a", 2),
        ("a", 2),
        ("a", 2),
        ("b", 1),
        ("b", 1),
    ]
    few = shared([(wanted("a", games=1), one)])
    assert [own.games for own, _ in few] == [1, 1, 1, 1]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_house_rule_has_another_value_to_try(variant: str) -> None:
    """Read off its declaration; and every option of this environment is tried."""
    known = choices(installed(), variant)
    assert known.untried == ()
    assert {"press", "auto-press", "dealer-chooses-wild", "joker-wild"} <= set(known.options)
    own = installed().ruleset_for_new(variant).house.flat
    assert known.values.keys() >= own.keys()
    assert all(value != own.get(name, value) or value is not own.get(name)
               for name, values in known.values.items() for value in values)  # fmt: skip


def test_what_makes_no_game_is_counted_by_its_reason() -> None:
    """And everything else is a game."""
    catalogue = installed()
    one = wanted("crazy-rummy", games=1)
    tally = Tally("crazy-rummy")
    cells = each_alone(one, catalogue, tally)
    assert len(cells) + sum(tally.senseless.values()) == len(alone(choices(catalogue, "crazy-rummy")))
    assert all(reason.startswith("/house_rules/") for reason in tally.senseless)


def test_combinations_are_drawn_until_there_are_as_many_as_were_asked_for() -> None:
    """The same seed draws the same ones."""
    catalogue = installed()
    one = wanted("treize-brasses", games=1)
    drawn = [combined(one, 30, catalogue, Tally(one.variant)) for _ in range(2)]
    assert len(drawn[0]) == 30
    assert drawn[0] == drawn[1]
    assert random.Random(0).sample(drawn[0], 3)


def test_tallies_add_up() -> None:
    """Numbers are summed, records are kept."""
    one, other = checked(wanted("beanie", games=1)), checked(wanted("beanie", games=1))
    games, longest = one.games, one.longest
    one.add(other)
    assert one.games == games + other.games
    assert one.longest == max(longest, other.longest)
    assert sum(one.options.values()) == 2 * sum(other.options.values())
