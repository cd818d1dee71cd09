"""Two options that only tests play by: they reach what the sheet says of "a rule of the game"."""

from __future__ import annotations

from typing import Literal

from meldlog_contracts.commands import DeclineDiscard, ReturnDraw
from meldlog_contracts.hooks import ASK_DEALER, VariantInfo, hookimpl


class DealerNames:
    """The dealer names the wild rank."""

    @hookimpl
    def variant_info(self) -> VariantInfo:
        """An option."""
        return VariantInfo(name="dealer-names", title="The dealer names", rules_version=1, kind="option")

    @hookimpl
    def wild_ranks(self, chosen: str | None) -> tuple[str, ...] | Literal["ask_dealer"]:
        """Ask the dealer, and take the answer."""
        return ASK_DEALER if chosen is None else (chosen,)


class PutBack:
    """A discard taken may be put back."""

    @hookimpl
    def variant_info(self) -> VariantInfo:
        """An option."""
        return VariantInfo(name="put-back", title="A discard may be put back", rules_version=1, kind="option")

    @hookimpl
    def permits(self, command: DeclineDiscard | ReturnDraw) -> bool:
        """Permit it."""
        return isinstance(command, ReturnDraw)
