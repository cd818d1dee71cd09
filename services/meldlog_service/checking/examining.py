"""One game under examination: what is done in it is done through here, and every promise is tried on the way."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from time import thread_time
from typing import TypeVar
from zlib import crc32

import msgspec
from msgspec import Struct

from meldlog_contracts.commands import Batch, Command, CreateGame, LayMeld, PlayCommand
from meldlog_contracts.events import Commit, DealScored, GameStarted, RulesNoted
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Table
from meldlog_service.app.audit_report import AuditReport
from meldlog_service.app.offline import OfflineGame
from meldlog_service.catalogue import Catalogue
from meldlog_service.checking.faults import Broken
from meldlog_service.checking.invariants import moves as on_moves
from meldlog_service.checking.invariants import sheet, views
from meldlog_service.checking.invariants.cards import Cards
from meldlog_service.checking.invariants.purity import check_pure
from meldlog_service.checking.invariants.replay import check_readable, check_replay
from meldlog_service.checking.invariants.scores import Scores
from meldlog_service.checking.probing import lists_of, obvious, probe, some_melds
from meldlog_service.checking.setups import BEGAN_MS, Setup
from meldlog_service.checking.tallies import Record, Tally
from meldlog_service.checking.twins import AGREES, Judge
from meldlog_service.checking.watching import Watch, snapshot, watch_of
from meldlog_service.core.decide import Decision
from meldlog_service.core.evolve import Corrupt
from meldlog_service.core.moves import Moves, moves
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.core.views import conceal

Answer = TypeVar("Answer")
AGAIN = 3
"""How often something slow is measured again: whatever else the machine does is not the variant's fault."""


class Pace(Struct, frozen=True):
    """How closely a game is looked at."""

    every: int = 24
    """One position in so many is looked at closer; 1 for every position."""
    probes: int = 6
    """Commands tried at such a position."""
    listed: int = 60
    """Listed moves decided at such a position, at most."""
    slowest_ms: float = 2000.0
    """What a decision, or a list of moves, may take."""
    longest: int = 20_000
    """Commands after which a game has no end."""
    longest_deal: int = 4000
    """Turns after which a deal has no end."""


CLOSELY = Pace(every=1, probes=40, listed=2000)
"""For a log that is short."""


