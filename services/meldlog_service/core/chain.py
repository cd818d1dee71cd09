"""Canonical bytes, seals and the hash chain.

Canonical JSON is RFC 8785 restricted to strings, integers, booleans, null, arrays and objects. The hash of a commit
covers its public form, so every viewer computes the same chain from what that viewer was given.
"""

from __future__ import annotations

import hashlib
import hmac

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import Command
from meldlog_contracts.events import (
    SCHEMA,
    SECRETIVE,
    CardDrawn,
    Commit,
    DealStarted,
    Event,
    GameCreated,
    GameForked,
    StockRenewed,
)
from meldlog_contracts.sealed import Sealed, cards_of
from meldlog_contracts.stored import Json, Members, UnknownSchema, decode

__all__ = [
    "BrokenSeal",
    "UnknownSchema",
    "canonical",
    "check_seals",
    "close_event",
    "closed_events",
    "decode",
    "genesis",
    "hash_of",
    "hash_of_line",
    "is_made_of",
    "make_commit",
    "seal_events",
    "seal_of",
    "sealed_fields",
    "sent",
]

_encoder = msgspec.json.Encoder(order="sorted")
_HASH_MEMBER = b'"hash":"'
_HASH_DIGITS = 64
_HASH_LENGTH = len(_HASH_MEMBER) + _HASH_DIGITS + len('",')
_NO_HASH = "0" * _HASH_DIGITS
_SALT_MEMBER = b'"salt":"'
_SALT_LENGTH = len(_SALT_MEMBER) + 32 + len('",')
_CARD_MEMBER = b',"value":"'
_CARD_LENGTH = len(_CARD_MEMBER) + 2 + len('"')


class _Public(Struct, frozen=True):
    """A commit without its hash."""

    at: str
    by: str
    command: Command
    command_id: str
    events: tuple[Event, ...]
    prev: str
    schema: int
    version: int


class _Opened(Struct, frozen=True):
    """What a seal is the hash of."""

    salt: str
    value: str | tuple[Card, ...]


class BrokenSeal(Exception):
    """An opened value does not match its seal."""


def canonical(value: object) -> bytes:
    """Canonical JSON of anything that msgspec can encode."""
    return _encoder.encode(value)


def is_canonical(line: bytes) -> bool:
    """Whether a line of JSON has the one form that hashes are made from, whatever it tells."""
    return _encoder.encode(msgspec.json.decode(line)) == line


def genesis(game_id: str) -> str:
    """What stands as ``prev`` in version 1."""
    return hashlib.sha256(game_id.encode()).hexdigest()


def root_of(commit: Commit) -> str:
    """What a log's first commit is linked to; nothing when it creates no game."""
    first = commit.events[0] if commit.events else None
    return genesis(first.game_id) if isinstance(first, GameCreated) else ""


def seal_of(salt: str, value: str | tuple[Card, ...]) -> str:
    """SHA-256 (hex) of the canonical JSON of ``{"salt": …, "value": …}``."""
    return hashlib.sha256(_encoder.encode(_Opened(salt, value))).hexdigest()


def close_event(event: Event) -> Event:
    """The event with every sealed value closed: its public form."""
    if isinstance(event, CardDrawn):
        return CardDrawn(event.seat, event.card.closed())
    if isinstance(event, DealStarted):
        return replace(event, hands=tuple(hand.closed() for hand in event.hands), stock=event.stock.closed())
    if isinstance(event, StockRenewed):
        return replace(event, stock=event.stock.closed())
    if isinstance(event, (GameCreated, GameForked)):
        return replace(event, game_seed=event.game_seed.closed())
    return event


