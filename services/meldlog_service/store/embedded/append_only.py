"""The append-only file: put in order before a server opens it, and brought to the disk while it runs.

The file is a folder of parts: a base, what was written after it (increments), and a manifest that lists them. The
server writes each of them safely, and cuts a torn end off the last increment by itself. But a manifest that is
missing or torn (a file system that lost it, a copy that was cut short) is another matter: a server that finds none
begins with no data, over what is there. So the manifest is made again from the parts.
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path

MANIFEST = "appendonly.aof.manifest"
_BASE = re.compile(r"appendonly\.aof\.(\d+)\.base\.(?:rdb|aof)")
_INCREMENT = re.compile(r"appendonly\.aof\.(\d+)\.incr\.aof")
_LINE = re.compile(r"file (\S+) seq (\d+) type ([bhi])")


def mend(folder: Path) -> list[str]:
    """Make the append-only file in a folder one that a server can open; no server may be using it.

    Returns:
        What was done, as sentences for the operator; empty when all was well.
    """
    if not folder.is_dir():
        return []
    for draft in folder.glob("temp-*"):
        # A rewrite that was interrupted; nothing lists it.
        draft.unlink()
    manifest = folder / MANIFEST
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    # A base gets its name only when it is complete, so the newest one counts. An increment that it already
    # contains does no harm: a log refuses the versions that it has.
    parts = _in_order(sizes, _BASE)[-1:] + _in_order(sizes, _INCREMENT)
    text = manifest.read_text(errors="replace") if manifest.exists() else ""
    written = {number for number, name, kind in parts if kind == "i" and sizes[name]}
    if not parts or _is_whole(text, written):
        return []
    if manifest.exists():
        manifest.replace(folder / f"{MANIFEST}.torn")
    draft = folder / f"{MANIFEST}.new"
    draft.write_text("".join(f"file {name} seq {number} type {kind}\n" for number, name, kind in parts))
    draft.replace(manifest)
    return [
        f"The manifest of the append-only file in {folder} was {'torn' if text else 'missing'}; "
        f"it was made again from its parts: {', '.join(name for _, name, _ in parts)}."
    ]


def _is_whole(text: str, written: set[int]) -> bool:
    """Whether a manifest ends where it should: a whole line, with no increment written since the last it lists."""
    lines = [_LINE.fullmatch(line) for line in text.splitlines() if line and not line.startswith("#")]
    listed = [int(line[2]) for line in lines if line and line[3] == "i"]
    return text.endswith("\n") and all(lines) and max(listed, default=0) >= max(written, default=0)


def _in_order(names: Iterable[str], kind: re.Pattern[str]) -> list[tuple[int, str, str]]:
    """Number, name and letter of the parts of a kind."""
    letter = "b" if kind is _BASE else "i"
    return sorted((int(match[1]), name, letter) for name in names if (match := kind.fullmatch(name)))


def sync_newest(folder: Path, synced: tuple[Path, int] | None) -> tuple[Path, int] | None:
    """Wait until the increment that is being written is on the disk.

    Args:
        folder: Of the append-only file.
        synced: What the last call returned: a file and its size; nothing is done when it has not grown since.
    """
    increments = [
        (int(match[1]), path) for path in folder.iterdir() if (match := _INCREMENT.fullmatch(path.name))
    ]
    if not increments:
        return None
    _, newest = max(increments)
    with newest.open("rb") as file:
        now = newest, os.fstat(file.fileno()).st_size
        if now != synced:
            _sync_data(file.fileno())
    return now


# macOS has no fdatasync.
_sync_data = getattr(os, "fdatasync", os.fsync)