class Examination:
    """A game under examination.

    Attributes:
        game: The game.
        watch: Its plugins, watched.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        setup: Setup,
        pace: Pace,
        tally: Tally,
        *,
        create: CreateGame | None = None,
        game_seed: str | None = None,
    ) -> None:
        """Create the game.

        Args:
            catalogue: Where the rules are.
            setup: What is played.
            pace: How closely it is looked at.
            tally: Where it is counted.
            create: The command that a log begins with, where there is one.
            game_seed: The seed of that log.

        Raises:
            Refused: when the house rules make no game.
            Broken: when the rule sheet is not whole, or a hook fails.
        """
        self.setup = setup
        self.pace = pace
        self.tally = tally
        self.watch: Watch | None = None
        create = create or setup.create()
        self._rules = self._trying("making the rules", lambda: _rules(catalogue, create))
        self.watch = watch_of(self._rules, catalogue)
        self.game = self._trying(
            "creating the game",
            lambda: OfflineGame(catalogue, create, game_seed=game_seed or setup.game_seed, began_ms=BEGAN_MS),
        )
        self._cards = Cards(self._rules)
        self._scores = Scores()
        self._seat = views.SeatsFold(setup.seed % setup.seats)
        self._seat.send(self.game.last)
        self._shown = self._trying("reading the sheet", lambda: sheet.check_sheet(self._rules, catalogue))

    @property
    def playing(self) -> bool:
        """Whether the game has begun and is not over."""
        return self.game.playing

    # -- one position --------------------------------------------------------------------------------------------------

    def position(self) -> tuple[Table, Moves]:
        """What the seat on turn knows, and its moves; every so often the position is looked at closer.

        Raises:
            Broken: when a promise does not hold here.
        """
        game = self.game
        deal = game.table.deal
        if game.version >= self.pace.longest:
            deals = len(game.table.scores)
            raise Broken(
                "termination", f"no end after {game.version} commands, {deals} deals", about="is_last_deal"
            )
        if deal.turns > self.pace.longest_deal:
            raise Broken(
                "termination", f"deal {deal.number} has no end after {deal.turns} turns", about="deal_over"
            )
        seat = game.on_turn
        seen = conceal(game.table, seat)
        began = thread_time()
        listed = self._trying("listing the moves", lambda: moves(seen, seat, self._rules))
        self._measure(began, "moves", None, lambda: moves(seen, seat, self._rules))
        if not listed.moves:
            raise on_moves.stuck(game.table, seat, self._rules)
        if self._looks_closer():
            self._look(seen, listed)
        return seen, listed

    def _looks_closer(self) -> bool:
        every = self.pace.every
        return every == 1 or crc32(b"%d:%d" % (self.setup.seed, self.game.version)) % every == 0

    def _look(self, seen: Table, listed: Moves) -> None:
        game, seat = self.game, listed.seat
        # Of this position alone: a log made shorter is looked at here as the whole one was.
        rng = random.Random(f"{self.setup.seed} {game.version} {game.last.hash}")
        self.tally.positions += 1
        self._seat.check(game.table)
        before = snapshot(game.table)
        decided = listed.moves
        if len(decided) > self.pace.listed:
            decided = tuple(rng.sample(decided, self.pace.listed))
        for move in decided:
            self._about(
                move,
                f"seat:{seat}",
                lambda move=move: on_moves.check_accepted(  # type: ignore[misc]
                    move, game.table, seat, self._rules, game.context()
                ),
            )
        melds = some_melds(rng, seen, seat, self._rules)
        for command in (
            *(one for one in obvious(seen, seat) if one not in listed.moves),
            *(LayMeld(meld.cards, meld.reads_as) for meld in melds[: self.pace.probes]),
            *(probe(rng, seen, seat, listed.moves) for _ in range(self.pace.probes)),
        ):
            self._about(command, f"seat:{seat}", lambda c=command: self._probe(c, seen, listed))  # type: ignore[misc]
        if self._rules.settlers:
            self._look_at_lists(lists_of(melds, seen.hand(seat)), listed)
        if snapshot(game.table) != before:
            raise Broken("purity", "a hook changed the table while moves were decided")

    def _look_at_lists(self, lists: Iterable[Batch], listed: Moves) -> None:
        """Melds that may stand together though not alone: try some."""
        game, by = self.game, f"seat:{listed.seat}"
        for batch in lists:
            self.tally.probes += 1
            self._about(
                batch,
                by,
                lambda batch=batch: on_moves.check_list(  # type: ignore[misc]
                    batch, listed, game.table, self._rules, game.context()
                ),
            )

    def _probe(self, command: PlayCommand, seen: Table, listed: Moves) -> None:
        """Have a command judged that nobody gave."""
        game, seat, rules = self.game, listed.seat, self._rules
        self.tally.probes += 1
        decision: Decision | None = None
        refused: Refused | None = None
        try:
            decision = game.decided(command, f"seat:{seat}")
        except Refused as no:
            refused = no
            on_moves.check_refusal(no)
            self.tally.refused(no.rule)
            if no.rule is not None:
                sheet.check_clause(no.rule, self._shown, "the refusal")
            if command in listed.moves:
                raise Broken(
                    "listed", f"a listed move is refused ({no.rule}): {no.detail}", rule=no.rule
                ) from no
        views.check_alike(refused, command, seat, seen, rules)
        if decision is not None:
            on_moves.check_listed(command, decision, listed, game.table, rules, game.context())

    # -- one command ---------------------------------------------------------------------------------------------------

    def allows(self, command: Command, by: str) -> bool:
        """Whether a command would be accepted now; a hook that fails over it refuses nothing."""
        try:
            self.game.decided(command, by)
        except Refused:
            return False
        except Exception:
            return True  # `do` tells of it
        return True

    def do(self, command: Command, by: str) -> Commit:
        """Decide a command and record it.

        Raises:
            Broken: when a promise does not hold, and when the command is refused.
        """
        return self._about(command, by, lambda: self._do(command, by))

    def _do(self, command: Command, by: str) -> Commit:
        game = self.game
        before, context = game.table, game.context()
        closer = self._looks_closer()
        began = thread_time()
        try:
            decision = game.decided(command, by)
        except Refused as refused:
            raise Broken(
                "listed", f"a listed move is refused ({refused.rule}): {refused.detail}", rule=refused.rule
            ) from refused
        self._measure(began, "decision", command, lambda: game.decided(command, by))
        commit = self._recorded(command, by, decision)
        self._after(commit, before)
        if self.watch is not None and (closer or _begins_or_ends(decision)):
            check_pure(decision, command, by, before, context, self.watch)
        return commit

    def _recorded(self, command: Command, by: str, decision: Decision) -> Commit:
        try:
            return self.game.record(command, by, decision)
        except (TypeError, msgspec.MsgspecError) as error:
            about = "noted" if any(isinstance(event, RulesNoted) for event in decision.events) else None
            raise Broken(
                "replay", f"what was decided cannot be written as JSON: {error}", about=about
            ) from error

    def _after(self, commit: Commit, before: Table) -> None:
        table = self.game.table
        if table.status != "open":
            self._scores.check(commit.events, table)
        if table.deal is not before.deal:
            self._cards.check(table.deal)
            turns = table.deal.turns
            if turns > self.tally.most_turns.amount:
                self.tally.most_turns = Record(turns, f"deal {table.deal.number} of {self.setup.token}")
        if table.notes is not before.notes or self._looks_closer():
            check_readable(self.game.log[-1], commit)
            views.check_notes(commit, table)
        self._seat.send(commit)

    # -- the whole game ------------------------------------------------------------------------------------------------

    def finish(self, judge: Judge) -> None:
        """Check the whole log.

        Raises:
            Broken: ``secrecy``, ``replay`` or ``audit``.
        """
        self._seat.check(self.game.table)
        check_replay(self.game.log, self.game.table)
        check_audit(judge(self.game.log))
        self.tally.played(self.setup, self.game.version, len(self.game.table.scores))

    # -- within --------------------------------------------------------------------------------------------------------

    def _about(self, command: Command, by: str, work: Callable[[], Answer]) -> Answer:
        """Do something about a command, whose name a broken promise is given."""
        said = msgspec.json.encode(command).decode()
        try:
            return self._trying("deciding it", work)
        except Broken as broken:
            if broken.command is None:
                broken.command, broken.by = said, by
            raise

    def _trying(self, what: str, work: Callable[[], Answer]) -> Answer:
        """Do something that asks plugins: whatever they raise is theirs.

        Raises:
            Broken: ``hooks``.
        """
        try:
            return work()
        except (Broken, Refused):
            raise
        except Exception as error:
            hook = None if self.watch is None else self.watch.raised_in(error.__traceback__)
            who = "" if hook is None else f"{hook} raised "
            kind = "" if isinstance(error, Corrupt) else f"{type(error).__name__}: "
            raise Broken("hooks", f"{what}: {who}{kind}{error}", hook=hook) from error

    def _measure(self, began: float, kind: str, command: Command | None, again: Callable[[], object]) -> None:
        """Note how long something took a processor; where that is more than ever it is measured again."""
        ms = 1000 * (thread_time() - began)
        name = f"slowest_{kind}"
        record: Record = getattr(self.tally, name)
        if ms <= record.amount:
            return
        for _ in range(AGAIN):
            began = thread_time()
            again()
            ms = min(ms, 1000 * (thread_time() - began))
        what = "" if command is None else f"{command.__struct_config__.tag}, "
        if ms > record.amount:
            setattr(self.tally, name, Record(ms, f"{what}version {self.game.version} of {self.setup.token}"))
        if ms > self.pace.slowest_ms:
            slow = "a list of moves" if kind == "moves" else "a decision"
            raise Broken("time", f"{slow} took {ms:.0f} ms; {self.pace.slowest_ms:.0f} are allowed")


def _rules(catalogue: Catalogue, create: CreateGame) -> Ruleset:
    return catalogue.ruleset_for_new(create.variant, create.options, create.house_rules)


def check_audit(report: AuditReport) -> None:
    """Read an audit.

    Raises:
        Broken: ``audit``, where it does not agree.
    """
    if report.verdict == AGREES:
        return
    check = next(check for check in report.checks if check.verdict == report.verdict)
    raise Broken("audit", f"version {report.version}: {check.name}: {check.detail}")


def _begins_or_ends(decision: Decision) -> bool:
    """Whether a game begins, or a deal ends: then hooks are asked that are asked at no other time."""
    return any(isinstance(event, GameStarted | DealScored) for event in decision.events)
