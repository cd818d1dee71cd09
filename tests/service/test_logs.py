"""Logs tell one thing in one line, and never a secret."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from typing import Literal
from urllib.parse import quote, unquote

import pytest
import structlog

from meldlog_service.app.seats import new_token
from meldlog_service.logs import CanonicalLine, configure, hiding, never_tell, without_secrets

Form = Literal["console", "json"]
TOKEN = "tok-3f9a"


@pytest.fixture
def logged() -> Iterator[Callable[[Form], io.StringIO]]:
    """Sets logging up to write to a buffer, and puts it back as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level

    def start(form: Form) -> io.StringIO:
        structlog.reset_defaults()
        stream = io.StringIO()
        configure("info", form, stream)
        return stream

    yield start
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)


def test_a_command_is_one_line_with_all_that_was_said(logged: Callable[[Form], io.StringIO]) -> None:
    """A field said twice keeps its last value, and the time taken is added."""
    stream = logged("json")
    ticks = iter([1.0, 1.25])
    with CanonicalLine("command", clock=lambda: next(ticks), game_id="g1", outcome="failed") as line:
        line.add(version=7, outcome="accepted")
    [told] = [json.loads(text) for text in stream.getvalue().splitlines()]
    at = told.pop("at")
    assert at.endswith("Z")
    assert told == {
        "event": "command",
        "game_id": "g1",
        "level": "info",
        "ms": 250.0,
        "outcome": "accepted",
        "version": 7,
    }


def test_a_line_can_be_raised_to_a_warning(logged: Callable[[Form], io.StringIO]) -> None:
    """For what an operator should look at though nothing failed."""
    stream = logged("json")
    with CanonicalLine("audit") as line:
        line.raise_level("warning")
    assert json.loads(stream.getvalue())["level"] == "warning"


def test_an_exception_is_logged_and_goes_on(logged: Callable[[Form], io.StringIO]) -> None:
    """Logging swallows nothing."""
    stream = logged("json")
    with pytest.raises(ZeroDivisionError), CanonicalLine("command"):
        raise ZeroDivisionError
    told = json.loads(stream.getvalue())
    assert (told["level"], told["exception"][0]["exc_type"]) == ("error", "ZeroDivisionError")


def test_a_cancelled_request_is_no_error(logged: Callable[[Form], io.StringIO]) -> None:
    """A caller who went away is not a fault of the service."""
    stream = logged("json")
    with pytest.raises(KeyboardInterrupt), CanonicalLine("request"):
        raise KeyboardInterrupt
    told = json.loads(stream.getvalue())
    assert (told["level"], told["cancelled"]) == ("info", "KeyboardInterrupt")


@pytest.mark.parametrize("form", ["console", "json"])
def test_no_token_reaches_a_line(form: Form, logged: Callable[[Form], io.StringIO]) -> None:
    """By name, inside a text, inside a nested value, in an exception, from a library."""
    stream = logged(form)
    log = structlog.get_logger()
    log.info(
        "request",
        seat_token=TOKEN,
        path=f"/?token={TOKEN}&at=3",
        headers={"Authorization": f"Bearer {TOKEN}"},
    )
    log.info("created", lines=[f"authorization: bearer {TOKEN}"])
    logging.getLogger("library").warning("sent %s", f"Bearer {TOKEN}")
    local = TOKEN
    with pytest.raises(ValueError, match="Bearer"), CanonicalLine("command"):
        raise ValueError(f"Bearer {local}")
    told = stream.getvalue()
    assert TOKEN not in told
    assert "at=3" in told


def test_libraries_log_in_the_same_form(logged: Callable[[Form], io.StringIO]) -> None:
    """A line from `logging` has the same fields, and the name of its logger."""
    stream = logged("json")
    logging.getLogger("uvicorn.error").info("Started on %s", "port 1")
    told = json.loads(stream.getvalue())
    assert (told["event"], told["level"], told["logger"]) == ("Started on port 1", "info", "uvicorn.error")


def test_less_severe_lines_are_left_out(logged: Callable[[Form], io.StringIO]) -> None:
    """The level holds for our own lines and for those of libraries."""
    stream = logged("json")
    structlog.get_logger().debug("detail")
    logging.getLogger("library").debug("detail")
    logging.getLogger("uvicorn.access").info("GET /")
    assert stream.getvalue() == ""


def test_what_is_bound_to_a_request_is_in_each_of_its_lines(logged: Callable[[Form], io.StringIO]) -> None:
    """So that the lines of one request can be found by its id."""
    stream = logged("json")
    with structlog.contextvars.bound_contextvars(request_id="r1"):
        structlog.get_logger().info("one")
        logging.getLogger("library").warning("two")
    assert [json.loads(text)["request_id"] for text in stream.getvalue().splitlines()] == ["r1", "r1"]


