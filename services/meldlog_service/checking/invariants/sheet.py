"""The rule sheet: every sentence in four languages, and a sentence for every option."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import get_type_hints
from weakref import WeakKeyDictionary

from msgspec import Meta, Struct

from meldlog_contracts.sheet import LANGUAGES, Clause
from meldlog_service.catalogue import Catalogue
from meldlog_service.checking.faults import Broken, Hook
from meldlog_service.core.ruleset import Ruleset

_READ: WeakKeyDictionary[Ruleset, frozenset[str]] = WeakKeyDictionary()


def check_sheet(rules: Ruleset, catalogue: Catalogue) -> frozenset[str]:
    """Read the whole sheet of a game: the clauses that it shows.

    Raises:
        Broken: ``sheet``, naming the clause or the option.
    """
    shown = _READ.get(rules)
    if shown is None:
        shown = _READ[rules] = _read(rules, catalogue)
    return shown


def _read(rules: Ruleset, catalogue: Catalogue) -> frozenset[str]:
    authors = _authors(rules, catalogue)
    clauses = rules.clauses()
    for clause in clauses:
        for language in LANGUAGES:
            _check_sentence(clause, language, rules, authors[clause.id])
    for ref in rules.refs:
        for declaration in catalogue.version(ref.name, ref.rules_version).declarations:
            for option in described(declaration):
                _check_option(option, authors, Hook(ref.name, "house_rules"))
    return frozenset(clause.id for clause in clauses)


def check_clause(rule: str, shown: frozenset[str], what: str) -> None:
    """Compare the clause of a refusal with the sheet.

    Raises:
        Broken: ``sheet``.
    """
    if rule not in shown:
        raise Broken(
            "sheet", f"{what} quotes the clause {rule}, which is not on this game's sheet", rule=rule
        )


class Described(Struct, frozen=True):
    """What a plugin says of one of its house rules."""

    name: str
    clause: str | None
    titles: Mapping[str, str]


@cache
def described(declaration: type[Struct]) -> tuple[Described, ...]:
    """Every house rule that a struct declares."""
    found = []
    for name, hint in get_type_hints(declaration, include_extras=True).items():
        told = [meta.extra for meta in getattr(hint, "__metadata__", ()) if isinstance(meta, Meta)]
        extra = next((one for one in told if one), {})
        found.append(Described(name, extra.get("clause"), extra.get("title", {})))
    return tuple(found)


def _check_option(option: Described, authors: Mapping[str, Hook], declared: Hook) -> None:
    if option.clause is None:
        detail = f"the house rule {option.name} names no clause: declare it with option(…)"
        raise Broken("sheet", detail, hook=declared)
    if option.clause not in authors:
        raise Broken(
            "sheet",
            f"the house rule {option.name} names the clause {option.clause}, which no sheet has",
            hook=declared,
            rule=option.clause,
        )
    missing = [language for language in LANGUAGES if not option.titles.get(language, "").strip()]
    if missing:
        detail = f"the house rule {option.name} has no title in {', '.join(missing)}"
        raise Broken("sheet", detail, hook=declared)


def _check_sentence(clause: Clause, language: str, rules: Ruleset, author: Hook) -> None:
    try:
        text = clause.text(language, rules.house.flat)
    except (KeyError, IndexError, ValueError) as error:
        detail = f"the clause {clause.id} cannot be said in {language}: {error!r}"
        raise Broken("sheet", detail, hook=author, rule=clause.id) from error
    if not text.strip():
        detail = f"the clause {clause.id} is not told in {language}"
        raise Broken("sheet", detail, hook=author, rule=clause.id)


def _authors(rules: Ruleset, catalogue: Catalogue) -> dict[str, Hook]:
    """Whose every clause of the game's plugins is, whether or not its house rules bring it into force."""
    found: dict[str, Hook] = {}
    for ref in rules.refs:
        plugin = catalogue.version(ref.name, ref.rules_version).plugin
        clauses = getattr(plugin, "clauses", None)
        for clause in clauses() if clauses is not None else ():
            found[clause.id] = Hook(ref.name, "clauses")
    return found
