"""What is called how in an archive.

| name | what it is |
|---|---|
| `games/<pp>/<game>.ndjson.zst` | a log as it was stored, one commit a line, compressed by Zstandard |
| `index/<pp>/<game>.json` | its entry (`ArchivedLog`): only with it is the log in the archive |
| `moves/<game>` | a move that was begun and is not known to have ended |
| `drafts/<time>-<chance>` | what is not in its place yet |

`<pp>` are the first two hex digits of SHA-256(game id), as in the store, so that no folder holds too much. `<game>` is
the id, what no file may be called escaped as in a URL; where that gets too long for a file, it is the id's SHA-256.
"""

import time
from hashlib import sha256
from secrets import token_hex
from urllib.parse import quote, unquote

LONGEST = 200
"""Bytes that a game's part of a name may have; file systems take names of 255."""
MOVES = "moves"
DRAFTS = "drafts"
INDEX = "index"


def log_name(game_id: str) -> str:
    """Of the compressed log."""
    return f"games/{_place(game_id)}.ndjson.zst"


def entry_name(game_id: str) -> str:
    """Of its entry in the index."""
    return f"{INDEX}/{_place(game_id)}.json"


def told_by(file: str) -> str:
    """The game that a file of the index is of, as far as its name tells; only for telling people."""
    return unquote(file.rpartition("/")[2].removesuffix(".json"))


def move_name(game_id: str) -> str:
    """Of the note that a move was begun."""
    return f"{MOVES}/{_file(game_id)}"


def new_draft() -> str:
    """A name that nothing else has, telling when it was made."""
    return f"{DRAFTS}/{time.time_ns() // 1_000_000}-{token_hex(8)}"


def made_ms(draft: str) -> int:
    """When a draft was made, in milliseconds since 1970; 0 for a name that `new_draft` never gave."""
    number = draft.removeprefix(f"{DRAFTS}/").partition("-")[0]
    return int(number) if number.isascii() and number.isdecimal() else 0


def _place(game_id: str) -> str:
    return f"{sha256(game_id.encode()).hexdigest()[:2]}/{_file(game_id)}"


def _file(game_id: str) -> str:
    escaped = quote(game_id, safe="")
    return escaped if len(escaped) <= LONGEST else sha256(game_id.encode()).hexdigest()
