"""Bots that think long: in another process, while everybody else plays on."""

import asyncio
import os
import random
import signal
from collections.abc import Sequence

import pytest
from tests.app.staging import creation, started
from tests.app.test_bot_runner import SOON, bots_play, is_over, running, until
from tests.support.positions import position

from meldlog_contracts.commands import Discard
from meldlog_contracts.table import Table
from meldlog_service.app.bot_runner import BotRunner
from meldlog_service.app.choosing import Question, chosen, question
from meldlog_service.app.handler import Handler
from meldlog_service.app.thinking import Thinker, ThinkerGone, ThoughtTooLong
from meldlog_service.bots import STRATEGIES, Move, Strategy
from meldlog_service.bots.sharp import Sharp

HERE = position("QS KD 3C 4C 2H 8D", "3D 4D 8S", laid=[1])


class Elsewhere:
    """Chooses only in a process that is not the one it was made in; a moment's work, told as long."""

    name = "sharp"
    thinks = True

    def __init__(self) -> None:
        self.made_in = os.getpid()

    def choose(self, table: Table, seat: int, moves: Sequence[Move], rng: random.Random) -> Move:
        """See `Strategy.choose`."""
        if os.getpid() == self.made_in:
            raise AssertionError("everybody waits for this")
        return STRATEGIES["plain"].choose(table, seat, moves, rng)


class Signalled(Elsewhere):
    """Its process is sent a signal while it thinks."""

    signal: signal.Signals

    def choose(
        self,
        table: Table,  # noqa: ARG002 -- it does not look
        seat: int,  # noqa: ARG002
        moves: Sequence[Move],
        rng: random.Random,  # noqa: ARG002
    ) -> Move:
        """See `Strategy.choose`."""
        if os.getpid() != self.made_in:
            os.kill(os.getpid(), self.signal)
        return moves[0]


class Doomed(Signalled):
    """Its process is killed while it thinks."""

    signal = signal.SIGKILL


class Stopped(Signalled):
    """Its process stands still while it thinks."""

    signal = signal.SIGSTOP


class Mistaken(Elsewhere):
    """It makes a mistake."""

    def choose(self, *_: object) -> Move:
        """See `Strategy.choose`."""
        raise ZeroDivisionError("a mistake")


class Endless(Thinker):
    """Thinks for ever."""

    async def choice(self, strategy: Strategy, asked: Question) -> Move:
        """See `Thinker.choice`."""
        await asyncio.Event().wait()
        raise AssertionError(f"{strategy.name} and {asked.seat} are never answered")


class Slow(Thinker):
    """Never comes to an end in time."""

    async def choice(self, strategy: Strategy, asked: Question) -> Move:
        """See `Thinker.choice`."""
        raise ThoughtTooLong(f"{strategy.name} at seat {asked.seat} thinks")


class Deadly(Thinker):
    """Its process dies of every move."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    async def choice(self, strategy: Strategy, asked: Question) -> Move:
        """See `Thinker.choice`."""
        self.asked += 1
        raise ThinkerGone(f"the process was killed that thought for {strategy.name} at seat {asked.seat}")


class KilledOnce(Thinker):
    """Its process is killed while it thinks about the first move."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    async def choice(self, strategy: Strategy, asked: Question) -> Move:
        """See `Thinker.choice`."""
        self.asked += 1
        return await super().choice(Doomed() if self.asked == 1 else strategy, asked)


async def test_the_answer_is_the_same_as_in_this_process() -> None:
    """Every worker makes the same choice, wherever it thinks."""
    thinker, strategy = Thinker(), Sharp(think_ms=2)
    try:
        move = await thinker.choice(strategy, question(HERE.table, 0, HERE.rules))
    finally:
        thinker.close()

    assert move == chosen(strategy, HERE.table, 0, HERE.rules)
    assert isinstance(move, Discard)


async def test_what_a_strategy_raises_comes_back() -> None:
    """And the process is there for the next question; so it is after somebody stopped waiting."""
    thinker, asked = Thinker(), question(HERE.table, 0, HERE.rules)
    try:
        with pytest.raises(ZeroDivisionError, match="a mistake"):
            await thinker.choice(Mistaken(), asked)
        waiting = asyncio.ensure_future(thinker.choice(Sharp(think_ms=10), asked))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert await thinker.choice(Elsewhere(), asked) in asked.legal
    finally:
        thinker.close()


