"""Hundreds of forged logs of every variant: `verify` or the audit finds each, at its version, by the named check.

What is forged is listed in tests/support/forgeries.py; docs/forgeries.md shows the same list to users.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.forgeries import KINDS, LATER, Forgery, forgeries, places, table
from tests.support.short_games import SHORT, played_otherwise, short_game
from tests.support.tamper import export

from meldlog_contracts.verifier import Report, verify
from meldlog_service.app.audit import audit_log
from meldlog_service.cli.tallying import Audited, Finding

PAGE = Path(__file__).parents[2] / "docs" / "forgeries.md"


def blamed(report: Report) -> tuple[int | None, str | None]:
    """The version of the first fault, and the check that fails there: what the report's last line says."""
    fault = report.first_fault
    return (fault.version, fault.name) if fault else (None, None)


def audited(forgery: Forgery) -> tuple[str, int, str | None]:
    """Verdict of the audit, its version, and the check that `meldlog audit` counts as the cause."""
    report = audit_log(forgery.lines, short_game(forgery.variant).catalogue)
    checks = tuple(Finding(one.name, one.verdict, one.detail, one.version) for one in report.checks)
    cause = Audited("g", report.verdict, report.version, checks).cause
    return report.verdict, report.version, cause.name if cause else None


def told_version(forgery: Forgery) -> int:
    """The number that the commit at the fault has itself: the audit goes by that one."""
    number: int = json.loads(forgery.lines[forgery.version - 1])["version"]
    return number


def missed_by_verify(forgery: Forgery) -> str:
    """How the verifier's report is not as the list says; empty where it is."""
    wanted, report = forgery.kind.verify, verify(forgery.lines, forgery.head)
    version, named = blamed(report)
    if wanted == LATER:
        right = version is None or version > forgery.version
    else:
        right = (version, named) == (forgery.version, wanted) if wanted else report.ok
    return "" if right else f"{forgery}: verify names {named} in version {version}, not {wanted}"


def missed_by_audit(forgery: Forgery) -> str:
    """How the audit's report is not as the list says; empty where it is."""
    wanted = forgery.kind.audit
    verdict, version, named = audited(forgery)
    if wanted is None:
        right = verdict == ("cannot_judge" if forgery.kind.redacted else "agrees")
    else:
        right = (verdict, named) == ("differs" if forgery.kind.judged else "cannot_judge", wanted)
        right = right and version in (forgery.version, told_version(forgery))
    return "" if right else f"{forgery}: audit {verdict} by {named} in version {version}, not {wanted}"


@pytest.mark.parametrize("variant", SHORT)
def test_an_untouched_log_is_clean(variant: str) -> None:
    """To the operator and to every viewer, and decided again."""
    game = short_game(variant)
    for viewer in (None, *range(len(game.table.seats))):
        report = verify(export(game.lines, viewer), game.commits[-1].hash)
        assert report.ok, report.text()
        assert {check.verdict for check in report.checks} == {"proved"}
    report = verify(game.lines, game.commits[-1].hash)
    assert report.ok, report.text()
    assert (report.closed, {check.verdict for check in report.checks}) == (0, {"proved"})
    assert audit_log(game.commits, game.catalogue).verdict == "agrees"


@pytest.mark.parametrize("variant", SHORT)
def test_every_forgery_is_found_at_its_version_by_the_named_check(variant: str) -> None:
    """By the verifier, by the audit, or by both, exactly as the list says."""
    missed = [
        said
        for forgery in forgeries(variant)
        for said in (missed_by_verify(forgery), missed_by_audit(forgery))
        if said
    ]
    assert not missed, "\n".join(missed)


@pytest.mark.parametrize("variant", ["crazy-rummy", "rami-71"])
def test_a_game_played_otherwise_by_whoever_holds_its_seed_is_clean_but_for_a_head_kept_elsewhere(
    variant: str,
) -> None:
    """Everything fits, by the rules too. A hash from before the change does not tell; one from after it does."""
    honest, forged = short_game(variant), played_otherwise(variant, 12)
    pairs = zip(honest.lines, forged.lines, strict=False)
    same = next(version for version, (was, now) in enumerate(pairs) if was != now)
    assert same >= 12
    assert verify(forged.lines).ok
    assert audit_log(forged.commits, forged.catalogue).verdict == "agrees"

    before = verify(forged.lines, honest.commits[same - 1].hash)
    assert (before.ok, before.anchor) == (True, same)
    for commit in (honest.commits[same], honest.commits[-1]):
        after = verify(forged.lines, commit.hash)
        assert after.anchor is None
        assert blamed(after) == (forged.version, "chain")


def test_every_kind_of_forgery_is_found_by_one_of_the_two() -> None:
    """At the version of the fault: what follows later does not count."""
    assert all({kind.verify, kind.audit} - {None, LATER} for kind in KINDS)


def test_there_are_five_hundred_forgeries_and_none_of_the_list_is_missing() -> None:
    """Every kind is tried on some variant, every variant with most kinds."""
    tried = {variant: [kind for kind in KINDS if places(kind, variant)] for variant in SHORT}
    assert sum(map(len, tried.values())) >= 500
    assert {kind for kinds in tried.values() for kind in kinds} == set(KINDS)
    assert min(map(len, tried.values())) >= 50


def test_the_page_shows_what_finds_what() -> None:
    """Print the table anew with ``python -m tests.support.forgeries``."""
    assert table() in PAGE.read_text(encoding="utf-8")
