"""What could these cards be? Asked of a variant's rules, without a game."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from meldlog_contracts.cards import JOKER, RANKS, RANKS_ARE_WRITTEN, Card
from meldlog_contracts.commands import CardText
from meldlog_contracts.melds import Addition
from meldlog_contracts.problems import Fault, Refused
from meldlog_contracts.table import Meld, MeldKind
from meldlog_service.core.laying import read_meld
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.http.command_bodies import Misspelt, cards_in, check_spelt, meanings_in
from meldlog_service.http.games import HouseValueGiven, Id
from meldlog_service.http.problems import Rejected, invalid

Cards = Annotated[tuple[CardText, ...], Meta(min_length=1, max_length=16)]


class MeldAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A meld on the table: its cards, low card first, and what each stands for."""

    cards: Cards
    reads_as: Cards


class Question(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Cards to judge, the ranks that are wild (``JK`` for jokers), and perhaps a meld to lay them off on."""

    cards: Cards
    wild: Annotated[tuple[Annotated[str, Meta(min_length=1, max_length=2)], ...], Meta(max_length=14)] = ()
    house_rules: Annotated[dict[str, HouseValueGiven], Meta(max_length=256)] = {}
    options: Annotated[tuple[Id, ...], Meta(max_length=32)] = ()
    ordered: bool = False
    """Whether the cards lie as they were given, low to high."""
    meld: MeldAsked | None = None


class ReadingView(Struct, frozen=True):
    """One thing that the cards can be: ``cards[i]`` stands for ``reads_as[i]``.

    ``end`` is there for cards laid off: where on a run they go, `both` for some at each end, null on a set.
    """

    kind: MeldKind
    reads_as: tuple[Card, ...]
    cards: tuple[Card, ...]
    end: Literal["low", "high", "both"] | None = None


class RefusalView(Struct, frozen=True):
    """Why they can be nothing."""

    code: str
    rule: str | None
    detail: str


class Judgement(Struct, frozen=True):
    """Everything that the cards can be, or why they can be nothing."""

    readings: tuple[ReadingView, ...]
    refusal: RefusalView | None


def judge(question: Question, rules: Ruleset) -> Judgement:
    """Judge cards.

    Raises:
        Rejected: ``invalid``, for cards that do not exist and for a meld that is none.
    """
    _check(question)
    if question.meld is not None:
        return _laid_off(question, question.meld, rules)
    found = rules.meanings(question.cards, question.wild, ordered=question.ordered)
    if found:
        return Judgement(tuple(ReadingView(one.kind, one.reads_as, one.cards) for one in found), None)
    if question.ordered and rules.meanings(question.cards, question.wild):
        detail = f"{' '.join(question.cards)} is neither a set nor, in this order, a run"
        return Judgement((), RefusalView("illegal_move", "meld.shape", detail))
    try:
        read_meld(question.cards, None, question.wild, rules)
    except Refused as refused:
        return Judgement((), RefusalView(refused.code, refused.rule, refused.detail))
    raise AssertionError("what can be laid has a reading")


def _check(question: Question) -> None:
    misspelt = list(cards_in(question.cards, "/cards"))
    misspelt += [
        Misspelt(Fault(f"/wild/{place}", f"{rank!r} is neither a rank nor JK"), RANKS_ARE_WRITTEN)
        for place, rank in enumerate(question.wild)
        if rank != JOKER and (len(rank) != 1 or rank not in RANKS)
    ]
    if question.meld is not None:
        misspelt += cards_in(question.meld.cards, "/meld/cards")
        misspelt += meanings_in(question.meld.reads_as, "/meld/reads_as")
    check_spelt(misspelt)


def _laid_off(question: Question, asked: MeldAsked, rules: Ruleset) -> Judgement:
    """Where the cards could go on a meld."""
    wilds = rules.wild_cards(question.wild)
    kind = rules.kind_of(asked.reads_as)
    if len(asked.cards) != len(asked.reads_as):
        raise _no_meld(f"{len(asked.reads_as)} meanings for {len(asked.cards)} cards: say one for each")
    for card, means in zip(asked.cards, asked.reads_as, strict=True):
        if card != means and card not in wilds:
            raise _no_meld(f"{card} is not wild and cannot stand for {means}: wild names the ranks that are")
    if kind is None:
        raise _no_meld(
            f"{' '.join(asked.reads_as)} is neither a set nor a run: give the cards of a run low card first"
        )
    length = len(asked.cards)
    meld = Meld(1, kind, 0, asked.cards, asked.reads_as, (0,) * length, length)
    found = [
        ReadingView(kind, way.reads_as, way.cards, _end(way) if kind == "run" else None)
        for way in rules.additions(meld, question.cards, question.wild)
        if not question.ordered or way.cards == question.cards
    ]
    if found:
        return Judgement(tuple(found), None)
    detail = f"{' '.join(question.cards)} does not fit {' '.join(asked.reads_as)}"
    return Judgement((), RefusalView("illegal_move", "layoff.fits", detail))


def _no_meld(detail: str) -> Rejected:
    return invalid("/meld", f"these cards, read like this, are no meld: {detail}")


def _end(way: Addition) -> Literal["low", "high", "both"]:
    if way.low and way.high:
        return "both"
    return "low" if way.low else "high"
