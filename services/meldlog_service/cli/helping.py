"""What the helps of all commands have in common."""

import rich_click as click

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def examples(*lines: str) -> str:
    """The end of a help: commands to try, each on a line of its own."""
    # rich-click makes a line of each paragraph of an epilog.
    return "\n\n".join(["Examples:", *lines])
