"""Table actions: what a player means by the cards put down, judged against the rules and turned into events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from meldlog_contracts import melds
from meldlog_contracts.cards import ANY_SUIT, CARDS, JOKER, RANKS, Card
from meldlog_contracts.commands import LayMeld, LayOff, Reclaim
from meldlog_contracts.events import CardLaidOff, Event, MeldLaid, WildReclaimed
from meldlog_contracts.melds import Addition, Reading
from meldlog_contracts.problems import Fault, Objection, Refused
from meldlog_contracts.table import Meld, Table
from meldlog_service.core import lookahead
from meldlog_service.core.evolve import evolve
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.core.turn_fold import melds_laid

_MEANINGS = CARDS - {JOKER} | {Card(rank + ANY_SUIT) for rank in RANKS}

_NAMED = 4
"""How many readings a refusal names."""


def illegal(objection: Objection) -> Refused:
    """The refusal that an objection makes."""
    return Refused("illegal_move", objection.detail, objection.rule, shortfall=objection.shortfall)


def broken(rule: str, detail: str) -> Refused:
    """An illegal move, by clause."""
    return Refused("illegal_move", detail, rule)


def check_held(cards: tuple[Card, ...], hand: tuple[Card, ...], pointer: str) -> None:
    """Check that the cards exist and are all in the hand.

    Raises:
        Refused: ``invalid`` for what is no card, ``illegal_move`` (clause ``card.held``) for what is not held.
    """
    for place, card in enumerate(cards):
        if card not in CARDS:
            where = f"{pointer}/{place}" if len(cards) > 1 or pointer == "/cards" else pointer
            raise Refused(
                "invalid", f"{card!r} is not a card", faults=(Fault(where, f"{card!r} is not a card"),)
            )
    if len(cards) == 1:
        if cards[0] not in hand:
            raise broken("card.held", f"you do not hold {cards[0]}")
        return
    missing = Counter(cards) - Counter(hand)
    if missing:
        raise broken("card.held", f"you do not hold {' '.join(missing.elements())}")


def check_meanings(reads_as: tuple[Card, ...] | None, cards: tuple[Card, ...]) -> None:
    """Check that a declaration speaks of cards, one for each card laid.

    Raises:
        Refused: ``invalid``, with a pointer.
    """
    if reads_as is None:
        return
    for place, meaning in enumerate(reads_as):
        if meaning not in _MEANINGS:
            fault = Fault(f"/reads_as/{place}", f"{meaning!r} is nothing that a card can stand for")
            raise Refused("invalid", fault.detail, faults=(fault,))
    if len(reads_as) != len(cards):
        fault = Fault("/reads_as", f"{len(reads_as)} meanings for {len(cards)} cards")
        raise Refused("invalid", fault.detail, faults=(fault,))


def check_can_end(
    events: tuple[Event, ...], table: Table, seat: int, rules: Ruleset, *, arising: bool = False
) -> tuple[Event, ...]:
    """Check that the turn can still be ended after these events.

    Laying only meets obligations; new ones arise from a taking or an exchange.

    Raises:
        Refused: with the clause of the obligation that could not be met.
    """
    if arising or rules.obligations(table, seat):
        for event in events:
            table = evolve(table, event)
        objection = lookahead.objection_after(table, seat, rules)
        if objection is not None:
            raise illegal(objection)
    return events


def check_left_for_discard(table: Table, seat: int, laid: int, rules: Ruleset) -> None:
    """Check that a card is left for the last discard, where the game is ended by discarding.

    Raises:
        Refused: clause ``final-discard``.
    """
    deal = table.deal
    if laid < len(deal.hands[seat]) or deal.turn.phase == "lay_off":
        return  # after somebody went out nobody discards any more
    if rules.table_rules.final_discard_required:
        raise broken(
            "final-discard", "that would leave you no card to discard: you go out by discarding the last card"
        )


# -- a new meld --------------------------------------------------------------------------------------------------------


def read_meld(
    cards: tuple[Card, ...], reads_as: tuple[Card, ...] | None, wild: tuple[str, ...], rules: Ruleset
) -> Reading:
    """What the cards are laid as: the declaration, or the one thing they can be.

    Raises:
        Refused: clauses ``meld.shape``, ``meld.wild-limit``, ``meld.natural-limit`` or ``meld.declare``.
    """
    wilds = rules.wild_cards(wild)
    if reads_as is not None:
        reading = melds.declared(cards, reads_as, wilds, rules.kind_of)
        if reading is None:
            raise _misread(cards, reads_as, wild, rules)
        limit = rules.limits_broken(reading.wilds, len(cards))
        if limit is not None:
            raise illegal(limit)
        return reading
    readings = melds.meanings(cards, wilds, rules.kind_of)
    if not readings:
        why = rules.no_meld(cards, wild)
        raise broken("meld.shape", f"{_named(cards)} is neither a set nor a run{f': {why}' if why else ''}")
    within = [reading for reading in readings if rules.limits_broken(reading.wilds, len(cards)) is None]
    if not within:
        limit = rules.limits_broken(readings[0].wilds, len(cards))
        raise illegal(limit or Objection("meld.shape", "no meld"))
    if len(within) > 1:
        detail = f"{_named(cards)} could be {_choices(within)}: say which with reads_as"
        raise broken("meld.declare", detail)
    return within[0]


def _misread(
    cards: tuple[Card, ...], reads_as: tuple[Card, ...], wild: tuple[str, ...], rules: Ruleset
) -> Refused:
    """Why a declaration is no meld: a natural card stands for itself, or the cards are something else or nothing."""
    wilds = rules.wild_cards(wild)
    for card, meaning in zip(cards, reads_as, strict=True):
        if card != meaning and card not in wilds:
            return broken("meld.shape", f"{card} is not wild and cannot stand for {meaning}")
    readings = melds.meanings(cards, wilds, rules.kind_of)
    if readings:
        why: str | None = f"the cards could be {_choices(readings)}"
    else:
        why = rules.no_meld(cards, wild)
    detail = f"{_named(cards)} read as {' '.join(reads_as)} is neither a set nor a run"
    return broken("meld.shape", f"{detail}{f': {why}' if why else ''}")


def _named(cards: tuple[Card, ...]) -> str:
    return " ".join(cards) or "nothing"


def _choices(ways: Sequence[Reading | Addition]) -> str:
    """What cards could stand for, the first few ways of it."""
    could = " or ".join(" ".join(way.reads_as) for way in ways[:_NAMED])
    return f"{could} and {len(ways) - _NAMED} more" if len(ways) > _NAMED else could


def lay_meld(command: LayMeld, table: Table, seat: int, rules: Ruleset) -> tuple[Event, ...]:
    """Judge a new meld.

    Raises:
        Refused: with the clause broken.
    """
    hand = table.deal.hands[seat]
    check_held(command.cards, hand, "/cards")
    check_meanings(command.reads_as, command.cards)
    reading = read_meld(command.cards, command.reads_as, table.deal.wild, rules)
    return lay_reading(reading, table, seat, rules)


def lay_reading(reading: Reading, table: Table, seat: int, rules: Ruleset) -> tuple[Event, ...]:
    """Judge cards of the hand laid as a legal reading.

    Raises:
        Refused: with the clause broken.
    """
    check_left_for_discard(table, seat, len(reading.cards), rules)
    understood = LayMeld(reading.cards, reading.reads_as)
    objection = rules.objection(understood, table, seat)
    if objection is not None:
        raise illegal(objection)
    number = len(table.deal.melds) + 1
    laid = MeldLaid(seat, number, reading.kind, reading.cards, reading.reads_as)
    return check_can_end((laid,), table, seat, rules)


def lay_all(
    readings: Sequence[Reading], table: Table, seat: int, rules: Ruleset, *, one_by_one: bool
) -> Table:
    """The table after legal readings that share no card are laid one after the other; not judged together yet.

    ``one_by_one`` where rules have a say in a meld by itself.

    Raises:
        Refused: with the clause broken.
    """
    if one_by_one:
        for reading in readings:
            for event in lay_reading(reading, table, seat, rules):
                table = evolve(table, event)
        return table
    check_left_for_discard(table, seat, sum(len(reading.cards) for reading in readings), rules)
    first = len(table.deal.melds) + 1
    laid = [
        MeldLaid(seat, first + place, reading.kind, reading.cards, reading.reads_as)
        for place, reading in enumerate(readings)
    ]
    return replace(table, deal=melds_laid(table.deal, laid))


# -- on a meld ---------------------------------------------------------------------------------------------------------


def known_meld(number: int, table: Table) -> Meld:
    """The meld that a command names.

    Raises:
        Refused: clause ``layoff.meld``.
    """
    meld = table.meld(number)
    if meld is None:
        there = ", ".join(str(lying.number) for lying in table.deal.melds)
        known = f": there are {there}" if there else ": nothing has been laid in this deal"
        raise broken("layoff.meld", f"there is no meld {number} on the table{known}")
    return meld


def read_addition(
    meld: Meld, command: LayOff, cards: tuple[Card, ...], wild: tuple[str, ...], rules: Ruleset
) -> Addition:
    """Where the cards go: as declared, or the one place they can take.

    Raises:
        Refused: clauses ``layoff.fits`` or ``meld.declare``.
    """
    fitting = rules.additions(meld, cards, wild)
    found = fitting
    if command.end is not None:
        found = tuple(way for way in found if not (way.low if command.end == "high" else way.high))
        if meld.kind == "set":
            found = ()
    if command.reads_as is not None:
        found = _as_declared(meld, found, cards, command.reads_as, wild, rules)
    if not found:
        limit = None if fitting else _limit_of_addition(meld, cards, wild, rules)
        if limit is not None:
            raise illegal(limit)
        where = f" in that way, but it does as {_choices(fitting)}" if fitting else ""
        if fitting and meld.kind == "set" and command.end is not None:
            where = " at an end, as a set has none: leave end out"
        raise broken("layoff.fits", f"{_named(cards)} does not fit {_named(meld.reads_as)}{where}")
    if len(found) > 1:
        detail = f"{_named(cards)} could be laid off as {_choices(found)}: say which with end or reads_as"
        raise broken("meld.declare", detail)
    return found[0]


def _limit_of_addition(
    meld: Meld, cards: tuple[Card, ...], wild: tuple[str, ...], rules: Ruleset
) -> Objection | None:
    """The limit on wilds or naturals that alone keeps the cards off the meld."""
    ways = melds.additions(meld, cards, rules.wild_cards(wild), rules.kind_of)
    return rules.limit_broken_by(ways[0], meld) if ways else None


def _as_declared(
    meld: Meld,
    found: tuple[Addition, ...],
    cards: tuple[Card, ...],
    reads_as: tuple[Card, ...],
    wild: tuple[str, ...],
    rules: Ruleset,
) -> tuple[Addition, ...]:
    """Ways of adding in which every card stands for what its owner says; several wilds lie as declared."""
    wilds = rules.wild_cards(wild)
    if any(card != meaning and card not in wilds for card, meaning in zip(cards, reads_as, strict=True)):
        return ()
    if meld.kind == "set":
        rank = meld.reads_as[0][0]
        if any(meaning[0] != rank for meaning in reads_as):
            return ()
        said = Counter(
            card if card == meaning else melds.any_of(rank)
            for card, meaning in zip(cards, reads_as, strict=True)
        )
        return tuple(way for way in found if Counter(way.reads_as) == said)
    matching = []
    for way in found:
        if Counter(way.reads_as) != Counter(reads_as):
            continue
        left = list(zip(cards, reads_as, strict=True))
        placed = []
        for meaning in way.reads_as:
            pair = next(pair for pair in left if pair[1] == meaning)
            left.remove(pair)
            placed.append(pair[0])
        below = len(way.low)
        matching.append(
            Addition(tuple(placed[:below]), way.low_reads_as, tuple(placed[below:]), way.high_reads_as)
        )
    return tuple(matching)


def lay_off(command: LayOff, table: Table, seat: int, rules: Ruleset) -> tuple[Event, ...]:
    """Judge cards added to a meld on the table.

    Raises:
        Refused: with the clause broken.
    """
    hand = table.deal.hands[seat]
    if not command.cards:
        raise Refused("invalid", "no cards to lay off", faults=(Fault("/cards", "no cards to lay off"),))
    check_held(command.cards, hand, "/cards")
    check_meanings(command.reads_as, command.cards)
    meld = known_meld(command.meld, table)
    way = read_addition(meld, command, command.cards, table.deal.wild, rules)
    return lay_addition(way, meld, table, seat, rules)


def lay_addition(way: Addition, meld: Meld, table: Table, seat: int, rules: Ruleset) -> tuple[Event, ...]:
    """Judge cards of the hand added to a meld in a fitting way.

    Raises:
        Refused: with the clause broken.
    """
    check_left_for_discard(table, seat, len(way.cards), rules)
    understood = LayOff(meld.number, way.cards, way.reads_as)
    objection = rules.objection(understood, table, seat)
    if objection is not None:
        raise illegal(objection)
    if meld.kind == "set":
        joined = CardLaidOff(seat, meld.number, None, way.high, way.high_reads_as)
        return check_can_end((joined,), table, seat, rules)
    events: list[Event] = []
    if way.low:
        events.append(CardLaidOff(seat, meld.number, "low", way.low, way.low_reads_as))
    if way.high:
        events.append(CardLaidOff(seat, meld.number, "high", way.high, way.high_reads_as))
    return check_can_end(tuple(events), table, seat, rules)


# -- a wild taken back -------------------------------------------------------------------------------------------------


def reclaim(command: Reclaim, table: Table, seat: int, rules: Ruleset) -> tuple[Event, ...]:
    """Judge a natural given for a wild.

    Raises:
        Refused: with the clause broken.
    """
    check_held((command.card,), table.deal.hands[seat], "/card")
    if command.wild not in CARDS:
        fault = Fault("/for", f"{command.wild!r} is not a card")
        raise Refused("invalid", fault.detail, faults=(fault,))
    meld = known_meld(command.meld, table)
    objection = rules.objection(command, table, seat)
    if objection is not None:
        raise illegal(objection)
    standing = [place for place, card in enumerate(meld.cards) if card != meld.reads_as[place]]
    if not any(meld.cards[place] == command.wild for place in standing):
        raise broken(
            "reclaim.wild", f"meld {meld.number} holds no {command.wild} that stands for another card"
        )
    if command.card in rules.wild_cards(table.deal.wild):
        raise broken("reclaim.natural", f"{command.card} is wild itself: only a natural card frees a wild")
    for place in rules.exchanges(meld, command.card, table.deal.wild):
        if meld.cards[place] == command.wild:
            taken = WildReclaimed(seat, meld.number, command.card, command.wild, meld.reads_as[place])
            return check_can_end((taken,), table, seat, rules, arising=True)
    where = " or ".join(
        sorted(
            {
                meld.reads_as[place].removesuffix(ANY_SUIT)
                for place in standing
                if meld.cards[place] == command.wild
            }
        )
    )
    raise broken(
        "reclaim.fits", f"{command.wild} stands for {where} there: {command.card} cannot take its place"
    )
