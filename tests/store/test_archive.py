"""The archive: whole logs by their entries, and nothing that is not what was put there."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
import zstandard
from msgspec.structs import replace
from tests.store.games import DAY_ONE, log_of, play
from tests.support.archives import with_archive

from meldlog_service.store.archive import names
from meldlog_service.store.archive.archive import DRAFT_MS, Archive, DamagedArchive, LaterLayout, OtherLog
from meldlog_service.store.archive.folder import Folder
from meldlog_service.store.archive.packing import ndjson, packed, unpacked
from meldlog_service.store.archive.recent import Recent
from meldlog_service.store.archive.store import ArchivedStore
from meldlog_service.store.event_store import ArchivedLog, BrokenLog
from meldlog_service.store.memory import MemoryStore

LINES = [b'{"version":1}', '{"name":"♠"}'.encode(), bytes(range(11, 256))]


def entry(game_id: str = "g", version: int = 3) -> ArchivedLog:
    """What the index is to say of a log."""
    return ArchivedLog(
        game_id=game_id,
        version=version,
        head="h" * 64,
        created_ms=DAY_ONE,
        ended_ms=DAY_ONE + 1,
        archived_ms=DAY_ONE + 2,
        log_bytes=0,
        log_sha256="",
        summary=msgspec.Raw(b'{"any":"thing"}'),
    )


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Where the archive is."""
    return Folder(tmp_path)


@pytest.fixture
def archive(folder: Folder) -> Archive:
    """An archive, and nothing of it in memory."""
    return Archive(folder)


def overwrite(folder: Folder, name: str, data: bytes) -> None:
    """What a broken disk, or somebody with an editor, does."""
    folder.publish(folder.draft(data), name)


async def test_what_was_kept_is_read_byte_for_byte(archive: Archive, folder: Folder) -> None:
    """By others as well."""
    kept = await archive.keep(entry(), LINES)
    for reader in (archive, Archive(folder)):
        found = await reader.entry("g")
        assert found == kept
        assert await reader.log(kept) == LINES


async def test_the_object_is_what_other_programs_read(archive: Archive, tmp_path: Path) -> None:
    """`zstdcat` and a line a commit."""
    await archive.keep(entry(), LINES)
    data = (tmp_path / names.log_name("g")).read_bytes()
    assert zstandard.ZstdDecompressor().decompress(data) == b"".join(line + b"\n" for line in LINES)


async def test_what_is_not_in_the_archive_is_nothing(archive: Archive) -> None:
    """And no error."""
    assert await archive.entry("g") is None
    assert await archive.moves() == []
    assert [one async for one in archive.entries()] == []


async def test_a_log_without_its_entry_is_not_in_the_archive(archive: Archive, folder: Folder) -> None:
    """The entry comes last, so it alone says that everything is there."""
    overwrite(folder, names.log_name("g"), packed(ndjson(LINES)))
    assert await archive.entry("g") is None


async def test_a_log_that_is_there_is_not_written_again(
    archive: Archive, folder: Folder, tmp_path: Path
) -> None:
    """Whoever comes second leaves it as it is."""
    first = await archive.keep(entry(), LINES)
    place = tmp_path / names.log_name("g")
    before = place.stat().st_ino
    again = await Archive(folder).keep(replace(entry(), archived_ms=DAY_ONE + 99), LINES)
    assert again == first
    assert place.stat().st_ino == before


async def test_another_log_of_the_same_game_is_refused(archive: Archive) -> None:
    """What is in the archive is never replaced by something else."""
    await archive.keep(entry(), LINES)
    with pytest.raises(OtherLog):
        await archive.keep(entry(), [*LINES, b"more"])
    found = await archive.entry("g")
    assert found is not None
    assert await archive.log(found, fresh=True) == LINES


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"no zstandard",
        packed(ndjson(LINES))[:-5],
        packed(ndjson(LINES)) + b"x",
        packed(ndjson([LINES[1], LINES[0], LINES[2]])),
        packed(ndjson([*LINES, b"more"])),
    ],
    ids=["empty", "other", "cut", "longer", "swapped", "more"],
)
async def test_a_damaged_object_is_told_and_made_again_from_the_log(
    archive: Archive, folder: Folder, damage: bytes
) -> None:
    """Nobody is given what was not put there."""
    kept = await archive.keep(entry(), LINES)
    overwrite(folder, names.log_name("g"), damage)
    reader = Archive(folder)
    if damage != packed(ndjson(LINES)) + b"x":  # what comes after the frame is nobody's
        with pytest.raises(DamagedArchive):
            await reader.log(kept)
    await reader.keep(entry(), LINES)
    assert await reader.log(kept, fresh=True) == LINES


async def test_a_missing_object_is_damage(archive: Archive, folder: Folder) -> None:
    """It is not a game that there never was."""
    kept = await archive.keep(entry(), LINES)
    folder.delete(names.log_name("g"))
    with pytest.raises(DamagedArchive, match="no object"):
        await Archive(folder).log(kept)


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"game_id":"g"}'])
async def test_a_damaged_entry_is_told_and_made_again_from_the_log(
    archive: Archive, folder: Folder, damage: bytes
) -> None:
    """An entry that cannot be read is not taken for none."""
    await archive.keep(entry(), LINES)
    overwrite(folder, names.entry_name("g"), damage)
    reader = Archive(folder)
    with pytest.raises(DamagedArchive):
        await reader.entry("g")
    (told,) = [one async for one in reader.entries()]
    assert isinstance(told, DamagedArchive)
    assert str(told).startswith(
        "the archived log of game g is damaged: its entry in the index cannot be read: "
    )
    await reader.keep(entry(), LINES)
    found = await reader.entry("g")
    assert found is not None
    assert await reader.log(found) == LINES


