"""Pages for people: the API's pages, and what each problem means."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from html import escape
from importlib import resources
from typing import Any

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.params import FromPath
from msgspec import Struct

from meldlog_service.http.negotiation import HTML, JSON, MARKDOWN, chosen
from meldlog_service.http.page_headers import CLOSED, PAGE_HEADERS, STRICT
from meldlog_service.http.problems import KINDS, Kind, Rejected

# Swagger UI puts styles on elements; it needs no script but its own.
_DOCS_HEADERS = {
    **PAGE_HEADERS,
    "Content-Security-Policy": STRICT.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
    + CLOSED,
}
_DOCS_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Meldlog API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<noscript>These pages need JavaScript; <a href="/schema/openapi.json">the description itself</a> does not.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"""
# No validator: it would be asked on another host.
_DOCS_START = """SwaggerUIBundle({
  url: "/schema/openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
"""
_ASSETS = {
    "swagger-ui.css": "text/css",
    "swagger-ui-bundle.js": "text/javascript",
}


@get("/docs", include_in_schema=False, sync_to_thread=False)
def docs(request: Request[Any, Any, State]) -> Response[str]:
    """The API's pages, working without the internet."""
    chosen(request.headers.get("accept"), (HTML,))
    return Response(_DOCS_PAGE, media_type=HTML, headers=_DOCS_HEADERS)


@get("/docs/{name:str}", include_in_schema=False, sync_to_thread=False)
def docs_asset(request: Request[Any, Any, State], name: FromPath[str]) -> Response[bytes]:
    """What the API's pages are made of."""
    if name == "start.js":
        return Response(_DOCS_START.encode(), media_type="text/javascript")
    if name not in _ASSETS:
        raise Rejected("not_found", "the API's pages have no such part")
    content, tag = _asset(name)
    headers = {"ETag": tag, "Cache-Control": "public, max-age=86400"}
    if request.headers.get("if-none-match") == tag:
        return Response(b"", status_code=304, headers=headers)
    return Response(content, media_type=_ASSETS[name], headers=headers)


@lru_cache(maxsize=len(_ASSETS))
def _asset(name: str) -> tuple[bytes, str]:
    [folder] = resources.files("swagger_ui_bundle").joinpath("vendor").iterdir()
    content = folder.joinpath(name).read_bytes()
    return content, f'"{hashlib.sha256(content).hexdigest()[:16]}"'


class ProblemKind(Struct, frozen=True):
    """What a problem's `type` leads to."""

    code: str
    status: int
    title: str
    about: str


class ProblemKinds(Struct, frozen=True):
    """Every code."""

    items: tuple[ProblemKind, ...]


def _kind(code: str, kind: Kind) -> ProblemKind:
    return ProblemKind(code, kind.status, kind.title, kind.about)


@get("/problems", include_in_schema=False, sync_to_thread=False)
def list_problems() -> ProblemKinds:
    """List every code."""
    return ProblemKinds(tuple(_kind(code, kind) for code, kind in KINDS.items()))


@get("/problems/{code:str}", include_in_schema=False, sync_to_thread=False)
def show_problem(request: Request[Any, Any, State], code: FromPath[str]) -> Response[Any]:
    """Say what a code means: the page that a problem's `type` leads to."""
    kind = KINDS.get(code)
    if kind is None:
        raise Rejected("not_found", "there is no problem of this name")
    form = chosen(request.headers.get("accept"), (JSON, HTML, MARKDOWN))
    headers = {"Cache-Control": "public, max-age=3600", "Vary": "Accept"}
    if form == JSON:
        return Response(_kind(code, kind), headers=headers)
    if form == MARKDOWN:
        text = f"# {kind.title}\n\n`{code}`, status {kind.status}. {kind.about}\n"
        return Response(text, media_type=MARKDOWN, headers=headers)
    about = escape(kind.about).replace("`", "")
    title = escape(kind.title)
    page = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>\n'
        f"<body><h1>{title}</h1>\n<p><code>{code}</code>, status {kind.status}. {about}</p></body></html>\n"
    )
    return Response(page, media_type=HTML, headers={**PAGE_HEADERS, **headers})
