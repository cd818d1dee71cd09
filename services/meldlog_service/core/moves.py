"""Every legal command of a seat, made from that seat's view alone.

The list is complete in this normal form: a card is laid off one at a time (a longer lay-off is a sequence of these),
where several wilds could change places within one meld, one order is named, and where melds can only be laid together,
the smallest lists of them are named. Resigning is always possible and not listed. Where more than `limit` commands are
legal, or not all lists of melds were looked at, the list says that it is truncated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from meldlog_contracts.cards import RANKS, Card
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
from meldlog_contracts.melds import Reading
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Meld, Table
from meldlog_service.core import laying, lookahead, turns
from meldlog_service.core.evolve import evolve
from meldlog_service.core.holdings import Budget, Spent, readings
from meldlog_service.core.ruleset import Ruleset

LIMIT = 2000
UNDECIDED = 5
"""After so many moves of which it was not found out whether they are legal, no more melds are looked at."""


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
        self.undecided = 0

    def legal(self) -> Iterator[PlayCommand | Batch]:
        table, rules = self.table, self.rules
        phase = table.deal.turn.phase
        candidates: Iterable[PlayCommand] = ()
        if phase == "draw":
            candidates = _draws(table, rules)
        elif phase in ("play", "lay_off"):
            try:
                yield from self._laying()
            except Spent:
                self.complete = False
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
            if self._judged(command):
                yield command

    def _judged(self, command: PlayCommand) -> bool:
        """Whether a command is accepted by itself."""
        try:
            turns.judged(command, self.table, self.seat, self.rules)
        except Refused as refused:
            self._pass_over(refused)
            return False
        return True

    def _pass_over(self, refused: Refused) -> None:
        """Leave a refused command out; what was refused undecided might be missing in the list.

        Raises:
            Spent: when too much of the list is undecided to go on.
        """
        if isinstance(refused, lookahead.Undecided):
            self.complete = False
            self.undecided += 1
            if self.undecided >= UNDECIDED:
                raise Spent

    def _settled(self, events: tuple[Event, ...]) -> bool:
        """Whether table actions may stand by themselves, where a game asks that at all."""
        if not self.rules.settlers:
            return True
        table = self.table
        for event in events:
            table = evolve(table, event)
        return self.rules.unsettled(table, self.seat) is None

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
        asked = rules.asks_about(LayMeld) or bool(rules.obligations(table, seat))
        legal: list[Reading] = []
        try:
            found = readings(hand, wilds, len(hand) - keeps_one, rules, Budget())
            legal.extend(reading for reading in found if not asked or self._may_lay(reading))
        except Spent:
            self.complete = False
        if legal:
            yield from self._that_stand(tuple(legal), wilds, one_by_one=asked)
        yield from self._on_melds(hand, wilds)

    def _may_lay(self, reading: Reading) -> bool:
        """Whether a meld of the hand may be laid, whatever is settled later."""
        try:
            laying.lay_reading(reading, self.table, self.seat, self.rules)
        except Refused as refused:
            self._pass_over(refused)
            return False
        return True

    def _on_melds(self, hand: tuple[Card, ...], wilds: frozenset[Card]) -> Iterator[PlayCommand]:
        """Card by card, meld by meld; a card is looked at closer only where its rank may be of use."""
        useful = [(meld, _ranks_wanted(meld), _ranks_replaced(meld)) for meld in self.table.deal.melds]
        for card in dict.fromkeys(hand) if useful else ():
            rank, is_wild = card[0], card in wilds
            for meld, wanted, replaced in useful:
                if is_wild or rank in wanted:
                    yield from self._lay_offs(card, meld)
                if not is_wild and rank in replaced:
                    yield from self._exchanges(card, meld)

    def _lay_offs(self, card: Card, meld: Meld) -> Iterator[LayOff]:
        """Lay-offs of one card on one meld."""
        ways = self.rules.additions(meld, (card,), self.table.deal.wild)
        for way in ways:
            try:
                events = laying.lay_addition(way, meld, self.table, self.seat, self.rules)
            except Refused as refused:
                self._pass_over(refused)
                continue
            if self._settled(events):
                end = None if len(ways) == 1 else ("low" if way.low else "high")
                yield LayOff(meld.number, (card,), None, end)  # type: ignore[arg-type]

    def _exchanges(self, card: Card, meld: Meld) -> Iterator[Reclaim]:
        """Exchanges of one natural for wilds of one meld."""
        places = self.rules.exchanges(meld, card, self.table.deal.wild)
        for wanted in dict.fromkeys(meld.cards[place] for place in places):
            command = Reclaim(meld.number, card, wanted)
            try:
                events = laying.reclaim(command, self.table, self.seat, self.rules)
            except Refused as refused:
                self._pass_over(refused)
                continue
            if self._settled(events):
                yield command

    def _that_stand(
        self, legal: tuple[Reading, ...], wilds: frozenset[Card], *, one_by_one: bool
    ) -> Iterator[PlayCommand | Batch]:
        """Of melds that are legal each, those that may stand alone, and openings and closings that take several."""
        sets: Iterable[tuple[int, ...]] = ((place,) for place in range(len(legal)))
        if not self.rules.settlers:
            yield from (_lay(reading, wilds) for reading in legal)
            return
        together = self.rules.laid_together(legal, self.table, self.seat)
        if together is not None:
            self.complete = self.complete and together.complete
            sets = together.sets
        for places in sets:
            chosen = [legal[place] for place in places]
            try:
                table = laying.lay_all(chosen, self.table, self.seat, self.rules, one_by_one=one_by_one)
            except Refused as refused:
                self._pass_over(refused)
                continue
            if self.rules.unsettled(table, self.seat) is None:
                commands = tuple(_lay(reading, wilds) for reading in chosen)
                yield commands[0] if len(commands) == 1 else Batch(commands)


def _lay(reading: Reading, wilds: frozenset[Card]) -> LayMeld:
    return LayMeld(reading.cards, None if wilds.isdisjoint(reading.cards) else reading.reads_as)


def _draws(table: Table, rules: Ruleset) -> Iterator[PlayCommand]:
    yield Draw("stock")
    lying = len(table.deal.discard_pile)
    for count in range(1, (min(1, lying) if rules.table_rules.discard_take_count == "one" else lying) + 1):
        yield Draw("discard", count)
    yield DeclineDiscard()


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
