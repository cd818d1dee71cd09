"""Becomes the server that it is told to start; run as a script, with nothing of the service imported.

On Linux the kernel is asked first to end the server, in good order, with the thread that started it: so a service
that is killed leaves no server behind. (Doing this in a function between fork and exec, in a process with threads,
can deadlock; and elsewhere than on Linux the next start ends the server that was left.)

    python -I -S launch.py <pid of the parent> <program> <arguments …>
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
"""See prctl(2)."""


def main(parent: str, program: str, *arguments: str) -> None:
    """Tie this process to its parent and turn into the program."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != int(parent):
            sys.exit("the service ended before its server began")
    # What it writes holds every hand of every game.
    os.umask(0o077)
    os.execv(program, [program, *arguments])


if __name__ == "__main__":
    main(*sys.argv[1:])
