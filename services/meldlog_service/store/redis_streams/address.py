"""Where a server is and how to be let in: what the parts of a URL mean."""

import ssl
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec
from msgspec.structs import replace

PORT = 6379

_TLS_OPTIONS = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs", "ssl_check_hostname")
_OPTIONS = ("db", "username", "password", *_TLS_OPTIONS)


class Address(msgspec.Struct, frozen=True):
    """One server, and the login that it wants."""

    host: str = ""
    port: int = PORT
    path: str = ""
    """Of the Unix socket; empty for TCP."""
    username: str = ""
    password: str = ""
    db: int = 0
    tls: ssl.SSLContext | None = None

    def __str__(self) -> str:
        """The place; never the password."""
        return self.path or f"{self.host}:{self.port}"

    __repr__ = __str__


def address_of(url: str) -> Address:
    """Read `redis://[user:password@]host:port/db`, `rediss://…` (TLS) or `unix:///path/to/socket?db=0`.

    The query may hold `db`, `username`, `password`, and for TLS `ssl_ca_certs`, `ssl_certfile`, `ssl_keyfile`,
    `ssl_cert_reqs=none` and `ssl_check_hostname=false`.

    Raises:
        ValueError: for any other form, with what is wrong.
    """
    parts = urlsplit(url)
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    if unknown := sorted(options.keys() - set(_OPTIONS)):
        raise ValueError(f"a Redis URL has no option {', '.join(unknown)}")
    login = Address(
        username=unquote(parts.username or "") or options.get("username", ""),
        password=unquote(parts.password or "") or options.get("password", ""),
        db=_number(options.get("db") or "0"),
    )
    match parts.scheme:
        case "unix" if parts.path:
            return replace(login, path=unquote(parts.path))
        case "redis" | "rediss" if parts.hostname:
            return replace(
                login,
                host=unquote(parts.hostname),
                port=parts.port or PORT,
                db=login.db or _number(parts.path.strip("/") or "0"),
                tls=_tls(options) if parts.scheme == "rediss" else None,
            )
        case _:
            raise ValueError(
                "a Redis URL is redis://host:port/db, rediss://host:port/db or unix:///path/to/socket"
            )


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise ValueError(f"a Redis URL names its database by a number, not by {text!r}")
    return int(text)


def _tls(options: dict[str, str]) -> ssl.SSLContext:
    """Trust in a server's certificate: the system's authorities, unless the URL names others."""
    try:
        context = ssl.create_default_context(cafile=options.get("ssl_ca_certs"))
        if "ssl_certfile" in options:
            context.load_cert_chain(options["ssl_certfile"], options.get("ssl_keyfile"))
    except OSError as error:
        raise ValueError(f"the certificates that the Redis URL names cannot be used: {error}") from error
    if options.get("ssl_check_hostname", "true").lower() in {"false", "no", "0"}:
        context.check_hostname = False
    match options.get("ssl_cert_reqs", "required"):
        case "required":
            pass
        case "none":
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        case other:
            raise ValueError(f"ssl_cert_reqs is required or none, not {other!r}")
    return context
