"""Bodies of the command route: one command, or a list that is all or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.json import Decoder

from meldlog_contracts.cards import (
    ANY_SUIT,
    CARDS,
    CARDS_ARE_WRITTEN,
    JOKER,
    MEANINGS_ARE_WRITTEN,
    RANKS,
    RANKS_ARE_WRITTEN,
    Card,
)
from meldlog_contracts.commands import Batch, Discard, Draw, GameCommand, LayMeld, LayOff, NameWild, Reclaim
from meldlog_contracts.problems import Fault
from meldlog_service.http.bodies import check_all, check_json, decode, unfit
from meldlog_service.http.problems import Rejected

_MEANINGS = CARDS - {JOKER} | {Card(rank + ANY_SUIT) for rank in RANKS}
"""Everything that a card can stand for: a card, or (``KX``) a rank of no stated suit."""
_NO_TYPE = "Object missing required field `type`"
_LEAST_OF_DISCARD = 2
_TYPE_OF_LISTS = "Invalid value 'batch' - at `$.type`"


class CommandList(Struct, frozen=True, forbid_unknown_fields=True):
    """Several commands: decided one after the other and stored as one commit, or not at all."""

    commands: Annotated[tuple[GameCommand, ...], Meta(min_length=1, max_length=64)]
    type: Literal["batch"] | UnsetType = UNSET
    """May be given, as in the log and in listed moves."""


_one: Decoder[GameCommand] = Decoder(GameCommand)
_several = Decoder(CommandList)
_encoder = msgspec.json.Encoder()


def read(body: bytes) -> GameCommand | Batch:
    """Decode what was posted.

    Raises:
        Rejected: ``malformed``; or ``invalid``, with a pointer to the first thing that does not fit, or to every card
            that does not exist.
    """
    command: GameCommand | Batch
    try:
        command = _one.decode(body)
    except msgspec.ValidationError as error:
        # A list has commands, and either no type or the one that the log and the listed moves give it; two decoders
        # cost a list less than one for both costs the rest.
        told = str(error)
        if not (told == _TYPE_OF_LISTS or (told == _NO_TYPE and b'"commands"' in body)):
            raise unfit(error, GameCommand | Batch, check_all(body)) from error
        command = Batch(decode(body, _several).commands)
        check_spelt(
            misspelt
            for place, one in enumerate(command.commands)
            for misspelt in _misspelt(one, f"/commands/{place}")
        )
        return command
    except (msgspec.DecodeError, RecursionError):
        return decode(body, _one)  # says why not
    if type(command) is not Draw:  # which names no card
        check_spelt(_misspelt(command))
    # A valid command holds no colon but those after its names. As many as its own encoding has: no name stands twice.
    # A discard cannot have fewer than its two.
    colons = body.count(b":")
    if colons == _LEAST_OF_DISCARD and type(command) is Discard:
        return command
    if colons != _encoder.encode(command).count(b":"):
        check_json(body)
    return command


class Misspelt(NamedTuple):
    """A text that is not what it should be, and how such texts are written."""

    fault: Fault
    written: str


def check_spelt(misspelt: Iterable[Misspelt]) -> None:
    """Check that nothing is misspelt.

    Raises:
        Rejected: ``invalid``, with a pointer to each text; how they are written is said once.
    """
    found = tuple(misspelt)
    if found:
        faults = tuple(one.fault for one in found)
        hints = dict.fromkeys(one.written for one in found)
        detail = f"{'; '.join(fault.detail for fault in faults)}: {'; '.join(hints)}"
        raise Rejected("invalid", detail, errors=faults)


def _misspelt(command: GameCommand, at: str = "") -> Iterator[Misspelt]:
    """Cards that are none, and meanings that no card can have."""
    match command:
        case Discard(card=card):
            yield from unknown_cards((card,), (f"{at}/card",))
        case LayMeld(cards=cards, reads_as=reads_as) | LayOff(cards=cards, reads_as=reads_as):
            yield from cards_in(cards, f"{at}/cards")
            yield from meanings_in(reads_as or (), f"{at}/reads_as")
        case Reclaim(card=card, wild=wild):
            yield from unknown_cards((card, wild), (f"{at}/card", f"{at}/for"))
        case NameWild(rank=rank) if rank not in RANKS or len(rank) != 1:
            yield Misspelt(Fault(f"{at}/rank", f"{rank!r} is not a rank"), RANKS_ARE_WRITTEN)
        case _:
            pass


def unknown_cards(cards: tuple[Card, ...], pointers: tuple[str, ...]) -> Iterator[Misspelt]:
    """Each text that is no card."""
    for card, pointer in zip(cards, pointers, strict=True):
        if card not in CARDS:
            yield Misspelt(Fault(pointer, f"{card!r} is not a card"), CARDS_ARE_WRITTEN)


def cards_in(cards: tuple[Card, ...], at: str) -> Iterator[Misspelt]:
    """Each text in a list that is no card."""
    if not CARDS.issuperset(cards):
        yield from unknown_cards(cards, tuple(f"{at}/{place}" for place in range(len(cards))))


def meanings_in(reads_as: tuple[Card, ...], at: str) -> Iterator[Misspelt]:
    """Each text in a list that no card can stand for."""
    for place, meaning in enumerate(reads_as):
        if meaning not in _MEANINGS:
            fault = Fault(f"{at}/{place}", f"{meaning!r} is nothing that a card can stand for")
            yield Misspelt(fault, MEANINGS_ARE_WRITTEN)
