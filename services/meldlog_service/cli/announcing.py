"""What `meldlog serve` prints once, when it is ready."""

import os
from importlib.metadata import version

import msgspec
import rich_click as click

from meldlog_service.settings import Settings


def announce(settings: Settings, url: str, new_token: str | None, *, as_json: bool) -> None:
    """Say where the service is, where its games are, and how its operator is known.

    Args:
        settings: Of the service.
        url: Where it listens.
        new_token: The operator's token, if it was made for this run; one that was set is a secret of who set it.
        as_json: Say it to a program.
    """
    store = settings.public()["redis_url"]
    data_dir = None if store is not None else str(settings.data_dir.resolve())
    if as_json:
        told = {
            "url": url,
            "data_dir": data_dir,
            "redis_url": store,
            "operator_token": new_token,
            "workers": settings.workers,
            "pid": os.getpid(),
        }
        click.echo(msgspec.json.encode(told))
        return
    token = (
        f"{new_token} (of this run; to keep one, set MELDLOG_OPERATOR_TOKEN)"
        if new_token
        else "the one you set"
    )
    click.echo(
        f"Meldlog {version('meldlog')} is ready; Ctrl-C stops it.\n"
        f"  Address         {url}\n"
        f"  {'Store           ' if data_dir is None else 'Data folder     '}{data_dir or store}\n"
        f"  Operator token  {token}"
    )
