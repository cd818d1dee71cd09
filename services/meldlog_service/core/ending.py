"""The end of a deal and of a game: score, reveal, deal again or name the winners."""

from __future__ import annotations

from meldlog_contracts.events import (
    DealEnded,
    DealScored,
    GameEnded,
    PenaltyAdded,
    PenaltyOffered,
    SeedsRevealed,
)
from meldlog_contracts.table import DealEnd
from meldlog_service.core.chance import derived_seed
from meldlog_service.core.dealing import start_deal
from meldlog_service.core.draft import Draft


def end_deal(draft: Draft, reason: DealEnd, seat: int | None) -> None:
    """Open the hands, count them, and go on: to an offer, to the next deal, or to the end."""
    rules = draft.rules
    table = draft.add(DealEnded(reason, seat))
    score = rules.score_deal(table, reason, seat if reason == "went_out" else None)
    totals = tuple(total + points for total, points in zip(table.totals, score.points, strict=True))
    table = draft.add(DealScored(table.deal.hands, score.points, score.multiplier, totals))
    if not rules.is_last_deal(table):
        for added_to, points in rules.added_penalties(table):
            table = draft.add(PenaltyAdded(added_to, points))
        offer = rules.penalty_offer(table)
        if offer is not None:
            draft.add(PenaltyOffered(*offer))
            return
    close_deal(draft)


def close_deal(draft: Draft) -> None:
    """Reveal what the game promised to reveal, and deal again or end the game."""
    table, rules = draft.table, draft.rules
    if table.reveal == "deal":
        number = table.deal.number
        deal_seed = derived_seed(table, f"deal:{number}", table.deal.game_seed)
        draft.add(SeedsRevealed(deal=number, deal_seed=deal_seed))
    if not rules.is_last_deal(table):
        start_deal(draft, rules.next_dealer(table))
        return
    standing = rules.ranking(table)
    settlement = rules.settlement(table, standing)
    if table.reveal == "game":
        draft.add(SeedsRevealed(game_seed=table.game_seed))
    draft.add(GameEnded(standing.winners, standing.ranking, settlement))
