"""The rule sheet and its tests: no sentence without tests, no refusal without a sentence, no language missing.

Run with ``-s`` to read the report: every clause, with the tests of what it allows and of what it refuses.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import typing
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import ModuleType, NoneType

import msgspec
import pytest
from msgspec import Meta, Struct

import meldlog_service.core
from meldlog_contracts.sheet import LANGUAGES, Clause
from meldlog_contracts.table import HouseValue
from meldlog_service.catalogue import ENTRY_POINTS, Catalogue
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.testing.clauses import SAYS, Spoken, report, spoken

VARIANT = "crazy-rummy"
COMPANY: dict[str, dict[str, HouseValue]] = {
    "joker_penalty": {"printed_jokers": 1},
    "joker_set_swap": {"set_reclaim": "fourth_card_only"},
    "set_identical_cards": {"packs": 2},
    "set_reclaim": {"packs": 2},
}
"""What a house rule needs beside it to make a difference."""
SYNONYMS = {("set_identical_cards", True), ("set_reclaim", "any_same_rank")}
"""Values that only say what the default says as well."""
ID = re.compile(r'"([a-z][a-z0-9-]*\.[a-z][a-z0-9-]*|final-discard)"')


def stack(catalogue: Catalogue) -> list[ModuleType]:
    """The plugins that Crazy Rummy is played by."""
    modules = {entry.name: entry.load() for entry in metadata.entry_points(group=ENTRY_POINTS)}
    return [modules[ref.name] for ref in catalogue.ruleset_for_new(VARIANT).refs]


def sentences(catalogue: Catalogue) -> list[Clause]:
    """Every clause that a game of Crazy Rummy can have, whatever its house rules."""
    return [clause for module in stack(catalogue) for clause in module.clauses()]


def said() -> list[Spoken]:
    """What the tests of this folder say about clauses."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("test_*.py"))
    return list(spoken(importlib.import_module(f"tests.rules.{name}") for name in names))


# -- clauses by tests --------------------------------------------------------------------------------------------------


def test_every_clause_has_a_test_of_what_it_allows_and_one_of_what_it_refuses(
    meldlog_catalogue: Catalogue,
) -> None:
    """No hole in clauses by tests."""
    table = report((clause.id for clause in sentences(meldlog_catalogue)), said())
    for clause, tests in table.items():
        print(clause, *(f"\n  {says}: {', '.join(tests[says])}" for says in SAYS), sep="")
    holes = [f"{clause} {says}" for clause, tests in table.items() for says in SAYS if not tests[says]]
    assert not holes


def test_every_mark_names_a_clause(meldlog_catalogue: Catalogue) -> None:
    """A test cannot speak of a sentence that stands on no sheet."""
    known = {clause.id for clause in sentences(meldlog_catalogue)}
    assert {one.clause for one in said()} <= known


def test_no_sentence_stands_on_two_sheets(meldlog_catalogue: Catalogue) -> None:
    """Each id is written once."""
    ids = [clause.id for clause in sentences(meldlog_catalogue)]
    assert sorted(set(ids)) == sorted(ids)


def test_every_clause_that_code_quotes_stands_on_a_sheet(meldlog_catalogue: Catalogue) -> None:
    """Refusals of the core and of the plugins, and the clauses of options."""
    known = {clause.id for clause in sentences(meldlog_catalogue)}
    core = [
        importlib.import_module(f"meldlog_service.core.{found.name}")
        for found in pkgutil.iter_modules(meldlog_service.core.__path__)
    ]
    for module in (*core, *stack(meldlog_catalogue)):
        quoted = set(ID.findall(inspect.getsource(module)))
        assert quoted <= known, f"{module.__name__} quotes {sorted(quoted - known)}"


# -- languages ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clause_is_written_in_every_language(meldlog_catalogue: Catalogue, language: str) -> None:
    """A whole sentence, its own, with the same house rules in it and that language's signs."""
    for clause in sentences(meldlog_catalogue):
        text: str = getattr(clause, language)
        assert len(text) > 12, f"{clause.id} is not written in {language}"
        assert text.endswith((".", "}.")), f"{clause.id} is no sentence in {language}"
        assert language == "en" or text != clause.en, f"{clause.id} is not translated into {language}"
        assert set(re.findall(r"{(\w+)}", text)) == set(re.findall(r"{(\w+)}", clause.en)), clause.id
        wrong = re.findall(WRONG_SIGNS[language], re.sub(r"{\w+}", "7", text))
        assert not wrong, f"{clause.id} in {language}: {wrong}"


WRONG_SIGNS = {
    "en": r"['\"]|  ",
    "fr": r"['\"]| [:;?!»]|« |[^\u00a0 ][:»]|[^\u202f ];",
    "fa": r"[a-zA-Z'\",;?يكى]|  ",
    "ar": r"[a-zA-IL-PR-Z'\",;?یک]|  ",
}
"""Typewriter signs, missing spaces before French ones, and letters of the other script: no clause has any."""


