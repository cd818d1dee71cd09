"""Reads Markdown as far as the tests of the documentation need it: headings, fenced blocks and links."""

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^ *```(\S*)(.*)$")
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


class Block(Struct, frozen=True):
    """One fenced block of a document."""

    path: Path
    line: int
    """Of its first line of text, from 1."""
    heading: str
    """The heading that it stands under, as written."""
    language: str
    text: str

    @property
    def where(self) -> str:
        """File and line, for a failure's message."""
        return f"{self.path.relative_to(ROOT)}:{self.line}"


def documents() -> list[Path]:
    """Every Markdown file of the project."""
    folders = ("contracts", "deploy", "docs", "plugins")
    nested = [path for folder in folders for path in (ROOT / folder).rglob("*.md")]
    return sorted([*ROOT.glob("*.md"), *nested])


def _lines(path: Path) -> Iterator[tuple[int, str, bool]]:
    """Number and text of each line, and whether it is inside a fence (the fence's own lines are)."""
    inside = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        fence = _FENCE.match(line) is not None
        yield number, line, inside or fence
        inside = inside != fence


def blocks(path: Path, *languages: str) -> list[Block]:
    """The fenced blocks in these languages (all, when none is named), in their order."""
    found: list[Block] = []
    heading, language, start = "", "", 0
    text: list[str] | None = None
    for number, line, inside in _lines(path):
        fence = _FENCE.match(line)
        if fence and text is None:
            language, start, text = fence[1], number + 1, []
        elif fence and text is not None:
            found.append(Block(path, start, heading, language, "\n".join(text) + "\n"))
            text = None
        elif text is not None:
            text.append(line)
        elif not inside and line.startswith("#"):
            heading = line.lstrip("#").strip()
    if text is not None:
        raise ValueError(f"{path}:{start}: this block has no end")
    return [block for block in found if not languages or block.language in languages]


def headings(path: Path) -> list[str]:
    """Texts of all headings, as written."""
    return [
        line.lstrip("#").strip() for _, line, inside in _lines(path) if not inside and line.startswith("#")
    ]


def anchors(path: Path) -> set[str]:
    """What a link can name after ``#``: every heading, as GitHub makes an anchor of it."""
    times: dict[str, int] = {}
    found = set()
    for heading in headings(path):
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        before = times.get(anchor, 0)
        found.add(f"{anchor}-{before}" if before else anchor)
        times[anchor] = before + 1
    return found


def links(path: Path) -> list[tuple[int, str]]:
    """Line and target of every link outside fenced blocks."""
    return [
        (number, match[1])
        for number, line, inside in _lines(path)
        if not inside
        for match in _LINK.finditer(line)
    ]
