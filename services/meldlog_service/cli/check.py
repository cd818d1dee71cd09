"""`meldlog check`: does a variant keep the promises of the hooks?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import rich_click as click

from meldlog_service.cli.faults import FOUND_A_FAULT, WRONG_USAGE, Fault
from meldlog_service.cli.helping import FiniteRange, examples, json_option
from meldlog_service.cli.rule_options import read_house_rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from meldlog_contracts.table import HouseValue
    from meldlog_service.catalogue import Catalogue
    from meldlog_service.checking.examining import Pace
    from meldlog_service.checking.planning import Wanted
    from meldlog_service.cli.check_telling import Telling
    from meldlog_service.cli.checking import Planned

DEFAULT_GAMES = 20
INTERRUPTED = 130
"""Exit status of what Ctrl-C ended, as shells tell it."""


@click.command(
    "check",
    epilog=examples(
        "meldlog check crazy-rummy",
        "meldlog check --all --games 2000",
        "meldlog check --all --options-alone 200",
        "meldlog check crazy-rummy --combinations 300 --games 20",
        "meldlog check crazy-rummy --option press --house-rule one_card_rule=false",
        "meldlog check --again meldlog-faults/crazy-rummy-purity.ndjson",
    ),
)
@click.argument("variants", metavar="[VARIANT]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Every variant that is installed.")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=DEFAULT_GAMES,
    show_default=True,
    help="Games of each variant, or of each combination.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Number of the first game; the same numbers are the same games.",
)
@click.option(
    "--seats",
    type=int,
    multiple=True,
    metavar="N",
    help="Only games for so many; may be repeated. Otherwise all that the variant allows.",
)
@click.option(
    "--option", "options", multiple=True, metavar="NAME", help="An option of every game; may be repeated."
)
@click.option(
    "--house-rule",
    "--rule",
    "house_rules",
    multiple=True,
    metavar="NAME=VALUE",
    callback=read_house_rules,
    help="A house rule of every game with another value; may be repeated.",
)
@click.option(
    "--options-alone",
    type=click.IntRange(min=1),
    metavar="N",
    help="N games with each option alone, and N with each house rule alone: its sensible values share "
    "them, and the variants where there are several; each has one at least.",
)
@click.option(
    "--combinations",
    type=click.IntRange(min=1),
    metavar="K",
    help="K combinations of options and house rules at random, --games of each; those that make no "
    "game are counted, and others drawn.",
)
@click.option(
    "--skip",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Leave out the first N games: those that an interrupted check of the same games has behind it.",
)
@click.option(
    "--bots",
    multiple=True,
    metavar="NAME",
    help="Who plays: busy, plain, random, patient, sharp; may be repeated. Otherwise the first three, mixed.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="J",
    help="Processes at once; one for each core if left out.",
)
@click.option(
    "--closely",
    type=click.IntRange(min=1),
    default=24,
    show_default=True,
    metavar="N",
    help="Look closer at one position in N: every listed move, and moves that nobody made.",
)
@click.option(
    "--slowest",
    type=FiniteRange(min=1),
    default=2000,
    show_default=True,
    metavar="MS",
    help="Milliseconds that a decision, or a list of moves, may take.",
)
@click.option(
    "--longest",
    type=click.IntRange(min=100),
    default=20_000,
    show_default=True,
    metavar="COMMANDS",
    help="Commands after which a game is taken to have no end.",
)
@click.option("--replay", "token", metavar="TOKEN", help="Play one game again; a fault names its token.")
@click.option(
    "--again",
    "log",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="Give the commands of a log once more and look closely at every position.",
)
@click.option(
    "--faults",
    "folder",
    type=click.Path(file_okay=False),
    default="meldlog-faults",
    show_default=True,
    metavar="FOLDER",
    help="Where logs that show a fault are put.",
)
@json_option
def command(  # noqa: PLR0913, PLR0917 -- each is an option
    variants: tuple[str, ...],
    everything: bool,
    games: int,
    seed: int,
    seats: tuple[int, ...],
    options: tuple[str, ...],
    house_rules: dict[str, HouseValue],
    options_alone: int | None,
    combinations: int | None,
    skip: int,
    bots: tuple[str, ...],
    jobs: int | None,
    closely: int,
    slowest: float,
    longest: int,
    token: str | None,
    log: str | None,
    folder: str,
    as_json: bool,
) -> None:
    """Play seeded games of VARIANT and try every promise that a plugin makes.

    Cards are counted; listed moves are decided, and moves that are not listed; commands are decided twice, the second
    time by plugins that are caught when they read a clock or draw chance; every seat's
    table is folded from what that seat was sent; scores are added up; the log is folded again, and audited by another
    process. A fault is made short, named with its
    hook, and put in a file that shows it again.

    Exit status: 0 when nothing was found, 1 for a fault, 2 when the command was used wrongly, 130 when it was
    interrupted.
    """
    from pathlib import Path

    from meldlog_service.checking.examining import Pace
    from meldlog_service.cli.check_telling import Telling

    telling = Telling(Path(folder), as_json=as_json)
    pace = Pace(every=closely, slowest_ms=slowest, longest=longest)
    if token is not None or log is not None:
        if variants or everything or (token is not None and log is not None):
            raise click.UsageError("--replay and --again look at one game: name nothing else")
        _one_game(token, log, pace, telling)
    else:
        if everything == bool(variants):
            raise click.UsageError("name the variants to check, or --all")
        if options_alone is not None and combinations is not None:
            raise click.UsageError(
                "--options-alone and --combinations are two checks: run one after the other"
            )
        from meldlog_service.checking.planning import Wanted
        from meldlog_service.checking.players import MIXED
        from meldlog_service.cli.installed import installed

        catalogue = installed()
        _check_names(catalogue, variants, bots)
        named = variants or tuple(info.name for info in catalogue.infos() if info.kind == "variant")
        wanted = [
            Wanted(name, options_alone or games, seed, seats, bots or MIXED, options, house_rules, pace)
            for name in dict.fromkeys(named)
        ]
        plans = _planned(
            wanted, catalogue, telling, alone=options_alone is not None, combinations=combinations
        )
        _many_games(plans, jobs, pace, telling, skip)
    telling.sum_up()
    if telling.interrupted is not None:
        after = telling.interrupted
        raise Fault(f"interrupted after {after} games: --skip {after} plays the others", INTERRUPTED)
    if telling.found_any:
        sys.exit(FOUND_A_FAULT)


def _many_games(plans: Sequence[Planned], jobs: int | None, pace: Pace, telling: Telling, skip: int) -> None:
    """Play all games but the first ones, and make short what was found."""
    import asyncio

    from meldlog_service.cli.checking import Checking

    checking = Checking(plans, jobs, pace, telling, skip)
    try:
        asyncio.run(checking.run())
    except KeyboardInterrupt:
        telling.interrupted = checking.played


def _planned(
    wanted: Sequence[Wanted],
    catalogue: Catalogue,
    telling: Telling,
    *,
    alone: bool,
    combinations: int | None,
) -> list[Planned]:
    """Which options and house rules each variant is played with."""
    from meldlog_contracts.problems import Refused
    from meldlog_service.checking.faults import Broken
    from meldlog_service.checking.planning import as_it_is, combined, each_alone, shared
    from meldlog_service.checking.tallies import Tally

    plans = []
    for one in wanted:
        tally = Tally(one.variant)
        try:
            cells = as_it_is(one, catalogue)
            if combinations is not None:
                cells = combined(one, combinations, catalogue, tally)
            elif alone:
                cells = each_alone(one, catalogue, tally)
        except Refused as refused:
            raise Fault(f"{one.variant}: {refused.detail}", WRONG_USAGE) from refused
        except Broken as broken:
            raise Fault(f"{one.variant}: {broken.detail}") from broken
        telling.add(tally)
        plans.append((one, cells))
    return shared(plans) if alone else plans


def _one_game(token: str | None, log: str | None, pace: Pace, telling: Telling) -> None:
    """Play a game again, or give its commands again."""
    from pathlib import Path

    from meldlog_contracts.problems import Refused
    from meldlog_service.checking.playing import again, play, read_log, setup_of
    from meldlog_service.checking.setups import Setup
    from meldlog_service.checking.tallies import Tally
    from meldlog_service.checking.twins import several
    from meldlog_service.cli.installed import installed

    catalogue = installed()
    try:
        if token is not None:
            setup = Setup.from_token(token)
            tally = Tally(setup.variant)
            fault = play(catalogue, setup, pace, several, tally)
        else:
            commits, lines = read_log(Path(log or "").read_bytes())
            tally = Tally(setup_of(commits)[0].variant)
            fault = again(catalogue, commits, several, tally, lines=lines)
    except (ValueError, KeyError) as error:
        raise Fault(f"{token or log}: {error}", WRONG_USAGE) from error
    except Refused as refused:
        raise Fault(f"{token or log} makes no game: {refused.detail}", WRONG_USAGE) from refused
    telling.add(tally)
    if fault is not None:
        telling.tell(fault, kept=log)


def _check_names(catalogue: Catalogue, variants: Sequence[str], bots: Sequence[str]) -> None:
    from meldlog_service.checking.players import PLAYERS

    known = {info.name for info in catalogue.infos() if info.kind == "variant"}
    for name in variants:
        if name not in known:
            raise Fault(catalogue.unknown(name, "variant"), WRONG_USAGE)
    for bot in bots:
        if bot not in PLAYERS:
            raise Fault(f"nobody plays as {bot}; there are {', '.join(sorted(PLAYERS))}", WRONG_USAGE)
