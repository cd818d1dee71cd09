"""Seats: take one, leave one, hand one to a bot."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct
from msgspec.structs import replace

from meldlog_contracts.commands import (
    Command,
    Entropy,
    HandOverSeat,
    LeaveSeat,
    SeatNumber,
    StartGame,
    TakeSeat,
)
from meldlog_contracts.events import SeatTaken
from meldlog_contracts.problems import Fault, Refused
from meldlog_contracts.table import Table
from meldlog_service.app.errors import Contended, Stale, Unauthenticated
from meldlog_service.app.handler import Answer
from meldlog_service.app.seats import free_seat, full_table, new_token, take_seat, token_hash, who_is
from meldlog_service.core.lobby import bot_name
from meldlog_service.http import conditions
from meldlog_service.http.commands import CommandAnswer, shown
from meldlog_service.http.declared import (
    ETAG,
    REPLAYED,
    REPLAYED_HEADER,
    TOKEN_NEEDED,
    IdempotencyKey,
    IfMatch,
)
from meldlog_service.http.problems import Rejected, invalid, refusals, unauthenticated
from meldlog_service.http.security import Guest
from meldlog_service.http.service import Service

STRATEGY_AFTER_LEAVING = "plain"
_TRIES = 64
"""How often a bot that may have any seat is tried for the next one: as often as a table can have seats."""


SeatName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=r"^[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f\u115f\u1160\u2800\u3164\uffa0][^\x00-\x1f\x7f]*$",
        extra={"hint": "a name can be seen: it holds no control characters, and not only white space"},
    ),
]
"""Text that can be seen: no control characters, and not only white space."""


OwnToken = Annotated[
    str,
    Meta(
        max_length=46,
        pattern=r"^mt_[A-Za-z0-9_-]{43}$",
        extra={"hint": "a token is mt_ and 43 letters and digits of base64url, which are 32 random bytes"},
    ),
]


class NewSeat(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who wants to sit down, and where; `bot` seats a bot of that strategy instead, for the host or the operator."""

    name: SeatName | None = None
    seat: SeatNumber | None = None
    entropy: Entropy | None = None
    bot: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    token: OwnToken | None = None
    """Of the caller's own making, `mt_` and 32 random bytes in base64url: then no lost answer loses the seat."""


class SeatAnswer(Struct, frozen=True):
    """The seat, and the token that plays it: told only here, and once, but to whoever brought it. A bot has none."""

    seat: int
    seat_token: str | None
    version: int
    replayed: bool = False


@post(
    "/v1/games/{game_id:str}/seats",
    status_code=201,
    response_headers=[ETAG, REPLAYED_HEADER],
    responses=refusals(
        "unauthenticated",
        "forbidden",
        "not_found",
        "not_acceptable",
        "seat_taken",
        "wrong_phase",
        "archived",
        "stale_version",
        "too_large",
        "unsupported_media_type",
        "invalid",
        "idempotency_mismatch",
        "contended",
        "store_unavailable",
        "plugin_unavailable",
    ),
)
async def sit_down(
    service: NamedDependency[Service],
    guest: NamedDependency[Guest],
    game_id: FromPath[str],
    data: JSONBody[NewSeat],
    key: IdempotencyKey = None,
    if_match: IfMatch = None,
) -> Response[SeatAnswer]:
    """Take a seat, or with `bot` seat a bot.

    `seat` null is any seat that is free. The answer holds the seat's token, which is never told again: a repeat with
    the same `Idempotency-Key` takes no second seat and answers with `seat_token` null. Whoever sends a `token` of their
    own making knows it beforehand, and is told it by a repeat as well.
    """
    _check_characters(data.name or "")
    command_id = conditions.idempotency_key(key)
    expected = conditions.if_match(if_match, guest.table.version)
    if expected not in (None, guest.table.version):
        raise Stale(guest.table.version)
    if data.bot is not None and data.token is not None:
        raise invalid("/token", "a bot has no token")
    if data.bot is not None:
        return _answer(await _seat_bot(service, guest, game_id, data, data.bot, command_id))
    if guest.seat is not None:
        raise Rejected("forbidden", f"you sit at seat {guest.seat} already")
    if data.name is None:
        raise invalid("/name", "say who sits down")
    token = data.token or new_token()
    command = TakeSeat(0, data.name, entropy=data.entropy, token_hash=token_hash(token))
    table = guest.table
    while True:
        wanted = data.seat if data.token is None else _seat_for(token, data.seat, table, service)
        try:
            answer = await take_seat(
                service.handler,
                game_id,
                replace(command, seat=wanted or 0),
                any_seat=wanted is None,
                command_id=command_id,
            )
        except Refused as refused:
            if all(fault.pointer != "/token_hash" for fault in refused.faults):
                raise
            # Somebody sat down with this token in the meantime: most likely this very caller, who asked twice.
            table = await service.handler.look(game_id)
        else:
            return _answer(_seated(answer, token))


def _seat_for(token: str, wanted: int | None, table: Table, service: Service) -> int | None:
    """The seat to take with a token that the caller brings: the one it opens already, if this is a repeat.

    Raises:
        Refused: ``invalid`` when the token opens something else here, since it would then be two people's.
    """
    try:
        opens = who_is(token, table, service.operator_token_hash).viewer
    except Unauthenticated:
        return wanted
    if not isinstance(opens, int) or wanted not in {None, opens}:
        raise invalid("/token", "this token opens something else at this table")
    return opens


