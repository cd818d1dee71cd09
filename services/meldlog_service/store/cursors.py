"""Where a page of the index ends, as text that a caller hands back."""

import re
from typing import NamedTuple

from meldlog_service.store.event_store import InvalidCursor

_MILLISECONDS = re.compile("[0-9]{1,15}")


class Place(NamedTuple):
    """A game's place in the index; newest first is descending order, games of one millisecond by their ids."""

    created_ms: int
    game_id: str


def cursor_of(place: Place) -> str:
    """The cursor of a page that ends here."""
    return f"{place.created_ms}.{place.game_id}"


def place_of(cursor: str | None) -> Place | None:
    """Where the last page ended; None at the beginning.

    Raises:
        InvalidCursor: for text that `cursor_of` never made.
    """
    if cursor is None:
        return None
    created_ms, dot, game_id = cursor.partition(".")
    if not (dot and game_id and _MILLISECONDS.fullmatch(created_ms)):
        raise InvalidCursor(f"{cursor!r} is not a cursor that a page gave out")
    return Place(int(created_ms), game_id)
