"""How the service says no: a code, the clause that was broken, and a sentence for the person who asked."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Code = Literal[
    "illegal_move",
    "not_your_turn",
    "wrong_phase",
    "game_over",
    "seat_taken",
    "not_your_seat",
    "forbidden",
    "invalid",
]
"""Stable names of refusals, as they stand in problem documents."""


class Shortfall(Struct, frozen=True):
    """What was reached of what is needed, as the 46 of 51 points of an opening."""

    points: int
    needed: int


class Objection(Struct, frozen=True, repr_omit_defaults=True):
    """A rule's no: the clause of the rule sheet, and what is wrong in words that reveal no hidden card.

    Where something is counted and too little, `shortfall` has the numbers, for whoever shows them.
    """

    rule: str
    detail: str
    shortfall: Shortfall | None = None


class Fault(Struct, frozen=True):
    """One thing wrong in a body: a JSON pointer (RFC 6901) and a sentence."""

    pointer: str
    detail: str


class Refused(Exception):
    """A command that may not be. Nothing has happened and nothing is stored.

    Attributes:
        code: stable, snake_case.
        rule: id of the clause broken, where a rule of the game says no.
        detail: a sentence for the person who asked; it never names a card that person cannot see.
        faults: for ``invalid``, what is wrong where.
        shortfall: what was counted and is too little, where the rule says so.
    """

    def __init__(
        self,
        code: Code,
        detail: str,
        rule: str | None = None,
        faults: tuple[Fault, ...] = (),
        shortfall: Shortfall | None = None,
    ) -> None:
        super().__init__(detail)
        self.code: Code = code
        self.detail = detail
        self.rule = rule
        self.faults = faults
        self.shortfall = shortfall
