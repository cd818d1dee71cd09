"""What every page for people is sent with."""

from __future__ import annotations

STRICT = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
CLOSED = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
PAGE_HEADERS = {
    "Content-Security-Policy": STRICT + CLOSED,
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
"""A page takes everything from this service and nothing from elsewhere, and runs no script that stands in it."""
