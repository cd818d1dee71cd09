"""The audit: every command of a log is decided again, and what the log says is compared with what follows.

One pass, and nothing is kept but the table: a log may be as long as it likes. The rules are those versions that the
game recorded, the moment is the one recorded with each command, the seed of the game comes from its sealed event. Most
commits take the short way: decided, sealed and linked anew they are the very bytes that are stored, and then there is
nothing wrong with them. Where they are not, every check looks for itself what is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import get_args

import msgspec
from msgspec.structs import replace

from meldlog_contracts.cards import Card
from meldlog_contracts.events import SCHEMA, Commit, Event, GameForked
from meldlog_contracts.table import Deal, Table
from meldlog_service.app.audit_report import SAID, AuditReport, Check, CheckName, Unread
from meldlog_service.app.deciding_again import Judge
from meldlog_service.app.errors import NoSuchGame
from meldlog_service.app.handler import Handler
from meldlog_service.catalogue import Catalogue
from meldlog_service.core import chain, proofs
from meldlog_service.core.context import Context, milliseconds
from meldlog_service.core.decide import decide
from meldlog_service.core.evolve import Corrupt, evolve
from meldlog_service.core.views import SPECTATOR, Viewer
from meldlog_service.metrics import Metrics, Verdict
from meldlog_service.misfits import unread

AT_A_TIME = 50
"""Commits audited before others are let go first."""
_CHANCE: Mapping[CheckName, Callable[[Event, Table], str | None]] = {
    "commitments": proofs.broken_commitment,
    "shuffles": proofs.broken_shuffle,
}


async def audit(
    handler: Handler, game_id: str, metrics: Metrics | None = None, *, viewer: Viewer = SPECTATOR
) -> AuditReport:
    """Audit a game of the store.

    Args:
        handler: Reads the log, and knows the installed rules.
        game_id: Which game.
        metrics: Where the verdict is counted.
        viewer: Who is told what differs: secrets of others stay closed.

    Raises:
        NoSuchGame: when there is no log.
        StoreUnavailable: when the store cannot be asked.
    """
    auditor = Auditor(handler.catalogue, viewer=viewer)
    try:
        async for line in handler.lines(game_id):
            auditor.take(line)
            if auditor.last % AT_A_TIME == 0:
                await asyncio.sleep(0)
    except Corrupt as corrupt:
        # The reader says `Corrupt` of every log that the store has not whole; the cause tells which kind that is.
        auditor.cannot_go_on(Unread.because(corrupt.__cause__ or corrupt))
    else:
        if not auditor.last:
            raise NoSuchGame(game_id)
    report = auditor.report()
    if metrics is not None:
        metrics.audit(report.verdict)
    return report


def audit_log(
    log: Iterable[Commit | bytes],
    catalogue: Catalogue,
    *,
    viewer: Viewer = SPECTATOR,
    instead: Mapping[str, int] | None = None,
    unread: Unread | None = None,
) -> AuditReport:
    """Audit a log that is at hand, as commits or in the bytes that are stored; see `Auditor`.

    Args:
        log: As far as it could be read.
        catalogue: The installed plugins.
        viewer: Who is told what differs.
        instead: Rules versions to judge by, by plugin.
        unread: Why the rest could not be read, if there is one.
    """
    auditor = Auditor(catalogue, viewer=viewer, instead=instead)
    for one in log:
        auditor.take(one if isinstance(one, bytes) else chain.canonical(one))
    if unread is not None:
        auditor.cannot_go_on(unread)
    return auditor.report()


class Auditor:
    """An audit under way: give it every line in order, then ask for the report.

    Args:
        catalogue: The installed plugins.
        viewer: Who is told what differs: secrets of others stay closed.
        instead: Rules versions to judge by, by plugin, in place of those that the game recorded.

    Attributes:
        last: How many lines were taken.
        table: After these; None when it is not known any more.
        head: Hash that the last commit carries; None at the beginning, and after a line that is none.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        *,
        viewer: Viewer = SPECTATOR,
        instead: Mapping[str, int] | None = None,
    ) -> None:
        self.last = 0
        self.table: Table | None = Table()
        self.head: str | None = None
        self._judge = Judge(catalogue, viewer, instead or {})
        self._findings: dict[tuple[CheckName, Verdict], Check] = {}
        self._pack: list[Card] | None = None

    # -- what was found ------------------------------------------------------------------------------------------------

    def report(self) -> AuditReport:
        """What was found in the lines taken so far."""
        checks = []
        for name in get_args(CheckName):
            ok = Check(name, "agrees", SAID[name], None)
            verdicts: tuple[Verdict, ...] = ("differs", "cannot_judge", "agrees")
            found = (self._findings.get((name, verdict)) for verdict in verdicts)
            checks.append(next((check for check in found if check is not None), ok))
        first = self.first("differs") or self.first("cannot_judge")
        if first is None:
            return AuditReport("agrees", self.last, tuple(checks))
        return AuditReport(first.verdict, first.version or 0, tuple(checks), self._judge.difference)

    def first(self, verdict: Verdict) -> Check | None:
        """The finding of a kind with the lowest version; of several in one version the one named first."""
        found = [check for (_, kind), check in self._findings.items() if kind == verdict]
        order = get_args(CheckName)
        return min(
            (check for check in found if check.version is not None),
            key=lambda check: (check.version or 0, order.index(check.name)),
            default=None,
        )

    def _note(self, name: CheckName, verdict: Verdict, version: int, detail: str) -> None:
        """Keep the first finding of a kind."""
        self._findings.setdefault((name, verdict), Check(name, verdict, detail, version))

    # -- a line --------------------------------------------------------------------------------------------------------

    def cannot_go_on(self, unread: Unread) -> None:
        """Note that there is, or should be, more of the log, which could not be read."""
        self._note("log", unread.verdict, unread.version or self.last + 1, unread.detail)

    def take(self, line: bytes) -> None:
        """Audit one more commit, in the bytes that it is stored in."""
        self.last += 1
        commit = self._read(line)
        if commit is None:
            self.table = self.head = None
            return
        if not self._is_the_same_again(commit, line):
            self._take_apart(commit, line)
        self.head = commit.hash

    def _read(self, line: bytes) -> Commit | None:
        try:
            return chain.decode(line)
        except chain.UnknownSchema as unknown:
            self._note("log", "cannot_judge", self.last, str(unknown))
        except msgspec.DecodeError as error:
            why = unread(error, Commit, line)
            self._note("log", "differs", self.last, f"line {self.last} is no commit of a log: {why}")
        return None

    def _is_the_same_again(self, commit: Commit, line: bytes) -> bool:
        """Whether the command, decided, sealed and linked anew, makes these very bytes: then every check is passed.

        Whatever is not an ordinary command of a game that is known by now, or does not come out the same, goes the
        other way.
        """
        table, rules, head = self.table, self._judge.rules, self.head
        if (
            table is None
            or rules is None
            or head is None
            or table.game_seed is None
            or commit.version != self.last
            or commit.schema != SCHEMA
            or self._judge.difference is not None
        ):
            return False
        try:
            at_ms = milliseconds(commit.at)
            decision = decide(commit.command, commit.by, table, rules, Context(at_ms, table.game_seed, head))
            if decision.table.game_id is not table.game_id:
                return False
            if not chain.is_made_of(line, commit, decision.events, table.game_seed, head):
                return False
        except Exception:
            # Refused, or whatever a tampered log makes the rules do: the other way finds out what it is.
            return False
        events, version = commit.events, commit.version
        if not proofs.CHANCY.isdisjoint(map(type, events)):
            self._prove(events, table, version)
        after = self.table = replace(decision.table, version=version)
        if after.deal is not table.deal:
            self._count(table.deal, after.deal, version, events)
        return True

    def _take_apart(self, commit: Commit, line: bytes) -> None:
        self._check_line(commit, line)
        if self.table is None:
            self._note("decisions", "cannot_judge", commit.version, "the table is not known from here on")
            return
        before = self.table
        self.table = self._fold(commit, before)
        for finding in self._judge.findings(commit, before, self.table, self.head):
            self._note(*finding)

    # -- checks that need no rules -------------------------------------------------------------------------------------

    def _check_line(self, commit: Commit, line: bytes) -> None:
        version = commit.version
        if version != self.last:
            self._note("contiguity", "differs", version, f"here should be version {self.last}")
            self.table = None
        if not chain.is_canonical(line):
            # Of some lines the hash is made from what was read, and would not tell.
            self._note("chain", "differs", version, "the line is not in the form that hashes are made from")
        elif chain.hash_of_line(line, commit) != commit.hash:
            self._note("chain", "differs", version, "the hash is not that of the content")
        elif self.last == 1 and commit.prev != chain.root_of(commit):
            self._note("chain", "differs", version, "the first commit is not linked to the game's id")
        elif self.head is not None and commit.prev != self.head:
            self._note("chain", "differs", version, "the commit is not linked to the one before")
        try:
            chain.check_seals(commit)
        except chain.BrokenSeal as broken:
            self._note("seals", "differs", version, str(broken))

    def _fold(self, commit: Commit, table: Table) -> Table | None:
        game_id = table.game_id
        for event in commit.events:
            before = table
            try:
                table = evolve(table, event)
            except Corrupt as corrupt:
                self._note("fold", "differs", commit.version, str(corrupt))
                return None
            self._prove((event,), before, commit.version)
            if table.deal is not before.deal:
                self._count(before.deal, table.deal, commit.version, (event,))
            if isinstance(event, GameForked) and event.head != self.head:
                detail = "the fork does not name the hash of the commit that it goes on from"
                self._note("chain", "differs", commit.version, detail)
        created_at = commit.at if table.game_id != game_id else table.created_at
        return replace(table, version=commit.version, created_at=created_at)

    def _prove(self, events: tuple[Event, ...], table: Table, version: int) -> None:
        """Compare what events say of chance with the seeds that are at hand; `table` is the one before the first."""
        for event in events:
            for name, question in _CHANCE.items():
                try:
                    detail = question(event, table)
                except proofs.Unseen as unseen:
                    self._note(name, "cannot_judge", version, str(unseen))
                else:
                    if detail is not None:
                        self._note(name, "differs", version, detail)
            if len(events) > 1:
                table = evolve(table, event)

    def _count(self, before: Deal, deal: Deal, version: int, events: tuple[Event, ...]) -> None:
        """Compare the cards of all places with those before, and those of every deal with the first one's."""
        if not deal.number:
            return
        detail: str | None = None
        try:
            if deal.number == before.number:
                detail = proofs.lost_cards(before, deal)
            else:
                cards = proofs.all_cards(deal)
                self._pack = self._pack or cards
                detail = None if cards == self._pack else "these are not the cards of the pack"
        except proofs.Unseen as unseen:
            self._note("conservation", "cannot_judge", version, str(unseen))
        if detail is not None:
            names = ", ".join(str(type(event).__struct_config__.tag) for event in events)
            self._note("conservation", "differs", version, f"{names}: {detail}")
