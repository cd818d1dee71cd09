"""What a body could have said in the place where it does not fit, in the words of JSON.

msgspec says where something is wrong, in the words of Python, and seldom what would be right. Its own description of a
type (`msgspec.inspect`) knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from msgspec import inspect

HINT = "hint"
"""Name under which the type of a text says, in its `Meta.extra`, how such texts are written."""
_ROOM = 400
"""Characters of a list of names that is told: no body has so many members, but a package may bring some."""


class Expected:
    """What may stand at one place of a body."""

    def __init__(self, kind: object, document: object = None, steps: Sequence[str] = ()) -> None:
        """Look the place up.

        Args:
            kind: Type of the whole body.
            document: The body, as plain JSON; it decides which of several objects was meant.
            steps: The way from the body to the place, names and numbers.
        """
        described = _described(kind)
        above = list(_nodes(described, document, steps[:-1])) if steps else []
        tags = [str(node.tag) for node in above if _tag_field(node) == steps[-1] and node.tag is not None]
        self._places = [] if tags else list(_nodes(described, document, steps))
        places = [_bare(node) for node in self._places]
        words = [
            str(value) for node in places if isinstance(node, inspect.LiteralType) for value in node.values
        ]
        self.choices: tuple[str, ...] = tuple(dict.fromkeys(tags or words))
        """The words that are known there; none where any text may stand."""
        self.names: tuple[str, ...] = tuple(dict.fromkeys(name for node in places for name in _names(node)))
        """The members of the object that is due there, its tag first."""
        self.hint: str | None = next(filter(None, map(_hint, self._places)), None)
        """How a text is written that stands there."""

    def words(self, *, null: bool = True) -> str:
        """What may stand there, as ``a whole number from 1 to 64 or null``; empty where that is not known.

        Args:
            null: Whether null is told, which nobody can write in a query or in the environment.
        """
        told = [f"one of {listed(self.choices)}"] if self.choices else []
        kinds = [_kind(_bare(node)) for node in self._places]
        told += [kind for kind in kinds if kind and kind != _NULL]
        if null and _NULL in kinds:
            told.append(_NULL)
        *most, last = dict.fromkeys(told) if told else [""]
        return f"{', '.join(most)} or {last}" if most else last


_NULL = "null"


def listed(names: Iterable[str]) -> str:
    """Names with commas between, as many as there is room for."""
    told: list[str] = []
    room = _ROOM
    for name in names:
        room -= len(name) + 2
        if room < 0:
            return ", ".join([*told, "…"])
        told.append(name)
    return ", ".join(told)


def _kind(node: Any) -> str:
    """What one type is called in JSON, with its bounds; empty for words, which are told by themselves."""
    match node:
        case inspect.BoolType():
            return "true or false"
        case inspect.NoneType():
            return _NULL
        case inspect.IntType(ge=least, le=most):
            return f"a whole number{_bounds('from', least, most)}"
        case inspect.FloatType(ge=least, le=most):
            return f"a number{_bounds('from', least, most)}"
        case inspect.StrType(min_length=least, max_length=most):
            return f"a string{_bounds('of', least, most, ' characters')}"
        case (
            inspect.VarTupleType(min_length=least, max_length=most)
            | inspect.ListType(min_length=least, max_length=most)
        ):
            return f"a list{_bounds('of', least, most)}"
        case inspect.TupleType(item_types=items):
            return f"a list of {len(items)}"
        case inspect.DictType(min_length=least, max_length=most):
            return f"an object{_bounds('of', least, most, ' members')}"
        case inspect.StructType():
            return "an object"
        case _:
            return ""


def _bounds(word: str, least: float | None, most: float | None, what: str = "") -> str:
    if least is not None and least == most:
        return f" of {least}{what}"
    if least is not None and most is not None:
        return f" {word} {least} to {most}{what}"
    if least is not None:
        return f" of at least {least}{_one(what, least)}"
    return f" of at most {most}{_one(what, most)}" if most is not None else ""


def _one(what: str, number: float) -> str:
    return what.removesuffix("s") if number == 1 else what


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


def _bare(node: Any) -> Any:
    """A type without what is noted of it."""
    while isinstance(node, inspect.Metadata):
        node = node.type
    return node


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
