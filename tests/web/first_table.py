"""How long a browser that was never here takes to show a table: `python -m tests.web.first_table`.

A service as `meldlog serve` runs it, on this machine; every time a fresh profile of Chromium, which has nothing kept.
The time runs from the start of the navigation to the first frame with the own hand on it.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from statistics import median

import httpx
from playwright.sync_api import Browser
from tests.cli.commands import Serving
from tests.web.visitors import REMEMBER, a_browser

TIMES = 20
WATCH = """new Promise((resolve) => {
    const look = () => {
        if (!document.querySelector(".hand button")) return false;
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
        return true;
    };
    if (look()) return;
    const watcher = new MutationObserver(() => look() && watcher.disconnect());
    watcher.observe(document, { subtree: true, childList: true });
})"""


def a_game(url: str) -> tuple[str, str]:
    """A game against three bots: its id, and the token of the person's seat."""
    with httpx.Client(base_url=url, timeout=60) as client:
        bots = {"1": "plain", "2": "plain", "3": "plain"}
        made = client.post("/v1/games", json={"variant": "crazy-rummy", "seats": 4, "bots": bots}).json()
        game = f"/v1/games/{made['game_id']}"
        seat = client.post(f"{game}/seats", json={"name": "Ann", "seat": 0}).json()
        host = {"Authorization": f"Bearer {made['host_token']}"}
        client.post(f"{game}/commands", json={"type": "start_game"}, headers=host).raise_for_status()
    return made["game_id"], seat["seat_token"]


def milliseconds(browser: Browser, url: str, game: str, token: str) -> float:
    """Until the table is there, for somebody new."""
    with browser.new_context(base_url=url) as context:
        place = json.dumps({"seat": 0, "seatToken": token})
        context.add_init_script(f"({REMEMBER})('{game}', {place}); globalThis.there = {WATCH};")
        page = context.new_page()
        page.goto(f"/#/table/{game}", wait_until="commit")
        taken: float = page.evaluate("globalThis.there")
        return taken


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home, Serving(Path(home)) as service, a_browser() as found:
        game_id, seat_token = a_game(service.url)
        taken = sorted(milliseconds(found, service.url, game_id, seat_token) for _ in range(TIMES))
    print(f"{TIMES} times: median {median(taken):.0f} ms, longest {taken[-1]:.0f} ms")
