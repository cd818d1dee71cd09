"""What an opening or a closing asks of a hand, and whether a hand is large enough for it."""

from __future__ import annotations

from typing import Protocol

from meldlog_contracts.hooks import Rules
from meldlog_contracts.problems import Fault
from meldlog_variants.rules.dealing import DealingRules, cards_each, most_laid
from meldlog_variants.rules.opening_worth import Required, dearest
from meldlog_variants.rules.sets_and_runs import MIN_SET, MeldRules


class Conditions(Protocol):
    """The house rules of opening that are looked at here."""

    @property
    def lay_mode(self) -> str:
        """Whether melds are laid bit by bit."""

    @property
    def opening_threshold(self) -> int:
        """Points to open."""

    @property
    def opening_required_melds(self) -> Required:
        """Melds that an opening needs."""

    @property
    def close_required_melds(self) -> Required:
        """Melds that a closing needs."""

    @property
    def close_exempt_from_threshold(self) -> bool:
        """Whether a closing needs no threshold."""


def cards_required(required: Required, shortest_run: int) -> int:
    """The fewest cards that the melds required can have; any meld has as many as the smallest."""
    if required == "none":
        return MIN_SET
    return shortest_run if required == "clean_run" else shortest_run + MIN_SET


def too_much(seats: int, house: Conditions, rules: Rules) -> list[Fault]:
    """Why nobody could ever lay anything, where that is so."""
    if not rules.house.has(DealingRules):
        return []
    size = cards_each(rules.house.of(DealingRules), seats)
    laid = most_laid(size, rules)
    shortest = rules.house.of(MeldRules).min_run_length
    opening, closing = (
        cards_required(required, shortest)
        for required in (house.opening_required_melds, house.close_required_melds)
    )
    most = laid * dearest(rules)
    # Without an exemption a closing is an opening as well.
    opens = opening <= laid and house.opening_threshold <= most
    closes = closing <= laid and (house.close_exempt_from_threshold or opens)
    if closes or (opens and house.lay_mode == "progressive"):
        return _nothing_to_lay_off(house, rules)
    if closing > laid and (opening > laid or house.lay_mode == "all_at_once"):
        detail = f"the melds required have {closing} cards, and a hand of {size} lays {laid} at most"
        return [Fault("/house_rules/hand_size", detail)]
    if opening > laid:
        detail = f"the melds required have {opening} cards, and a hand of {size} lays {laid} at most"
        return [Fault("/house_rules/hand_size", detail)]
    detail = f"the {laid} cards that a hand of {size} lays are worth {most} points at most"
    return [Fault("/house_rules/opening_threshold", detail)]


def _nothing_to_lay_off(house: Conditions, rules: Rules) -> list[Fault]:
    """Beanie's last lay-off has no place where nothing is ever laid off."""
    flat = rules.house.flat
    wanted = flat.get("no_meld_first_round") is True and flat.get("first_round_whole_hand_out") is True
    if house.lay_mode == "all_at_once" and wanted and flat.get("beanie_after_out_layoff") != "none":
        detail = "where all is laid at once nothing is laid off afterwards"
        return [Fault("/house_rules/beanie_after_out_layoff", detail)]
    return []
