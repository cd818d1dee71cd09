"""Clocks: whoever has let the time run out is played for, by the service.

The store keeps the deadlines of all games; every worker looks there. A turn is played on by ordinary commands, recorded
``by: service`` for the seat, each meant for one version, so that several workers can't play a turn twice and a player
who moves at the last moment is not played over.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from msgspec.structs import replace

from meldlog_contracts.commands import Batch
from meldlog_contracts.table import Table
from meldlog_service.app.choosing import chosen
from meldlog_service.app.errors import Contended, KeyReused, NoSuchGame, Stale
from meldlog_service.app.handler import Handler, now_ms
from meldlog_service.bots import STRATEGIES, Move, Strategy
from meldlog_service.core.context import milliseconds
from meldlog_service.store.event_store import OutcomeUnknown, StoreUnavailable

EVERY = 0.5
"""Seconds between two looks at the deadlines."""
AT_A_TIME = 100
"""Overdue games that are taken up together."""
PASSED_OVER_MS = 30_000
"""How long a game is passed over that could not be played on, so that it does not stand in the way of others."""
_log = logging.getLogger(__name__)


class Clocks:
    """Plays the turns that are overdue.

    Args:
        handler: Where commands go.
        now_ms: The clock, in milliseconds since 1970; the handler's own.
        every: Seconds between two looks.
        strategy: Who plays.
    """

    def __init__(
        self,
        handler: Handler,
        *,
        now_ms: Callable[[], int] = now_ms,
        every: float = EVERY,
        strategy: Strategy = STRATEGIES["plain"],
    ) -> None:
        self._handler = handler
        self._now_ms = now_ms
        self._every = every
        self._strategy = strategy
        self._passed_over: dict[str, int] = {}

    async def run(self) -> None:
        """Look and play until cancelled."""
        while True:
            try:
                await self.tick()
            except StoreUnavailable as error:
                _log.warning("the deadlines can't be read now: %s", error)
            await asyncio.sleep(self._every)

    async def tick(self) -> int:
        """Play every turn that is overdue now.

        Returns:
            How many commands were given.

        Raises:
            StoreUnavailable: when the deadlines can't be read.
        """
        now = self._now_ms()
        self._passed_over = {game: until for game, until in self._passed_over.items() if until > now}
        commands = 0
        while True:
            due = await self._handler.store.due(now, AT_A_TIME + len(self._passed_over))
            games = [game_id for game_id, _ in due if game_id not in self._passed_over]
            for game_id in games:
                commands += await self._play(game_id)
                await asyncio.sleep(0)  # whoever else is ready goes first
            if len(games) < AT_A_TIME:
                return commands

    async def _play(self, game_id: str) -> int:
        """Play on for the seat whose time is over until its turn is."""
        commands = 0
        try:
            table = await self._handler.look(game_id)
            rules = self._handler.rules(table)
            while self._is_overdue(table):
                seat = table.deal.turn.seat
                answer = await self._handler.submit(
                    game_id,
                    _for_seat(chosen(self._strategy, table, seat, rules), seat),
                    "service",
                    command_id=f"clock:{table.version}:{seat}",
                    if_match=table.version,
                )
                commands += 1
                table = answer.table
        except (Stale, KeyReused, Contended) as first:
            _log.debug("somebody was first in game %s: %s", game_id, first)
        except (StoreUnavailable, OutcomeUnknown) as error:
            _log.warning("the clock of game %s waits for the store: %s", game_id, error)
        except NoSuchGame:
            self._pass_over(game_id)
        except Exception:
            _log.exception("the turn in game %s can't be played on", game_id)
            self._pass_over(game_id)
        else:
            if not commands:  # its deadline stands on the clock and not in its log
                self._pass_over(game_id)
        return commands

    def _is_overdue(self, table: Table) -> bool:
        deadline = table.deal.turn.deadline if table.status == "playing" else None
        return deadline is not None and milliseconds(deadline) <= self._now_ms()

    def _pass_over(self, game_id: str) -> None:
        self._passed_over[game_id] = self._now_ms() + PASSED_OVER_MS


def _for_seat(move: Move, seat: int) -> Move:
    """The move as somebody else gives it, who says for whom."""
    if isinstance(move, Batch):
        return Batch(tuple([replace(one, seat=seat) for one in move.commands]))
    return replace(move, seat=seat)
