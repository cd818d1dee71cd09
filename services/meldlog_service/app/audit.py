"""The audit: every command of a log is decided again, and what the log says is compared with what follows.

One pass, and nothing is kept but the table: a log may be as long as it likes. The rules are those versions that the
game recorded, the moment is the one recorded with each command, the seed of the game comes from its sealed event; what
is decided is sealed and compared byte for byte. Beside that stand checks that need no rules.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from meldlog_contracts.cards import HIDDEN, Card
from meldlog_contracts.commands import CreateGame
from meldlog_contracts.events import (
    SCHEMA,
    Commit,
    DealStarted,
    Event,
    GameCreated,
    GameForked,
    SeedsRevealed,
    StockRenewed,
)
from meldlog_contracts.problems import Refused
from meldlog_contracts.table import Deal, PluginRef, Table
from meldlog_service.app.errors import NoSuchGame
from meldlog_service.app.handler import Handler
from meldlog_service.catalogue import Catalogue, PluginUnavailable
from meldlog_service.core import chain
from meldlog_service.core.chance import commitment, derived_seed
from meldlog_service.core.context import Context, milliseconds
from meldlog_service.core.decide import decide
from meldlog_service.core.evolve import Corrupt, evolve
from meldlog_service.core.ruleset import Ruleset
from meldlog_service.metrics import Metrics, Verdict

CheckName = Literal[
    "contiguity", "chain", "seals", "fold", "commitments", "conservation", "plugins", "decisions"
]
AT_A_TIME = 50
"""Commits audited before others are let go first."""
_SAID: dict[CheckName, str] = {
    "contiguity": "versions follow one another without a gap",
    "chain": "every commit carries the hash of its content and of the commit before",
    "seals": "every opened value is what was sealed",
    "fold": "every event fits the table",
    "commitments": "every seed is the one committed to before",
    "conservation": "no card appears or vanishes",
    "plugins": "the rules are installed in the versions that the game recorded, with the same code",
    "decisions": "every command, decided again, has the recorded consequences",
}


class Check(Struct, frozen=True):
    """One thing that was checked; ``version`` is where it first failed, or could not be judged any more."""

    name: CheckName
    verdict: Verdict
    detail: str
    version: int | None


class AuditReport(Struct, frozen=True):
    """What an audit found; ``version`` is the first that differs, or that cannot be judged, else the last one."""

    verdict: Verdict
    version: int
    checks: tuple[Check, ...]


async def audit(handler: Handler, game_id: str, metrics: Metrics | None = None) -> AuditReport:
    """Audit a game of the store.

    Raises:
        NoSuchGame: when there is no log.
        Corrupt: when a line of it can't be read at all.
        StoreUnavailable: when the store cannot be asked.
    """
    auditor = Auditor(handler.catalogue)
    async for commit in handler.scan(game_id):
        auditor.take(commit)
        if auditor.last % AT_A_TIME == 0:
            await asyncio.sleep(0)
    if not auditor.last:
        raise NoSuchGame(game_id)
    report = auditor.report()
    if metrics is not None:
        metrics.audit(report.verdict)
    return report


def audit_log(commits: Iterable[Commit], catalogue: Catalogue) -> AuditReport:
    """Audit a log that is at hand."""
    auditor = Auditor(catalogue)
    for commit in commits:
        auditor.take(commit)
    return auditor.report()


class Auditor:
    """An audit under way: give it every commit in order, then ask for the report."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.last = 0
        """How many commits were taken."""
        self._catalogue = catalogue
        self._findings: dict[tuple[CheckName, Verdict], Check] = {}
        self._head: str | None = None
        self._table: Table | None = Table()
        self._rules: Ruleset | None = None
        self._pack: list[Card] | None = None

    def report(self) -> AuditReport:
        """What was found in the commits taken so far."""
        checks = []
        for name in get_args(CheckName):
            ok = Check(name, "agrees", _SAID[name], None)
            verdicts: tuple[Verdict, ...] = ("differs", "cannot_judge", "agrees")
            found = (self._findings.get((name, verdict)) for verdict in verdicts)
            checks.append(next((check for check in found if check is not None), ok))
        verdict: Verdict = "agrees"
        versions = [self.last]
        for worse in ("differs", "cannot_judge"):
            failed = [
                check.version for check in checks if check.verdict == worse and check.version is not None
            ]
            if failed:
                verdict, versions = worse, failed
                break
        return AuditReport(verdict, min(versions), tuple(checks))

    def take(self, commit: Commit) -> None:
        """Audit one more commit."""
        self.last += 1
        self._check_line(commit)
        if self._table is None:
            self._note("decisions", "cannot_judge", commit.version, "the table is not known from here on")
            return
        self._decide(commit, self._table)
        self._table = self._fold(commit, self._table)

    def _note(self, name: CheckName, verdict: Verdict, version: int, detail: str) -> None:
        """Keep the first finding of a kind."""
        self._findings.setdefault((name, verdict), Check(name, verdict, detail, version))

    # -- checks that need no rules -------------------------------------------------------------------------------------

    def _check_line(self, commit: Commit) -> None:
        version = commit.version
        if version != self.last:
            self._note("contiguity", "differs", version, f"here should be version {self.last}")
            self._table = None
        if commit.schema != SCHEMA:
            detail = f"schema {commit.schema} is not known to this release"
            self._note("contiguity", "cannot_judge", version, detail)
        if chain.hash_of(commit) != commit.hash:
            self._note("chain", "differs", version, "the hash is not that of the content")
        elif commit.prev != (_root(commit) if self._head is None else self._head):
            self._note("chain", "differs", version, "the commit is not linked to the one before")
        self._head = commit.hash
        try:
            chain.check_seals(commit)
        except chain.BrokenSeal as broken:
            self._note("seals", "differs", version, str(broken))

    def _fold(self, commit: Commit, table: Table) -> Table | None:
        for event in commit.events:
            before = table
            try:
                table = evolve(table, event)
            except Corrupt as corrupt:
                self._note("fold", "differs", commit.version, str(corrupt))
                return None
            self._check_commitment(event, before, commit.version)
            if table.deal is not before.deal:
                self._check_cards(event, table.deal, commit.version)
        created_at = commit.at if commit.version == 1 else table.created_at
        return replace(table, version=commit.version, created_at=created_at)

    def _check_commitment(self, event: Event, before: Table, version: int) -> None:
        """Compare every seed that is at hand with the commitment that was made to it."""
        match event:
            case GameCreated() | GameForked():
                seed = event.game_seed.value
                if not isinstance(seed, str):
                    self._note(
                        "commitments", "cannot_judge", version, "this log does not hold the game's seed"
                    )
                    return
                kept = _keeps(event.commitment, seed)
            case DealStarted():
                kept = self._is_derived(event.commitment, before, f"deal:{event.number}")
            case StockRenewed(shuffled=True):
                kept = self._is_derived(
                    event.commitment, before, f"renew:{before.deal.number}:{event.number}"
                )
            case SeedsRevealed(game_seed=None):
                kept = event.deal == before.deal.number and _keeps(before.deal.commitment, event.deal_seed)
            case SeedsRevealed():
                kept = _keeps(before.commitment, event.game_seed)
            case _:
                return
        if not kept:
            name = str(type(event).__struct_config__.tag)
            self._note("commitments", "differs", version, f"{name}: the seed is not the one committed to")

    def _is_derived(self, committed: str | None, table: Table, purpose: str) -> bool:
        if table.game_seed is None:
            return True  # said already, where the game began
        try:
            return _keeps(committed, derived_seed(table, purpose))
        except ValueError:
            return False

    def _check_cards(self, event: Event, deal: Deal, version: int) -> None:
        """Compare the cards of all places with the pack that the first deal was dealt from."""
        if not deal.number:
            return
        cards = sorted(_cards_of(deal))
        if HIDDEN in cards:
            self._note("conservation", "cannot_judge", version, "this log does not hold every card")
        elif self._pack is None:
            self._pack = cards
        elif cards != self._pack:
            name = str(type(event).__struct_config__.tag)
            self._note("conservation", "differs", version, f"{name}: these are not the cards of the pack")

    # -- the decision --------------------------------------------------------------------------------------------------

    def _decide(self, commit: Commit, table: Table) -> None:
        if ("decisions", "differs") in self._findings or any(
            isinstance(event, GameForked) for event in commit.events
        ):
            return  # the first difference is told; and to go on from another game is nobody's move
        seed = _seed_of(commit, table)
        if seed is None:
            self._note("decisions", "cannot_judge", commit.version, "this log does not hold the game's seed")
            return
        try:
            rules = self._rules_for(commit, table)
            decision = decide(commit.command, commit.by, table, rules, Context(milliseconds(commit.at), seed))
            events = chain.seal_events(decision.events, commit.version, seed)
        except PluginUnavailable as missing:
            self._note("plugins", "cannot_judge", commit.version, str(missing))
            self._note("decisions", "cannot_judge", commit.version, str(missing))
        except Refused as refused:
            clause = f" ({refused.rule})" if refused.rule else ""
            detail = f"the command is refused now: {refused.detail}{clause}"
            self._note("decisions", "differs", commit.version, detail)
        except Exception as error:
            # Whatever a log that was tampered with, or a plugin that has changed, makes the rules do.
            self._note("decisions", "differs", commit.version, f"the command can't be decided: {error!r}")
        else:
            if chain.canonical(events) != chain.canonical(commit.events):
                self._note("decisions", "differs", commit.version, _difference(commit.events, events))

    def _rules_for(self, commit: Commit, table: Table) -> Ruleset:
        first = commit.events[0] if commit.events else None
        if isinstance(commit.command, CreateGame) and isinstance(first, GameCreated):
            rules = self._catalogue.ruleset_recorded(commit.command, first.plugins)
            self._compare_code(first.plugins)
            return rules
        if self._rules is None:
            self._rules = self._catalogue.ruleset_of(table)
        return self._rules

    def _compare_code(self, recorded: tuple[PluginRef, ...]) -> None:
        """Say which code is not the recorded one: it may decide the same, which is what is asked."""
        changed = [
            ref.name
            for ref in recorded
            if self._catalogue.version(ref.name, ref.rules_version).ref.digest != ref.digest
        ]
        if changed:
            detail = f"the code of {', '.join(changed)} has changed, its rules version has not"
            self._note("plugins", "agrees", 1, detail)


