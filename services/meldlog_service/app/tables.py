"""Games at their newest known version, kept folded in memory: a bounded cache that may be wrong and never matters.

What is cached is only ever a shortcut to what the log says. A table that is behind shows as a conflict when the next
commit is appended; a refusal made from one is checked against the log before it is given.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from itertools import islice

from meldlog_contracts.events import Commit
from meldlog_contracts.table import Table
from meldlog_service.app.envelope import actor_of
from meldlog_service.core import chain
from meldlog_service.core.context import milliseconds
from meldlog_service.core.evolve import Corrupt, apply
from meldlog_service.core.ruleset import Ruleset

LOBBY_KEYS = 1000
"""Keys kept of the time before the first deal, where people may come and go without end; the oldest go first."""


class Keys:
    """Which idempotency keys became which version: those of this deal, of the deal before, and of the lobby.

    A deal ends, so each part is bounded, and remembering a key costs the same in the thousandth deal as in the first.
    Those of the deals, most of what an entry holds, stand under their actor, whose name is thus not kept with each.
    """

    __slots__ = ("_before", "_lobby", "_now")

    def __init__(self) -> None:
        self._now: dict[str, dict[str, int]] = {}
        self._before: dict[str, dict[str, int]] = {}
        self._lobby: dict[tuple[str, str], int] = {}

    def __len__(self) -> int:
        deals = (*self._now.values(), *self._before.values())
        return sum(map(len, deals)) + len(self._lobby)

    def find(self, actor: str, command_id: str) -> int | None:
        """The version that this actor's key became, if it is still known."""
        for deal in (self._now, self._before):
            keys = deal.get(actor)
            if keys is not None and command_id in keys:
                return keys[command_id]
        return self._lobby.get((actor, command_id))

    def note(self, actor: str, command_id: str, version: int, deal: int) -> None:
        """Remember a key; ``deal`` is the number of the deal when the command was given, 0 before the first."""
        if deal:
            self._now.setdefault(actor, {})[command_id] = version
            return
        self._lobby[actor, command_id] = version
        if len(self._lobby) > LOBBY_KEYS:
            del self._lobby[next(iter(self._lobby))]

    def next_deal(self) -> None:
        """A deal has started: the keys of the deal before the last are forgotten."""
        self._before = self._now
        self._now = {}


class Entry:
    """One cached game: its newest known table, the hash of the last commit, and the keys used lately.

    Attributes:
        game_id: name of the log; for a while, the fold of a forked game says another.
        table: newest known; version 0 while nothing is known.
        head: hash of the last commit, empty at version 0.
        keys: idempotency keys of the last deals.
        created_ms: when the game was created, in milliseconds since 1970.
        updated_at: when its last command was given, as the log has it; empty at version 0.
        rules: the game's ruleset, once somebody asked for it.
        busy: whether a command of this process is being carried out; others wait their turn in line.
    """

    __slots__ = ("_line", "busy", "created_ms", "game_id", "head", "keys", "rules", "table", "updated_at")

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.table = Table()
        self.head = ""
        self.keys = Keys()
        self.created_ms = 0
        self.updated_at = ""
        self.rules: Ruleset | None = None
        self.busy = False
        self._line: deque[asyncio.Future[None]] = deque()

    # -- the fold ------------------------------------------------------------------------------------------------------

    def take(self, commit: Commit, line: bytes) -> None:
        """Fold one more commit, read from this line of the log, once its place in the chain is checked.

        Raises:
            Corrupt: when it is not the next one, its hash or its link is wrong, or an event does not fit.
        """
        if commit.version != self.table.version + 1:
            raise Corrupt(f"version {commit.version} cannot follow version {self.table.version}")
        if commit.prev != (self.head or chain.root_of(commit)):
            raise Corrupt(f"version {commit.version} is not linked to the commit before it")
        if chain.hash_of_line(line, commit) != commit.hash:
            raise Corrupt(f"version {commit.version} does not have the hash that it carries")
        self.advance(commit, apply(self.table, commit))

    def advance(self, commit: Commit, table: Table) -> None:
        """Go on to the table after the next commit."""
        deal = self.table.deal.number
        if table.game_id != self.table.game_id:
            # What callers of the old game have asked for was not asked for here.
            self.keys = Keys()
            self.created_ms = milliseconds(table.created_at)
        self.keys.note(actor_of(commit.command, commit.by), commit.command_id, commit.version, deal)
        if table.deal.number != deal:
            self.keys.next_deal()
        self.table = table
        self.head = commit.hash
        self.updated_at = commit.at

    def become(self, other: Entry) -> None:
        """Take over everything that another entry of this game knows."""
        self.table, self.head, self.keys = other.table, other.head, other.keys
        self.created_ms, self.updated_at = other.created_ms, other.updated_at
        self.rules = other.rules or self.rules

    # -- the line ------------------------------------------------------------------------------------------------------

    async def enter(self) -> None:
        """Wait in line for this game; whoever comes back from here has it until `leave`."""
        if not self.busy:
            self.busy = True
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._line.append(turn)
        try:
            await turn
        except BaseException:
            if turn.done() and not turn.cancelled():
                self.leave()  # the turn came and its owner is gone: pass it on
            raise

    def leave(self) -> None:
        """Hand the game to the next in line."""
        while self._line:
            turn = self._line.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self.busy = False


class Tables:
    """The entries, least recently used first, at most as many as the bound says (and those being used)."""

    def __init__(self, bound: int, on_count: Callable[[int], None] | None = None) -> None:
        self._bound = bound
        self._entries: OrderedDict[str, Entry] = OrderedDict()
        self._on_count = on_count

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, game_id: str) -> Entry | None:
        """The entry of a game, which is thereby the most recently used."""
        entry = self._entries.get(game_id)
        if entry is not None:
            self._entries.move_to_end(game_id)
        return entry

    def peek(self, game_id: str) -> Entry | None:
        """The entry of a game, without using it."""
        return self._entries.get(game_id)

    def put(self, entry: Entry) -> Entry:
        """Keep an entry; should the game have one already, that one stays and is returned."""
        kept = self._entries.setdefault(entry.game_id, entry)
        self._entries.move_to_end(entry.game_id)
        self._make_room(entry.game_id)
        return kept

    def drop(self, game_id: str) -> None:
        """Forget a game."""
        if self._entries.pop(game_id, None) is not None:
            self._count()

    def _make_room(self, newest: str) -> None:
        surplus = len(self._entries) - self._bound
        if surplus > 0:
            idle = (
                game_id for game_id, entry in self._entries.items() if not entry.busy and game_id != newest
            )
            for game_id in list(islice(idle, surplus)):
                del self._entries[game_id]
        self._count()

    def _count(self) -> None:
        if self._on_count is not None:
            self._on_count(len(self._entries))
