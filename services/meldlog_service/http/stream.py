"""``GET /v1/games/{game_id}/events``: the log as the caller may see it, as a page, as lines, or live."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Annotated, Any, cast

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import FromPath, HeaderParameter, QueryParameter
from litestar.response import Stream
from msgspec import Raw, Struct

from meldlog_contracts.events import Commit, SeatHandedOver, SeatLeft
from meldlog_service.app.errors import NoSuchVersion
from meldlog_service.app.live import Live
from meldlog_service.core.views import Viewer, redact
from meldlog_service.http.negotiation import EVENT_STREAM, JSON, NDJSON, chosen
from meldlog_service.http.problems import invalid, refusals
from meldlog_service.http.security import Guest
from meldlog_service.http.service import Service
from meldlog_service.store.event_store import StoreUnavailable

KEEP_ALIVE_SECONDS = 15.0
"""A stream that is silent for so long sends a comment, so that nobody between takes it for dead."""
_KEEP_ALIVE = b": keep-alive\n\n"
_OPENING = b"retry: 1000\n\n"
"""How many milliseconds a browser waits before it comes back."""
_CHUNK = 16_384
"""Bytes of lines that are sent in one piece."""
_VERSION = re.compile(r"[0-9]{1,18}")
_NOT_KEPT = {"Cache-Control": "no-store", "Vary": "Accept, Authorization"}
# Proxies like to gather what a stream sends.
_LIVE = {**_NOT_KEPT, "X-Accel-Buffering": "no"}


class CommitPage(Struct, frozen=True):
    """Commits in order; pass `next_cursor` as `after` for more, null when there are none yet."""

    items: tuple[Commit, ...]
    next_cursor: int | None


@get(
    "/v1/games/{game_id:str}/events",
    responses=refusals(
        "unauthenticated", "not_found", "not_acceptable", "invalid", "store_unavailable", "too_many_streams"
    ),
)
async def read_events(
    request: Request[Any, Any, State],
    service: NamedDependency[Service],
    guest: NamedDependency[Guest],
    game_id: FromPath[str],
    after: Annotated[
        int, QueryParameter(ge=0, le=1_000_000_000, description="The last version that is known.")
    ] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=1000, description="Of a JSON page.")] = 500,
    last_event_id: Annotated[
        str | None,
        HeaderParameter(name="Last-Event-ID", description="As `after`, and stronger; sent by browsers."),
    ] = None,
) -> Response[CommitPage]:
    """Read the log: every commit as the caller may see it, secrets of others closed, for ever.

    JSON gives a page. `Accept: application/x-ndjson` streams the whole log, one commit a line, in canonical JSON.
    `Accept: text/event-stream` goes on live: `event: commit`, `id` is the version, and `Last-Event-ID` or `after`
    resumes without gap or repeat.
    """
    form = chosen(request.headers.get("accept"), (JSON, EVENT_STREAM, NDJSON))
    viewer = guest.caller.viewer
    if form == EVENT_STREAM:
        after = _resumed(last_event_id, after)
    if after > guest.table.version:
        # Whoever waited for what comes after it would be told nothing for ever: a log can come back shorter.
        raise NoSuchVersion(after, guest.table.version)
    if form == NDJSON:
        lines = _lines(service, game_id, after, viewer)
        return Stream(lines, media_type=NDJSON, headers=_NOT_KEPT)  # type: ignore[return-value]
    if form == EVENT_STREAM:
        service.streams.check()
        events = live_events(service, game_id, after, viewer, resolved_at=guest.table.version)
        return Stream(events, media_type=EVENT_STREAM, headers=_LIVE)  # type: ignore[return-value]
    commits = await service.handler.commits(game_id, after, limit + 1)
    shown = [redact(commit, viewer) for commit in commits[:limit]]
    # Commits that are encoded already, in the shapes that they were recorded in.
    items = cast("list[Commit]", [Raw(await service.handler.sent(game_id, commit)) for commit in shown])
    page = CommitPage(tuple(items), shown[-1].version if len(commits) > limit else None)
    return Response(page, headers=_NOT_KEPT)


def _resumed(last_event_id: str | None, after: int) -> int:
    """Where to go on: what a browser saw last beats what its page asked for at first."""
    if last_event_id is None or not last_event_id.strip():
        return after
    if not _VERSION.fullmatch(last_event_id.strip()):
        raise invalid(
            "/Last-Event-ID", "Last-Event-ID: expected the version of the last commit that was seen"
        )
    return int(last_event_id)


async def _lines(service: Service, game_id: str, after: int, viewer: Viewer) -> AsyncIterator[bytes]:
    """The log, line by line, gathered into pieces; the store is read no faster than the caller takes them."""
    gathered: list[bytes] = []
    size = 0
    async for commit in service.handler.scan(game_id, after):
        line = await service.handler.sent(game_id, redact(commit, viewer)) + b"\n"
        gathered.append(line)
        size += len(line)
        if size >= _CHUNK:
            yield b"".join(gathered)
            gathered, size = [], 0
            # The transport says that it has enough when the event loop comes round, and others want their turn.
            await asyncio.sleep(0)
    if gathered:
        yield b"".join(gathered)


async def live_events(
    service: Service, game_id: str, after: int, viewer: Viewer, *, resolved_at: int
) -> AsyncIterator[bytes]:
    """Commits as server-sent events, for as long as the caller stays, the service runs and the token means the same.

    What a caller does not take is not read: one commit at a time is on its way.
    """
    with service.streams.one():
        yield _OPENING
        async with contextlib.aclosing(_commits(service.live, game_id, after)) as commits:
            async for commit in commits:
                if commit is None:
                    yield _KEEP_ALIVE
                    continue
                data = await service.handler.sent(game_id, redact(commit, viewer))
                yield b"id: %d\nevent: commit\ndata: %b\n\n" % (commit.version, data)
                if commit.version > resolved_at and _may_move(viewer, commit):
                    return  # the caller comes back and is looked at again


def _may_move(viewer: Viewer, commit: Commit) -> bool:
    """Whether a seat's token may open another seat after a commit, or none."""
    return isinstance(viewer, int) and any(
        isinstance(event, SeatLeft) or (isinstance(event, SeatHandedOver) and event.seat == viewer)
        for event in commit.events
    )


async def _commits(live: Live, game_id: str, after: int) -> AsyncGenerator[Commit | None, None]:
    """Commits as they come, and None where none came for a while; ends when the service stops."""
    versions = live.versions(game_id, after)
    coming: asyncio.Future[Commit] | None = None
    try:
        while True:
            if coming is None:
                coming = asyncio.ensure_future(anext(versions))
            await asyncio.wait({coming}, timeout=KEEP_ALIVE_SECONDS)
            if not coming.done():
                yield None
                continue
            try:
                commit = coming.result()
            except (StopAsyncIteration, StoreUnavailable):
                return
            coming = None
            yield commit
    finally:
        if coming is not None:
            coming.cancel()
            await asyncio.wait({coming})
        await versions.aclose()
