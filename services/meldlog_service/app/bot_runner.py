"""Bots at work: whenever a bot is on turn in a game that this process has touched, its strategy plays.

Several workers on one store may all want to move the same bot. Every move is meant for one version, under a key that
follows from it, and the choice follows from the log, so at most one of them counts. Whoever comes second leaves the
game alone for a while and then looks whether it went on: a game whose worker died is taken over, not forgotten.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Mapping
from itertools import count
from typing import TypeVar

from meldlog_contracts.table import Table
from meldlog_service.app.choosing import Question, choice, question
from meldlog_service.app.errors import Contended, KeyReused, NoSuchGame, Stale
from meldlog_service.app.handler import Handler
from meldlog_service.app.thinking import Thinker, ThinkerGone, ThoughtTooLong
from meldlog_service.bots import Move, Strategy, thinks
from meldlog_service.bots import strategies as installed_strategies
from meldlog_service.core.evolve import Corrupt
from meldlog_service.store.event_store import OutcomeUnknown, StoreUnavailable

SUBSTITUTE = "plain"
"""Plays the seats of bots that this release does not have."""
PLAYERS = 8
"""Moves on their way at the same time: a pipeline for the store, and few enough that nobody else waits long."""
THINKERS = 2
"""Moves of bots that think long that are on their way: one is thought about while another is stored."""
PATIENCE = 2.0
"""Seconds after which a game is looked at that another worker, or nobody, takes further."""
TRIES = 3
"""How often a move is thought about of which the process that thinks dies: the move itself may be what kills it."""
REMEMBERED = 1000
"""Games in which a bot could not go on, or its process died, that are remembered, so as not to try the same again."""
_WITH_PEOPLE, _AMONG_BOTS = 0, 1
_log = logging.getLogger(__name__)
Fact = TypeVar("Fact")


def bot_on_turn(table: Table) -> int | None:
    """The seat of the bot whose turn it is, if it is a bot's."""
    if table.status != "playing":
        return None
    seat = table.deal.turn.seat
    return seat if table.seats[seat].kind == "bot" else None


