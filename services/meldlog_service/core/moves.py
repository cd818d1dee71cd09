"""Every legal command of a seat, made from that seat's view alone.

The list is complete in this normal form: a card is laid off one at a time (a longer lay-off is a sequence of these),
where several wilds could change places within one meld, one order is named, and where melds can only be laid together,
the smallest lists of them are named. Resigning is always possible and not listed. Where more than `limit` commands are
legal, or not all lists of melds were looked at, the list says that it is truncated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product

from msgspec import Struct

from meldlog_contracts.cards import JOKER, RANKS, SUITS, Card
from meldlog_contracts.commands import (
    AddPenalty,
    Batch,
    Decline,
    DeclineDiscard,
    Discard,
    Draw,
    LayMeld,
    LayOff,
    NameWild,
    PlayCommand,
    Reclaim,
    ReturnDraw,
)
from meldlog_contracts.events import Event
from meldlog_contracts.melds import MIN_MELD, Reading, any_of, first_ranks
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Meld, Table
from meldlog_service.core import laying, lookahead, turns
from meldlog_service.core.evolve import evolve
from meldlog_service.core.ruleset import Ruleset

LIMIT = 2000
CANDIDATES = 5000
"""How many melds of a hand are looked at: with two packs a player can hold a whole discard pile."""
_MIXED_RUN = (Card("5C"), Card("6D"), Card("7H"), Card("8S"))
"""A run only where a game allows runs of mixed suits."""


class Spent(Exception):
    """As many candidates were looked at as may be."""


class Budget:
    """Candidates that may still be looked at."""

    __slots__ = ("left",)

    def __init__(self, candidates: int = CANDIDATES) -> None:
        self.left = candidates

    def spend(self) -> None:
        """Look at one more.

        Raises:
            Spent: when there were enough.
        """
        self.left -= 1
        if self.left < 0:
            raise Spent


class Moves(Struct, frozen=True):
    """Legal commands of a seat at a version, ready to be posted; a list of commands stands for one opening."""

    version: int
    seat: int
    moves: tuple[PlayCommand | Batch, ...]
    truncated: bool = False


def moves(table: Table, seat: int, rules: Ruleset, limit: int = LIMIT) -> Moves:
    """What a seat may do now; nothing when it is not its turn. ``table`` is the one that the seat knows."""
    listed = _Listed(table, seat, rules)
    if table.status == "playing" and table.deal.turn.seat == seat:
        for command in listed.legal():
            if len(listed.found) == limit:
                listed.complete = False
                break
            listed.found.append(command)
    return Moves(table.version, seat, tuple(listed.found), not listed.complete)


class _Listed:
    """One seat's list under way."""

    def __init__(self, table: Table, seat: int, rules: Ruleset) -> None:
        self.table = table
        self.seat = seat
        self.rules = rules
        self.found: list[PlayCommand | Batch] = []
        self.complete = True

    def legal(self) -> Iterator[PlayCommand | Batch]:
        table, rules = self.table, self.rules
        phase = table.deal.turn.phase
        candidates: Iterable[PlayCommand] = ()
        if phase == "draw":
            candidates = _draws(table, rules)
        elif phase in ("play", "lay_off"):
            yield from self._laying()
            if phase == "play":
                yield from self._discards()
            candidates = (ReturnDraw(),) if table.deal.turn.taken else ()
            if phase == "lay_off":
                candidates = (Decline(),)
        elif phase == "naming_wild":
            candidates = (NameWild(rank) for rank in RANKS)
        elif phase == "offer" and table.offer is not None:
            candidates = (AddPenalty(table.offer[1]), Decline())
        for command in candidates:
            if _allowed(command, table, self.seat, rules):
                yield command

    def _discards(self) -> Iterator[Discard]:
        """Each card that is held may be discarded, unless a rule objects; most turns oblige to nothing."""
        table, seat, rules = self.table, self.seat, self.rules
        obliged = bool(rules.obligations(table, seat))
        for card in dict.fromkeys(table.hand(seat)):
            command = Discard(card)
            if rules.objection(command, table, seat) is None and not (
                obliged and lookahead.objection_to_discard(card, table, seat, rules)
            ):
                yield command

    def _laying(self) -> Iterator[PlayCommand | Batch]:
        table, seat, rules = self.table, self.seat, self.rules
        hand = table.hand(seat)
        wilds = rules.wild_cards(table.deal.wild)
        keeps_one = rules.table_rules.final_discard_required and table.deal.turn.phase == "play"
        waiting: list[Reading] = []
        try:
            for reading in readings(hand, wilds, len(hand) - keeps_one, rules, Budget()):
                try:
                    events = laying.lay_reading(reading, table, seat, rules)
                except Refused:
                    continue
                if _settled(events, table, seat, rules):
                    yield _lay(reading, wilds)
                else:
                    waiting.append(reading)
        except Spent:
            self.complete = False
        if len(waiting) > 1:
            yield from self._together(tuple(waiting), wilds)
        yield from self._on_melds(hand, wilds)

    def _on_melds(self, hand: tuple[Card, ...], wilds: frozenset[Card]) -> Iterator[PlayCommand]:
        """Card by card, meld by meld; a card is looked at closer only where its rank may be of use."""
        useful = [(meld, _ranks_wanted(meld), _ranks_replaced(meld)) for meld in self.table.deal.melds]
        for card in dict.fromkeys(hand) if useful else ():
            rank, is_wild = card[0], card in wilds
            for meld, wanted, replaced in useful:
                if is_wild or rank in wanted:
                    yield from _lay_offs(card, meld, self.table, self.seat, self.rules)
                if not is_wild and rank in replaced:
                    yield from _exchanges(card, meld, self.table, self.seat, self.rules)

    def _together(self, waiting: tuple[Reading, ...], wilds: frozenset[Card]) -> Iterator[Batch]:
        """Openings and closings that take several melds at once."""
        together = self.rules.laid_together(waiting, self.table, self.seat)
        self.complete = self.complete and together.complete
        for places in together.sets:
            table = self.table
            try:
                for place in places:
                    for event in laying.lay_reading(waiting[place], table, self.seat, self.rules):
                        table = evolve(table, event)
            except Refused:
                continue
            if self.rules.unsettled(table, self.seat) is None:
                yield Batch(tuple(_lay(waiting[place], wilds) for place in places))


