"""Whose doing is it? A fault that names no hook yet is looked at again by plugins that are watched thoroughly."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

import msgspec
from msgspec.structs import replace

from meldlog_contracts.commands import Command
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Table
from meldlog_service.catalogue import Catalogue
from meldlog_service.checking.examining import Examination
from meldlog_service.checking.faults import Broken, Fault
from meldlog_service.checking.watching import Watch, shown_answer
from meldlog_service.core import chain
from meldlog_service.core.context import Context, milliseconds
from meldlog_service.core.decide import decide
from meldlog_service.core.evolve import Corrupt, apply
from meldlog_service.core.moves import moves
from meldlog_service.core.views import conceal

LOOKED_BACK = 160
"""Steps before the fault in which its cause is looked for: lists of moves, and commands."""
LOOKED_AT = 12
"""Listed moves decided at each position, as many as may well be looked at."""
_EVENT = re.compile(r'"type":"(\w+)"')
_ANSWERED_BY = {
    "deal_ended": "deal_over",
    "deal_scored": "score_deal",
    "deal_started": "deal_plan",
    "game_ended": "ranking",
    "game_started": "first_dealer",
    "meld_laid": "meld_kind",
    "penalty_added": "added_penalties",
    "penalty_offered": "penalty_offer",
    "rules_noted": "noted",
    "stock_renewed": "stock_empty",
    "wild_named": "wild_ranks",
}
"""Events that say what a hook answered."""
_ASKED_BY_THE_WAY = ("pack", "meld_kind", "is_wild", "card_points", "permits")
"""Hooks whose answers are small: where the core cannot go on, it is rather for the last of the others."""
_command = msgspec.json.Decoder(Command).decode
Step = Callable[[Watch], object]
"""Something that was done in the game, done again by watched plugins."""


def blamed(fault: Fault, broken: Broken, one: Examination, catalogue: Catalogue) -> Fault:
    """The fault, with the hook that did it where that can be found.

    Args:
        fault: Without a hook.
        broken: The promise that was broken.
        one: The game, at the version where it broke.
        catalogue: Where the rules are.
    """
    watch = Watch(one.game.rules, catalogue)
    steps = _steps(fault, one)
    if fault.invariant == "time":
        return _slowest(fault, watch, steps[-1])
    for step in steps:
        impure = _watched(watch, step)
        if impure is not None:
            detail = impure.detail if fault.invariant == "purity" else f"{fault.detail} ({impure.detail})"
            return replace(fault, hook=impure.hook, detail=detail)
    hook = watch.objectors.get(fault.rule or "")
    about = broken.about or _question(fault.detail)
    if not about and fault.invariant == "hooks":
        about = next((hook for hook in reversed(watch.answers) if hook not in _ASKED_BY_THE_WAY), "")
    if hook is None and about in watch.answers:
        hook, answer = watch.answers[about]
        return replace(fault, hook=hook, detail=f"{fault.detail}; {hook} answered {shown_answer(answer)}")
    return fault if hook is None else replace(fault, hook=hook)


def _question(detail: str) -> str:
    """The hook that the first event named in a sentence speaks of."""
    found = _EVENT.search(detail)
    return _ANSWERED_BY.get(found[1], "") if found else ""


def _watched(watch: Watch, step: Step) -> Broken | None:
    """What is wrong with the hooks that a step asks."""
    try:
        with watch.watching(thorough=True):
            step(watch)
    except Broken as broken:
        return broken if broken.hook is not None else None
    except Exception:
        return None  # the fault that is being looked at, again
    return None


def _slowest(fault: Fault, watch: Watch, step: Step) -> Fault:
    with watch.timing(), suppress(Refused):
        step(watch)
    if watch.slowest is None:
        return fault
    hook, seconds = watch.slowest
    return replace(fault, hook=hook, detail=f"{fault.detail}; {1000 * seconds:.0f} ms of it in {hook}")


def _steps(fault: Fault, one: Examination) -> list[Step]:
    """The last commands of the game, and what was done when the fault showed."""
    table = Table()
    steps: list[Step] = []
    for line in fault.log:
        try:
            commit = chain.decode(line)
            context = Context(milliseconds(commit.at), one.game.game_seed)
            steps += (_listing(table, context), _deciding(commit.command, commit.by, table, context))
            table = apply(table, commit)
        except (msgspec.MsgspecError, ValueError, Corrupt):
            break  # the fault itself
    del steps[:-LOOKED_BACK]
    steps.append(_listing(table, one.game.context()))
    if fault.command is not None and fault.by is not None:
        steps.append(_deciding(_command(fault.command), fault.by, table, one.game.context()))
    return steps


def _deciding(command: Command, by: str, table: Table, context: Context) -> Step:
    return lambda watch: decide(command, by, table, watch.rules, context)


def _listing(table: Table, context: Context) -> Step:
    """List the moves of a position, and decide some."""

    def list_moves(watch: Watch) -> None:
        if table.status != "playing":
            return
        seat = table.deal.turn.seat
        for move in moves(conceal(table, seat), seat, watch.rules).moves[:LOOKED_AT]:
            decide(move, f"seat:{seat}", table, watch.rules, context)

    return list_moves