def _root(commit: Commit) -> str:
    """What a log's first commit is linked to."""
    first = commit.events[0] if commit.events else None
    return chain.genesis(first.game_id) if isinstance(first, GameCreated) else ""


def _seed_of(commit: Commit, table: Table) -> str | None:
    """The seed that is in force for a commit: the game's, or the one that its first event brings."""
    first = commit.events[0] if commit.events else None
    if isinstance(first, GameCreated):
        return first.game_seed.value if isinstance(first.game_seed.value, str) else None
    return table.game_seed


def _keeps(committed: str | None, seed: str | None) -> bool:
    try:
        return committed is not None and seed is not None and commitment(seed) == committed
    except ValueError:  # no hex
        return False


def _cards_of(deal: Deal) -> Iterable[Card]:
    yield from deal.stock
    yield from deal.discard_pile
    for hand in deal.hands:
        yield from hand
    for meld in deal.melds:
        yield from meld.cards


def _difference(recorded: tuple[Event, ...], decided: tuple[Event, ...]) -> str:
    """The first event that differs, its secrets closed."""
    for place, (then, now) in enumerate(zip(recorded, decided, strict=False)):
        if then != now:
            was, now_is = (chain.canonical(chain.close_event(event)).decode() for event in (then, now))
            return f"event {place}: recorded {was}, decided {now_is}"
    return f"{len(recorded)} events recorded, {len(decided)} decided"
