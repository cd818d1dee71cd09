"""Whole deals of different games at the web client, by pointer and by keyboard; the screen is always the table."""

from __future__ import annotations

from typing import Any

import pytest
from tests.http.playing import Game
from tests.http.serving import Served
from tests.web.conftest import Comes
from tests.web.screens import differences
from tests.web.visitors import ONE_BY_ONE, KeyboardVisitor, Visitor

ONE_DEAL: dict[str, Any] = {"deal_count": 1}
GAMES: dict[str, dict[str, Any]] = {
    "crazy-rummy": {"house_rules": ONE_DEAL},
    "ace-to-ace": {"house_rules": ONE_DEAL},
    "treize-brasses": {"house_rules": ONE_DEAL},
    "rami-51": {"house_rules": {"teams": "none", "limit_alone": 1, "hand_size": 12}},
    "basic-rummy": {"house_rules": {"target": 1, "hand_size": 6}},
}
"""Games that are over after a deal, or after the first that somebody wins."""


@pytest.mark.parametrize("kind", [Visitor, KeyboardVisitor], ids=["by pointer", "by keyboard"])
@pytest.mark.parametrize("variant", GAMES)
def test_a_whole_deal_is_played(comes: Comes, server: Served, variant: str, kind: type[Visitor]) -> None:
    """Against a bot to the end, every move seen by itself: each table on the screen is the service's."""
    with Game(server, 2, bots={1: "plain"}, variant=variant, **GAMES[variant]) as game:
        ann = comes(kind=kind, settings=ONE_BY_ONE)
        ann.sit_at(game.game_id, 0, game.tokens[0])
        ann.play()
        shown = ann.tables_shown()
        with server.client(game.tokens[0]) as client:
            assert differences(shown, client, game.game_id, 0) == []
            last = client.get(game.path).json()
    versions = [screen["version"] for screen in shown]
    assert versions == list(range(versions[0], last["version"] + 1))
    assert last["status"] == "finished"
    assert "Winner" in ann.page.locator(".result h2").first.inner_text()
