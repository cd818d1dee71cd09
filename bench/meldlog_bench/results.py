"""What a run found: rows with a figure, what it is compared with, and the target that a release keeps."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from meldlog_bench.machine import Machine, this_machine

RESULTS = Path(__file__).with_name("results")
"""One file for each release, named after it."""


class Target(Struct, frozen=True):
    """What a release keeps."""

    of: Literal["figure", "ratio"]
    is_: Literal["at least", "at most"]
    bound: float

    def __str__(self) -> str:
        """As the table shows it."""
        return f"{'ratio ' if self.of == 'ratio' else ''}{'≥' if self.is_ == 'at least' else '≤'} {self.bound:,g}"


class Row(Struct, frozen=True, kw_only=True):
    """One measurement."""

    name: str
    """The same in every release."""
    title: str
    figure: float
    unit: str
    floor_title: str | None = None
    """What it is compared with, measured in the same run."""
    floor: float | None = None
    target: Target | None = None
    details: dict[str, float] = {}
    """More figures of the same measurement, the unit at the end of their names."""
    rounds: tuple[float, ...] = ()
    """What the figure was chosen from, in the order of the run."""
    floor_rounds: tuple[float, ...] = ()

    @property
    def ratio(self) -> float | None:
        """The figure as a multiple of what it is compared with."""
        return None if self.floor is None else self.figure / self.floor

    @property
    def met(self) -> bool | None:
        """Whether the target was met; None without one."""
        if self.target is None:
            return None
        value = self.ratio if self.target.of == "ratio" else self.figure
        if value is None:
            return None
        return value >= self.target.bound if self.target.is_ == "at least" else value <= self.target.bound


class Gap(Struct, frozen=True):
    """Something that could not be measured here, and why."""

    name: str
    why: str


class Report(Struct, frozen=True):
    """A run."""

    meldlog: str
    """The release that was measured."""
    machine: Machine
    rows: tuple[Row, ...]
    gaps: tuple[Gap, ...] = ()

    def row(self, name: str) -> Row | None:
        """A row by its name."""
        return next((row for row in self.rows if row.name == name), None)

    @property
    def missed(self) -> tuple[Row, ...]:
        """Rows that missed their target."""
        return tuple(row for row in self.rows if row.met is False)


def report_of(rows: Sequence[Row], gaps: Sequence[Gap], machine: Machine | None = None) -> Report:
    """A report of this installation on this machine."""
    return Report(version("meldlog"), machine or this_machine(), tuple(rows), tuple(gaps))


def last_release() -> Report | None:
    """The figures that the newest release was published with; None when none are here."""
    files = sorted(RESULTS.glob("*.json"), key=lambda file: [int(part) for part in file.stem.split(".")])
    return read(files[-1]) if files else None


def read(file: Path) -> Report:
    """A report that was written before."""
    return msgspec.json.decode(file.read_bytes(), type=Report)


def encoded(report: Report) -> bytes:
    """A report as JSON."""
    return msgspec.json.format(msgspec.json.encode(report), indent=1)


def write(report: Report, file: Path) -> None:
    """Write a report to a file; its folder is made when it is missing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(encoded(report) + b"\n")
