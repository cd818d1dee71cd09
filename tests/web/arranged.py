"""Games whose cards lie as a test wants them, in a running service's store: true logs, as if played."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.http.serving import Served, installed

from meldlog_contracts.commands import CreateGame, StartGame, TakeSeat
from meldlog_contracts.table import HouseValue
from meldlog_service.app.envelope import pointer_of
from meldlog_service.app.offline import OfflineGame
from meldlog_service.app.seats import token_hash
from meldlog_service.core.decide import Decision
from meldlog_service.core.draft import Draft
from meldlog_service.testing.notation import PLAYERS
from meldlog_service.testing.prelude import Prelude, Wanted

BEGAN_MS = 1_767_261_600_000
NAMES = ("Ann", "Ben", "Cyd", "Dan", "Eve", "Fay", "Gus")
OPENS_RAMI_51 = "8S 8H 8D 4C 5C 6C 7C TH JH QH 2C 9D KS"
"""A hand that opens in Rami 51: three melds, of which two are worth 46 points, and three cards besides."""
BOTS_FROM = 1
"""Seats from this one on are bots, where a test asks for bots."""


class Arranged:
    """A game in the middle of a deal.

    Args:
        served: The service whose store it comes to.
        variant: What is played.
        game_id: What it is called; of every id there is one game in a service.
        seats: How many sit there: Ann first.
        strategy: Of the bots on every seat but Ann's; None seats people.
        house_rules: Those that differ from the defaults.
        options: Options of the game.
        names: Who sits there, in order.
        turn_seconds: The clock of a turn; None for none.
        wanted: The table, as `meldlog_service.testing.Game.given_deal` takes it.

    Attributes:
        tokens: Of the people, by seat.
    """

    def __init__(
        self,
        served: Served,
        variant: str,
        game_id: str,
        *,
        seats: int = 2,
        strategy: str | None = None,
        house_rules: Mapping[str, HouseValue] | None = None,
        options: Sequence[str] = (),
        names: Sequence[str] = NAMES,
        **wanted: Any,
    ) -> None:
        self.game_id = game_id
        self.tokens = {seat: f"{game_id}-seat-{seat}" for seat in range(BOTS_FROM if strategy else seats)}
        create = CreateGame(
            game_id, variant, seats, "0" * 64, house_rules=dict(house_rules or {}), options=tuple(options)
        )
        game = OfflineGame(installed(), create, game_seed="5eed" * 16, began_ms=BEGAN_MS)
        for seat in range(seats):
            game.do(
                self._sitting(seat, names[seat], strategy), f"seat:{seat}" if seat in self.tokens else "host"
            )
        draft = Draft(game.table, game.rules, game.context())
        Prelude(draft, _wanted(**wanted)).write()
        game.record(StartGame(), "host", Decision(tuple(draft.events), draft.table))
        # The tests' browser has an event loop in this thread.
        with ThreadPoolExecutor(1) as elsewhere:
            adopting = served.service.store.adopt(pointer_of(game.log), game.log)
            elsewhere.submit(asyncio.run, adopting).result()

    def _sitting(self, seat: int, name: str, strategy: str | None) -> TakeSeat:
        if seat in self.tokens:
            return TakeSeat(seat, name, token_hash=token_hash(self.tokens[seat]))
        return TakeSeat(seat, name, kind="bot", strategy=strategy)


def _wanted(
    number: int = 1,
    to_move: str = "ann",
    *,
    first_turn: bool = False,
    table: Sequence[str] = (),
    stock: str = "",
    discards: str = "",
    wild: str | None = None,
    totals: Sequence[int] | None = None,
    **hands: str,
) -> Wanted:
    assert set(hands) <= set(PLAYERS)
    return Wanted(number, to_move, first_turn, table, stock, discards, wild, totals, hands)
