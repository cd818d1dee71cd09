"""The rule sheet and its tests: no sentence without tests, no refusal without a sentence, no language missing.

Run with ``-s`` to read the report: every clause, with the tests of what it allows and of what it refuses.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
import re
import typing
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import ModuleType, NoneType

import pytest
from msgspec import Meta, Struct

import meldlog_service.core
from meldlog_contracts.sheet import LANGUAGES, Clause, load_sheet
from meldlog_contracts.table import HouseValue
from meldlog_service.catalogue import ENTRY_POINTS, Catalogue
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.testing.clauses import SAYS, Spoken, report, spoken

INSTALLED = Catalogue.from_entry_points()
OPTIONS_PLAYED_WITH = "crazy-rummy"
GAMES: dict[str, tuple[str, tuple[str, ...]]] = {
    **{info.name: (info.name, ()) for info in INSTALLED.infos() if info.kind == "variant"},
    **{info.name: (OPTIONS_PLAYED_WITH, (info.name,)) for info in INSTALLED.infos() if info.kind == "option"},
}
"""Everything that is installed: each variant by itself, and each option with Crazy Rummy."""
OPENING: dict[str, HouseValue] = {"lay_mode": "progressive", "opening_threshold": 51}
COUNTED: dict[str, HouseValue] = {"flat_penalty": None}
RECLAIM: dict[str, HouseValue] = {"wild_reclaim": True}
FIRST_ROUND: dict[str, HouseValue] = {"no_meld_first_round": True, "first_round_whole_hand_out": True}
COMPANY: dict[str, dict[str, HouseValue]] = {
    "ace_value": COUNTED,
    "auto_press_tie": {"auto_press": True},
    "beanie_after_out_layoff": FIRST_ROUND,
    "close_exempt_from_threshold": OPENING,
    "close_with_layoff": OPENING,
    "court_values": COUNTED,
    "first_round_whole_hand_out": FIRST_ROUND,
    "failed_take_penalty": {"discard_take_before_meld": "must_open"},
    "joker_penalty": {"printed_jokers": 1, **COUNTED},
    "joker_set_swap": {"set_reclaim": "fourth_card_only", **RECLAIM},
    "layoff_requires_own_meld": OPENING,
    "opening_joker_rule": OPENING,
    "opening_must_beat_previous": OPENING,
    "opening_required_melds": OPENING,
    "opening_threshold": OPENING,
    "partner_first_lay_requires": OPENING,
    "partner_opening_exempt": OPENING,
    "payment_rounding_cents": {"betting": "all_pairs"},
    "set_identical_cards": {"packs": 2},
    "set_reclaim": {"packs": 2, **RECLAIM},
    "set_swap_max_wilds": RECLAIM,
    "stake_cents_per_point": {"betting": "all_pairs"},
    "taken_card_outside_required_run": {"close_required_melds": "run_and_set"},
    "taken_discard_use": {"discard_take_after_meld": "must_meld"},
    "unopened_penalty": COUNTED,
    "value_table": COUNTED,
    "wild_reclaim_use": RECLAIM,
}
"""What a house rule needs beside it to make a difference."""
SAME: dict[str, list[tuple[str, set[HouseValue]]]] = {
    "": [("set_identical_cards", {"by_packs", True}), ("set_reclaim", {"by_packs", "any_same_rank"})],
    "dealer-chooses-wild": [("wild_sequence", {"ace_to_king", "two_to_ace", "king_to_ace"})],
}
"""Values that say the same as each other: in any game, and in one."""
IDLE: dict[str, set[str]] = {
    game: {"wild_penalty"} for game in ("basic-rummy", "rami-simple", "rami-51", "rami-71")
}
"""House rules that are declared in a game and make no difference there, whatever is set beside them."""
ID = re.compile(r'"([a-z][a-z0-9-]*\.[a-z][a-z0-9-]*|final-discard)"')

every_game = pytest.mark.parametrize("game", GAMES)


def rules_of(game: str, house: dict[str, HouseValue] | None = None) -> Ruleset:
    """The rules of one of `GAMES`, with these house rules."""
    variant, options = GAMES[game]
    return INSTALLED.ruleset_for_new(variant, options, house)


@functools.cache
def stack(game: str) -> tuple[ModuleType, ...]:
    """The plugins that a game is played by, the basic ones first."""
    modules = {entry.name: entry.load() for entry in metadata.entry_points(group=ENTRY_POINTS)}
    return tuple(modules[ref.name] for ref in rules_of(game).refs)


def sentences(*games: str) -> list[Clause]:
    """Every clause that these games can have, whatever their house rules; each sheet once."""
    modules = {module.__name__: module for game in games for module in stack(game)}
    return [
        clause for module in modules.values() if hasattr(module, "clauses") for clause in module.clauses()
    ]


def ids(*games: str) -> set[str]:
    """The clauses of these games by id: a sheet may say for its game what an earlier one says in general."""
    return {clause.id for clause in sentences(*games)}


@functools.cache
def said() -> tuple[Spoken, ...]:
    """What the tests of this folder say about clauses."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("test_*.py"))
    return tuple(spoken(importlib.import_module(f"tests.rules.{name}") for name in names))


