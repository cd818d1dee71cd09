"""Which plugins a game asks: those that have something to say, and each question in the order of the stack."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from types import ModuleType
from typing import Any

import pluggy
import pytest
from msgspec.structs import replace
from tests.support.games import installed
from tests.support.plugins import catalogue_with, plugin

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import (
    Batch,
    Command,
    CreateGame,
    Discard,
    Draw,
    LayMeld,
    LayOff,
    Reclaim,
    StartGame,
    TakeSeat,
)
from meldlog_contracts.hooks import Rules, hookimpl
from meldlog_contracts.table import HouseValue, Table
from meldlog_service.catalogue import BrokenPlugin
from meldlog_service.core.asking import HOOKS
from meldlog_service.core.context import Context
from meldlog_service.core.decide import decide
from meldlog_service.core.moves import moves
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.core.views import conceal

TURN_HOOKS = ("objections", "permits", "obligations", "unsettled", "noted", "exchange", "deal_over")
"""What is asked on the commands of a turn."""
CALLS_OF_A_TURN = 12
"""So many answers, all together, are asked for at a draw from the stock and a discard, in any game."""
STACKS: list[tuple[str, tuple[str, ...]]] = [
    *((info.name, ()) for info in installed().infos() if info.kind == "variant"),
    ("treize-brasses", ("joker-wild", "dealer-chooses-wild", "press", "auto-press")),
    ("biddies", ("joker-wild", "dealer-chooses-wild", "press", "auto-press")),
]


def counted(rules: Ruleset) -> Counter[str]:
    """Count every answer that these rules are asked for from now on, by hook."""
    asked: Counter[str] = Counter()

    def counting(hook: str, voice: Callable[..., object]) -> Callable[..., object]:
        def ask(*given: object) -> object:
            asked[hook] += 1
            return voice(*given)

        return ask

    for hook in HOOKS:
        rules._voices[hook] = tuple(counting(hook, voice) for voice in rules._voices[hook])
    rules.settlers = rules._voices["unsettled"]  # type: ignore[assignment]
    rules._obligers = rules._voices["obligations"]  # type: ignore[assignment]
    rules._exchangers = rules._voices["exchange"]
    rules._deal_enders = rules._voices["deal_over"]
    rules._objectors = {
        command: tuple(counting("objections", one) for one in objectors)  # type: ignore[misc]
        for command, objectors in rules._objectors.items()
    }
    return asked


def fresh(variant: str, options: tuple[str, ...], house: dict[str, HouseValue] | None = None) -> Ruleset:
    """Rules that no other test shares."""
    known = installed().ruleset_for_new(variant, options, house)
    plugins = [(ref, installed().version(ref.name, ref.rules_version).plugin) for ref in known.refs]
    return Ruleset(plugins, known.house.flat, known.info, known.options)


def played(rules: Ruleset, seats: int, chance: random.Random, most: int) -> Iterator[tuple[Command, Table]]:
    """Commands of a game at random, each with the table that it is given at."""
    context = Context(0, f"{chance.getrandbits(256):064x}")
    table = Table()

    def do(command: Command, by: str) -> None:
        nonlocal table
        table = replace(decide(command, by, table, rules, context).table, version=table.version + 1)

    do(CreateGame("asked", rules.info.name, seats, "", options=rules.options), "host")
    for seat in range(seats):
        do(TakeSeat(seat, f"player {seat}"), f"seat:{seat}")
    do(StartGame(), "host")
    for _ in range(most):
        if table.status != "playing":
            return
        seat = table.deal.turn.seat
        listed = moves(conceal(table, seat), seat, rules).moves
        busy = [move for move in listed if isinstance(move, LayMeld | LayOff | Reclaim | Batch)]
        command = chance.choice(busy if busy and chance.randrange(3) else listed)
        yield command, table
        do(command, f"seat:{seat}")


@pytest.mark.parametrize(("variant", "options"), STACKS)
def test_a_draw_and_a_discard_ask_few_plugins_however_deep_the_stack(
    variant: str, options: tuple[str, ...]
) -> None:
    """The deepest stack has two dozen plugins; the turn asks those that have a say in it."""
    rules = fresh(variant, options)
    least, _ = rules.info.players
    chance = random.Random(1)
    turns = [
        (command, table)
        for command, table in played(rules, max(2, least), chance, 120)
        if isinstance(command, Discard) or (isinstance(command, Draw) and command.source == "stock")
    ]
    asked = counted(rules)
    most: dict[type, int] = {}
    for command, table in turns:
        asked.clear()
        decide(command, f"seat:{table.deal.turn.seat}", table, rules, Context(0))
        if len(table.deal.hands[table.deal.turn.seat]) > 2:  # the others may end the deal
            calls = sum(asked[hook] for hook in TURN_HOOKS)
            most[type(command)] = max(most.get(type(command), 0), calls)
    assert sum(most.values()) <= CALLS_OF_A_TURN, most


def test_an_option_that_is_played_with_but_silent_in_the_turn_costs_it_nothing() -> None:
    """The options of this house have their say when a deal begins or ends."""
    for command in (Draw, Discard):
        plain = len(fresh("treize-brasses", ())._objectors[command])
        deep = fresh("treize-brasses", ("joker-wild", "dealer-chooses-wild", "press", "auto-press"))
        assert len(deep._objectors[command]) == plain


# -- silent hooks ------------------------------------------------------------------------------------------------------


def test_a_hook_that_is_named_is_not_asked_and_the_others_are() -> None:
    """The plugin says it by the game's house rules."""

    def silent(rules: Rules) -> tuple[str, ...]:
        return ("card_points",) if rules.house.flat["packs"] == 1 else ()

    hooks: dict[str, Callable[..., Any]] = {
        "silent": silent,
        "card_points": lambda: 5,
        "multiplier": lambda: 3,
    }
    catalogue = catalogue_with(plugin("quiet", kind="option", hooks=hooks))
    one = catalogue.ruleset_for_new("crazy-rummy", ["quiet"])
    two = catalogue.ruleset_for_new("crazy-rummy", ["quiet"], {"packs": 2})
    assert [rules.points(Card("7H"), Table()) for rules in (one, two)] == [7, 5]
    assert [rules.multiplier(Table()) for rules in (one, two)] == [3, 3]


