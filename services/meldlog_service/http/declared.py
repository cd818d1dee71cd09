"""Headers that several routes have, declared once."""

from __future__ import annotations

from typing import Annotated

from litestar.datastructures import ResponseHeader
from litestar.params import HeaderParameter

TOKEN = "token"
"""Name of the way to show who asks, in the API's description."""
TOKEN_NEEDED = [{TOKEN: list[str]()}]
"""Of a route that answers nobody without a token; elsewhere a token only opens more."""
ETAG = ResponseHeader(
    name="ETag", description='The game\'s version, in quotes: `"57"`.', documentation_only=True
)
LOCATION = ResponseHeader(name="Location", description="Where the game is.", documentation_only=True)
REPLAYED = "Idempotent-Replayed"
REPLAYED_HEADER = ResponseHeader(
    name=REPLAYED, description="`true` on the answer to a repeat.", documentation_only=True
)
IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        min_length=1,
        max_length=255,
        description="Text that makes a retry safe: the same key and body get the first answer again.",
    ),
]
IfMatch = Annotated[
    str | None, HeaderParameter(name="If-Match", description='The version that is meant, in quotes: `"57"`.')
]
