"""What the variants and options of Crazy Rummy say in words of their own is tested in these games themselves."""

from __future__ import annotations

import pytest
from tests.rules.test_clauses import said, stack

from meldlog_service.testing.clauses import SAYS, report

DISCARDS = ("test_treize_brasses", "test_ace_to_ace", "test_discard_use")
MODULES: dict[str, tuple[str, ...]] = {
    "biddies": ("test_biddies",),
    "treize-brasses": DISCARDS,
    "beanie": ("test_beanie",),
    "ace-to-ace": DISCARDS,
    "press": ("test_press",),
    "auto-press": ("test_press",),
    "dealer-chooses-wild": ("test_wild_options",),
    "joker-wild": ("test_wild_options",),
}
"""Modules whose tests play these games."""


@pytest.mark.parametrize("game", MODULES)
def test_every_sentence_that_crazy_rummy_has_not_is_tested_where_it_is_played(game: str) -> None:
    """Sheets that Crazy Rummy is played without: one test of what is allowed, one of what is refused."""
    elsewhere = {module.__name__ for module in stack("crazy-rummy")}
    sheets = [
        module for module in stack(game) if module.__name__ not in elsewhere and hasattr(module, "clauses")
    ]
    own = sorted({clause.id for module in sheets for clause in module.clauses()})
    here = [one for one in said() if one.clause in own and one.test.split("::")[0] in MODULES[game]]
    table = report(own, here)
    assert not [f"{clause} {says}" for clause, tests in table.items() for says in SAYS if not tests[says]]
