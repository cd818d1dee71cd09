"""What the helps of all commands have in common."""

import math

import rich_click as click

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


class FiniteRange(click.FloatRange):
    """A number in a range; `nan` is no number, though no comparison keeps it out of one."""

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number that was written."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail("nan is no number.", param, ctx)
        return number


def examples(*lines: str) -> str:
    """The end of a help: commands to try, each on a line of its own."""
    # rich-click makes a line of each paragraph of an epilog.
    return "\n\n".join(["Examples:", *lines])
