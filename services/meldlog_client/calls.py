"""The calls of the API, as data: what is sent, what comes back, and whether a call may be sent twice.

Nothing here does any I/O, so the synchronous and the asynchronous client share all of it.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, TypedDict, TypeVar, Unpack
from urllib.parse import quote

import msgspec

from meldlog_client.problems import MeldlogUnintelligible
from meldlog_client.shapes import (
    Answer,
    Audit,
    Begun,
    Created,
    GamePage,
    Judgement,
    Language,
    MeldOnTable,
    Moves,
    RuleSheet,
    Seated,
    TableView,
    Variants,
)
from meldlog_client.wire import JSON, NDJSON
from meldlog_contracts.commands import GameCommand, StartGame
from meldlog_contracts.table import HouseValue, Status

Shape = TypeVar("Shape")


class NewGame(TypedDict, total=False):
    """What may be said about a game that is to be created."""

    house_rules: Mapping[str, HouseValue]
    options: Sequence[str]
    bots: Mapping[int, str]
    """Strategy by seat."""
    listed: bool
    """Whether anybody may look on; True unless said otherwise."""
    turn_seconds: int
    entropy: str
    """Public text that is mixed into every shuffle."""


class Choice(TypedDict, total=False):
    """Which games to list."""

    status: Status
    variant: str
    cursor: str
    """The `next_cursor` of the page before."""
    limit: int
    """Most games of a page, 1 to 100; 50 unless given."""


class Terms(TypedDict, total=False):
    """On what terms a command is sent."""

    key: str
    """Idempotency key, a random one unless given. Give one to repeat a command even after a restart of the caller."""
    if_match: int
    """The version that the command is meant for: the service refuses it at any other."""
    dry_run: bool
    """Judge and store nothing."""


class Circumstances(TypedDict, total=False):
    """What to suppose when cards are judged."""

    wild: Sequence[str]
    """Ranks that are wild, and `JK` where jokers are."""
    house_rules: Mapping[str, HouseValue]
    ordered: bool
    """Whether the cards lie as they were given, low to high."""
    meld: MeldOnTable
    """A meld that they are to be laid off on."""


@dataclass(frozen=True, slots=True)
class Call(Generic[Shape]):
    """One request and the shape of its answer."""

    method: Literal["GET", "POST"]
    path: str
    shape: type[Shape]
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    repeatable: bool = False
    """Whether sending it again does no harm when the first answer was lost."""

    def read(self, body: bytes) -> Shape:
        """The answer; raises MeldlogUnintelligible."""
        try:
            return msgspec.json.decode(body, type=self.shape)
        except msgspec.DecodeError as error:
            raise MeldlogUnintelligible(f"the answer to {self.method} {self.path}: {error}") from error


def _get(path: str, shape: type[Shape], **params: str) -> Call[Shape]:
    return Call("GET", path, shape, params=params, repeatable=True)


def _post(
    path: str, shape: type[Shape], body: object, *, repeatable: bool = False, **more: Mapping[str, str]
) -> Call[Shape]:
    headers = {"Content-Type": JSON, **more.get("headers", {})}
    content = msgspec.json.encode(body)
    return Call("POST", path, shape, more.get("params", {}), headers, content, repeatable)


def _game(game_id: str) -> str:
    """Where a game is; the id is opaque, so whatever is in it is quoted."""
    return f"/v1/games/{quote(game_id, safe='')}"


def _variant(name: str) -> str:
    return f"/v1/variants/{quote(name, safe='')}"


def create_game(variant: str, seats: int, **rules: Unpack[NewGame]) -> Call[Created]:
    """Create a game."""
    bots = {str(seat): strategy for seat, strategy in rules.get("bots", {}).items()}
    return _post("/v1/games", Created, {"variant": variant, "seats": seats, **rules, "bots": bots})


def games(**choice: Unpack[Choice]) -> Call[GamePage]:
    """List games."""
    return _get("/v1/games", GamePage, **{name: str(value) for name, value in choice.items()})


def take_seat(game_id: str, name: str, seat: int | None, entropy: str | None) -> Call[Seated]:
    """Take a seat with a token that is made here, so that no lost answer loses it."""
    return _post(
        f"{_game(game_id)}/seats",
        Seated,
        {"name": name, "seat": seat, "entropy": entropy, "token": f"mt_{secrets.token_urlsafe(32)}"},
        repeatable=True,
        headers={"Idempotency-Key": secrets.token_hex(16)},
    )


def start(game_id: str) -> Call[Answer]:
    """Start the game."""
    return send(game_id, StartGame())


def table(game_id: str, at: int | None) -> Call[TableView]:
    """Look at the table."""
    return _get(_game(game_id), TableView, **({} if at is None else {"at": str(at)}))


def moves(game_id: str) -> Call[Moves]:
    """Ask what the caller's seat may do."""
    return _get(f"{_game(game_id)}/moves", Moves)


def send(game_id: str, commands: GameCommand | Sequence[GameCommand], **terms: Unpack[Terms]) -> Call[Answer]:
    """Send one command, or a list that is all or nothing, under a key that makes it safe to send again."""
    headers = {"Idempotency-Key": terms.get("key") or secrets.token_hex(16)}
    if (version := terms.get("if_match")) is not None:
        headers["If-Match"] = f'"{version}"'
    return _post(
        f"{_game(game_id)}/commands",
        Answer,
        {"commands": list(commands)} if isinstance(commands, Sequence) else commands,
        repeatable=True,
        headers=headers,
        params={"dry_run": "true"} if terms.get("dry_run") else {},
    )


def fork(game_id: str, at: int) -> Call[Begun]:
    """Go on from a version as a new game."""
    return _post(f"{_game(game_id)}/fork", Begun, {"at": at})


def import_log(lines: Iterable[bytes]) -> Call[Begun]:
    """Let an exported log become a game."""
    body = b"".join(line + b"\n" for line in lines)
    return Call("POST", "/v1/games/import", Begun, headers={"Content-Type": NDJSON}, body=body)


def log_path(game_id: str) -> str:
    """Where a game's commits are; read by streams, not by a call."""
    return f"{_game(game_id)}/events"


def audit(game_id: str) -> Call[Audit]:
    """Audit the game."""
    return _get(f"{_game(game_id)}/audit", Audit)


def variants() -> Call[Variants]:
    """What is installed."""
    return _get("/v1/variants", Variants)


def variant(name: str, lang: Language) -> Call[RuleSheet]:
    """A variant's rule sheet."""
    return _get(_variant(name), RuleSheet, lang=lang)


def judge(variant: str, cards: Sequence[str], **given: Unpack[Circumstances]) -> Call[Judgement]:
    """Ask what cards could be."""
    body = {"cards": list(cards), **given}
    return _post(f"{_variant(variant)}/judge", Judgement, body, repeatable=True)
