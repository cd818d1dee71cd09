"""Servers for tests: an embedded one, bare ones with any options, and a real Redis where there is one."""

import asyncio
import os
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from random import randrange
from time import monotonic, sleep
from types import TracebackType
from typing import Any, Self, TypeAlias
from urllib.parse import quote, urlsplit

import redis

from meldlog_service.settings import Durability
from meldlog_service.store.embedded import EmbeddedServer
from meldlog_service.store.embedded.asking import ask
from meldlog_service.store.embedded.binary import server_binary

REDIS_URL = "MELDLOG_TEST_REDIS_URL"
"""A Redis or Valkey server that tests may empty; each process of the test run uses a database of its own."""

OWN_PORTS = 20_000, 32_000
"""Below the ports that Linux and macOS give to outgoing connections."""

CONTAINER_IMAGE = "redis:7"

Options: TypeAlias = Mapping[str, str | tuple[str, ...]]


@contextmanager
def embedded_server(folder: Path, durability: str = "process") -> Iterator[EmbeddedServer]:
    """The server that `meldlog serve` starts, in a folder of the test's."""
    with EmbeddedServer(folder, Durability.parse(durability)) as server:
        yield server


class BareServer:
    """A server program run with the options of a test, and nobody to look after it; a context manager.

    Args:
        folder: Its own; made when it is missing.
        options: Of its configuration; a tuple where an option takes several words.
        port: Whether it listens on a TCP port as well as on its Unix socket.
        first: Words that come first on its command line.
    """

    def __init__(
        self, folder: Path, options: Options | None = None, *, port: bool = False, first: Sequence[str] = ()
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port() if port else 0
        # The path of a socket may not be long; the server is started in the folder.
        self.socket = folder / "s"
        settings: Options = {
            "save": "",
            "port": str(self.port),
            "unixsocket": "s",
            "logfile": "server.log",
            "dir": ".",
            "repl-diskless-sync-delay": "0",
        }
        self._folder = folder
        self._command = [str(server_binary()), *first]
        for name, value in {**settings, **(options or {})}.items():
            self._command += [f"--{name}", *((value,) if isinstance(value, str) else value)]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it listens: by TCP if it has a port."""
        return f"redis://127.0.0.1:{self.port}" if self.port else f"unix://{quote(str(self.socket))}"

    @property
    def client(self) -> Any:
        """A blocking client, to look behind the scenes."""
        return redis.Redis.from_url(self.url, decode_responses=True)

    def start(self) -> None:
        """Run it, and return when it answers."""
        self._process = subprocess.Popen(self._command, cwd=self._folder, stdout=subprocess.DEVNULL)
        until = monotonic() + 10
        while ask(self.socket, "PING") is None:
            if self._process.poll() is not None or monotonic() > until:
                self.kill()
                raise AssertionError(f"{self._command} does not run: see {self._folder}/server.log")
            sleep(0.003)

    def kill(self) -> None:
        """End it at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Kill."""
        self.kill()


async def eventually(happened: Callable[[], object], seconds: float = 10.0) -> None:
    """Return when something has happened that nobody tells of; it must within some seconds."""
    async with asyncio.timeout(seconds):
        while not happened():  # noqa: ASYNC110 (there is no event to wait for)
            await asyncio.sleep(0.003)


def free_port() -> int:
    """A TCP port that nobody listens on now.

    Not one of those that the system gives out: another test's connection could have it a moment later.
    """
    while True:
        port = randrange(*OWN_PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port


@cache
def container_engine() -> bool:
    """Whether a container engine answers."""
    place = urlsplit(os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock"))
    unix = place.scheme == "unix"
    with socket.socket(socket.AF_UNIX if unix else socket.AF_INET) as connection:
        connection.settimeout(5)
        try:
            connection.connect(place.path if unix else (place.hostname, place.port))
            connection.sendall(b"GET /_ping HTTP/1.0\r\n\r\n")
            return b" 200 " in connection.recv(100)
        except OSError:
            return False


@contextmanager
def real_redis(process: int) -> Iterator[str]:
    """A real Redis for one process of the test run, by its number: the one that is named, else a container.

    Ask `real_redis_is` first whether there is one.
    """
    if named := os.environ.get(REDIS_URL):
        yield f"{named.partition('?')[0]}?db={process}"
        return
    from testcontainers.community.redis import RedisContainer  # noqa: PLC0415 (it wants a container engine)

    with RedisContainer(CONTAINER_IMAGE) as container:
        yield f"redis://{container.get_container_host_ip()}:{container.get_exposed_port(6379)}/0"


def real_redis_is() -> str | None:
    """Which real Redis the tests use, in words; None where there is none."""
    if os.environ.get(REDIS_URL):
        return f"the server of {REDIS_URL}"
    return f"a container of {CONTAINER_IMAGE}" if container_engine() else None


def report() -> str:
    """One line for the head of the test report: what the store's promises are kept on."""
    stores = "memory, the embedded Valkey and a cluster of two such Valkeys"
    if (real := real_redis_is()) is not None:
        return f"stores: {stores}, and a real Redis: {real}"
    return (
        f"stores: {stores}; no other Redis, since {REDIS_URL} is unset and no container engine answers: "
        "the embedded Valkey alone stands for a real server"
    )
