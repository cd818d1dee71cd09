"""Which form a caller gets (RFC 9110, section 12.5.1)."""

import pytest

from meldlog_service.http import negotiation
from meldlog_service.http.negotiation import LONGEST_KEPT, chosen
from meldlog_service.http.problems import Rejected

OFFERED = ("application/json", "text/event-stream", "application/x-ndjson")


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        (None, "application/json"),
        ("", "application/json"),
        ("*/*", "application/json"),
        ("application/*", "application/json"),
        ("text/*", "text/event-stream"),
        ("application/x-ndjson", "application/x-ndjson"),
        ("Application/X-NDJSON", "application/x-ndjson"),
        ("application/x-ndjson, application/json", "application/json"),
        ("application/x-ndjson, application/json;q=0.9", "application/x-ndjson"),
        ("application/json;q=0.1, text/event-stream;q=0.2", "text/event-stream"),
        ("*/*;q=0.1, text/event-stream", "text/event-stream"),
        ("*/*, application/json;q=0", "text/event-stream"),
        ("application/*;q=0, */*;q=0.5", "text/event-stream"),
        ("text/html, application/xhtml+xml, */*;q=0.8", "application/json"),
        ("application/json;q=nonsense, text/event-stream;q=0.1", "text/event-stream"),
        ("nonsense, application/json", "application/json"),
        ("application/json; charset=utf-8", "application/json"),
        ("text/event-stream;q=1.0, */*;q=2", "application/json"),
    ],
)
def test_the_form_that_is_liked_best_is_chosen(accept: str | None, form: str) -> None:
    """The closest range counts, then its q, then the order of the route."""
    assert chosen(accept, OFFERED) == form


@pytest.mark.parametrize(
    "accept", ["image/png", "application/json;q=0", "*/*;q=0", "nonsense", ",", "*/json"]
)
def test_when_nothing_is_liked_that_is_said(accept: str) -> None:
    """406."""
    with pytest.raises(Rejected, match="to be had as") as refused:
        chosen(accept, OFFERED)
    assert refused.value.code == "not_acceptable"


def test_no_long_header_is_kept() -> None:
    """Answers are remembered for what browsers send; anybody could send many long ones."""
    before = negotiation._chosen.cache_info().currsize
    assert chosen("text/event-stream," + " " * LONGEST_KEPT + "*/*;q=0.1", OFFERED) == "text/event-stream"
    assert negotiation._chosen.cache_info().currsize == before
