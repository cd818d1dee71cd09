"""The web client: its page at ``/``, and the files that the page is made of.

Files lie under a name made of all their contents, so a browser keeps them for ever and a new release is fetched whole:
modules that import each other by relative addresses are always of one release.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.params import FromPath

from meldlog_service.http.negotiation import HTML, chosen
from meldlog_service.http.page_headers import PAGE_HEADERS
from meldlog_service.http.problems import Rejected

FILES = "/assets/"
"""Where the files lie; what is asked for here costs nothing but bytes."""
_FOLDERS = ("app", "cards", "style", "vendor", "static")
_TYPES = {
    "js": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml",
    "txt": "text/plain",
}
_FOR_EVER = {
    "Cache-Control": "public, max-age=31536000, immutable",
    # For who opens a picture by itself; the page's own policy governs what it shows.
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Vary": "Accept-Encoding",
}
_PLACE = "{files}"
_PRELOADED = '<link rel="modulepreload" href="{address}">'


class File(NamedTuple):
    """A file as it is sent."""

    media_type: str
    plain: bytes
    zipped: bytes


class Client(NamedTuple):
    """The whole client of this release."""

    release: str
    """Of the contents of all files."""
    page: File
    files: Mapping[str, File]
    """By the path below `FILES` and the release."""


@cache
def client() -> Client:
    """Read the client once; it is some hundred kilobytes and does not change while the service runs."""
    root = resources.files("meldlog_web")
    found = {
        name: file.read_bytes()
        for folder in _FOLDERS
        if root.joinpath(folder).is_dir()
        for name, file in sorted(_below(root.joinpath(folder), folder))
        if name.rpartition(".")[2] in _TYPES
    }
    digest = hashlib.sha256()
    for name, content in found.items():
        digest.update(b"%b %d\n" % (name.encode(), len(content)) + content)
    release = digest.hexdigest()[:16]
    place = f"{FILES}{release}"
    modules = (name for name in found if name.endswith(".js") and "/words/" not in name)
    preloaded = "\n".join(_PRELOADED.format(address=f"{place}/{name}") for name in modules)
    page = root.joinpath("index.html").read_text("utf-8").replace(_PLACE, place)
    page = page.replace("</head>", f"{preloaded}\n</head>")
    return Client(
        release,
        _file(HTML, page.encode()),
        {name: _file(_TYPES[name.rpartition(".")[2]], content) for name, content in found.items()},
    )


def _below(folder: Traversable, name: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        path = f"{name}/{entry.name}"
        if entry.is_dir():
            yield from _below(entry, path)
        else:
            yield path, entry


def _file(media_type: str, content: bytes) -> File:
    return File(media_type, content, gzip.compress(content, 9, mtime=0))


@get("/", include_in_schema=False, sync_to_thread=False)
def home(request: Request[Any, Any, State]) -> Response[bytes]:
    """The table and the replay viewer."""
    chosen(request.headers.get("accept"), (HTML,))
    found = client()
    headers = {**PAGE_HEADERS, "ETag": _etag(found.page), "Vary": "Accept-Encoding"}
    return _sent(request, found.page, headers)


@get(FILES + "{release:str}/{path:path}", include_in_schema=False, sync_to_thread=False)
def web_file(
    request: Request[Any, Any, State], release: FromPath[str], path: FromPath[str]
) -> Response[bytes]:
    """One of the files that the page is made of.

    Raises:
        Rejected: ``not_found``, also for the files of another release.
    """
    found = client()
    file = found.files.get(str(path).removeprefix("/"))
    if file is None or release != found.release:
        raise Rejected("not_found", "the web client of this release has no such file")
    return _sent(request, file, _FOR_EVER)


def _etag(file: File) -> str:
    return f'"{hashlib.sha256(file.plain).hexdigest()[:16]}"'


def _sent(request: Request[Any, Any, State], file: File, headers: Mapping[str, str]) -> Response[bytes]:
    """A file, zipped for who can take it."""
    if request.headers.get("if-none-match") == headers.get("ETag", ""):
        return Response(b"", status_code=304, headers=dict(headers))
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(file.plain, media_type=file.media_type, headers=dict(headers))
    return Response(file.zipped, media_type=file.media_type, headers={**headers, "Content-Encoding": "gzip"})
