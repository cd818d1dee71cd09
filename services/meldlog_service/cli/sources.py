"""Where a log comes from: a file that was exported, a service's store, or a service over HTTP."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click
from msgspec import Struct

from meldlog_service.cli.faults import FOUND_A_FAULT, WRONG_USAGE, Fault
from meldlog_service.cli.reading_settings import default_data_dir, read_settings

if TYPE_CHECKING:
    from meldlog_client import MeldlogClient
    from meldlog_service.settings import Settings

STANDARD_INPUT = "-"
SUFFIXES = (".ndjson", ".jsonl", ".json")
"""What files of logs are called; no id of a game ends so."""


class Source(Struct, frozen=True, kw_only=True):
    """What the options of a command say about where games are."""

    data_dir: str | None = None
    redis_url: str | None = None
    archive_url: str | None = None
    url: str | None = None
    token: str | None = None

    def __post_init__(self) -> None:
        """Check that they say one thing; raises click.UsageError."""
        if self.url is not None and not self.url.startswith(("http://", "https://")):
            raise click.UsageError(f"--url is an address as http://127.0.0.1:8000, not {self.url}")
        if self.url is not None and any((self.data_dir, self.redis_url, self.archive_url)):
            raise click.UsageError(
                "--url asks a service over HTTP: leave --data-dir, --redis-url and --archive-url out"
            )
        if self.url is None and self.token is not None:
            raise click.UsageError("--token belongs to --url: a store is read without one")

    def log(self, game_id: str) -> list[bytes]:
        """The commits of a game; raises Fault."""
        if self.url is None:
            from meldlog_service.cli.stores import read_log, using_store

            return using_store(self.settings(), lambda store: read_log(store, game_id))
        with problems_told(), self.client() as client:
            return list(client.lines(game_id))

    def settings(self) -> Settings:
        """Settings of the service whose store is meant."""
        return read_settings(data_dir=self.data_dir, redis_url=self.redis_url, archive_url=self.archive_url)

    def client(self) -> MeldlogClient:
        """A client of the service at `url`."""
        from meldlog_client import MeldlogClient

        token = self.token if self.token is not None else read_settings().operator_token
        # A person waits for the answer: a service that is not there is told soon.
        return MeldlogClient(str(self.url), token, patience=2.0)


_STORE = (
    click.option(
        "--data-dir",
        metavar="FOLDER",
        help=f"The service's data folder (or `MELDLOG_DATA_DIR`). [default: {default_data_dir()}]",
    ),
    click.option(
        "--redis-url",
        metavar="URL",
        help="The service's Redis or Valkey, where it has one of its own (or `MELDLOG_REDIS_URL`).",
    ),
    click.option(
        "--archive-url",
        metavar="URL",
        help="The service's archive of finished games, a folder or a URL (or `MELDLOG_ARCHIVE_URL`). "
        "[default: `archive` in the data folder]",
    ),
)
_SERVICE = (
    click.option(
        "--url", metavar="URL", help="Ask a running service over HTTP, as in `http://127.0.0.1:8000`."
    ),
    click.option(
        "--token",
        metavar="TOKEN",
        help="With --url: whose eyes. The operator's token is taken from `MELDLOG_OPERATOR_TOKEN` when that is "
        "set; without any token you are a spectator.",
    ),
)


def store_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say whose store is meant; the command is handed a `source`."""
    return _with_source(function, _STORE)


def source_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say whose games are meant; the command is handed a `source`."""
    return _with_source(function, (*_STORE, *_SERVICE))


def _with_source(
    function: Callable[..., None], options: tuple[click.decorators.FC, ...]
) -> Callable[..., None]:
    @wraps(function)
    def with_source(**given: Any) -> None:
        source = Source(**{name: given.pop(name) for name in Source.__struct_fields__ if name in given})
        function(source=source, **given)

    for option in reversed(options):
        with_source = option(with_source)
    return with_source


@contextmanager
def problems_told() -> Iterator[None]:
    """Turn what a client may raise into a Fault."""
    import httpx

    from meldlog_client import MeldlogProblem, MeldlogUnintelligible, MeldlogUnreachable

    try:
        yield
    except MeldlogProblem as problem:
        # Whoever names a game that is not there, or shows a token that opens nothing, has used the command wrongly.
        wrong_usage = problem.status in (
            httpx.codes.NOT_FOUND,
            httpx.codes.UNAUTHORIZED,
            httpx.codes.FORBIDDEN,
        )
        raise Fault(
            f"the service answers: {problem}", WRONG_USAGE if wrong_usage else FOUND_A_FAULT
        ) from problem
    except (MeldlogUnreachable, MeldlogUnintelligible) as error:
        raise Fault(str(error)) from error
    except httpx.InvalidURL as error:
        raise Fault(f"--url is no address of a service: {error}", WRONG_USAGE) from error


def is_file(name: str) -> bool:
    """Whether an argument names a file of a log rather than a game."""
    return name == STANDARD_INPUT or "/" in name or name.endswith(SUFFIXES) or Path(name).is_file()


def read_file(name: str) -> list[bytes]:
    """The commits in a file (or, for `-`, in standard input), one a line; raises Fault."""
    try:
        data = sys.stdin.buffer.read() if name == STANDARD_INPUT else Path(name).read_bytes()
    except OSError as error:
        raise Fault(f"{name} cannot be read: {error.strerror}", WRONG_USAGE) from error
    lines = data.split(b"\n")
    return lines[:-1] if lines[-1] == b"" else lines
