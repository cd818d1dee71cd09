"""The files of the web client: how they are served, how many bytes they are, and whether every text has its words."""

from __future__ import annotations

import gzip
import re
from importlib import resources
from pathlib import Path

import httpx
import pytest
from tests.http.conftest import chance, client, same_cards_in_every_run, server
from tests.http.playing import assert_problem

__all__ = ["chance", "client", "same_cards_in_every_run", "server"]

WEB = Path(str(resources.files("meldlog_web")))
BUDGET = 250_000
"""Bytes of the whole client, compressed."""
IMPORT = re.compile(r'(?:from|import)\s*\(?"(\.[^"]+)"')
KEY = re.compile(r'(?:say|term)\(\s*"([^"`$]+)"|\? "([a-z_]+\.[a-z_.]+)" : "([a-z_]+\.[a-z_.]+)"')


def addresses(client: httpx.Client) -> list[str]:
    """Everything that the page names."""
    return re.findall(r'(?:src|href)="(/assets/[^"]+)"', client.get("/").text)


def test_all_that_the_page_names_is_there_and_kept_for_ever(client: httpx.Client) -> None:
    """Addresses change with contents, so a browser never asks again."""
    named = addresses(client)
    assert any(address.endswith("/app/main.js") for address in named)
    for address in named:
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        kind = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}[
            address.rpartition(".")[2]
        ]
        assert answer.headers["content-type"].startswith(kind)
        assert answer.headers["vary"] == "Accept-Encoding"


def test_files_are_zipped_for_who_can_take_it(client: httpx.Client) -> None:
    """And are the same."""
    address = next(one for one in addresses(client) if one.endswith("/app/main.js"))
    plain = client.get(address, headers={"Accept-Encoding": "identity"})
    zipped = client.get(address, headers={"Accept-Encoding": "gzip"})

    assert "content-encoding" not in plain.headers
    assert zipped.headers["content-encoding"] == "gzip"
    assert zipped.content == plain.content == (WEB / "app" / "main.js").read_bytes()
    assert int(zipped.headers["content-length"]) < len(plain.content)


def test_the_page_is_asked_for_anew_and_sent_once(client: httpx.Client) -> None:
    """A new release is seen at once; the same page is not sent again."""
    page = client.get("/")
    again = client.get("/", headers={"If-None-Match": page.headers["etag"]})

    assert page.headers["cache-control"] == "no-cache"
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path",
    [
        "app/nothing.js",
        "../index.html",
        "..%2findex.html",
        "app/../../__init__.py",
        "%2e%2e/__init__.py",
        "__init__.py",
        "/etc/passwd",
        "app",
    ],
)
def test_nothing_else_is_served(client: httpx.Client, path: str) -> None:
    """What is asked for is looked up among the files; no path leads anywhere."""
    main = next(one for one in addresses(client) if one.endswith("/app/main.js"))
    base = main.removesuffix("app/main.js")
    assert_problem(client.get(base + path), 404, "not_found")


def test_files_of_another_release_are_not_there(client: httpx.Client) -> None:
    """Modules of two releases are never mixed."""
    assert_problem(client.get("/assets/0123456789abcdef/app/main.js"), 404, "not_found")


def test_the_whole_client_is_small() -> None:
    """All modules, languages, styles and figures, as they are sent."""
    files = [path for path in WEB.rglob("*") if path.suffix in (".js", ".css", ".svg", ".html")]
    size = sum(len(gzip.compress(path.read_bytes(), 9)) for path in files)
    assert size < BUDGET


def test_modules_import_only_what_lies_beside_them() -> None:
    """Every import leads to a file; none leads to another host."""
    for path in WEB.rglob("*.js"):
        if "static" in path.parts:
            continue
        for address in IMPORT.findall(path.read_text("utf-8")):
            assert (path.parent / address).is_file(), f"{path.name} imports {address}"


def test_every_text_that_is_said_has_words() -> None:
    """In English; that the other languages have them too is tested in the browser."""
    known = set(re.findall(r'^  "?([\w.@-]+)"?:', (WEB / "app/words/en.js").read_text("utf-8"), re.MULTILINE))
    said = {
        key
        for path in (WEB / "app").glob("*.js")
        for found in KEY.findall(path.read_text("utf-8"))
        for key in found
        if key
    }
    assert len(said) > 100
    # What is told of somebody is also told of the reader.
    assert sorted(said - known) == []


def test_what_is_vendored_comes_with_its_licence() -> None:
    """Its version is that of the pinned package."""
    licences = (WEB / "vendor" / "licences.txt").read_text("utf-8")
    pinned = (Path(__file__).parents[2] / "scripts" / "vendor" / "package.json").read_text("utf-8")
    for name in ("preact", "htm", "@letele/playing-cards"):
        version = re.search(rf'"{name}": "([\d.]+)"', pinned)
        assert version is not None
        assert f"{name} {version.group(1)} (" in licences
