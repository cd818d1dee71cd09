"""Whoever pastes a token where it does not belong finds it in no line of the log."""

from __future__ import annotations

import httpx
import pytest
from tests.http.conftest import LogLines
from tests.http.playing import HOST, OPERATOR, Game
from tests.http.serving import Served

PASTED = [
    ("GET", "/{token}", {}),
    ("GET", "/v1/{token}/x", {}),
    ("GET", "/v1/games/{token}", {}),
    ("GET", "/v1/games/seat_{token}/events", {}),
    ("GET", "/v1/variants/{token}", {}),
    ("GET", "/" + "x" * 190 + "/{token}", {}),
    ("GET", "/v1/games?cursor={token}&{token}=1", {}),
    ("POST", "/v1/games/{token}/commands", {}),
    ("POST", "/v1/games?{token}=true", {}),
    ("GET", "/healthz", {"X-Request-Id": "{token}"}),
    ("GET", "/healthz", {"X-{token}": "1"}),
    ("GET", "/healthz", {"Accept": "{token}"}),
    ("POST", "/v1/games", {"Idempotency-Key": "{token}", "If-Match": "{token}"}),
]
"""Requests with a token in the path, the query, or a header."""


@pytest.mark.parametrize("who", [OPERATOR, HOST, 0])
def test_a_token_is_logged_by_no_request(
    server: Served, game: Game, log_lines: LogLines, who: int | str
) -> None:
    """Neither whole nor cut; an operator's has any form."""
    token = game.tokens[who]
    bodies = [
        {},
        {token: 1},
        {"variant": token, "seats": 2},
        {"type": token},
        {"type": "discard", "card": token},
    ]
    with server.client() as client:
        for method, path, headers in PASTED:
            spelt = {name.format(token=token): value.format(token=token) for name, value in headers.items()}
            for body in bodies if method == "POST" else [None]:
                client.request(method, path.format(token=token), json=body, headers=spelt)
        for body in bodies:
            game.post(who, "/commands", body)
        asked = len(PASTED)
        assert server.until(lambda: len(log_lines()) >= asked)
    told = repr(log_lines())

    assert "(hidden)" in told
    assert token[:12] not in told


def test_a_refusal_still_tells_its_caller_what_was_sent(client: httpx.Client) -> None:
    """What the caller sent is no secret from the caller."""
    assert "no-such" in client.post("/v1/games", json={"variant": "no-such", "seats": 2}).json()["detail"]
