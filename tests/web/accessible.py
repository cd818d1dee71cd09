"""Whether a page can be used by everybody, as far as axe can tell."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text("utf-8")


def looked_at(page: Page, what: str) -> None:
    """Let axe look at what is shown now; it finds nothing."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    told = [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary']}"
        for one in found
        for node in one["nodes"]
    ]
    assert not told, "\n".join([what, *told])
