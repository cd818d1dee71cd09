"""Packages of plugins that a test builds and installs, without the network and beside this environment, not in it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TypedDict

BIN = Path(sys.executable).parent


class Beside(TypedDict):
    """Variables of a process that finds what a folder holds."""

    PYTHONPATH: str
    PYTHONDONTWRITEBYTECODE: str


def install(package: Path, site: Path) -> None:
    """Build a package's wheel, and install it in a folder."""
    how = ("--quiet", "--offline", "--no-deps", "--no-build-isolation", "--python", sys.executable)
    run("uv", "pip", "install", *how, "--target", site, package, folder=package)


def beside(site: Path) -> Beside:
    """How a process finds what was installed in a folder."""
    return {"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}


def run(program: str, *arguments: str | Path, folder: Path, site: Path | None = None) -> str:
    """What a program of this environment prints; it must end well."""
    environ = dict(os.environ)
    if site is not None:
        environ.update(**beside(site))
    done = subprocess.run(
        [BIN / program, *arguments],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def passed(folder: Path, site: Path, *arguments: str | Path) -> int:
    """How many tests of installed packages pass; none may fail.

    They see what was installed and not the folder they are in. Of pytest's plugins they have Meldlog's alone, as an
    author has it who installs nothing else; this environment's others only take time.
    """
    plugins = ("--disable-plugin-autoload", "-p", "meldlog_service.testing", "-p", "no:cacheprovider")
    told = run("python", "-P", "-m", "pytest", "-q", *plugins, *arguments, folder=folder, site=site)
    [count] = re.findall(r"^(\d+) passed", told, re.MULTILINE)
    return int(count)
