"""`meldlog variants`: what is installed, and the rule sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rich_click as click

from meldlog_service.cli.faults import WRONG_USAGE, Fault
from meldlog_service.cli.helping import examples, json_option

if TYPE_CHECKING:
    from meldlog_service.catalogue import Catalogue
    from meldlog_service.http.sheets import Language, RuleSheet


@click.command(
    "variants",
    epilog=examples(
        "meldlog variants",
        "meldlog variants crazy-rummy --lang fr",
        "meldlog variants crazy-rummy --against basic",
    ),
)
@click.argument("name", required=False)
@click.option(
    "--lang",
    type=click.Choice(["en", "fr", "fa", "ar"]),
    default="en",
    show_default=True,
    help="Language of the rule sheet: English, French, Persian or Arabic.",
)
@click.option("--against", metavar="OTHER", help="Show only what is different from this one.")
@json_option
def command(name: str | None, lang: Language, against: str | None, as_json: bool) -> None:
    """List what is installed; with NAME, show its rule sheet.

    A rule sheet is made of the clauses in words and of the house rules with their values, as a game of this variant
    has them unless it is created with others. What is installed comes from this environment, not from a service.
    """
    from meldlog_service.cli.installed import installed

    if name is None and against is not None:
        raise click.UsageError("--against compares two variants: name the other one too")
    catalogue = installed()
    if name is None:
        _list(catalogue, as_json=as_json)
    elif against is None:
        _show(_sheet(catalogue, name, lang), as_json=as_json)
    else:
        _compare(_sheet(catalogue, name, lang), _sheet(catalogue, against, lang), as_json=as_json)


def _sheet(catalogue: Catalogue, name: str, lang: Language) -> RuleSheet:
    from meldlog_contracts.problems import Refused
    from meldlog_service.catalogue import BrokenPlugin, PluginUnavailable
    from meldlog_service.http.sheets import sheet

    try:
        return sheet(catalogue, name, lang)
    except PluginUnavailable as error:
        raise Fault(catalogue.unknown(name), WRONG_USAGE) from error
    except KeyError as error:
        raise Fault(f"{name} names the house rule {error}, which its games do not have") from error
    except (BrokenPlugin, Refused, OSError, ValueError) as error:
        raise Fault(f"the sheet of {name} cannot be read: {error}") from error


def _list(catalogue: Catalogue, *, as_json: bool) -> None:
    if as_json:
        import msgspec

        from meldlog_service.http.sheets import summary

        click.echo(msgspec.json.encode([summary(catalogue, info) for info in catalogue.infos()]))
        return
    headings = {
        "variant": "Variants",
        "option": "Options for games of any variant",
        "rule": "Rules that variants share",
    }
    for kind, heading in headings.items():
        infos = [info for info in catalogue.infos() if info.kind == kind]
        if not infos:
            continue
        click.echo(f"{heading}:")
        for info in infos:
            players = f"  {info.players[0]} to {info.players[1]} players" if kind == "variant" else ""
            names = f"  also: {', '.join(info.also_known_as)}" if info.also_known_as else ""
            click.echo(f"  {info.name:22} {info.title:28}{players}{names}")


def _show(sheet: RuleSheet, *, as_json: bool) -> None:
    import msgspec

    from meldlog_service.http.sheets import as_markdown

    click.echo(msgspec.json.encode(sheet) if as_json else as_markdown(sheet).rstrip("\n"))


def _compare(one: RuleSheet, other: RuleSheet, *, as_json: bool) -> None:
    import msgspec

    from meldlog_service.cli.comparing import compared

    difference = compared(one, other)
    click.echo(msgspec.json.encode(difference) if as_json else difference.markdown())