class BotRunner:
    """Plays the bots' turns; an `Observer` of the handler.

    Games in which a person sits go before games among bots. Within each kind the turns go round: one command of one
    game, then the next game. Bots that think long stand in a line of their own: they think in another process, and
    keep nobody waiting but one another.

    Args:
        handler: Where commands go; it is told to report here.
        strategies: Bots by name; all that are installed, unless it is said.
        players: How many moves are on their way at the same time.
        patience: Seconds after which a game is looked at that may have got stuck.
        thinker: Where bots think that think long; closed when the runner ends.
    """

    def __init__(
        self,
        handler: Handler,
        strategies: Mapping[str, Strategy] | None = None,
        *,
        players: int = PLAYERS,
        patience: float = PATIENCE,
        thinker: Thinker | None = None,
    ) -> None:
        self._handler = handler
        self._strategies = installed_strategies() if strategies is None else strategies
        self._players = players
        self._patience = patience
        self._numbers = count()
        self._line: asyncio.PriorityQueue[tuple[int, int, str]] = asyncio.PriorityQueue()
        self._thoughtful: asyncio.PriorityQueue[tuple[int, int, str]] = asyncio.PriorityQueue()
        self._thinker = thinker or Thinker()
        self._waiting: dict[str, Table] = {}
        self._doubts: asyncio.Queue[str] = asyncio.Queue()
        self._suspects: dict[str, int | None] = {}
        self._given_up: OrderedDict[str, int] = OrderedDict()
        self._died: OrderedDict[str, tuple[int, int]] = OrderedDict()
        handler.observe(self)

    # -- what the handler reports --------------------------------------------------------------------------------------

    def committed(self, table: Table) -> None:
        """See `Observer.committed`."""
        if bot_on_turn(table) is not None:
            self._put(table)

    def seen(self, table: Table) -> None:
        """See `Observer.seen`: should nobody move this bot, it will be moved here."""
        if bot_on_turn(table) is not None and table.game_id not in self._waiting:
            self._suspect(table.game_id, table.version)

    def doubtful(self, game_id: str) -> None:
        """See `Observer.doubtful`."""
        self._suspect(game_id, None)

    # -- the work ------------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Play until cancelled, beginning with the games that the last run left."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._resume())
                tasks.create_task(self._look_after())
                for _ in range(self._players):
                    tasks.create_task(self._play(self._line))
                for _ in range(THINKERS):
                    tasks.create_task(self._play(self._thoughtful))
        finally:
            self._thinker.close()

    async def _play(self, line: asyncio.PriorityQueue[tuple[int, int, str]]) -> None:
        while True:
            _, _, game_id = await line.get()
            await self._move(self._waiting.pop(game_id))
            await asyncio.sleep(0)  # whoever else is ready goes first

    async def _move(self, table: Table) -> None:
        """One command of the bot on turn. What follows from it is reported by the handler, and comes back in line."""
        seat = bot_on_turn(table)
        game_id, version = table.game_id, table.version
        if seat is None or self._given_up.get(game_id) == version:
            return
        strategy = self._strategy(table, seat)
        try:
            asked = question(table, seat, self._handler.rules(table))
            move = (
                await self._thought(strategy, asked, table) if thinks(strategy) else choice(strategy, asked)
            )
            answer = await self._handler.submit(
                game_id,
                move,
                f"seat:{seat}",
                command_id=f"bot:{version}:{seat}",
                if_match=version,
            )
        except (Stale, KeyReused) as first:
            self._suspect(game_id, first.version)
        except (Contended, StoreUnavailable, OutcomeUnknown) as error:
            _log.warning("the bot at seat %d of game %s waits for the store: %s", seat, game_id, error)
            self._suspect(game_id, None)
        except ThinkerGone as error:
            _log.warning("the bot at seat %d of game %s thinks again: %s", seat, game_id, error)
            self._suspect(game_id, version)
        except NoSuchGame:
            _log.info("game %s is gone", game_id)
        except Exception:
            # A strategy's, a plugin's or the log's fault: it would be the same at every further try.
            _log.exception("the bot at seat %d of game %s can't go on at version %d", seat, game_id, version)
            _remember(self._given_up, game_id, version)
        else:
            if answer.replayed:  # another worker made this very move, and will hardly stop there
                self._suspect(game_id, answer.table.version)

    async def _thought(self, strategy: Strategy, asked: Question, table: Table) -> Move:
        """What a strategy chooses that thinks long; if it does not come to an end, somebody else chooses for it.

        Raises:
            ThinkerGone: when the process died; after some times of it nobody asks that strategy again.
        """
        try:
            return await self._thinker.choice(strategy, asked)
        except ThoughtTooLong as error:
            _log.warning("%s: %s moves in its place", error, SUBSTITUTE)
        except ThinkerGone as error:
            if self._dies(table) < TRIES:
                raise
            _log.warning("%s %d times: %s moves in place of %s", error, TRIES, SUBSTITUTE, strategy.name)
        return choice(self._strategies[SUBSTITUTE], asked)

    def _dies(self, table: Table) -> int:
        """How often the process has died by now of a move at this version."""
        version, times = self._died.pop(table.game_id, (table.version, 0))
        times = times + 1 if version == table.version else 1
        _remember(self._died, table.game_id, (table.version, times))
        return times

    async def _resume(self) -> None:
        """Find the bots' turns among all games being played, and take no more than half the time for it."""
        while True:
            try:
                async for game_id in self._handler.store.games("playing"):
                    begun = time.perf_counter()
                    await self._find(game_id)
                    await asyncio.sleep(time.perf_counter() - begun)
            except StoreUnavailable as error:
                _log.warning("the games being played can't be listed now: %s", error)
                await asyncio.sleep(self._patience)
            else:
                return

    async def _look_after(self) -> None:
        """Look at games that may have got stuck."""
        while True:
            game_id = await self._doubts.get()
            await self._find(game_id, self._suspects.pop(game_id))

    async def _find(self, game_id: str, suspected: int | None = None) -> None:
        """Look at a game, and take it if a bot is on turn and nobody has gone on since the suspicion."""
        try:
            table = await self._handler.look(game_id)
        except StoreUnavailable:
            self._suspect(game_id, None)
        except (NoSuchGame, Corrupt) as error:
            _log.warning("no bot plays in game %s: %s", game_id, error)
        else:
            if bot_on_turn(table) is None:
                return
            if suspected is None or suspected == table.version:
                self._put(table)
            else:
                self._suspect(game_id, table.version)

    # -- small things --------------------------------------------------------------------------------------------------

    def _put(self, table: Table) -> None:
        if table.game_id not in self._waiting:
            people = any(seat.kind == "player" for seat in table.seats)
            kind = _WITH_PEOPLE if people else _AMONG_BOTS
            seat = bot_on_turn(table)
            thoughtful = seat is not None and thinks(self._strategy(table, seat))
            line = self._thoughtful if thoughtful else self._line
            line.put_nowait((kind, next(self._numbers), table.game_id))
        self._waiting[table.game_id] = table

    def _strategy(self, table: Table, seat: int) -> Strategy:
        return self._strategies.get(table.seats[seat].strategy or "", self._strategies[SUBSTITUTE])

    def _suspect(self, game_id: str, version: int | None) -> None:
        """Look at a game a little later, unless that is planned already."""
        if game_id in self._suspects:
            return
        self._suspects[game_id] = version
        asyncio.get_running_loop().call_later(self._patience, self._doubts.put_nowait, game_id)


def _remember(book: OrderedDict[str, Fact], game_id: str, fact: Fact) -> None:
    """Write down something of a game; what was written down first is forgotten where there is too much."""
    book[game_id] = fact
    if len(book) > REMEMBERED:
        book.popitem(last=False)
