"""A log as one compressed file: NDJSON, every commit as it was stored, in one Zstandard frame with a checksum."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

LEVEL = 1
"""Most of a log is hashes, seals and salts, which nothing makes smaller: of a game's 386,243 bytes level 1 leaves
71,485, level 12 leaves 71,535, level 19 leaves 65,264."""


class Unreadable(ValueError):
    """These bytes are not what `packed` made."""


def ndjson(lines: Sequence[bytes]) -> bytes:
    """One commit a line, as `meldlog export` writes it."""
    return b"".join([b"%b\n" % line for line in lines])


def digest(log: bytes) -> str:
    """SHA-256 in hex."""
    return sha256(log).hexdigest()


def packed(log: bytes) -> bytes:
    """Compress a log."""
    import zstandard  # noqa: PLC0415 (only who archives, or reads what was archived, waits for it)

    return zstandard.ZstdCompressor(level=LEVEL, write_checksum=True, write_content_size=True).compress(log)


def unpacked(data: bytes, size: int) -> bytes:
    """The log again.

    Args:
        data: What `packed` made.
        size: Bytes that the log has; no more than these are made.

    Raises:
        Unreadable: when this is no such file, or holds another number of bytes.
    """
    import zstandard  # noqa: PLC0415

    try:
        with zstandard.ZstdDecompressor().stream_reader(data) as reader:
            log = reader.read(size + 1)
    except zstandard.ZstdError as error:
        raise Unreadable(str(error)) from error
    if len(log) != size:
        raise Unreadable(f"it holds {'more' if len(log) > size else 'less'} than the {size} bytes of the log")
    return log
