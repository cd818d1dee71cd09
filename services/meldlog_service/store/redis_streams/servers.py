"""The servers behind a store: which of them has a partition, and how to ask it."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence

from meldlog_service.store.event_store import StoreUnavailable
from meldlog_service.store.redis_streams.batcher import Batcher
from meldlog_service.store.redis_streams.line import Line, Patience
from meldlog_service.store.redis_streams.link import Link
from meldlog_service.store.redis_streams.replies import NOT_HERE, NOT_NOW, Lost, Reply, ServerSaid
from meldlog_service.store.redis_streams.script import pack


class Node:
    """One server that takes writes.

    Args:
        dial: Opens a connection to it.
        appends: Makes what batches the appends to it, on a line of its own.
        seconds: How long an answer may take.
    """

    def __init__(
        self, dial: Callable[[], Awaitable[Link]], appends: Callable[[Line], Batcher], seconds: float
    ) -> None:
        self.dial = dial
        self.appends = appends(Line(dial))
        self._reads = Line(dial)
        self._seconds = seconds

    async def ask(self, commands: Sequence[bytes]) -> list[Reply]:
        """The answers to commands that may be repeated without harm; raises StoreUnavailable."""
        data = b"".join(commands)
        try:
            return await (await self._reads.open()).send(data, len(commands), self._seconds)
        except Lost:
            # Most often the first command after a quiet time, or after the server's restart.
            link = await self._reads.open()
        try:
            return await link.send(data, len(commands), self._seconds)
        except Lost as error:
            raise StoreUnavailable(str(error)) from error

    async def ask_one(self, *command: str | bytes | int) -> Reply:
        """The answer to one such command; raises StoreUnavailable also when the server refuses it."""
        (reply,) = await self.ask([pack(*command)])
        if isinstance(reply, ServerSaid):
            raise StoreUnavailable(str(reply)) from reply
        return reply

    def hang_up(self) -> None:
        """Dial again at the next command."""
        self._reads.hang_up()
        self.appends.hang_up()

    def close(self) -> None:
        """End all connections."""
        self._reads.close()
        self.appends.close()


class Servers(ABC):
    """All servers that hold a part of the logs."""

    @abstractmethod
    def known(self, partition: str) -> Node | None:
        """The server of a partition, if that is known without asking anybody."""

    @abstractmethod
    async def node(self, partition: str) -> Node:
        """The server of a partition; raises StoreUnavailable."""

    @abstractmethod
    async def nodes(self) -> dict[Node, list[str]]:
        """Every server with its partitions; raises StoreUnavailable."""

    @abstractmethod
    async def look_again(self) -> None:
        """A server said that a partition is not (or no longer) its own."""

    @abstractmethod
    def read_together(self, partition: str) -> tuple[str, ...]:
        """The partitions that one command may read together with this one."""

    @abstractmethod
    def close(self) -> None:
        """End all connections."""

    async def ask(self, partition: str, *command: str | bytes | int) -> Reply:
        """The answer of a partition's server; see `ask_each`."""
        return (await self.ask_each({partition: pack(*command)}))[partition]

    async def ask_each(self, commands: Mapping[str, bytes]) -> dict[str, Reply]:
        """The answers to one command for each partition, with one round trip to each server.

        Raises:
            StoreUnavailable: when a server cannot be reached, refuses, or goes on saying that it is not the one.
        """
        answers: dict[str, Reply] = {}
        patience = Patience()
        while missing := commands.keys() - answers.keys():
            faults: dict[str, ServerSaid] = {}
            for node, partitions in (await self._nodes_of(missing)).items():
                replies = await node.ask([commands[partition] for partition in partitions])
                for partition, reply in zip(partitions, replies, strict=True):
                    if isinstance(reply, ServerSaid):
                        faults[reply.code] = reply
                    else:
                        answers[partition] = reply
            for fault in faults.values():
                await self.come_right(fault)
                await patience.wait(fault)
        return answers

    async def come_right(self, fault: ServerSaid) -> None:
        """Do what can be done about an error; raises StoreUnavailable when it will not go away by itself."""
        if fault.code in NOT_HERE:
            await self.look_again()
        elif fault.code not in NOT_NOW:
            raise StoreUnavailable(str(fault)) from fault

    async def _nodes_of(self, partitions: set[str]) -> dict[Node, list[str]]:
        by_node: dict[Node, list[str]] = {}
        for partition in sorted(partitions):
            node = self.known(partition) or await self.node(partition)
            by_node.setdefault(node, []).append(partition)
        return by_node
