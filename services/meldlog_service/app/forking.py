"""Games that go on from the past of another: forks, and logs that come from elsewhere.

Both keep the commits they go on from as they are, bytes, hashes and all, and add one of their own: it names the game,
the version and the hash that it goes on from, commits to a seed of its own, and gives the tokens. Whoever held a token
or knew a seed of the old game has no say and no foresight in the new one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from meldlog_contracts.commands import ForkGame
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Table
from meldlog_service.app.errors import NoSuchGame, NoSuchVersion
from meldlog_service.app.handler import Handler
from meldlog_service.app.reading import decoded
from meldlog_service.app.seats import new_game_id, new_token, token_hash
from meldlog_service.app.tables import Entry

OPERATOR = "operator"


class Begun(Struct, frozen=True):
    """A game that goes on from another one's past, and its tokens: told only here."""

    table: Table
    host_token: str
    seat_tokens: Mapping[int, str]
    """By seat; bots and empty seats have none."""


async def fork(handler: Handler, game_id: str, at: int) -> Begun:
    """Go on from a version of a game as a new game.

    Raises:
        NoSuchGame: when there is no log.
        NoSuchVersion: when it has no such version.
        Refused: ``game_over`` when nothing can follow that version.
        PluginUnavailable: when the game's rules are not installed here.
        Corrupt: when the log cannot be read.
        StoreUnavailable, OutcomeUnknown: as in `Handler.submit`.
    """
    past = Entry(game_id)
    lines: list[bytes] = []
    async for line in handler.lines(game_id):
        past.take(decoded(game_id, len(lines) + 1, line), line)
        lines.append(line)
        if len(lines) == at:
            break
    if not lines:
        raise NoSuchGame(game_id)
    if len(lines) != at:
        raise NoSuchVersion(at, len(lines))
    if past.table.status == "finished":
        raise Refused("game_over", f"the game is over at version {at}: fork an earlier one", "game.end")
    return await begin(handler, past, lines, new_game_id())


async def begin(handler: Handler, past: Entry, lines: Sequence[bytes], game_id: str) -> Begun:
    """Begin the game `game_id` with a past that was read and checked.

    Raises:
        GameExists: when there is such a game already.
        PluginUnavailable, StoreUnavailable, OutcomeUnknown: as in `fork`.
    """
    host_token = new_token()
    seat_tokens = {
        number: new_token()
        for number, seat in enumerate(past.table.seats)
        if seat.kind == "player" and not seat.is_empty
    }
    hashes = {seat: token_hash(token) for seat, token in seat_tokens.items()}
    command = ForkGame(
        game_id=game_id,
        at=past.table.version,
        host_token_hash=token_hash(host_token),
        seat_token_hashes=tuple(hashes.get(seat) for seat in range(len(past.table.seats))) if hashes else (),
    )
    answer = await handler.go_on(past, lines, command, OPERATOR)
    return Begun(answer.table, host_token, seat_tokens)
