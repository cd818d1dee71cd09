"""What a game says in words of its own is tested in that game, though the clause has tests in another as well."""

from __future__ import annotations

from fnmatch import fnmatch

import pytest
from tests.rules.test_clauses import GAMES, said, stack

from meldlog_service.testing.clauses import SAYS, report

MODULES: dict[str, tuple[str, ...]] = {
    "basic-rummy": ("test_basic_rummy*", "test_winner_takes_hands", "test_void_deals"),
    **dict.fromkeys(
        ("rami-simple", "rami-51", "rami-71"),
        ("test_rami*", "test_opening", "test_losers_pay", "test_void_deals"),
    ),
}
"""Modules whose tests play these games."""


@pytest.mark.parametrize("game", MODULES)
def test_every_sentence_of_a_games_own_has_its_tests(game: str) -> None:
    """Sheets that no game with wild ranks has: one test of what is allowed, one of what is refused."""
    elsewhere = {module.__name__ for other in GAMES if other not in MODULES for module in stack(other)}
    own = {
        clause.id
        for module in stack(game)
        if module.__name__ not in elsewhere and hasattr(module, "clauses")
        for clause in module.clauses()
    }
    here = [
        one
        for one in said()
        if one.clause in own and any(fnmatch(one.test.split("::")[0], name) for name in MODULES[game])
    ]
    table = report(sorted(own), here)
    holes = [f"{clause} {says}" for clause, tests in table.items() for says in SAYS if not tests[says]]
    assert not holes
