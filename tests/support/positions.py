"""Tables written as text, so that a test reads as a rule sheet does: these hands, this on the table, this command.

A card is two characters; in a meld ``9C=4H`` is the nine of clubs standing for the four of hearts, and
``1: QS QH 9S=QX`` is a set that seat 1 laid. Cards that are mentioned nowhere lie in the stock, in standard order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace
from tests.support.games import GAME_SEED, START_MS, VARIANT, Game

from meldlog_contracts.cards import RANKS, Card, cards
from meldlog_contracts.commands import Command
from meldlog_contracts.events import Event
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Deal, HouseValue, Meld, Phase, Table, Turn
from meldlog_service.core.context import Context
from meldlog_service.core.decide import decide
from meldlog_service.core.moves import Moves, moves
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.core.views import conceal


class Position(Struct, frozen=True):
    """A table in the middle of a deal, and the rules it is played by."""

    table: Table
    rules: Ruleset

    def events(self, command: Command, by: str | None = None) -> tuple[Event, ...]:
        """What a command causes, by default of the seat on turn.

        Raises:
            Refused: when it may not be.
        """
        return decide(command, self._actor(by), self.table, self.rules, Context(START_MS, GAME_SEED)).events

    def after(self, *commands: Command) -> Position:
        """The position after commands of whoever is on turn.

        Raises:
            Refused: when one may not be.
        """
        table = self.table
        for command in commands:
            actor = f"seat:{table.deal.turn.seat}"
            table = decide(command, actor, table, self.rules, Context(START_MS, GAME_SEED)).table
        return Position(table, self.rules)

    def refusal(self, command: Command, by: str | None = None) -> Refused:
        """The refusal that a command meets.

        Raises:
            AssertionError: when it is accepted.
        """
        try:
            self.events(command, by)
        except Refused as refused:
            return refused
        raise AssertionError(f"{command} was accepted")

    def moves(self, seat: int | None = None) -> Moves:
        """Listed moves of a seat, by default of the one on turn."""
        who = self.table.deal.turn.seat if seat is None else seat
        return moves(conceal(self.table, who), who, self.rules)

    def _actor(self, by: str | None) -> str:
        return f"seat:{self.table.deal.turn.seat}" if by is None else by


def position(
    *hands: str,
    melds: Sequence[str] = (),
    pile: str = "",
    stock: str | None = None,
    wild: str = "9",
    turn: int = 0,
    phase: Phase = "play",
    held: int | None = None,
    drawn: str | None = None,
    taken: str = "",
    turns: int = 20,
    laid: Sequence[int] = (),
    house_rules: Mapping[str, HouseValue] | None = None,
    options: Sequence[str] = (),
    variant: str = VARIANT,
) -> Position:
    """Set a table: one text per hand, `turn` to act in `phase`.

    Args:
        hands: One per seat.
        melds: In the order in which they were laid; who laid one has laid.
        pile: Discards, bottom first.
        stock: Front first; by default every other card of the pack.
        wild: Wild rank of the deal, which also says which deal it is.
        turn: The seat on turn.
        phase: What is awaited from it.
        held: Cards it had when its turn began; by default what it holds, less the card drawn or taken.
        drawn: The last card of its hand, if it was drawn from the stock.
        taken: Discards taken in this turn, which are in its hand.
        turns: Turns begun in this deal.
        laid: Seats that have laid a meld of their own besides those seen in `melds`.
        house_rules: As given when a game is created.
        options: Likewise.
        variant: Likewise.

    Raises:
        ValueError: for a card that is none, or that lies there more often than the pack has it.
    """
    game = Game(variant, seats=len(hands), house_rules=house_rules, options=options).started()
    held_cards = tuple(cards(hand) for hand in hands)
    lying = tuple(meld(text, number) for number, text in enumerate(melds, 1))
    discards = cards(pile)
    left = Counter(game.rules.pack())
    left.subtract(card for hand in held_cards for card in hand)
    left.subtract(card for one in lying for card in one.cards)
    left.subtract(discards)
    rest = tuple(cards(stock)) if stock is not None else tuple(left.elements())
    left.subtract(rest)
    if min(left.values()) < 0:
        raise ValueError(f"more cards than the pack has: {[card for card in left if left[card] < 0]}")
    new = cards(taken) + (() if drawn is None else cards(drawn))
    owners = {one.owner for one in lying} | set(laid)
    since = tuple(1 if seat in owners else None for seat in range(len(hands)))
    here = Turn(
        seat=turn,
        phase=phase,
        held=len(held_cards[turn]) - len(new) if held is None else held,
        drawn=None if drawn is None else Card(drawn),
        taken=cards(taken),
        unused=cards(taken),
    )
    number = RANKS.index(wild[0]) + 1 if wild and wild != "JK" else 1
    base = game.table.deal
    deal = Deal(
        number=number,
        dealer=base.dealer,
        starter=base.starter,
        commitment=base.commitment,
        wild=tuple(wild.split()),
        hands=held_cards,
        stock=rest,
        discard_pile=discards,
        melds=lying,
        turn=here,
        turns=turns,
        laid_at=since,
        acted_at=since,
    )
    played = number - 1
    nothing = (0,) * game.table.sides
    table = replace(
        game.table,
        deal=deal,
        scores=(nothing,) * played,
        outs=(None,) * played,
        wilds=tuple((rank,) for rank in RANKS[:number]),
    )
    return Position(table, game.rules)


def meld(text: str, number: int = 1) -> Meld:
    """Read a meld, low card first: ``9C=4H 5H 6H``, or ``1: QS QH 9S=QX`` for one that seat 1 laid."""
    owner, _, words = text.rpartition(":")
    pairs = [word.split("=") for word in words.split()]
    lying = cards(" ".join(pair[0] for pair in pairs))
    reads_as = tuple(Card(pair[-1]) for pair in pairs)
    seat = int(owner or 0)
    kind = "set" if len({meaning[0] for meaning in reads_as}) == 1 else "run"
    return Meld(number, kind, seat, lying, reads_as, (seat,) * len(lying), len(lying))  # type: ignore[arg-type]