def _lay(reading: Reading, wilds: frozenset[Card]) -> LayMeld:
    return LayMeld(reading.cards, None if wilds.isdisjoint(reading.cards) else reading.reads_as)


def _draws(table: Table, rules: Ruleset) -> Iterator[PlayCommand]:
    yield Draw("stock")
    lying = len(table.deal.discard_pile)
    for count in range(1, (min(1, lying) if rules.table_rules.discard_take_count == "one" else lying) + 1):
        yield Draw("discard", count)
    yield DeclineDiscard()


def _allowed(command: PlayCommand, table: Table, seat: int, rules: Ruleset) -> bool:
    try:
        turns.judged(command, table, seat, rules)
    except Refused:
        return False
    return True


def _settled(events: tuple[Event, ...], table: Table, seat: int, rules: Ruleset) -> bool:
    """Whether table actions may stand by themselves, where a game asks that at all."""
    if not rules.settlers:
        return True
    for event in events:
        table = evolve(table, event)
    return rules.unsettled(table, seat) is None


def _lay_offs(card: Card, meld: Meld, table: Table, seat: int, rules: Ruleset) -> Iterator[LayOff]:
    """Lay-offs of one card on one meld."""
    ways = rules.additions(meld, (card,), table.deal.wild)
    for way in ways:
        try:
            events = laying.lay_addition(way, meld, table, seat, rules)
        except Refused:
            continue
        if _settled(events, table, seat, rules):
            end = None if len(ways) == 1 else ("low" if way.low else "high")
            yield LayOff(meld.number, (card,), None, end)  # type: ignore[arg-type]


