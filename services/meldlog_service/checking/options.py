"""What can be played otherwise: the options that are installed, and sensible values of every house rule.

The values are read off the declarations, so a house rule that is added is tried the same day.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec
import msgspec.inspect as types
from msgspec import Struct

from meldlog_contracts.problems import Refused
from meldlog_contracts.table import HouseValue
from meldlog_service.catalogue import Catalogue

_FEW = 12
"""Up to this many values of a number are all tried."""
_MOST_AT_ONCE = 6
"""House rules changed in one combination, at most."""


class Cell(Struct, frozen=True, omit_defaults=True):
    """Options and house rules of some games."""

    options: tuple[str, ...] = ()
    house_rules: dict[str, HouseValue] = {}

    @property
    def about(self) -> str:
        """The option, or the house rule, that stands alone in it; empty for a game as it is."""
        return next(iter((*self.options, *self.house_rules)), "")


class Choices(Struct, frozen=True):
    """What a variant can be played with."""

    options: tuple[str, ...]
    values: dict[str, tuple[HouseValue, ...]]
    """By house rule: values other than the variant's own."""
    untried: tuple[str, ...]
    """House rules of a type that values cannot be read off."""


def choices(catalogue: Catalogue, variant: str) -> Choices:
    """What a variant can be played with: the installed options, and all house rules that they or it declare.

    Raises:
        Refused: when there is no such variant.
    """
    rules = catalogue.ruleset_for_new(variant)
    declarations = dict.fromkeys(rules.declarations)
    options = []
    for info in catalogue.infos():
        if info.kind == "option" and _goes_with(catalogue, variant, info.name):
            options.append(info.name)
            declarations.update(dict.fromkeys(catalogue.newest(info.name).declarations))
    values: dict[str, tuple[HouseValue, ...]] = {}
    untried: list[str] = []
    for declaration in declarations:
        defaults = msgspec.to_builtins(declaration())
        described = types.type_info(declaration)
        assert isinstance(described, types.StructType)
        for field in described.fields:
            own = rules.house.flat.get(field.name, defaults[field.name])
            found = {msgspec.json.encode(value): value for value in _values(field.type, own)}
            found.pop(msgspec.json.encode(own), None)
            if found:
                values[field.name] = tuple(found.values())
            else:
                untried.append(field.name)
    return Choices(tuple(options), values, tuple(untried))


def alone(known: Choices) -> list[Cell]:
    """Every option alone, and every sensible value of every house rule alone."""
    return [
        *(Cell((option,)) for option in known.options),
        *(Cell((), {name: value}) for name, values in known.values.items() for value in values),
    ]


def combination(known: Choices, rng: random.Random) -> Cell:
    """Some options and some house rules, at random; whether they make a game is found out by creating one."""
    options = tuple(option for option in known.options if rng.randrange(4) == 0)
    names = sorted(known.values)
    count = rng.randint(1, min(_MOST_AT_ONCE, len(names))) if names else 0
    changed = {name: rng.choice(known.values[name]) for name in sorted(rng.sample(names, count))}
    return Cell(options, changed)


def _goes_with(catalogue: Catalogue, variant: str, option: str) -> bool:
    """Whether a variant's games can have an option at all: it may amend what this variant does not know."""
    try:
        catalogue.ruleset_for_new(variant, (option,))
    except (Refused, KeyError):
        return False
    return True


def _values(kind: types.Type, own: HouseValue) -> Sequence[HouseValue]:
    match kind:
        case types.Metadata(type=inner):
            return _values(inner, own)
        case types.UnionType(types=several):
            return [value for one in several for value in _values(one, own)]
        case types.BoolType():
            return [False, True]
        case types.NoneType():
            return [None]
        case types.LiteralType(values=named):
            return list(named)
        case types.IntType(ge=least, le=most):
            return _numbers(least, most, own)
        case _:
            return []


def _numbers(least: int | None, most: int | None, own: HouseValue) -> Sequence[HouseValue]:
    """All of a few; else the least, and numbers around the variant's own."""
    low = 0 if least is None else least
    if most is not None and most - low < _FEW:
        return list(range(low, most + 1))
    middle = own if isinstance(own, int) and not isinstance(own, bool) else low + 3
    wanted = {low, low + 1, middle - 1, middle + 1, 2 * middle}
    return sorted(one for one in wanted if low <= one and (most is None or one <= most))
