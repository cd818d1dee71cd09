"""What an audit can prove of a log without any rules: seeds against commitments, shuffles, and that no card is lost.

Each question gets the event and the table before it. None answers that all is well; a sentence says what is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from meldlog_contracts.cards import HIDDEN, JOKER, PLAIN_PACK, Card
from meldlog_contracts.events import (
    DealStarted,
    Event,
    GameCreated,
    GameForked,
    GameStarted,
    SeedsRevealed,
    StockRenewed,
)
from meldlog_contracts.sealed import cards_of
from meldlog_contracts.table import Deal, Table
from meldlog_service.core.chance import commitment, derived_seed, shuffled

CHANCY: frozenset[type] = frozenset(
    {GameCreated, GameForked, GameStarted, DealStarted, StockRenewed, SeedsRevealed}
)
"""Events that name a seed, commit to one or follow from one."""


class Unseen(Exception):
    """The log does not hold what the question is about: it was redacted."""


# -- commitments -------------------------------------------------------------------------------------------------------


def broken_commitment(event: Event, before: Table) -> str | None:
    """Whether a seed that is at hand is not the one that was committed to.

    Raises:
        Unseen: where a game's seed is closed.
    """
    match event:
        case GameCreated() | GameForked():
            seed = event.game_seed.value
            if not isinstance(seed, str):
                raise Unseen("this log does not hold the game's seed")
            kept = _keeps(event.commitment, seed)
        case DealStarted():
            kept = _is_derived(event.commitment, before, f"deal:{event.number}")
        case StockRenewed(shuffled=True):
            kept = _is_derived(event.commitment, before, f"renew:{before.deal.number}:{event.number}")
        case SeedsRevealed(game_seed=None):
            kept = event.deal == before.deal.number and _keeps(before.deal.commitment, event.deal_seed)
        case SeedsRevealed():
            kept = _keeps(before.commitment, event.game_seed)
        case _:
            return None
    return None if kept else f"{_tag(event)}: the seed is not the one committed to"


def _is_derived(committed: str | None, table: Table, purpose: str) -> bool:
    if table.game_seed is None:
        return True  # said already, where the game began
    try:
        return _keeps(committed, derived_seed(table, purpose))
    except ValueError:  # no hex
        return False


def _keeps(committed: str | None, seed: str | None) -> bool:
    try:
        return committed is not None and seed is not None and commitment(seed) == committed
    except ValueError:  # no hex
        return False


# -- shuffles ----------------------------------------------------------------------------------------------------------


def broken_shuffle(event: Event, before: Table) -> str | None:
    """Whether cards do not lie where the game's seed puts them.

    Raises:
        Unseen: where the seed or the cards are closed.
    """
    match event:
        case GameStarted():
            lies = _is_drawn(event, before)
        case DealStarted():
            lies = _is_dealt(event, before)
        case StockRenewed():
            lies = _is_renewed(event, before)
        case _:
            return None
    return None if lies else f"{_tag(event)}: the cards do not lie as the game's seed has shuffled them"


def _shuffled(cards: Sequence[Card], table: Table, purpose: str) -> tuple[Card, ...]:
    if table.game_seed is None:
        raise Unseen("this log does not hold the game's seed")
    try:
        return shuffled(cards, derived_seed(table, purpose))
    except (ValueError, OverflowError):  # a seed that is no hex, more cards than a shuffle can number
        return ()


def _is_drawn(event: GameStarted, table: Table) -> bool:
    """For the first dealer: every round from a pack of its own, or all of them from one."""
    rounds = [tuple(turned.card for turned in draws) for draws in event.draws]
    packs = [_shuffled(PLAIN_PACK, table, f"dealer:{number}") for number in range(1, len(rounds) + 1)]
    drawn = tuple(card for cards in rounds for card in cards)
    apart = all(pack[: len(cards)] == cards for pack, cards in zip(packs, rounds, strict=True))
    return apart or packs[0][: len(drawn)] == drawn


def _is_dealt(event: DealStarted, table: Table) -> bool:
    hands = [cards_of(hand) for hand in event.hands]
    rest = (() if event.upcard is None else (event.upcard,)) + cards_of(event.stock)
    told = [card for cards in (*hands, rest) for card in cards]
    if HIDDEN in told:
        raise Unseen("this log does not hold every card")
    front = iter(_shuffled(_in_standard_order(told), table, f"deal:{event.number}"))
    step = -1 if table.house_rules.get("direction") == "ccw" else 1
    order = [(event.dealer + step * turn) % len(hands) for turn in range(1, len(hands) + 1)]
    dealt: list[list[Card]] = [[] for _ in hands]
    # A seat that is dealt more cards than the others gets them last.
    for turn in range(max(map(len, hands), default=0)):
        for seat in order:
            if turn < len(hands[seat]):
                dealt[seat].extend(card for card in [next(front, None)] if card is not None)
    return [tuple(hand) for hand in dealt] == hands and tuple(front) == rest


def _in_standard_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Pack by pack, suit by suit, ace to king, then the jokers."""
    counts = Counter(cards)
    packs = max((counts[card] for card in PLAIN_PACK), default=0)
    plain = tuple(card for copy in range(packs) for card in PLAIN_PACK if counts[card] > copy)
    return plain + (JOKER,) * counts[JOKER]


def _is_renewed(event: StockRenewed, table: Table) -> bool:
    pile = table.deal.discard_pile
    old = pile[: len(pile) - len(event.kept)]
    fresh = cards_of(event.stock)
    if HIDDEN in fresh or HIDDEN in old:
        raise Unseen("this log does not hold every card")
    if event.shuffled:
        old = _shuffled(old, table, f"renew:{table.deal.number}:{event.number}")
    return fresh == old


# -- cards -------------------------------------------------------------------------------------------------------------


def lost_cards(before: Deal, after: Deal) -> str | None:
    """Whether cards appear or vanish from one table of a deal to the next.

    Only places that have changed are looked at, and of stock and pile only the ends that did: what lies where it lay
    is the same object.

    Raises:
        Unseen: where a card that moved is closed.
    """
    gone: list[Card] = []
    come: list[Card] = []
    if before.stock is not after.stock:
        drawn = len(before.stock) - len(after.stock)
        if drawn > 0 and before.stock[drawn:] == after.stock:
            gone += before.stock[:drawn]
        else:
            gone += before.stock
            come += after.stock
    if before.discard_pile is not after.discard_pile:
        old, new = before.discard_pile, after.discard_pile
        if new[: len(old)] == old:
            come += new[len(old) :]
        elif old[: len(new)] == new:
            gone += old[len(new) :]
        else:
            gone += old
            come += new
    for held, holds in zip(before.hands, after.hands, strict=True):
        if held is not holds:
            gone += held
            come += holds
    if before.melds is not after.melds:
        for meld in before.melds:
            gone += meld.cards
        for meld in after.melds:
            come += meld.cards
    if gone == come:
        return None
    if HIDDEN in gone or HIDDEN in come:
        raise Unseen("this log does not hold every card")
    gone.sort()
    come.sort()
    return None if gone == come else "these are not the cards of the pack"


def all_cards(deal: Deal) -> list[Card]:
    """Every card of a deal, sorted.

    Raises:
        Unseen: where one of them is closed.
    """
    found = [*deal.stock, *deal.discard_pile]
    for hand in deal.hands:
        found += hand
    for meld in deal.melds:
        found += meld.cards
    if HIDDEN in found:
        raise Unseen("this log does not hold every card")
    return sorted(found)


def _tag(event: Event) -> str:
    return str(type(event).__struct_config__.tag)
