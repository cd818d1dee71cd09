"""Whatever the house rules: nobody gets stuck, no refusal quotes a clause that the sheet does not show.

Tables are made up at random, with melds that hold wilds and with small hands, where the rules meet one another: the
one-card rule and exchanges, a wild that must be used at once, a discard that may not go back, an empty stock. Moves are
played at random and commands are tried at random; `Game` checks each of them, allowed or refused.
"""

from __future__ import annotations

import random
from typing import Any, Literal

import pytest

from meldlog_contracts.cards import JOKER, RANKS, SUITS, Card
from meldlog_contracts.commands import (
    AddPenalty,
    Batch,
    Decline,
    DeclineDiscard,
    Discard,
    Draw,
    LayMeld,
    LayOff,
    NameWild,
    PlayCommand,
    Reclaim,
    ReturnDraw,
)
from meldlog_contracts.melds import any_of, window
from meldlog_contracts.table import HouseValue
from meldlog_service.core.listed import is_listed
from meldlog_service.testing import Game, Play

CHOICES: dict[str, tuple[HouseValue, ...]] = {
    "ace_in_runs": ("low", "low_or_high", "around_corner"),
    "dealer_rotation": ("next", "winner_deals"),
    "direction": ("cw", "ccw"),
    "discard_take_count": ("one", "any"),
    "extra_card_to": ("left_of_dealer", "dealer", "none"),
    "discard_take_after_meld": ("free", "free", "must_meld", "not_this_turn"),
    "discard_take_before_meld": ("free", "free", "must_meld"),
    "final_discard_may_be_wild": (True, False),
    "final_discard_required": (True, False),
    "initial_upcard": (False, True),
    "joker_set_swap": ("by_content", "by_history"),
    "layoff_requires_own_meld": (True, False),
    "lone_two_ends_deal": (True, False),
    "max_set_size": ("by_packs", 3, 5, None),
    "max_wilds_per_meld": (None, 1, 2),
    "may_return_taken_discard": (True, False),
    "min_naturals_per_meld": (0, 1, 2),
    "min_run_length": (3, 4),
    "no_progress_limit": (None, 3),
    "one_card_rule": (True, False),
    "packs": (1, 2),
    "printed_jokers": (0, 2),
    "runs_any_suit": (False, False, True),
    "set_identical_cards": ("by_packs", False, True),
    "set_reclaim": ("by_packs", "any_missing_suit", "any_same_rank", "fourth_card_only"),
    "set_swap_max_wilds": (None, 1),
    "set_wild_overflow": (True, False),
    "starter_first_turn": ("meld_no_draw", "discard_only", "normal"),
    "stock_exhaustion": ("finish_turn_end", "turn_over", "reshuffle_keep_top", "until_discard_refused"),
    "wild_reclaim": (True, True, False),
    "wild_reclaim_use": ("free", "same_turn"),
}
USUAL = 3
"""So many more times a house rule is left as it is."""
MOVES = 16
TRIED = 6


def house_rules(chance: random.Random) -> dict[str, Any]:
    """Some house rules of the game changed; the starter's turn goes with the extra card."""
    house = {name: chance.choice(values) for name, values in CHOICES.items() if chance.randrange(USUAL) == 0}
    if house.get("extra_card_to") == "none":
        house["starter_first_turn"] = "normal"
    elif house.get("starter_first_turn") == "normal":
        house["extra_card_to"] = "none"
    if house.get("final_discard_required") is False:
        house.pop("final_discard_may_be_wild", None)
    if house.get("max_set_size", 3) is None:
        house.pop("set_wild_overflow", None)
    return house


def made_up(game: Game, chance: random.Random, seats: int) -> Game:
    """A table in the middle of a deal."""
    number = chance.randint(1, 13)
    wild = RANKS[number - 1]
    rest = list(game.rules.pack())
    chance.shuffle(rest)
    players = ("ann", "bea", "cyd")[:seats]
    table = []
    for _ in range(chance.randint(0, 4)):
        text = made_up_meld(game, rest, wild, chance)
        if text is not None:
            table.append(f"{chance.choice(players)}: {text}")
    hands: dict[str, Any] = {
        player: " ".join(_take(rest, chance.choice((1, 1, 2, 3, 3, 4, 5, 7)))) for player in players
    }
    discards = " ".join(_take(rest, chance.choice((2, 2, 3, 5))))
    closed = chance.randrange(3) == 0
    stock = " ".join(_take(rest, chance.randint(0, 4))) + (" |" if closed else "")
    return game.given_deal(number, table=table, stock=stock, discards=discards, **hands)


