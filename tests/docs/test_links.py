"""Every link in the documentation leads somewhere."""

from pathlib import Path

import pytest
from tests.docs.markdown import ROOT, anchors, documents, links


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_to_a_file_or_a_heading_leads_there(path: Path) -> None:
    """Links to the web are not followed: tests need no network."""
    astray = []
    for line, target in links(path):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        if not there.exists() or (anchor and anchor not in anchors(there)):
            astray.append(f"{path.relative_to(ROOT)}:{line}: {target}")
    assert not astray, "\n".join(astray)
