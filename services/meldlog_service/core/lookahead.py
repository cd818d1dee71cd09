"""Looking ahead within a turn: can everything that the rules oblige a seat to do still be done?

The search plays table actions on tables of its own and asks the game's rules about each, as the turn itself would. It
is bounded: what it cannot find out is refused, and the list of moves says that it may be longer.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Literal

from meldlog_contracts.cards import JOKER, RANKS, Card, without
from meldlog_contracts.commands import LayMeld, LayOff, Reclaim
from meldlog_contracts.events import CardLaidOff, MeldLaid, WildReclaimed
from meldlog_contracts.hooks import Obligation
from meldlog_contracts.melds import MIN_MELD, Reading, window
from meldlog_contracts.problems import Objection, Refused
from meldlog_contracts.table import Table
from meldlog_service.core.evolve import evolve
from meldlog_service.core.ruleset import Ruleset

LayEnd = Literal["low", "high"] | None
POSITIONS = 100
"""How many tables a search looks at. Our own games need fewer than thirty."""


class Undecided(Refused):
    """A command that is refused because it was not found out whether the turn could be ended after it."""

    def __init__(self, rule: str) -> None:
        super().__init__(
            "illegal_move", "whether the turn could be ended then is more than can be looked through", rule
        )


def objection_to_discard(card: Card, table: Table, seat: int, rules: Ruleset) -> Objection | None:
    """Why the turn may not end with this discard: an obligation is open, or bars the card."""
    return _open(card, rules.obligations(table, seat), table.deal.hands[seat])


def _open(card: Card, obligations: tuple[Obligation, ...], hand: tuple[Card, ...]) -> Objection | None:
    for obligation in obligations:
        if obligation.put_down:
            cards = " ".join(obligation.put_down)
            todo = f"lay {cards} in a new meld" if obligation.new_meld_only else f"meld or lay off {cards}"
            return Objection(obligation.rule, f"{todo} in this turn")
        if obligation.go_out and len(hand) > 1:
            return Objection(obligation.rule, "in this turn you must go out")
        barred = obligation.not_discarded
        if card in barred and hand.count(card) <= barred.count(card):
            return Objection(obligation.rule, f"{card} was taken in this turn and may not be discarded in it")
        if len(hand) == 1 and card in obligation.not_last:
            return Objection(obligation.rule, f"{card} may not be the last card, discarded to go out")
    return None


def objection_after(table: Table, seat: int, rules: Ruleset) -> Objection | None:
    """Why a table action or a taking, already folded into the table, may not be: the turn could not be ended then.

    Raises:
        Undecided: when that was not found out.
    """
    obligations = rules.obligations(table, seat)
    if not obligations or table.deal.turn.phase == "lay_off":
        return None  # after somebody went out nobody has to end a turn
    try:
        if _Search(seat, rules, settling=any(one.put_down for one in obligations)).can_end(table):
            return None
    except _Spent:
        raise Undecided(obligations[0].rule) from None
    for one in obligations:
        if one.put_down:
            cards = " ".join(one.put_down)
            return Objection(one.rule, f"then this turn could not be ended as {cards} must be played")
    for one in obligations:
        if one.not_discarded:
            cards = " ".join(one.not_discarded)
            return Objection(
                one.rule, f"then only {cards} would be left, and may not be discarded in this turn"
            )
    for one in obligations:
        if one.go_out:
            return Objection(one.rule, "then you could not go out in this turn")
    (last,) = table.deal.hands[seat][:1] or ("nothing",)
    return Objection(obligations[0].rule, f"then only {last} would be left, which may not be discarded last")


class _Spent(Exception):
    """As many tables were looked at as may be."""


class _Search:
    """One seat's ways to end its turn."""

    def __init__(self, seat: int, rules: Ruleset, *, settling: bool) -> None:
        self.seat, self.rules = seat, rules
        self.settling = settling
        """Whether what is put down must be able to stand; a list of melds under way is judged at its own end."""
        self.left = POSITIONS
        self.seen: set[tuple[object, ...]] = set()

    def can_end(self, table: Table) -> bool:
        """Whether the turn can be ended from here, every obligation met.

        Raises:
            _Spent: when there were too many ways.
        """
        hand = table.deal.hands[self.seat]
        turn = table.deal.turn
        here = (tuple(sorted(hand)), table.deal.melds, turn.unused, turn.reclaimed)
        if here in self.seen:
            return False
        self.seen.add(here)
        self.left -= 1
        if self.left < 0:
            raise _Spent
        obligations = self.rules.obligations(table, self.seat)
        put_down = tuple(card for one in obligations for card in one.put_down)
        if put_down:
            following = self._with(put_down, table)
        elif self._may_stop(table, obligations):
            return True
        else:
            following = self._any(table)
        return any(self.can_end(after) for after in following)

    def _may_stop(self, table: Table, obligations: tuple[Obligation, ...]) -> bool:
        """Whether what lies may stand, and some card may be discarded."""
        hand = table.deal.hands[self.seat]
        if self.settling and self.rules.unsettled(table, self.seat) is not None:
            return False
        if not hand:
            return not self.rules.table_rules.final_discard_required
        return any(_open(card, obligations, hand) is None for card in dict.fromkeys(hand))

    # -- ways to go on -------------------------------------------------------------------------------------------------

    def _with(self, put_down: tuple[Card, ...], table: Table) -> Iterator[Table]:
        """Put the first of these cards down; or lay a meld of one's own without them first, where that may help."""
        card = put_down[0]
        laid_off = tuple(self._laid_off(card, table))
        yield from laid_off
        yield from self._melded(card, table.deal.hands[self.seat], table)
        fits = any(self.rules.additions(meld, (card,), table.deal.wild) for meld in table.deal.melds)
        if fits and not laid_off and not table.has_laid(self.seat):
            others = without(table.deal.hands[self.seat], put_down)
            for other in dict.fromkeys(others):
                yield from self._melded(other, others, table)

    def _any(self, table: Table) -> Iterator[Table]:
        """Lay off, lay or exchange any card."""
        hand = table.deal.hands[self.seat]
        cards = tuple(dict.fromkeys(hand))
        for card in cards:
            yield from self._laid_off(card, table)
        for card in cards:
            yield from self._melded(card, hand, table)
        for card in cards:
            yield from self._exchanged(card, table)

    def _laid_off(self, card: Card, table: Table) -> Iterator[Table]:
        if not self._leaves_enough(1, table):
            return
        for meld in table.deal.melds:
            for way in self.rules.additions(meld, (card,), table.deal.wild):
                if self._allows(LayOff(meld.number, way.cards, way.reads_as), table):
                    end: LayEnd = None if meld.kind == "set" else ("low" if way.low else "high")
                    yield evolve(table, CardLaidOff(self.seat, meld.number, end, way.cards, way.reads_as))

    def _melded(self, card: Card, among: tuple[Card, ...], table: Table) -> Iterator[Table]:
        for reading in melds_with(card, among, table.deal.wild, self.rules):
            if self._leaves_enough(len(reading.cards), table) and self._allows(
                LayMeld(reading.cards, reading.reads_as), table
            ):
                number = len(table.deal.melds) + 1
                yield evolve(
                    table, MeldLaid(self.seat, number, reading.kind, reading.cards, reading.reads_as)
                )

    def _exchanged(self, card: Card, table: Table) -> Iterator[Table]:
        for meld in table.deal.melds:
            for place in self.rules.exchanges(meld, card, table.deal.wild):
                wild = meld.cards[place]
                if self._allows(Reclaim(meld.number, card, wild), table):
                    event = WildReclaimed(self.seat, meld.number, card, wild, meld.reads_as[place])
                    yield evolve(table, event)

    def _leaves_enough(self, laid: int, table: Table) -> bool:
        held = len(table.deal.hands[self.seat])
        return laid < held or (laid == held and not self.rules.table_rules.final_discard_required)

    def _allows(self, command: LayMeld | LayOff | Reclaim, table: Table) -> bool:
        return self.rules.objection(command, table, self.seat) is None


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
