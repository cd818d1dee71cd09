"""Why the application could not do as it was asked; what the rules refuse is `meldlog_contracts.problems.Refused`.

The store's own errors pass through: `StoreUnavailable` (nothing was stored) and `OutcomeUnknown` (whether the command
was stored could not be found out: ask again with the same key).
"""

from __future__ import annotations


class NoSuchGame(Exception):
    """There is no log of this game."""

    def __init__(self, game_id: str) -> None:
        super().__init__(f"there is no game {game_id}")
        self.game_id = game_id


class GameExists(Exception):
    """A new game was given the id of one that is there already."""

    def __init__(self, game_id: str) -> None:
        super().__init__(f"there is a game {game_id} already")
        self.game_id = game_id


class NoSuchVersion(Exception):
    """The game has no such version (yet)."""

    def __init__(self, version: int, last: int) -> None:
        super().__init__(f"there is no version {version}: the game has versions 1 to {last}")
        self.version = version
        self.last = last
        """The newest version there is."""


class Stale(Exception):
    """The command was meant for another version than the newest (``If-Match``); nothing was stored."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the game is at version {version}")
        self.version = version
        """The newest version there is."""


class KeyReused(Exception):
    """The same actor has used this idempotency key for another command; nothing was stored."""

    def __init__(self, version: int) -> None:
        super().__init__(f"this key belongs to another command, which became version {version}")
        self.version = version
        """The version that the key belongs to."""


class Contended(Exception):
    """Others wrote to the game again and again while this command was judged. Nothing was stored: try again."""

    def __init__(self, game_id: str, tries: int) -> None:
        super().__init__(f"game {game_id} changed {tries} times while the command was judged")
        self.game_id = game_id


class GameArchived(Exception):
    """The game is over and its log is in the archive: nothing is added to it."""

    def __init__(self, game_id: str, version: int) -> None:
        super().__init__(f"game {game_id} is archived: it can be read, and nothing is added to it")
        self.game_id = game_id
        self.version = version
        """The version that the log ends with."""


class NotFinished(Exception):
    """The game is not over, and only finished games go into the archive."""

    def __init__(self, game_id: str) -> None:
        super().__init__(f"game {game_id} is not over: only finished games are archived")
        self.game_id = game_id


class NotImported(Exception):
    """A log from elsewhere does not become a game here; nothing was stored."""

    def __init__(self, version: int, check: str, detail: str) -> None:
        super().__init__(f"version {version}: {check}: {detail}")
        self.version = version
        """Where the first fault is."""
        self.check = check
        """Which check it fails, as an audit names them; ``export`` when it is no operator's export."""
        self.detail = detail


class Unauthenticated(Exception):
    """The token opens nothing here."""

    def __init__(self) -> None:
        super().__init__("this token opens nothing here")
