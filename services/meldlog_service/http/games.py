"""Games: create one, list them, look at a table, ask what may be done, audit."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from msgspec import Meta, Struct
from msgspec.structs import asdict

from meldlog_contracts.commands import CreateGame, Entropy
from meldlog_contracts.table import Reveal, Status
from meldlog_service.app.audit import audit
from meldlog_service.app.audit_report import AuditReport
from meldlog_service.app.knowing import Known, known_at
from meldlog_service.app.seats import new_game_id, new_token, token_hash
from meldlog_service.core.moves import Moves, moves
from meldlog_service.core.views import OPERATOR as ALL_SEEING
from meldlog_service.core.views import SPECTATOR, TableView, conceal, view
from meldlog_service.http import conditions
from meldlog_service.http.declared import ETAG, LOCATION, TOKEN_NEEDED
from meldlog_service.http.listed_moves import for_operator
from meldlog_service.http.listing import GamePage, page_of
from meldlog_service.http.problems import Rejected, refusals, unauthenticated
from meldlog_service.http.security import (
    HOST,
    OPERATOR,
    Guest,
    acting_seat,
    bearer,
    check_game_id,
    enter,
    is_operator,
    note_game,
    shows_operator,
)
from meldlog_service.http.service import Service
from meldlog_service.http.sheets import Language, RuleSheet, sheet_of_game

Asking = Request[Any, Any, State]
VARIES = {"Vary": "Authorization"}
HouseValueGiven = (
    bool
    | Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)]
    | Annotated[str, Meta(max_length=255)]
    | Annotated[list[Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)]], Meta(max_length=64)]
    | None
)
"""A house rule's value as it may be sent; each rule has a schema of its own, which says more."""
Id = Annotated[str, Meta(min_length=1, max_length=64)]
_FROM_0 = {"minimum": 0}  # Litestar's description forgets a bound of 0


