"""`meldlog serve`: the service, with its embedded store unless it is given another."""

from __future__ import annotations

import rich_click as click

from meldlog_service.cli.helping import examples, json_option
from meldlog_service.cli.reading_settings import default_data_dir, read_settings
from meldlog_service.settings import describe


def _with_all_settings(function: click.decorators.FC) -> click.decorators.FC:
    """An option for every setting, in their order."""
    for setting in reversed(describe()):
        default = str(default_data_dir()) if setting.name == "data_dir" else setting.default
        function = click.option(
            f"--{setting.name.replace('_', '-')}",
            metavar=setting.name.rpartition("_")[2].upper(),
            help=f"{setting.description}{f' [default: {default}]' if default is not None else ''}",
        )(function)
    return function


@click.command(
    "serve",
    epilog=examples(
        "meldlog serve",
        "meldlog serve --host 0.0.0.0 --port 80 --workers 2 --data-dir /srv/meldlog",
        "MELDLOG_OPERATOR_TOKEN=... meldlog serve --redis-url redis://127.0.0.1:6379/0 --durability fsync",
    ),
)
@_with_all_settings
@json_option
def command(as_json: bool, **options: str | None) -> None:
    """Run the service until it is told to stop (Ctrl-C, or SIGTERM).

    Games are kept by an embedded server in the data folder, or with --redis-url by a Redis or Valkey of your own.
    When it is ready it prints, once, its address, where the games are and, unless you set one, the operator's token.

    Every option is a variable as well: --redis-url is `MELDLOG_REDIS_URL`. An option beats its variable. Options can
    be seen by every user of the machine, so give tokens and passwords in variables.

    Exit status: 0 when it was told to stop, 1 when it could not start, 2 for settings that cannot be used.
    """
    settings = read_settings(**options)
    from meldlog_service.cli.serving import serve

    serve(settings, as_json=as_json)
