"""Every fault of the collection is kept out here or named as another part's."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from tests.faults.index import ELSEWHERE, FAULTS


def test_no_fault_is_forgotten() -> None:
    """Each has a test here, or a part that it belongs to; none has both."""
    marked: Counter[int] = Counter()
    for file in sorted(Path(__file__).parent.glob("test_*.py")):
        for numbers in re.findall(
            r"^@keeps\(([\d, ]+)\)", file.read_text(encoding="utf-8"), flags=re.MULTILINE
        ):
            marked.update(int(number) for number in numbers.split(","))
    assert set(marked) | set(ELSEWHERE) == set(FAULTS)
    assert not set(marked) & set(ELSEWHERE)
