"""When a call is sent again, and after how long: decided here, waited for by the clients."""

import random
from collections.abc import Mapping

import httpx

from meldlog_client.problems import MeldlogProblem, MeldlogUnreachable

FIRST_PAUSE = 0.1
"""Seconds before the second attempt, where the service does not say."""

LONGEST_PAUSE = 5.0
"""Seconds that doubling pauses grow to."""

REOPEN_PAUSE = 1.0
"""Seconds, at most, before a stream that the service ended is opened again."""

OVERLOADED = frozenset({429, 502, 503, 504})
"""Statuses that say *not now*: of the service itself (429, 503) or of a proxy before it."""

NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""Failures of a call that never reached the service."""


class Patience:
    """How long one call (or stream) goes on trying.

    Args:
        seconds: How much pausing in all is worth it; 0 tries once.
        repeatable: Whether the call may be sent again although the first one may have been carried out.
    """

    def __init__(self, seconds: float, *, repeatable: bool) -> None:
        self._seconds = seconds
        self._repeatable = repeatable
        self._paused = 0.0
        self._next = FIRST_PAUSE

    def renew(self) -> None:
        """Start counting again: the service has answered."""
        self._paused = 0.0
        self._next = FIRST_PAUSE

    def after_failure(self, error: httpx.TransportError) -> float:
        """Seconds to pause before another attempt; raises MeldlogUnreachable when there is to be none."""
        if not self._repeatable and not isinstance(error, NOT_SENT):
            raise MeldlogUnreachable(
                f"the answer was lost ({_words(error)}), and whether the call was carried out is not known"
            ) from error
        pause = self._pause(None)
        if pause is None:
            raise MeldlogUnreachable(f"the service cannot be reached: {_words(error)}") from error
        return pause

    def after_answer(self, status: int, headers: Mapping[str, str], body: bytes) -> float | None:
        """Seconds to pause when the service said *not now*; None when the answer is to be taken.

        Raises:
            MeldlogProblem: when it said no.
        """
        if status < httpx.codes.BAD_REQUEST:
            return None
        problem = MeldlogProblem.read(status, body)
        # A plugin that is not installed will not be there in a second, whatever the header says. And only 429 is
        # certain to be said before anything was done.
        worth_it = self._repeatable or status == httpx.codes.TOO_MANY_REQUESTS
        if status in OVERLOADED and worth_it and problem.code != "plugin_unavailable":
            pause = self._pause(headers.get("Retry-After"))
            if pause is not None:
                return pause
        raise problem

    @staticmethod
    def after_end() -> float:
        """Seconds to pause before a stream that the service ended in good order is opened again."""
        return random.uniform(REOPEN_PAUSE / 2, REOPEN_PAUSE)

    def _pause(self, asked: str | None) -> float | None:
        """The next pause, or None when it would be too long; a client never comes earlier than it was asked to."""
        try:
            least = float(asked) if asked is not None else 0.0
        except ValueError:  # a date, which the service never sends
            least = 0.0
        # Clients that failed together must not come back together.
        pause = max(least, self._next * random.uniform(0.5, 1.0))
        if self._paused + pause > self._seconds:
            return None
        self._paused += pause
        self._next = min(2 * self._next, LONGEST_PAUSE)
        return pause


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
