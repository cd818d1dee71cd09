"""Everything that is called after a new variant, and which names a variant cannot have."""

from __future__ import annotations

import re
from importlib.util import find_spec
from keyword import iskeyword

from msgspec import Struct

LONGEST = 40
"""Characters; longer names make lines that nobody reads."""
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class BadName(Exception):
    """A name that no variant can have, and why, in one sentence."""


class Names(Struct, frozen=True):
    """A variant's name, and what follows from it."""

    name: str
    """The permanent id: lower case, words joined by hyphens."""

    @property
    def title(self) -> str:
        """As a heading: ``Tea Rummy``."""
        return " ".join(word.capitalize() for word in self.name.split("-"))

    @property
    def distribution(self) -> str:
        """What pip calls the package, and its folder."""
        return f"meldlog-{self.name}"

    @property
    def package(self) -> str:
        """What Python calls the package."""
        return self.distribution.replace("-", "_")

    @property
    def module(self) -> str:
        """The variant's module, and the beginning of its house rules' names."""
        return self.name.replace("-", "_")

    @property
    def struct(self) -> str:
        """The class of its house rules."""
        return self.title.replace(" ", "") + "Rules"


def named(name: str) -> Names:
    """What is called after a variant.

    Raises:
        BadName: when no variant can be called so.
    """
    if not _NAME.fullmatch(name):
        raise BadName(
            f"{name!r} is no name for a variant: use lower case, digits and single hyphens, as in tea-rummy"
        )
    if len(name) > LONGEST:
        raise BadName(f"{name} has {len(name)} characters, and a variant's name at most {LONGEST}")
    names = Names(name)
    if iskeyword(names.module):
        raise BadName(f"{name} is a word of Python's own, so no module can be called so")
    if find_spec(names.package) is not None:
        raise BadName(f"there is a Python package {names.package} already")
    return names
