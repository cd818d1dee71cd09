"""Stepping through a replay by keys, or letting it play by itself, for a person at a terminal."""

from collections.abc import Callable, Sequence

from rich.console import Console

from meldlog_service.cli.keys import NOTHING, NextKey
from meldlog_service.cli.replaying import Step

NEXT = frozenset({"n", " ", "\r", "\n", "\x1b[C", "\x1b[B"})
"""The letter, space, enter, and the arrows right and down."""
PREVIOUS = frozenset({"p", "\x7f", "\x1b[D", "\x1b[A"})
"""The letter, backspace, and the arrows left and up."""
QUIT = frozenset({"q", "\x04"})
"""The letter, and the end of the input."""
HINT = "n next, p previous, d D deal, s start or stop, + - speed, a number and enter (or d): go there, q quit"
MOST_DIGITS = 9
"""Of a number that is typed; of more the last count."""
SPEED = 1.0
"""Versions a second, when a replay plays by itself and nothing else was said."""
SLOWEST, FASTEST = 1 / 8, 64.0


class Stepping:
    """Where a person is in a replay.

    Args:
        steps: All versions; step n is version n + 1.
        at: The version to begin with.
        speed: Versions a second while it plays by itself.
        playing: Whether it begins to play at once.
    """

    def __init__(
        self, steps: Sequence[Step], at: int, speed: float = SPEED, *, playing: bool = False
    ) -> None:
        self.at = at
        self.speed = speed
        self.playing = playing
        self.typed = ""
        self._steps = steps

    @property
    def pause(self) -> float | None:
        """Seconds until it goes on by itself; None when it waits for a key."""
        return 1 / self.speed if self.playing else None

    def press(self, key: str) -> None:
        """Heed a key; `NOTHING` is the time that has passed without one."""
        if key == NOTHING:
            self._go_to(self.at + 1)
            self.playing = self.playing and self.at < len(self._steps)
        elif key.isdecimal():
            self.typed = (self.typed + key)[-MOST_DIGITS:]
        else:
            self._heed(key)
            self.typed = ""

    def _heed(self, key: str) -> None:
        match key:
            case "\r" | "\n" if self.typed:
                self._go_to(int(self.typed))
            case "d" if self.typed:
                self._go_to(deal_at(self._steps, int(self.typed)) or self.at)
            case _ if key in NEXT:
                self._go_to(self.at + 1)
            case _ if key in PREVIOUS:
                self._go_to(self.at - 1)
            case "d":
                self._go_to(deal_at(self._steps, self._deal + 1) or len(self._steps))
            case "D":
                begin = deal_at(self._steps, self._deal) or 1
                self._go_to(begin if self.at > begin else deal_at(self._steps, self._deal - 1) or 1)
            case "s":
                self.playing = not self.playing and self.at < len(self._steps)
            case "+":
                self.speed = min(2 * self.speed, FASTEST)
            case "-":
                self.speed = max(self.speed / 2, SLOWEST)
            case _:
                pass

    def _go_to(self, version: int) -> None:
        self.at = min(max(version, 1), len(self._steps))

    @property
    def _deal(self) -> int:
        return deal_of(self._steps[self.at - 1])


def deal_of(step: Step) -> int:
    """The number of the deal that is played at a version; 0 before the first."""
    return 0 if step.table.deal is None else step.table.deal.number


def deal_at(steps: Sequence[Step], number: int) -> int | None:
    """The version with which a deal begins; None where there is no such deal."""
    return next((at for at, step in enumerate(steps, 1) if number and deal_of(step) == number), None)


def step_through(
    steps: Sequence[Step], show: Callable[[Step], None], console: Console, where: Stepping, next_key: NextKey
) -> None:
    """Show one version at a time until the person has seen enough.

    Args:
        steps: All of them.
        show: Prints one.
        console: The terminal.
        where: The place to begin at, and how.
        next_key: What the person presses.
    """

    def look() -> None:
        console.clear()
        show(steps[where.at - 1])
        speed = f" {where.speed:g}/s" if where.playing else ""
        console.print(f"\n[{where.at}/{len(steps)}]{speed} {HINT} {where.typed}", markup=False)

    look()
    while (key := next_key(where.pause)) is not None and key not in QUIT:
        where.press(key)
        look()
