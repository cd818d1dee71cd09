"""Games of a plan, played."""

import random
from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from tests.support.games import installed

from meldlog_contracts import verifier
from meldlog_contracts.events import SeatTaken
from meldlog_contracts.hooks import VariantInfo
from meldlog_contracts.table import Table
from meldlog_service.app.audit import audit_log
from meldlog_service.app.envelope import pointer_of
from meldlog_service.bots import STRATEGIES, Move, Strategy
from meldlog_service.core import chain
from meldlog_service.simulating.plan import Plan
from meldlog_service.simulating.playing import Played, play, play_by

VARIANTS = [info for info in installed().infos() if info.kind == "variant"]
PLAN = Plan("crazy-rummy", ("plain", "random"), seats=2, games=2, seed="1", house_rules={"deal_count": 2})


def with_bot(strategy: Strategy, plan: Plan = PLAN) -> Played:
    """Game 0, with a strategy in the place of `plain`."""
    return play_by(installed(), {**STRATEGIES, "plain": strategy}, plan, 0, with_log=True)


@pytest.mark.parametrize("info", VARIANTS, ids=lambda info: info.name)
def test_plain_bots_play_every_variant_to_its_end_before_long(info: VariantInfo) -> None:
    """What is written down of it is what the service would have stored: it audits, and its pointers are right."""
    plan = Plan(info.name, ("plain",), seats=info.players[0], games=1, seed="1")
    played = play(plan, 0, with_log=True)
    assert played.outcome == "finished"
    assert played.commands == len(played.log) < 3000
    assert sum(played.deals_ended.values()) == len(played.scores)
    lines = [line for _, line in played.log]
    assert audit_log(map(chain.decode, lines), installed()).verdict == "agrees"
    for version in (1, 2, len(lines)):
        assert played.log[version - 1][0] == pointer_of(lines[:version])


def test_every_seat_is_taken_by_its_bot() -> None:
    """As a host seats them, so a service that reads the log knows who plays."""
    created = chain.decode(play(PLAN, 1, with_log=True).log[0][1])
    seated = [event for event in created.events if isinstance(event, SeatTaken)]
    assert [(one.seat, one.kind, one.strategy) for one in seated] == [
        (0, "bot", "random"),
        (1, "bot", "plain"),
    ]


def test_the_same_game_is_the_same_bytes() -> None:
    """Nothing but the plan and the number goes into it; a log that nobody wants is not kept."""
    assert play(PLAN, 0, with_log=True).log == play(PLAN, 0, with_log=True).log
    assert play(PLAN, 0).log == ()


def test_partners_are_one_side() -> None:
    """Their points are counted together, and so are win and place."""
    plan = Plan("rami-51", ("plain", "random"), seats=4, games=1, seed="1")
    played = play(plan, 0)
    assert played.sides == ("plain", "random")
    assert list(played.shares) == [1, 0]
    assert list(played.ranks) == [1, 2]
    assert {len(points) for points in played.scores} == {2}


def test_partners_who_differ_are_a_side_of_their_own() -> None:
    """It is told as both."""
    plan = Plan("rami-51", ("plain", "plain", "random", "random"), seats=4, games=1, seed="1")
    assert play(plan, 0).sides == ("plain+random", "plain+random")


def test_a_game_without_end_is_left() -> None:
    """At the most commands, told as unfinished, with the log so far and neither winner nor places."""
    played = play(replace(PLAN, most_commands=30), 0, with_log=True)
    assert (played.outcome, played.commands) == ("unfinished", 30)
    assert (played.shares, played.ranks) == ((), ())
    assert len(played.log) == 30


class Careless:
    """A strategy that fails at its third turn."""

    name = "plain"

    def choose(self, table: Table, seat: int, moves: Sequence[Move], rng: random.Random) -> Move:
        """See `Strategy.choose`."""
        assert seat == table.deal.turn.seat
        if table.deal.turns > 3:
            raise ZeroDivisionError("a mistake")
        return rng.choice(moves)


def test_what_a_strategy_raises_fails_its_game_alone() -> None:
    """It is told, and the log before it is at hand, whole."""
    played = with_bot(Careless())
    assert (played.outcome, played.detail) == ("failed", "ZeroDivisionError: a mistake")
    lines = [line for _, line in played.log]
    assert played.commands == len(lines) > 3
    assert audit_log(map(chain.decode, lines), installed()).verdict == "agrees"


def test_games_are_verified_by_the_verifier_alone(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Which shares no code with the service."""
    file = tmp_path_factory.mktemp("logs") / "log.ndjson"
    file.write_bytes(b"".join(line + b"\n" for _, line in play(PLAN, 0, with_log=True).log))
    assert verifier.main(["--json", str(file)]) == 0