# -- clauses by tests --------------------------------------------------------------------------------------------------


@every_game
def test_every_clause_has_a_test_of_what_it_allows_and_one_of_what_it_refuses(game: str) -> None:
    """No hole in clauses by tests."""
    known = ids(game)
    table = report(sorted(known), (one for one in said() if one.clause in known))
    for clause, tests in table.items():
        print(clause, *(f"\n  {says}: {', '.join(tests[says])}" for says in SAYS), sep="")
    holes = [f"{clause} {says}" for clause, tests in table.items() for says in SAYS if not tests[says]]
    assert not holes


def test_every_mark_names_a_clause() -> None:
    """A test cannot speak of a sentence that stands on no sheet."""
    assert {one.clause for one in said()} <= ids(*GAMES)


@every_game
def test_a_sheet_that_writes_a_clause_again_says_something_else(game: str) -> None:
    """Each id is written once on a sheet; a later sheet replaces it only by another."""
    first: dict[str, Clause] = {}
    for module in stack(game):
        sheet = list(module.clauses()) if hasattr(module, "clauses") else []
        assert len({clause.id for clause in sheet}) == len(sheet), module.__name__
        for clause in sheet:
            if clause.id in first:
                assert clause != first[clause.id], f"{clause.id} is only repeated in {module.__name__}"
            first[clause.id] = clause


@every_game
def test_every_clause_that_code_quotes_stands_on_a_sheet(game: str) -> None:
    """Refusals of the core and of the plugins, and the clauses of options."""
    core = [
        importlib.import_module(f"meldlog_service.core.{found.name}")
        for found in pkgutil.iter_modules(meldlog_service.core.__path__)
    ]
    for module in (*core, *stack(game)):
        quoted = set(ID.findall(inspect.getsource(module)))
        assert quoted <= ids(game), f"{module.__name__} quotes {sorted(quoted - ids(game))}"


# -- languages ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clause_is_written_in_every_language(language: str) -> None:
    """A whole sentence, its own, with the same house rules in it and that language's signs."""
    for clause in sentences(*GAMES):
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


def test_every_clause_says_where_it_comes_from() -> None:
    """A source, a public one, or our own judgement."""
    for clause in sentences(*GAMES):
        assert re.fullmatch(r"(S\d|P\d+|E\d+|J)( (S\d|P\d+|E\d+|J))*", clause.source), clause.id


# -- options -----------------------------------------------------------------------------------------------------------


def declared(game: str) -> Iterator[tuple[str, object]]:
    """Every house rule of a game, with its type."""
    for declaration in rules_of(game).declarations:
        for name, hint in typing.get_type_hints(declaration, include_extras=True).items():
            if name in declaration.__struct_fields__:
                yield name, hint


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
    default: HouseValue
    with_it: dict[str, dict[str, str]]
    without: dict[str, dict[str, str]]


@functools.cache
def told(game: str) -> tuple[Told, ...]:
    """Every value but the default of every house rule."""
    plain = rules_of(game).house.flat
    found = []
    for name, hint in declared(game):
        house = {**plain, **{key: value for key, value in COMPANY.get(name, {}).items() if key in plain}}
        without = shown(game, house)
        for kind, value in dict.fromkeys((type(value), value) for value in values(hint)):
            if (kind, value) != (type(house[name]), house[name]):
                found.append(Told(name, value, house[name], shown(game, {**house, name: value}), without))
    return tuple(found)


