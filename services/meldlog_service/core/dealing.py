"""Dealing: the draw for the first dealer, the cards of a deal, and the discard pile made the stock again."""

from __future__ import annotations

from meldlog_contracts.cards import PLAIN_PACK, Card
from meldlog_contracts.events import DealStarted, GameStarted, StockRenewed, TurnPassed, WildNamed
from meldlog_contracts.hooks import ASK_DEALER, DealPlan, Renewal
from meldlog_contracts.sealed import unsealed_cards
from meldlog_service.core.chance import commitment, derived_seed, shuffled
from meldlog_service.core.draft import Draft


def start_game(draft: Draft) -> None:
    """Draw for the first dealer and deal."""
    table = draft.table

    def plain_pack(turn: int) -> tuple[Card, ...]:
        return shuffled(PLAIN_PACK, derived_seed(table, f"dealer:{turn}"))

    dealer, draws = draft.rules.first_dealer(len(table.seats), plain_pack)
    draft.add(GameStarted(dealer, draws))
    start_deal(draft, dealer)


def start_deal(draft: Draft, dealer: int) -> None:
    """Shuffle, deal, name what is wild, and say who begins."""
    table, rules = draft.table, draft.rules
    number = table.deal.number + 1
    seed = derived_seed(table, f"deal:{number}")
    plan = rules.deal_plan(table, dealer)
    hands, rest = dealt(draft, shuffled(rules.pack(), seed), dealer, plan)
    draft.add(
        DealStarted(
            number=number,
            dealer=dealer,
            starter=plan.starter,
            commitment=commitment(seed),
            hands=tuple(unsealed_cards(hand) for hand in hands),
            stock=unsealed_cards(rest[1:] if plan.upcard else rest),
            upcard=rest[0] if plan.upcard else None,
        )
    )
    wild = rules.wild_ranks(number, draft.table)
    if wild == ASK_DEALER:
        draft.add(TurnPassed(dealer, draft.deadline(), "naming_wild"))
        return
    if wild:
        draft.add(WildNamed(None, wild))
    draft.add(TurnPassed(plan.starter, draft.deadline(), plan.phase))


def dealt(
    draft: Draft, pack: tuple[Card, ...], dealer: int, plan: DealPlan
) -> tuple[list[tuple[Card, ...]], tuple[Card, ...]]:
    """Hands per seat and the rest: one card at a time, a full round at a time, the dealer last, the extra card last."""
    seats = len(plan.sizes)
    order = [draft.next_seat(dealer)]
    while len(order) < seats:
        order.append(draft.next_seat(order[-1]))
    hands: list[list[Card]] = [[] for _ in range(seats)]
    front = iter(pack)
    for turn in range(max(plan.sizes)):
        for seat in order:
            if turn < plan.sizes[seat]:
                hands[seat].append(next(front))
    if plan.extra_to is not None:
        hands[plan.extra_to].append(next(front))
    return [tuple(hand) for hand in hands], tuple(front)


def renew_stock(draft: Draft, renewal: Renewal) -> None:
    """Make the discard pile the stock: shuffled with a seed of its own, or only turned over."""
    table = draft.table
    pile = table.deal.discard_pile
    kept = pile[len(pile) - renewal.keep :]
    old = pile[: len(pile) - renewal.keep]
    number = table.deal.renewals + 1
    # The pile turned face down has its bottom card in front.
    fresh, published = old, None
    if renewal.shuffled:
        seed = derived_seed(table, f"renew:{table.deal.number}:{number}")
        fresh, published = shuffled(old, seed), commitment(seed)
    draft.add(StockRenewed(number, renewal.shuffled, kept, unsealed_cards(fresh), published))
