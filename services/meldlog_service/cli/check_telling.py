"""What a check found: faults with all that is needed to see them again, and the numbers of each variant."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from time import perf_counter

import msgspec
import rich_click as click
from msgspec import Struct

from meldlog_service.checking.faults import INVARIANTS, Fault
from meldlog_service.checking.setups import value_text
from meldlog_service.checking.tallies import Record, Tally
from meldlog_service.cli.words import shown

_WIDTH = 110
_COMMONEST = 12
"""Clauses, and reasons, that people are told; programs get all."""


class ToldFault(Struct, frozen=True, tag_field="type", tag="fault"):
    """A fault for programs."""

    variant: str
    invariant: str
    detail: str
    plugin: str | None
    hook: str | None
    rule: str | None
    version: int
    command: msgspec.Raw | None
    by: str | None
    seats: int
    options: tuple[str, ...]
    house_rules: dict[str, object]
    log: str | None
    replay: str
    """The command that shows it again."""
    meldlog: str


class ToldTally(Struct, frozen=True, tag_field="type", tag="summary"):
    """The numbers of a variant for programs."""

    summary: Tally


class Telling:
    """Tells of faults, and sums up.

    Args:
        folder: Where logs are put; made when there is one to put.
        as_json: Tell programs, an object a line.
    """

    def __init__(self, folder: Path, *, as_json: bool) -> None:
        self._folder = folder
        self._as_json = as_json
        self._tallies: dict[str, Tally] = {}
        self.noted: list[Fault] = []
        """Faults, each signature once, as they were found."""
        self._began = perf_counter()
        self.found_any = False
        self.interrupted: int | None = None
        """After how many games, if it was."""

    def add(self, tally: Tally) -> None:
        """Count some games."""
        self._tallies.setdefault(tally.variant, Tally(tally.variant)).add(tally)

    def note(self, fault: Fault) -> None:
        """Keep a fault until it is made short."""
        if all(fault.signature != one.signature for one in self.noted):
            self.noted.append(fault)

    def tell(self, fault: Fault, kept: str | None = None) -> None:
        """Tell of a fault, and put its log where it can be given again.

        Args:
            fault: What was found.
            kept: The file that its log is in already.
        """
        self.found_any = True
        file = kept or self._keep(fault)
        replay = (
            f"meldlog check --replay {fault.setup.token}" if file is None else f"meldlog check --again {file}"
        )
        if self._as_json:
            click.echo(msgspec.json.encode(_for_programs(fault, file, replay)))
            return
        setup = fault.setup
        changed = [
            *setup.options,
            *(f"{name}={value_text(value)}" for name, value in setup.house_rules.items()),
        ]
        who = "" if fault.hook is None or fault.where in fault.detail else f"{fault.where}: "
        lines = [
            f"{setup.variant}: {fault.invariant}: {who}{shown(fault.detail)}",
            f"  promise  {INVARIANTS[fault.invariant]}",
            f"  game     {setup.variant} for {setup.seats}"
            + (f" with {', '.join(changed)}" if changed else "")
            + f", at version {fault.version}, Meldlog {version('meldlog')}",
        ]
        if fault.command is not None:
            lines.append(f"  command  {shown(fault.command)} by {fault.by}")
        if fault.rule is not None:
            lines.append(f"  clause   {fault.rule}")
        lines.append(f"  again    {replay}")
        click.echo("\n".join(lines))

    def _keep(self, fault: Fault) -> str | None:
        if not fault.log:
            return None
        self._folder.mkdir(parents=True, exist_ok=True)
        hook = "" if fault.hook is None else f"-{fault.hook.name}"
        file = self._folder / f"{fault.setup.variant}-{fault.invariant}{hook}.ndjson"
        file.write_bytes(b"".join(line + b"\n" for line in fault.log))
        return str(file)

    def sum_up(self) -> None:
        """Tell the numbers of every variant."""
        tallies = [
            tally for tally in self._tallies.values() if tally.games or tally.senseless or self.found_any
        ]
        if self._as_json:
            for tally in tallies:
                click.echo(msgspec.json.encode(ToldTally(tally)))
            return
        if tallies:
            self._table(tallies)
        for tally in tallies:
            for line in _in_words(tally):
                click.echo(line)
        if not self.found_any:
            games = sum(tally.games for tally in tallies)
            seconds = perf_counter() - self._began
            click.echo(f"{games} game{'s' * (games != 1)} in {seconds:.0f} s: no fault was found.")

    def _table(self, tallies: list[Tally]) -> None:
        from rich.console import Console
        from rich.table import Table

        table = Table(box=None, pad_edge=False)
        table.add_column("variant")
        for heading in ("games", "commands", "deals", "games/s", "longest", "decision", "moves", "tried"):
            table.add_column(heading, justify="right")
        for one in tallies:
            table.add_row(
                one.variant, str(one.games), str(one.commands), str(one.deals),
                f"{one.games / one.seconds:.1f}" if one.seconds else "-", f"{one.longest.amount:.0f}",
                f"{one.slowest_decision.amount:.1f} ms", f"{one.slowest_moves.amount:.1f} ms", str(one.probes),
            )  # fmt: skip
        Console(width=_WIDTH, soft_wrap=True).print(table)


def _for_programs(fault: Fault, file: str | None, replay: str) -> ToldFault:
    return ToldFault(
        variant=fault.setup.variant,
        invariant=fault.invariant,
        detail=fault.detail,
        plugin=None if fault.hook is None else fault.hook.plugin,
        hook=None if fault.hook is None else fault.hook.name,
        rule=fault.rule,
        version=fault.version,
        command=None if fault.command is None else msgspec.Raw(fault.command.encode()),
        by=fault.by,
        seats=fault.setup.seats,
        options=fault.setup.options,
        house_rules=dict(fault.setup.house_rules),
        log=file,
        replay=replay,
        meldlog=version("meldlog"),
    )


def _in_words(tally: Tally) -> list[str]:
    """What does not fit in the table."""
    lines = [f"{tally.variant}:"]
    for name, record in (
        ("longest game", tally.longest),
        ("longest deal", tally.most_turns),
        ("slowest decision", tally.slowest_decision),
        ("slowest list of moves", tally.slowest_moves),
    ):
        if record != Record():
            unit = "ms" if "slowest" in name else "turns" if "deal" in name else "commands"
            lines.append(f"  {name}: {record.amount:.0f} {unit} ({record.where})")
    if tally.refusals:
        lines.append(f"  refused by: {_commonest(tally.refusals)}")
    if tally.options:
        lines.append(f"  options and house rules tried: {len(tally.options)}")
    if tally.senseless:
        lines.append(f"  {sum(tally.senseless.values())} made no game: {_commonest(tally.senseless, '; ')}")
    return lines


def _commonest(counts: dict[str, int], between: str = ", ") -> str:
    first = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    told = between.join(f"{name} {count}" for name, count in first[:_COMMONEST])
    return told if len(first) <= _COMMONEST else f"{told} and {len(first) - _COMMONEST} more"
