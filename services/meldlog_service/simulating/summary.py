"""What many games say: who plays how well, how long games are, how deals end.

Bots are compared in finished games only. A strategy has what its sides have: of every game its part of the win, the
points of all its sides, their places. Games of the same shuffle are one observation: their points are not independent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean, median

from msgspec import Struct

from meldlog_service.simulating.playing import Played
from meldlog_service.simulating.standing import fewer_is_better
from meldlog_service.simulating.statistics import Estimate, mean_per, rate

TWO = 2


class StrategyFigures(Struct, frozen=True):
    """How one strategy did."""

    strategy: str
    games: int
    """Finished games that it took part in."""
    wins: float
    """Games that it won; of one that it won with others, its part."""
    win_rate: Estimate
    """Of its games; Wilson's interval."""
    by_chance: float
    """The rate that it would have if all sides were as good: its part of all sides."""
    points_per_deal: Estimate
    """Of one of its sides, as the variant counts them; Student's t, games of one shuffle being one observation."""
    mean_rank: float
    """Of its sides, 1 being the best."""


class Duel(Struct, frozen=True):
    """Two strategies against each other, over the games that both took part in."""

    strategy: str
    against: str
    won: int
    lost: int
    shared: int
    points_per_deal: Estimate
    """How many more points a deal gave to a side of the first than to one of the other; Student's t, as for one."""
    fewer_is_better: bool | None
    """Whether points are penalties in this variant; None where the places of these games do not tell."""
    ahead: str | None
    """Who of the two is ahead by points; None where nobody is."""
    points_ahead: Estimate | None
    """By how many points a deal the first is ahead, below 0 where it is behind; None where nobody can tell."""


class Spread(Struct, frozen=True):
    """How a figure is spread over games."""

    least: float
    median: float
    mean: float
    most: float


class GameFigures(Struct, frozen=True):
    """How long games are, whether they were finished or not."""

    commands: Spread
    deals: Spread
    seconds: Spread
    """Of a processor that playing a game took."""
    commands_per_second: float
    """For each second of a processor."""
    longest: str
    """Id of the game with the most commands."""
    deals_ended: dict[str, int]
    """How many deals ended for which reason, the most frequent first."""


class Trouble(Struct, frozen=True):
    """A game that did not come to its end."""

    number: int
    game_id: str
    outcome: str
    commands: int
    detail: str | None


class Summary(Struct, frozen=True):
    """All that is told of some games."""

    played: int
    finished: int
    strategies: tuple[StrategyFigures, ...]
    """As they were named; nothing when no game was finished."""
    duel: Duel | None
    """When there are two: of the one that was named first against the other."""
    games: GameFigures | None
    """None when no game was played."""
    troubles: tuple[Trouble, ...]


def summed_up(games: Sequence[Played], together: int = 1, named: Sequence[str] = ()) -> Summary:
    """Sum up games of one plan.

    Args:
        games: Any of them.
        together: How many, one after the other by their numbers, were dealt from the same shuffle.
        named: The strategies in the order in which they are to be told; those that are not among them come last.
    """
    finished = [game for game in games if game.outcome == "finished"]
    names = _in_order({name for game in finished for name in game.sides}, named)
    return Summary(
        played=len(games),
        finished=len(finished),
        strategies=tuple(_figures(name, finished, together) for name in names),
        duel=_duel(names[0], names[1], finished, together) if len(names) == TWO else None,
        games=_game_figures(games) if games else None,
        troubles=tuple(
            Trouble(game.number, game.game_id, game.outcome, game.commands, game.detail)
            for game in games
            if game.outcome != "finished"
        ),
    )


def _in_order(names: Iterable[str], named: Sequence[str]) -> list[str]:
    """Partners who differ stand where the first of them was named."""
    places = {name: place for place, name in reversed(list(enumerate(named)))}
    return sorted(names, key=lambda name: (min(places.get(one, len(named)) for one in name.split("+")), name))


def _figures(name: str, finished: Sequence[Played], together: int) -> StrategyFigures:
    games = [game for game in finished if name in game.sides]
    wins = sum(_share(game, name) for game in games)
    return StrategyFigures(
        strategy=name,
        games=len(games),
        wins=wins,
        win_rate=rate(wins, len(games)),
        by_chance=fmean(game.sides.count(name) / len(game.sides) for game in games),
        points_per_deal=_per_deal(
            games,
            together,
            points=lambda game: _points(game, name),
            deals=lambda game: len(game.scores) * game.sides.count(name),
        ),
        mean_rank=fmean(game.ranks[side] for game in games for side in _sides(game, name)),
    )


def _duel(name: str, other: str, finished: Sequence[Played], together: int) -> Duel:
    games = [game for game in finished if name in game.sides and other in game.sides]
    more_of_the_win = [_share(game, name) - _share(game, other) for game in games]
    more_points = _per_deal(
        games,
        together,
        points=lambda game: (
            _points(game, name) / game.sides.count(name) - _points(game, other) / game.sides.count(other)
        ),
        deals=lambda game: len(game.scores),
    )
    fewer = fewer_is_better(
        (tuple(map(sum, zip(*game.scores, strict=True))), game.ranks) for game in finished
    )
    points_ahead = more_points.negated() if fewer else more_points
    by = 0 if fewer is None else points_ahead.value
    return Duel(
        strategy=name,
        against=other,
        won=sum(share > 0 for share in more_of_the_win),
        lost=sum(share < 0 for share in more_of_the_win),
        shared=sum(share == 0 for share in more_of_the_win),
        points_per_deal=more_points,
        fewer_is_better=fewer,
        ahead=None if by == 0 else name if by > 0 else other,
        points_ahead=None if fewer is None else points_ahead,
    )


def _per_deal(
    games: Sequence[Played],
    together: int,
    *,
    points: Callable[[Played], float],
    deals: Callable[[Played], int],
) -> Estimate:
    """Points a deal, the games of one shuffle being one observation."""
    shuffles: dict[int, list[Played]] = {}
    for game in games:
        shuffles.setdefault(game.number // together, []).append(game)
    return mean_per(
        [sum(map(points, played)) for played in shuffles.values()],
        [sum(map(deals, played)) for played in shuffles.values()],
    )


def _sides(game: Played, name: str) -> list[int]:
    return [side for side, who in enumerate(game.sides) if who == name]


def _share(game: Played, name: str) -> float:
    return sum(game.shares[side] for side in _sides(game, name))


def _points(game: Played, name: str) -> int:
    return sum(deal[side] for deal in game.scores for side in _sides(game, name))


def _game_figures(games: Sequence[Played]) -> GameFigures:
    ended: Counter[str] = Counter()
    for game in games:
        ended.update(game.deals_ended)
    return GameFigures(
        commands=_spread([game.commands for game in games]),
        deals=_spread([len(game.scores) for game in games]),
        seconds=_spread([game.seconds for game in games]),
        commands_per_second=sum(game.commands for game in games) / sum(game.seconds for game in games),
        longest=max(games, key=lambda game: game.commands).game_id,
        deals_ended=dict(ended.most_common()),
    )


def _spread(figures: Sequence[float]) -> Spread:
    return Spread(min(figures), median(figures), fmean(figures), max(figures))
