"""Who in this process waits for news of which game; the part of a feed that no store does differently."""

import asyncio
from types import TracebackType
from typing import Self

from meldlog_service.store.event_store import StoreUnavailable


class Subscriber:
    """A `Subscription` held by `Subscribers`."""

    def __init__(self, room: "Subscribers", game_id: str) -> None:
        self._room = room
        self._game_id = game_id
        self._rung = asyncio.Event()
        self._heard = 0
        self._unsure = False

    async def changed(self) -> int:
        """See `Subscription.changed`."""
        await self._rung.wait()
        if self._room.closed:
            raise StoreUnavailable("the store is closed")
        self._rung.clear()
        unsure, self._unsure = self._unsure, False
        return 0 if unsure else self._heard

    def close(self) -> None:
        """See `Subscription.close`."""
        self._room.leave(self._game_id, self)

    def hear(self, version: int) -> None:
        """Wake up, unless this version is old news; 0 is always news, and makes what was heard before worthless."""
        if version == 0:
            self._unsure = True
        elif version <= self._heard:
            return
        self._heard = version
        self._rung.set()

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()


class Subscribers:
    """All subscribers of one store object, by game."""

    def __init__(self) -> None:
        self._by_game: dict[str, set[Subscriber]] = {}
        self.closed = False

    def join(self, game_id: str) -> Subscriber:
        """A new subscriber to a game."""
        subscriber = Subscriber(self, game_id)
        self._by_game.setdefault(game_id, set()).add(subscriber)
        if self.closed:
            subscriber.hear(0)
        return subscriber

    def leave(self, game_id: str, subscriber: Subscriber) -> None:
        """Forget a subscriber; does nothing when it has left already."""
        others = self._by_game.get(game_id, set())
        others.discard(subscriber)
        if not others:
            self._by_game.pop(game_id, None)

    @property
    def anybody(self) -> bool:
        """Whether anybody waits for anything."""
        return bool(self._by_game)

    def wake(self, game_id: str, version: int) -> None:
        """A version of a game is there; 0: it may have versions nobody heard of."""
        for subscriber in self._by_game.get(game_id, ()):
            subscriber.hear(version)

    def wake_all(self) -> None:
        """News may have been missed: everybody must look."""
        for game_id in list(self._by_game):
            self.wake(game_id, 0)

    def close(self) -> None:
        """Let everybody who waits hear that there will be no more news."""
        self.closed = True
        self.wake_all()
