"""A worker process, as `Supervisor` starts it: `python -m meldlog_service.cli.worker LISTENER CHANNEL`.

Both arguments are numbers of sockets that it inherits: what to accept connections from, and the channel to its parent.
Its settings, the store's address and the operator's token among them, are in its environment.
"""

import gc
import os
import signal
import socket
import sys

from meldlog_service.cli.faults import Fault
from meldlog_service.settings import Settings
from meldlog_service.store.event_store import StoreError


def main(listener: str, channel: str) -> None:
    """Answer requests until the parent says stop, or ends."""
    gc.disable()
    # Ctrl-C reaches every process at the terminal; the parent passes on what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    settings = Settings.from_environment(os.environ)
    with socket.socket(fileno=int(listener)) as accepting, socket.socket(fileno=int(channel)) as parent:
        from meldlog_service.logs import configure

        configure(settings.log_level, settings.log_format)
        from meldlog_service.cli.http_server import answer

        answer(
            settings, lambda: str(settings.redis_url), accepting, lambda: parent.sendall(b"\0"), parent=parent
        )


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (Fault, StoreError) as error:
        sys.exit(f"meldlog: {error}")
