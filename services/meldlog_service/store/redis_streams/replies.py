"""What a server can answer, and what an error from it means for the caller."""

import re
from typing import TypeAlias

from meldlog_service.store.event_store import StoreUnavailable

Reply: TypeAlias = "bytes | int | ServerSaid | list[Reply] | None"
"""One answer in the second version of the protocol (RESP2)."""


class ServerSaid(Exception):
    """An error that the server answered with, as `CODE what is wrong`."""

    @property
    def code(self) -> str:
        """The error's code; for an error inside a script of an old server, the code of what went wrong there."""
        text = str(self)
        if text.startswith("ERR Error running script") and (inner := _INSIDE_A_SCRIPT.search(text)):
            return inner[1]
        return text.partition(" ")[0]


class Lost(Exception):
    """The connection ended, or its answer is overdue; what was sent on it may have been done or not."""


class UnexpectedReply(StoreUnavailable):
    """An answer of a form that the command does not have."""


# Redis 6.2 wraps what a command in a script answered: `ERR Error running script (…): …: -OOM command not …`.
_INSIDE_A_SCRIPT = re.compile(r"-([A-Z]{2,})\b")

NOT_HERE = frozenset({"MOVED", "ASK", "READONLY"})
"""Another server has the partition now."""

NOT_NOW = frozenset({"BUSY", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "TRYAGAIN"})
"""The same command can succeed in a moment."""

NOT_DONE = NOT_HERE | NOT_NOW | {"MISCONF", "NOAUTH", "NOPERM", "NOREPLICAS", "NOSCRIPT", "OOM", "WRONGPASS"}
"""The command was refused before it changed anything."""


def expect_list(reply: Reply) -> list[Reply]:
    """The reply as a list; raises what the server said if it is an error."""
    if isinstance(reply, list):
        return reply
    raise _unexpected(reply)


def expect_int(reply: Reply) -> int:
    """The reply as a number."""
    if isinstance(reply, int):
        return reply
    raise _unexpected(reply)


def expect_bytes(reply: Reply) -> bytes:
    """The reply as a text."""
    if isinstance(reply, bytes):
        return reply
    raise _unexpected(reply)


def _unexpected(reply: Reply) -> Exception:
    return reply if isinstance(reply, ServerSaid) else UnexpectedReply(f"the server answered {reply!r:.200}")
