"""Where games that were made go: into a folder of files, or into the store of a service."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click
from msgspec import Struct

if TYPE_CHECKING:
    from meldlog_service.settings import Settings


class Destination(Struct, frozen=True, kw_only=True):
    """What the options of a command say about where games go; nowhere when all are None."""

    out: Path | None = None
    data_dir: Path | None = None
    redis_url: str | None = None

    def __post_init__(self) -> None:
        """Check that they say one thing; raises click.UsageError."""
        if sum(place is not None for place in (self.out, self.data_dir, self.redis_url)) > 1:
            raise click.UsageError("--out, --data-dir and --redis-url each say where games go: name one")

    def settings(self) -> Settings | None:
        """Settings of the service whose store is meant, if one is."""
        from msgspec.structs import replace

        from meldlog_service.cli.reading_settings import read_settings

        if self.data_dir is not None:
            # The folder that is named, even where the variable of the other is set.
            return replace(read_settings(data_dir=self.data_dir), redis_url=None)
        return None if self.redis_url is None else read_settings(redis_url=self.redis_url)

    def words(self) -> str | None:
        """The place, fit to be shown; None where there is none."""
        from meldlog_service.settings import without_password

        place = self.out or self.data_dir
        if place is not None:
            return str(place)
        return None if self.redis_url is None else without_password(self.redis_url)


def destination_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say where games go; the command is handed a `destination`."""

    @wraps(function)
    def with_destination(
        *, out: Path | None, data_dir: Path | None, redis_url: str | None, **others: object
    ) -> None:
        function(destination=Destination(out=out, data_dir=data_dir, redis_url=redis_url), **others)

    folder = click.Path(file_okay=False, path_type=Path)
    options = (
        click.option(
            "--out",
            type=folder,
            metavar="FOLDER",
            help="Write every game to a file there, named after its id, as `meldlog export` would.",
        ),
        click.option(
            "--data-dir",
            type=folder,
            metavar="FOLDER",
            help="Put the games into the embedded store of this data folder; made when missing.",
        ),
        click.option(
            "--redis-url", metavar="URL", help="Put the games into the store in this Redis or Valkey."
        ),
    )
    for option in reversed(options):
        with_destination = option(with_destination)
    return with_destination