class NewGame(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What may be said about a game that is to be created."""

    variant: Id
    seats: Annotated[int, Meta(ge=1, le=64)]
    house_rules: Annotated[dict[str, HouseValueGiven], Meta(max_length=256)] = {}
    options: Annotated[tuple[Id, ...], Meta(max_length=32)] = ()
    bots: Annotated[dict[str, Id], Meta(max_length=64)] = {}
    """Strategy by seat number."""
    listed: bool = True
    turn_seconds: Annotated[int, Meta(ge=1, le=604_800)] | None = None
    reveal: Reveal = "game"
    entropy: Entropy | None = None


class NewTable(TableView, frozen=True, kw_only=True):
    """A game just created, as a spectator sees it, and the token that starts it and seats bots: told only here."""

    host_token: str


@post(
    "/v1/games",
    status_code=201,
    response_headers=[LOCATION, ETAG],
    responses=refusals(
        "unauthenticated",
        "not_acceptable",
        "too_large",
        "unsupported_media_type",
        "invalid",
        "store_unavailable",
    ),
)
async def create_game(
    request: Asking, service: NamedDependency[Service], data: JSONBody[NewGame]
) -> Response[NewTable]:
    """Create a game.

    Anybody may, unless the service is set to let only the operator. `bots` gives strategies by seat number; the other
    seats wait for players. The answer holds the host's token, which is never told again.
    """
    token = bearer(request.headers.get("authorization"))
    operator = is_operator(token, service)
    if service.settings.create == "operator" and not operator:
        raise unauthenticated("here only the operator creates games")
    host_token = new_token()
    command = CreateGame(
        game_id=new_game_id(),
        variant=data.variant,
        seats=data.seats,
        host_token_hash=token_hash(host_token),
        house_rules=data.house_rules,
        options=data.options,
        bots=data.bots,
        listed=data.listed,
        turn_seconds=data.turn_seconds,
        reveal=data.reveal,
        entropy=data.entropy,
    )
    answer = await service.handler.create(command, by=OPERATOR if operator else HOST)
    note_game(request.scope, command.game_id)
    table = answer.table
    return Response(
        NewTable(**asdict(view(table, SPECTATOR)), host_token=host_token),
        headers={
            "Location": service.url(f"/v1/games/{command.game_id}"),
            "ETag": conditions.etag(answer.version),
            "Cache-Control": "no-store",
        },
    )


@get("/v1/games", responses=refusals("unauthenticated", "not_acceptable", "invalid", "store_unavailable"))
async def list_games(
    request: Asking,
    service: NamedDependency[Service],
    status: FromQuery[Status | None] = None,
    variant: Annotated[str | None, QueryParameter(max_length=64)] = None,
    cursor: Annotated[str | None, QueryParameter(max_length=255, description="The last page's.")] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
) -> Response[GamePage]:
    """List games, newest first: those that are listed, and to the operator all of them.

    A page may hold fewer games than asked for; only `next_cursor` being null says that it is the last.
    """
    operator = is_operator(bearer(request.headers.get("authorization")), service)
    page = await page_of(service, status, variant, cursor, limit, everything=operator)
    return Response(page, headers={**VARIES, "Cache-Control": "no-cache"})


@get(
    "/v1/games/{game_id:str}",
    response_headers=[ETAG],
    responses={
        304: ResponseSpec(None, description="The caller has this version already (`If-None-Match`)."),
        **refusals("unauthenticated", "not_found", "not_acceptable", "invalid", "store_unavailable"),
    },
)
async def show_table(
    request: Asking,
    service: NamedDependency[Service],
    guest: NamedDependency[Guest],
    game_id: FromPath[str],
    at: Annotated[
        int | None,
        QueryParameter(
            ge=0,
            le=1_000_000_000,
            description="An earlier version to look back at.",
            schema_extra=_FROM_0,
        ),
    ] = None,
) -> Response[TableView]:
    """Look at a table, as the caller may see it.

    A seat's token shows that seat's hand. Once the game is over every hand is shown to all, looking back as well.
    """
    now = guest.table
    over = now.status == "finished"
    version = now.version if at is None else at
    headers = {**VARIES, "Cache-Control": "private, no-cache", "ETag": conditions.etag(version)}
    # Looking back shows more once the game is over: the version alone does not tell whether a copy is still right.
    may_be_kept = at is None or (1 <= at <= now.version and not over)
    if may_be_kept and conditions.matches(request.headers.get("if-none-match"), version):
        return Response(None, status_code=304, headers=headers)  # type: ignore[arg-type]
    table = now if version == now.version else await service.handler.table(game_id, version)
    return Response(view(table, guest.caller.viewer, open_hands=over), headers=headers)


@get(
    "/v1/games/{game_id:str}/moves",
    security=TOKEN_NEEDED,
    responses=refusals(
        "unauthenticated",
        "forbidden",
        "not_your_seat",
        "not_found",
        "not_acceptable",
        "invalid",
        "store_unavailable",
        "plugin_unavailable",
    ),
)
async def list_moves(
    service: NamedDependency[Service],
    guest: NamedDependency[Guest],
    seat: Annotated[
        int | None,
        QueryParameter(
            ge=0, le=63, description="For the operator: the seat to ask for.", schema_extra=_FROM_0
        ),
    ] = None,
) -> Response[Moves]:
    """List every legal command of the caller's seat now, ready to be posted; none when it is not its turn."""
    number = acting_seat(guest, seat)
    table = guest.table
    if table.status == "finished":
        # No rule is needed to say so: its plugins may have been uninstalled since.
        return Response(
            Moves(table.version, number, (), False), headers={**VARIES, "Cache-Control": "no-store"}
        )
    found = moves(conceal(table, number), number, service.handler.rules(table))
    if guest.caller.is_operator:
        found = for_operator(found)
    return Response(found, headers={**VARIES, "Cache-Control": "no-store"})


@get(
    "/v1/games/{game_id:str}/rules",
    responses=refusals(
        "unauthenticated", "not_found", "not_acceptable", "invalid", "store_unavailable", "plugin_unavailable"
    ),
)
async def show_rules(
    service: NamedDependency[Service],
    guest: NamedDependency[Guest],
    lang: Annotated[Language, QueryParameter(description="Language of the clauses.")] = "en",
) -> Response[RuleSheet]:
    """Show the rule sheet that a game is played by: its options and its own house rules are in it.

    Refusals name their clause by the ids that stand here.
    """
    found = sheet_of_game(service.catalogue, service.handler.rules(guest.table), lang)
    # They are fixed when the game is created.
    headers = {**VARIES, "Cache-Control": "private, max-age=3600", "Content-Language": lang}
    return Response(found, headers=headers)


@get(
    "/v1/games/{game_id:str}/knowledge",
    responses=refusals(
        "unauthenticated", "forbidden", "not_found", "not_acceptable", "invalid", "store_unavailable"
    ),
)
async def show_knowledge(
    service: NamedDependency[Service],
    guest: NamedDependency[Guest],
    game_id: FromPath[str],
    at: Annotated[
        int | None, QueryParameter(ge=1, le=1_000_000_000, description="An earlier version to look back at.")
    ] = None,
) -> Response[Known]:
    """Tell who knew what: the cards that each seat had seen by a version, and where it knew them to be.

    It follows from what that seat was sent, and is not what could be reckoned from it. The operator is told every
    seat's, and so is everybody once the game is over, unless it promised never to reveal anything; a seat is told its
    own at any time.
    """
    caller, table = guest.caller, guest.table
    asking = caller.viewer
    if table.status == "finished" and table.reveal != "never":
        asking = ALL_SEEING
    elif asking == SPECTATOR:
        raise Rejected("forbidden", "who knew what is told to the operator, and to all once the game is over")
    found = await known_at(service.handler, game_id, asking, table.version if at is None else at)
    return Response(found, headers={**VARIES, "Cache-Control": "no-store"})


@get(
    "/v1/games/{game_id:str}/audit",
    responses=refusals("unauthenticated", "forbidden", "not_found", "not_acceptable", "store_unavailable"),
)
async def audit_game(
    request: Asking, service: NamedDependency[Service], game_id: FromPath[str]
) -> AuditReport:
    """Decide every recorded command again and report the first difference.

    For the operator, and once the game is over for everybody: what an audit finds wrong can tell hidden cards.
    """
    if shows_operator(bearer(request.headers.get("authorization")), service):
        # Nobody comes to the table first: that of a damaged log, which an audit is there to explain, does not fold.
        check_game_id(game_id)
        note_game(request.scope, game_id)
        request.scope["state"]["line"].add(by=OPERATOR)
        return await audit(service.handler, game_id, service.metrics, viewer=ALL_SEEING)
    guest = await enter(request, service, game_id)
    if guest.table.status != "finished":
        raise Rejected("forbidden", "a game that is not over yet is audited by the operator alone")
    return await audit(service.handler, game_id, service.metrics, viewer=SPECTATOR)
