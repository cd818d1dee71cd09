"""Which games a check plays: of each variant as it is, with everything else alone, or with combinations at random."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from meldlog_contracts.problems import Fault as Pointed
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import HouseValue
from meldlog_service.catalogue import Catalogue
from meldlog_service.checking.examining import Pace
from meldlog_service.checking.faults import Broken
from meldlog_service.checking.options import Cell, Choices, alone, choices, combination
from meldlog_service.checking.setups import Setup
from meldlog_service.checking.tallies import Tally

CHUNK = 4
"""Games that a process is given at a time."""
REDRAWN = 500
"""Combinations that make no game, one after the other, before no further one is looked for."""


class Wanted(Struct, frozen=True):
    """What a check is to do with one variant."""

    variant: str
    games: int
    """Of each cell."""
    seed: int
    """Of the first game; the others follow."""
    seats: tuple[int, ...]
    """Those to choose among; none for all that the variant allows."""
    bots: tuple[str, ...]
    options: tuple[str, ...] = ()
    house_rules: dict[str, HouseValue] = {}
    pace: Pace = Pace()


class Job(Struct, frozen=True):
    """Games of one cell, one for each seed."""

    wanted: Wanted
    cell: Cell
    seeds: range


def jobs_of(wanted: Wanted, cells: Iterable[Cell]) -> Iterator[Job]:
    """The games of some cells, a few at a time; the same seeds in each cell."""
    for cell in cells:
        for first in range(wanted.seed, wanted.seed + wanted.games, CHUNK):
            yield Job(wanted, cell, range(first, min(first + CHUNK, wanted.seed + wanted.games)))


def as_it_is(wanted: Wanted, catalogue: Catalogue) -> list[Cell]:
    """Nothing but what is wanted of every game.

    Raises:
        Refused: when that makes no game.
    """
    refused = no_game(wanted, Cell(), catalogue)
    if refused is not None:
        raise refused
    return [Cell()]


def each_alone(wanted: Wanted, catalogue: Catalogue, tally: Tally) -> list[Cell]:
    """Every option and every value of a house rule alone; what makes no game is counted.

    Raises:
        Broken: when one is refused without saying why and where.
    """
    known = _choices(wanted, catalogue)
    if known is None:
        return [Cell()]
    found = []
    for cell in alone(known):
        refused = no_game(wanted, cell, catalogue)
        if refused is None:
            found.append(cell)
        else:
            count_senseless(refused, tally)
    return found


def shared(plans: Sequence[tuple[Wanted, list[Cell]]]) -> list[tuple[Wanted, list[Cell]]]:
    """Share out the games with an option or a house rule alone among its values and the variants that know it.

    Each has at least one, and no two have the same seeds, so that the cards differ as well.
    """
    sharing = Counter(cell.about for _, cells in plans for cell in cells)
    begun: Counter[str] = Counter()
    found = []
    for wanted, cells in plans:
        for cell in cells:
            place = begun[cell.about]
            begun[cell.about] += 1
            games, left = divmod(wanted.games, sharing[cell.about])
            own = max(games + (place < left), 1)
            first = wanted.seed + place * games + min(place, left)
            found.append((replace(wanted, games=own, seed=first), [cell]))
    return found


def combined(wanted: Wanted, count: int, catalogue: Catalogue, tally: Tally) -> list[Cell]:
    """Combinations at random that make a game; those that make none are counted, and others drawn.

    Raises:
        Broken: when one is refused without saying why and where.
    """
    rng = random.Random(f"{wanted.variant} {wanted.seed}")
    known = _choices(wanted, catalogue)
    if known is None:
        return [Cell()]
    found: list[Cell] = []
    in_vain = 0
    while len(found) < count and in_vain < REDRAWN:
        cell = combination(known, rng)
        refused = no_game(wanted, cell, catalogue)
        if refused is None:
            found.append(cell)
            in_vain = 0
        else:
            in_vain += 1
            count_senseless(refused, tally)
    return found


def _choices(wanted: Wanted, catalogue: Catalogue) -> Choices | None:
    """What the variant can be played with; None where a plugin fails: the first game tells of that."""
    try:
        return choices(catalogue, wanted.variant)
    except Exception:
        return None


def no_game(wanted: Wanted, cell: Cell, catalogue: Catalogue) -> Refused | None:
    """Why no number of seats makes a game of a cell; None where one does."""
    least, most = catalogue.newest(wanted.variant).info.players
    detail = f"{wanted.variant} is played by {least} to {most}"
    refused: Refused | None = Refused("invalid", detail, faults=(Pointed("/seats", detail),))
    for seats in seats_of(wanted, catalogue):
        refused = refusal(setup_of(wanted, cell, wanted.seed, seats, random.Random(0)), catalogue)
        if refused is None:
            return None
    return refused


def count_senseless(refused: Refused, tally: Tally) -> None:
    """Count a combination that makes no game.

    Raises:
        Broken: ``unlisted``, when it was refused without saying what and where.
    """
    check_told(refused)
    reason = f"{refused.faults[0].pointer}: {refused.faults[0].detail}"
    tally.senseless[reason] = tally.senseless.get(reason, 0) + 1


def check_told(refused: Refused) -> None:
    """Look whether the refusal of a game says what is wrong and where.

    Raises:
        Broken: ``unlisted``.
    """
    if not refused.faults or not all(fault.pointer and fault.detail for fault in refused.faults):
        raise Broken("unlisted", f"a game is refused without saying what and where: {refused.detail}")


def seats_of(wanted: Wanted, catalogue: Catalogue) -> list[int]:
    """Numbers of seats to choose among."""
    least, most = catalogue.newest(wanted.variant).info.players
    allowed = range(least, most + 1)
    return [seats for seats in wanted.seats or allowed if seats in allowed]


def setup_of(wanted: Wanted, cell: Cell, seed: int, seats: int, rng: random.Random) -> Setup:
    """One game of a cell."""
    return Setup(
        wanted.variant,
        seats,
        seed,
        tuple(rng.choice(wanted.bots) for _ in range(seats)),
        tuple(dict.fromkeys((*wanted.options, *cell.options))),
        {**wanted.house_rules, **cell.house_rules},
    )


def refusal(setup: Setup, catalogue: Catalogue) -> Refused | None:
    """How the creation of a game is refused; None where it is not, and where a plugin fails: playing tells of that."""
    try:
        rules = catalogue.ruleset_for_new(setup.variant, setup.options, setup.house_rules)
        faults = rules.senseless(setup.seats)
    except Refused as refused:
        return refused
    except Exception:
        return None
    return Refused("invalid", faults[0].detail, faults=faults) if faults else None
