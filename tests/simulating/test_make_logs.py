"""Many finished games of all variants, for tests that want them."""

from pathlib import Path

from tests.support.games import installed
from tests.support.make_logs import made, plans

from meldlog_service.simulating.keeping import InFolder, InStore
from meldlog_service.store.memory import MemoryStore

VARIANTS = {info.name for info in installed().infos() if info.kind == "variant"}


async def test_variants_take_turns_and_every_game_is_finished(tmp_path: Path) -> None:
    """In files or in a store, the same games."""
    ids = await made(len(VARIANTS), InFolder(tmp_path), short=True)
    assert len(set(ids)) == len(VARIANTS)
    store = MemoryStore()
    assert await made(len(VARIANTS), InStore(store), short=True) == ids
    assert {game async for game in store.games("finished")} == set(ids)
    assert {file.stem for file in tmp_path.iterdir()} == set(ids)  # noqa: ASYNC240


def test_plans_are_for_as_many_games_as_are_wanted() -> None:
    """Divided among all variants, or those that are named."""
    planned = plans(100, "1")
    assert {plan.variant for plan in planned} == VARIANTS
    assert sum(plan.games for plan in planned) == 100
    assert [plan.games for plan in plans(7, "1", ["beanie", "biddies"])] == [4, 3]
