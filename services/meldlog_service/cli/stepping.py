"""Stepping through a replay by keys, for a person at a terminal."""

from collections.abc import Callable, Iterable, Sequence

from rich.console import Console

from meldlog_service.cli.replaying import Step

NEXT = frozenset({"n", " ", "\r", "\n", "\x1b[C", "\x1b[B"})
"""The letter, space, enter, and the arrows right and down."""
PREVIOUS = frozenset({"p", "\x7f", "\x1b[D", "\x1b[A"})
"""The letter, backspace, and the arrows left and up."""
QUIT = frozenset({"q", "\x04"})
"""The letter, and the end of the input."""
HINT = "n next, p previous, a number and enter: go there, q quit"


def step_through(
    steps: Sequence[Step], show: Callable[[Step], None], console: Console, at: int, keys: Iterable[str]
) -> None:
    """Show one version at a time until the person has seen enough.

    Args:
        steps: All of them; step n is version n + 1.
        show: Prints one.
        console: The terminal.
        at: The version to begin with.
        keys: What the person presses, each when it is asked for.
    """
    typed = ""

    def look() -> None:
        console.clear()
        show(steps[at - 1])
        console.print(f"\n[{at}/{len(steps)}] {HINT} {typed}", markup=False)

    look()
    for key in keys:
        if key in QUIT:
            return
        if key.isdecimal():
            typed += key
        else:
            at = min(max(_where(key, typed, at), 1), len(steps))
            typed = ""
        look()


def _where(key: str, typed: str, at: int) -> int:
    """The version that is wanted, whether there is one or not."""
    if typed and key in ("\r", "\n"):
        return int(typed)
    if key in NEXT:
        return at + 1
    return at - 1 if key in PREVIOUS else at
