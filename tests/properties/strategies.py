"""Games for hypothesis: any house rules that a variant declares, any number of seats, random but legal play.

The choices are read off the declarations, so a house rule added tomorrow is played with the same day.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import msgspec.inspect as types
from hypothesis import event, reject, settings
from hypothesis import strategies as st
from msgspec import Struct
from tests.support.games import VARIANT, Game, any_move, busy, installed

from meldlog_contracts.problems import Refused
from meldlog_contracts.table import HouseValue

NUMBERS: dict[str, tuple[int, ...]] = {
    "hand_size": tuple(range(1, 12)),
    "deal_count": (1, 2),
    "max_set_size": (3, 4, 8),
    "no_progress_limit": (1, 3, 12),
}
"""What to try of numbers that have no small bounds of their own."""
FEW = 6
"""How many values of a bounded number are tried, from its least."""
MOST_COMMANDS = 6000
"""More than any deal or two can take, under any house rules."""


def examples(count: int) -> settings:
    """So many examples, and in proportion more or fewer where another profile of hypothesis is loaded."""
    return settings(max_examples=max(1, count * settings().max_examples // 100))


@cache
def choices(variant: str) -> dict[str, tuple[HouseValue, ...]]:
    """Values to try of every house rule that a variant's plugins declare."""
    found: dict[str, tuple[HouseValue, ...]] = {}
    for declaration in installed().ruleset_for_new(variant).declarations:
        found.update(_of(declaration))
    return found


def _of(declaration: type[Struct]) -> dict[str, tuple[HouseValue, ...]]:
    described = types.type_info(declaration)
    assert isinstance(described, types.StructType)
    return {field.name: tuple(_values(field.name, field.type)) for field in described.fields}


def _values(name: str, kind: types.Type) -> list[HouseValue]:
    match kind:
        case types.Metadata(type=inner):
            return _values(name, inner)
        case types.UnionType(types=several):
            return [value for one in several for value in _values(name, one)]
        case types.BoolType():
            return [False, True]
        case types.NoneType():
            return [None]
        case types.LiteralType(values=named):
            return list(named)
        case types.IntType(ge=least, le=most):
            if name in NUMBERS:
                return list(NUMBERS[name])
            assert least is not None, f"say in NUMBERS which values of {name} to try"
            assert most is not None, f"say in NUMBERS which values of {name} to try"
            return list(range(least, min(most, least + FEW) + 1))
        case _:
            raise AssertionError(f"no values are known for {name}: {kind}")


@st.composite
def house_rules(draw: st.DrawFn, variant: str = VARIANT) -> dict[str, HouseValue]:
    """Some house rules changed, the others left alone; the game has a deal or two."""
    every = choices(variant)
    names = draw(st.sets(st.sampled_from(sorted(every)), max_size=12))
    wanted: dict[str, HouseValue] = {name: draw(st.sampled_from(every[name])) for name in sorted(names)}
    if "deal_count" in every:
        wanted["deal_count"] = draw(st.sampled_from(NUMBERS["deal_count"]))
    return wanted


@st.composite
def started(draw: st.DrawFn, variant: str = VARIANT) -> tuple[Game, random.Random]:
    """A game dealt, and the chance to play it by."""
    wanted: dict[str, Any] = draw(house_rules(variant))
    seats = draw(st.integers(2, 6))
    seed = draw(st.integers(0, 2**32 - 1))
    try:
        game = Game(variant, seats=seats, house_rules=wanted, game_seed=f"{seed:064x}")
    except Refused as refused:
        # Too many cards for the pack, or something else that makes no game: that is said with a pointer.
        event(f"refused: {refused.faults[0].pointer}")
        reject()
    return game.started([None, "salt"]), random.Random(seed)


@st.composite
def played(draw: st.DrawFn, variant: str = VARIANT) -> Game:
    """A game played to its end, by any moves or by people who play whatever they can to the table."""
    game, rng = draw(started(variant))
    style = draw(st.sampled_from((any_move, busy)))
    return game.play_out(style(rng), MOST_COMMANDS)
