"""A seat's commands while a deal is played: whose turn, in which phase, and what each causes."""

from __future__ import annotations

from meldlog_contracts.cards import RANKS
from meldlog_contracts.commands import (
    AddPenalty,
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
from meldlog_contracts.events import (
    CardDiscarded,
    CardDrawn,
    DiscardsTaken,
    DrawReturned,
    Event,
    PenaltyAdded,
    RulesNoted,
    TurnPassed,
    WildNamed,
)
from meldlog_contracts.hooks import ASK_DEALER, Renewal
from meldlog_contracts.problems import Fault, Refused
from meldlog_contracts.sealed import unsealed_card
from meldlog_contracts.table import DealEnd, Phase, Table
from meldlog_service.core import ending, laying, lookahead
from meldlog_service.core.dealing import renew_stock
from meldlog_service.core.draft import Draft
from meldlog_service.core.evolve import evolve
from meldlog_service.core.laying import broken, check_can_end, illegal
from meldlog_service.core.ruleset import Ruleset

_TABLE_ACTIONS = (LayMeld, LayOff, Reclaim)
_PHASES: dict[type, tuple[tuple[Phase, ...], str, str]] = {
    NameWild: (("naming_wild",), "wild.named-first", "there is no wild to name now"),
    Draw: (("draw",), "turn.draw-once", "you have drawn already: lay cards, or discard to end the turn"),
    DeclineDiscard: (
        ("draw",),
        "turn.draw-once",
        "there is no upcard to decline now: it is declined in place of drawing",
    ),
    LayMeld: (("play", "lay_off"), "turn.draw-first", "draw a card first"),
    LayOff: (("play", "lay_off"), "turn.draw-first", "draw a card first"),
    Reclaim: (("play", "lay_off"), "turn.draw-first", "draw a card first"),
    Discard: (("play",), "turn.draw-first", "draw a card first"),
    ReturnDraw: (
        ("play",),
        "turn.draw-first",
        "draw a card first: only a discard that was taken in this turn can be put back",
    ),
    AddPenalty: (("offer",), "turn.offer", "no penalty was offered"),
    Decline: (("offer", "lay_off"), "turn.offer", "nothing was offered that could be declined"),
}


def check_turn(command: PlayCommand, table: Table, seat: int) -> None:
    """Check that the game is being played, that it is this seat's turn, and that the command's time has come.

    Raises:
        Refused: ``game_over``, ``not_your_turn`` or ``wrong_phase``.
    """
    turn = table.deal.turn
    phases, rule, detail = _PHASES[type(command)]
    if table.status == "playing" and turn.seat == seat and turn.phase in phases:
        return
    if table.status == "finished":
        raise Refused("game_over", "the game is over", "game.end")
    if table.status == "open":
        raise Refused(
            "wrong_phase", "the game has not started yet: the host starts it, with start_game", "game.start"
        )
    if turn.seat != seat:
        raise Refused("not_your_turn", f"it is the turn of seat {turn.seat}", "turn.order")
    if turn.phase == "naming_wild":
        rule, detail = "wild.named-first", "name the wild rank first, with name_wild"
    elif turn.phase == "play" and isinstance(command, Draw) and turn.drawn is None and not turn.taken:
        rule, detail = "deal.starter", "you were dealt a card more and do not draw in this turn"
    elif turn.phase == "offer":
        rule, detail = "turn.offer", "answer the penalty that was offered first, with add_penalty or decline"
    elif turn.phase == "lay_off":
        rule, detail = "turn.after-out", "somebody has gone out: lay cards on the table, or decline"
    raise Refused("wrong_phase", detail, rule)


def judged(command: PlayCommand, table: Table, seat: int, rules: Ruleset) -> tuple[Event, ...]:
    """What a command does by itself, before any consequence; works on a viewer's table as well.

    Raises:
        Refused: when the command may not be.
    """
    check_turn(command, table, seat)
    match command:
        case Discard(card=card):
            laying.check_held((card,), table.deal.hands[seat], "/card")
            _check_objections(command, table, seat, rules)
            open_obligation = lookahead.objection_to_discard(card, table, seat, rules)
            if open_obligation is not None:
                raise illegal(open_obligation)
            return (CardDiscarded(seat, card),)
        case Draw():
            return _draw(command, table, seat, rules)
        case LayMeld():
            return laying.lay_meld(command, table, seat, rules)
        case LayOff():
            return laying.lay_off(command, table, seat, rules)
        case Reclaim():
            return laying.reclaim(command, table, seat, rules)
        case NameWild(rank=rank):
            if rank not in RANKS or len(rank) != 1:
                fault = Fault("/rank", f"{rank!r} is not a rank")
                raise Refused("invalid", fault.detail, faults=(fault,))
            _check_objections(command, table, seat, rules)
            named = rules.wild_ranks(table.deal.number, table, rank)
            return (WildNamed(seat, (rank,) if named == ASK_DEALER else named),)
        case ReturnDraw():
            if not table.deal.turn.taken:
                raise broken("turn.return-draw", "you took no discard in this turn")
            if not rules.permits(command, table, seat):
                raise broken("turn.return-draw", "a discard once taken is not put back")
            _check_objections(command, table, seat, rules)
            return (DrawReturned(seat, table.deal.turn.taken),)
        case DeclineDiscard():
            if not rules.permits(command, table, seat):
                raise broken("draw.decline", "there is no discard to decline: draw a card")
            _check_objections(command, table, seat, rules)
            return ()
        case _:
            _check_objections(command, table, seat, rules)
            return ()


def _check_objections(command: PlayCommand, table: Table, seat: int, rules: Ruleset) -> None:
    objection = rules.objection(command, table, seat)
    if objection is not None:
        raise illegal(objection)


def _draw(command: Draw, table: Table, seat: int, rules: Ruleset) -> tuple[Event, ...]:
    deal = table.deal
    if command.source == "discard":
        if not deal.discard_pile:
            raise broken("draw.discard", "the discard pile is empty: draw from the stock")
        if command.count > len(deal.discard_pile):
            lying = len(deal.discard_pile)
            only = "only one card lies" if lying == 1 else f"only {lying} cards lie"
            raise broken("draw.discard", f"{only} on the discard pile")
        if command.count > 1 and rules.table_rules.discard_take_count == "one":
            raise broken("draw.discard-one", "one card is taken from the discard pile at a time")
        _check_objections(command, table, seat, rules)
        taking: tuple[Event, ...] = (DiscardsTaken(seat, deal.discard_pile[-command.count :]),)
        check_can_end(taking, table, seat, rules, arising=True)
        return taking
    if command.count != 1:
        raise broken("draw.stock", "one card is drawn from the stock at a time")
    _check_objections(command, table, seat, rules)
    # With no stock left it is the rules' word what happens; see `play`.
    return (CardDrawn(seat, unsealed_card(deal.stock[0])),) if deal.stock else ()


def play(draft: Draft, command: PlayCommand, seat: int) -> None:
    """Judge a seat's command and everything that follows from it.

    Raises:
        Refused: when the command may not be.
    """
    rules = draft.rules
    events = judged(command, draft.table, seat, rules)
    for event in events:
        draft.add(event)
    match command:
        case Discard():
            end_turn(draft, seat)
        case Draw() if not events:
            _draw_without_stock(draft, seat)
        case NameWild():
            deal = draft.table.deal
            plan = rules.deal_plan(draft.table, deal.dealer)
            draft.add(TurnPassed(deal.starter, draft.deadline(), plan.phase))
        case ReturnDraw():
            price = rules.return_penalty(draft.table, seat)
            if price:
                draft.add(PenaltyAdded(seat, price))
        case DeclineDiscard():
            _end_declined(draft, seat)
        case AddPenalty(points=points):
            draft.add(PenaltyAdded(seat, points))
            ending.close_deal(draft)
        case Decline() if draft.table.deal.turn.phase == "lay_off":
            _pass_on(draft, seat)
        case Decline():
            ending.close_deal(draft)
        case _:
            pass


def refusal_of(command: PlayCommand, table: Table, seat: int, rules: Ruleset) -> Refused | None:
    """How a command by itself is refused at a table, which may be a seat's own; None where it is allowed."""
    try:
        events = judged(command, table, seat, rules)
    except Refused as refused:
        return refused
    if is_table_action(command):
        for event in events:
            table = evolve(table, event)
        objection = rules.unsettled(table, seat)
        if objection is not None:
            return illegal(objection)
    return None


def settle(draft: Draft, seat: int) -> None:
    """Check a turn's table actions taken together, and end the deal if they emptied the hand.

    Raises:
        Refused: when they may not stand as they are.
    """
    objection = draft.rules.unsettled(draft.table, seat)
    if objection is not None:
        raise illegal(objection)
    for note in draft.rules.noted(draft.table, seat):
        draft.add(RulesNoted(note.plugin, note.data))
    if draft.table.deal.hands[seat]:
        return
    if draft.table.deal.turn.phase == "lay_off":
        _pass_on(draft, seat)
    else:
        _went_out(draft, seat)


def end_turn(draft: Draft, seat: int) -> None:
    """After a discard: somebody is out, the deal is over for another reason, or the next seat is on turn."""
    table = draft.table
    if not table.deal.hands[seat]:
        _went_out(draft, seat)
        return
    reason = draft.rules.deal_over(table, seat)
    if reason is not None:
        ending.end_deal(draft, reason, None if reason != "lone_two" else seat)
        return
    draft.add(TurnPassed(draft.next_seat(seat), draft.deadline()))


def _went_out(draft: Draft, seat: int) -> None:
    if draft.rules.after_out(draft.table, seat):
        draft.add(TurnPassed(draft.next_seat(seat), draft.deadline(), "lay_off"))
    else:
        ending.end_deal(draft, "went_out", seat)


def _pass_on(draft: Draft, seat: int) -> None:
    """After somebody went out: the next seat may lay off, until it is the turn of the one who is out."""
    out = draft.table.deal.out
    following = draft.next_seat(seat)
    if out is None or following == out:
        ending.end_deal(draft, "went_out", out)
    else:
        draft.add(TurnPassed(following, draft.deadline(), "lay_off"))


def _draw_without_stock(draft: Draft, seat: int) -> None:
    answer = draft.rules.stock_empty(draft.table)
    if not isinstance(answer, Renewal):
        ending.end_deal(draft, answer, None)
        return
    renew_stock(draft, answer)
    draft.add(CardDrawn(seat, unsealed_card(draft.table.deal.stock[0])))


def _end_declined(draft: Draft, seat: int) -> None:
    """Nobody took the last discard: the deal ends, for the reason that the rules give to a stock at its end."""
    answer = "discard_refused" if draft.table.deal.stock else draft.rules.stock_empty(draft.table)
    reason: DealEnd = "discard_refused" if isinstance(answer, Renewal) else answer
    ending.end_deal(draft, reason, seat if reason == "discard_refused" else None)


def is_table_action(command: object) -> bool:
    """Whether a command changes the table in the middle of a turn."""
    return isinstance(command, _TABLE_ACTIONS)
