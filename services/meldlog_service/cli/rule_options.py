"""House rules on the command line."""

from __future__ import annotations

import rich_click as click

from meldlog_contracts.table import HouseValue


def read_house_rules(
    _ctx: click.Context, _option: click.Parameter, texts: tuple[str, ...]
) -> dict[str, HouseValue]:
    """House rules as they were typed, NAME=VALUE each, by name; what click calls back."""
    return dict(_house_rule(text) for text in texts)


def _house_rule(text: str) -> tuple[str, HouseValue]:
    """`name=value`; the value is JSON where it can be read so, else text."""
    import msgspec

    name, equals, value = text.partition("=")
    if not name or not equals:
        raise click.UsageError(f"a house rule is given as NAME=VALUE, not {text!r}")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


house_rule_option = click.option(
    "--house-rule",
    "house_rules",
    multiple=True,
    metavar="NAME=VALUE",
    callback=read_house_rules,
    help="A house rule with another value than the variant's; may be repeated.",
)
"""The command is handed `house_rules`, a dict."""
