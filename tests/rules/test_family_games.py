"""Games of the Crazy Rummy family, played to their end by players who choose at random among the listed moves.

`Game` checks every step: no card is lost, every viewer folds what that viewer may see, each listed move is accepted,
and whoever is on turn has a move. Here it is asked as well that games end.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from meldlog_contracts.commands import Batch, Draw, LayMeld, LayOff, Reclaim
from meldlog_service.testing import Game, Play

DEALS = 2
MOST_MOVES = 1500
House = dict[str, Any]
GAMES: list[tuple[str, tuple[str, ...], House]] = [
    ("biddies", (), {}),
    ("biddies", (), {"final_discard_required": False, "one_card_rule": False}),
    ("treize-brasses", (), {}),
    ("treize-brasses", (), {"taken_discard_use": "new_meld_only", "may_return_taken_discard": False}),
    ("treize-brasses", (), {"discard_take_before_meld": "free", "discard_take_after_meld": "not_this_turn"}),
    ("treize-brasses", (), {"final_discard_required": False, "stock_exhaustion": "until_discard_refused"}),
    ("beanie", (), {}),
    ("beanie", (), {"beanie_after_out_layoff": "layoff_and_meld", "hand_size": 3}),
    ("beanie", (), {"final_discard_required": False, "hand_size": 4}),
    ("beanie", (), {"value_table": "five_ten", "wild_sequence": "king_to_ace", "one_card_rule": False}),
    ("ace-to-ace", (), {}),
    ("ace-to-ace", (), {"final_discard_required": False, "one_card_rule": False}),
    ("ace-to-ace", (), {"taken_discard_use": "meld_or_layoff", "stock_exhaustion": "turn_over"}),
    ("ace-to-ace", (), {"wild_reclaim_use": "same_turn", "may_return_taken_discard": True}),
    ("crazy-rummy", ("press",), {"press_threshold": 5}),
    ("crazy-rummy", ("auto-press",), {"press_threshold": 5, "double_when_7_or_K_wild": True}),
    ("crazy-rummy", ("dealer-chooses-wild",), {"wild_sequence": "ace_to_ace"}),
    ("crazy-rummy", ("joker-wild",), {"joker_final_deal": True, "printed_jokers": 2}),
    (
        "crazy-rummy",
        ("joker-wild", "dealer-chooses-wild", "press"),
        {"betting": "all_pairs", "deal_winner_cents": 5},
    ),
    ("treize-brasses", ("joker-wild", "dealer-chooses-wild", "auto-press"), {"joker_final_deal": True}),
    ("beanie", ("joker-wild", "press"), {"hand_size": 3, "betting": "winner_only"}),
    ("ace-to-ace", ("joker-wild", "dealer-chooses-wild"), {"joker_final_deal": True}),
    ("biddies", ("press", "joker-wild"), {"hand_size": 3}),
]


def played(game: Game, chance: random.Random) -> int:
    """Play a game out, more often to the table than not, and taking discards half the time: how many moves it took."""
    game.given_start()
    for number in range(MOST_MOVES):
        if game.table.status == "finished":
            return number
        moves = game.moves(game.on_turn)
        busy = [move for move in moves if isinstance(move, LayMeld | LayOff | Reclaim | Batch)]
        taking = [move for move in moves if isinstance(move, Draw) and move.source == "discard"]
        if busy and chance.randrange(4):
            game.when(chance.choice(busy))
        elif taking and chance.randrange(2):
            game.when(chance.choice(taking))
        else:
            game.when(chance.choice(moves))
    raise AssertionError(f"no end after {MOST_MOVES} moves")


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("variant", "options", "house"), GAMES)
def test_random_play_ends_and_nobody_gets_stuck(
    play: Play, variant: str, options: tuple[str, ...], house: House, seed: int
) -> None:
    """With a result, a rank for everybody, and stakes that add up to nothing."""
    chance = random.Random(seed)
    least, most = play(variant, *options, **house).rules.info.players
    seats = chance.randint(max(2, least), min(4, most))
    game = play(variant, *options, seats=seats, deal_count=DEALS, **house)
    played(game, chance)
    result = game.table.result
    assert result is not None
    assert sorted(result.ranking) == list(range(seats))
    assert len(game.table.scores) == game.table.deals
    for payer, taker, cents in result.settlement or ():
        assert payer != taker
        assert cents > 0
