"""A proxy that does to a connection what networks do: cut it, hold it, lose an answer."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path


class Proxy:
    """Stands before a server's Unix socket and listens on a TCP port."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self._writers: set[asyncio.StreamWriter] = set()
        self._refuse_requests = False
        self._trap: tuple[bytes, bool] | None = None
        self._open = asyncio.Event()
        self._open.set()
        self.url = ""
        self.sprung = asyncio.Event()
        """Set when the trap of `cut_at` caught something."""

    def cut_at(self, request: bytes, *, delivered: bool) -> None:
        """Cut the connection that next carries a request with these bytes.

        Args:
            request: Some of its bytes.
            delivered: Whether the server gets it, so that only the answer is lost.
        """
        self._trap = (request, delivered)

    def cut(self) -> None:
        """Cut every connection now."""
        for writer in list(self._writers):
            writer.transport.abort()

    def hold(self) -> None:
        """Let nothing through until `release`."""
        self._open.clear()

    def release(self) -> None:
        """Let everything through again."""
        self._open.set()

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one client's bytes to the server and back."""
        server_reader, server_writer = await asyncio.open_unix_connection(str(self._socket))
        self._writers |= {writer, server_writer}
        try:
            async with asyncio.TaskGroup() as group:
                lost_answer = asyncio.Event()
                group.create_task(self._carry(server_reader, writer, lost_answer))
                await self._carry_requests(reader, server_writer, writer, lost_answer)
        finally:
            self._writers -= {writer, server_writer}
            for each in (writer, server_writer):
                each.transport.abort()

    async def _carry_requests(
        self,
        reader: asyncio.StreamReader,
        server: asyncio.StreamWriter,
        client: asyncio.StreamWriter,
        lost_answer: asyncio.Event,
    ) -> None:
        while data := await _read(reader):
            await self._open.wait()
            if self._trap is not None and self._trap[0] in data:
                _, delivered = self._trap
                self._trap = None
                if not delivered:
                    client.transport.abort()
                    self.sprung.set()
                    break
                lost_answer.set()
            server.write(data)
        server.close()

    async def _carry(
        self, reader: asyncio.StreamReader, client: asyncio.StreamWriter, lost_answer: asyncio.Event
    ) -> None:
        while data := await _read(reader):
            await self._open.wait()
            if lost_answer.is_set():
                # The server has answered, so it has done what it was asked; nobody will hear of it.
                self.sprung.set()
                break
            client.write(data)
        client.transport.abort()


async def _read(reader: asyncio.StreamReader) -> bytes:
    """Some bytes; none when the connection has ended in whatever way."""
    try:
        return await reader.read(1 << 20)
    except ConnectionError:
        return b""


@asynccontextmanager
async def proxy_to(socket: Path) -> AsyncIterator[Proxy]:
    """A proxy to a server's Unix socket."""
    proxy = Proxy(socket)
    listener = await asyncio.start_server(proxy.connect, "127.0.0.1", 0)
    proxy.url = f"redis://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        proxy.release()
        listener.close()
        proxy.cut()
        await listener.wait_closed()
