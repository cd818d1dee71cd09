"""What does not fit, where, and what would: msgspec's complaint about a body in the words of JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import msgspec

from meldlog_service.expected import Expected, listed
from meldlog_service.meant import cut, meant

_AT = re.compile(r" - at `\$(?P<path>(?:\.\w+|\[(?:\d{1,9}|\.\.\.)\])*)`$")
_SOME_MEMBER = "..."
"""What msgspec calls a member of a dictionary, whose name it does not tell."""
_STEP = re.compile(r"\w+|\.\.\.")
_FIELD = re.compile(
    r"Object (?:missing required|contains (?P<unknown>unknown)) field `(?P<name>.*)`", re.DOTALL
)
_FORM = re.compile(r"Expected `str` matching regex (.*)", re.DOTALL)
_NO_JSON = "JSON is malformed: "
_CUT_SHORT = "Input data was truncated"
_ALONE = "an escape is half of a surrogate pair, which is no character alone"
_HALF_A_PAIR = re.compile(
    r"(unexpected end of escaped|invalid) utf-16 surrogate pair|unexpected end of hex escape"
)
"""How msgspec says so, in three places."""
_ESCAPE = rb"(?<!\\)(?:\\\\)*\\u"
_LAST_HALF = re.compile(_ESCAPE + rb"[dD][89abAB][0-9a-fA-F]{2}(?P<rest>.{0,5})\Z", re.DOTALL)
_BEGINS_OTHER_HALF = re.compile(rb"(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]{0,2})?)?)?)?")
_LAST_ESCAPE = re.compile(_ESCAPE + rb"(?P<digits>[0-9a-fA-F]{0,3})[^0-9a-fA-F].{0,2}\Z", re.DOTALL)
_LONGEST_SHOWN = 32
"""Characters of a number or a word that are shown as they were sent."""


class Misfit(NamedTuple):
    """One place where a body does not fit."""

    steps: tuple[str, ...]
    """The way from the body to the place, names and numbers."""
    detail: str
    """Where it is, what would be right there and what there is, in the words of JSON."""

    @property
    def pointer(self) -> str:
        """The JSON pointer to the place (RFC 6901)."""
        return "".join(f"/{escaped(step)}" for step in self.steps)


def escaped(step: str) -> str:
    """A name as a token of a JSON pointer (RFC 6901)."""
    return step.replace("~", "~0").replace("/", "~1")


def misfit(error: msgspec.ValidationError, kind: object, document: object) -> Misfit:
    """What a failed decoding or conversion comes to.

    Args:
        error: Of msgspec.
        kind: What the body should have been.
        document: What it is, as plain JSON.
    """
    text = str(error)
    found = None if _is_of_the_body(text, document) else _AT.search(text)
    path, reason = (found["path"], text[: found.start()]) if found else ("", text)
    steps = _steps(path, kind, document, text)
    named = _FIELD.fullmatch(reason)
    if named is None:
        detail = _unfit(reason, Expected(kind, document, steps), _value(document, steps))
        return Misfit(steps, _at(steps) + detail)
    inside = (*steps, named["name"])
    if named["unknown"]:
        detail = _unknown(named["name"], Expected(kind, document, steps).names)
        return Misfit(inside, _at(steps) + detail)
    expected = Expected(kind, document, inside)
    words = expected.words() or "something"
    return Misfit(inside, f"{'/'.join(inside)} is missing: expected {words}{_written(expected)}")


def _is_of_the_body(text: str, document: object) -> bool:
    """Whether a member of the body itself is not known, whose name may say anything: even where something is."""
    named = _FIELD.fullmatch(text)
    return named is not None and isinstance(document, dict) and named["name"] in document


def _at(steps: Sequence[str]) -> str:
    return f"{'/'.join(steps)}: " if steps else ""


def unread(error: Exception, kind: object, text: bytes | str) -> str:
    """Why a text is not JSON of a kind, as far as msgspec says it in its own words; another error says why itself."""
    if isinstance(error, msgspec.ValidationError):
        try:
            return misfit(error, kind, msgspec.json.decode(text)).detail
        except msgspec.DecodeError as no_json:
            return malformed(no_json, text)
        except RecursionError:
            return "it is nested too deeply"
    return malformed(error, text)


def malformed(error: Exception, text: bytes | str) -> str:
    """Why a text is no JSON at all."""
    told = str(error).partition(" - at `$")[0]
    if told == _CUT_SHORT:
        body = text.encode(errors="surrogatepass") if isinstance(text, str) else text
        return _bad_escape_at_the_end(body) or "it ends too early"
    return _HALF_A_PAIR.sub(_ALONE, told.removeprefix(_NO_JSON))


def _bad_escape_at_the_end(body: bytes) -> str | None:
    """What is wrong with the last escape: msgspec says that the text is cut short where it would have to be longer."""
    found = _LAST_HALF.search(body)
    if found is not None and not _BEGINS_OTHER_HALF.fullmatch(found["rest"]):
        return f"{_ALONE} (byte {found.start('rest')})"
    found = _LAST_ESCAPE.search(body)
    if found is not None:
        return f"invalid character in unicode escape (byte {found.end('digits') + 1})"
    return None


def _unknown(name: str, known: Sequence[str]) -> str:
    near = meant(name, known)
    there_are = f"{'' if near else ':'} known are {listed(known)}" if known else ""
    return f"there is no field {cut(name)} here{near}{there_are}"


def _unfit(reason: str, expected: Expected, value: object) -> str:
    words = expected.words() or "something else"
    form = _FORM.fullmatch(reason)
    if form is not None:  # the text is not shown, since it could be a secret
        return f"expected {words}{_written(expected) or f' of the form {form[1]}'}"
    near = meant(value, expected.choices) if isinstance(value, str) else ""
    got = _size(value) if "of length" in reason else _given(value, shown=bool(expected.choices))
    return f"expected {words}, got {got}{near}{_written(expected)}"


def _written(expected: Expected) -> str:
    return f": {expected.hint}" if expected.hint else ""


def _given(value: object, *, shown: bool) -> str:
    """What was sent, in the words of JSON. A text is shown only where a known word is due: it could be a secret."""
    match value:
        case bool() | None:
            return msgspec.json.encode(value).decode()
        case int() | float():
            return text if len(text := repr(value)) <= _LONGEST_SHOWN else "another number"
        case str():
            return repr(value) if shown and len(value) <= _LONGEST_SHOWN else "a string"
        case list():
            return "a list"
        case dict():
            return "an object"
        case _:
            return "something else"


def _size(value: object) -> str:
    return f"{len(value)}" if isinstance(value, str | list | dict) else "another"


def _steps(path: str, kind: object, document: object, told: str) -> tuple[str, ...]:
    """The way to the place, with the names of members that msgspec does not tell."""
    steps: list[str] = []
    for step in _STEP.finditer(path):
        name = step[0]
        if name == _SOME_MEMBER:
            member = _member(kind, document, steps, told)
            if member is None:
                break
            name = member
        steps.append(name)
    return tuple(steps)


def _member(kind: Any, document: object, steps: Sequence[str], told: str) -> str | None:
    """The first member of the object at a place that alone is told the same of as among the others."""
    within = _value(document, steps)
    members: dict[str, object] = within if isinstance(within, dict) else {}
    names = list(members)

    def is_told_of(some: Sequence[str]) -> bool:
        try:
            msgspec.convert(_with(document, steps, {name: members[name] for name in some}), kind)
        except msgspec.ValidationError as error:
            return str(error) == told
        return False

    while len(names) > 1:
        half = names[: len(names) // 2]
        names = half if is_told_of(half) else names[len(half) :]
    return names[0] if names and is_told_of(names) else None


def _with(document: object, steps: Sequence[str], value: object) -> object:
    """The document with another value in one place."""
    if not steps:
        return value
    inside = _with(_value(document, steps[:1]), steps[1:], value)
    if isinstance(document, list):
        place = int(steps[0])
        return [*document[:place], inside, *document[place + 1 :]]
    return {**cast("dict[str, object]", document), steps[0]: inside}


_NOTHING = object()


def _value(document: object, steps: Sequence[str]) -> object:
    """What stands at a place."""
    for step in steps:
        match document:
            case dict():
                document = document.get(step, _NOTHING)
            case list() if step.isdecimal() and int(step) < len(document):
                document = document[int(step)]
            case _:
                return _NOTHING
    return document
