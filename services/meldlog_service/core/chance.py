"""Seeds and shuffles: everything random follows from the game's seed and the seats' entropies, in public steps.

See the log format, *Chance*. Seeds travel as hex text, and are bytes inside the formulas.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

from meldlog_contracts.cards import Card
from meldlog_contracts.table import Table


def commitment(seed: str) -> str:
    """SHA-256 (hex) of a seed given in hex."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def derived_seed(table: Table, purpose: str, game_seed: str | None = None) -> str:
    """Seed for a purpose: HMAC-SHA256(game_seed, ``"<purpose>:<entropies joined by |>"``), in hex.

    Args:
        table: Whose seats' entropies go into it.
        purpose: As in ``deal:1``.
        game_seed: In hex; the one in force at the table unless it is given.

    Raises:
        ValueError: when the table is one of a viewer who was not given the game's seed.
    """
    seed = game_seed or table.game_seed
    if seed is None:
        raise ValueError("this table was folded without the game's seed")
    entropies = "|".join(seat.entropy or "" for seat in table.seats)
    message = f"{purpose}:{entropies}".encode()
    return hmac.digest(bytes.fromhex(seed), message, "sha256").hex()


def shuffled(cards: Sequence[Card], seed: str) -> tuple[Card, ...]:
    """Cards sorted by SHA-256(seed ‖ position as 2 bytes, big-endian), ascending."""
    key = bytes.fromhex(seed)
    order = sorted(
        range(len(cards)), key=lambda place: hashlib.sha256(key + place.to_bytes(2, "big")).digest()
    )
    return tuple(cards[place] for place in order)