def test_a_plugin_can_only_be_silent_about_what_it_has() -> None:
    """A name that is misspelt is told when the game is put together."""
    wrong = plugin("wrong", kind="option", hooks={"silent": lambda: ("objection",)})
    with pytest.raises(pluggy.PluginValidationError, match="silent about 'objection'"):
        catalogue_with(wrong).ruleset_for_new("crazy-rummy", ["wrong"])


# -- wrappers ----------------------------------------------------------------------------------------------------------


def wrapping(name: str, add: int) -> ModuleType:
    """An option that adds to what a card costs, whatever the others say."""
    module = plugin(name, kind="option")

    def card_points() -> Generator[None, int, int]:
        points = yield
        return 10 * points + add

    card_points_hook = hookimpl(wrapper=True)(card_points)
    module.card_points = card_points_hook  # type: ignore[attr-defined]
    return module


def test_wrappers_nest_with_the_last_registered_outermost() -> None:
    """Each is handed what those inside it made of the answer."""
    catalogue = catalogue_with(wrapping("inner", 1), wrapping("outer", 2))
    rules = catalogue.ruleset_for_new("crazy-rummy", ["inner", "outer"])
    table = Table()
    assert rules.points(Card("7H"), table) == 712


def test_a_wrapper_hears_what_went_wrong_inside() -> None:
    """And may answer in its place."""

    def fails() -> int:
        raise LookupError

    def rescues() -> Generator[None, int, int]:
        try:
            return (yield)
        except LookupError:
            return 4

    broken = plugin("broken", kind="option", hooks={"card_points": fails})
    rescue = plugin("rescue", kind="option")
    rescue.card_points = hookimpl(wrapper=True)(rescues)  # type: ignore[attr-defined]
    catalogue = catalogue_with(broken, rescue)
    assert catalogue.ruleset_for_new("crazy-rummy", ["broken", "rescue"]).points(Card("7H"), Table()) == 4
    with pytest.raises(LookupError):
        catalogue.ruleset_for_new("crazy-rummy", ["broken"]).points(Card("7H"), Table())


@pytest.mark.parametrize("yields", [0, 2])
def test_a_wrapper_yields_once(yields: int) -> None:
    """Not twice, nor not at all."""

    def wrong() -> Generator[None, int, int]:
        for _ in range(yields):
            yield
        return 1

    module = plugin("wrong", kind="option")
    module.card_points = hookimpl(wrapper=True)(wrong)  # type: ignore[attr-defined]
    rules = catalogue_with(module).ruleset_for_new("crazy-rummy", ["wrong"])
    with pytest.raises(RuntimeError, match="yields once"):
        rules.points(Card("7H"), Table())


def test_pluggys_old_wrappers_are_not_taken() -> None:
    """They hand on a result in another way."""

    def old() -> Generator[None, Any, None]:
        yield

    module = plugin("old", kind="option")
    module.card_points = hookimpl(hookwrapper=True)(old)  # type: ignore[attr-defined]
    with pytest.raises(BrokenPlugin, match="wrapper=True"):
        catalogue_with(module)
