"""One move's search: partitions of the hand with cards that may yet be drawn, within a number of hands looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from meldlog_contracts.cards import Card, without
from meldlog_contracts.commands import Discard, Draw
from meldlog_service.bots.house import House, house_of, number
from meldlog_service.bots.loose import RANK
from meldlog_service.bots.outs import outs
from meldlog_service.bots.partition import MOST_FOUND, Left, Partitions
from meldlog_service.bots.position import Position
from meldlog_service.bots.reckoning import MELD, completes_meld, is_wild
from meldlog_service.bots.strategy import Move
from meldlog_service.bots.table_melds import fits_table, places
from meldlog_service.bots.unseen import Unseen
from meldlog_service.bots.ways import cards_laid, melds
from meldlog_service.bots.worth import TWO, Worth

FITS_TABLE = 8.0
"""About what it costs, in points, when the next player can lay a discard off, and so has a card less."""
MAKES_MELD = 4.0
"""About what it costs when the next player makes a meld of it."""
PRIOR = 1.0
"""How much is given on what a card costs, less the cards that would make a meld with it, before any search."""
PRIOR_FLAT = 0.3
"""The same where all hands cost the same."""
FEW_FUTURES = 40
"""So many ways that the deal may go tell half of what they seem to: with several wilds in a large hand no more than a
handful of ways are looked at in ten milliseconds."""
LONG_RUNS = 0.1
"""How far these are trusted where a run takes more than three cards: they have not told more there than what is known
before any search."""
FEW = 3
"""Cards of a hand with which no discard is taken that is not used at once: it might have to be thrown, and may not."""
MANY = 5
"""With more cards than these there is always another to throw than a discard that was taken."""
MOST_TAKEN = 6
"""Discards that it thinks of taking together."""
MEAN_HOPE = 2
"""Where laid cards count, a dear card is worth more hope: by this part of what it costs."""
PAIR = 2
"""The number of cards of which one is thrown and the other ends the deal, where a lone two does."""
GUESS = 4
"""A guess at what the next player holds counts as so many hands looked at."""
GUESSES = 5
"""One part of so many of all the work goes into such guesses."""


class Search:
    """What a seat can find out about its move.

    Args:
        position: The turn.
        hands: How many hands may be looked at: all the work there is.
        thorough: Whether it reckons with the melds that must be among the first, and with discards that must be kept.
    """

    def __init__(self, position: Position, hands: int = 1, *, thorough: bool = False) -> None:
        self.position = position
        self._asked = 0
        self._hands = hands
        self._thorough = thorough
        table, seat = position.table, position.seat
        self.house: House = house_of(table)
        self.unseen = Unseen(table, seat, self.house)
        may_lay_off = table.has_laid(seat) or not self.house.own_first
        on_table = places(table, self.house) if may_lay_off else frozenset()
        costs = [self.cost(card) for card in self.unseen.cards]
        self._worth = Worth(table, seat, self.house, sum(costs) / max(1, len(costs)))
        needed = self.house.required if thorough and not self._worth.has_opened else 0
        self._partitions = Partitions(self.house, on_table, needed, max(hands, MOST_FOUND))

    @property
    def looked_at(self) -> int:
        """Hands, and parts of hands, looked at by now."""
        return self._asked + self._partitions.found

    # -- laying --------------------------------------------------------------------------------------------------------

    def lay(self) -> Move | None:
        """The melds after which least is left over: of these with the fewest wilds, of these the most cards."""
        best: tuple[tuple[int, int, int], Move] | None = None
        seen: set[tuple[Card, ...]] = set()
        for move in melds(self.position):
            cards = cards_laid(move)
            if (alike := tuple(sorted(cards))) in seen or not self.position.leaves_a_discard(cards):
                continue
            seen.add(alike)
            left = self.left(without(self.position.hand, cards))
            key = (left.cost, sum(self.is_wild(card) for card in cards), -len(cards))
            if best is None or key < best[0]:
                best = key, move
        return None if best is None else best[1]

    # -- discarding ----------------------------------------------------------------------------------------------------

    def best_discard(self) -> Card | None:
        """The natural that is best thrown; None where only wilds can be."""
        thrown = list(dict.fromkeys(move.card for move in self.position.all(Discard)))
        candidates = [card for card in thrown if not self.is_wild(card)]
        if self._worth.twos and len(self.position.hand) == PAIR:
            for card in candidates:
                if without(self.position.hand, (card,))[0][0] == TWO:
                    return card
        if len(candidates) > 1:
            over = set(self.left(self.position.hand).cards)
            candidates = [card for card in candidates if number(card) in over] or candidates
        if len(candidates) < 2:  # noqa: PLR2004 -- there is nothing to choose
            return candidates[0] if candidates else None
        danger = self.danger()
        worth = dict.fromkeys(candidates, 0.0)
        futures = 0
        while not futures or self.looked_at < self._hands:
            drawn = self.unseen.draws(self.position.rng)
            self._look_on(candidates, drawn, worth)
            futures += 1
        chances = {card: self.cost(card) - self.hopes(card) for card in candidates}
        prior = PRIOR_FLAT if self.house.flat else PRIOR
        trust = LONG_RUNS if self.house.shortest_run > MELD else 1.0
        weight = trust / (futures + FEW_FUTURES)
        return max(candidates, key=lambda card: weight * worth[card] - danger(card) + prior * chances[card])

    def hopes(self, card: Card) -> float:
        """What it is worth to keep a card that is in no meld: a point for each card that would make a meld with it."""
        others = [held for held in without(self.position.hand, (card,)) if not self.is_wild(held)]
        chances = outs(card, others, self.unseen.count, self.house)
        return chances * self.cost(card) / MEAN_HOPE if self.house.laid_count else chances

    def _look_on(self, candidates: Iterable[Card], drawn: Sequence[Card], worth: dict[Card, float]) -> None:
        """Add to every candidate what throwing it is worth where these cards are drawn."""
        hand = (*self.position.hand, *drawn)
        left, total = self.left(hand), self._total(hand)
        for card in candidates:
            self._asked += 1
            if number(card) in left.cards:
                worth[card] += self._worth.after(left, len(drawn), total, thrown=number(card))
            else:
                worth[card] += self._worth.after(
                    self.left(without(hand, (card,))), len(drawn), total - self.cost(card)
                )

    def danger(self) -> Callable[[Card], float]:
        """About how many points it costs that the next player gets a card."""
        following = self._next_opponent()
        if following is None:
            return lambda _: 0.0
        position, table = self.position, self.position.table
        lays_off, run = self.next_lays_off(), self.house.shortest_run
        guesses = [
            self.unseen.hand(following, position.rng) for _ in range(max(1, self._hands // (GUESS * GUESSES)))
        ]
        self._asked += GUESS * len(guesses)

        def costs(card: Card) -> float:
            if lays_off and fits_table(card, table, position.wild):
                return FITS_TABLE
            used = sum(completes_meld(card, hand, position.wild, run) for hand in guesses)
            return MAKES_MELD * used / len(guesses)

        return costs

    def next_lays_off(self) -> bool:
        """Whether the next player is an opponent who may take a discard and lay it off."""
        following = self._next_opponent()
        return following is not None and (self.position.table.has_laid(following) or not self.house.own_first)

    def _next_opponent(self) -> int | None:
        """The seat that may take what is discarded now; none if it is a partner's, or can hardly take anything."""
        table, seat = self.position.table, self.position.seat
        step = -1 if table.house_rules.get("direction") == "ccw" else 1
        following = (seat + step) % len(table.seats)
        alone = len(table.deal.hands[following]) == 1 and table.house_rules.get("one_card_rule") is True
        must_open = self.house.threshold and not table.has_laid(following)
        return None if alone or must_open or table.side(following) == table.side(seat) else following

    # -- drawing -------------------------------------------------------------------------------------------------------

    def is_of_use(self, card: Card) -> bool:
        """Whether a discard goes into a meld, or onto one, without any other card being left over for it."""
        if self.position.table.deal.turn.returned:
            return False  # it was taken in this turn already, and led nowhere
        hand = self.position.hand
        return self._partitions.loss(self.left((*hand, card))) <= self._partitions.loss(self.left(hand))

    def discards_to_keep(self) -> int:
        """How many discards may be taken at once without being used in the same turn; 0 where none may."""
        table, position = self.position.table, self.position
        counts = [move.count for move in position.all(Draw) if move.source == "discard"]
        rules = table.house_rules
        rule = rules.get(f"discard_take_{'after' if table.has_laid(position.seat) else 'before'}_meld")
        thrown_again = rules.get("may_return_taken_discard") is not False
        kept = thrown_again or (self._thorough and len(position.hand) > MANY)
        if table.deal.turn.returned or len(position.hand) < FEW or not counts:
            return 0
        if rule == "not_this_turn":
            return min(max(counts), MOST_TAKEN)
        return 1 if rule == "free" and kept else 0

    def at_once(self, count: int) -> int:
        """What so many discards would bring without any more: what is laid then, less what is left over."""
        pile = self.position.table.deal.discard_pile
        cards = (*self.position.hand, *pile[len(pile) - count :])
        return sum(self.cost(card) for card in cards) - 2 * self.left(cards).cost

    def gains_of_discards(self, most: int) -> list[float]:
        """How much better the hand is expected to do with one discard, two, … than with a card of the stock."""
        pile = self.position.table.deal.discard_pile
        hand, futures = self.position.hand, 0
        gains = [0.0] * most
        while not futures or self.looked_at < self._hands:
            drawn = self.unseen.draws(self.position.rng)
            stock = self._after((*hand, *drawn), len(drawn))
            for count in range(1, most + 1):
                gains[count - 1] += self._after((*hand, *pile[-count:], *drawn[1:]), len(drawn)) - stock
            futures += 1
        return [gain / futures for gain in gains]

    def _after(self, cards: Sequence[Card], turns: int) -> float:
        return self._worth.after(self.left(cards), turns, self._total(cards))

    # -- small things --------------------------------------------------------------------------------------------------

    def left(self, cards: Iterable[Card]) -> Left:
        """What the best partition of these cards leaves over."""
        self._asked += 1
        naturals: list[int] = []
        wilds = 0
        for card in cards:
            if self.is_wild(card):
                wilds += 1
            else:
                naturals.append(number(card))
        return self._partitions.best(tuple(sorted(naturals)), wilds)

    def _total(self, cards: Iterable[Card]) -> int:
        """What cards cost together, where it matters."""
        return sum(self.cost(card) for card in cards) if self._worth.counts_all else 0

    def is_wild(self, card: Card) -> bool:
        """Whether a card may stand for others in this deal."""
        return is_wild(card, self.position.wild)

    def cost(self, card: Card) -> int:
        """What a card costs that is left in the hand."""
        return self.house.wild_cost if self.is_wild(card) else self.house.costs[number(card) & RANK]
