"""A link that is opened again after it was lost, with patience and back-off."""

import asyncio
from collections.abc import Awaitable, Callable

from meldlog_service.store.event_store import StoreUnavailable
from meldlog_service.store.redis_streams.link import Link
from meldlog_service.store.redis_streams.replies import NOT_HERE, NOT_NOW, Lost, ServerSaid

PATIENCE = 1.0
"""Seconds for which a caller waits for a server that may come back, such as the embedded one after a crash."""

REST = 0.25
"""Seconds for which callers are sent away at once after that, so that they do not pile up."""


class Patience:
    """Waiting for something that can come right by itself: ever longer, and not for ever.

    Args:
        seconds: How long in all.
    """

    def __init__(self, seconds: float = PATIENCE) -> None:
        self._until = asyncio.get_running_loop().time() + seconds
        self._pause = 0.005

    async def wait(self, fault: Exception) -> None:
        """Wait a little; raises StoreUnavailable with the fault's words when patience is at an end."""
        if asyncio.get_running_loop().time() + self._pause > self._until:
            raise StoreUnavailable(str(fault)) from fault
        await asyncio.sleep(self._pause)
        self._pause = min(2 * self._pause, 0.1)


class Line:
    """At most one link, shared by everybody who asks for it.

    Args:
        dial: Opens a new link; raises Lost or ServerSaid.
    """

    def __init__(self, dial: Callable[[], Awaitable[Link]]) -> None:
        self._dial = dial
        self._link: Link | None = None
        self._opening: asyncio.Task[Link] | None = None
        self._rest_until = 0.0
        self._fault = ""

    @property
    def link(self) -> Link | None:
        """The link, if it stands."""
        return self._link if self._link is not None and not self._link.lost else None

    async def open(self) -> Link:
        """The link, opened (again) if need be; raises StoreUnavailable."""
        if (link := self.link) is not None:
            return link
        if asyncio.get_running_loop().time() < self._rest_until:
            raise StoreUnavailable(self._fault)
        if self._opening is None:
            self._opening = asyncio.create_task(self._open())
            self._opening.add_done_callback(self._opened)
        opening = self._opening
        try:
            # One caller who gives up must not take the link from the others.
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            # Where everything is cancelled at once, as at the end of a process, the caller must end as well.
            if opening.cancelled() and not (task is not None and task.cancelling()):
                raise StoreUnavailable(self._fault) from None
            raise

    async def _open(self) -> Link:
        patience = Patience()
        while True:
            try:
                self._link = await self._dial()
            except Lost as error:
                await patience.wait(error)
            except ServerSaid as error:
                if error.code not in NOT_HERE | NOT_NOW:
                    raise StoreUnavailable(str(error)) from error
                await patience.wait(error)
            else:
                return self._link

    def _opened(self, opening: asyncio.Task[Link]) -> None:
        self._opening = None
        if not opening.cancelled() and (error := opening.exception()) is not None:
            self._fault = str(error)
            self._rest_until = asyncio.get_running_loop().time() + REST

    def hang_up(self) -> None:
        """Give the link up; the next caller dials again."""
        if self._link is not None:
            self._link.close()
            self._link = None

    def close(self) -> None:
        """Give the link up for good."""
        self.hang_up()
        if self._opening is not None:
            self._opening.cancel()
        self._fault, self._rest_until = "the connection was closed for good", float("inf")
