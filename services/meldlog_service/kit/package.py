"""The files of a new variant's package: a template for each, and what is filled in."""

from __future__ import annotations

import json
import re
from importlib import metadata, resources
from pathlib import PurePosixPath
from string import Template

from msgspec import Struct

from meldlog_service.catalogue import BASIC, Catalogue
from meldlog_service.kit.names import Names
from meldlog_service.meant import meant

SEATS = (3, 4, 2, 5, 6)
"""Tables that the tests of a variant sit down at, the best first."""

FILES = {
    "pyproject.toml": "pyproject.toml",
    "README.md": "README.md",
    ".gitignore": "gitignore",
    "{package}/__init__.py": "package.py",
    "{package}/py.typed": None,
    "{package}/{module}.py": "variant.py",
    "{package}/{module}.toml": "sheet.toml",
    "tests/test_{module}.py": "tests.py",
}
"""Each file of the package, and its template; None for an empty file."""

GAME_OF_ITS_OWN = """\
        # Rules that it brings along; `meldlog variants` lists them all.
        rules=(
            "dealing",
            "wild-sequence",
            "taken-discard",
            "own-meld-first",
            "stock-end",
            "card-values",
            "penalties",
        ),"""
BASED_ON = """\
        # Answers where this module does not.
        based_on="{base}","""
"""Entries of ``VariantInfo`` that say what answers where the variant does not."""

AMENDED_ALWAYS = """\
        "direction": "ccw",  # counterclockwise"""
AMENDED_FOR_A_GAME = f"""\
{AMENDED_ALWAYS}
        "deal_count": 5,
        "stock_exhaustion": "reshuffle_keep_top","""
"""Entries of ``amendments``; the first is declared by the basic rules, so every base knows it."""


class BadBase(Exception):
    """Something that no variant can be based on, and why, in one sentence."""


class Blueprint(Struct, frozen=True):
    """What a package is made from."""

    names: Names
    base: str
    """The variant that it is based on, or ``basic``."""
    players: tuple[int, int]
    seats: int
    """Players in its own tests."""
    author: str | None


def blueprint(names: Names, base: str, author: str | None, catalogue: Catalogue) -> Blueprint:
    """Look up what a variant based on `base` takes over from it.

    Raises:
        BadBase: when no variant of that name is installed.
    """
    variants = [info for info in catalogue.infos() if info.kind == "variant"]
    if base == BASIC:
        return Blueprint(names, base, players=(2, 6), seats=SEATS[0], author=author)
    for info in variants:
        if info.name == base:
            return Blueprint(names, base, info.players, _seats(base, info.players, catalogue), author)
    choice = [BASIC, *(info.name for info in variants)]
    near = meant(base, choice) or ":"
    raise BadBase(f"{base!r} is no variant to build on{near} there are {', '.join(choice)}")


def _seats(base: str, players: tuple[int, int], catalogue: Catalogue) -> int:
    """The best table that the base's own house rules allow."""
    rules = catalogue.ruleset_for_new(base)
    least, most = players
    return next((seats for seats in SEATS if least <= seats <= most and not rules.senseless(seats)), least)


def written(plan: Blueprint) -> dict[PurePosixPath, str]:
    """The text of every file by its path in the package."""
    words = _words(plan)
    templates = resources.files(__package__) / "templates"
    texts = {}
    for path, template in FILES.items():
        there = PurePosixPath(path.format(package=plan.names.package, module=plan.names.module))
        if template is None:
            texts[there] = ""
        else:
            text = (templates / f"{template}.template").read_text(encoding="utf-8")
            texts[there] = Template(text).substitute(words)
    return texts


def _words(plan: Blueprint) -> dict[str, str]:
    names = plan.names
    least, most = plan.players
    return {
        "name": names.name,
        "title": names.title,
        "distribution": names.distribution,
        "package": names.package,
        "module": names.module,
        "struct": names.struct,
        "queen": f"{names.module}_queen",
        "least": str(least),
        "most": str(most),
        "seats": str(plan.seats),
        "bots": json.dumps({str(seat): "plain" for seat in range(plan.seats)}),
        "authors": _authors(plan.author),
        "compatible": _compatible(metadata.version("meldlog")),
        **_words_of_base(plan.base),
    }


def _words_of_base(base: str) -> dict[str, str]:
    if base == BASIC:
        return {
            "starting_point": "a game of sets and runs",
            "answered_by": "the rules that it brings along",
            "foundation": GAME_OF_ITS_OWN,
            "amendments": AMENDED_FOR_A_GAME,
        }
    return {
        "starting_point": f"a game like {base}",
        "answered_by": f"{base}, which it is based on",
        "foundation": BASED_ON.format(base=base),
        "amendments": AMENDED_ALWAYS,
    }


def _authors(author: str | None) -> str:
    """The line of pyproject.toml; a comment to be filled in where nobody is named."""
    if author is None:
        return '# authors = [{ name = "Your Name", email = "you@example.org" }]'
    found = re.fullmatch(r"(?P<name>[^<>]*?)\s*<(?P<email>[^<>\s]+@[^<>\s]+)>", author.strip())
    known = found.groupdict() if found else {"name": author.strip()}
    # A JSON string without control characters is a TOML string.
    members = (f"{key} = {json.dumps(text, ensure_ascii=False)}" for key, text in known.items() if text)
    return f"authors = [{{ {', '.join(members)} }}]"


def _compatible(version: str) -> str:
    """Which releases the package works with: this one, and later ones that keep its contracts."""
    major, minor, *_ = version.split(".")
    return f">={major}.{minor},<{int(major) + 1}"
