"""What a body could have said in the place where it does not fit: the names, words and texts that are known there.

msgspec says what is wrong and where, and seldom what would be right. Its own description of a type (`msgspec.inspect`)
knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from msgspec import inspect

HINT = "hint"
"""Name under which the type of a text says, in its `Meta.extra`, how such texts are written."""
_ROOM = 400
"""Characters of a hint that are told: no body has so many members, but a package may bring some."""


def expected(reason: str, kind: object, document: object, steps: Sequence[str]) -> str:
    """What to write instead, beginning with a colon; empty where the reason says it, or nothing is known.

    Args:
        reason: Of msgspec, without the place.
        kind: Type of the whole body.
        document: The body, as plain JSON.
        steps: The way from the body to the place, names and numbers.
    """
    described = _described(kind)
    if "unknown field" in reason:
        return _among(
            "known are", (name for node in _nodes(described, document, steps) for name in _names(node))
        )
    if "Invalid" in reason or "required field" in reason:
        above = list(_nodes(described, document, steps[:-1])) if steps else []
        tags = [str(node.tag) for node in above if _tag_field(node) == steps[-1] and node.tag is not None]
        if tags:
            return _among("expected one of", tags)
    places = list(_nodes(described, document, steps))
    if "Invalid" in reason:
        return _among(
            "expected one of",
            (str(value) for node in places if isinstance(node, inspect.LiteralType) for value in node.values),
        )
    return next((f": {hint}" for node in places if (hint := _hint(node)) is not None), "")


def _among(words: str, names: Iterable[str]) -> str:
    told = ", ".join(dict.fromkeys(names))
    return f": {words} {told}" if told and len(told) <= _ROOM else ""


@lru_cache(maxsize=64)
def _described(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)


def _nodes(node: Any, document: object, steps: Sequence[str]) -> Iterator[Any]:
    """What may stand at the end of a way; a union is every one of its members, of tagged ones that which was sent."""
    match node:
        case inspect.UnionType(types=types):
            sent = [one for one in types if isinstance(document, dict) and _is_tagged(one, document)]
            for one in types:
                if not sent or one in sent:
                    yield from _nodes(one, document, steps)
        case inspect.Metadata(type=inner) if steps or _hint(node) is None:
            yield from _nodes(inner, document, steps)
        case _ if not steps:
            yield node
        case inspect.StructType(fields=fields):
            for field in fields:
                if field.encode_name == steps[0]:
                    inside = document.get(steps[0]) if isinstance(document, dict) else None
                    yield from _nodes(field.type, inside, steps[1:])
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            place = int(steps[0]) if steps[0].isdecimal() else -1
            known = isinstance(document, list) and 0 <= place < len(document)
            yield from _nodes(item, cast("list[object]", document)[place] if known else None, steps[1:])
        case inspect.DictType(value_type=value):
            yield from _nodes(value, None, steps[1:])
        case _:
            pass


def _tag_field(node: Any) -> str | None:
    return node.tag_field if isinstance(node, inspect.StructType) else None


def _is_tagged(node: Any, document: Mapping[str, object]) -> bool:
    name = _tag_field(node)
    return name is not None and document.get(name) == node.tag


def _names(node: Any) -> list[str]:
    """The members of an object, its tag first."""
    if not isinstance(node, inspect.StructType):
        return []
    return [*filter(None, [node.tag_field]), *(field.encode_name for field in node.fields)]


def _hint(node: Any) -> str | None:
    extra = node.extra if isinstance(node, inspect.Metadata) else None
    return cast("str | None", (extra or {}).get(HINT))
