"""README.md and docs/http.md do what they say: every shell block is run, and prints what the page shows."""

from pathlib import Path

import pytest
from tests.docs.markdown import ROOT
from tests.docs.shell import Reader, is_as_shown, steps


@pytest.mark.parametrize("page", ["README.md", "docs/http.md"])
def test_every_block_of_the_page_prints_what_the_page_shows(page: str, tmp_path: Path) -> None:
    """In a shell with nothing set, against a service with no games, in the order of the page."""
    first, *others = steps(ROOT / page)
    reader = Reader(tmp_path)
    with reader.service(first.block) as announced:
        assert first.expected is not None
        assert is_as_shown(announced, first.expected.text), announced
        told = reader.paste(others)
    differing = [
        f"{one.step.block.where} printed\n{one.text}\nnot\n{one.step.expected.text}"
        for one in told
        if one.step.expected is not None and not is_as_shown(one.text, one.step.expected.text)
    ]
    assert not differing, "\n".join(differing)
