"""A report as a table to read, the last release's figures beside this run's."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from meldlog_bench.machine import Machine
from meldlog_bench.results import Report, Row

MISSED = "MISSED"
LARGE = 100.0


def show(report: Report, last: Report | None, width: int) -> None:
    """Print a report beside the last release's; a narrower terminal gets this width all the same."""
    console = Console()
    console.width = max(console.width, width)
    console.print(_shown(report, last))


def _shown(report: Report, last: Report | None) -> RenderableType:
    table = Table(title=f"Meldlog {report.meldlog}", title_justify="left", expand=False)
    table.add_column("Measured")
    table.add_column("Figure", justify="right")
    table.add_column("Beside")
    table.add_column("Figure", justify="right")
    table.add_column("Ratio", justify="right")
    table.add_column("Target")
    table.add_column(f"Release {last.meldlog}" if last else "Last release", justify="right")
    for row in report.rows:
        before = last.row(row.name) if last else None
        table.add_row(
            _what(row),
            _figure(row.figure, row.unit),
            row.floor_title or "",
            "" if row.floor is None else _figure(row.floor, row.unit),
            _ratio(row),
            _verdict(row),
            "" if before is None else _before(before),
        )
    lines: list[RenderableType] = [table, Text(f"Here: {_place(report.machine)}")]
    if last is not None:
        lines.append(Text(f"Release {last.meldlog}: {_place(last.machine)}"))
    lines += [Text(f"Not measured: {gap.name}: {gap.why}") for gap in report.gaps]
    return Group(*lines)


def markdown(report: Report) -> str:
    """The figures as a table for a page."""
    lines = ["| measured | figure | beside | figure | ratio | target |", "|---|---:|---|---:|---:|---|"]
    for row in report.rows:
        floor = "" if row.floor is None else _figure(row.floor, row.unit)
        verdict = f"{row.target or ''}{' **missed**' if row.met is False else ''}"
        cells = (row.title, _figure(row.figure, row.unit), row.floor_title or "", floor, _ratio(row), verdict)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", f"Measured on: {_place(report.machine)}.", ""])


def _what(row: Row) -> Text:
    details = "; ".join(f"{name} {value:,.4g}" for name, value in row.details.items())
    return Text.assemble(row.title, (f"\n  {details}" if details else "", "dim"))


def _figure(value: float, unit: str) -> str:
    """Three digits at least, and no more than mean anything."""
    return f"{value:,.0f} {unit}" if value >= LARGE else f"{value:.3g} {unit}"


def _ratio(row: Row) -> str:
    return "" if row.ratio is None else f"{row.ratio:.2f}"


def _verdict(row: Row) -> Text:
    if row.target is None:
        return Text("")
    return Text(str(row.target)) if row.met else Text(f"{row.target} {MISSED}", style="bold red")


def _before(row: Row) -> str:
    ratio = _ratio(row)
    return f"{_figure(row.figure, row.unit)}{f' ({ratio})' if ratio else ''}"


def _place(machine: Machine) -> str:
    return (
        f"{machine.processor}, {machine.cores} cores, {machine.system}, {machine.python}, "
        f"load {machine.load:g} when it began"
    )