async def test_a_process_that_is_killed_is_started_anew() -> None:
    """Whoever waited is told; the next question is answered."""
    thinker, asked = Thinker(), question(HERE.table, 0, HERE.rules)
    try:
        with pytest.raises(ThinkerGone):
            await thinker.choice(Doomed(), asked)
        assert await thinker.choice(Elsewhere(), asked) in asked.legal
    finally:
        thinker.close()


async def test_a_thought_has_a_limit() -> None:
    """The process that does not answer is ended, and whoever waits behind is told; another answers next."""
    thinker, asked = Thinker(), question(HERE.table, 0, HERE.rules)
    try:
        await thinker.choice(Elsewhere(), asked)
        limit, thinker.limit = thinker.limit, 0.01
        slow = asyncio.ensure_future(thinker.choice(Stopped(), asked))
        await asyncio.sleep(0)
        thinker.limit = limit
        behind = asyncio.ensure_future(thinker.choice(Elsewhere(), asked))
        with pytest.raises(ThoughtTooLong, match=r"more than 0\.01 seconds"):
            await slow
        with pytest.raises(ThinkerGone):
            await behind
        assert await thinker.choice(Elsewhere(), asked) in asked.legal
    finally:
        thinker.close()


async def test_a_thought_does_not_hold_up_the_end() -> None:
    """However long it would take: the process is killed, also one that stands still."""
    thinker, asked = Thinker(), question(HERE.table, 0, HERE.rules)
    await thinker.choice(Elsewhere(), asked)
    waiting = asyncio.ensure_future(thinker.choice(Stopped(), asked))
    await asyncio.sleep(0)
    thinker.close()
    with pytest.raises(ThinkerGone):
        await waiting


async def test_a_move_that_is_thought_about_too_long_is_made_by_another_bot(
    handler: Handler, caplog: pytest.LogCaptureFixture
) -> None:
    """So no game waits for ever for somebody's strategy."""
    bots = {"plain": STRATEGIES["plain"], "sharp": Elsewhere()}
    runner = BotRunner(handler, bots, patience=SOON, thinker=Slow())
    async with running(runner):
        await bots_play(handler, strategy="sharp")
        await until(handler, "g1", is_over)

    assert "plain moves in its place" in caplog.text
    assert runner._given_up == {}


async def test_the_runner_lets_such_bots_think_elsewhere(handler: Handler) -> None:
    """A game that they play in comes to its end as any other."""
    runner = BotRunner(handler, {"plain": STRATEGIES["plain"], "sharp": Elsewhere()}, patience=SOON)
    async with running(runner):
        mixed = creation("g1", bots={0: "plain", 1: "sharp", 2: "plain"}, house_rules={"deal_count": 1})
        await started(handler, mixed)
        await until(handler, "g1", is_over)

    assert runner._given_up == {}


async def test_nobody_else_waits_for_them(handler: Handler) -> None:
    """While five games of bots that think are at their first moves, another game comes to its end."""
    bots = {"plain": STRATEGIES["plain"], "sharp": Elsewhere()}
    runner = BotRunner(handler, bots, players=1, thinker=Endless())
    async with running(runner):
        for number in range(5):
            await bots_play(handler, f"slow{number}", strategy="sharp")
        await bots_play(handler, "quick")
        await until(handler, "quick", is_over)

    assert {await handler.store.last_version(f"slow{number}") for number in range(5)} == {2}


async def test_a_killed_process_costs_a_game_no_more_than_a_while(
    handler: Handler, caplog: pytest.LogCaptureFixture
) -> None:
    """The move is thought about again, by another process."""
    bots = {"plain": STRATEGIES["plain"], "sharp": Elsewhere()}
    runner = BotRunner(handler, bots, patience=SOON, thinker=KilledOnce())
    async with running(runner):
        await bots_play(handler, strategy="sharp")
        await until(handler, "g1", is_over)

    assert "thinks again" in caplog.text


async def test_a_strategy_that_kills_its_process_is_not_asked_for_ever(
    handler: Handler, caplog: pytest.LogCaptureFixture
) -> None:
    """After three times another bot moves in its place, and every further move begins anew."""
    bots = {"plain": STRATEGIES["plain"], "sharp": Elsewhere()}
    thinker = Deadly()
    runner = BotRunner(handler, bots, patience=SOON, thinker=thinker)
    async with running(runner):
        await bots_play(handler, strategy="sharp")
        await until(handler, "g1", is_over)

    assert "3 times: plain moves in place of sharp" in caplog.text
    assert thinker.asked % 3 == 0
    assert runner._given_up == {}
