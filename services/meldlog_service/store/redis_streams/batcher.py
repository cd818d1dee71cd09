"""Group commit: appends that wait at the same time go out together and share one round trip."""

import asyncio
from collections.abc import Callable

from meldlog_service.store.event_store import NotDurable, OutcomeUnknown, StoreUnavailable
from meldlog_service.store.redis_streams.durability import Receipt
from meldlog_service.store.redis_streams.line import Line
from meldlog_service.store.redis_streams.replies import Lost, Reply
from meldlog_service.store.redis_streams.script import OK

IN_FLIGHT = 2
"""Batches on their way at the same time. On one machine one, two or more do alike; where the server is a network
away, or waits for a disk, the second is on its way while the first is answered. More would only be smaller."""

_Waiting = tuple[bytes, "asyncio.Future[Reply]"]


class Batcher:
    """The appends to one server.

    Args:
        line: A connection of its own: while the server waits for disks or replicas it answers nothing else there.
        receipt: What to ask at the end of every batch.
        seconds: How long an answer may take.
        on_batch: Hears how many appends went out together.
    """

    def __init__(
        self, line: Line, receipt: Receipt, seconds: float, on_batch: Callable[[int], None] | None = None
    ) -> None:
        self._line = line
        self._receipt = receipt
        self._seconds = seconds
        self._on_batch = on_batch
        self._waiting: list[_Waiting] = []
        self._in_flight = 0
        self._soon: asyncio.Handle | None = None
        self._opening: asyncio.Task[None] | None = None

    def put(self, command: bytes) -> "asyncio.Future[Reply]":
        """Send a command with the next batch.

        Returns:
            Its own answer, whatever became of the others. The future raises OutcomeUnknown or NotDurable as
            `EventStore.append` does, and StoreUnavailable when nothing was sent.
        """
        link = self._line.link
        # To ask for the running loop asks the system for the process, every time.
        loop = asyncio.get_running_loop() if link is None else link.loop
        future: asyncio.Future[Reply] = loop.create_future()
        self._waiting.append((command, future))
        if self._soon is None and self._in_flight < IN_FLIGHT:
            # Whoever else is ready in this turn of the event loop comes along.
            self._soon = loop.call_soon(self._send)
        return future

    def _send(self) -> None:
        self._soon = None
        link = self._line.link
        if link is None:
            if self._opening is None:
                self._opening = asyncio.create_task(self._open())
            return
        # A caller who has gone away before anything was sent stores nothing.
        batch = [waiting for waiting in self._waiting if not waiting[1].done()]
        self._waiting = []
        if not batch:
            return
        commands = [command for command, _ in batch]
        if self._receipt.command:
            commands.append(self._receipt.command)
        answered = link.send(b"".join(commands), len(commands), self._seconds)
        self._in_flight += 1
        answered.add_done_callback(lambda answers: self._landed(batch, answers))
        if self._on_batch is not None:
            self._on_batch(len(batch))

    async def _open(self) -> None:
        try:
            await self._line.open()
        except Exception as error:
            # Whatever it is, nobody may be left waiting.
            waiting, self._waiting = self._waiting, []
            for _, future in waiting:
                _fail(future, StoreUnavailable(str(error)))
            if not isinstance(error, StoreUnavailable):
                raise
        finally:
            self._opening = None
        if self._waiting:
            self._send()

    def _landed(self, batch: list[_Waiting], answered: "asyncio.Future[list[Reply]]") -> None:
        self._in_flight -= 1
        if self._waiting and self._soon is None:
            self._soon = asyncio.get_running_loop().call_soon(self._send)
        error = answered.exception()
        if isinstance(error, Lost):
            for _, future in batch:
                _fail(future, OutcomeUnknown(f"the answer was lost: {error}"))
            return
        answers = answered.result()
        shortfall = self._receipt.shortfall(answers[-1]) if self._receipt.command else None
        for (_, future), answer in zip(batch, answers, strict=False):
            if shortfall is not None and answer == OK:
                _fail(future, NotDurable(shortfall))
            elif not future.done():
                future.set_result(answer)

    def hang_up(self) -> None:
        """Dial again for the next batch."""
        self._line.hang_up()

    def close(self) -> None:
        """End the connection and send away whoever waits."""
        self._line.close()
        waiting, self._waiting = self._waiting, []
        for _, future in waiting:
            _fail(future, StoreUnavailable("the connection was closed for good"))


def _fail(future: "asyncio.Future[Reply]", error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