def shown(game: str, house: dict[str, HouseValue]) -> dict[str, dict[str, str]]:
    """The sheet of a game with these house rules, in every language: what `Ruleset.clauses` puts together."""
    merged = {clause.id: clause for clause in sentences(game) if clause.holds(house)}
    return {
        language: {clause.id: clause.text(language, house) for clause in merged.values()}
        for language in LANGUAGES
    }


@every_game
def test_the_sheets_looked_at_here_are_the_ones_of_the_game(game: str) -> None:
    """Clause by clause what players are given."""
    rules = rules_of(game)
    given = {clause.id: clause.text("fr", rules.house.flat) for clause in rules.clauses()}
    assert given == shown(game, rules.house.flat)["fr"]


@every_game
def test_every_option_has_a_clause_and_a_title_in_every_language(game: str) -> None:
    """The clause that states it stands on a sheet of the game."""
    for name, hint in declared(game):
        described = [meta.extra for meta in typing.get_args(hint) if isinstance(meta, Meta) and meta.extra]
        assert len(described) == 1, name
        assert described[0]["clause"] in ids(game), name
        assert set(described[0]["title"]) == set(LANGUAGES), name
        assert all(described[0]["title"].values()), name


@every_game
def test_every_value_of_every_option_changes_the_sheet(game: str) -> None:
    """A game that is played otherwise reads otherwise, in every language."""
    for one in told(game):
        if one.name in IDLE.get(game, ()):
            continue
        for language in LANGUAGES:
            shows = one.with_it[language] != one.without[language]
            assert shows is not are_same(game, one), f"{one.name} = {one.value!r}"


def are_same(game: str, one: Told) -> bool:
    """Whether this value only says what the game's own value says as well."""
    pairs = [*SAME[""], *SAME.get(game, ())]
    return any(name == one.name and {one.value, one.default} <= values_ for name, values_ in pairs)


@every_game
def test_no_sentence_prints_a_word_of_the_configuration(game: str) -> None:
    """Numbers stand in the sentences, never ``by_packs`` or ``None``."""
    for one in told(game):
        for language in LANGUAGES:
            for clause, text in one.with_it[language].items():
                wrong = re.findall(r"[_{}]|None|True|False", text)
                assert not wrong, f"{clause} for {one.name} = {one.value!r}: {text}"


@every_game
def test_no_sentence_stands_twice_on_a_sheet(game: str) -> None:
    """Whatever the house rules."""
    for one in told(game):
        texts = sorted(one.with_it["en"].values())
        assert sorted(set(texts)) == texts, f"{one.name} = {one.value!r}"


OF_VARIANTS = [clause for clause in sentences(*GAMES) if clause not in load_sheet("meldlog_variants.basic")]
"""The basic rules are those of anybody's games, so some sentences there wait for a game that is not among these."""


@pytest.mark.parametrize("clause", OF_VARIANTS, ids=lambda clause: clause.id)
def test_every_condition_of_a_clause_can_hold(clause: Clause) -> None:
    """No sentence waits for house rules that no game can have."""
    conditions = clause.when if isinstance(clause.when, list) else [clause.when]
    for condition in conditions:
        alone = Clause(clause.id, "", "", "", "", when=condition)
        assert any(can_hold(alone, game) for game in GAMES if clause in sentences(game)), condition


def can_hold(clause: Clause, game: str) -> bool:
    """Whether a game's house rules, each taken by itself, could fit a clause with one condition."""
    assert isinstance(clause.when, dict)
    hints = dict(declared(game))
    return all(
        any(
            Clause(clause.id, "", "", "", "", when={key: wanted}).holds({key: value})
            for value in (values(hints[key]) if key in hints else (None,))
        )
        for key, wanted in clause.when.items()
    )


def test_persian_numbers_are_written_in_persian_digits() -> None:
    """Seven cards are ۷ کارت; Arabic sheets keep the digits of the Maghreb."""
    sheet = shown("crazy-rummy", rules_of("crazy-rummy").house.flat)
    assert "۷ کارت" in sheet["fa"]["deal.cards"]
    assert "7" in sheet["ar"]["deal.cards"]
