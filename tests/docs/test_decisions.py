"""Decisions are recorded in one form, and every dependency with its reason."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from tests.docs.markdown import ROOT, headings

RECORDS = sorted((ROOT / "docs" / "adr").glob("*.md"))
DEPENDENCIES = ROOT / "docs" / "adr" / "0018-dependencies.md"


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_decision_has_its_number_its_status_and_its_three_parts(path: Path) -> None:
    """Context, decision, consequences; the number is that of the file."""
    title, *parts = headings(path)
    number = int(path.name[:4])
    assert title.startswith(f"{number}. ")
    assert re.search(
        r"^Status: (accepted|superseded by \[\d+\]\(\d{4}-.+\.md\))$", path.read_text(), re.MULTILINE
    )
    assert parts == ["Context", "Decision", "Consequences"]


def test_no_two_decisions_have_one_number() -> None:
    """Numbers run from 1 without a gap."""
    assert [int(path.name[:4]) for path in RECORDS] == list(range(1, len(RECORDS) + 1))


def test_every_direct_dependency_has_a_reason_and_every_reason_its_dependency() -> None:
    """The list is that of pyproject.toml, extras and development included."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    for extra in project["project"]["optional-dependencies"].values():
        wanted += extra
    reasons = re.findall(r"^\* `([a-z0-9-]+)` — .+", DEPENDENCIES.read_text(), re.MULTILINE)
    assert sorted(reasons) == sorted(Requirement(text).name for text in wanted)
