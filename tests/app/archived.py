"""What holds for a game wherever its log is."""

from __future__ import annotations

from msgspec.structs import asdict
from tests.app.staging import handler_on
from tests.support.archives import log_in
from tests.support.games import Game

from meldlog_service.app.audit import audit
from meldlog_service.app.summaries import GameSummary, summary, summary_of
from meldlog_service.store.archive.store import ArchivedStore


def listed(game: Game) -> GameSummary:
    """What a list shows of a game: its table, and when its last command was given."""
    return GameSummary(**asdict(summary_of(game.table)), updated_at=game.commits[-1].at)


async def assert_is_there_once(store: ArchivedStore, game: Game) -> None:
    """Readable, byte for byte; listed once; and it audits clean."""
    game_id = game.table.game_id
    assert await log_in(store, game_id) == game.lines
    assert [one async for one in store.games()].count(game_id) == 1
    handler = handler_on(store)
    assert (await audit(handler, game_id)).verdict == "agrees"
    assert await summary(handler, game_id) == listed(game)
