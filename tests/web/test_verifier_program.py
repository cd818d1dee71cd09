"""The verifier's module as a program: `node verifier.mjs LOG`.

It is run in Chromium, with the few parts of Node that it uses replaced; and by Node itself, on a machine that has it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from importlib import resources
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route
from tests.support.browser import page_in_chromium
from tests.support.forge import whole_game

from meldlog_contracts.verifier import verify

Files = Mapping[str, bytes]
Run = Callable[[Files, tuple[str, ...]], tuple[int, str]]
"""Runs the program with these files and words: its exit status, and what it printed."""

SOURCE = resources.files("meldlog_web").joinpath("static", "verifier.js").read_text(encoding="utf-8")
PLACE = "http://verifier.invalid"
"""Where the page believes that it is; nothing is asked of the network."""
SERVED = {
    "/": (
        "text/html",
        """<script type="importmap">
            {"imports": {"node:url": "/url.mjs", "node:fs": "/fs.mjs"}}
        </script>""",
    ),
    "/verifier.mjs": ("text/javascript", SOURCE),
    "/url.mjs": ("text/javascript", "export const pathToFileURL = (path) => new URL(path, location.href);"),
    "/fs.mjs": (
        "text/javascript",
        """export const realpathSync = (path) => path;
        export const readFileSync = (name) => {
            if (!(name in globalThis.files)) throw new Error("no such file");
            return Uint8Array.from(globalThis.files[name]);
        };""",
    ),
}
RUN = """async ([files, words]) => {
    globalThis.files = files;
    let printed = "";
    console.log = (text) => { printed += `${text}\\n`; };
    const ended = new Promise((resolve) => {
        globalThis.process = {
            argv: ["node", "verifier.mjs", ...words],
            versions: { node: "22" },
            set exitCode(status) { resolve(status); },
        };
    });
    await import("/verifier.mjs");
    return [await ended, printed];
}"""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A page at a place where the program and what it imports can be had."""

    def answer(route: Route) -> None:
        kind, text = SERVED[route.request.url.removeprefix(PLACE)]
        route.fulfill(content_type=kind, body=text)

    with page_in_chromium() as found:
        found.route(f"{PLACE}/**", answer)
        yield found


def by_node(files: Files, words: tuple[str, ...], folder: Path) -> tuple[int, str]:
    """In an empty folder."""
    (folder / "verifier.mjs").write_text(SOURCE, encoding="utf-8")
    for name, content in files.items():
        (folder / name).write_bytes(content)
    command = ["node", "verifier.mjs", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, encoding="utf-8")
    return done.returncode, done.stdout


def in_chromium(files: Files, words: tuple[str, ...], page: Page) -> tuple[int, str]:
    """On a page loaded anew: a module is run once."""
    page.goto(f"{PLACE}/")
    given = {name: list(content) for name, content in files.items()}
    status, printed = page.evaluate(RUN, [given, list(words)])
    return status, printed


@pytest.fixture(params=["chromium", *(["node"] if shutil.which("node") else [])])
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    """Whatever runs the program."""
    if request.param == "node":
        return lambda files, words: by_node(files, words, tmp_path)
    page = request.getfixturevalue("page")
    return lambda files, words: in_chromium(files, words, page)


def test_it_prints_the_same_report(run: Run) -> None:
    """The same text, the same JSON and the same exit status as the verifier in Python."""
    lines = whole_game().lines
    files = {"log.ndjson": b"\n".join(lines), "cut.ndjson": b"\n".join(lines[:-1])}
    head = json.loads(lines[-1])["hash"]

    report = json.dumps(asdict(verify(lines, head)), indent=2)
    assert run(files, ("log.ndjson", "--json", "--head", head)) == (0, report + "\n")
    assert run(files, ("cut.ndjson", "--head", head)) == (1, verify(lines[:-1], head).text() + "\n")
    assert run(files, ("nowhere.ndjson",)) == (2, "")
    assert run(files, ()) == (2, "")
    assert run(files, ("log.ndjson", "--head", "short")) == (2, "")
