"""A token bucket for each client address, so that one caller cannot take the service from all others."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable

REMEMBERED = 20_000
"""Most addresses kept in mind; the ones not seen for longest are forgotten, their buckets are full by then."""


class RateLimiter:
    """Holds one second's requests for each address and fills at that rate; every worker counts for itself."""

    def __init__(self, per_second: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str) -> int:
        """Take a request out of an address's bucket.

        Returns:
            0 when there was one, else whole seconds until there is.
        """
        now = self._clock()
        left, at = self._buckets.pop(address, (float(self._per_second), now))
        left = min(float(self._per_second), left + (now - at) * self._per_second)
        allowed = left >= 1
        self._buckets[address] = (left - 1 if allowed else left, now)
        if len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return 0 if allowed else max(1, math.ceil((1 - left) / self._per_second))
