"""docs/simulating.md does what it says."""

from pathlib import Path

from tests.docs.markdown import ROOT
from tests.docs.shell import Reader, is_as_shown, steps

from meldlog_service.bots import STRATEGIES

PAGE = ROOT / "docs" / "simulating.md"


def test_every_block_of_the_page_prints_what_the_page_shows(tmp_path: Path) -> None:
    """In a folder with nothing in it; no service is needed."""
    for told in Reader(tmp_path).paste(steps(PAGE)):
        assert told.step.expected is not None
        assert is_as_shown(told.text, told.step.expected.text), told.text


def test_every_bot_is_told_of() -> None:
    """And no other."""
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert {row.split("`")[1] for row in rows} == STRATEGIES.keys()
