"""Rami: the first player may be dealt one card more, and then does not draw in the first turn."""

from __future__ import annotations

import pytest

from meldlog_contracts.problems import Refused
from meldlog_service.testing import Play, discard, draw

RAMI = ("rami-simple", "rami-51", "rami-71")
every_rami = pytest.mark.parametrize("variant", RAMI)


@every_rami
@pytest.mark.clause("deal.first-player", "allows")
@pytest.mark.clause("deal.starter", "refuses")
@pytest.mark.parametrize("seats", [2, 4])
def test_the_first_player_is_dealt_one_card_more_and_starts_without_drawing(
    play: Play, variant: str, seats: int
) -> None:
    """The others are dealt as many as always, and draw."""
    game = play(variant, seats=seats, first_player_extra_card=True).given_start()
    deal = game.table.deal
    size = 13 if variant == "rami-simple" else 14
    assert deal.starter == (deal.dealer - 1) % seats
    assert [len(hand) for hand in deal.hands] == [size + (seat == deal.starter) for seat in range(seats)]
    assert deal.turn.phase == "play"
    refusal = game.refuses(draw())
    assert (refusal.rule, refusal.code) == ("deal.starter", "wrong_phase")
    game.when(discard(deal.hands[deal.starter][0]))
    assert game.table.deal.turn.phase == "draw"


@every_rami
@pytest.mark.clause("deal.first-player", "refuses")
@pytest.mark.clause("deal.extra-card-none", "allows")
def test_without_it_everybody_is_dealt_the_same_and_draws(play: Play, variant: str) -> None:
    """As long as the game is not told otherwise."""
    game = play(variant, seats=2).given_start()
    assert len({len(hand) for hand in game.table.deal.hands}) == 1
    assert game.table.deal.turn.phase == "draw"
    assert "deal.first-player" not in game.sheet()


@every_rami
def test_the_extra_card_is_not_dealt_twice(play: Play, variant: str) -> None:
    """Two house rules would give it."""
    with pytest.raises(Refused) as refused:
        play(
            variant,
            seats=2,
            first_player_extra_card=True,
            extra_card_to="dealer",
            starter_first_turn="meld_no_draw",
        )
    assert [fault.pointer for fault in refused.value.faults] == ["/house_rules/first_player_extra_card"]


def test_the_pack_must_hold_that_card_as_well(play: Play) -> None:
    """Four players of twenty-six cards leave two for the stock, and one of them would be the last but one."""
    play("rami-51", seats=4, hand_size=26, first_player_extra_card=True)
    with pytest.raises(Refused) as refused:
        play("rami-71", seats=4, hand_size=26, printed_jokers=1, first_player_extra_card=True)
    assert [fault.pointer for fault in refused.value.faults] == ["/house_rules/hand_size"]
