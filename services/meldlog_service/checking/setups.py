"""Which game is played: everything that it follows from, and a token that names it on a command line."""

from __future__ import annotations

import hashlib
from urllib.parse import quote, unquote

import msgspec
from msgspec import Struct

from meldlog_contracts.commands import CreateGame
from meldlog_contracts.table import HouseValue

BEGAN_MS = 1_764_450_000_000
"""When every game of a check begins (milliseconds since 1970): a check reads no clock but for its own speed."""


class Setup(Struct, frozen=True, omit_defaults=True):
    """A game to be played. The same setup is the same game, move by move."""

    variant: str
    seats: int
    seed: int
    """What all chance follows from: shuffles, moves, and what is looked at closer."""
    bots: tuple[str, ...]
    """Who plays, seat by seat; see `players.PLAYERS`."""
    options: tuple[str, ...] = ()
    house_rules: dict[str, HouseValue] = {}

    @property
    def game_seed(self) -> str:
        """32 bytes in hex; of the seed alone, so that the same cards are dealt when a house rule is left out."""
        return hashlib.sha256(f"meldlog check {self.seed}".encode()).hexdigest()

    def create(self) -> CreateGame:
        """The command that creates the game."""
        return CreateGame(
            f"check-{self.seed}",
            self.variant,
            self.seats,
            "0" * 64,
            house_rules=dict(self.house_rules),
            options=self.options,
        )

    @property
    def token(self) -> str:
        """The setup as a word that no shell touches: ``crazy-rummy/seats=3/seed=17/bots=busy-plain-random``."""
        parts = [quote(self.variant, safe=""), f"seats={self.seats}", f"seed={self.seed}"]
        parts.append(f"bots={'+'.join(quote(bot, safe='') for bot in self.bots)}")
        parts += [f"option={quote(option, safe='')}" for option in self.options]
        parts += [
            f"rule.{quote(name, safe='')}={quote(value_text(value), safe='')}"
            for name, value in self.house_rules.items()
        ]
        return "/".join(parts)

    @classmethod
    def from_token(cls, token: str) -> Setup:
        """The setup that a token names.

        Raises:
            ValueError: when it is none.
        """
        variant, *parts = token.split("/")
        numbers: dict[str, int] = {}
        bots: tuple[str, ...] = ()
        options: list[str] = []
        house_rules: dict[str, HouseValue] = {}
        for part in parts:
            name, equals, value = part.partition("=")
            if not equals:
                raise ValueError(f"{part!r} is no part of a replay token")
            if name in ("seats", "seed"):
                numbers[name] = int(value)
            elif name == "bots":
                bots = tuple(unquote(bot) for bot in value.split("+"))
            elif name == "option":
                options.append(unquote(value))
            elif name.startswith("rule."):
                house_rules[unquote(name.removeprefix("rule."))] = value_of(unquote(value))
            else:
                raise ValueError(f"{part!r} is no part of a replay token")
        if set(numbers) != {"seats", "seed"} or len(bots) != numbers["seats"]:
            raise ValueError(f"{token!r} does not say the seats, the seed and who plays")
        return cls(unquote(variant), numbers["seats"], numbers["seed"], bots, tuple(options), house_rules)


def value_text(value: HouseValue) -> str:
    """A house rule's value as it is typed: JSON, but words without quotes."""
    if isinstance(value, str) and value_of(value) == value:
        return value
    return msgspec.json.encode(value).decode()


def value_of(text: str) -> HouseValue:
    """What `value_text` wrote: JSON where it can be read so, else a word.

    Raises:
        ValueError: for JSON that is no value of a house rule.
    """
    try:
        value: HouseValue = msgspec.convert(msgspec.json.decode(text), HouseValue)
    except msgspec.ValidationError as error:
        raise ValueError(f"{text} is no value of a house rule") from error
    except msgspec.DecodeError:
        return text
    return value