def _exchanges(card: Card, meld: Meld, table: Table, seat: int, rules: Ruleset) -> Iterator[Reclaim]:
    """Exchanges of one natural for wilds of one meld."""
    for wanted in dict.fromkeys(meld.cards[place] for place in rules.exchanges(meld, card, table.deal.wild)):
        command = Reclaim(meld.number, card, wanted)
        try:
            events = laying.reclaim(command, table, seat, rules)
        except Refused:
            continue
        if _settled(events, table, seat, rules):
            yield command


def _ranks_wanted(meld: Meld) -> str:
    """Ranks of naturals that could join a meld: a set's own, a run's neighbours."""
    if meld.kind == "set":
        return meld.reads_as[0][0]
    below = RANKS[(RANKS.index(meld.reads_as[0][0]) - 1) % len(RANKS)]
    above = RANKS[(RANKS.index(meld.reads_as[-1][0]) + 1) % len(RANKS)]
    return below + above


def _ranks_replaced(meld: Meld) -> str:
    """Ranks of naturals that wilds of a meld stand for."""
    if meld.cards == meld.reads_as:
        return ""
    return "".join(
        meaning[0] for lying, meaning in zip(meld.cards, meld.reads_as, strict=True) if lying != meaning
    )


# -- melds in a hand ---------------------------------------------------------------------------------------------------


def readings(
    hand: tuple[Card, ...], wilds: frozenset[Card], most: int, rules: Ruleset, budget: Budget
) -> Iterator[Reading]:
    """Every set and run of at most `most` cards that lies in a hand, each choice of cards once."""
    if most < MIN_MELD:
        return
    yield from _sets(hand, wilds, most, rules, budget)
    yield from _runs(hand, wilds, most, rules, budget)
    if rules.kind_of(_MIXED_RUN) == "run":
        yield from _mixed_runs(hand, wilds, most, rules, budget)


def _choices(cards: tuple[Card, ...], count: int) -> Iterator[tuple[Card, ...]]:
    """Ways to take some of these cards, equal texts not told apart."""
    if count == 0:
        yield ()
    elif len(set(cards)) == len(cards):
        yield from combinations(cards, count)
    else:
        yield from dict.fromkeys(combinations(sorted(cards), count))


def _sets(
    hand: tuple[Card, ...], wilds: frozenset[Card], most: int, rules: Ruleset, budget: Budget
) -> Iterator[Reading]:
    held = tuple(card for card in hand if card in wilds)
    by_rank: dict[str, list[Card]] = {}
    for card in hand:
        if card != JOKER:
            by_rank.setdefault(card[0], []).append(card)
    ranks = RANKS if len(held) >= MIN_MELD and not rules.table_rules.min_naturals_per_meld else by_rank
    for rank in ranks:
        naturals = tuple(sorted(by_rank.get(rank, ()), key=lambda card: SUITS.index(card[1])))
        others = tuple(card for card in held if card[0] != rank or card == JOKER)
        if len(naturals) + len(others) < MIN_MELD:
            continue
        for size in range(MIN_MELD, min(most, len(naturals) + len(others)) + 1):
            for wild_count in range(max(0, size - len(naturals)), min(size, len(others)) + 1):
                if rules.limits_broken(wild_count, size) is not None:
                    continue
                meaning = (any_of(rank),) * wild_count
                for own in _choices(naturals, size - wild_count):
                    budget.spend()
                    if rules.kind_of(own + meaning) != "set":
                        continue
                    for wild in _choices(others, wild_count):
                        budget.spend()
                        yield Reading("set", own + wild, own + meaning)


