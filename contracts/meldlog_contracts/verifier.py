"""Verify a Meldlog game log without Meldlog: no server, no plugins, no network, only Python >= 3.11.

    python meldlog_verify.py log.ndjson [--head HASH] [--json]    exit status: 0 fine, 1 a fault, 2 wrong usage

The log is NDJSON, one commit a line, as the service exports it: to the operator with every secret open, to
a player or a spectator with the others' secrets closed. Both are accepted. The report says what was proved,
what this export cannot prove, and where the first fault lies. What such a proof is worth, and what it is not,
is told in docs/verify.md.

This is one file on purpose, longer than our others: whoever does not trust us should be able to carry it
away, read it from top to bottom and run it alone, under whatever name. It has a twin in JavaScript, verifier.js
beside the web pages, which makes the same report, word for word: so no word here depends on how Python would
put it. It was written from the published log format and shares no
code with the service. It knows no rules of any variant: whether a move was allowed is for an audit; that
cards neither appear nor vanish, and that chance was fixed beforehand, is for this file. In order: the report,
canonical JSON, sealed values, chance, the lines and their chain, the seeds, the cards on the table, the story
told by the events, the command line.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import re
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import BinaryIO, Final, Literal, NoReturn, TypeAlias, get_args

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
Verdict = Literal["proved", "not_provable", "fault"]
CheckName = Literal[
    "contiguity", "canonical", "chain", "seals", "commitments", "shuffles", "conservation", "draws"
]

SCHEMAS: Final = (0, 1)
"""Whose logs this verifier follows: what it reads of a commit has the same names in all of them."""
MAX_LINE: Final = 8 * 2**20
"""Bytes of a line this verifier is willing to read; a commit has a few hundred."""
MAX_LOG: Final = 256 * 2**20
"""Bytes of a log it is willing to keep in memory."""
MAX_DEPTH: Final = 32
"""Lists and objects inside one another, in one line."""
MAX_INTEGER: Final = 2**53 - 1
"""RFC 8785 writes numbers as IEEE doubles do: beyond this, two readers may read two numbers."""
MAX_PACK: Final = 2**16
"""A shuffle numbers the cards with two bytes."""
SHOWN: Final = 80
"""Characters of foreign text in a report."""


# ------------------------------------------------------------------------------------------------- the report


@dataclass(frozen=True)
class Check:
    """One line of the report.

    Attributes:
        name: What was checked.
        verdict: ``not_provable`` is no fault: this export does not hold what it takes.
        detail: The finding in plain words.
        version: Where the first such finding lies; None for what was proved.
        event: Index of the event in that version's list which a fault lies in; None where it is in no single event.
        event_type: That event's tag.
        count: How many values, commits or movements the finding is about.
    """

    name: CheckName
    verdict: Verdict
    detail: str
    version: int | None
    event: int | None
    event_type: str | None
    count: int

    @property
    def place(self) -> str:
        """Where it lies, for people."""
        since = "" if self.verdict == "fault" else "from "
        event = "" if self.event is None else f", event {self.event} ({self.event_type})"
        return f"{since}version {self.version}{event}" if self.version else ""


@dataclass(frozen=True)
class Report:
    """Everything found out about a log.

    Attributes:
        ok: No fault was found.
        game_id: As the log tells it.
        versions: How many commits there are.
        head: Hash of the last commit, computed from its content.
        anchor: The version whose hash was given as the head; None where none was given, or where no version has it.
        opened: Sealed values whose secret this export holds.
        closed: Sealed values whose secret it does not hold.
        first_fault: The fault with the lowest version, which is where to look first: later ones may follow from it.
        checks: Every finding.
    """

    ok: bool
    game_id: str | None
    versions: int
    head: str | None
    anchor: int | None
    opened: int
    closed: int
    first_fault: Check | None
    checks: list[Check]

    def text(self) -> str:
        """The report for people."""
        game = _show(self.game_id) if self.game_id else "(no game id found)"
        export = f"{self.opened} sealed values open"
        export += f", {self.closed} closed" if self.closed else ": nothing is kept from you"
        rows = [
            f"game      {game}",
            f"versions  {self.versions}",
            f"head      {self.head or '-'}",
            f"export    {export}",
            "",
        ]
        for check in self.checks:
            where = f" [{check.place}]" if check.place else ""
            rows.append(f"{check.verdict.replace('_', ' '):13} {check.name:13} {check.detail}{where}")
        fault = self.first_fault
        end = f"FAULT in {fault.place}: {fault.name}: {fault.detail}" if fault else "No fault was found."
        return "\n".join([*rows, "", end])


class Findings:
    """Collects what is found; each kind of finding becomes one line of the report."""

    def __init__(self) -> None:
        self._notes: dict[tuple[CheckName, Verdict, str], list[int]] = {}
        self._faults: dict[CheckName, dict[int, tuple[str, Event | None]]] = {}

    def proved(self, name: CheckName, what: str, count: int = 1) -> None:
        """Note that `count` things are as they should be."""
        note = self._notes.setdefault((name, "proved", what), [0])
        note[0] += count

    def not_provable(self, name: CheckName, why: str, version: int, count: int = 1) -> None:
        """Note that this export does not hold what the check would need."""
        note = self._notes.setdefault((name, "not_provable", why), [0, version])
        note[0] += count

    def fault(self, name: CheckName, detail: str, version: int, event: Event | None = None) -> None:
        """Note that something is wrong; of several faults of a kind in one version the first is told."""
        self._faults.setdefault(name, {}).setdefault(version, (detail, event))

    def checks(self) -> list[Check]:
        """Lines of the report, check by check: the first fault, then what was proved and what could not be."""
        rows: list[Check] = []
        names: tuple[CheckName, ...] = get_args(CheckName)
        for name in names:
            before = len(rows)
            if faults := self._faults.get(name):
                first = min(faults)
                detail, event = faults[first]
                later = f"; {len(faults) - 1} later versions fail too" if len(faults) > 1 else ""
                index, kind = (event.index, event.type) if event else (None, None)
                rows.append(Check(name, "fault", detail + later, first, index, kind, len(faults)))
            for (noted, verdict, what), (count, *versions) in sorted(self._notes.items(), key=_proved_first):
                if noted == name:
                    detail = f"{what} ({count})" if count > 1 else what
                    version = min(versions, default=None)
                    rows.append(Check(name, verdict, detail, version, None, None, count))
            if len(rows) == before:
                why = "nothing in this log calls for this check"
                rows.append(Check(name, "not_provable", why, None, None, None, 0))
        return rows


def _proved_first(note: tuple[tuple[CheckName, Verdict, str], list[int]]) -> bool:
    return note[0][1] != "proved"


class Misfit(Exception):
    """Something in an event that cannot be; `name` is the check it fails."""

    def __init__(self, name: CheckName, detail: str, event: Event | None = None) -> None:
        super().__init__(detail)
        self.name: CheckName = name
        self.event = event


def _show(value: object) -> str:
    """Foreign data made safe and short enough for a report."""
    if isinstance(value, dict | list):
        return f"an object or list of {len(value)}"
    plain = isinstance(value, str) and value.isascii() and value.isprintable()
    text = str(value) if plain else json.dumps(value).replace("\x7f", "\\u007f")
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


# --------------------------------------------------------------------------------------------- canonical JSON


class Unreadable(Exception):
    """A line that is not canonical JSON; the message says why."""


def _refuse_number(text: str) -> NoReturn:
    raise Unreadable(f"holds the number {_show(text)}; a log holds whole numbers only")


def _integer(text: str) -> int:
    if len(text) > len(str(-MAX_INTEGER)) or abs(int(text)) > MAX_INTEGER:
        raise Unreadable(f"holds the number {_show(text)}, too large to be read alike by every reader")
    return int(text)


_DECODER = json.JSONDecoder(parse_float=_refuse_number, parse_constant=_refuse_number, parse_int=_integer)
_ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, sort_keys=True, separators=(",", ":"))
_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+"?|([\[{])|([\]}])', re.DOTALL)
"""A whole text of JSON, or one bracket."""


def canonical(value: Json) -> str:
    """Write JSON in the one form that hashes and seals are made from (RFC 8785, restricted)."""
    return _ENCODER.encode(value)


def sha256(data: bytes | str) -> str:
    """SHA-256 in hex, of bytes or of a text's UTF-8."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def read_line(line: bytes | str) -> dict[str, Json]:
    """Read one commit and insist on its canonical form: written again, it must be the same bytes.

    Raises:
        Unreadable: saying what is wrong with the line.
    """
    try:
        raw = line.encode() if isinstance(line, str) else line
        text = raw.removesuffix(b"\n").decode()
    except UnicodeError:
        raise Unreadable("is not UTF-8") from None
    if text.count("{") + text.count("[") > MAX_DEPTH:
        _check_depth(text)
    try:
        value: Json = _DECODER.decode(text)
    except json.JSONDecodeError:
        raise Unreadable("is not JSON") from None
    rewritten = canonical(value)
    if rewritten != text:
        raise Unreadable(_what_is_not_canonical(text, rewritten))
    if not isinstance(value, dict):
        raise Unreadable("is not a JSON object")
    return value


