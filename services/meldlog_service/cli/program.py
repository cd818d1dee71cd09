"""The program `meldlog`: its commands, each in a module of its own that is imported only when it is needed."""

from importlib import import_module

import rich_click as click

from meldlog_service.cli.faults import Fault

COMMANDS = (
    "serve",
    "replay",
    "audit",
    "export",
    "fork",
    "import",
    "archive",
    "restore",
    "verify",
    "variants",
    "judge",
    "check",
    "simulate",
    "new-variant",
    "bench",
)
"""In the order of the help; the module `meldlog_service.cli.<name>`, hyphens as underscores, has each as `command`."""


class Program(click.RichGroup):
    """The commands, found by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of a name, or None."""
        if cmd_name not in COMMANDS:
            return None
        # No module can be called `import`.
        name = {"import": "import_log"}.get(cmd_name, cmd_name.replace("-", "_"))
        command: click.Command = import_module(f"meldlog_service.cli.{name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named first; of one that is none, what was perhaps meant."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from meldlog_service.meant import meant

            ctx.fail(f"there is no command {name}{meant(name, COMMANDS) or ':'} `meldlog --help` lists them")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; a fault is told in a sentence."""
        try:
            return super().invoke(ctx)
        except Fault as fault:
            click.echo(f"meldlog: {fault}", err=True)
            ctx.exit(fault.status)


@click.group(
    cls=Program,
    invoke_without_command=True,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "rich_help_config": click.RichHelpConfiguration(text_paragraph_linebreaks="\n\n", max_width=110),
    },
)
@click.version_option(None, "-V", "--version", package_name="meldlog", message="%(prog)s %(version)s")
@click.pass_context
def program(ctx: click.Context) -> None:
    """Rummy games whose every move is kept: serve them, replay them, audit them.

    `meldlog serve` runs the service; other commands look at its games, or at a log that was exported.

    `meldlog new-variant` begins a variant of your own.

    Exit status: 0 all is well, 1 a fault was found, 2 the command was used wrongly.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
