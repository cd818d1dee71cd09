"""Which games are to be played by which bots, on the command line."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING

import rich_click as click
from msgspec import Struct

from meldlog_service.cli.faults import WRONG_USAGE, Fault
from meldlog_service.cli.rule_options import house_rule_option

if TYPE_CHECKING:
    from meldlog_contracts.table import HouseValue
    from meldlog_service.simulating.plan import Plan


class _Asked(Struct, frozen=True, kw_only=True):
    """The options as they were given."""

    variant: str
    games: int
    bots: str
    seats: int | None
    house_rules: dict[str, HouseValue]
    options: tuple[str, ...]
    seed: str | None
    rotate: bool
    duplicate: bool
    most_commands: int | None
    think_ms: int | None


def plan_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the argument VARIANT and the options that say what is played; the command is handed a `plan`."""

    @wraps(function)
    def with_plan(**given: object) -> None:
        asked = _Asked(**{name: given.pop(name) for name in _Asked.__struct_fields__})  # type: ignore[arg-type]
        function(plan=_plan(asked), **given)

    options = (
        click.argument("variant"),
        click.option(
            "--games",
            type=click.IntRange(min=1),
            default=100,
            show_default=True,
            help="How many games to play.",
        ),
        click.option(
            "--bots",
            metavar="NAME,NAME",
            default="plain",
            show_default=True,
            help="Strategies as they sit round the table; repeated until every seat has one.",
        ),
        click.option(
            "--seats",
            type=click.IntRange(min=1),
            help="How many play. [default: one for each bot that is named, or as few as the variant takes]",
        ),
        house_rule_option,
        click.option(
            "--option",
            "options",
            multiple=True,
            metavar="NAME",
            help="An option of the game; may be repeated.",
        ),
        click.option(
            "--seed",
            metavar="TEXT",
            help="All chance follows from it: the same seed plays the same games. [default: a new one, which is told]",
        ),
        click.option(
            "--rotate/--no-rotate",
            default=True,
            show_default=True,
            help="Move everybody a seat on from game to game, so that every strategy sits everywhere.",
        ),
        click.option(
            "--duplicate",
            is_flag=True,
            help="Play every shuffle once from each seating, so that every strategy plays every hand of it.",
        ),
        click.option(
            "--most-commands",
            type=click.IntRange(min=2),
            help="Leave a game unfinished that has so many commands. [default: 30000]",
        ),
        click.option(
            "--think-ms",
            type=click.IntRange(min=1, max=60_000),
            help="How many milliseconds of a usual machine a bot that searches may think about a move. [default: 10]",
        ),
    )
    for option in reversed(options):
        with_plan = option(with_plan)
    return with_plan


def _plan(asked: _Asked) -> Plan:
    """The plan, of games that there can be; raises Fault."""
    import secrets

    from meldlog_service.simulating.plan import MOST_COMMANDS, THINK_MS, Plan

    if asked.duplicate and not asked.rotate:
        raise Fault("--duplicate moves everybody a seat on, and --no-rotate nobody", WRONG_USAGE)
    lineup = _lineup(asked.bots)
    plan = Plan(
        variant=asked.variant,
        bots=lineup,
        seats=_seats(asked.variant, lineup, asked.seats),
        games=asked.games,
        seed=secrets.token_hex(4) if asked.seed is None else asked.seed,
        house_rules=asked.house_rules,
        options=asked.options,
        rotate=asked.rotate,
        duplicate=asked.duplicate,
        most_commands=asked.most_commands or MOST_COMMANDS,
        think_ms=asked.think_ms or THINK_MS,
    )
    _check(plan)
    return plan


def _lineup(bots: str) -> tuple[str, ...]:
    """The strategies that are named."""
    from meldlog_service.bots import BrokenBot, strategies

    try:
        known = strategies()
    except BrokenBot as error:
        raise Fault(str(error)) from error
    names = tuple(name.strip() for name in bots.split(","))
    for name in names:
        if name not in known:
            raise Fault(f"there is no bot {name!r}; there are {', '.join(sorted(known))}", WRONG_USAGE)
    return names


def _seats(variant: str, lineup: tuple[str, ...], asked: int | None) -> int:
    """How many seats a game has."""
    from meldlog_service.catalogue import PluginUnavailable
    from meldlog_service.cli.installed import installed

    if asked is not None and asked < len(lineup):
        raise Fault(f"{len(lineup)} bots are named for {asked} seats", WRONG_USAGE)
    try:
        least, _ = installed().newest(variant).info.players
    except PluginUnavailable as error:
        raise Fault(installed().unknown(variant, "variant"), WRONG_USAGE) from error
    return asked or max(least, len(lineup))


def _check(plan: Plan) -> None:
    """See that the variant knows such a game."""
    from meldlog_contracts.problems import Refused
    from meldlog_service.app.offline import OfflineGame
    from meldlog_service.cli.installed import installed

    try:
        OfflineGame(
            installed(), plan.create(0, "checked"), game_seed=plan.game_seed(0), began_ms=plan.began_ms(0)
        )
    except Refused as refused:
        raise Fault(refused.detail, WRONG_USAGE) from refused
