"""Looking ahead within a turn: can everything that the rules oblige a seat to do still be done?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from msgspec.structs import replace

from meldlog_contracts.cards import JOKER, RANKS, Card, less, without
from meldlog_contracts.hooks import Obligation
from meldlog_contracts.melds import MIN_MELD, Addition, Reading, window
from meldlog_contracts.problems import Objection
from meldlog_contracts.table import Meld, Table
from meldlog_service.core.ruleset import Ruleset


def objection_to_discard(card: Card, table: Table, seat: int, rules: Ruleset) -> Objection | None:
    """Why the turn may not end with this discard: an obligation is open, or bars the card."""
    hand = table.deal.hands[seat]
    for obligation in rules.obligations(table, seat):
        if obligation.put_down:
            return Objection(obligation.rule, f"meld or lay off {' '.join(obligation.put_down)} in this turn")
        if obligation.go_out and len(hand) > 1:
            return Objection(obligation.rule, "in this turn you must go out")
        barred = obligation.not_discarded
        if card in barred and hand.count(card) <= barred.count(card):
            return Objection(obligation.rule, f"{card} was taken in this turn and may not be discarded in it")
    return None


def objection_after(table: Table, seat: int, rules: Ruleset) -> Objection | None:
    """Why a table action or a taking, already folded into the table, may not be: the turn could not be ended then."""
    obligations = rules.obligations(table, seat)
    if not obligations:
        return None
    deal = table.deal
    wild = deal.wild
    here = Position(deal.hands[seat], deal.melds, table.has_laid(seat))
    wanted = Wanted.of(obligations)
    if not can_end(wanted, here, wild, rules):
        cards = wanted.put_down or wanted.not_discarded
        rule = next(one.rule for one in obligations if one.put_down or one.not_discarded)
        return Objection(rule, f"then this turn could not be ended as {' '.join(cards)} must be played")
    for obligation in obligations:
        if obligation.go_out and not can_go_out(here, wild, rules):
            return Objection(obligation.rule, "then you could not go out in this turn")
    return None


class Wanted(NamedTuple):
    """All obligations of a seat taken together."""

    put_down: tuple[Card, ...] = ()
    new_meld_only: tuple[Card, ...] = ()
    not_discarded: tuple[Card, ...] = ()

    @classmethod
    def of(cls, obligations: tuple[Obligation, ...]) -> Wanted:
        """Gather them."""
        return cls(
            tuple(card for one in obligations for card in one.put_down),
            tuple(card for one in obligations if one.new_meld_only for card in one.put_down),
            tuple(card for one in obligations for card in one.not_discarded),
        )

    def without(self, cards: tuple[Card, ...]) -> Wanted:
        """What is left when these cards are on the table."""
        return Wanted(
            less(self.put_down, cards), less(self.new_meld_only, cards), less(self.not_discarded, cards)
        )


class Position(NamedTuple):
    """A hand, the melds on the table, and whether the player has a meld there."""

    hand: tuple[Card, ...]
    melds: tuple[Meld, ...]
    has_laid: bool


def position(table: Table, seat: int) -> Position:
    """Where a seat stands."""
    return Position(table.hand(seat), table.deal.melds, table.has_laid(seat))


def laid(reading: Reading, here: Position) -> Position:
    """The position after a new meld."""
    owner = (0,) * len(reading.cards)
    meld = Meld(len(here.melds) + 1, reading.kind, 0, reading.cards, reading.reads_as, owner, len(owner))
    return Position(without(here.hand, reading.cards), (*here.melds, meld), has_laid=True)


def added(way: Addition, meld: Meld, here: Position) -> Position:
    """The position after a lay-off."""
    grown = replace(
        meld,
        cards=way.low + meld.cards + way.high,
        reads_as=way.low_reads_as + meld.reads_as + way.high_reads_as,
    )
    return Position(without(here.hand, way.cards), _with(here.melds, grown), here.has_laid)


def exchanged(place: int, card: Card, meld: Meld, here: Position) -> Position:
    """The position after a natural took the place of a wild, which is in the hand now."""
    natural = replace(
        meld,
        cards=(*meld.cards[:place], card, *meld.cards[place + 1 :]),
        reads_as=(*meld.reads_as[:place], card, *meld.reads_as[place + 1 :]),
    )
    hand = (*without(here.hand, (card,)), meld.cards[place])
    return Position(hand, _with(here.melds, natural), here.has_laid)


def can_end(wanted: Wanted, here: Position, wild: tuple[str, ...], rules: Ruleset) -> bool:
    """Whether the turn can still be ended with everything put down that must be, and something left to discard."""
    keep = 1 if rules.table_rules.final_discard_required else 0
    if not wanted.put_down:
        return _can_discard(wanted.not_discarded, here, wild, rules)
    if len(here.hand) < len(wanted.put_down) + keep:
        return False
    card = wanted.put_down[0]
    on_table = [
        (meld, way)
        for meld in (here.melds if card not in wanted.new_meld_only else ())
        for way in rules.additions(meld, (card,), wild)
    ]
    if here.has_laid and any(
        can_end(wanted.without((card,)), added(way, meld, here), wild, rules) for meld, way in on_table
    ):
        return True
    most = len(here.hand) - keep
    if any(
        can_end(wanted.without(reading.cards), laid(reading, here), wild, rules)
        for reading in melds_with(card, here.hand, wild, rules)
        if len(reading.cards) <= most
    ):
        return True
    if here.has_laid or not on_table:
        return False
    # A meld of one's own first, and then the card on one that lies there.
    others = without(here.hand, wanted.put_down)
    return any(
        can_end(wanted, laid(reading, here), wild, rules)
        for other in dict.fromkeys(others)
        for reading in melds_with(other, others, wild, rules)
        if len(reading.cards) < most
    )


def _can_discard(barred: tuple[Card, ...], here: Position, wild: tuple[str, ...], rules: Ruleset) -> bool:
    if any(here.hand.count(card) > barred.count(card) for card in here.hand):
        return True
    if rules.table_rules.final_discard_required:
        return False
    left = tuple(card for card in here.hand if card in barred)
    return not left or can_end(Wanted(put_down=left), here, wild, rules)


def melds_with(
    card: Card, hand: tuple[Card, ...], wild: tuple[str, ...], rules: Ruleset
) -> Iterator[Reading]:
    """Smallest melds of the hand that hold this card, each in one filling: naturals where they are, then wilds."""
    wilds = rules.wild_cards(wild)
    others = without(hand, (card,))
    held = tuple(one for one in others if one in wilds)
    if card in wilds:
        for other in dict.fromkeys(one for one in others if one not in wilds):
            yield from _around(other, (card, *held), others, wilds, rules, wild)
        if len(held) + 1 >= MIN_MELD:
            yield from rules.meanings((card, *held[: MIN_MELD - 1]), wild)
    if card != JOKER:
        yield from _around(card, held, others, wilds, rules, wild)


def _around(
    natural: Card,
    held: tuple[Card, ...],
    others: tuple[Card, ...],
    wilds: frozenset[Card],
    rules: Ruleset,
    wild: tuple[str, ...],
) -> Iterator[Reading]:
    """Smallest sets and runs around a natural card, filled up with the wilds given, the first of them first."""
    same_rank = tuple(
        dict.fromkeys(one for one in others if one[0] == natural[0] and one not in (*held, natural))
    )
    for count in range(min(len(same_rank), MIN_MELD - 1), -1, -1):
        missing = MIN_MELD - 1 - count
        if missing <= len(held):
            for chosen in combinations(same_rank, count):
                yield from rules.meanings((natural, *chosen, *held[:missing]), wild)
    start = RANKS.index(natural[0])
    for length in (MIN_MELD, MIN_MELD + 1):
        for below in range(length):
            stretch = window(natural[1], (start - below) % len(RANKS), length)
            if rules.kind_of(stretch) != "run":
                continue
            there = tuple(one for one in stretch if one == natural or (one in others and one not in wilds))
            missing = length - len(there)
            if missing <= len(held):
                yield from (
                    reading
                    for reading in rules.meanings((*there, *held[:missing]), wild)
                    if reading.reads_as == stretch
                )


def can_go_out(here: Position, wild: tuple[str, ...], rules: Ruleset) -> bool:
    """Whether the hand can be brought down to the card that is discarded last, exchanging where that helps."""
    if len(here.hand) <= 1:
        return True
    if here.has_laid and any(
        can_go_out(added(way, meld, here), wild, rules)
        for card in dict.fromkeys(here.hand)
        for meld in here.melds
        for way in rules.additions(meld, (card,), wild)
    ):
        return True
    if any(
        can_go_out(laid(reading, here), wild, rules)
        for card in dict.fromkeys(here.hand)
        for reading in melds_with(card, here.hand, wild, rules)
        if len(reading.cards) < len(here.hand)
    ):
        return True
    return any(
        can_go_out(exchanged(place, card, meld, here), wild, rules)
        for card in dict.fromkeys(here.hand)
        for meld in here.melds
        for place in rules.exchanges(meld, card, wild)
    )


def _with(melds: tuple[Meld, ...], meld: Meld) -> tuple[Meld, ...]:
    return tuple(meld if one.number == meld.number else one for one in melds)
