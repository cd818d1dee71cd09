"""A small typed client of a Meldlog service, synchronous and asynchronous; it speaks only the public HTTP API."""

from meldlog_client.asynchronous import AsyncMeldlogClient
from meldlog_client.problems import MeldlogProblem, MeldlogUnintelligible, MeldlogUnreachable
from meldlog_client.synchronous import MeldlogClient

__all__ = [
    "AsyncMeldlogClient",
    "MeldlogClient",
    "MeldlogProblem",
    "MeldlogUnintelligible",
    "MeldlogUnreachable",
]
