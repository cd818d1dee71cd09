"""Moves: what is listed is accepted; anything else is refused by a clause, or is listed in another form."""

from __future__ import annotations

from collections import Counter

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import Batch, Decline, Discard, Draw, LayMeld, LayOff, PlayCommand
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Table
from meldlog_service.checking.faults import Broken
from meldlog_service.core import turns
from meldlog_service.core.context import Context
from meldlog_service.core.decide import Decision, decide
from meldlog_service.core.listed import is_listed
from meldlog_service.core.moves import Moves, moves
from meldlog_service.core.ruleset import Ruleset

CLAUSED = ("illegal_move", "wrong_phase", "not_your_turn", "game_over")
"""Refusals by a rule of the game, which always name it."""


def check_accepted(
    move: PlayCommand | Batch, table: Table, seat: int, rules: Ruleset, context: Context
) -> None:
    """Have a listed move decided.

    Raises:
        Broken: ``listed``, when it is refused.
    """
    try:
        decide(move, f"seat:{seat}", table, rules, context)
    except Refused as refused:
        raise Broken(
            "listed", f"a listed move is refused ({refused.rule}): {refused.detail}", rule=refused.rule
        ) from refused


def check_refusal(refused: Refused) -> None:
    """Look whether a refusal says why.

    Raises:
        Broken: ``unlisted``.
    """
    if refused.code in CLAUSED and refused.rule is None:
        raise Broken("unlisted", f"it is refused without a clause ({refused.code}: {refused.detail})")
    if not refused.detail.strip():
        raise Broken("unlisted", f"it is refused without a word ({refused.code})", rule=refused.rule)
    if refused.code == "invalid" and not refused.faults:
        raise Broken("unlisted", f"it is refused as invalid without saying what and where: {refused.detail}")


def check_listed(
    command: PlayCommand, decision: Decision, listed: Moves, table: Table, rules: Ruleset, context: Context
) -> None:
    """Look for an accepted command in the list of moves.

    Raises:
        Broken: ``unlisted``, when the list hides it.
    """
    if is_listed(command, listed) is False:
        raise Broken("unlisted", "it is accepted, but no listed move")
    if isinstance(command, LayOff) and len(command.cards) > 1 and not listed.truncated:
        _check_card_by_card(command, decision.table, table, rules, context)


def check_list(batch: Batch, listed: Moves, table: Table, rules: Ruleset, context: Context) -> None:
    """Look for an accepted list of melds, or a part of it, in the list of moves.

    Raises:
        Broken: ``unlisted``, when neither it nor any of its melds is there.
    """
    if listed.truncated:
        return
    by = f"seat:{listed.seat}"
    try:
        decide(batch, by, table, rules, context)
    except Refused as refused:
        check_refusal(refused)
        return
    laid = Counter(card for meld in batch.commands if isinstance(meld, LayMeld) for card in meld.cards)
    if not any(_cards_of(move) <= laid for move in listed.moves if isinstance(move, LayMeld | Batch)):
        raise Broken(
            "unlisted",
            "these melds are accepted together, but no part of them is listed",
            about="laid_together",
        )


def _cards_of(move: LayMeld | Batch) -> Counter[Card]:
    melds = (move,) if isinstance(move, LayMeld) else move.commands
    return Counter(card for meld in melds if isinstance(meld, LayMeld) for card in meld.cards)


def stuck(table: Table, seat: int, rules: Ruleset) -> Broken:
    """How it comes that a seat can do nothing: what every other player would do now is refused, by which clause."""
    tried: list[PlayCommand] = [Draw("stock"), *map(Discard, dict.fromkeys(table.hand(seat))), Decline()]
    why: dict[str | None, str] = {}
    for command in tried:
        refused = turns.refusal_of(command, table, seat, rules)
        if refused is not None and refused.code == "illegal_move":
            why.setdefault(refused.rule, f"{refused.rule}: {refused.detail}")
    reasons = f": {'; '.join(why.values())}" if why else ""
    detail = f"seat {seat} is on turn ({table.deal.turn.phase}) and has no legal move{reasons}"
    return Broken("termination", detail, rule=next(iter(why), None))


def _check_card_by_card(
    command: LayOff, after: Table, table: Table, rules: Ruleset, context: Context
) -> None:
    """A longer lay-off is a sequence of listed ones that leads to the same table."""
    waiting = [(table, len(command.cards))]
    wanted = (after.deal.hands, after.deal.melds)
    while waiting:
        here, left = waiting.pop()
        seat = table.deal.turn.seat
        if left == 0 or here.deal.number != table.deal.number:
            if (here.deal.hands, here.deal.melds) == wanted or after.deal.number != table.deal.number:
                return
            continue
        waiting += [
            (decide(move, f"seat:{seat}", here, rules, context).table, left - 1)
            for move in moves(here, seat, rules).moves
            if isinstance(move, LayOff) and move.meld == command.meld and move.cards[0] in command.cards
        ]
    raise Broken("unlisted", "it is accepted, but no sequence of listed moves does the same")
