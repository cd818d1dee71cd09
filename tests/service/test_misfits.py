"""What does not fit is told by its place, what would be right there and what there is."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from meldlog_service.expected import Expected, listed
from meldlog_service.misfits import misfit, unread

Short = Annotated[str, Meta(max_length=3)]


class Inner(Struct, forbid_unknown_fields=True):
    """A thing inside another."""

    number: Annotated[float, Meta(ge=0)] = 0
    pair: tuple[int, int] = (0, 0)
    words: list[Literal["one", "two"]] = []
    code: Annotated[str, Meta(pattern="^x+$")] = "x"


class Outer(Struct):
    """A body."""

    inner: Inner | None = None
    counts: list[dict[str, Annotated[int, Meta(le=9)]]] = []
    names: Annotated[tuple[Short, ...], Meta(min_length=1)] = ("a",)


@pytest.mark.parametrize(
    ("body", "pointer", "told"),
    [
        ([], "", "expected an object, got a list"),
        ({"inner": 3}, "/inner", "inner: expected an object or null, got 3"),
        (
            {"inner": {"number": "3"}},
            "/inner/number",
            "inner/number: expected a number of at least 0, got a string",
        ),
        (
            {"inner": {"number": -1.5}},
            "/inner/number",
            "inner/number: expected a number of at least 0, got -1.5",
        ),
        ({"inner": {"pair": [1]}}, "/inner/pair", "inner/pair: expected a list of 2, got 1"),
        (
            {"inner": {"words": ["one", "tow"]}},
            "/inner/words/1",
            "inner/words/1: expected one of one, two, got 'tow': did you mean two?",
        ),
        (
            {"x - at `$.inner.pair[" + 5000 * "9" + "]": 1, "inner": {"x` - at `$.counts[7]": 1}},
            "/inner/x` - at `$.counts[7]",
            "inner: there is no field x` - at `$.counts[7] here: known are number, pair, words, code",
        ),
        (
            {"counts": [{f"a{number}": number // 299 * 10 for number in range(300)}]},
            "/counts/0/a299",
            "counts/0/a299: expected a whole number of at most 9, got 10",
        ),
        ({"inner": {"code": "y"}}, "/inner/code", "inner/code: expected a string of the form '^x+$'"),
        (
            {"inner": {"a/b": 1}},
            "/inner/a~1b",
            "inner: there is no field a/b here: known are number, pair, words, code",
        ),
        (
            {"counts": [{"a": 1}, {"b": 2, "c": 10, "d": 3}]},
            "/counts/1/c",
            "counts/1/c: expected a whole number of at most 9, got 10",
        ),
        ({"names": []}, "/names", "names: expected a list of at least 1, got 0"),
        ({"names": ["abcd"]}, "/names/0", "names/0: expected a string of at most 3 characters, got 4"),
    ],
)
def test_a_misfit_names_its_place_what_is_right_and_what_there_is(body: Any, pointer: str, told: str) -> None:
    """Also in a member of an object, whose name the decoder does not tell."""
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(msgspec.json.encode(body), type=Outer)
    found = misfit(caught.value, Outer, body)
    assert (found.pointer, found.detail) == (pointer, told)


@pytest.mark.parametrize("name", ["x - at `$.pair[1]", "x` - at `$.pair[1]", "x` - at `$.number"])
def test_a_name_may_say_anything(name: str) -> None:
    """Even what the decoder would say of another place."""
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(msgspec.json.encode({name: 1}), type=Inner)
    assert misfit(caught.value, Inner, {name: 1}).steps == (name,)


def test_a_name_too_long_to_be_one_is_cut_where_it_is_told() -> None:
    """The pointer has all of it."""
    name = 1000 * "n"
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(msgspec.json.encode({name: 1}), type=Inner)
    found = misfit(caught.value, Inner, {name: 1})
    assert found.pointer == f"/{name}"
    assert len(found.detail) < 150


def test_many_names_are_told_as_far_as_there_is_room() -> None:
    """A package may bring more than anybody reads."""
    told = listed(f"name{number}" for number in range(1000))
    assert told.startswith("name0, name1, ")
    assert told.endswith(", …")
    assert len(told) < 420


def test_null_is_told_where_it_can_be_written() -> None:
    """In no query, and in no variable."""
    kind = Annotated[int, Meta(ge=1)] | None
    assert Expected(kind).words() == "a whole number of at least 1 or null"
    assert Expected(kind).words(null=False) == "a whole number of at least 1"


HALF = "an escape is half of a surrogate pair, which is no character alone"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"names": 5}', "names: expected a list of at least 1, got 5"),
        ('{"names": 5', "it ends too early"),
        ("names", "invalid character (byte 4)"),
        ('{"names": 1e999}', "Number out of range"),
        ('{"names":', "it ends too early"),
        ('{"names": ["\\ud800', "it ends too early"),
        ('{"names": ["\\ud83d\\', "it ends too early"),
        ('{"names": ["\\ud83d\\uDe0', "it ends too early"),
        ('{"names": ["\\u12', "it ends too early"),
        ('{"names": ["\\\\ud800"', "it ends too early"),
        ('{"names": ["\\ud800"]}', f"{HALF} (byte 18)"),
        ('{"names": ["\\ud800"', f"{HALF} (byte 18)"),
        ('{"names": ["é\\uD800"]}', f"{HALF} (byte 20)"),
        ('{"names": ["\\\\\\ud800"]}', f"{HALF} (byte 20)"),
        ('{"names": ["\\ud800\\n"]}', f"{HALF} (byte 18)"),
        ('{"names": ["\\ud800", "another"]}', f"{HALF} (byte 18)"),
        ('{"names": ["\\ud800\\u0041"]}', f"{HALF} (byte 24)"),
        ('{"unknown": "\\ud800", "names": []}', f"{HALF} (byte 19)"),
        ('{"names": ["\\udc00"]}', f"{HALF} (byte 18)"),
        ('{"names": ["\\u12"', "invalid character in unicode escape (byte 17)"),
        ('{"names": ["\\u12"]}', "invalid character in unicode escape (byte 17)"),
    ],
)
def test_a_text_that_cannot_be_read_is_told_alike(text: str, told: str) -> None:
    """As a line of a log, which may be no JSON at all."""
    with pytest.raises(msgspec.DecodeError) as caught:
        msgspec.json.decode(text, type=Outer)
    assert unread(caught.value, Outer, text) == told
