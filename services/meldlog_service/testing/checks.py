"""What must hold after every command of a test, whatever it tests."""

from __future__ import annotations

from collections import Counter

from meldlog_contracts.commands import Batch, PlayCommand
from meldlog_contracts.events import Commit
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Table
from meldlog_service.core import moves as legal
from meldlog_service.core import turns
from meldlog_service.core.context import Context
from meldlog_service.core.decide import decide
from meldlog_service.core.evolve import apply
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.core.views import OPERATOR, SPECTATOR, Viewer, conceal, redact, view


class Viewers:
    """Every viewer's table, folded from nothing but what that viewer was sent."""

    def __init__(self, seats: int) -> None:
        """Begin with nothing sent."""
        self.tables: dict[Viewer, Table] = {
            viewer: Table() for viewer in (*range(seats), SPECTATOR, OPERATOR)
        }

    def send(self, commit: Commit, table: Table) -> None:
        """Send a commit to everybody, and compare what each sees with what the table shows that viewer."""
        for viewer in self.tables:
            known = apply(self.tables[viewer], redact(commit, viewer))
            assert view(known, viewer) == view(table, viewer), f"{viewer} folds another table than there is"
            self.tables[viewer] = known


def conserved(table: Table, rules: Ruleset) -> None:
    """Every card of the pack is in exactly one place."""
    deal = table.deal
    if deal.number == 0:
        return
    places = [*deal.hands, deal.stock, deal.discard_pile, *(meld.cards for meld in deal.melds)]
    there = Counter(card for place in places for card in place)
    assert there == Counter(rules.pack()), "cards were lost or came from nowhere"


def listed(table: Table, known: Table, rules: Ruleset) -> legal.Moves:
    """The moves of the seat on turn, made from its own table alone; each is accepted."""
    seat = table.deal.turn.seat
    found = legal.moves(known, seat, rules)
    assert found == legal.moves(conceal(table, seat), seat, rules), "a seat's own table yields other moves"
    for move in found.moves:
        try:
            _judge(move, table, seat, rules)
        except Refused as refused:
            raise AssertionError(f"a listed move is refused: {move}: {refused.detail}") from refused
    playing = table.status == "playing"
    assert found.moves or not playing, f"seat {seat} is on turn and can do nothing"
    return found


def _judge(move: PlayCommand | Batch, table: Table, seat: int, rules: Ruleset) -> None:
    if isinstance(move, Batch):
        decide(move, f"seat:{seat}", table, rules, Context(0))
    else:
        turns.judged(move, table, seat, rules)


def refused_alike(command: PlayCommand, seat: int, known: Table, rules: Ruleset, refused: Refused) -> None:
    """A refusal follows from the seat's own table alone, so it can tell nothing else."""
    own = turns.refusal_of(command, known, seat, rules)
    assert own is not None, "a seat's own table allows what the table refuses"
    assert _said(own) == _said(refused), "the refusal depends on what the seat cannot know"


def _said(refused: Refused) -> tuple[str, str | None, str]:
    return refused.code, refused.rule, refused.detail
