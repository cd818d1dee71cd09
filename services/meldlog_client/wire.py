"""What both clients say to httpx in the same way."""

JSON = "application/json"
NDJSON = "application/x-ndjson"
SSE = "text/event-stream"

TIMEOUT = 30.0
"""Seconds without a sign of life after which a connection counts as lost; a stream that is well says something
more often than that."""


def headers_of(token: str | None) -> dict[str, str]:
    """The headers of every request of a caller."""
    common = {"Accept": JSON, "User-Agent": "meldlog-client"}
    return common if token is None else {**common, "Authorization": f"Bearer {token}"}
