"""A service that answers what a test has written down, and both clients behind one face."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, TypeAlias

import httpx

from meldlog_client import AsyncMeldlogClient, MeldlogClient

Scripted: TypeAlias = httpx.Response | type[httpx.TransportError]
"""What happens to a request: an answer, or a connection that fails."""


class Broken(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that breaks off after a while."""

    def __init__(self, *chunks: bytes) -> None:
        self._chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        """Some chunks, then a failure."""
        yield from self._chunks
        raise httpx.ReadError("the connection broke off")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The same."""
        for chunk in self._chunks:
            yield chunk
        raise httpx.ReadError("the connection broke off")


class Script:
    """What a service will answer, in order; it keeps the requests, and the pauses between them.

    Args:
        happens: For each request to come.
    """

    def __init__(self, *happens: Scripted) -> None:
        self._happens = list(happens)
        self.requests: list[httpx.Request] = []
        self.pauses: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        """Answer a request."""
        self.requests.append(request)
        next_one = self._happens.pop(0)
        if isinstance(next_one, httpx.Response):
            return next_one
        raise next_one("the script says so", request=request)

    @property
    def is_over(self) -> bool:
        """Whether everything has happened."""
        return not self._happens

    def sync_client(self, patience: float = 30.0) -> Any:
        """The synchronous client on this script."""
        return MeldlogClient(
            "http://meldlog",
            "mt_1",
            patience=patience,
            transport=httpx.MockTransport(self),
            sleep=self.pauses.append,
        )

    def async_client(self, patience: float = 30.0) -> Any:
        """The asynchronous client on this script, made synchronous."""

        async def pause(seconds: float) -> None:
            self.pauses.append(seconds)

        return Blocking(
            AsyncMeldlogClient(
                "http://meldlog", "mt_1", patience=patience, transport=httpx.MockTransport(self), sleep=pause
            )
        )


class Blocking:
    """An asynchronous client whose every method waits, and whose iterators are lists."""

    def __init__(self, client: AsyncMeldlogClient) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """A method."""
        method = getattr(self._client, name)

        def call(*arguments: object, **named: object) -> object:
            async def wait() -> object:
                result = method(*arguments, **named)
                if isinstance(result, AsyncIterator):
                    return [item async for item in result]
                return await result

            return asyncio.run(wait())

        return call


def problem(
    status: int, code: str, headers: Sequence[tuple[str, str]] = (), **members: object
) -> httpx.Response:
    """A problem document."""
    body = {
        "type": "about:blank",
        "title": code,
        "status": status,
        "detail": f"it is {code}",
        "code": code,
        **members,
    }
    return httpx.Response(status, headers=[("Content-Type", "application/problem+json"), *headers], json=body)