def test_every_clause_says_where_it_comes_from(meldlog_catalogue: Catalogue) -> None:
    """A source, a public one, or our own judgement."""
    for clause in sentences(meldlog_catalogue):
        assert re.fullmatch(r"(S\d|P\d+|E\d+|J)( (S\d|P\d+|E\d+|J))*", clause.source), clause.id


# -- options -----------------------------------------------------------------------------------------------------------


def declared(catalogue: Catalogue) -> Iterator[tuple[type[Struct], str, object]]:
    """Every house rule of Crazy Rummy, with its type."""
    for declaration in catalogue.ruleset_for_new(VARIANT).declarations:
        for name, hint in typing.get_type_hints(declaration, include_extras=True).items():
            if name in declaration.__struct_fields__:
                yield declaration, name, hint


def values(hint: object) -> Iterator[HouseValue]:
    """Values of a house rule: every word and switch, and of numbers the least, the most and some between."""
    if typing.get_origin(hint) is typing.Annotated:
        inner, *metas = typing.get_args(hint)
        found = list(values(inner))
        for meta in metas:
            if isinstance(meta, Meta) and (meta.ge is not None or meta.le is not None):
                least, most = int(meta.ge or 0), int(meta.le if meta.le is not None else 30)
                numbers = {least, least + 1, most, *(one for one in (3, 4, 5, 8, 15) if least <= one <= most)}
                found = [*sorted(numbers), *(one for one in found if type(one) is not int)]
        yield from found
    elif typing.get_origin(hint) is typing.Literal:
        yield from typing.get_args(hint)
    elif hint is bool:
        yield from (False, True)
    elif hint is int:
        yield from (3, 4, 5, 8, 10)
    elif hint is NoneType:
        yield None
    else:
        for one in typing.get_args(hint):
            yield from values(one)


class Told(Struct, frozen=True):
    """What sheets say of a value of a house rule: sentences by clause, by language, with it and without it."""

    name: str
    value: HouseValue
    with_it: dict[str, dict[str, str]]
    without: dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def every_value(meldlog_catalogue: Catalogue) -> list[Told]:
    """Every value but the default of every house rule."""
    found = []
    for declaration, name, hint in declared(meldlog_catalogue):
        company = COMPANY.get(name, {})
        without = sheets(meldlog_catalogue.ruleset_for_new(VARIANT, (), company))
        default = msgspec.to_builtins(declaration())[name]
        for kind, value in dict.fromkeys((type(value), value) for value in values(hint)):
            if (kind, value) != (type(default), default):
                rules = meldlog_catalogue.ruleset_for_new(VARIANT, (), {**company, name: value})
                found.append(Told(name, value, sheets(rules), without))
    return found


def sheets(rules: Ruleset) -> dict[str, dict[str, str]]:
    """A game's sheet in every language."""
    clauses = rules.clauses()
    return {
        language: {clause.id: clause.text(language, rules.house.flat) for clause in clauses}
        for language in LANGUAGES
    }


def test_every_option_has_a_clause_and_a_title_in_every_language(meldlog_catalogue: Catalogue) -> None:
    """The clause that states it stands on a sheet of the game."""
    known = {clause.id for clause in sentences(meldlog_catalogue)}
    for _, name, hint in declared(meldlog_catalogue):
        described = [meta.extra for meta in typing.get_args(hint) if isinstance(meta, Meta) and meta.extra]
        assert len(described) == 1, name
        assert described[0]["clause"] in known, name
        assert set(described[0]["title"]) == set(LANGUAGES), name
        assert all(described[0]["title"].values()), name


def test_every_value_of_every_option_changes_the_sheet(every_value: list[Told]) -> None:
    """A game that is played otherwise reads otherwise, in every language."""
    for told in every_value:
        for language in LANGUAGES:
            shows = told.with_it[language] != told.without[language]
            assert shows is ((told.name, told.value) not in SYNONYMS), f"{told.name} = {told.value!r}"


def test_no_sentence_prints_a_word_of_the_configuration(every_value: list[Told]) -> None:
    """Numbers stand in the sentences, never ``by_packs`` or ``None``."""
    for told in every_value:
        for language in LANGUAGES:
            for clause, text in told.with_it[language].items():
                wrong = re.findall(r"[_{}]|None|True|False", text)
                assert not wrong, f"{clause} for {told.name} = {told.value!r}: {text}"


def test_persian_numbers_are_written_in_persian_digits(meldlog_catalogue: Catalogue) -> None:
    """Seven cards are ۷ کارت; Arabic sheets keep the digits of the Maghreb."""
    told = sheets(meldlog_catalogue.ruleset_for_new(VARIANT))
    assert "۷ کارت" in told["fa"]["deal.cards"]
    assert "7" in told["ar"]["deal.cards"]
