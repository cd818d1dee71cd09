"""Several worker processes on one listening socket: started, watched, started again, ended together.

Each worker is a fresh interpreter: nothing that the parent did (threads, connections) is in it. A pair of sockets
joins it to its parent. The worker says on it that it is ready, and each side sees by its end that the other is gone,
however that came about: so no worker outlives its parent.
"""

from __future__ import annotations

import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import structlog

from meldlog_service.cli.faults import Fault
from meldlog_service.settings import PREFIX, TEST_PREFIX, Settings

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)

QUICK_SECONDS = 1.0
"""A worker that ended sooner than this after its start is replaced only after as long a pause."""

KILL_SECONDS = 3.0
"""How much longer than the grace for open requests a worker may take to end before it is killed."""


class Worker:
    """One worker process.

    Args:
        listener: What it accepts connections from.
        environ: Its variables.
    """

    def __init__(self, listener: socket.socket, environ: Mapping[str, str]) -> None:
        self.channel, theirs = socket.socketpair()
        handed_on = (listener.fileno(), theirs.fileno())
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "meldlog_service.cli.worker", *map(str, handed_on)],
                env=environ,
                pass_fds=handed_on,
                stdin=subprocess.DEVNULL,
            )
        self.started = time.monotonic()


class Supervisor:
    """Keeps as many workers as the settings say.

    Args:
        settings: With the store's address and the operator's token in them, as every worker is to have them.
        listener: The socket that all of them accept connections from.
        ready: Is called once, when the first of them answers requests.
        numbers: Folder of the metrics that they share.
    """

    def __init__(
        self, settings: Settings, listener: socket.socket, ready: Callable[[], None], numbers: Path
    ) -> None:
        from meldlog_service.metrics import worker_environment

        self._settings = settings
        self._listener = listener
        self._ready = ready
        self._numbers = numbers
        others = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(PREFIX) or name.startswith(TEST_PREFIX)
        }
        self._environ = others | settings.to_environment() | worker_environment(numbers)
        self._vacancies = [0.0] * settings.workers
        """When each place that is empty may be filled."""
        self._selector = selectors.DefaultSelector()
        self._told_ready = False

    def run(self) -> None:
        """Return after SIGTERM or SIGINT, when every worker has ended.

        Raises:
            Fault: when no worker can start.
        """
        with self._selector, _signals_to_read() as stop:
            self._selector.register(stop, selectors.EVENT_READ)
            try:
                while self._fill_and_wait():
                    pass
            finally:
                self._end_all()

    def _fill_and_wait(self) -> bool:
        """Fill the places that may be filled, wait for news; False when it is time to stop."""
        now = time.monotonic()
        for _ in [moment for moment in self._vacancies if moment <= now]:
            worker = Worker(self._listener, self._environ)
            self._selector.register(worker.channel, selectors.EVENT_READ, worker)
        self._vacancies = [moment for moment in self._vacancies if moment > now]
        pause = max(0.0, min(self._vacancies) - now) if self._vacancies else None
        for key, _ in self._selector.select(pause):
            if key.data is None:
                return False
            if key.data.channel.recv(1):
                self._is_ready()
            else:
                self._replace(key.data)
        return True

    def _is_ready(self) -> None:
        if not self._told_ready:
            self._told_ready = True
            self._ready()

    def _replace(self, worker: Worker) -> None:
        status = self._bury(worker)
        if not self._told_ready:
            raise Fault("the workers do not start")
        pid = worker.process.pid
        structlog.get_logger().error("a worker ended and is replaced", worker=pid, status=status)
        now = time.monotonic()
        self._vacancies.append(now + QUICK_SECONDS if now - worker.started < QUICK_SECONDS else now)

    def _bury(self, worker: Worker) -> int:
        from meldlog_service.metrics import forget_worker

        self._selector.unregister(worker.channel)
        worker.channel.close()
        status = worker.process.wait()
        forget_worker(worker.process.pid, self._numbers)
        return status

    def _end_all(self) -> None:
        # Whoever comes now shall be refused by all of them, not wait for one that will not look.
        self._listener.close()
        workers = [key.data for key in self._selector.get_map().values() if key.data is not None]
        for worker in workers:
            worker.process.terminate()
        until = time.monotonic() + self._settings.shutdown_grace + KILL_SECONDS
        for worker in workers:
            try:
                worker.process.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                structlog.get_logger().warning(
                    "a worker did not end and is killed", worker=worker.process.pid
                )
                worker.process.kill()
            self._bury(worker)


def supervise(settings: Settings, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Run workers until this process is told to stop; see `Supervisor`."""
    with tempfile.TemporaryDirectory(prefix="meldlog-metrics-") as folder:
        Supervisor(settings, listener, ready, Path(folder) / "workers").run()


@contextmanager
def _signals_to_read() -> Iterator[socket.socket]:
    """A socket that can be read from as soon as a signal tells this process to stop."""
    receiver, sender = socket.socketpair()
    with receiver, sender:
        sender.setblocking(False)
        before = signal.set_wakeup_fd(sender.fileno())
        handlers = {one: signal.signal(one, lambda *_: None) for one in STOP_SIGNALS}
        try:
            yield receiver
        finally:
            for one, handler in handlers.items():
                signal.signal(one, handler)
            signal.set_wakeup_fd(before)
