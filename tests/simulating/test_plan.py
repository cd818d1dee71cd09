"""A plan says everything about its games."""

from collections import Counter

from msgspec.structs import replace

from meldlog_service.simulating.plan import Plan

PLAN = Plan("crazy-rummy", ("plain", "patient", "random"), seats=3, games=6, seed="1")


def test_every_strategy_sits_everywhere_equally_often() -> None:
    """After as many games as there are seatings."""
    sat = Counter(
        (seat, name) for game in range(PLAN.seatings) for seat, name in enumerate(PLAN.seating(game))
    )
    assert PLAN.seatings == 3
    assert len(sat) == 9
    assert set(sat.values()) == {1}


def test_strategies_are_repeated_round_the_table() -> None:
    """Two at three seats: who sits twice changes from game to game."""
    plan = replace(PLAN, bots=("plain", "random"))
    assert plan.seating(0) == ("plain", "random", "plain")
    assert plan.seating(1) == ("random", "plain", "random")


def test_partners_stay_together_when_everybody_moves_a_seat_on() -> None:
    """Two against two, opposite seats being partners."""
    plan = replace(PLAN, bots=("plain", "random"), seats=4)
    for game in range(2):
        seating = plan.seating(game)
        assert seating[0] == seating[2] != seating[1] == seating[3]


def test_nobody_moves_without_rotation() -> None:
    """Every game is seated as the bots were named."""
    plan = replace(PLAN, rotate=False)
    assert {plan.seating(game) for game in range(6)} == {PLAN.bots}
    assert plan.seatings == 1


def test_the_same_seed_deals_the_same_cards_to_whoever_plays() -> None:
    """So that strategies can be compared on them; another seed or number deals others."""
    assert replace(PLAN, bots=("plain",)).game_seed(0) == PLAN.game_seed(0)
    seeds = {PLAN.game_seed(0), PLAN.game_seed(1), replace(PLAN, seed="2").game_seed(0)}
    assert len(seeds) == 3
    assert all(len(bytes.fromhex(seed)) == 32 for seed in seeds)


def test_no_two_different_games_have_one_id() -> None:
    """Whatever differs; how many are played, and when one is given up, makes no other game."""
    others = [
        replace(PLAN, seed="2"),
        replace(PLAN, bots=("plain",)),
        replace(PLAN, seats=4),
        replace(PLAN, house_rules={"deal_count": 1}),
        replace(PLAN, options=("press",)),
        replace(PLAN, variant="beanie"),
        replace(PLAN, duplicate=True),
    ]
    ids = {PLAN.game_id(0), PLAN.game_id(1), *(other.game_id(0) for other in others)}
    assert len(ids) == 9
    assert all(len(game_id) == 20 and game_id.isalnum() and game_id.islower() for game_id in ids)
    assert replace(PLAN, games=9, most_commands=10).game_id(1) == PLAN.game_id(1)


def test_duplicates_deal_one_shuffle_to_every_seating() -> None:
    """So every strategy plays every hand of it; the next games are dealt from the next shuffle."""
    plan = replace(PLAN, duplicate=True)
    assert plan.observed_together == 3
    assert len({plan.game_seed(game) for game in range(3)}) == 1
    assert plan.game_seed(3) == PLAN.game_seed(1) != plan.game_seed(2)
    assert len({plan.seating(game) for game in range(3)}) == 3


def test_there_are_no_duplicates_where_nobody_moves() -> None:
    """Equals, or strategies that stay where they are, would only play the same game again."""
    for plan in (replace(PLAN, bots=("plain",)), replace(PLAN, rotate=False)):
        assert replace(plan, duplicate=True).observed_together == 1
        assert replace(plan, duplicate=True).game_seed(1) == plan.game_seed(1)
