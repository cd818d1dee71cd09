"""What every place of an archive promises: a folder, and whatever fsspec opens."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import fsspec  # type: ignore[import-untyped]
import pytest

from meldlog_service.store.archive import names
from meldlog_service.store.archive.folder import Folder
from meldlog_service.store.archive.objects import ArchiveUnavailable, Objects, objects_at
from meldlog_service.store.archive.remote import Remote


@pytest.fixture(params=["folder", "file", "memory", "fsspec with folders"])
def objects(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Objects]:
    """Every kind of place in turn, empty."""
    place = tmp_path / "a folder/in another"
    match request.param:
        case "folder":
            yield objects_at(str(place))
        case "file":
            yield objects_at(place.as_uri())
        case "memory":
            yield objects_at(f"memory://{tmp_path.name}/archive")
            fsspec.filesystem("memory").store.clear()
        case _:
            yield Remote(place.as_uri())


def test_what_was_published_is_read(objects: Objects) -> None:
    """Byte for byte, whatever its name holds."""
    name = names.log_name("رامى {00}:game:x/../*?[%2f")
    objects.publish(objects.draft(bytes(range(256))), name)
    assert objects.read(name) == bytes(range(256))
    assert objects.names("games") == [name]


def test_what_is_there_is_replaced(objects: Objects) -> None:
    """Whoever comes later wins."""
    for data in (b"long before", b"now"):
        objects.publish(objects.draft(data), "games/00/g")
    assert objects.read("games/00/g") == b"now"
    assert objects.names("games") == ["games/00/g"]


def test_a_draft_is_nowhere_but_among_the_drafts(objects: Objects) -> None:
    """Until it is published; then it is a draft no longer."""
    draft = objects.draft(b"x")
    assert objects.names("games") == []
    assert objects.names(names.DRAFTS) == [draft]
    objects.publish(draft, "games/00/g")
    assert objects.names(names.DRAFTS) == []


def test_what_is_not_there_reads_as_nothing(objects: Objects) -> None:
    """Neither files nor folders have to be."""
    assert objects.read("games/00/g") is None
    assert objects.names("games") == []
    objects.delete("games/00/g")
    objects.publish(objects.draft(b"x"), "games/00/g")
    assert objects.read("games/00/other") is None
    assert objects.read("games/00/g/below") is None


def test_what_was_deleted_is_gone(objects: Objects) -> None:
    """And can be deleted again."""
    objects.publish(objects.draft(b"x"), "moves/g")
    objects.delete("moves/g")
    objects.delete("moves/g")
    assert objects.read("moves/g") is None


def test_two_who_use_one_place_see_the_same(tmp_path: Path) -> None:
    """Nothing is remembered of what a listing said before."""
    url = f"memory://{tmp_path.name}/shared"
    one, other = objects_at(url), objects_at(url)
    assert other.names("moves") == []
    one.publish(one.draft(b"x"), "moves/g")
    assert other.names("moves") == ["moves/g"]
    assert other.read("moves/g") == b"x"


def test_a_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    """A log may hold secrets that its game never revealed."""
    place = tmp_path / "archive"
    folder = Folder(place)
    folder.publish(folder.draft(b"x"), "games/00/g")
    for path in (place, place / "games", place / "games/00/g"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


def test_nothing_is_made_by_looking(tmp_path: Path) -> None:
    """A service without archived games has no archive."""
    folder = Folder(tmp_path / "archive")
    folder.read("games/00/g")
    folder.names("moves")
    assert not (tmp_path / "archive").exists()


def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    """Here a file is in its place."""
    (tmp_path / "archive").write_text("I am a file")
    folder = Folder(tmp_path / "archive")
    assert folder.read("games/00/g") is None
    with pytest.raises(ArchiveUnavailable, match="cannot be written"):
        folder.draft(b"x")


def test_what_a_file_system_raises_is_told_without_its_secrets() -> None:
    """Every package of fsspec has errors of its own."""
    remote = Remote("memory://archive")
    remote._files = Refusing()
    with pytest.raises(
        ArchiveUnavailable, match="the archive memory://archive cannot be read: PermissionError: no"
    ):
        remote.read("games/00/g")


class Refusing:
    """A file system that refuses everything."""

    def cat_file(self, _: str) -> bytes:
        """Refuse."""
        raise PermissionError("no")


@pytest.mark.parametrize("url", ["nonsense://x", "file://host/path"])
def test_a_url_that_names_no_place_is_refused(url: str) -> None:
    """When the service starts, not when the first game is archived."""
    with pytest.raises(ValueError, match=r"archive|three slashes"):
        objects_at(url)


def test_names_stay_short_and_apart() -> None:
    """File systems take no name of more than 255 bytes."""
    long = ["x" * 300, "x" * 301, "ر" * 60]
    files = [names.move_name(game) for game in long]
    assert len(set(files)) == 3
    assert max(map(len, files)) <= 255
    assert names.log_name("3kd0qzjxw5yk7m2fpb4t") == "games/ee/3kd0qzjxw5yk7m2fpb4t.ndjson.zst"


@pytest.mark.parametrize(("name", "made"), [("drafts/17-ab", 17), ("drafts/x", 0), ("drafts/١-x", 0)])
def test_a_drafts_name_tells_its_age(name: str, made: int) -> None:
    """One that nobody here made is older than everything."""
    assert names.made_ms(name) == made
