"""A plugin as an author would install it, with a fault that shows only where sets have another order."""

from __future__ import annotations

from collections.abc import Mapping

from meldlog_contracts.hooks import Note, VariantInfo, hookimpl
from meldlog_contracts.table import HouseValue, Table


@hookimpl
def variant_info() -> VariantInfo:
    """Crazy Rummy, and a note."""
    return VariantInfo("unordered", "Unordered", 1, based_on="crazy-rummy", players=(2, 3))


@hookimpl
def amendments() -> Mapping[str, HouseValue]:
    """A short game."""
    return {"deal_count": 1}


@hookimpl
def noted(table: Table) -> Note:
    """Note the ranks that lie on the table, in whatever order they come."""
    ranks = {card[0] for meld in table.deal.melds for card in meld.cards}
    return Note("unordered", {"ranks": "".join(ranks)})
