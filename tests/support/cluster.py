"""A Redis Cluster of two small servers."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from tests.support.servers import BareServer, free_port

SLOTS = 16_384


@contextmanager
def running_cluster(folder: Path) -> Iterator[str]:
    """Two primaries with half of the slots each; yields the URL. It takes two seconds to form."""
    ports = [free_port(), free_port()]
    with ExitStack() as stack:
        nodes = [
            stack.enter_context(
                BareServer(
                    folder / f"node{port}", {"cluster-enabled": "yes", "cluster-port": str(port)}, port=True
                )
            )
            for port in ports
        ]
        clients = [stack.enter_context(node.client) for node in nodes]
        half = SLOTS // 2
        for number, client in enumerate(clients):
            client.execute_command("CLUSTER", "ADDSLOTSRANGE", number * half, (number + 1) * half - 1)
            client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        clients[0].execute_command("CLUSTER", "MEET", "127.0.0.1", nodes[1].port, ports[1])
        until = monotonic() + 10
        while not all(map(_knows_all, clients)):
            assert monotonic() < until, "the cluster did not form within ten seconds"
            sleep(0.02)
        yield "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in nodes)


def _knows_all(client: Any) -> bool:
    """Whether a node knows the owner of every slot and takes commands."""
    ready = "cluster_state:ok" in str(client.execute_command("CLUSTER", "INFO"))
    return ready and len(client.execute_command("CLUSTER", "SLOTS")) == 2
