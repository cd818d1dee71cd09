"""Lines of one turn of the event loop are written together, and none is torn."""

import asyncio
import io
from select import PIPE_BUF

import pytest

from meldlog_service.logs.plain_lines import PlainLines


class Pieces(io.StringIO):
    """Notes what is written at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[str] = []

    def write(self, text: str, /) -> int:
        """Note it."""
        self.written.append(text)
        return super().write(text)


@pytest.fixture
def out() -> Pieces:
    """Where the lines go."""
    return Pieces()


async def test_a_turn_is_written_at_its_end(out: Pieces) -> None:
    """In one piece."""
    lines = PlainLines("json", out, wanted=True)
    for number in range(3):
        lines.write("request", {"number": number})
    assert out.written == []
    await asyncio.sleep(0)
    assert [piece.count("\n") for piece in out.written] == [3]


@pytest.mark.parametrize("path", ["/v1/games", "/é" * 40])
async def test_what_is_too_much_for_a_pipe_is_written_in_pieces_of_whole_lines(
    out: Pieces, path: str
) -> None:
    """A pipe takes so many bytes undivided; of more, another worker's lines could come to stand in the middle."""
    lines = PlainLines("json", out, wanted=True)
    for number in range(200):
        lines.write("request", {"path": path, "number": number})
    await asyncio.sleep(0)
    assert len(out.written) > 1
    assert all(piece.endswith("\n") and len(piece.encode()) <= PIPE_BUF for piece in out.written)
    assert [line.split('"number":')[1].split(",")[0] for line in out.getvalue().splitlines()] == [
        str(number) for number in range(200)
    ]


async def test_a_line_that_is_too_long_for_a_pipe_is_written_all_the_same(out: Pieces) -> None:
    """By itself."""
    lines = PlainLines("console", out, wanted=True)
    for size in (1, 2 * PIPE_BUF, 1):
        lines.write("request", {"path": "x" * size})
    await asyncio.sleep(0)
    assert [piece.count("\n") for piece in out.written] == [1, 1, 1]
