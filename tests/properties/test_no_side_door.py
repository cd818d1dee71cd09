"""Law 4, no side door: what a viewer cannot know changes nothing that this viewer is shown or told.

The hidden cards (the others' hands and the stock) are dealt anew among themselves, as far as the viewer cannot tell,
and everything is asked again: table, moves, commands and refusals must come out the same, byte for byte.
"""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.properties.commands import nonsense
from tests.properties.strategies import examples, started
from tests.support.games import Game, any_move

from meldlog_contracts.cards import HIDDEN, Card
from meldlog_contracts.commands import Command, Discard, Draw, Reclaim
from meldlog_contracts.events import DealEnded, StockRenewed
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Table
from meldlog_service.core import chain
from meldlog_service.core.decide import decide
from meldlog_service.core.evolve import apply
from meldlog_service.core.moves import moves
from meldlog_service.core.views import SPECTATOR, Viewer, conceal, redact, redact_event, view

MOST_COMMANDS = 150
LONE_TWO = b"lone two"
"""That the deal ended by a card which only its holder knew."""
REFUSED = b"refused"
"""All that anybody but the one who asked may hear of a refusal, which is nothing."""


def dealt_anew(
    table: Table, known: Table, viewer: Viewer, rng: random.Random, command: Command | None = None
) -> Table:
    """Another table that `viewer`, who knows `known`, cannot tell from this one.

    What the command is about to show stays where it is: the cards that the seat on turn plays, the front card of the
    stock for whoever draws it.
    """
    deal = table.deal
    fixed = 1 if isinstance(command, Draw) else 0
    front, rest = deal.stock[:fixed], deal.stock[fixed:]
    played: tuple[Card, ...] = getattr(command, "cards", ())
    if isinstance(command, Discard | Reclaim):
        played = (command.card,)
    seen = [tuple(card for card in hand if card != HIDDEN) for hand in known.deal.hands]
    if deal.turn.seat != viewer:
        shown = (Counter(played) & Counter(deal.hands[deal.turn.seat])) - Counter(seen[deal.turn.seat])
        seen[deal.turn.seat] += tuple(shown.elements())
    unseen = [Counter(hand) - Counter(held) for hand, held in zip(deal.hands, seen, strict=True)]
    pool = [*rest, *(card for hidden in unseen for card in sorted(hidden.elements()))]
    rng.shuffle(pool)
    turn = deal.turn
    hands: list[tuple[Card, ...]] = []
    for seat, hidden in enumerate(unseen):
        new = tuple(pool.pop() for _ in range(hidden.total()))
        hands.append(deal.hands[seat] if not new else seen[seat] + new)
    if turn.seat != viewer and turn.drawn is not None and known.deal.turn.drawn == HIDDEN:
        turn = replace(turn, drawn=hands[turn.seat][-1] if unseen[turn.seat] else turn.drawn)
    return replace(table, deal=replace(deal, hands=tuple(hands), stock=front + tuple(pool), turn=turn))


def told(command: Command, by: str, table: Table, game: Game, viewer: Viewer) -> bytes:
    """What the viewer hears of a command: its events as sent, or the refusal if the viewer asked."""
    try:
        events = decide(command, by, table, game.rules, game.context()).events
    except Refused as refused:
        said = (refused.code, refused.detail, refused.rule, refused.faults)
        return chain.canonical(said) if by == f"seat:{viewer}" else REFUSED
    public = []
    for event in events:
        if isinstance(event, DealEnded):
            if event.reason == "lone_two" and by != f"seat:{viewer}":
                return LONE_TWO
            break  # from here on all hands are open
        public.append(redact_event(event, viewer))
        if isinstance(event, StockRenewed):
            break  # the new stock comes from the discards, which stay as they are, but its front is not the old one
    return chain.canonical(public)


@examples(60)
@given(started(), st.data())
def test_hidden_cards_decide_nothing_that_a_viewer_is_told(
    start: tuple[Game, random.Random], data: st.DataObject
) -> None:
    """At every turn of a game, for one viewer."""
    game, rng = start
    viewer: Viewer = data.draw(st.sampled_from((*range(len(game.table.seats)), SPECTATOR)), label="viewer")
    known = Table()
    for commit in game.commits:
        known = apply(known, redact(commit, viewer))
    choose = any_move(rng)
    while game.table.status == "playing" and game.version < MOST_COMMANDS:
        other = dealt_anew(game.table, known, viewer, rng)
        assert chain.canonical(view(other, viewer)) == chain.canonical(view(game.table, viewer))
        seat = game.on_turn
        asked: list[tuple[Command, str]] = []
        listed = game.moves()
        if viewer == seat:
            assert conceal(other, seat) == conceal(game.table, seat)
            assert moves(conceal(other, seat), seat, game.rules) == listed
            asked += [(move, f"seat:{seat}") for move in rng.sample(listed.moves, min(3, len(listed.moves)))]
        if viewer != SPECTATOR:
            asked += [(nonsense(rng, known, int(viewer)), f"seat:{viewer}") for _ in range(3)]
        for command, by in asked:
            other = dealt_anew(game.table, known, viewer, rng, command)
            assert told(command, by, other, game, viewer) == told(command, by, game.table, game, viewer), (
                command
            )
        known = apply(known, redact(game.step(choose), viewer))


@examples(40)
@given(started())
def test_what_others_do_in_public_looks_the_same_whatever_they_hold(
    start: tuple[Game, random.Random],
) -> None:
    """A draw, a meld or a discard of another seat tells a viewer what lies on the table, and no more."""
    game, rng = start
    choose = any_move(rng)
    viewer: Viewer = rng.choice((*range(len(game.table.seats)), SPECTATOR))
    known = Table()
    for commit in game.commits:
        known = apply(known, redact(commit, viewer))
    while game.table.status == "playing" and game.version < MOST_COMMANDS:
        seat = game.on_turn
        before = game.table
        commit = game.step(choose)
        if seat != viewer:
            command = commit.command
            other = dealt_anew(before, known, viewer, rng, command)
            heard = told(command, f"seat:{seat}", other, game, viewer)
            said = told(command, f"seat:{seat}", before, game, viewer)
            # With other cards the same command may be no legal one, as where a last card must be kept; and it is the
            # rule of the lone two that a card nobody has seen ends the deal.
            assert heard in (said, REFUSED, LONE_TWO) or said == LONE_TWO
        known = apply(known, redact(commit, viewer))
