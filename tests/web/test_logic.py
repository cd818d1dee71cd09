"""What the web client computes, tested where it runs: the modules are loaded by a real Chromium from a real service."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page
from tests.http.playing import Game
from tests.http.serving import Served, served
from tests.support.browser import page_in_chromium

TESTS = sorted((Path(__file__).parent / "logic").glob("*.js"))
NAME = re.compile(r'^  "([^"]+)": async', re.MULTILINE)
CASES = [(path, name) for path in TESTS for name in NAME.findall(path.read_text("utf-8"))]
RUN = """async ([base, games, name]) => {
    globalThis.games = games;
    const ordered = (value) => Array.isArray(value) ? value.map(ordered)
        : value && typeof value === "object"
            ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, ordered(value[key])]))
            : value;
    const equal = (found, wanted) => {
        const [one, other] = [found, wanted].map((value) => JSON.stringify(ordered(value)));
        if (one !== other) throw new Error(`found ${one}\\nwanted ${other}`);
    };
    const tests = %s;
    await tests[name]({ load: (module) => import(`${base}/app/${module}`), equal });
}"""


@pytest.fixture(scope="module")
def service() -> Iterator[Served]:
    """A service with an empty store."""
    with served() as running:
        yield running


@pytest.fixture(scope="module")
def page(service: Served) -> Iterator[Page]:
    """The client's page, for all tests of this file: they only load its modules."""
    with page_in_chromium() as found:
        found.goto(service.url)
        yield found


@pytest.fixture(scope="module")
def games(service: Served) -> list[dict[str, object]]:
    """Games of different kinds, seen by a player and by a spectator."""
    seen: list[dict[str, object]] = []
    for variant, commands in (("crazy-rummy", 120), ("ace-to-ace", 60)):
        with Game(service, 3, variant=variant, house_rules={"deal_count": 2}) as game:
            game.play(commands)
            seen.append({"game": game.game_id, "seat": 0, "token": game.tokens[0]})
            seen.append({"game": game.game_id, "seat": None, "token": None})
    return seen


@pytest.mark.parametrize(("path", "name"), CASES, ids=[f"{path.stem}: {name}" for path, name in CASES])
def test_of_the_modules(
    page: Page, service: Served, request: pytest.FixtureRequest, path: Path, name: str
) -> None:
    """Each is a sentence of its file in `logic`."""
    base = page.locator("script[type=module]").get_attribute("src")
    assert base is not None
    games = request.getfixturevalue("games") if path.stem == "fold" else []
    page.evaluate(RUN % path.read_text("utf-8").strip(), [base.removesuffix("/app/main.js"), games, name])
