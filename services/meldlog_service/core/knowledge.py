"""Who knew what: the cards that a viewer has seen by now, and where they are as far as the viewer can say.

It follows from the events that this viewer was sent and from nothing else. It is what was seen, not what could be
reckoned from it: nobody is credited with counting cards to the last one. Where two copies of a card cannot be told
apart, the viewer knows of as few as there may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from meldlog_contracts.cards import HIDDEN, Card
from meldlog_contracts.events import (
    CardDiscarded,
    CardDrawn,
    CardLaidOff,
    Commit,
    DealScored,
    DealStarted,
    DiscardsTaken,
    DrawReturned,
    Event,
    MeldLaid,
    StockRenewed,
    WildReclaimed,
)
from meldlog_contracts.sealed import cards_of
from meldlog_service.core.views import OPERATOR, Viewer, redact_event

Cards = tuple[Card, ...]


class Knowledge(Struct, frozen=True):
    """What one viewer knows of the deal being played."""

    deal: int = 0
    """Its number; 0 before the first."""
    hands: tuple[Cards, ...] = ()
    """Per seat the cards known to be in that hand: of the viewer's own all of them, of others those taken from the
    pile or from a meld and not played since, and all when hands are laid open."""
    stock: Cards = ()
    """Front first, ``??`` where the viewer cannot say: what is known are discards that were turned over unshuffled."""
    pile: Cards = ()
    """The discard pile, bottom first."""
    melds: tuple[Cards, ...] = ()
    """The cards of each meld."""
    seen: Cards = ()
    """Every card seen in this deal, in the order in which it was seen first."""
    shuffled_away: Cards = ()
    """Cards that were seen and went into the stock in an order that nobody knows."""


class SeenBy(Struct, frozen=True):
    """What a viewer knew at one version, beside the table that everybody saw; see `Knowledge`."""

    viewer: str
    """``seat:<n>`` or ``spectator``."""
    deal: int
    hands: tuple[Cards, ...]
    stock: Cards
    seen: Cards
    shuffled_away: Cards


class Knowing:
    """Follows who knows what through a log: every seat for the operator, for all others themselves.

    Args:
        asking: Who wants to know.
    """

    def __init__(self, asking: Viewer) -> None:
        self._asking = asking
        self._known: dict[Viewer, Knowledge] = {}

    def after(self, commit: Commit, seats: int) -> tuple[SeenBy, ...]:
        """What is known after one more commit, in the order of the seats.

        Args:
            commit: The next one of the log.
            seats: How many there are at the table after it.
        """
        self.take(commit, seats)
        return self.now()

    def take(self, commit: Commit, seats: int) -> None:
        """Go on by one commit."""
        viewers: Sequence[Viewer] = range(seats) if self._asking == OPERATOR else (self._asking,)
        self._known = {
            viewer: learn(self._known.get(viewer, Knowledge()), commit, viewer) for viewer in viewers
        }

    def now(self) -> tuple[SeenBy, ...]:
        """What is known by now, in the order of the seats."""
        return tuple(
            SeenBy(
                viewer if isinstance(viewer, str) else f"seat:{viewer}",
                one.deal,
                one.hands,
                one.stock,
                one.seen,
                one.shuffled_away,
            )
            for viewer, one in self._known.items()
        )


def known(log: Iterable[Commit], viewer: Viewer) -> Knowledge:
    """What a viewer knows after a log, whoever else's secrets are open in it."""
    knowledge = Knowledge()
    for commit in log:
        knowledge = learn(knowledge, commit, viewer)
    return knowledge


def learn(knowledge: Knowledge, commit: Commit, viewer: Viewer) -> Knowledge:
    """What a viewer knows after one more commit.

    Raises:
        ValueError, IndexError: for events that do not fit; fold the log first (`core.evolve`), which says why.
    """
    for event in commit.events:
        knowledge = _learn(knowledge, redact_event(event, viewer))
    return knowledge