async def _seat_bot(
    service: Service, guest: Guest, game_id: str, data: NewSeat, strategy: str, key: str | None
) -> SeatAnswer:
    """Seat a bot; where it may be any seat, at the version at which that seat was free.

    Raises:
        Rejected: ``unauthenticated`` or ``forbidden``.
        Refused: ``seat_taken``, ``wrong_phase`` or ``invalid``.
    """
    by = guest.caller.by
    if by is None:
        raise unauthenticated("bots are seated by the host")
    if guest.seat is not None:
        raise Rejected("forbidden", "bots are seated by the host")
    for _ in range(_TRIES):
        table = await service.handler.look(game_id)
        number = data.seat
        if number is None and key is not None:
            number = await _seat_of(service, game_id, by, key)
        meant = table.version if number is None else None
        if number is None:
            number = free_seat(table)
        if number is None:
            await service.handler.check_writable(table)
            raise full_table()
        name = data.name or bot_name(strategy, number)
        command = TakeSeat(number, name, "bot", strategy, data.entropy)
        try:
            return _seated(
                await service.handler.submit(game_id, command, by, command_id=key, if_match=meant), None
            )
        except Stale:
            continue
        except Refused as refused:
            raise _pointing_at_body(refused) from refused
    raise Contended(game_id, _TRIES)


async def _seat_of(service: Service, game_id: str, by: str, key: str) -> int | None:
    """The seat that a bot was given under this key before; the log is short until the game starts."""
    async for commit in service.handler.scan(game_id):
        command = commit.command
        if isinstance(command, TakeSeat):
            if (commit.by, commit.command_id) == (by, key):
                return command.seat
        elif isinstance(command, StartGame):
            return None
    return None


def _seated(answer: Answer, token: str | None) -> SeatAnswer:
    """Who sits where; a repeat is told the token only if it brings it, for whoever sends one may be somebody else."""
    taken = next(event for event in answer.events if isinstance(event, SeatTaken))
    its_own = token is not None and taken.token_hash == token_hash(token)
    return SeatAnswer(taken.seat, token if its_own else None, answer.version, answer.replayed)


def _pointing_at_body(refused: Refused) -> Refused:
    """The refusal with its pointers meant for the body that was sent: there the strategy is called bot."""
    faults = tuple(
        Fault("/bot" if fault.pointer == "/strategy" else fault.pointer, fault.detail)
        for fault in refused.faults
    )
    return Refused(refused.code, refused.detail, refused.rule, faults)


def _check_characters(name: str) -> None:
    """Check that a name holds no code point that is no character, and never will be.

    Controls, and what turns the direction of writing, are refused where the command is decided. That decides as it
    always did, so that games of those who sat down before are audited as they were played; this is for newcomers.

    Raises:
        Rejected: ``invalid``.
    """
    for letter in name:
        number = ord(letter)
        if number & 0xFFFE == 0xFFFE or 0xFDD0 <= number <= 0xFDEF:  # noqa: PLR2004 -- Unicode's noncharacters
            raise invalid("/name", f"U+{number:04X} is no character, and cannot be shown")


def _answer(seat: SeatAnswer) -> Response[SeatAnswer]:
    headers = {"ETag": conditions.etag(seat.version), "Cache-Control": "no-store"}
    if seat.replayed:
        headers[REPLAYED] = "true"
    return Response(seat, headers=headers)


@delete(
    "/v1/games/{game_id:str}/seats/{seat:int}",
    security=TOKEN_NEEDED,
    status_code=200,
    response_headers=[ETAG, REPLAYED_HEADER],
    responses=refusals(
        "unauthenticated",
        "forbidden",
        "not_your_seat",
        "not_found",
        "not_acceptable",
        "seat_taken",
        "wrong_phase",
        "game_over",
        "archived",
        "stale_version",
        "invalid",
        "idempotency_mismatch",
        "contended",
        "store_unavailable",
        "plugin_unavailable",
    ),
)
async def leave_seat(
    service: NamedDependency[Service],
    guest: NamedDependency[Guest],
    game_id: FromPath[str],
    seat: FromPath[int],
    key: IdempotencyKey = None,
    if_match: IfMatch = None,
) -> Response[CommandAnswer]:
    """Leave a seat before the start; after it, hand the seat to a bot.

    A seat's token leaves that seat. Before the start the host removes bots, and takes away a seat that is empty; the
    seats after it move down by one. The operator may do all of this.
    """
    command_id = conditions.idempotency_key(key)
    command = _leaving(guest, seat)
    answer = await service.handler.submit(
        game_id,
        command,
        guest.caller.by or "",
        command_id=command_id,
        token_hash=guest.caller.token_hash,
        if_match=conditions.if_match(if_match, guest.table.version),
    )
    headers = {"ETag": conditions.etag(answer.version), "Cache-Control": "no-store"}
    if answer.replayed:
        headers[REPLAYED] = "true"
    return Response(shown(answer, guest.caller), headers=headers)


def _leaving(guest: Guest, number: int) -> Command:
    """What leaving a seat means here and now, for whoever may.

    Raises:
        Rejected: ``unauthenticated``, ``not_your_seat``, ``forbidden`` or ``not_found``.
    """
    table, caller = guest.table, guest.caller
    if caller.by is None:
        raise unauthenticated("a seat is left by who sits there")
    if not 0 <= number < len(table.seats):
        raise Rejected("not_found", f"there is no seat {number}: seats are 0 to {len(table.seats) - 1}")
    if guest.seat is not None and guest.seat != number:
        raise Rejected("not_your_seat", f"you sit at seat {guest.seat}, not seat {number}")
    if table.status != "open":
        if guest.is_host:
            raise Rejected("forbidden", "once the game has started a seat is left by who sits there")
        return HandOverSeat(number, STRATEGY_AFTER_LEAVING)
    return LeaveSeat(number, remove=table.seats[number].is_empty)
