"""Law 1, replay: the fold of the stored log needs no plugin and equals the live table at every version."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import given
from tests.properties.strategies import examples, played
from tests.support import games
from tests.support.games import Game

from meldlog_contracts.table import Table
from meldlog_service.core import chain
from meldlog_service.core.evolve import apply, fold

FOLD_WITHOUT_PLUGINS = """
import sys
CODE_OF_RULES = (
    "pluggy", "meldlog_contracts.hooks", "meldlog_service.catalogue", "meldlog_service.core.ruleset", "meldlog_variants"
)
for name in CODE_OF_RULES:
    sys.modules[name] = None  # any import of it fails
from meldlog_service.core import chain
from meldlog_service.core.evolve import fold
table = fold(map(chain.decode, sys.stdin.buffer.read().splitlines()))
sys.stdout.buffer.write(chain.canonical(table))
"""


@examples(40)
@given(played())
def test_the_fold_of_the_stored_bytes_is_the_live_table_at_every_version(game: Game) -> None:
    """Also where a fold stops and goes on later."""
    table = Table()
    for version, line in enumerate(game.lines, 1):
        table = apply(table, chain.decode(line))
        assert table == game.tables[version]
    halfway = game.version // 2
    early = fold(game.commits[:halfway])
    assert early == game.tables[halfway]
    assert fold(game.commits[halfway:], early) == game.table


def test_a_log_is_folded_where_no_plugin_can_be_imported() -> None:
    """Whatever becomes of its variant, a game can be read for ever."""
    game = games.played(5)
    done = subprocess.run(
        [sys.executable, "-c", FOLD_WITHOUT_PLUGINS],
        input=b"\n".join(game.lines),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout == chain.canonical(game.table)
