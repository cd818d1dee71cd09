"""A table in the middle of a deal as a true log: the events by which it could have come about.

Earlier deals are dealt by the game's own shuffles and scored as the test says. The deal itself is dealt so that a few
turns lead to the table wanted: in each the player draws (from the stock, or the discard that lies there), lays melds
that the test puts on the table, and discards. Nothing is judged; the fold alone decides whether the events fit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from meldlog_contracts import melds
from meldlog_contracts.cards import RANKS, Card, cards, without
from meldlog_contracts.events import (
    CardDiscarded,
    CardDrawn,
    DealEnded,
    DealScored,
    DealStarted,
    DiscardsTaken,
    GameStarted,
    MeldLaid,
    TurnPassed,
    WildNamed,
)
from meldlog_contracts.hooks import ASK_DEALER, DealPlan
from meldlog_contracts.sealed import unsealed_card, unsealed_cards
from meldlog_service.core.chance import commitment, derived_seed
from meldlog_service.core.dealing import start_deal
from meldlog_service.core.draft import Draft
from meldlog_service.testing.notation import PLAYERS, meld_of, seat_of


class Wanted(Struct, frozen=True):
    """The table that a test wants to begin with; see `Game.given_deal`."""

    number: int
    to_move: str
    first_turn: bool
    table: Sequence[str]
    stock: str
    discards: str
    wild: str | None
    totals: Sequence[int] | None
    hands: Mapping[str, str]


class _Turn(Struct):
    """One turn before the test begins: who, what is laid, and whether a new card goes to the pile."""

    seat: int
    laid: list[int] = []
    discards: Card | None = None


class Prelude:
    """Writes the events of the start of a game up to the table wanted."""

    def __init__(self, draft: Draft, wanted: Wanted) -> None:
        """Prepare to write into a draft of a game that has not started."""
        self._draft = draft
        self._wanted = wanted
        self._seats = len(draft.table.seats)

    def write(self) -> None:
        """Add the events.

        Raises:
            ValueError: for a table that cannot be: a card too many, a meld that is none, a name that nobody has.
        """
        draft, wanted = self._draft, self._wanted
        unknown = set(wanted.hands) - set(PLAYERS[: self._seats])
        if unknown:
            raise ValueError(f"nobody at this table is called {' or '.join(sorted(unknown))}")
        turns, dealer = self._turns()
        draft.add(GameStarted((dealer - wanted.number + 1) % self._seats, ()))
        for number in range(1, wanted.number):
            self._earlier_deal(number, (dealer - wanted.number + number) % self._seats)
        self._deal(dealer, turns)

    # -- what must have happened ---------------------------------------------------------------------------------------

    def _turns(self) -> tuple[list[_Turn], int]:
        """The turns before the table wanted, and the dealer: as few as bring every meld and discard to the table."""
        wanted, step = self._wanted, 1 if self._draft.rules.clockwise else -1
        mover = seat_of(wanted.to_move)
        owners = [seat_of(text.partition(":")[0].strip()) for text in wanted.table]
        counts = range(1) if wanted.first_turn else range(1, self._seats * (len(owners) + 2))
        for count in counts:
            turns = [_Turn((mover + step * (place - count)) % self._seats) for place in range(count)]
            at = 0
            for meld, owner in enumerate(owners):
                while at < count and turns[at].seat != owner:
                    at += 1
                if at < count:
                    turns[at].laid.append(meld)
            if at < count or not owners:
                starter = turns[0].seat if turns else mover
                return turns, self._dealer(starter)
        raise ValueError("melds can't lie there before the first turn")

    def _dealer(self, starter: int) -> int:
        table, rules = self._draft.table, self._draft.rules
        return next(seat for seat in range(self._seats) if rules.deal_plan(table, seat).starter == starter)

    def _earlier_deal(self, number: int, dealer: int) -> None:
        draft, wanted = self._draft, self._wanted
        start_deal(draft, dealer)
        if not draft.table.deal.wild and draft.rules.wild_ranks(number, draft.table) == ASK_DEALER:
            named = {rank for ranks in draft.table.wilds for rank in ranks} | {wanted.wild}
            draft.add(WildNamed(dealer, (next(rank for rank in RANKS if rank not in named),)))
        draft.add(DealEnded("no_progress", None))
        totals = wanted.totals if wanted.totals is not None and number == wanted.number - 1 else None
        points = tuple(totals) if totals is not None else (0,) * draft.table.sides
        draft.add(DealScored(draft.table.deal.hands, points, 1, points))

    # -- the deal itself -----------------------------------------------------------------------------------------------

    def _deal(self, dealer: int, turns: list[_Turn]) -> None:
        draft, wanted, rules = self._draft, self._wanted, self._draft.rules
        plan = rules.deal_plan(draft.table, dealer)
        wild = self._wild()
        laid = [self._meld(text, wild) for text in wanted.table]
        hands, pile, stock = self._cards(plan, laid, len(turns))
        lying = 1 if plan.upcard else 0
        if len(pile) > lying and not turns:
            raise ValueError("nothing is discarded before the first turn")
        # A pile larger than the turns so far needs whole rounds more.
        while len(pile) - lying > len(turns):
            round_ = [_Turn(seat) for seat in self._round_before(turns[0].seat)]
            turns = [*round_, *turns]
        drawn, dealt = self._plan_discards(turns, pile, lying, plan)
        for seat, turn in ((turn.seat, turn) for turn in turns):
            for meld in turn.laid:
                hands[seat] += laid[meld].cards
        for seat, card in dealt:
            hands[seat] += (card,)
        number = wanted.number
        draft.add(
            DealStarted(
                number=number,
                dealer=dealer,
                starter=plan.starter,
                commitment=commitment(derived_seed(draft.table, f"deal:{number}")),
                hands=tuple(unsealed_cards(hand) for hand in hands),
                stock=unsealed_cards((*drawn, *stock)),
                upcard=pile[0] if plan.upcard else None,
            )
        )
        chosen = rules.wild_ranks(number, draft.table) == ASK_DEALER
        if wild:
            draft.add(WildNamed(dealer if chosen else None, wild))
        for place, turn in enumerate(turns):
            self._play(turn, laid, begins=place == 0 and plan.phase == "play")
        phase = plan.phase if not turns else "draw"
        draft.add(TurnPassed(seat_of(wanted.to_move), None, phase))

    def _round_before(self, seat: int) -> list[int]:
        step = 1 if self._draft.rules.clockwise else -1
        return [(seat + step * place) % self._seats for place in range(self._seats)]

    def _wild(self) -> tuple[str, ...]:
        table, rules, wanted = self._draft.table, self._draft.rules, self._wanted
        answer = rules.wild_ranks(wanted.number, table, wanted.wild)
        return (wanted.wild or "A",) if answer == ASK_DEALER else answer

    def _meld(self, text: str, wild: tuple[str, ...]) -> melds.Reading:
        rules = self._draft.rules
        lying, reads_as = meld_of(text.partition(":")[2])
        reading = melds.declared(lying, reads_as, rules.wild_cards(wild), rules.kind_of)
        if reading is None:
            raise ValueError(f"no meld of this game: {text}")
        return reading

    def _cards(
        self, plan: DealPlan, laid: list[melds.Reading], turns: int
    ) -> tuple[list[tuple[Card, ...]], tuple[Card, ...], tuple[Card, ...]]:
        """Hands, discard pile and stock as they are when the test begins."""
        wanted = self._wanted
        rest = self._draft.rules.pack()
        for reading in laid:
            rest = without(rest, reading.cards)
        given = {seat_of(name): cards(text) for name, text in wanted.hands.items()}
        front_text, closed, behind = wanted.stock.partition("|")
        pile, front = cards(wanted.discards), cards(front_text)
        if behind.strip():
            raise ValueError(f"behind the bar that closes the stock stands {behind.strip()}")
        for taken in (*given.values(), pile, front):
            rest = without(rest, taken)
        if not pile and turns:
            pile, rest = rest[-1:], rest[:-1]
        hands = []
        for seat in range(self._seats):
            if seat not in given:
                size = max(1, plan.sizes[seat])
                given[seat], rest = rest[:size], rest[size:]
            hands.append(given[seat])
        return (hands, (*rest, *pile), front) if closed else (hands, pile, (*front, *rest))

    def _plan_discards(
        self, turns: list[_Turn], pile: tuple[Card, ...], lying: int, plan: DealPlan
    ) -> tuple[list[Card], list[tuple[int, Card]]]:
        """Say which turn discards what: cards drawn for it from the stock, and cards dealt for it."""
        drawn: list[Card] = []
        dealt: list[tuple[int, Card]] = []
        for place, turn in enumerate(turns):
            begins = place == 0 and plan.phase == "play"
            if begins or lying == 0 or len(pile) - lying >= len(turns) - place:
                if lying == len(pile):
                    raise ValueError("the discard pile needs a card more here")
                turn.discards = pile[lying]
                lying += 1
                if begins:
                    dealt.append((turn.seat, turn.discards))
                else:
                    drawn.append(turn.discards)
        return drawn, dealt

    def _play(self, turn: _Turn, laid: list[melds.Reading], *, begins: bool) -> None:
        draft, seat = self._draft, turn.seat
        draft.add(TurnPassed(seat, None, "play" if begins else "draw"))
        card = turn.discards
        if card is None:  # the top discard goes round
            card = draft.table.deal.discard_pile[-1]
            draft.add(DiscardsTaken(seat, (card,)))
        elif not begins:
            draft.add(CardDrawn(seat, unsealed_card(card)))
        for meld in turn.laid:
            reading, number = laid[meld], len(draft.table.deal.melds) + 1
            draft.add(MeldLaid(seat, number, reading.kind, reading.cards, reading.reads_as))
        draft.add(CardDiscarded(seat, card))
