"""What the rules tests share."""

from collections.abc import Callable, Sequence
from typing import Any

from meldlog_contracts.cards import Card
from meldlog_contracts.events import DealEnded, DealScored, Event
from meldlog_contracts.table import Table
from meldlog_service.testing import Game, discard, draw, lay_off

Crazy = Callable[..., Game]
"""A game of Crazy Rummy: ``crazy(seats=4, packs=2)``."""


def everything(table: Table) -> list[Card]:
    """Every card that there is, wherever it lies."""
    deal = table.deal
    places = [*deal.hands, deal.stock, deal.discard_pile, *(meld.cards for meld in deal.melds)]
    return [card for place in places for card in place]


def about_to_go_out(game: Game, number: int = 2, totals: Sequence[int] | None = None, **others: Any) -> Game:
    """Ann's next turn can be her last: 9S and TS continue her run, and KD comes from the stock for the discard."""
    return game.given_deal(number, ann="9S TS", table=["ann: 6S 7S 8S"], stock="KD", totals=totals, **others)


def go_out(game: Game) -> DealScored:
    """Go out as prepared by `about_to_go_out`: how the deal is scored."""
    game.after(draw(), lay_off(1, "9S TS", end="high"))
    return scored(game.when(discard("KD")))


def scored(events: tuple[Event, ...]) -> DealScored:
    """How the deal that these events ended was scored."""
    (found,) = (event for event in events if isinstance(event, DealScored))
    return found


def ended(events: tuple[Event, ...]) -> DealEnded:
    """How these events ended a deal."""
    (found,) = (event for event in events if isinstance(event, DealEnded))
    return found


def is_over(events: tuple[Event, ...]) -> bool:
    """Whether these events ended a deal."""
    return any(isinstance(event, DealEnded) for event in events)