def _runs(
    hand: tuple[Card, ...], wilds: frozenset[Card], most: int, rules: Ruleset, budget: Budget
) -> Iterator[Reading]:
    held = tuple(card for card in hand if card in wilds)
    there = frozenset(hand)
    least_naturals = rules.table_rules.min_naturals_per_meld
    most_wilds = rules.table_rules.max_wilds_per_meld
    wild_limit = len(held) if most_wilds is None else min(most_wilds, len(held))
    for stretches in rules.run_windows():
        longest = stretches[-1]
        if not wild_limit and longest[0] not in there:
            continue  # most windows, in most hands
        # Missing naturals along the stretch: once more are missing than there are wilds, no longer run can be made.
        missing = 0
        for place, meaning in enumerate(longest):
            if meaning not in there:
                missing += 1
                if missing > wild_limit:
                    reach = place
                    break
        else:
            reach = len(longest)
        for stretch in stretches:
            length = len(stretch)
            if length > reach or length > most:
                break
            for reading in _fillings(stretch, there, held, wild_limit, least_naturals):
                budget.spend()
                yield reading


def _mixed_runs(
    hand: tuple[Card, ...], wilds: frozenset[Card], most: int, rules: Ruleset, budget: Budget
) -> Iterator[Reading]:
    """Runs of more than one suit, where a game allows them; a wild in one reads as a club."""
    held = dict.fromkeys(card for card in hand if card != JOKER)
    naturals = {rank: tuple(card for card in held if card[0] == rank) for rank in RANKS}
    wilds_held = any(card in wilds for card in hand)
    for length in range(MIN_MELD, min(most, len(RANKS)) + 1):
        for start in first_ranks(length):
            ranks = [RANKS[(start + step) % len(RANKS)] for step in range(length)]
            for lying in product(*(_lying(naturals[rank], rank, wilds_held=wilds_held) for rank in ranks)):
                budget.spend()
                if len({card[1] for card in lying}) == 1 or rules.kind_of(lying) != "run":
                    continue
                gaps = [place for place, card in enumerate(lying) if card not in hand]
                free = tuple(card for card in hand if card in wilds and card not in lying)
                if rules.limits_broken(len(gaps), length) is not None:
                    continue
                for wild in _choices(free, len(gaps)) if len(gaps) <= len(free) else ():
                    placed = list(lying)
                    for place, card in zip(gaps, wild, strict=True):
                        placed[place] = card
                    yield Reading("run", tuple(placed), lying)


def _lying(naturals: tuple[Card, ...], rank: str, *, wilds_held: bool) -> tuple[Card, ...]:
    """What can lie at one place of a run of mixed suits: the naturals held, or a wild that reads as a club."""
    club = Card(rank + SUITS[0])
    return (*naturals, club) if (wilds_held or not naturals) and club not in naturals else naturals


def _fillings(
    stretch: tuple[Card, ...],
    there: frozenset[Card],
    held: tuple[Card, ...],
    wild_limit: int,
    least_naturals: int,
) -> Iterator[Reading]:
    """Ways to make one stretch: every missing card is a wild, and a wild may lie even where the natural is held."""
    gaps = [place for place, meaning in enumerate(stretch) if meaning not in there]
    solid = [place for place in range(len(stretch)) if place not in gaps]
    for more in range(min(wild_limit - len(gaps), len(solid)) + 1):
        if len(solid) - more < least_naturals:
            return
        for replaced in combinations(solid, more):
            places = sorted((*gaps, *replaced))
            if not places:
                yield Reading("run", stretch, stretch)
                continue
            kept = [stretch[place] for place in solid if place not in replaced]
            free = list(held)
            for card in kept:
                if card in free:
                    free.remove(card)  # a card of the wild rank that lies in its own place
            for wild in _choices(tuple(free), len(places)):
                placed = list(stretch)
                for place, card in zip(places, wild, strict=True):
                    placed[place] = card
                if any(stretch[place] in wild for place in places):
                    continue  # a card of the wild rank that could lie in its own place is listed as a natural there
                yield Reading("run", tuple(placed), stretch)
