"""Rule sheets: what a plugin is, its house rules and its clauses, as data and to be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from meldlog_contracts.hooks import VariantInfo
from meldlog_contracts.sheet import Clause
from meldlog_contracts.table import HouseValue
from meldlog_service.catalogue import BASIC, Catalogue
from meldlog_service.core.ruleset import Ruleset, merged_house_rules
from meldlog_service.http.house_rules import OptionForm, forms

Language = Literal["en", "fr", "fa", "ar"]
_NOTHING: Mapping[str, HouseValue] = MappingProxyType({})
_HEADINGS: Mapping[Language, tuple[str, str, str]] = {
    "en": ("Players", "Rules", "House rules"),
    "fr": ("Joueurs", "Règles", "Règles de la maison"),
    "fa": ("بازیکنان", "قوانین", "قوانین خانگی"),
    "ar": ("اللاعبون", "القواعد", "قواعد المنزل"),
}


class ClauseText(Struct, frozen=True):
    """One sentence of a rule sheet in the language that was asked for; `source` names where the rule comes from."""

    id: str
    text: str
    source: str


class PluginSummary(Struct, frozen=True):
    """A variant, an option to add to one, or a small rule that variants bring along."""

    name: str
    kind: Literal["variant", "option", "rule"]
    title: str
    titles: Mapping[str, str]
    also_known_as: tuple[str, ...]
    players: tuple[int, int] | None
    """Least and most seats; null for what is no variant."""
    rules_version: int
    based_on: str | None
    rules: tuple[str, ...]
    options: tuple[OptionForm, ...]
    """The house rules: of a variant all that its games have, of anything else those that it declares."""


class PluginList(Struct, frozen=True):
    """What is installed, in alphabetical order; it is one page."""

    items: tuple[PluginSummary, ...]
    next_cursor: None = None


class RuleSheet(PluginSummary, frozen=True, kw_only=True):
    """A plugin's rules: its house rules merged, and its clauses in words."""

    lang: Language
    house_rules: dict[str, HouseValue]
    clauses: tuple[ClauseText, ...]


def ruleset_of(catalogue: Catalogue, info: VariantInfo) -> Ruleset:
    """The rules of a variant's games; of an option or a rule, what it makes of the basic rules.

    Raises:
        PluginUnavailable: when a plugin that it builds on is not installed.
    """
    if info.kind == "variant":
        return catalogue.ruleset_for_new(info.name)
    return _stacked(catalogue, (*_basic(catalogue), *info.rules, info.name), info)


def _basic(catalogue: Catalogue) -> tuple[str, ...]:
    return (*catalogue.newest(BASIC).info.rules, BASIC)


def _in_force(catalogue: Catalogue, name: str) -> Ruleset:
    """An option or a rule with everything switched on that it declares: what it says wherever it is asked for."""
    installed = catalogue.newest(name)
    switches = {
        field.name: True
        for declaration in installed.declarations
        for field in msgspec.structs.fields(declaration)
        if field.default is False
    }
    names = (*_basic(catalogue), *installed.info.rules, name)
    return _stacked(catalogue, names, installed.info, switches)


def _stacked(
    catalogue: Catalogue, names: Iterable[str], info: VariantInfo, wanted: Mapping[str, HouseValue] = _NOTHING
) -> Ruleset:
    stack = [catalogue.newest(name) for name in dict.fromkeys(names)]
    declarations = [declaration for one in stack for declaration in one.declarations]
    declared = {name for declaration in declarations for name in declaration.__struct_fields__}
    # An option may amend what only some variants declare.
    amendments = [
        {name: value for name, value in amendment.items() if name in declared}
        for one in stack
        for amendment in one.amendments
    ]
    house = merged_house_rules(declarations, amendments, wanted)
    return Ruleset([(one.ref, one.plugin) for one in stack], house, info)


def summary(catalogue: Catalogue, info: VariantInfo) -> PluginSummary:
    """What a plugin is."""
    installed = catalogue.newest(info.name)
    rules = ruleset_of(catalogue, installed.info)
    is_variant = info.kind == "variant"
    return PluginSummary(
        name=info.name,
        kind=info.kind,
        title=info.title,
        titles=info.titles or {"en": info.title},
        also_known_as=info.also_known_as,
        players=info.players if is_variant else None,
        rules_version=info.rules_version,
        based_on=info.based_on,
        rules=info.rules,
        options=forms(rules.declarations if is_variant else installed.declarations, rules.house.flat),
    )


def sheet(catalogue: Catalogue, name: str, lang: Language) -> RuleSheet:
    """A plugin's rule sheet.

    Raises:
        PluginUnavailable: when there is no such plugin.
    """
    installed = catalogue.newest(name)
    rules = ruleset_of(catalogue, installed.info)
    clauses = rules.clauses()
    basic = _basic(catalogue)
    if installed.info.kind != "variant" and name not in basic:
        known = {clause.id for clause in _stacked(catalogue, basic, installed.info).clauses()}
        rules = _in_force(catalogue, name)
        clauses = tuple(clause for clause in rules.clauses() if clause.id not in known)
    return _sheet(summary(catalogue, installed.info), rules, clauses, lang)


def sheet_of_game(catalogue: Catalogue, rules: Ruleset, lang: Language) -> RuleSheet:
    """The rule sheet that one game is played by, with its options and its own house rules."""
    # What an option brings along has no default but the game's own value.
    defaults = {**rules.house.flat, **ruleset_of(catalogue, rules.info).house.flat}
    about = replace(summary(catalogue, rules.info), options=forms(rules.declarations, defaults))
    return _sheet(about, rules, rules.clauses(), lang)


def _sheet(about: PluginSummary, rules: Ruleset, clauses: Iterable[Clause], lang: Language) -> RuleSheet:
    house = rules.house.flat
    return RuleSheet(
        **{field: getattr(about, field) for field in PluginSummary.__struct_fields__},
        lang=lang,
        house_rules=house,
        clauses=tuple(ClauseText(one.id, one.text(lang, house), one.source) for one in clauses),
    )


def as_markdown(sheet: RuleSheet) -> str:
    """A rule sheet to be read."""
    players, rules, house = _HEADINGS[sheet.lang]
    lines = [f"# {sheet.titles.get(sheet.lang, sheet.title)}", ""]
    if sheet.also_known_as:
        lines += [f"*{' · '.join(sheet.also_known_as)}*", ""]
    if sheet.players is not None:
        lines += [f"{players}: {sheet.players[0]}–{sheet.players[1]}", ""]
    lines += [f"## {rules}", ""]
    lines += [
        f"{number}. {clause.text} `{clause.id}`" for number, clause in enumerate(sheet.clauses, start=1)
    ]
    lines += ["", f"## {house}", "", f"| {house} | | |", "|---|---|---|"]
    lines += [
        f"| {one.titles.get(sheet.lang, one.title)} | `{one.name}` | `{_text(sheet.house_rules[one.name])}` |"
        for one in sheet.options
    ]
    return "\n".join(lines) + "\n"


def _text(value: HouseValue) -> str:
    """A value as it is written in JSON."""
    return msgspec.json.encode(value).decode()
