"""The bot ``random``: any legal move, each as likely as the others."""

from __future__ import annotations

import random
from collections.abc import Sequence

from meldlog_contracts.table import Table
from meldlog_service.bots.strategy import Move


class Uniform:
    """Plays anything; what every other bot is measured against."""

    name = "random"

    def choose(
        self,
        table: Table,  # noqa: ARG002 -- it does not look
        seat: int,  # noqa: ARG002
        moves: Sequence[Move],
        rng: random.Random,
    ) -> Move:
        """See `Strategy.choose`."""
        return rng.choice(moves)
