"""What can be set: one frozen struct, read from the environment, with every fault told at once."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, get_type_hints
from urllib.parse import urlsplit, urlunsplit

import msgspec
from msgspec import Meta

from meldlog_service.expected import Expected

PREFIX = "MELDLOG_"
TEST_PREFIX = "MELDLOG_TEST_"
"""Variables that only the tests read; the service passes over them."""

HIDDEN = "(hidden)"


class InvalidSettingsError(ValueError):
    """Some settings cannot be used; `faults` says, for every one of them, which variable and why."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(["These settings cannot be used:", *(f"  {fault}" for fault in faults)]))


class Durability(msgspec.Struct, frozen=True):
    """When a command counts as stored and is answered."""

    kind: Literal["process", "fsync", "replicas"]
    """`process`: the store's process has the write; `fsync`: it is on the store's disk (`WAITAOF 1 0`);
    `replicas`: that many replicas have it as well."""
    replicas: int = 0
    """How many replicas must have a write; 0 unless `kind` is `replicas`."""

    @classmethod
    def parse(cls, text: str) -> "Durability":
        """Read `process`, `fsync` or `replicas=N` with N from 1; ValueError for anything else."""
        match text.split("="):
            case ["process"]:
                return cls("process")
            case ["fsync"]:
                return cls("fsync")
            case ["replicas", number] if _is_count(number):
                return cls("replicas", int(number))
            case _:
                raise ValueError("Expected process, fsync or replicas=N with N from 1")

    def __str__(self) -> str:
        """The text it was read from."""
        return f"replicas={self.replicas}" if self.kind == "replicas" else self.kind


class RateLimit(msgspec.Struct, frozen=True):
    """A token bucket for each client address: it holds one second's requests and fills at that rate."""

    per_second: int
    """Requests a second, and as many at once."""

    @classmethod
    def parse(cls, text: str) -> "RateLimit | None":
        """Read `N/second` with N from 1, or `off` for None; ValueError for anything else."""
        match text.split("/"):
            case ["off"]:
                return None
            case [number, "second"] if _is_count(number):
                return cls(int(number))
            case _:
                raise ValueError("Expected N/second with N from 1, or off")

    def __str__(self) -> str:
        """The text it was read from."""
        return f"{self.per_second}/second"


class Age(msgspec.Struct, frozen=True):
    """How long ago something was."""

    text: str
    """As it was given."""
    seconds: int

    @classmethod
    def parse(cls, text: str) -> "Age":
        """Read seconds, minutes, hours or days, as in `90s`, `15m`, `12h`, `30d`; ValueError for anything else."""
        number, unit = text[:-1], text[-1:]
        if unit not in _UNITS or not (number.isascii() and number.isdecimal()):
            raise ValueError("Expected a number and s, m, h or d, as in 30d")
        return cls(text, int(number) * _UNITS[unit])

    def __str__(self) -> str:
        """The text it was read from."""
        return self.text


_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and int(text) > 0


def _note(text: str) -> Meta:
    """What a setting means, with its unit, for the help and the documentation."""
    return Meta(description=text)