def test_what_json_cannot_hold_is_told_by_its_repr(logged: Callable[[Form], io.StringIO]) -> None:
    """A line is never lost to the type of a value."""
    stream = logged("json")
    structlog.get_logger().info("odd", value=complex(1, 2))
    assert json.loads(stream.getvalue())["value"] == "(1+2j)"


ODD = {
    "escape": "\x1b[2J\x1b[31mPWNED",
    "c0": "a\x00b\x07c",
    "delete": "a\x7fb",
    "c1": "\x9b31mPWNED",
    "override": "abc\u202egnp.exe",
    "isolate": "a\u2066b",
    "line separator": "a\u2028b",
    "tag": "a\U000e0041b",
    "line end": "fine\n2026-01-01T00:00:00Z [info     ] forged",
    "return": "fine\rforged",
}
"""Texts that a terminal would obey, or show as what they are not."""


@pytest.mark.parametrize("form", ["console", "json"])
@pytest.mark.parametrize("odd", ODD.values(), ids=ODD.keys())
def test_no_text_reaches_a_terminal_raw(form: Form, odd: str, logged: Callable[[Form], io.StringIO]) -> None:
    """As a field, within others, as the event, from a library, in an exception: one line, all of it visible."""
    stream = logged(form)
    log = structlog.get_logger()
    log.info("request", path=odd)
    log.info("request", headers={"name": odd, odd: 1}, items=[odd])
    log.info(odd)
    logging.getLogger("library").warning("got %s", odd)
    told = stream.getvalue()
    assert len(told.splitlines()) == told.count("\n") == 4
    assert all(line.isprintable() for line in told.split("\n"))
    if form == "json":
        first, second, third, fourth = map(json.loads, told.splitlines())
        assert (first["path"], second["headers"]) == (odd, {"name": odd, odd: 1})
        assert (third["event"], fourth["event"]) == (odd, f"got {odd}")


def test_an_exception_keeps_its_lines_and_nothing_else(logged: Callable[[Form], io.StringIO]) -> None:
    """The traceback for people is of many lines; what the exception says is as harmless as every text."""
    stream = logged("console")
    with pytest.raises(ValueError, match="PWNED"), CanonicalLine("command"):
        raise ValueError(ODD["escape"] + ODD["c1"])
    told = stream.getvalue()
    assert "Traceback (most recent call last):\n" in told
    assert all(line.isprintable() for line in told.split("\n"))
    assert r"\u001b[2J" in told


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/v1/games/abc", "path=/v1/games/abc"),
        ("/سلام", "path=/سلام"),
        ("/v1/\x1b[2J", r"path=/v1/\u001b[2J"),
        ("/\x1b level=error", r'path="/\u001b level=error"'),
        ("/\U000e0041", r"path=/\udb40\udc41"),
    ],
)
def test_what_can_be_read_stays_as_it_is(path: str, told: str, logged: Callable[[Form], io.StringIO]) -> None:
    """In any script; what is escaped can't be taken for two fields."""
    stream = logged("console")
    structlog.get_logger().info("request", path=path)
    assert stream.getvalue().rstrip("\n").endswith(told)


@pytest.mark.parametrize("form", ["console", "json"])
def test_a_token_pasted_into_a_url_reaches_no_line(form: Form, logged: Callable[[Form], io.StringIO]) -> None:
    """Where a game's id should stand."""
    stream = logged(form)
    token = new_token()
    structlog.get_logger().info("request", game_id=token, path=f"/v1/games/{token}/x")
    told = stream.getvalue()
    assert token not in told
    assert token.removeprefix("mt_") not in told
    assert "/v1/games/(hidden)/x" in told


@pytest.mark.parametrize("form", ["console", "json"])
@pytest.mark.parametrize("secret", ["swordfish", "p@ss/w:rd", "100%sure", 'a"b', "se+cret=(x)"])
def test_a_secret_of_any_form_that_is_known_reaches_no_line(
    form: Form, secret: str, logged: Callable[[Form], io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An operator chooses a token freely, and pastes it anywhere: as it is or as it stands in a URL."""
    monkeypatch.setattr(hiding, "_known", set())
    never_tell(secret)
    stream = logged(form)
    spelt = [secret, quote(secret), quote(secret, safe=""), unquote(secret)]
    for text in spelt:
        with CanonicalLine("request", path=f"/v1/games/{text}/x", request_id=text) as line:
            line.add(where=[text, (text,), {"of": text}])
        structlog.get_logger().warning("request", game_id=text)
    told = stream.getvalue()
    assert told.count("(hidden)") == 6 * len(spelt)
    assert not [text for text in spelt if text in told]


def test_of_two_secrets_the_longer_is_hidden_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """One may begin like another."""
    monkeypatch.setattr(hiding, "_known", set())
    never_tell("sword")
    never_tell("swordfish")
    assert (
        without_secrets("/swordfish/sword/seat_mt_0123456789abcdef0123") == "/(hidden)/(hidden)/seat_(hidden)"
    )
