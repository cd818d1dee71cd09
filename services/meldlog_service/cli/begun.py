"""A game that goes on from the past of another, as `meldlog fork` and `meldlog import` tell it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import rich_click as click
from msgspec import Struct

if TYPE_CHECKING:
    from meldlog_client import shapes
    from meldlog_service.app import forking


class Begun(Struct, frozen=True):
    """The new game; the tokens are told only here."""

    game_id: str
    version: int
    status: str
    host_token: str
    seat_tokens: Mapping[int, str]

    @classmethod
    def of_service(cls, begun: shapes.Begun) -> Begun:
        """As a service answers it."""
        return cls(begun.game_id, begun.version, begun.status, begun.host_token, begun.seat_tokens)

    @classmethod
    def of_store(cls, begun: forking.Begun) -> Begun:
        """As it was begun in a store."""
        table = begun.table
        return cls(table.game_id, table.version, table.status, begun.host_token, begun.seat_tokens)

    def tell(self, *, as_json: bool) -> None:
        """To a person, or to a program."""
        if as_json:
            import msgspec

            click.echo(msgspec.json.encode(self))
            return
        click.echo(f"game        {self.game_id} ({self.status}, version {self.version})")
        click.echo(f"host token  {self.host_token}")
        for seat, token in self.seat_tokens.items():
            click.echo(f"seat {seat:<6} {token}")
