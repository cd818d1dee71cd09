"""The engine alone, in one thread: deciding moves, and playing at random from the lists of moves."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any

from msgspec.structs import replace

from meldlog_bench import lists
from meldlog_bench.plays import BEGAN_MS, Play, Step, any_legal, draw_or_discard, played, turn_by_turn
from meldlog_bench.results import Gap, Row, Target
from meldlog_bench.timing import rates
from meldlog_contracts.commands import Discard, Draw
from meldlog_contracts.table import HouseValue
from meldlog_service.catalogue import Catalogue
from meldlog_service.core.context import Context
from meldlog_service.core.decide import decide
from meldlog_service.core.moves import moves
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.core.views import conceal

GAMES = 4
ROUNDS = 7
STEPS = 0
RIVAL_STEPS = 2000
DEEPEST = "treize-brasses"
OPTIONS = ("joker-wild", "dealer-chooses-wild", "press", "auto-press")
RAMI: dict[str, HouseValue] = {
    "opening_must_beat_previous": True,
    "failed_take_penalty": 71,
    "unopened_penalty": 100,
    "close_with_layoff": True,
}
"""Four house rules of Rami 71, whose rules say most about every lay."""
RAMI_GAMES = 2


def measured(catalogue: Catalogue, _: Callable[[], None]) -> Iterator[Row | Gap]:
    """Moves a second, decided and folded; and random play beside RLCard's."""
    turns = [_played(Play(catalogue, f"turns-{number}"), only_turns=True) for number in range(GAMES)]
    games = [_played(Play(catalogue, f"games-{number}"), only_turns=False) for number in range(GAMES)]
    rules = catalogue.ruleset_for_new("crazy-rummy")
    all_turns, all_moves = sum(map(len, turns)), sum(map(len, games))
    found = rates(
        ROUNDS,
        {
            "turns": (all_turns, lambda: _decide_again(turns, rules)),
            "games": (all_moves, lambda: _decide_again(games, rules)),
        },
    )
    yield Row(
        name="engine.turns",
        title="Engine: draws and discards, decided and folded",
        figure=max(found["turns"]),
        unit="moves/s",
        target=Target("figure", "at least", 100_000),
        rounds=found["turns"],
    )
    yield Row(
        name="engine.games",
        title="Engine: every command of random games, decided again",
        figure=max(found["games"]),
        unit="moves/s",
        rounds=found["games"],
    )
    yield from _deep_stack(catalogue, games, rules)
    yield from _random_play(games, rules)
    yield from lists.measured(catalogue)


def _played(play: Play, *, only_turns: bool) -> list[Step]:
    return list(played(play, draw_or_discard if only_turns else any_legal))


def _decide_again(games: Sequence[Sequence[Step]], rules: Ruleset) -> None:
    """The core's share of carrying commands out: judge each at the table that the one before made."""
    for steps in games:
        table = steps[0].before
        version = table.version
        for step in steps:
            version += 1
            decided = decide(step.command, step.by, table, rules, Context(BEGAN_MS + 1000 * version))
            table = replace(decided.table, version=version)


# -- many rules --------------------------------------------------------------------------------------------------------


