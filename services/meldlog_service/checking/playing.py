"""A game from its first command to its last, played by seeded players or read off a log."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import msgspec

from meldlog_contracts.commands import CreateGame, StartGame, TakeSeat
from meldlog_contracts.events import Commit, GameCreated
from meldlog_service.catalogue import Catalogue
from meldlog_service.checking.diagnosing import blamed
from meldlog_service.checking.examining import CLOSELY, Examination, Pace, check_audit
from meldlog_service.checking.faults import Broken, Fault, fault_of
from meldlog_service.checking.players import Players
from meldlog_service.checking.setups import Setup
from meldlog_service.checking.tallies import Tally
from meldlog_service.checking.twins import Judge
from meldlog_service.core import chain

NOT_PLAYED = ""
"""Who plays a game that is read off a log: nobody."""


def play(catalogue: Catalogue, setup: Setup, pace: Pace, judge: Judge, tally: Tally) -> Fault | None:
    """Play a game to its end: the first fault that is found, if one is.

    Raises:
        Refused: when the setup makes no game.
    """
    began = perf_counter()
    one: Examination | None = None
    try:
        one = Examination(catalogue, setup, pace, tally)
        for seat in range(setup.seats):
            one.do(TakeSeat(seat, f"{setup.bots[seat]} {seat}", token_hash=f"{seat:064x}"), f"seat:{seat}")
        one.do(StartGame(), "host")
        players = Players(setup.bots, setup.seed)
        while one.playing:
            seen, listed = one.position()
            move = players.choose(seen, listed.seat, listed.moves, one.game.version)
            one.do(move, f"seat:{listed.seat}")
        one.finish(judge)
    except Broken as broken:
        return _fault(broken, setup, one, catalogue)
    finally:
        tally.seconds += perf_counter() - began
    return None


def again(
    catalogue: Catalogue,
    commits: Sequence[Commit],
    judge: Judge,
    tally: Tally,
    *,
    pace: Pace = CLOSELY,
    lines: Sequence[bytes] = (),
    look_from: int = 0,
    skip_refused: bool = False,
) -> Fault | None:
    """Give the commands of a log once more, and look at every position: the first fault that is found.

    Args:
        catalogue: Where the rules are.
        commits: The log; it may end anywhere.
        judge: Audits it.
        tally: Where it is counted.
        pace: How closely it is looked at.
        lines: The log's bytes as they were stored, to be audited as well.
        look_from: How many commands are given before positions are looked at.
        skip_refused: Whether a command that is not legal is left out; else it is a fault.

    Raises:
        Refused: when its first command makes no game.
        ValueError: when it does not begin with one.
    """
    setup, create, seed = setup_of(commits)
    one: Examination | None = None
    try:
        one = Examination(catalogue, setup, pace, tally, create=create, game_seed=seed)
        for number, commit in enumerate(commits[1:], 1):
            if one.playing and number >= look_from:
                one.position()
            if not skip_refused or one.allows(commit.command, commit.by):
                one.do(commit.command, commit.by)
        if one.playing:
            one.position()
        if lines:
            check_audit(judge(lines))
        one.finish(judge)
    except Broken as broken:
        return _fault(broken, setup, one, catalogue)
    return None


def setup_of(commits: Sequence[Commit]) -> tuple[Setup, CreateGame, str]:
    """What a log's game was made of: setup, first command and seed.

    Raises:
        ValueError: when the log does not begin with the creation of a game, its seed open.
    """
    create = commits[0].command if commits else None
    created = commits[0].events[0] if commits and commits[0].events else None
    if not isinstance(create, CreateGame) or not isinstance(created, GameCreated):
        raise ValueError("the log does not begin with the creation of a game")  # noqa: TRY004
    if not isinstance(created.game_seed.value, str):
        raise ValueError("the log is one that a viewer was sent: it does not hold the game's seed")  # noqa: TRY004
    bots = (NOT_PLAYED,) * create.seats
    setup = Setup(create.variant, create.seats, _seed_of(create), bots, create.options, create.house_rules)
    return setup, create, created.game_seed.value


def read_log(data: bytes) -> tuple[list[Commit], list[bytes]]:
    """Commits and lines of a log in a file.

    Raises:
        ValueError: for a line that is no commit.
    """
    lines = data.splitlines()
    commits = []
    for number, line in enumerate(lines, 1):
        try:
            commits.append(chain.decode(line))
        except (msgspec.MsgspecError, ValueError) as error:
            raise ValueError(f"line {number} is no commit: {error}") from error
    return commits, lines


def _seed_of(create: CreateGame) -> int:
    """The seed that a check's own game carries in its id; of any other game, 0."""
    number = create.game_id.rpartition("check-")[2]
    return int(number) if number.isdecimal() else 0


def _fault(broken: Broken, setup: Setup, one: Examination | None, catalogue: Catalogue) -> Fault:
    log = [] if one is None else one.game.log
    fault = fault_of(broken, setup, log)
    if one is None or fault.hook is not None:
        return fault
    return blamed(fault, broken, one, catalogue)
