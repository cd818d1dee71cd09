"""One game of a plan, played to its end, and what came of it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal

from msgspec import Struct

from meldlog_contracts.events import Commit, DealEnded
from meldlog_contracts.table import Table
from meldlog_service.app.envelope import pointer_after
from meldlog_service.app.offline import OfflineGame
from meldlog_service.bots import Strategy, strategies
from meldlog_service.catalogue import Catalogue
from meldlog_service.core.context import milliseconds
from meldlog_service.simulating.plan import Plan
from meldlog_service.simulating.standing import ranks, shares, sides_of
from meldlog_service.store.event_store import Pointer

Outcome = Literal["finished", "unfinished", "failed"]
"""How a game came out: it was over; it was left at the most commands that the plan allows; or something raised."""


class Played(Struct, frozen=True, kw_only=True):
    """A game that was played. A *side* is a seat or, where sides score, a team."""

    number: int
    game_id: str
    outcome: Outcome
    detail: str | None = None
    """What went wrong in a game that failed."""
    commands: int
    """Commits of its log."""
    seconds: float
    """Of a processor that playing took; waiting for one does not count."""
    sides: tuple[str, ...]
    """Who is each side: a strategy, or those of partners joined by ``+``."""
    scores: tuple[tuple[int, ...], ...]
    """Points of every side, deal by deal."""
    shares: tuple[float, ...]
    """Of the win, by side; whoever win together share it. Empty unless the game is finished."""
    ranks: tuple[float, ...]
    """Place of every side, 1 for the best; equals get the mean of their places. Empty unless the game is finished."""
    deals_ended: Mapping[str, int]
    """How many deals ended for which reason."""
    log: tuple[tuple[Pointer, bytes], ...]
    """Every commit as it is stored, with what a store is told beside it; empty unless it was asked for."""


@cache
def installed() -> Catalogue:
    """The installed plugins, looked at once in a process."""
    return Catalogue.from_entry_points()


def play(plan: Plan, number: int, with_log: bool = False) -> Played:
    """Play a game of a plan by what is installed, in any process."""
    return play_by(installed(), strategies(plan.think_ms), plan, number, with_log=with_log)


def play_by(
    catalogue: Catalogue, bots: Mapping[str, Strategy], plan: Plan, number: int, *, with_log: bool
) -> Played:
    """Play a game of a plan.

    Whatever a plugin or a strategy raises once the game has been created fails this game alone, and is told.

    Raises:
        Refused: when the variant knows no such game.
        KeyError: for a bot that is none of these.
    """
    began = time.thread_time()
    players = [bots[name] for name in plan.seating(number)]
    game = _Recorded(catalogue, plan, number, with_log=with_log)
    outcome: Outcome
    try:
        outcome, detail = game.play_out(players, plan.most_commands), None
    except Exception as error:
        # A hole in the rules or a fault of a strategy: it would be the same in every run, and the other games go on.
        outcome, detail = "failed", f"{type(error).__name__}: {error}"
    table = game.table
    result = table.result
    return Played(
        number=number,
        game_id=table.game_id,
        outcome=outcome,
        detail=detail,
        commands=table.version,
        seconds=time.thread_time() - began,
        sides=sides_of(table),
        scores=table.scores,
        shares=() if result is None else shares(table, result),
        ranks=() if result is None else ranks(table, result),
        deals_ended=dict(game.deals_ended),
        log=tuple(game.log),
    )


class _Recorded:
    """A game under way, and what is written down of it."""

    def __init__(self, catalogue: Catalogue, plan: Plan, number: int, *, with_log: bool) -> None:
        self._game = OfflineGame(
            catalogue,
            plan.create(number, plan.game_id(number)),
            game_seed=plan.game_seed(number),
            began_ms=plan.began_ms(number),
        )
        self._created_ms = milliseconds(self.table.created_at)
        self._with_log = with_log
        self.log: list[tuple[Pointer, bytes]] = []
        self.deals_ended: Counter[str] = Counter()
        self._write_down(self._game.last)

    @property
    def table(self) -> Table:
        return self._game.table

    def play_out(self, players: Sequence[Strategy], most_commands: int) -> Outcome:
        """Start and play; raises whatever plugins and strategies raise."""
        game = self._game
        game.start()
        self._write_down(game.last)
        while game.playing:
            if game.version >= most_commands:
                return "unfinished"
            self._write_down(game.step(players))
        return "finished"

    def _write_down(self, commit: Commit) -> None:
        for event in commit.events:
            if isinstance(event, DealEnded):
                self.deals_ended[event.reason] += 1
        if self._with_log:
            pointer = pointer_after(commit.command, self.table, self._created_ms)
            self.log.append((pointer, self._game.log[-1]))
