"""House rules as a form needs them: name, title, JSON Schema, default and clause."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast, get_type_hints

import msgspec
from msgspec import Meta, Struct

from meldlog_contracts.table import HouseValue


class OptionForm(Struct, frozen=True):
    """A house rule: what it is called, which values it takes, and the clause that states it."""

    name: str
    title: str
    titles: Mapping[str, str]
    clause: str | None
    schema: msgspec.Raw
    """JSON Schema (2020-12) of its values."""
    default: HouseValue
    """What it is in this game unless said otherwise."""


def forms(declarations: Iterable[type[Struct]], house: Mapping[str, HouseValue]) -> tuple[OptionForm, ...]:
    """A form for every house rule that is declared, with the values of `house` for defaults."""
    return tuple(
        OptionForm(
            name,
            titles.get("en", name),
            titles,
            clause,
            msgspec.Raw(json.dumps(schema, ensure_ascii=False).encode()),
            house[name],
        )
        for declaration in declarations
        for name, titles, clause, schema in _described(declaration)
        if name in house
    )


@lru_cache(maxsize=256)
def _described(declaration: type[Struct]) -> Sequence[tuple[str, Mapping[str, str], str | None, object]]:
    """Name, titles, clause and JSON Schema of a struct's fields."""
    shown: list[tuple[str, Mapping[str, str], str | None, object]] = []
    _, components = msgspec.json.schema_components([declaration])
    properties = cast("dict[str, dict[str, Any]]", components[declaration.__name__]["properties"])
    for name, hint in get_type_hints(declaration, include_extras=True).items():
        extra = _extra(getattr(hint, "__metadata__", ()))
        schema = {key: value for key, value in properties[name].items() if key not in ("default", "title")}
        titles = cast("Mapping[str, str]", extra.get("title", {}))
        shown.append((name, titles, cast("str | None", extra.get("clause")), schema))
    return tuple(shown)


def _extra(metadata: Iterable[object]) -> Mapping[str, object]:
    """What `meldlog_contracts.house_rules.option` says of a field."""
    return next((meta.extra for meta in metadata if isinstance(meta, Meta) and meta.extra), {})