def _check_depth(text: str) -> None:
    """Refuse lists and objects that lie too deeply inside one another: nothing later on need fear them."""
    depth = 0
    for token in _BRACKET.finditer(text):
        depth += bool(token[1]) - bool(token[2])
        if depth > MAX_DEPTH:
            raise Unreadable("is nested too deeply")


def _what_is_not_canonical(text: str, rewritten: str) -> str:
    """Say why a line that is JSON is not in canonical form."""

    def no_key_twice(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        keys = Counter(key for key, _ in pairs)
        if doubles := [key for key, times in keys.items() if times > 1]:
            raise Unreadable(f"has the key {_show(doubles[0])} twice in one object")
        return dict(pairs)

    try:
        json.loads(text, object_pairs_hook=no_key_twice)
        rewritten.encode()
    except Unreadable as why:
        return str(why)
    except UnicodeError:
        return "holds half a character (a lone surrogate)"
    if text.endswith("\r"):
        return "ends in a carriage return: a program that rewrites line ends has touched this file"
    shorter = min(len(text), len(rewritten))
    at = next((i for i in range(shorter) if text[i] != rewritten[i]), shorter)
    return (
        f"is not canonical JSON: at character {at + 1} it has '{_show(text[at : at + 20])}', "
        f"where canonical JSON has '{_show(rewritten[at : at + 20])}'"
    )


# ---------------------------------------------------------------------------------------------- sealed values


@dataclass(frozen=True, slots=True)
class Sealed:
    """A secret and the public seal on it; ``salt`` and ``value`` are there only where it is open."""

    count: int
    seal: str
    salt: str | None = None
    value: Json = None


def seal_of(salt: str, value: Json) -> str:
    """The seal on a value."""
    return sha256(canonical({"salt": salt, "value": value}))


def _read_sealed(node: dict[str, Json], path: str) -> Sealed:
    """Read a sealed value, which has exactly these two or these four members.

    Raises:
        Misfit: when it has others, or members of another type.
    """
    count, seal, salt, value = node.get("count"), node["seal"], node.get("salt"), node.get("value")
    if node.keys() not in ({"count", "seal"}, {"count", "salt", "seal", "value"}):
        members = _show(" ".join(sorted(node)))
        raise Misfit("seals", f"the sealed value {_show(path)} has the members {members}")
    if type(count) is not int or count < 0 or not isinstance(seal, str):
        raise Misfit("seals", f"the sealed value {_show(path)} has no count of cards, or no seal")
    if "salt" not in node:
        return Sealed(count, seal)
    texts = value if isinstance(value, list) else [value]
    if not isinstance(salt, str) or not all(isinstance(text, str) for text in texts):
        raise Misfit("seals", f"the sealed value {_show(path)} or its salt is not made of text")
    return Sealed(count, seal, salt, value)


def redact(node: Json, path: str, found: dict[str, Sealed]) -> Json:
    """Copy part of an event with every secret closed: the public form, which the chain covers.

    Args:
        node: The part.
        path: Where it is in its event, as in ``hands.0``.
        found: Takes up the sealed values by their path.

    Raises:
        Misfit: for a malformed sealed value.
    """
    if isinstance(node, dict):
        if "seal" in node:
            if path in found:
                raise Misfit("seals", f"two sealed values go by the name {_show(path)}")
            found[path] = _read_sealed(node, path)
            return {"count": node["count"], "seal": node["seal"]}
        start = path + "." if path else ""
        return {key: redact(item, start + key, found) for key, item in node.items()}
    if isinstance(node, list):
        return [redact(item, f"{path}.{index}", found) for index, item in enumerate(node)]
    return node


# ----------------------------------------------------------------------------------------------------- chance

UNSEEN: Final = "??"
JOKER: Final = "JK"
PLAIN_PACK: Final = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
CARDS: Final = frozenset((*PLAIN_PACK, JOKER))


def derive(seed: bytes, purpose: str) -> bytes:
    """The seed for one purpose, as in ``deal:1:…``: HMAC-SHA256 of that text under the game's seed."""
    return hmac.digest(seed, purpose.encode(), "sha256")


def shuffle(seed: bytes, cards: Sequence[str]) -> list[str]:
    """Put cards in the order that a seed gives: by SHA-256 of the seed and each card's position."""
    keys = [hashlib.sha256(seed + at.to_bytes(2, "big")).digest() for at in range(len(cards))]
    return [cards[at] for at in sorted(range(len(cards)), key=keys.__getitem__)]


def standard_order(cards: Counter[str]) -> list[str]:
    """The order before the shuffle: pack by pack, suit by suit, ace to king, then the jokers."""
    packs = max((cards[card] for card in PLAIN_PACK), default=0)
    plain = [card for copy in range(packs) for card in PLAIN_PACK if cards[card] > copy]
    return plain + [JOKER] * cards[JOKER]


def deal_out(
    deck: Sequence[str], sizes: Sequence[int], dealer: int, step: int
) -> tuple[list[list[str]], list[str]]:
    """Deal a shuffled pack from its front; returns the hands by seat, and what is left.

    One card to each seat at a time, from the seat after the dealer round to the dealer; a seat that gets more
    cards than the others gets them last. `step` is +1 where play goes clockwise, else -1.
    """
    seats = [(dealer + step * turn) % len(sizes) for turn in range(1, len(sizes) + 1)]
    hands: list[list[str]] = [[] for _ in sizes]
    cards = iter(deck)
    while seats := [seat for seat in seats if len(hands[seat]) < sizes[seat]]:
        for seat in seats:
            hands[seat].append(next(cards))
    return hands, list(cards)


# ---------------------------------------------------------------------------------- the lines and their chain


@dataclass(frozen=True, slots=True)
class Event:
    """One event where it stands in the log; its methods read a field, or raise `Misfit`."""

    version: int
    index: int
    fields: dict[str, Json]
    sealed: dict[str, Sealed]

    @property
    def type(self) -> str:
        """The event's tag."""
        tag = self.fields.get("type")
        return tag if isinstance(tag, str) and tag in EVENTS else _show(tag)

    def misfit(self, name: str, wanted: str) -> NoReturn:
        """Refuse a field."""
        told = _show(self.fields.get(name))
        raise Misfit("contiguity", f"{self.type}.{name} is {told}, not {wanted}", self)

    def number(self, name: str) -> int:
        """A whole number from 0 up: a seat, a deal, a meld."""
        value = self.fields.get(name)
        return value if type(value) is int and value >= 0 else self.misfit(name, "a number")

    def text(self, name: str) -> str:
        """A text."""
        value = self.fields.get(name)
        return value if isinstance(value, str) else self.misfit(name, "a text")

    def items(self, name: str) -> list[Json]:
        """A list."""
        value = self.fields.get(name)
        return value if isinstance(value, list) else self.misfit(name, "a list")

    def card(self, name: str) -> str:
        """A card that lies open."""
        return _cards([self.fields.get(name)], f"{self.type}.{name}")[0]

    def cards(self, name: str) -> list[str]:
        """Cards that lie open."""
        return _cards(self.items(name), f"{self.type}.{name}")

    def secret(self, name: str) -> Sealed:
        """A sealed value."""
        if name not in self.sealed:
            raise Misfit("seals", f"{self.type}.{name} should be a sealed value and is none")
        return self.sealed[name]

    def secret_cards(self, name: str) -> list[str]:
        """Cards of a sealed value: those it holds where it is open, else as many unseen ones as it counts."""
        sealed = self.secret(name)
        if sealed.count > MAX_PACK:
            raise Misfit("conservation", f"{self.type}.{name} counts {sealed.count} cards")
        if sealed.salt is None:
            return [UNSEEN] * sealed.count
        value = sealed.value if isinstance(sealed.value, list) else [sealed.value]
        if len(value) != sealed.count:
            raise Misfit("seals", f"{self.type}.{name} counts {sealed.count} cards and holds {len(value)}")
        return _cards(value, f"{self.type}.{name}")


def _cards(values: Sequence[Json], where: str) -> list[str]:
    cards: list[str] = []
    for value in values:
        if not isinstance(value, str) or value not in CARDS:
            raise Misfit("conservation", f"{where} holds something that is not a card: {_show(value)}")
        cards.append(value)
    return cards


@dataclass
class Log:
    """What was read of a log."""

    game_id: str | None = None
    hashes: list[str | None] = field(default_factory=list)
    """Hash of each version as recomputed from its content; None where a line could not be read."""
    events: list[Event] = field(default_factory=list)
    broken_at: int | None = None
    """The first version whose line could not be read: from here on nobody can follow the game."""

    def breaks(self, version: int) -> None:
        """Note a line that could not be read."""
        self.hashes.append(None)
        self.broken_at = self.broken_at or version


COMMIT_MEMBERS: Final = {"at", "by", "command", "command_id", "events", "hash", "prev", "schema", "version"}
OLDER: Final = "this verifier is older than the log"


def read_log(lines: Iterable[bytes | str], findings: Findings) -> Log:
    """Read every line by itself, then check its link to the line before."""
    log = Log()
    size = 0
    allowed: tuple[str, ...] = ()  # what this line's `prev` may be; empty where nobody can say
    for version, line in enumerate(lines, 1):
        size += len(line)
        if len(line) > MAX_LINE + 1 or size > MAX_LOG:
            log.breaks(version)
            detail = "the line, or the log, is too long to be a game; nothing after it was read"
            findings.fault("canonical", detail, version)
            break
        try:
            commit = read_line(line)
            events, public = _read_events(commit, version)
            _check_contiguity(commit, version, events)
            game_id = _follow_game(log, events)
        except Unreadable as why:
            findings.fault("canonical", f"the line {why}", version)
        except Misfit as why:
            findings.fault(why.name, str(why), version, why.event)
        else:
            findings.proved("canonical", "every line is canonical JSON")
            findings.proved("contiguity", "versions follow one another without a gap and hold known events")
            own, stated = sha256(canonical(public)), commit["hash"]
            _check_links(commit, version, own, allowed if version > 1 else (sha256(game_id),), findings)
            log.game_id = game_id
            log.hashes.append(own)
            log.events += events
            # A changed `hash` is this line's own fault: the next line may point to it or to the right one.
            allowed = (own, stated) if isinstance(stated, str) else (own,)
            continue
        log.breaks(version)
        allowed = ()
    return log


def _check_links(
    commit: dict[str, Json], version: int, own: str, allowed: Sequence[str], findings: Findings
) -> None:
    """Compare a line's hash with its content first, then its link: so the line that was changed is named."""
    if commit["hash"] != own:
        findings.fault("chain", f"the hash of version {version} is not that of its content", version)
    elif allowed and commit["prev"] not in allowed:
        before = f"the hash of version {version - 1}" if version > 1 else "the hash of the game id"
        findings.fault("chain", f"prev of version {version} is not {before}", version)
    else:
        findings.proved("chain", "every commit carries the hash of its content and of the commit before")


def _read_events(commit: dict[str, Json], version: int) -> tuple[list[Event], dict[str, Json]]:
    """The events of a commit, and the commit's public form without its hash."""
    events: list[Event] = []
    closed: list[Json] = []
    listed = commit.get("events")
    if not isinstance(listed, list):
        raise Misfit("contiguity", "the commit has no list of events")
    for index, fields in enumerate(listed):
        if not isinstance(fields, dict):
            raise Misfit("contiguity", f"event {index} is not an object")
        event = Event(version, index, fields, {})
        try:
            closed.append(redact(fields, "", event.sealed))
        except Misfit as why:
            why.event = event
            raise
        events.append(event)
    public = {**commit, "events": closed}
    public.pop("hash", None)
    return events, public


def _check_contiguity(commit: dict[str, Json], version: int, events: list[Event]) -> None:
    """Insist on the version that comes next, on the schema, and on events that this verifier knows."""
    if missing := COMMIT_MEMBERS - commit.keys():
        raise Misfit("contiguity", f"the commit has no {', '.join(sorted(missing))}")
    if type(commit["version"]) is not int or commit["version"] != version:
        raise Misfit("contiguity", f"here should be version {version}, not {_show(commit['version'])}")
    schema = commit["schema"]
    if type(schema) is not int or schema < 0:
        raise Misfit("contiguity", f"the schema is {_show(schema)}, not a number that a schema has")
    if schema not in SCHEMAS:
        raise Misfit("contiguity", f"schema {schema} is unknown: {OLDER}")
    for event in events:
        kind = event.fields.get("type")
        if not isinstance(kind, str) or kind not in EVENTS:
            raise Misfit("contiguity", f"the event {_show(kind)} is unknown: {OLDER}", event)
        if (kind == "game_created") != (version == 1 and event.index == 0):
            detail = "a game is created by the first event of version 1, and only there"
            raise Misfit("contiguity", detail, event)
    if version == 1 and not events:
        raise Misfit("contiguity", "version 1 creates no game")


def _follow_game(log: Log, events: list[Event]) -> str:
    """The game's id after these events; a fork must name the game, version and hash that it goes on from."""
    game_id = log.game_id or ""
    for event in events:
        if event.type == "game_created":
            game_id = event.text("game_id")
        elif event.type == "game_forked":
            past: list[Json] = [game_id, event.version - 1, log.hashes[-1] if log.hashes else None]
            told = [event.fields.get(name) for name in ("from", "version", "head")]
            if canonical(told) != canonical(past):
                raise Misfit("chain", "the fork does not go on from the commit before it", event)
            game_id = event.text("game_id")
    return game_id


def check_head(log: Log, head: str | None, findings: Findings) -> int | None:
    """Compare the end with a hash that was kept elsewhere: without one, a missing end can't be noticed.

    Returns:
        The version that has this hash, if there is one.
    """
    last = len(log.hashes)
    if head is None:
        why = "nobody can tell whether commits are missing at the end; a head kept elsewhere, if given, would"
        findings.not_provable("chain", why, last + 1)
    elif log.hashes and log.hashes[-1] == head.lower():
        findings.proved("chain", "the head you gave is the hash of the last commit: nothing is missing")
        return last
    elif head.lower() in log.hashes:
        kept = log.hashes.index(head.lower()) + 1
        why = f"up to version {kept}, whose hash you gave, this is the log you knew; commits came after it"
        findings.not_provable("chain", why, kept + 1, last - kept)
        return kept
    else:
        detail = f"no commit has the hash you gave: the end is missing after version {last}, or was rewritten"
        findings.fault("chain", detail, max(last, 1))
    return None


# -------------------------------------------------------------------------------------------------- the seeds

_HEX_SEED = re.compile(r"[0-9a-f]{64}")


def _seed_bytes(value: Json) -> bytes | None:
    return bytes.fromhex(value) if isinstance(value, str) and _HEX_SEED.fullmatch(value) else None


@dataclass
class Era:
    """The commits from `version` on that go by one game seed: a fork begins a new one."""

    version: int
    commitment: str
    seed: bytes | None = None


@dataclass
class Seeds:
    """Every seed that this export opens or reveals, each compared with the commitment made to it before."""

    eras: list[Era] = field(default_factory=list)
    deals: dict[int, bytes] = field(default_factory=dict)
    """Seeds of deals that were revealed one by one, by the version of their `deal_started`."""

    def game_seed(self, version: int) -> bytes | None:
        """The game seed in force at a version, if it is known."""
        return next((era.seed for era in reversed(self.eras) if era.version <= version), None)


def learn_seeds(events: Iterable[Event], findings: Findings) -> Seeds:
    """Gather the seeds. One that breaks its commitment is a fault where it is revealed, and is not used."""
    seeds = Seeds()
    deals: dict[int, Event] = {}
    for event in events:
        try:
            if event.type in ("game_created", "game_forked"):
                _begin_era(event, seeds, findings)
            elif event.type == "deal_started":
                deals[event.number("number")] = event
            elif event.type == "seeds_revealed":
                _reveal(event, seeds, deals)
        except Misfit as why:
            findings.fault(why.name, str(why), event.version, event)
    for era in seeds.eras:
        if era.seed:
            findings.proved("commitments", "the game seed is the one committed to at the start")
        else:
            findings.not_provable("commitments", "the game seed is not revealed in this export", era.version)
    return seeds


def _begin_era(event: Event, seeds: Seeds, findings: Findings) -> None:
    era = Era(event.version, event.text("commitment"))
    seeds.eras.append(era)
    sealed = event.secret("game_seed")
    if sealed.salt is not None:
        seed = _seed_bytes(sealed.value)
        if seed and sha256(seed) == era.commitment:
            era.seed = seed
        else:
            detail = f"the commitment of {event.type} is not to its game seed"
            findings.fault("commitments", detail, event.version, event)


def _reveal(event: Event, seeds: Seeds, deals: Mapping[int, Event]) -> None:
    if event.fields.get("game_seed") is not None:
        seed = _seed_bytes(event.fields["game_seed"])
        era = next((era for era in seeds.eras if seed and sha256(seed) == era.commitment), None)
        if era is None:
            raise Misfit("commitments", "the game seed revealed here is not the one committed to before")
        era.seed = seed
    if event.fields.get("deal_seed") is not None:
        seed, number = _seed_bytes(event.fields["deal_seed"]), event.number("deal")
        deal = deals.get(number)
        if seed is None or deal is None or sha256(seed) != deal.fields.get("commitment"):
            raise Misfit("commitments", f"the seed revealed here is not the one of deal {number}")
        seeds.deals[deal.version] = seed


# ----------------------------------------------------------------------------------------- cards on the table


class Table:
    """Where every card of the packs is: in the stock, the discard pile, a hand or a meld. Unseen: ``??``."""

    def __init__(
        self, pack: Counter[str] | None, hands: list[list[str]], stock: list[str], pile: list[str]
    ) -> None:
        self.pack = pack
        """Composition of the packs; None where this export does not tell it."""
        self.hands = [Counter(hand) for hand in hands]
        self.stock = deque(stock)
        self.pile = pile
        """Bottom first."""
        self.melds: dict[int, Counter[str]] = {}
        self.seen: Counter[str] = Counter()
        """Cards whose place is known; the others are the unseen ones."""
        for card in (card for cards in (*hands, stock, pile) for card in cards if card != UNSEEN):
            self.see(card)

    def see(self, card: str) -> None:
        """An unseen card turns out to be this one: there must be a copy that does not lie elsewhere."""
        self.seen[card] += 1
        if self.pack is not None and self.seen[card] > self.pack[card]:
            detail = f"{card} is in {self.seen[card]} places at once; the packs hold {self.pack[card]}"
            raise Misfit("conservation", detail)

    def hand(self, seat: int) -> Counter[str]:
        """Cards of a seat."""
        if seat >= len(self.hands):
            raise Misfit("conservation", f"there is no seat {seat} in this deal")
        return self.hands[seat]

    def play(self, seat: int, cards: Sequence[str]) -> None:
        """Cards leave a hand: each must be known to be there, or be an unseen one of that hand."""
        hand = self.hand(seat)
        for card in cards:
            if hand[card] > 0:
                hand[card] -= 1
            elif hand[UNSEEN] > 0:
                hand[UNSEEN] -= 1
                self.see(card)
            else:
                raise Misfit("conservation", f"seat {seat} plays {card} without holding it")

    def meld(self, number: int) -> Counter[str]:
        """Cards of a meld on the table."""
        if number not in self.melds:
            raise Misfit("conservation", f"there is no meld {number} on the table")
        return self.melds[number]

    def lift_discards(self, cards: Sequence[str]) -> None:
        """The top cards of the discard pile leave it."""
        top = len(self.pile) - len(cards)
        if top < 0 or Counter(self.pile[top:]) != Counter(cards):
            raise Misfit("conservation", f"{_show(' '.join(cards))} do not lie on top of the discard pile")
        del self.pile[top:]


# ------------------------------------------------------------------------------- the story told by the events

Recomputed: TypeAlias = "dict[str, Json] | None"
"""What the secrets of an event must hold, by their path, as far as the seeds tell it."""


class Lost(Exception):
    """A fault was found earlier in this deal, so nobody can say where its cards are."""


class Story:
    """Follows a game event by event and compares what is told with what the seeds and the cards allow."""

    def __init__(self, findings: Findings, seeds: Seeds) -> None:
        self.findings = findings
        self.seeds = seeds
        self.entropies: list[str] = []
        self.house_rules: dict[str, Json] = {}
        self.deal = 0
        self.table: Table | None = None
        self.lost = False

    def tell(self, event: Event) -> None:
        """Take up one event, then check the seals on its secrets."""
        recomputed: Recomputed = None
        try:
            if handler := EVENTS[event.type]:
                recomputed = handler(self, event)
        except Misfit as why:
            self.findings.fault(why.name, str(why), event.version, event)
            self.lost = True
        except Lost:
            reason = "cards were not followed to the end of the deal, because of the fault before"
            self.findings.not_provable("conservation", reason, event.version)
        for path, sealed in event.sealed.items():
            self._check_seal(event, path, sealed, (recomputed or {}).get(path))

    def _check_seal(self, event: Event, path: str, sealed: Sealed, recomputed: Json) -> None:
        """Check an opened value against its seal; recompute a closed one where the seeds allow."""
        findings, version, what = self.findings, event.version, f"{event.type}.{_show(path)}"
        seed = self.seeds.game_seed(version)
        salt = derive(seed, f"salt:{version}:{event.index}:{path}")[:16].hex() if seed else None
        if sealed.salt is not None:
            if seal_of(sealed.salt, sealed.value) != sealed.seal:
                findings.fault("seals", f"the opened {what} is not what was sealed", version, event)
            elif salt is not None and salt != sealed.salt:
                findings.fault(
                    "seals", f"the salt of {what} does not follow from the game seed", version, event
                )
            else:
                findings.proved("seals", "every opened value is what was sealed")
        elif salt is None or recomputed is None:
            findings.not_provable("seals", "values closed in this export that cannot be recomputed", version)
        elif seal_of(salt, recomputed) == sealed.seal:
            findings.proved("seals", "closed values, recomputed from the seeds, are what was sealed")
        else:
            findings.fault("seals", f"the sealed {what} is not what the seeds give", version, event)

    # -- before the cards are dealt

    def game_created(self, event: Event) -> Recomputed:
        """Seats, house rules and the commitment to all chance."""
        seats, house_rules = event.fields.get("seats"), event.fields.get("house_rules")
        count = len(seats) if isinstance(seats, list) else event.number("seats")
        if count > MAX_PACK:
            event.misfit("seats", "a number of seats")
        self.entropies = [""] * count
        if not isinstance(house_rules, dict):
            event.misfit("house_rules", "an object")
        self.house_rules = house_rules
        return self.begin_era(event)

    def begin_era(self, event: Event) -> Recomputed:
        """A game, or a fork of one, seals a seed of its own."""
        seed = self.seeds.game_seed(event.version)
        return {"game_seed": seed.hex()} if seed else None

    def seat_taken(self, event: Event) -> Recomputed:
        """A seat may add public text of its own to every later shuffle."""
        entropy = "" if event.fields.get("entropy") is None else event.text("entropy")
        self.entropies[self._seat(event)] = entropy
        return None

    def seat_left(self, event: Event) -> Recomputed:
        """A seat is empty again, or gone: then those after it move down by one."""
        seat = self._seat(event)
        if event.fields.get("removed") is True:
            del self.entropies[seat]
        else:
            self.entropies[seat] = ""
        return None

    def _seat(self, event: Event) -> int:
        seat = event.number("seat")
        return seat if seat < len(self.entropies) else event.misfit("seat", "a seat of this game")

    def _seed_for(self, version: int, purpose: str) -> bytes | None:
        """The seed for ``deal:1``, ``renew:1:1``, ``dealer:1``: every seat's text goes into it."""
        seed = self.seeds.game_seed(version)
        return derive(seed, f"{purpose}:{'|'.join(self.entropies)}") if seed else None

    def game_started(self, event: Event) -> Recomputed:
        """The draw for the first dealer: a plain pack for each round, or one for all of them."""
        rounds: list[list[str]] = []
        for drawn in event.items("draws"):
            if not isinstance(drawn, list):
                event.misfit("draws", "a list of rounds")
            cards = [turned.get("card") if isinstance(turned, dict) else None for turned in drawn]
            rounds.append(_cards(cards, "game_started.draws"))
        decks: list[list[str]] = []
        for number in range(1, len(rounds) + 1):
            seed = self._seed_for(event.version, f"dealer:{number}")
            if seed is None:
                why = "the seed of the draw for the first dealer is not revealed in this export"
                self.findings.not_provable("shuffles", why, event.version, len(rounds))
                return None
            decks.append(shuffle(seed, PLAIN_PACK))
        drawn_in_turn = [card for cards in rounds for card in cards]
        fresh = all(deck[: len(cards)] == cards for deck, cards in zip(decks, rounds, strict=True))
        if not fresh and decks[0][: len(drawn_in_turn)] != drawn_in_turn:
            raise Misfit("shuffles", "the draw for the first dealer is not the one that the game seed gives")
        what = "the draw for the first dealer follows from the game seed"
        self.findings.proved("shuffles", what, len(rounds))
        return None

    # -- the deal

    def deal_started(self, event: Event) -> Recomputed:
        """The order of all cards follows from the deal's seed; the seed was committed to before."""
        self.table, self.lost = None, False  # cards of an earlier deal are of no concern any more
        self.deal, dealer = event.number("number"), event.number("dealer")
        paths = [f"hands.{seat}" for seat in range(len(event.items("hands")))]
        if sum(event.secret(path).count for path in [*paths, "stock"]) >= MAX_PACK:
            raise Misfit("conservation", "there are more cards than a shuffle can number")
        hands, stock = [event.secret_cards(path) for path in paths], event.secret_cards("stock")
        upcard = [] if event.fields.get("upcard") is None else [event.card("upcard")]
        if dealer >= len(hands):
            event.misfit("dealer", f"one of {len(hands)} seats")
        told = [card for cards in (*hands, upcard, stock) for card in cards]
        pack = self._composition(told)
        seed = self._committed_seed(event, f"deal:{self.deal}")
        recomputed: Recomputed = None
        if seed and pack:
            sizes = [len(hand) for hand in hands]
            hands, left = deal_out(shuffle(seed, standard_order(pack)), sizes, dealer, self._step())
            stock = left[len(upcard) :]
            self._compare_order(event, told, [card for cards in (*hands, left) for card in cards], seed)
            upcard = left[: len(upcard)]
            recomputed = {path: [*hand] for path, hand in zip(paths, hands, strict=True)}
            recomputed["stock"] = [*stock]
        elif seed:
            why = "the packs are not told in this export: the shuffle cannot be redone"
            self.findings.not_provable("shuffles", why, event.version)
        self.table = Table(pack, hands, stock, upcard)
        self._moved(event)
        return recomputed

    def _composition(self, told: Sequence[str]) -> Counter[str] | None:
        """Cards of the packs: whole packs and jokers where house rules name `packs`, else what lies open."""
        packs = self.house_rules.get("packs")
        if type(packs) is int and packs > 0 and 0 <= len(told) - 52 * packs <= 8 * packs:
            return Counter(PLAIN_PACK * packs + [JOKER] * (len(told) - 52 * packs))
        return None if UNSEEN in told else Counter(told)

    def _step(self) -> int:
        """Direction of play: clockwise is to the next seat, counter-clockwise to the one before."""
        return -1 if self.house_rules.get("direction") == "ccw" else 1

    def _committed_seed(self, event: Event, purpose: str) -> bytes | None:
        """The seed of a deal or a renewal, if it is known and is the one committed to in the event."""
        seed = self._seed_for(event.version, purpose) or self.seeds.deals.get(event.version)
        commitment = event.fields.get("commitment")
        if seed is None:
            why = "the seed of the shuffle is not revealed in this export"
            self.findings.not_provable("commitments", why, event.version)
            self.findings.not_provable("shuffles", why, event.version)
        elif commitment is not None and sha256(seed) != commitment:
            detail = f"the commitment for {purpose} is not to the seed that was fixed before"
            self.findings.fault("commitments", detail, event.version, event)
            return None
        elif commitment is not None:
            self.findings.proved("commitments", "the seed of every shuffle redone is the one committed to")
        return seed

    def _compare_order(
        self, event: Event, told: Sequence[str], expected: Sequence[str], seed: bytes | None
    ) -> None:
        """Compare cards with the order they must lie in; unseen ones cannot differ."""
        if any(card not in (right, UNSEEN) for card, right in zip(told, expected, strict=True)):
            raise Misfit("shuffles", f"the cards of {event.type} do not lie in the order they must have")
        redone = "shuffles were redone, and every open card lies where they put it"
        self.findings.proved("shuffles", redone if seed else "a pile turned over keeps its order")

    def stock_renewed(self, event: Event) -> Recomputed:
        """The discards, but for those left lying, become the stock."""
        table = self._table()
        kept, told = event.cards("kept"), event.secret_cards("stock")
        old = [*table.pile]
        for card in kept:
            if card not in old:
                raise Misfit("conservation", f"{card} is left lying but does not lie in the discard pile")
            del old[len(old) - 1 - old[::-1].index(card)]
        if len(told) != len(old) or (UNSEEN not in told and Counter(told) != Counter(old)):
            raise Misfit("conservation", "the new stock is not made of the old discards")
        order, seed = old, None  # a pile only turned over has its bottom card in front
        if event.fields.get("shuffled") is True:
            seed = self._committed_seed(event, f"renew:{self.deal}:{event.number('number')}")
            order = shuffle(seed, old) if seed else told
        if order is not told:
            self._compare_order(event, told, order, seed)
        if UNSEEN in order:
            table.seen -= Counter(old)
        table.pile = kept
        table.stock.extend(order)
        self._moved(event)
        return None if UNSEEN in order else {"stock": [*order]}

    # -- play

    def _table(self) -> Table:
        if self.lost:
            raise Lost
        if self.table is None:
            raise Misfit("conservation", "cards move before any were dealt")
        return self.table

    def _moved(self, event: Event) -> None:
        if self.table and self.table.pack:
            self.findings.proved("conservation", "every card came from where it lay, or may have lain unseen")
        else:
            why = "cards of packs that this export does not tell: only their numbers were checked"
            self.findings.not_provable("conservation", why, event.version)

    def card_drawn(self, event: Event) -> Recomputed:
        """The card drawn is the front of the stock."""
        table, seat = self._table(), event.number("seat")
        if (count := event.secret("card").count) != 1:
            raise Misfit("seals", f"{event.type}.card counts {count} cards, not one")
        (card,) = event.secret_cards("card")
        if not table.stock:
            raise Misfit("conservation", f"seat {seat} draws from an empty stock")
        front = table.stock.popleft()
        if UNSEEN not in (front, card) and front != card:
            raise Misfit("draws", f"seat {seat} draws {card}, but {front} was in front of the stock")
        if front == UNSEEN and card != UNSEEN:
            table.see(card)
        if front == UNSEEN or (card == UNSEEN and self.seeds.game_seed(event.version) is None):
            why = "the card drawn, or the order of the stock, is not open in this export"
            self.findings.not_provable("draws", why, event.version)
        else:
            self.findings.proved("draws", "every card drawn was in front of the stock as it was shuffled")
        known = card if front == UNSEEN else front
        table.hand(seat)[known] += 1
        self._moved(event)
        return None if known == UNSEEN else {"card": known}

    def discards_taken(self, event: Event) -> Recomputed:
        """Cards on top of the discard pile go to a hand."""
        table, cards = self._table(), event.cards("cards")
        table.lift_discards(cards)
        table.hand(event.number("seat")).update(cards)
        self._moved(event)
        return None

    def discarded(self, event: Event) -> Recomputed:
        """Cards go to the top of the discard pile: one discarded, or those taken in this turn put back."""
        table = self._table()
        cards = [event.card("card")] if event.type == "card_discarded" else event.cards("cards")
        table.play(event.number("seat"), cards)
        table.pile += cards
        self._moved(event)
        return None

    def meld_laid(self, event: Event) -> Recomputed:
        """Cards go from a hand to a new meld."""
        table, meld, cards = self._table(), event.number("meld"), event.cards("cards")
        if meld in table.melds:
            raise Misfit("conservation", f"meld {meld} is laid a second time")
        table.play(event.number("seat"), cards)
        table.melds[meld] = Counter(cards)
        self._moved(event)
        return None

    def card_laid_off(self, event: Event) -> Recomputed:
        """Cards go from a hand to a meld on the table."""
        table, cards = self._table(), event.cards("cards")
        meld = table.meld(event.number("meld"))
        table.play(event.number("seat"), cards)
        meld.update(cards)
        self._moved(event)
        return None

    def wild_reclaimed(self, event: Event) -> Recomputed:
        """A card from a hand and a wild in a meld change places."""
        table, seat, card, wild = self._table(), event.number("seat"), event.card("card"), event.card("wild")
        meld = table.meld(event.number("meld"))
        if meld[wild] < 1:
            raise Misfit("conservation", f"meld {event.number('meld')} holds no {wild}")
        table.play(seat, [card])
        meld.subtract([wild])
        meld.update([card])
        table.hand(seat).update([wild])
        self._moved(event)
        return None

    def deal_scored(self, event: Event) -> Recomputed:
        """All hands are laid open: they must be the hands."""
        table = self._table()
        hands = [hand if isinstance(hand, list) else [hand] for hand in event.items("hands")]
        shown = [_cards(hand, "deal_scored.hands") for hand in hands]
        if len(shown) != len(table.hands):
            event.misfit("hands", f"{len(table.hands)} hands")
        for seat, cards in enumerate(shown):
            table.play(seat, cards)
            if table.hand(seat).total():
                raise Misfit("conservation", f"seat {seat} holds more cards than are shown at the end")
            table.hand(seat).update(cards)
        self._moved(event)
        return None


EVENTS: Final[Mapping[str, Callable[[Story, Event], Recomputed] | None]] = {
    "game_created": Story.game_created,
    "game_forked": Story.begin_era,
    "seat_taken": Story.seat_taken,
    "seat_left": Story.seat_left,
    "seat_handed_over": None,
    "game_started": Story.game_started,
    "deal_started": Story.deal_started,
    "wild_named": None,
    "card_drawn": Story.card_drawn,
    "discards_taken": Story.discards_taken,
    "draw_returned": Story.discarded,
    "meld_laid": Story.meld_laid,
    "card_laid_off": Story.card_laid_off,
    "wild_reclaimed": Story.wild_reclaimed,
    "card_discarded": Story.discarded,
    "turn_passed": None,
    "stock_renewed": Story.stock_renewed,
    "deal_ended": None,
    "deal_scored": Story.deal_scored,
    "penalty_offered": None,
    "penalty_added": None,
    "rules_noted": None,
    "seeds_revealed": None,
    "game_ended": None,
}
"""Every event there is, and who follows it; None where it moves no card and draws on no chance."""


def verify(lines: Iterable[bytes | str], head: str | None = None) -> Report:
    """Verify a log.

    Args:
        lines: Commits in order, each a line of canonical JSON; the line feed at its end is no part of it.
        head: Hash of the last commit (64 hex digits) as it was noted elsewhere, if it was.

    Returns:
        What was found; no content of a log makes this raise.
    """
    findings = Findings()
    log = read_log(lines, findings)
    if not log.hashes:
        findings.fault("contiguity", "the log is empty", 1)
    anchor = check_head(log, head, findings)
    story = Story(findings, learn_seeds(log.events, findings))
    for event in log.events:
        if log.broken_at is not None and event.version > log.broken_at:
            why = f"nothing from version {log.broken_at} on was followed, because of the fault there"
            findings.not_provable("conservation", why, log.broken_at, len(log.hashes) - log.broken_at)
            break
        story.tell(event)
    checks = findings.checks()
    faults = [check for check in checks if check.verdict == "fault"]
    first = min(faults, key=lambda check: check.version or 0, default=None)
    seals = [sealed.salt is not None for event in log.events for sealed in event.sealed.values()]
    end = log.hashes[-1] if log.hashes else None
    opened, closed = seals.count(True), seals.count(False)
    return Report(not faults, log.game_id, len(log.hashes), end, anchor, opened, closed, first, checks)


# ------------------------------------------------------------------------------------------- the command line


def _head(text: str) -> str:
    if not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise argparse.ArgumentTypeError("a hash has 64 hexadecimal digits")
    return text


def _verify_stream(stream: BinaryIO, head: str | None) -> Report:
    """Verify a file line by line, never holding more of a line than the verifier is willing to read."""
    return verify(iter(lambda: stream.readline(MAX_LINE + 2), b""), head)


def main(arguments: Sequence[str] | None = None, program: str | None = None) -> int:
    """Verify the log that the arguments name and print the report.

    Args:
        arguments: By default those of the process.
        program: What this is called in messages; by default the name of the file that runs.

    Returns:
        The exit status: 0 for no fault, 1 for a fault, 2 when the log cannot be read.
    """
    parser = argparse.ArgumentParser(prog=program, description="Verify a Meldlog game log.")
    parser.add_argument("log", help="exported log (NDJSON); - reads standard input")
    parser.add_argument(
        "--head", type=_head, help="hash of a commit, the last one or an earlier, as noted elsewhere"
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    asked = parser.parse_args(arguments)
    try:
        if asked.log == "-":
            report = _verify_stream(sys.stdin.buffer, asked.head)
        else:
            with Path(asked.log).open("rb") as stream:
                report = _verify_stream(stream, asked.head)
    except OSError as error:
        print(f"{parser.prog}: cannot read {_show(asked.log)}: {error.strerror}", file=sys.stderr)
        return 2
    print(json.dumps(asdict(report), indent=2) if asked.json else report.text())
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main())
