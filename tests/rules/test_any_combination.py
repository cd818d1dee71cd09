"""Every variant by any house rules and options together: refused with a reason, or played without getting stuck.

The values are read off the declarations, so a house rule added tomorrow is combined with all others the same day.
"""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace
from tests.properties.strategies import choices
from tests.support.games import installed

from meldlog_contracts.commands import (
    Batch,
    Command,
    CreateGame,
    LayMeld,
    LayOff,
    Reclaim,
    StartGame,
    TakeSeat,
)
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import HouseValue, Table
from meldlog_service.core.context import Context
from meldlog_service.core.decide import decide
from meldlog_service.core.moves import moves
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.core.views import conceal

VARIANTS = [info.name for info in installed().infos() if info.kind == "variant"]
OPTIONS = [info.name for info in installed().infos() if info.kind == "option"]
GAMES = 4
"""Games that are played of each variant in each test; those that are refused do not count."""
MOVES = 80


def combination(variant: str, chance: random.Random) -> tuple[dict[str, HouseValue], tuple[str, ...], int]:
    """House rules, options and seats."""
    changed = chance.choice((0.05, 0.15, 0.4))
    house = {
        name: chance.choice(values)
        for name, values in sorted(choices(variant).items())
        if chance.random() < changed
    }
    wild = variant not in ("basic-rummy", "rami-simple", "rami-51", "rami-71")
    options = tuple(chance.sample(OPTIONS, chance.choice((0, 0, 1, 2)))) if wild else ()
    least, most = installed().newest(variant).info.players
    return house, options, chance.randint(least, most)


def created(
    variant: str, house: dict[str, HouseValue], options: tuple[str, ...], seats: int, context: Context
) -> tuple[Ruleset, Table] | Refused:
    """The game's rules and its table, or why there is no such game."""
    try:
        rules = installed().ruleset_for_new(variant, options, house)
        create = CreateGame("any", variant, seats, "", dict(house), options)
        return rules, decide(create, "host", Table(), rules, context).table
    except Refused as refused:
        return refused


def play_some(variant: str, chance: random.Random) -> bool:
    """Play a game for a while; False when its house rules make no game, which is said with a pointer."""
    house, options, seats = combination(variant, chance)
    context = Context(0, f"{chance.getrandbits(256):064x}")
    begun = created(variant, house, options, seats, context)
    if isinstance(begun, Refused):
        assert begun.code == "invalid"
        assert begun.faults
        assert all(fault.pointer.startswith("/") and fault.detail for fault in begun.faults)
        return False
    rules, table = begun

    def do(command: Command, by: str) -> None:
        nonlocal table
        decided = decide(command, by, table, rules, context).table
        table = replace(decided, version=table.version + 1)

    for seat in range(seats):
        do(TakeSeat(seat, f"player {seat}"), f"seat:{seat}")
    do(StartGame(), "host")
    for _ in range(MOVES):
        if table.status != "playing":
            break
        seat = table.deal.turn.seat
        listed = moves(conceal(table, seat), seat, rules).moves
        assert listed, f"seat {seat} is stuck by {house} and {options}"
        played = [move for move in listed if isinstance(move, LayMeld | LayOff | Reclaim | Batch)]
        do(chance.choice(played if played and chance.randrange(3) else listed), f"seat:{seat}")
    return True


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("variant", VARIANTS)
def test_whatever_is_combined_is_refused_with_a_reason_or_can_be_played(variant: str, seed: int) -> None:
    """A listed move is accepted, nobody is stuck, and no rule stumbles over another."""
    chance = random.Random(f"{variant} {seed}")
    played = 0
    for _ in range(200):
        played += play_some(variant, chance)
        if played == GAMES:
            return
    raise AssertionError("hardly any combination makes a game")