Text: TypeAlias = Annotated[str, Meta(min_length=1)]
Token: TypeAlias = Annotated[
    str, Meta(pattern=r"^[!-~]+$", extra={"hint": "printable characters of ASCII without spaces"})
]
WebUrl: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^https?://.*[^/]$",
        extra={"hint": "a URL that begins with http:// or https:// and has no slash at its end"},
    ),
]
RedisUrl: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^(rediss?(\+sentinel|\+cluster)?|unix)://",
        extra={
            "hint": "a URL that begins with redis://, rediss://, redis+sentinel://, redis+cluster:// or unix://"
        },
    ),
]
Port: TypeAlias = Annotated[int, Meta(ge=0, le=65_535)]
Count: TypeAlias = Annotated[int, Meta(ge=1)]
Bytes: TypeAlias = Annotated[int, Meta(ge=1024)]
Seconds: TypeAlias = Annotated[int, Meta(ge=0)]
LogLevel: TypeAlias = Literal["debug", "info", "warning", "error"]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a service that can be set; the field `host` is the variable `MELDLOG_HOST`, etc."""

    host: Annotated[Text, _note("Address to listen on.")] = "127.0.0.1"
    port: Annotated[Port, _note("TCP port to listen on; 0 takes any free one.")] = 8000
    workers: Annotated[Count, _note("Worker processes that share the port.")] = 1
    public_url: Annotated[
        WebUrl | None, _note("The service's URL as users see it behind a proxy; no slash at its end.")
    ] = None
    trusted_proxies: Annotated[
        Text | None, _note("Proxies whose X-Forwarded-For is believed: addresses with commas between, or *.")
    ] = None
    data_dir: Annotated[Path, _note("Folder of the embedded store; made when missing.")] = Path("data")
    redis_url: Annotated[
        RedisUrl | None, _note("A Redis or Valkey server of your own; unset starts the embedded store.")
    ] = None
    durability: Annotated[
        Durability, _note("What a write waits for before its answer: process, fsync or replicas=N.")
    ] = Durability("process")
    archive_url: Annotated[
        Text | None,
        _note(
            "Where finished games are archived: a folder, or a URL that fsspec knows. Unset, with the embedded store: "
            "archive in the data folder."
        ),
    ] = None
    archive_after: Annotated[
        Age | None,
        _note(
            "Age from which a finished game is archived by itself, as 30d or 12h; unset: only by meldlog archive."
        ),
    ] = None
    operator_token: Annotated[
        Token | None, _note("The operator's bearer token; unset makes a random one and prints it at start.")
    ] = None
    create: Annotated[Literal["anybody", "operator"], _note("Who may create games: anybody or operator.")] = (
        "anybody"
    )
    body_limit: Annotated[Bytes, _note("Largest request body, in bytes.")] = 65_536
    import_limit: Annotated[Bytes, _note("Largest log that can be imported over HTTP, in bytes.")] = (
        33_554_432
    )
    rate_limit: Annotated[
        RateLimit | None, _note("Requests allowed for each client address: N/second, or off.")
    ] = None
    cache_tables: Annotated[
        Count, _note("Tables that a worker keeps folded in memory; the least recently used go first.")
    ] = 10_000
    streams: Annotated[Count, _note("Live streams that a worker holds open at the same time.")] = 5_000
    shutdown_grace: Annotated[
        Seconds, _note("Seconds that open requests get to finish when the service is stopped.")
    ] = 8
    log_level: Annotated[LogLevel, _note("The least severe line that is logged.")] = "info"
    log_format: Annotated[
        Literal["console", "json"], _note("Log lines for people (console) or for machines (json).")
    ] = "console"

    @classmethod
    def from_environment(cls, environ: Mapping[str, str], **overrides: object) -> "Settings":
        """Read the variables `MELDLOG_*`; an override (a command-line option) beats its variable.

        An empty variable and an override of None both mean "not set". Text is parsed as in a variable; a
        value that already has the field's type is taken as it is.

        Raises:
            InvalidSettingsError: with all unknown variables and all values that cannot be used.
            TypeError: for an override that is no field, since that is the caller's mistake.
        """
        if unknown := sorted(overrides.keys() - set(cls.__struct_fields__)):
            raise TypeError(f"no such setting: {', '.join(unknown)}")
        texts: dict[str, object] = {
            name.removeprefix(PREFIX).lower(): text
            for name, text in environ.items()
            if name.startswith(PREFIX) and not name.startswith(TEST_PREFIX) and text != ""
        }
        given = texts | {name: value for name, value in overrides.items() if value is not None}
        values: dict[str, object] = {}
        faults: list[str] = []
        for name, value in sorted(given.items()):
            if name not in cls.__struct_fields__:
                faults.append(f"{variable(name)}: there is no such setting")
                continue
            try:
                values[name] = _read(name, value)
            except ValueError as error:
                faults.append(f"{variable(name)}: {error}{'' if name in _SECRET else f'; it was {value!r}'}")
        if faults:
            raise InvalidSettingsError(faults)
        return msgspec.structs.replace(cls(), **values)

    def to_environment(self) -> dict[str, str]:
        """The variables that make these settings again, to hand to worker processes; with the secrets."""
        fields = msgspec.structs.asdict(self)
        return {variable(name): str(value) for name, value in fields.items() if value is not None}

    def archive_place(self) -> str | None:
        """Where the archive is; None where there is none, with a store of one's own for which none is named."""
        if self.archive_url is None and self.redis_url is None:
            return str(self.data_dir / "archive")
        return self.archive_url

    def public(self) -> dict[str, str | None]:
        """Every setting as text, fit to be logged: tokens and passwords are hidden."""
        texts = self.to_environment()
        shown = {name: texts.get(variable(name)) for name in self.__struct_fields__}
        if self.operator_token is not None:
            shown["operator_token"] = HIDDEN
        for name in ("redis_url", "archive_url"):
            if (url := shown[name]) is not None:
                shown[name] = without_password(url)
        return shown

    def __repr__(self) -> str:
        """As `public` shows them, so that a traceback or a log line never tells a secret."""
        return f"Settings({', '.join(f'{name}={value!r}' for name, value in self.public().items())})"


class SettingHelp(msgspec.Struct, frozen=True):
    """One line of the table of settings."""

    name: str
    variable: str
    default: str | None
    """As text; None where a setting is unset by default."""
    description: str


def describe() -> list[SettingHelp]:
    """All settings in their order, for the command line's help and the documentation."""
    notes = {
        name: kind.__metadata__[-1] for name, kind in get_type_hints(Settings, include_extras=True).items()
    }
    return [
        SettingHelp(name, variable(name), default, notes[name].description)
        for name, default in Settings().public().items()
    ]


def variable(name: str) -> str:
    """The environment variable of a setting: `port` is `MELDLOG_PORT`."""
    return PREFIX + name.upper()


def without_password(url: str) -> str:
    """The URL with its password and its query, where stores and file systems take secrets, hidden."""
    parts = urlsplit(url)
    if parts.password is not None:
        user, _, host = parts.netloc.rpartition("@")
        parts = parts._replace(netloc=f"{user.partition(':')[0]}:{HIDDEN}@{host}")
    return urlunsplit(parts._replace(query=HIDDEN) if parts.query else parts)


_SECRET = frozenset({"archive_url", "operator_token", "redis_url"})
"""Settings whose value a fault must not repeat."""

_TYPES = {field.name: field.type for field in msgspec.structs.fields(Settings)}


_PARSERS: dict[str, Callable[[str], object]] = {
    "archive_after": Age.parse,
    "data_dir": lambda text: Path(text).expanduser(),
    "durability": Durability.parse,
    "rate_limit": RateLimit.parse,
}


def _read(name: str, value: object) -> object:
    """One setting from its text or ready-made value; ValueError says what was expected."""
    if isinstance(value, str) and name in _PARSERS:
        return _PARSERS[name](value)
    try:
        return msgspec.convert(value, _TYPES[name], strict=False)
    except msgspec.ValidationError:
        due = Expected(_TYPES[name])
        raise ValueError(f"Expected {due.hint or due.words(null=False)}") from None
