"""Secrecy: what a viewer was sent makes that viewer's table, and nothing that is said names a card nobody showed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from meldlog_contracts.cards import HIDDEN, Card
from meldlog_contracts.commands import PlayCommand
from meldlog_contracts.events import Commit, RulesNoted
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Deal, Table
from meldlog_service.checking.faults import Broken, Hook
from meldlog_service.core import turns
from meldlog_service.core.evolve import apply
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.core.views import conceal, redact, view

_CARD = re.compile(r"(?<![0-9A-Za-z])(?:[A2-9TJQK][CDHS]|JK)(?![0-9A-Za-z])")


class SeatsFold:
    """One seat's table, folded from nothing but what that seat was sent."""

    def __init__(self, seat: int) -> None:
        self._seat = seat
        self._known = Table()

    def send(self, commit: Commit) -> None:
        """Send it a commit."""
        self._known = apply(self._known, redact(commit, self._seat))

    def check(self, table: Table) -> None:
        """Compare what it knows with what the table shows it.

        Raises:
            Broken: ``secrecy``.
        """
        seat = self._seat
        if view(self._known, seat) != view(table, seat):
            raise Broken("secrecy", f"seat {seat} folds another table than it is shown")
        if table.status == "playing" and conceal(self._known, seat) != conceal(table, seat):
            raise Broken("secrecy", f"seat {seat} folds another table than its moves are made from")


def check_alike(
    refused: Refused | None, command: PlayCommand, seat: int, seen: Table, rules: Ruleset
) -> None:
    """Compare a judgement with the one that follows from what the seat knows: it may depend on nothing else.

    Raises:
        Broken: ``secrecy``.
    """
    own = turns.refusal_of(command, seen, seat, rules)
    if _said(own) == _said(refused):
        return
    rule = (refused or own or Refused("invalid", "")).rule
    if refused is not None and own is not None and refused.rule == own.rule:
        named = unseen_cards(refused.detail, seen.deal, seat, _cards_asked(command))
        what = (
            f"names {' '.join(named)}, which seat {seat} has not seen" if named else "tells more than it may"
        )
        raise Broken("secrecy", f"the refusal {what}: {refused.detail!r}", rule=rule)
    raise Broken(
        "secrecy",
        f"whether it is legal depends on what seat {seat} cannot see: it is {_judged(refused)}, "
        f"but from that seat's own table {_judged(own)}",
        rule=rule,
    )


def check_notes(commit: Commit, table: Table) -> None:
    """Look for cards in what plugins noted, which everybody reads.

    Raises:
        Broken: ``secrecy``.
    """
    for event in commit.events:
        if isinstance(event, RulesNoted):
            named = unseen_cards(repr(event.data), table.deal, None, ())
            if named:
                raise Broken(
                    "secrecy",
                    f"the note of {event.plugin} names {' '.join(named)}, which not everybody has seen",
                    hook=Hook(event.plugin, "noted"),
                )


def unseen_cards(text: str, deal: Deal, seat: int | None, asked: Iterable[Card]) -> list[Card]:
    """Cards that a text names and that neither lie open nor are in this seat's hand."""
    open_to_all = {*deal.discard_pile, *asked}
    for meld in deal.melds:
        open_to_all.update(meld.cards, meld.reads_as)
    if seat is not None:
        open_to_all.update(deal.hands[seat])
    return [Card(word) for word in dict.fromkeys(_CARD.findall(text)) if word not in open_to_all]


def _cards_asked(command: PlayCommand) -> Sequence[Card]:
    cards = (
        *getattr(command, "cards", ()),
        getattr(command, "card", HIDDEN),
        getattr(command, "wild", HIDDEN),
    )
    return tuple(Card(card) for card in cards)


def _said(refused: Refused | None) -> tuple[str, str | None, str] | None:
    return None if refused is None else (refused.code, refused.rule, refused.detail)


def _judged(refused: Refused | None) -> str:
    return "allowed" if refused is None else f"refused ({refused.rule}: {refused.detail})"
