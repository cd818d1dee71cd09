"""The verifier for browsers and Node makes the same reports as the one in Python, word for word.

One Chromium is asked about all logs: forged, hostile, redacted and untouched ones. The forged ones are those of
tests/core/test_forged_logs.py, which counts them.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.support.browser import page_in_chromium
from tests.support.forge import closed, small_game, whole_game
from tests.support.forgeries import forgeries
from tests.support.forging import written
from tests.support.hostile import NOT_CANONICAL, hostile_logs
from tests.support.short_games import SHORT, played_otherwise, short_game
from tests.support.tamper import export

from meldlog_contracts.verifier import verify

SOURCE = resources.files("meldlog_web").joinpath("static", "verifier.js").read_text(encoding="utf-8")
GOLDEN = sorted((Path(__file__).parents[1] / "golden").rglob("*.ndjson"))
"""Of every variant and of every schema."""
AT_A_TIME = 50
"""Logs that are handed to the browser at once."""

LOAD = """async (source) => {
    globalThis.verifier = await import("data:text/javascript;base64," + source);
}"""
ASK = """(asked) => asked.map(({ log, head }) => {
    const bytes = Uint8Array.from(atob(log), (unit) => unit.charCodeAt(0));
    const report = verifier.verify(bytes, head);
    return { json: JSON.stringify(report), text: verifier.reportText(report) };
})"""


@dataclass(frozen=True)
class Asked:
    """A log that both verifiers are asked about."""

    what: str
    lines: Sequence[bytes]
    head: str | None = None

    @property
    def log(self) -> bytes:
        """The log as a file."""
        return b"".join(line + b"\n" for line in self.lines)


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A page that has loaded the verifier, and nothing else."""
    with page_in_chromium() as page:
        page.evaluate(LOAD, base64.b64encode(SOURCE.encode()).decode())
        yield page


def disagreements(page: Page, logs: Sequence[Asked]) -> list[str]:
    """How the two reports on each log differ, if they do."""
    found = []
    for start in range(0, len(logs), AT_A_TIME):
        some = logs[start : start + AT_A_TIME]
        told = page.evaluate(
            ASK, [{"log": base64.b64encode(one.log).decode(), "head": one.head} for one in some]
        )
        for one, theirs in zip(some, told, strict=True):
            ours = verify(_lines(one.log), one.head)
            if theirs != {"json": _json(asdict(ours)), "text": ours.text()}:
                found.append(f"{one.what}:\n{ours.text()}\n--- in the browser:\n{theirs['text']}")
    return found


def _lines(log: bytes) -> list[bytes]:
    """Lines as a file has them: a carriage return ends none."""
    return re.findall(rb"[^\n]*\n", log)


def _json(report: Any) -> str:
    return json.dumps(report, ensure_ascii=False, separators=(",", ":"))


def spectators(lines: Sequence[bytes]) -> list[bytes]:
    """A log with everything closed, where it can be read at all."""
    given = []
    for line in lines:
        try:
            commit = json.loads(line)
            given.append(written({**commit, "events": closed(commit["events"])}))
        except ValueError:
            given.append(line)
    return given


def assert_agree(page: Page, logs: Sequence[Asked]) -> None:
    """Both say the same about all of them."""
    found = disagreements(page, logs)
    assert not found, f"{len(found)} of {len(logs)}\n" + "\n\n".join(found[:3])


@pytest.mark.parametrize("variant", SHORT)
def test_both_agree_on_every_forged_log(page: Page, variant: str) -> None:
    """Verdicts, checks, versions, events, counts and words; of some the spectator's export is asked about too."""
    forged = [Asked(str(one), one.lines, one.head) for one in forgeries(variant)]
    redacted = [Asked(f"{one.what}, redacted", spectators(one.lines), one.head) for one in forged[::5]]
    assert_agree(page, [*forged, *redacted])


def test_both_agree_on_untouched_logs(page: Page) -> None:
    """Of every variant, as the operator and every viewer is given them, whole and cut, with and without a head."""
    logs = [Asked(path.stem, path.read_bytes().splitlines()) for path in GOLDEN]
    for variant in SHORT:
        game = short_game(variant)
        logs += [Asked(variant, export(game.lines, viewer), game.commits[9].hash) for viewer in (None, 0, 1)]
    honest, otherwise = short_game("crazy-rummy"), played_otherwise("crazy-rummy", 12)
    for head in (None, honest.commits[3].hash, honest.commits[-1].hash):
        logs.append(Asked("played otherwise by whoever holds the seeds", otherwise.lines, head))
    forks = whole_game(reveal=False)
    forks.fork("g-2", bytes(32))
    for lines in (whole_game().lines, forks.lines, small_game().lines):
        logs += [Asked("made by hand", lines, json.loads(lines[-1])["hash"])]
        logs += [
            Asked("made by hand", export(lines, viewer)[:end]) for viewer in (None, 1) for end in (9, None)
        ]
    assert_agree(page, logs)


def test_both_agree_on_hostile_logs(page: Page) -> None:
    """Lines that are no canonical JSON, and values in places where nobody expects them."""
    lines = small_game().lines
    logs = [
        Asked(f"{line[:40]!r}", [*lines[:2], line, *lines[3:]])
        for line, _ in NOT_CANONICAL
        if isinstance(line, bytes) and not line.endswith(b"\n")
    ]
    logs += [Asked(f"hostile {number}", *one) for number, one in enumerate(hostile_logs(11, 200))]
    logs += [Asked("empty", []), Asked("an empty line", [b""]), Asked("no log", [b"\x00" * 10_000])]
    odd = written(
        {"__proto__": 1, "constructor": {"10": 1, "9": 2}, "\U0001f600": "\x7f\u2028", "\uffff": "\x1b"}
    )
    logs += [
        Asked("odd keys", [odd]),
        Asked("odd event", [*lines[:2], lines[2].replace(b'"events":[', b'"events":[' + odd + b",")]),
    ]
    assert_agree(page, logs)


def test_a_page_may_give_the_log_as_text(page: Page) -> None:
    """Bytes are better, for text was decoded by somebody; the report is the same where nothing was lost."""
    log = b"".join(line + b"\n" for line in whole_game().lines).decode()
    told = page.evaluate("(log) => JSON.stringify(verifier.verify(log))", log)
    assert told == _json(asdict(verify(log.splitlines(keepends=True))))


def test_it_is_one_module_that_imports_nothing_in_a_page() -> None:
    """What it imports, it imports as a program of Node: two parts of Node itself."""
    assert not re.search(r"^\s*import\b", SOURCE, re.MULTILINE)
    assert set(re.findall(r"""import\(["']([^"']+)["']\)""", SOURCE)) == {"node:url", "node:fs"}
    assert not re.search(r"\bfetch\b|XMLHttpRequest|WebSocket|\beval\b|new Function", SOURCE)
