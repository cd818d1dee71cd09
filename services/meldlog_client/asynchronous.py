"""The client for programs that run an event loop, of asyncio or of trio."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Self, Unpack

import anyio
import httpx
from httpx_sse import EventSource

from meldlog_client import calls
from meldlog_client.calls import Call, Choice, Circumstances, NewGame, Shape, Terms
from meldlog_client.following import Lines, Place, is_last, read_commit
from meldlog_client.patience import Patience
from meldlog_client.shapes import (
    Answer,
    Audit,
    Begun,
    Created,
    GamePage,
    Judgement,
    Language,
    Moves,
    RuleSheet,
    Seated,
    TableView,
    VariantSummary,
)
from meldlog_client.wire import NDJSON, SSE, TIMEOUT, headers_of
from meldlog_contracts.commands import GameCommand
from meldlog_contracts.events import Commit


class AsyncMeldlogClient:
    """A Meldlog service, as one caller: `MeldlogClient` with every method awaited and every iterator asynchronous.

    Example:
        async with AsyncMeldlogClient("http://127.0.0.1:8000", seat_token) as service:
            async for commit in service.stream(game_id):
                ...

    Args:
        url: Of the service.
        token: Whose eyes and hands; None looks on.
        patience: Seconds of pauses that a call is worth while the service cannot be reached; 0 tries once.
        transport: How httpx sends; for an app in this process, and for tests.
        sleep: How to pause.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        patience: float = 30.0,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._http = httpx.AsyncClient(base_url=url, timeout=TIMEOUT, transport=transport)
        self._headers = headers_of(token)
        self._patience = patience
        self._sleep = sleep

    def as_caller(self, token: str | None) -> "AsyncMeldlogClient":
        """The same service over the same connections for another caller; closing either closes both."""
        other = object.__new__(AsyncMeldlogClient)
        other._http, other._patience, other._sleep = self._http, self._patience, self._sleep
        other._headers = headers_of(token)
        return other

    async def create_game(self, variant: str, seats: int, **rules: Unpack[NewGame]) -> Created:
        """See `MeldlogClient.create_game`."""
        return await self._do(calls.create_game(variant, seats, **rules))

    async def games(self, **choice: Unpack[Choice]) -> GamePage:
        """See `MeldlogClient.games`."""
        return await self._do(calls.games(**choice))

    async def take_seat(
        self, game_id: str, name: str, seat: int | None = None, *, entropy: str | None = None
    ) -> Seated:
        """See `MeldlogClient.take_seat`."""
        return await self._do(calls.take_seat(game_id, name, seat, entropy))

    async def start(self, game_id: str) -> Answer:
        """See `MeldlogClient.start`."""
        return await self._do(calls.start(game_id))

    async def table(self, game_id: str, *, at: int | None = None) -> TableView:
        """See `MeldlogClient.table`."""
        return await self._do(calls.table(game_id, at))

    async def moves(self, game_id: str) -> Moves:
        """See `MeldlogClient.moves`."""
        return await self._do(calls.moves(game_id))

    async def send(
        self, game_id: str, commands: GameCommand | Sequence[GameCommand], **terms: Unpack[Terms]
    ) -> Answer:
        """See `MeldlogClient.send`."""
        return await self._do(calls.send(game_id, commands, **terms))

    async def events(self, game_id: str, *, after: int = 0) -> AsyncIterator[Commit]:
        """See `MeldlogClient.events`."""
        async for line in self.lines(game_id, after=after):
            yield read_commit(line)

    async def lines(self, game_id: str, *, after: int = 0) -> AsyncIterator[bytes]:
        """See `MeldlogClient.lines`."""
        place, patience = Place(after), Patience(self._patience, repeatable=True)
        while True:
            try:
                async with self._log(game_id, place, NDJSON) as response:
                    pause = await self._not_now(response, patience)
                    if pause is None:
                        lines = Lines()
                        async for chunk in response.aiter_bytes():
                            patience.renew()
                            for line in filter(place.advance, lines.feed(chunk)):
                                yield line
                        for line in filter(place.advance, lines.end()):
                            yield line
                        return
            except httpx.TransportError as error:
                pause = patience.after_failure(error)
            await self._sleep(pause)

    async def stream(self, game_id: str, *, after: int = 0) -> AsyncIterator[Commit]:
        """See `MeldlogClient.stream`."""
        place, patience = Place(after), Patience(self._patience, repeatable=True)
        while True:
            try:
                async with self._log(game_id, place, SSE) as response:
                    pause = await self._not_now(response, patience)
                    if pause is None:
                        async for event in EventSource(response).aiter_sse():
                            patience.renew()
                            if (commit := place.commit_of(event)) is not None:
                                yield commit
                                if is_last(commit):
                                    return
                        pause = patience.after_end()
            except httpx.TransportError as error:
                pause = patience.after_failure(error)
            await self._sleep(pause)

    async def fork(self, game_id: str, at: int) -> Begun:
        """See `MeldlogClient.fork`."""
        return await self._do(calls.fork(game_id, at))

    async def import_log(self, lines: Iterable[bytes]) -> Begun:
        """See `MeldlogClient.import_log`."""
        return await self._do(calls.import_log(lines))

    async def audit(self, game_id: str) -> Audit:
        """See `MeldlogClient.audit`."""
        return await self._do(calls.audit(game_id))

    async def variants(self) -> tuple[VariantSummary, ...]:
        """See `MeldlogClient.variants`."""
        return (await self._do(calls.variants())).items

    async def variant(self, name: str, lang: Language = "en") -> RuleSheet:
        """The rule sheet of a variant in a language."""
        return await self._do(calls.variant(name, lang))

    async def judge(self, variant: str, cards: Sequence[str], **given: Unpack[Circumstances]) -> Judgement:
        """See `MeldlogClient.judge`."""
        return await self._do(calls.judge(variant, cards, **given))

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        """Itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        await self.close()

    async def _do(self, call: Call[Shape]) -> Shape:
        patience = Patience(self._patience, repeatable=call.repeatable)
        while True:
            try:
                response = await self._http.request(
                    call.method,
                    call.path,
                    params=call.params,
                    content=call.body,
                    headers={**self._headers, **call.headers},
                )
            except httpx.TransportError as error:
                await self._sleep(patience.after_failure(error))
                continue
            pause = patience.after_answer(response.status_code, response.headers, response.content)
            if pause is None:
                return call.read(response.content)
            await self._sleep(pause)

    def _log(self, game_id: str, place: Place, accept: str) -> AbstractAsyncContextManager[httpx.Response]:
        return self._http.stream(
            "GET",
            calls.log_path(game_id),
            params={"after": place.after},
            headers={**self._headers, "Accept": accept},
        )

    @staticmethod
    async def _not_now(response: httpx.Response, patience: Patience) -> float | None:
        body = await response.aread() if response.is_error else b""
        return patience.after_answer(response.status_code, response.headers, body)