def _learn(now: Knowledge, event: Event) -> Knowledge:  # noqa: PLR0911 -- a case for every event that moves cards
    match event:
        case DealStarted():
            hands = tuple(_open(cards_of(hand)) for hand in event.hands)
            pile = () if event.upcard is None else (event.upcard,)
            seen = tuple(card for cards in (*hands, pile) for card in cards)
            return Knowledge(event.number, hands, cards_of(event.stock), pile, (), seen)
        case CardDrawn(seat, sealed):
            (card,) = cards_of(sealed)
            front = now.stock[0]
            known = front if card == HIDDEN else card
            now = replace(now, stock=now.stock[1:])
            if known == HIDDEN:
                return now
            # What was turned over unshuffled is known before it is drawn.
            return _given(now if front == known else _seeing(now, (known,)), seat, (known,))
        case DiscardsTaken(seat, cards):
            return _given(replace(now, pile=now.pile[: len(now.pile) - len(cards)]), seat, cards)
        case CardDiscarded(seat, card):
            now = _played(now, seat, (card,))
            return replace(now, pile=(*now.pile, card))
        case DrawReturned(seat, cards):
            now = _played(now, seat, cards)
            return replace(now, pile=now.pile + cards)
        case MeldLaid(seat, _, _, cards):
            now = _played(now, seat, cards)
            return replace(now, melds=(*now.melds, cards))
        case CardLaidOff(seat, meld, _, cards):
            now = _played(now, seat, cards)
            return _with_meld(now, meld, now.melds[meld - 1] + cards)
        case WildReclaimed(seat, meld, card, wild):
            now = _played(now, seat, (card,))
            lying = list(now.melds[meld - 1])
            lying[lying.index(wild)] = card
            return _given(_with_meld(now, meld, tuple(lying)), seat, (wild,))
        case StockRenewed():
            return _renewed(now, event)
        case DealScored(hands):
            return _opened(now, hands)
        case _:
            return now


def _open(cards: Cards) -> Cards:
    return tuple(card for card in cards if card != HIDDEN)


def _given(now: Knowledge, seat: int, cards: Cards) -> Knowledge:
    """Cards that the viewer sees go to a hand."""
    hand = now.hands[seat] + cards
    return replace(now, hands=(*now.hands[:seat], hand, *now.hands[seat + 1 :]))


def _played(now: Knowledge, seat: int, cards: Cards) -> Knowledge:
    """Cards leave a hand in the open: those that were not known to be in it are seen now."""
    hand, new = _without(now.hands[seat], cards)
    return _seeing(replace(now, hands=(*now.hands[:seat], hand, *now.hands[seat + 1 :])), new)


def _seeing(now: Knowledge, cards: Cards) -> Knowledge:
    """Cards that come into sight: those that had been seen before, and others."""
    away, new = _without(now.shuffled_away, cards)
    return replace(now, seen=now.seen + new, shuffled_away=away)


def _without(held: Cards, cards: Cards) -> tuple[Cards, Cards]:
    """What is left when cards are taken away, and those of the cards that were not there."""
    left, missing = list(held), []
    for card in cards:
        try:
            left.remove(card)
        except ValueError:
            missing.append(card)
    return tuple(left), tuple(missing)


def _with_meld(now: Knowledge, number: int, cards: Cards) -> Knowledge:
    return replace(now, melds=(*now.melds[: number - 1], cards, *now.melds[number:]))


def _renewed(now: Knowledge, event: StockRenewed) -> Knowledge:
    """The pile goes under: its order is known if it was only turned over, else no more than that it is there."""
    fresh = now.pile[: len(now.pile) - len(event.kept)]
    if not event.shuffled:
        return replace(now, stock=now.stock + fresh, pile=event.kept)
    unseen = (HIDDEN,) * len(fresh)
    away = now.shuffled_away + fresh
    return replace(now, stock=now.stock + unseen, pile=event.kept, shuffled_away=away)


def _opened(now: Knowledge, hands: Sequence[Cards]) -> Knowledge:
    """All hands are laid open."""
    for seat, hand in enumerate(hands):
        now = _seeing(now, _without(now.hands[seat], hand)[1])
    return replace(now, hands=tuple(hands))
