"""A release reads, verifies and audits the logs of every earlier release: here is one of each variant.

They were recorded once (``tests/support/golden.py``) and never again. Whoever makes one of these tests fail
has changed what old games mean: give the plugin a new rules version, or lift the old shape where logs are read.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.support.games import decided_again, installed

from meldlog_contracts.events import GameCreated
from meldlog_contracts.table import Table
from meldlog_contracts.verifier import verify
from meldlog_service.core import chain
from meldlog_service.core.evolve import apply, fold
from meldlog_service.core.views import OPERATOR, SPECTATOR, Viewer, redact, view

FOLDER = Path(__file__).parent
GOLDEN = sorted(path.stem for path in FOLDER.glob("*.ndjson"))


def lines(variant: str) -> list[bytes]:
    """The recorded log."""
    return (FOLDER / f"{variant}.ndjson").read_bytes().splitlines()


def recorded(variant: str) -> dict[str, Any]:
    """How the game looked to the release that recorded it."""
    found: dict[str, Any] = json.loads((FOLDER / f"{variant}.json").read_text(encoding="utf-8"))
    return found


def holds(now: Any, then: Any) -> bool:
    """Whether everything that was shown then is shown now; a later release may show more."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(key in now and holds(now[key], then[key]) for key in then)
    if isinstance(then, list):
        return isinstance(now, list) and len(now) == len(then) and all(map(holds, now, then))
    return bool(now == then)


def shown(table: Table, viewer: Viewer) -> Any:
    """The view as JSON."""
    return json.loads(msgspec.json.encode(view(table, viewer)))


def test_every_installed_variant_has_a_golden_log() -> None:
    """Record it with ``python -m tests.support.golden NAME`` when the variant is finished."""
    variants = {info.name for info in installed().infos() if info.kind == "variant"}
    assert variants <= set(GOLDEN)


@pytest.mark.parametrize("variant", GOLDEN)
def test_it_folds_to_what_it_looked_like(variant: str) -> None:
    """In the middle of the game to a seat, and at its end to everybody."""
    commits = [chain.decode(line) for line in lines(variant)]
    then = recorded(variant)
    assert (len(commits), commits[-1].hash) == (then["versions"], then["head"])
    assert holds(shown(fold(commits), SPECTATOR), then["final"])
    middle = fold(commits[: then["middle"]["version"]])
    assert holds(shown(middle, 0), then["middle"]["seat_0"])


@pytest.mark.parametrize("variant", GOLDEN)
@pytest.mark.parametrize("viewer", [OPERATOR, SPECTATOR, 0, 1])
def test_it_is_verified_for_every_viewer(variant: str, viewer: Viewer) -> None:
    """Chain, seals, commitments, shuffles and every card, by the verifier that knows nothing of us."""
    sent = [chain.canonical(redact(chain.decode(line), viewer)) for line in lines(variant)]
    if viewer == OPERATOR:
        assert sent == lines(variant)
    report = verify(sent, recorded(variant)["head"])
    assert report.ok, report.text()
    assert {check.verdict for check in report.checks} == {"proved"}


@pytest.mark.parametrize("variant", GOLDEN)
def test_it_audits(variant: str) -> None:
    """Every command, decided again by the rules versions that the game recorded, makes the recorded bytes."""
    commits = [chain.decode(line) for line in lines(variant)]
    created = commits[0].events[0]
    assert isinstance(created, GameCreated)
    table = Table()
    for commit, line in zip(commits, lines(variant), strict=True):
        again = decided_again(commit, table, str(created.game_seed.value))
        assert again == line, f"version {commit.version} is decided in another way today"
        table = apply(table, commit)
    assert table.status == "finished"
