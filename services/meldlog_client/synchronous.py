"""The client for programs that wait."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self, Unpack

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


class MeldlogClient:
    """A Meldlog service, as one caller: an operator, a host, a seat, or (without a token) a spectator.

    Every method may raise MeldlogProblem (the service said no), MeldlogUnreachable, and MeldlogUnintelligible.
    Calls that do no harm when they are repeated are repeated while the connection fails or the service says 429 or
    503. Commands carry an idempotency key, so that a retry never plays a card twice.

    Example:
        with MeldlogClient("http://127.0.0.1:8000") as service:
            game = service.create_game("crazy-rummy", seats=2, bots={1: "plain"})
            ann = service.take_seat(game.game_id, "Ann")
            service.as_caller(game.host_token).start(game.game_id)
            me = service.as_caller(ann.seat_token)
            me.send(game.game_id, me.moves(game.game_id).moves[0])

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
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._http = httpx.Client(base_url=url, timeout=TIMEOUT, transport=transport)
        self._headers = headers_of(token)
        self._patience = patience
        self._sleep = sleep

    def as_caller(self, token: str | None) -> "MeldlogClient":
        """The same service over the same connections for another caller; closing either closes both."""
        other = object.__new__(MeldlogClient)
        other._http, other._patience, other._sleep = self._http, self._patience, self._sleep
        other._headers = headers_of(token)
        return other

    def create_game(self, variant: str, seats: int, **rules: Unpack[NewGame]) -> Created:
        """Create a game. The host token is told only here."""
        return self._do(calls.create_game(variant, seats, **rules))

    def games(self, **choice: Unpack[Choice]) -> GamePage:
        """A page of the games that are listed, newest first; to the operator, of all."""
        return self._do(calls.games(**choice))

    def take_seat(
        self, game_id: str, name: str, seat: int | None = None, *, entropy: str | None = None
    ) -> Seated:
        """Take a seat, any empty one unless it is named. The seat token is told only here."""
        return self._do(calls.take_seat(game_id, name, seat, entropy))

    def start(self, game_id: str) -> Answer:
        """Start the game: the host (or the operator) may."""
        return self._do(calls.start(game_id))

    def table(self, game_id: str, *, at: int | None = None) -> TableView:
        """The table as this caller may see it, now or at an earlier version."""
        return self._do(calls.table(game_id, at))

    def moves(self, game_id: str) -> Moves:
        """Every legal command of this caller's seat now."""
        return self._do(calls.moves(game_id))

    def send(
        self, game_id: str, commands: GameCommand | Sequence[GameCommand], **terms: Unpack[Terms]
    ) -> Answer:
        """Play one command, or a list of which all happens or nothing; an operator's commands name a `seat`."""
        return self._do(calls.send(game_id, commands, **terms))

    def events(self, game_id: str, *, after: int = 0) -> Iterator[Commit]:
        """The commits from version `after` + 1 to the newest, as this caller may see them."""
        return map(read_commit, self.lines(game_id, after=after))

    def lines(self, game_id: str, *, after: int = 0) -> Iterator[bytes]:
        """As `events`, but each commit in the bytes that were sent: what to keep, and what can be verified."""
        place, patience = Place(after), Patience(self._patience, repeatable=True)
        while True:
            try:
                with self._log(game_id, place, NDJSON) as response:
                    pause = self._not_now(response, patience)
                    if pause is None:
                        lines = Lines()
                        for chunk in response.iter_bytes():
                            patience.renew()
                            yield from filter(place.advance, lines.feed(chunk))
                        yield from filter(place.advance, lines.end())
                        return
            except httpx.TransportError as error:
                pause = patience.after_failure(error)
            self._sleep(pause)

    def stream(self, game_id: str, *, after: int = 0) -> Iterator[Commit]:
        """Every commit from version `after` + 1 on, live, until the game is over.

        A connection that breaks is taken up again where it broke off: no version is missing, none comes twice.
        """
        place, patience = Place(after), Patience(self._patience, repeatable=True)
        while True:
            try:
                with self._log(game_id, place, SSE) as response:
                    pause = self._not_now(response, patience)
                    if pause is None:
                        for event in EventSource(response).iter_sse():
                            patience.renew()
                            if (commit := place.commit_of(event)) is not None:
                                yield commit
                                if is_last(commit):
                                    return
                        pause = patience.after_end()
            except httpx.TransportError as error:
                pause = patience.after_failure(error)
            self._sleep(pause)

    def fork(self, game_id: str, at: int) -> Begun:
        """Go on from a version of a game as a new game; the operator may. Its tokens are told only here."""
        return self._do(calls.fork(game_id, at))

    def import_log(self, lines: Iterable[bytes]) -> Begun:
        """Let a log that an operator exported (`lines`) become a game of this service; the operator may.

        The same log becomes a game once. A log in which anything is wrong is refused, naming the version.
        """
        return self._do(calls.import_log(lines))

    def audit(self, game_id: str) -> Audit:
        """Have every recorded command decided again: the operator may, and anybody once the game is over."""
        return self._do(calls.audit(game_id))

    def variants(self) -> tuple[VariantSummary, ...]:
        """What is installed."""
        return self._do(calls.variants()).items

    def variant(self, name: str, lang: Language = "en") -> RuleSheet:
        """The rule sheet of a variant in a language."""
        return self._do(calls.variant(name, lang))

    def judge(self, variant: str, cards: Sequence[str], **given: Unpack[Circumstances]) -> Judgement:
        """What could these cards be? With `meld`: could they be laid off on it? Nothing is stored."""
        return self._do(calls.judge(variant, cards, **given))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def _do(self, call: Call[Shape]) -> Shape:
        patience = Patience(self._patience, repeatable=call.repeatable)
        while True:
            try:
                response = self._http.request(
                    call.method,
                    call.path,
                    params=call.params,
                    content=call.body,
                    headers={**self._headers, **call.headers},
                )
            except httpx.TransportError as error:
                self._sleep(patience.after_failure(error))
                continue
            pause = patience.after_answer(response.status_code, response.headers, response.content)
            if pause is None:
                return call.read(response.content)
            self._sleep(pause)

    def _log(self, game_id: str, place: Place, accept: str) -> AbstractContextManager[httpx.Response]:
        return self._http.stream(
            "GET",
            calls.log_path(game_id),
            params={"after": place.after},
            headers={**self._headers, "Accept": accept},
        )

    @staticmethod
    def _not_now(response: httpx.Response, patience: Patience) -> float | None:
        body = response.read() if response.is_error else b""
        return patience.after_answer(response.status_code, response.headers, body)
