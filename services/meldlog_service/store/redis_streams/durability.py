"""How long an append waits before it counts as done."""

from meldlog_service.settings import Durability
from meldlog_service.store.redis_streams.replies import Reply, ServerSaid
from meldlog_service.store.redis_streams.script import pack

SHARE = 0.8
"""How much of an answer's time the server may wait for disks and replicas before it says how far they got."""


class Receipt:
    """What is asked at the end of every batch of appends, once for all of them.

    Args:
        durability: The setting.
        seconds: How long an answer may take.
    """

    def __init__(self, durability: Durability, seconds: float) -> None:
        milliseconds = int(seconds * SHARE * 1000)
        self._copies = 1 if durability.kind == "fsync" else durability.replicas
        match durability.kind:
            case "process":
                self.command = b""
            case "fsync":
                self.command = pack("WAITAOF", 1, 0, milliseconds)
            case "replicas":
                self.command = pack("WAIT", durability.replicas, milliseconds)
        self._kind = durability.kind

    def shortfall(self, reply: Reply) -> str | None:
        """What is missing, as a sentence; None when the batch is as durable as it should be."""
        if isinstance(reply, ServerSaid):
            return f"stored, but the server cannot say how durably: {reply}"
        reached = reply[0] if isinstance(reply, list) and reply else reply
        if isinstance(reached, int) and reached >= self._copies:
            return None
        if self._kind == "fsync":
            return "stored, but not yet on the server's disk"
        return f"stored, but so far on {reached!r} of {self._copies} replicas"