def made_up_meld(game: Game, rest: list[Card], wild: str, chance: random.Random) -> str | None:
    """A meld out of these cards, some of its places held by wilds; None where it is none of this game."""
    length = chance.choice((3, 3, 4, 4, 5))
    if chance.randrange(2):
        places = window(chance.choice(SUITS), chance.randrange(len(RANKS)), length)
    else:
        rank = chance.choice(RANKS)
        places = tuple(Card(rank + suit) for suit in chance.sample(SUITS, min(length, len(SUITS))))
    of_one_rank = len({place[0] for place in places}) == 1
    left = list(rest)
    words, reads_as = [], []
    for place in places:
        wilds = [
            card
            for card in left
            if card == JOKER or (card[0] == wild and not (of_one_rank and card[0] == place[0]))
        ]
        use_wild = place not in left or (chance.randrange(3) == 0 and bool(wilds))
        if use_wild and not wilds:
            return None
        card = wilds[0] if use_wild else place
        left.remove(card)
        meaning = any_of(place[0]) if of_one_rank and card != place else place
        words.append(card if card == meaning else f"{card}={meaning.removesuffix('X')}")
        reads_as.append(meaning)
    wild_count = sum("=" in word for word in words)
    if game.rules.kind_of(tuple(reads_as)) is None or game.rules.limits_broken(wild_count, len(words)):
        return None
    rest[:] = left
    return " ".join(words)


def _take(rest: list[Card], count: int) -> list[Card]:
    taken, rest[:] = rest[:count], rest[count:]
    return taken


def any_command(game: Game, chance: random.Random) -> PlayCommand:
    """A command that somebody could send, sensible or not."""
    deal = game.table.deal
    hand = deal.hands[deal.turn.seat]
    cards = tuple(chance.sample(hand, min(len(hand), chance.randint(1, 4))))
    number = chance.randint(1, max(1, len(deal.melds)))
    lying = [card for meld in deal.melds for card in meld.cards] or [Card("AC")]
    source: Literal["stock", "discard"] = chance.choice(("stock", "discard"))
    end: Literal["low", "high"] | None = chance.choice((None, "low", "high"))
    return chance.choice(
        (
            Draw(source, chance.choice((1, 1, 2))),
            LayMeld(cards),
            LayMeld(cards, tuple(chance.choice((card, Card("7H"), Card("KX"))) for card in cards)),
            LayOff(number, cards[:1], None, end),
            LayOff(number, cards),
            Reclaim(number, cards[0], chance.choice(lying)),
            Reclaim(number, cards[0], chance.choice(lying)),
            Discard(chance.choice((*hand, chance.choice(game.rules.pack())))),
            chance.choice((DeclineDiscard(), ReturnDraw(), AddPenalty(3), Decline(), NameWild("5"))),
        )
    )


@pytest.mark.parametrize("seed", range(60))
def test_random_play_by_random_house_rules_keeps_every_promise(play: Play, seed: int) -> None:
    """Each listed move is accepted, any other command refused by a clause of the sheet; somebody can always act."""
    chance = random.Random(seed)
    seats = chance.choice((2, 3))
    house = house_rules(chance)
    if house.get("discard_take_count") == "any" and house.get("discard_take_after_meld") == "must_meld":
        del house["discard_take_after_meld"]
    keep_every_promise(made_up(play("crazy-rummy", seats=seats, **house), chance, seats), chance)


def keep_every_promise(game: Game, chance: random.Random) -> None:
    """Play some moves of a game, and try other commands at every turn."""
    for _ in range(MOVES):
        if game.table.status != "playing":
            break
        for _ in range(TRIED):
            command = any_command(game, chance)
            if not game.allows(command):
                game.refuses(command)
            elif game.last_moves is not None:
                assert is_listed(command, game.last_moves) is not False, (
                    f"allowed, but no listed move: {command}"
                )
        moves = game.moves(game.on_turn)
        table_actions = [move for move in moves if isinstance(move, LayMeld | LayOff | Reclaim | Batch)]
        game.when(chance.choice(table_actions if table_actions and chance.randrange(3) else moves))