async def test_what_a_later_release_wrote_is_left_as_it_is(archive: Archive, folder: Folder) -> None:
    """This one cannot know what it means."""
    kept = await archive.keep(entry(), LINES)
    later = msgspec.json.encode(replace(kept, layout=2))
    overwrite(folder, names.entry_name("g"), later)
    with pytest.raises(LaterLayout):
        await Archive(folder).entry("g")
    with pytest.raises(LaterLayout):
        await Archive(folder).keep(entry(), LINES)
    assert folder.read(names.entry_name("g")) == later


async def test_an_entry_notes_when_its_log_was_brought_back(archive: Archive, folder: Folder) -> None:
    """Until it is archived again."""
    kept = await archive.keep(entry(), LINES)
    await archive.note_restored(kept, DAY_ONE + 7)
    noted = await Archive(folder).entry("g")
    assert noted == replace(kept, restored_ms=DAY_ONE + 7)
    assert (await archive.keep(entry(), LINES)).restored_ms is None


async def test_moves_under_way_are_known_to_whoever_comes_next(archive: Archive, folder: Folder) -> None:
    """By the game's own id, whatever the file is called."""
    odd = ["g", "رامى" * 60, "a/b"]
    for game in odd:
        await archive.begin_move(game)
    assert sorted(await Archive(folder).moves()) == sorted(odd)
    for game in odd:
        await archive.end_move(game)
        await archive.end_move(game)
    assert await archive.moves() == []


async def test_drafts_of_the_dead_are_swept_away(archive: Archive, folder: Folder) -> None:
    """Those of the living, who have only begun, stay."""
    draft = folder.draft(b"x")
    made = names.made_ms(draft)
    assert await archive.sweep(made + DRAFT_MS) == 0
    assert await archive.sweep(made + DRAFT_MS + 1) == 1
    assert folder.names(names.DRAFTS) == []


async def test_a_log_that_is_looked_through_is_read_once(folder: Folder) -> None:
    """Every page of it after the first comes from memory."""
    reads: list[None] = []
    shelf = with_archive(MemoryStore(), folder)
    await shelf.archive.keep(entry("g", 10), [line for _, line in log_of("g", 10)])
    shelf.archive.on_read = lambda: reads.append(None)
    assert [found async for found in shelf.scan("g", page=2)] == log_of("g", 10)
    assert len(reads) == 1


def test_no_more_is_unpacked_than_the_entry_says() -> None:
    """A small file can be made that unpacks to more than there is memory."""
    bomb = packed(bytes(50_000_000))
    assert len(bomb) < 10_000
    with pytest.raises(ValueError, match="more"):
        unpacked(bomb, 1000)


# The store and its archive, together.


async def test_a_log_is_read_wherever_it_is(folder: Folder) -> None:
    """From any version, in the same pieces."""
    live = MemoryStore()
    store = with_archive(live, folder)
    await play(live, "g", 5)
    before = [await store.read("g", after, limit) for after in range(7) for limit in (None, 2)]
    await store.archive.keep(entry("g", 5), [line for _, line in log_of("g", 5)])
    await store.remove("g", 5)
    assert [await store.read("g", after, limit) for after in range(7) for limit in (None, 2)] == before
    assert await store.last_version("g") == 5
    found = await store.archived("g")
    assert found is not None
    assert found.version == 5


async def test_a_log_that_moves_while_it_is_read_is_read_on(folder: Folder) -> None:
    """Nobody sees half of it."""
    live = MemoryStore()
    store = with_archive(live, folder)
    await play(live, "g", 9)
    scan = store.scan("g", page=2)
    found = [await anext(scan), await anext(scan), await anext(scan)]
    await store.archive.keep(entry("g", 9), [line for _, line in log_of("g", 9)])
    await store.remove("g", 9)
    assert [*found, *[one async for one in scan]] == log_of("g", 9)


async def test_what_the_store_has_is_read_from_the_store(folder: Folder) -> None:
    """A damaged archive disturbs nobody who does not need it."""
    live = MemoryStore()
    store = with_archive(live, folder)
    await play(live, "g", 2)
    await store.archive.keep(entry("g", 2), [line for _, line in log_of("g", 2)])
    overwrite(folder, names.entry_name("g"), b"{")
    fresh = with_archive(live, folder)
    assert await fresh.read("g") == log_of("g", 2)
    assert await fresh.archived("g") is None
    await live.remove("g", 2)
    with pytest.raises(BrokenLog):
        await fresh.read("g")


async def test_a_game_that_is_nowhere_is_nothing(folder: Folder) -> None:
    """As without an archive."""
    store: ArchivedStore = with_archive(MemoryStore(), folder)
    assert await store.read("g") == []
    assert await store.last_version("g") == 0
    assert await store.archived("g") is None


def test_what_was_used_last_is_kept_as_far_as_it_fits() -> None:
    """And what alone is too large is not."""
    recent: Recent[str] = Recent(10)
    for name, size in (("a", 4), ("b", 4), ("a", 5), ("huge", 11)):
        recent.put(name, name.upper(), size)
    assert [recent.get(name) for name in ("a", "b", "huge")] == [None, None, None]
    recent.put("a", "A", 5)
    recent.put("b", "B", 5)
    assert recent.get("a") == "A"
    recent.put("c", "C", 5)
    assert [recent.get(name) for name in ("a", "b", "c")] == ["A", None, "C"]
    recent.drop("a")
    recent.drop("a")
    assert recent.get("a") is None
