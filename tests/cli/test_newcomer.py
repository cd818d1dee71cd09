"""A newcomer plays a whole game with plain HTTP, from what the API's page says and nothing else."""

from pathlib import Path
from typing import Any

import httpx
from tests.cli.commands import Serving, meldlog

NAMES = ["Ann", "Bob", "Cem", "Dar"]
ORDER = ["lay_meld", "lay_off", "reclaim", "draw", "discard"]
"""What the newcomer likes best, from the moves that are offered."""


def bearer(token: str) -> dict[str, str]:
    """A token as a header."""
    return {"Authorization": f"Bearer {token}"}


def favourite(moves: list[dict[str, Any]]) -> dict[str, Any]:
    """The first of the kind of move that is liked best."""
    return min(moves, key=lambda move: ORDER.index(move["type"]) if move["type"] in ORDER else len(ORDER))


def play(http: httpx.Client, game: str, tokens: list[str]) -> dict[str, Any]:
    """Play every seat's turn until the game is over; the table then."""
    table: dict[str, Any] = http.get(f"/v1/games/{game}").json()
    while table["status"] == "playing":
        seat = bearer(tokens[table["deal"]["turn"]])
        offered = http.get(f"/v1/games/{game}/moves", headers=seat).json()
        answer = http.post(f"/v1/games/{game}/commands", headers=seat, json=favourite(offered["moves"]))
        assert answer.status_code == 200, answer.text
        table = http.get(f"/v1/games/{game}").json()
    return table


def test_a_newcomer_plays_a_game_to_its_end(serving: Serving, tmp_path: Path) -> None:
    """Totals are the sums of the deals, the audit agrees, the export verifies, and a changed byte is found."""
    with httpx.Client(base_url=serving.url) as http:
        created = http.post("/v1/games", json={"variant": "crazy-rummy", "seats": 4})
        assert created.status_code == 201
        game, host = created.json()["game_id"], created.json()["host_token"]
        assert created.headers["Location"].endswith(f"/v1/games/{game}")
        tokens = [
            http.post(f"/v1/games/{game}/seats", json={"name": name}).json()["seat_token"] for name in NAMES
        ]
        started = http.post(f"/v1/games/{game}/commands", headers=bearer(host), json={"type": "start_game"})
        assert started.status_code == 200
        table = play(http, game, tokens)

        assert len(table["scores"]) == 13
        sums = [sum(deal) for deal in zip(*table["scores"], strict=True)]
        assert [seat["total"] for seat in table["seats"]] == sums
        assert table["result"]["winners"] == [seat for seat, total in enumerate(sums) if total == min(sums)]
        audit = http.get(f"/v1/games/{game}/audit").json()
        assert audit["verdict"] == "agrees"
        log = http.get(
            f"/v1/games/{game}/events", headers={"Accept": "application/x-ndjson", **bearer(tokens[2])}
        ).content

    file = tmp_path / "log.ndjson"
    file.write_bytes(log)
    assert meldlog("verify", file, home=tmp_path).returncode == 0
    operators = tmp_path / "operators.ndjson"
    exported = meldlog("export", game, "--data-dir", serving.data_dir, "--out", operators, home=tmp_path)
    assert exported.returncode == 0
    assert meldlog("audit", operators, home=tmp_path).returncode == 0
    for whose in (file, operators):
        changed = bytearray(whose.read_bytes())
        place = len(changed) // 3
        changed[place] ^= 1
        whose.write_bytes(changed)
        assert meldlog("verify", whose, home=tmp_path).returncode == 1
