"""A table on a terminal: what a viewer sees at one version, and the commit that led to it."""

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from meldlog_contracts.cards import HIDDEN, Card, suit
from meldlog_contracts.events import Commit
from meldlog_service.cli.words import command_words, event_words, meaning, shown
from meldlog_service.core.knowledge import SeenBy
from meldlog_service.core.views import DealView, MeldView, ResultView, SeatView, TableView

RED_SUITS = "DH"
LONGEST_PILE = 12
"""Discards that are shown, the last ones, with the number of those below."""


def heading(commit: Commit) -> Text:
    """The line that begins a version."""
    return Text.assemble(
        (f"version {commit.version}", "bold"), f"  {shown(commit.at)}  by {shown(commit.by)}: ",
        (command_words(commit.command), "cyan"),
    )  # fmt: skip


def events(commit: Commit) -> Text:
    """What happened, an event a line."""
    return Text("\n").join(Text(f"  - {event_words(event)}", "dim") for event in commit.events)


def table(view: TableView) -> Text:
    """What lies there, from the deal down to the result."""
    parts = [] if view.deal is None else [_deal(view.deal)]
    parts += _seats(view)
    if view.deal is not None:
        parts += [_meld(meld, view.deal.wild) for meld in view.deal.melds]
    if view.result is not None:
        parts.append(_result(view.result))
    return Text("\n").join(parts)


def knowledge(seen: SeenBy, view: TableView) -> Text:
    """What somebody knew, in two lines: where cards are known to be, and what was seen in the deal."""
    wild = view.deal.wild if view.deal is not None else ()
    line = Text.assemble((f"  {seen.viewer} knows", "bold"))
    for seat, hand in enumerate(seen.hands):
        if hand:
            line.append(f"  {seat}: ").append(_cards(hand, wild))
    if any(card != HIDDEN for card in seen.stock):
        line.append("  stock: ").append(_cards(seen.stock, wild))
    if seen.shuffled_away:
        line.append("  shuffled away: ").append(_cards(seen.shuffled_away, wild))
    return line.append(f"\n    has seen {len(seen.seen)}: ").append(_cards(seen.seen, wild))


def _deal(deal: DealView) -> Text:
    of = "" if deal.of is None else f" of {deal.of}"
    below = max(0, len(deal.discard_pile) - LONGEST_PILE)
    return Text.assemble(
        (f"deal {deal.number}{of}", "bold"),
        f"  dealer {deal.dealer}  wild ",
        (" ".join(deal.wild) or "none", "magenta"),
        f"  {deal.phase.replace('_', ' ')}",
        "" if deal.deadline is None else f" until {deal.deadline}",
        f"  stock {deal.stock_count}  discards ",
        f"({below} more) " if below else "",
        _cards(deal.discard_pile[below:], deal.wild),
        "" if deal.offer is None else f"  {deal.offer.points} points offered to seat {deal.offer.seat}",
    )


def _seats(view: TableView) -> list[Text]:
    turn = view.deal.turn if view.deal is not None else None
    wild = view.deal.wild if view.deal is not None else ()
    names = [_who(seat) for seat in view.seats]
    widest = max(cell_len(name) for name in names)
    return [
        Text.assemble(
            (">" if seat.seat == turn else " ", "bold"),
            f" {seat.seat}  {set_cell_size(name, widest)}  total {seat.total:<4}",
            f" {'laid' if seat.has_laid else '    '}  {seat.hand_count:>2} cards  ",
            _cards(seat.hand, wild) if isinstance(seat.hand, tuple) else "",
        )
        for seat, name in zip(view.seats, names, strict=True)
    ]


def _who(seat: SeatView) -> str:
    if seat.name is None:
        return "(empty)"
    team = f", side {seat.team}" if seat.team is not None else ""
    return f"{shown(seat.name)} ({seat.kind}{team})"


def _meld(meld: MeldView, wild: tuple[str, ...]) -> Text:
    line = Text(f"  meld {meld.meld}, {meld.kind} of seat {meld.owner}:")
    for one in meld.cards:
        line.append(" ").append(meaning(one.card, one.reads_as), _style(one.card, wild))
        if one.by != meld.owner:
            line.append(f"({one.by})", "dim")
    return line


def _result(result: ResultView) -> Text:
    words = [
        f"game over: won by {' '.join(map(str, result.winners))}",
        f"ranking {' '.join(map(str, result.ranking))}",
        *(
            f"{debtor} owes {creditor} {cents / 100:.2f}"
            for debtor, creditor, cents in result.settlement or ()
        ),
    ]
    return Text("; ".join(words), "bold")


def _cards(cards: tuple[Card, ...], wild: tuple[str, ...]) -> Text:
    return Text(" ").join(Text(card, _style(card, wild)) for card in cards)


def _style(card: Card, wild: tuple[str, ...]) -> str:
    if card[0] in wild or card in wild:
        return "bold magenta"
    return "red" if suit(card) in RED_SUITS else ""