def closed_events(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events in their public form; most commits hold no secret, and their events are returned as they are."""
    for event in events:
        if type(event) in SECRETIVE:
            return tuple([close_event(one) for one in events])
    return events


def hash_of(commit: Commit) -> str:
    """Hash of a commit from its public form; the ``hash`` it carries is not looked at.

    Of a commit of this schema: what an older one was recorded as is in its line alone (`hash_of_line`).
    """
    public = _Public(
        commit.at,
        commit.by,
        commit.command,
        commit.command_id,
        closed_events(commit.events),
        commit.prev,
        commit.schema,
        commit.version,
    )
    return hashlib.sha256(_encoder.encode(public)).hexdigest()


def hash_of_line(line: bytes, commit: Commit) -> str:
    """Hash of a commit from the bytes that it was read from: the same as `hash_of` where these are canonical.

    What is not public is cut out of the bytes, so most lines are not encoded again; quotes inside a text are escaped,
    so no text can look like a member. A line that is not canonical, and is not encoded again, gets another hash than
    the one it carries. A commit of an older schema has the hash of the shapes that it was recorded in.
    """
    if commit.schema != SCHEMA:
        return _hash_as_recorded(line)
    events = commit.events
    own = line.rfind(_HASH_MEMBER)
    rest = line[own + _HASH_LENGTH :]
    if len(events) == 1 and type(events[0]) is CardDrawn:
        salt = line.find(_SALT_MEMBER)
        if salt >= 0:
            value = line.find(_CARD_MEMBER, salt)
            public = line[:salt] + line[salt + _SALT_LENGTH : value] + line[value + _CARD_LENGTH : own] + rest
            return hashlib.sha256(public).hexdigest()
    else:
        for event in events:
            if type(event) in SECRETIVE:
                return hash_of(commit)
    return hashlib.sha256(line[:own] + rest).hexdigest()


def _hash_as_recorded(line: bytes) -> str:
    members: Members = msgspec.json.decode(line)
    members.pop("hash", None)
    return hashlib.sha256(_encoder.encode(_with_closed(members, frozenset()))).hexdigest()


def sent(line: bytes, shown: Commit) -> bytes:
    """A stored commit as a viewer is sent it, byte for byte: what anybody's hash is made from.

    Args:
        line: The commit as it is stored.
        shown: The same commit, read, with those secrets closed that the viewer may not see.
    """
    if shown.schema == SCHEMA:
        return _encoder.encode(shown)
    opened = frozenset(
        f"{index}.{path}"
        for index, event in enumerate(shown.events)
        for path, sealed in sealed_fields(event)
        if sealed.is_open
    )
    return _encoder.encode(_with_closed(msgspec.json.decode(line), opened))


def _with_closed(members: Members, opened: frozenset[str]) -> Members:
    """A commit of any schema in which only these secrets are open, named by event and path as in ``2.hands.0``."""
    events = members["events"]
    if not isinstance(events, list):
        return members
    return {**members, "events": [_closed(event, f"{index}", opened) for index, event in enumerate(events)]}


def _closed(node: Json, path: str, opened: frozenset[str]) -> Json:
    if isinstance(node, dict):
        if "seal" in node:
            return node if path in opened else {"count": node.get("count"), "seal": node["seal"]}
        return {name: _closed(value, f"{path}.{name}", opened) for name, value in node.items()}
    if isinstance(node, list):
        return [_closed(value, f"{path}.{index}", opened) for index, value in enumerate(node)]
    return node


def seal_events(events: tuple[Event, ...], version: int, game_seed: str) -> tuple[Event, ...]:
    """Put salts and seals on the secrets of a commit's events; most commits hold none."""
    if SECRETIVE.isdisjoint(map(type, events)):
        return events
    key = bytes.fromhex(game_seed)

    def seal(index: int, path: str, draft: Sealed) -> Sealed:
        value = draft.value
        if isinstance(value, UnsetType):
            raise BrokenSeal(f"event {index} of version {version} has no value to seal at {path}")
        salt = hmac.digest(key, f"salt:{version}:{index}:{path}".encode(), "sha256")[:16].hex()
        return Sealed(draft.count, seal_of(salt, value), salt, value)

    sealed: list[Event] = []
    for index, event in enumerate(events):
        if isinstance(event, CardDrawn):
            sealed.append(CardDrawn(event.seat, seal(index, "card", event.card)))
        elif isinstance(event, DealStarted):
            hands = tuple(seal(index, f"hands.{seat}", hand) for seat, hand in enumerate(event.hands))
            sealed.append(replace(event, hands=hands, stock=seal(index, "stock", event.stock)))
        elif isinstance(event, StockRenewed):
            sealed.append(replace(event, stock=seal(index, "stock", event.stock)))
        elif isinstance(event, (GameCreated, GameForked)):
            sealed.append(replace(event, game_seed=seal(index, "game_seed", event.game_seed)))
        else:
            sealed.append(event)
    return tuple(sealed)


def make_commit(
    *,
    at: str,
    by: str,
    command: Command,
    command_id: str,
    events: tuple[Event, ...],
    game_seed: str,
    prev: str,
    version: int,
) -> tuple[Commit, bytes]:
    """Seal the events and link the commit to the chain: the commit, and its canonical bytes as they are stored."""
    sealed = seal_events(events, version, game_seed)
    draft = Commit(at, by, command, command_id, sealed, _NO_HASH, prev, SCHEMA, version)
    line = _encoder.encode(draft)
    own_hash = hash_of_line(line, draft)
    commit = Commit(at, by, command, command_id, sealed, own_hash, prev, SCHEMA, version)
    # The hash takes the place that was kept for it: to encode everything once more would cost as much again.
    own = line.rfind(_HASH_MEMBER) + len(_HASH_MEMBER)
    return commit, b"%b%b%b" % (line[:own], own_hash.encode(), line[own + _HASH_DIGITS :])


def is_made_of(line: bytes, commit: Commit, events: tuple[Event, ...], game_seed: str, prev: str) -> bool:
    """Whether a stored commit is what `make_commit` makes of these events (not sealed yet), byte for byte.

    Args:
        line: The commit as it is stored.
        commit: The same, read.
        events: What is to be compared with its events.
        game_seed: In hex, for the salts.
        prev: Hash of the commit before.
    """
    again = Commit(
        commit.at,
        commit.by,
        commit.command,
        commit.command_id,
        seal_events(events, commit.version, game_seed),
        commit.hash,
        prev,
        SCHEMA,
        commit.version,
    )
    return _encoder.encode(again) == line and hash_of_line(line, again) == commit.hash


def check_seals(commit: Commit) -> None:
    """Check every opened value of a commit against its seal.

    Raises:
        BrokenSeal: naming the version and the field.
    """
    for index, event in enumerate(commit.events):
        for path, sealed in sealed_fields(event):
            if sealed.salt is UNSET and sealed.value is UNSET:
                continue
            where = f"version {commit.version}, event {index}: {path}"
            if isinstance(sealed.salt, UnsetType) or isinstance(sealed.value, UnsetType):
                raise BrokenSeal(f"{where} is half open")
            if sealed.count != (0 if path == "game_seed" else len(cards_of(sealed))):
                raise BrokenSeal(f"{where} does not hold as many cards as it says")
            if seal_of(sealed.salt, sealed.value) != sealed.seal:
                raise BrokenSeal(f"{where} is not what was sealed")


def sealed_fields(event: Event) -> tuple[tuple[str, Sealed], ...]:
    """Paths and values of an event's secrets."""
    if isinstance(event, CardDrawn):
        return (("card", event.card),)
    if isinstance(event, DealStarted):
        return (*((f"hands.{seat}", hand) for seat, hand in enumerate(event.hands)), ("stock", event.stock))
    if isinstance(event, StockRenewed):
        return (("stock", event.stock),)
    if isinstance(event, (GameCreated, GameForked)):
        return (("game_seed", event.game_seed),)
    return ()