def _deep_stack(catalogue: Catalogue, games: Sequence[Sequence[Step]], plain: Ruleset) -> Iterator[Row]:
    """What the rules of the deepest stack cost a turn, and four options a whole game."""
    deep = catalogue.ruleset_for_new(DEEPEST, OPTIONS)
    turns = {
        name: list(_turns(played(Play(catalogue, f"turns-{name}", None, variant, options), turn_by_turn)))
        for name, variant, options in (("plain", "crazy-rummy", ()), ("deep", DEEPEST, OPTIONS))
    }
    optioned = catalogue.ruleset_for_new("crazy-rummy", OPTIONS)
    with_options = [
        list(played(Play(catalogue, f"options-{number}", None, "crazy-rummy", OPTIONS), any_legal))
        for number in range(GAMES)
    ]
    rami = catalogue.ruleset_for_new("rami-71", (), RAMI)
    rami_games = [
        list(played(Play(catalogue, f"rami-{number}", RAMI, "rami-71"), any_legal))
        for number in range(RAMI_GAMES)
    ]
    found = rates(
        ROUNDS,
        {
            "deep": (len(turns["deep"]), lambda: _judge(turns["deep"], deep)),
            "plain": (len(turns["plain"]), lambda: _judge(turns["plain"], plain)),
            "options": (sum(map(len, with_options)), lambda: _decide_again(with_options, optioned)),
            "games": (sum(map(len, games)), lambda: _decide_again(games, plain)),
            "rami": (sum(map(len, rami_games)), lambda: _decide_again(rami_games, rami)),
        },
    )
    yield Row(
        name="engine.deep-turns",
        title=f"Engine: draws and discards by {len(deep.refs)} plugins (Treize Brasses with four options)",
        figure=max(found["deep"]),
        unit="moves/s",
        floor_title="the same commands in Crazy Rummy without options",
        floor=max(found["plain"]),
        target=Target("ratio", "at least", 0.67),
        rounds=found["deep"],
        floor_rounds=found["plain"],
    )
    yield Row(
        name="engine.deep-games",
        title="Engine: every command of random games of Crazy Rummy with four options",
        figure=max(found["options"]),
        unit="moves/s",
        floor_title="of Crazy Rummy without options",
        floor=max(found["games"]),
        target=Target("ratio", "at least", 0.67),
        rounds=found["options"],
        floor_rounds=found["games"],
    )
    yield Row(
        name="engine.rami-games",
        title="Engine: every command of random games of Rami 71 with four house rules changed",
        figure=max(found["rami"]),
        unit="moves/s",
        floor_title="of Crazy Rummy without options",
        floor=max(found["games"]),
        target=Target("ratio", "at least", 0.67),
        rounds=found["rami"],
        floor_rounds=found["games"],
    )


def _turns(steps: Iterable[Step]) -> Iterator[Step]:
    """Draws from a stock, and discards that end no deal: what both games have alike."""
    for step in steps:
        deal = step.before.deal
        ordinary = isinstance(step.command, Draw) or len(deal.hands[deal.turn.seat]) > 1
        if isinstance(step.command, Draw | Discard) and deal.stock and ordinary:
            yield step


def _judge(steps: Sequence[Step], rules: Ruleset) -> None:
    for step in steps:
        decide(step.command, step.by, step.before, rules, Context(BEGAN_MS))


# -- random play -------------------------------------------------------------------------------------------------------


def _random_play(games: Sequence[Sequence[Step]], rules: Ruleset) -> Iterator[Row | Gap]:
    count = sum(map(len, games))
    amounts = {"ours": (count, lambda: _play_out(games, rules))}
    try:
        rival = _rival()
    except ModuleNotFoundError:
        yield Gap("engine.random", "RLCard is not installed: pip install 'meldlog[bench]'")
    else:
        amounts["theirs"] = (RIVAL_STEPS, lambda: _play_gin(rival))
    found = rates(ROUNDS, amounts)
    theirs = found.get("theirs", ())
    best = max(found["ours"])
    yield Row(
        name="engine.random",
        title="Random play from the list of legal moves, four players",
        figure=best,
        unit="moves/s",
        floor_title="RLCard's gin rummy, random legal actions" if theirs else None,
        floor=max(theirs) if theirs else None,
        target=Target("ratio", "at least", 1.0) if theirs else None,
        details={"games/s": best * len(games) / count},
        rounds=found["ours"],
        floor_rounds=theirs,
    )


def _play_out(games: Sequence[Sequence[Step]], rules: Ruleset) -> None:
    """As many random moves as each game had, from its start on; one that ends before begins again."""
    for steps in games:
        rng = random.Random(len(steps))
        table = start = steps[0].before
        for _ in steps:
            seat = table.deal.turn.seat
            command = rng.choice(moves(conceal(table, seat), seat, rules).moves)
            decided = decide(command, f"seat:{seat}", table, rules, Context(BEGAN_MS))
            goes_on = decided.table.status == "playing"
            table = replace(decided.table, version=table.version + 1) if goes_on else start


def _rival() -> Any:
    """RLCard's environment; it has no types, and is here only if it was asked for."""
    return import_module("rlcard").make("gin-rummy", config={"seed": 1})


def _play_gin(env: Any) -> None:
    """A step is what RLCard counts as one: an action carried out, and the state with its legal actions after it."""
    rng = random.Random(1)
    done = 0
    while done < RIVAL_STEPS:
        state, _ = env.reset()
        while not env.is_over() and done < RIVAL_STEPS:
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            done += 1
