"""How many files and sockets the processes of the service may hold open: more than a shell usually lets them."""

from __future__ import annotations

import resource

ROOM = 16_384
"""Descriptors beside those of live streams: connections that ask something, the store's, files."""
LEAST_ROOM = 256
"""Without so many beside the streams, streams could keep everybody else out."""


def raise_limit(streams: int) -> int:
    """Let this process, and those it starts, hold as many live streams open as the settings say, where that may be.

    The soft limit is raised towards the hard one, which only the system's administrator can raise, and never lowered.

    Args:
        streams: Live streams of one process.

    Returns:
        How many files may be open from now on.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limit_for(streams, soft, hard)
    if wanted == soft:
        return soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):
        return soft  # some systems have a bound of their own below the one they tell; the caller sees what is left
    return wanted


def limit_for(streams: int, soft: int, hard: int) -> int:
    """The soft limit to have; no more than is of use, since some programs go through every number up to it."""
    unlimited = resource.RLIM_INFINITY
    if soft == unlimited:
        return soft
    wanted = streams + ROOM
    return max(soft, wanted if hard == unlimited else min(wanted, hard))


def is_enough(limit: int, streams: int) -> bool:
    """Whether so many streams leave room for everything else."""
    return limit == resource.RLIM_INFINITY or limit >= streams + LEAST_ROOM
