"""The machine, and what processes on it have used so far: read from `/proc`, so on Linux only."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from msgspec import Struct

PROC = Path("/proc")
STORE_PROGRAM = "valkey-server"


class Machine(Struct, frozen=True):
    """Where figures come from. The load is that of the minute before the run: who else was at work."""

    processor: str
    cores: int
    system: str
    python: str
    load: float


class Usage(Struct, frozen=True):
    """What a service and its embedded store have used: seconds of processor time, and bytes of memory now."""

    service_seconds: float
    store_seconds: float
    service_bytes: int
    store_bytes: int


def this_machine() -> Machine:
    """The machine that this runs on."""
    return Machine(
        processor=_processor(),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        system=f"{platform.system()} {platform.release()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        load=round(os.getloadavg()[0], 2),
    )


def usage_of(pid: int) -> Usage | None:
    """Of a process and all that it started; None where the system does not tell."""
    if not (PROC / str(pid) / "stat").exists():
        return None
    seconds = {False: 0.0, True: 0.0}
    memory = {False: 0, True: 0}
    for one in _family(pid):
        try:
            fields = (PROC / str(one) / "stat").read_text()
        except OSError:
            continue  # it has ended meanwhile
        name, _, rest = fields.partition("(")[2].rpartition(")")
        values = rest.split()
        is_store = name == STORE_PROGRAM
        seconds[is_store] += (int(values[11]) + int(values[12])) / os.sysconf("SC_CLK_TCK")
        memory[is_store] += int(values[21]) * os.sysconf("SC_PAGE_SIZE")
    return Usage(seconds[False], seconds[True], memory[False], memory[True])


def _family(pid: int) -> list[int]:
    """A process and its descendants."""
    children: dict[int, list[int]] = {}
    for stat in PROC.glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(stat.parent.name))
    family = [pid]
    for one in family:
        family += children.get(one, [])
    return family


def _processor() -> str:
    try:
        lines = (PROC / "cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
