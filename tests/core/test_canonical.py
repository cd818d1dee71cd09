"""Canonical JSON: RFC 8785 in the domain that logs keep to, which has no fractions."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support import forge

from meldlog_contracts.commands import Draw
from meldlog_service.core.chain import canonical

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def test_literals_are_written_out() -> None:
    """RFC 8785, section 3.2.2."""
    assert canonical([None, True, False]) == b"[null,true,false]"


def test_strings_are_escaped_only_where_they_must_be() -> None:
    """The string of the example in RFC 8785, section 3.2.2."""
    text = "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/"
    assert canonical(text) == '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'.encode()


def test_control_characters_have_their_short_forms_or_four_hex_digits() -> None:
    """RFC 8785, section 3.2.2.2; nothing beyond U+001F is escaped."""
    assert canonical("\b\t\n\f\r") == b'"\\b\\t\\n\\f\\r"'
    assert (
        canonical("\x00\x1b\x1f\x7f\u2028\U0001f600")
        == '"\\u0000\\u001b\\u001f\x7f\u2028\U0001f600"'.encode()
    )


def test_keys_are_sorted_and_white_space_is_left_out() -> None:
    """The keys of the example in RFC 8785, section 3.2.3, those beyond U+FFFF aside."""
    node = {"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\u0080": 5, "\u00f6": 6}
    assert canonical(node) == '{"\\r":2,"1":4,"\u0080":5,"\u00f6":6,"\u20ac":1,"\ufb33":3}'.encode()


def test_keys_are_sorted_by_code_point() -> None:
    """The log format says code points where RFC 8785 says UTF-16 units: they differ only beyond U+FFFF."""
    assert canonical({"\U0001f600": 1, "\ufb33": 2}) == '{"\ufb33":2,"\U0001f600":1}'.encode()


def test_the_tag_of_a_command_is_sorted_among_its_fields() -> None:
    """A struct is an object like any other, and a field at its default is not written."""
    assert canonical(Draw("stock")) == b'{"source":"stock","type":"draw"}'
    assert canonical(Draw("discard", 3)) == b'{"count":3,"source":"discard","type":"draw"}'


def test_a_lone_surrogate_is_no_text() -> None:
    """It has no UTF-8 form, so nothing can be written that others would read otherwise."""
    with pytest.raises(UnicodeEncodeError):
        canonical("\ud800")


@given(VALUES)
def test_two_other_writers_write_the_same_bytes(value: object) -> None:
    """The standard library's, and one written by hand from the log format."""
    expected = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    assert canonical(value) == expected
    assert forge.canonical(value).encode() == expected
