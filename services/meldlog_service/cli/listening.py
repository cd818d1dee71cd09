"""The socket that the service listens on, opened before anything else so that a port in use is told at once."""

import errno
import socket
import time

from meldlog_service.cli.faults import Fault

BACKLOG = 2048

LETTING_GO_SECONDS = 2.0
"""How long workers whose parent was killed may take to let the port go."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; raises Fault."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise Fault(f"there is no address {host} to listen on: {error.strerror}") from error
    until = time.monotonic() + LETTING_GO_SECONDS
    while True:
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(BACKLOG)
        except OSError as error:
            listener.close()
            if error.errno != errno.EADDRINUSE:
                raise Fault(
                    f"the service may not listen on port {port} of {host}: {error.strerror}"
                ) from error
            if time.monotonic() > until:
                raise Fault(
                    f"port {port} of {host} is in use by another program: stop that one, or choose another with --port"
                ) from error
            time.sleep(0.05)
        else:
            return listener


def url_of(listener: socket.socket) -> str:
    """The address of a listening socket as a URL; where it listens on all addresses, the local one."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
