"""Rule sheets: the clauses of a game in words, in four languages, kept beside the plugin as data.

A sheet is a TOML file with the plugin's name::

    ["one-card.stock"]
    source = "S1"
    when = {one_card_rule = true}
    en = "A player who begins a turn with one card draws from the stock."
    fr = "…"
    fa = "…"
    ar = "…"

``{hand_size}`` in a text is replaced by the game's house rule of that name; ``when`` (optional) says which house rules
a clause belongs to: a value, a list of values, ``"none"`` for null or that word, ``"some"`` for anything else but zero
and false, ``"number"`` for any number; or a list of such tables, of which one must hold.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable
from importlib import resources

from msgspec import Struct, ValidationError, convert

from meldlog_contracts.table import HouseValue

LANGUAGES = ("en", "fr", "fa", "ar")
OTHER_CHAPTERS = ""
CHAPTERS = tuple(
    "table deal wild joker card set run meld turn draw first-round open layoff reclaim discard final-discard close "
    "one-card lone-two stock . score press bet game".replace(".", OTHER_CHAPTERS).split(" ")
)
"""The order of a rule sheet."""
Condition = dict[str, bool | int | str | list[bool | int | str]]
"""House rules and the values they must have."""
_PERSIAN_DIGITS = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")


class Clause(Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence of a rule sheet. ``source`` names where the rule comes from."""

    id: str
    en: str
    fr: str
    fa: str
    ar: str
    source: str = ""
    when: Condition | list[Condition] = {}

    def holds(self, house: dict[str, HouseValue]) -> bool:
        """Whether the clause belongs to a game with these house rules."""
        conditions = self.when if isinstance(self.when, list) else [self.when]
        return any(all(_fits(house.get(key), wanted) for key, wanted in one.items()) for one in conditions)

    def text(self, language: str, house: dict[str, HouseValue]) -> str:
        """The sentence in a language, with the game's numbers in it.

        Raises:
            KeyError: for a language or a house rule that there is not.
        """
        template = {"en": self.en, "fr": self.fr, "fa": self.fa, "ar": self.ar}[language]
        text = template.format_map(house)
        return text.translate(_PERSIAN_DIGITS) if language == "fa" else text


def in_chapters(clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """Clauses by the chapter that their id begins with, as a game is explained; others come before the score."""

    def chapter(clause: Clause) -> int:
        name = clause.id.split(".")[0]
        return CHAPTERS.index(name if name in CHAPTERS else OTHER_CHAPTERS)

    return tuple(sorted(clauses, key=chapter))


def _fits(value: HouseValue, wanted: bool | int | str | list[bool | int | str]) -> bool:
    if wanted == "number":
        return isinstance(value, int) and not isinstance(value, bool)
    if wanted == "none":
        return value is None or value == "none"
    if wanted == "some":
        return bool(value) and value != "none"
    # A bool is no number here: 1 is not true.
    choices = wanted if isinstance(wanted, list) else [wanted]
    return any(value == choice and type(value) is type(choice) for choice in choices)


@functools.cache
def load_sheet(module: str) -> tuple[Clause, ...]:
    """Read the sheet that lies beside a plugin module: ``load_sheet(__name__)``.

    Raises:
        FileNotFoundError: when there is none.
        msgspec.ValidationError: naming a clause that lacks a language or has an unknown key.
    """
    package, _, name = module.rpartition(".")
    text = resources.files(package).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return tuple(_clause(f"{name}.toml", clause, members) for clause, members in tomllib.loads(text).items())


def _clause(file: str, clause: str, members: object) -> Clause:
    try:
        return convert({"id": clause, **members} if isinstance(members, dict) else members, Clause)
    except ValidationError as error:
        raise ValidationError(f"{file}, clause {clause}: {error}") from error
