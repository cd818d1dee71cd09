"""The rule sheet: every sentence in four languages, and a sentence for every option."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import get_type_hints
from weakref import WeakKeyDictionary

from msgspec import Meta, Struct

from meldlog_contracts.sheet import LANGUAGES, Clause
from meldlog_service.catalogue import Catalogue
from meldlog_service.checking.faults import Broken
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
    clauses = rules.clauses()
    for clause in clauses:
        for language in LANGUAGES:
            _check_sentence(clause, language, rules)
    known = _every_clause(rules, catalogue)
    for declaration in rules.declarations:
        for option, clause_id, titles in described(declaration):
            if clause_id is None:
                raise Broken("sheet", f"the house rule {option} names no clause: declare it with option(…)")
            if clause_id not in known:
                raise Broken(
                    "sheet",
                    f"the house rule {option} names the clause {clause_id}, which no sheet has",
                    rule=clause_id,
                )
            missing = [language for language in LANGUAGES if not titles.get(language, "").strip()]
            if missing:
                raise Broken("sheet", f"the house rule {option} has no title in {', '.join(missing)}")
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


@cache
def described(declaration: type[Struct]) -> tuple[tuple[str, str | None, Mapping[str, str]], ...]:
    """Name, clause and titles of every house rule that a plugin declares."""
    return tuple(_described(declaration))


def _described(declaration: type[Struct]) -> Iterator[tuple[str, str | None, Mapping[str, str]]]:
    for name, hint in get_type_hints(declaration, include_extras=True).items():
        told = [meta.extra for meta in getattr(hint, "__metadata__", ()) if isinstance(meta, Meta)]
        extra = next((one for one in told if one), {})
        yield name, extra.get("clause"), extra.get("title", {})


def _check_sentence(clause: Clause, language: str, rules: Ruleset) -> None:
    try:
        text = clause.text(language, rules.house.flat)
    except (KeyError, IndexError, ValueError) as error:
        raise Broken(
            "sheet", f"the clause {clause.id} cannot be said in {language}: {error!r}", rule=clause.id
        ) from error
    if not text.strip():
        raise Broken("sheet", f"the clause {clause.id} is not told in {language}", rule=clause.id)


def _every_clause(rules: Ruleset, catalogue: Catalogue) -> frozenset[str]:
    """Clauses of the game's plugins, whether or not its house rules bring them into force."""
    found: set[str] = set()
    for ref in rules.refs:
        plugin = catalogue.version(ref.name, ref.rules_version).plugin
        clauses = getattr(plugin, "clauses", None)
        found.update(clause.id for clause in (clauses() if clauses is not None else ()))
    return frozenset(found)
