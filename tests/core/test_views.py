"""What a viewer may see: who opens what, and how a table looks from each chair."""

from __future__ import annotations

import json
from typing import Any, get_args

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace
from tests.support.games import Game, played
from tests.support.positions import position

from meldlog_contracts.cards import HIDDEN, Card, cards
from meldlog_contracts.commands import Discard
from meldlog_contracts.events import (
    CardDrawn,
    DealStarted,
    Event,
    GameCreated,
    GameForked,
    StockRenewed,
)
from meldlog_contracts.sealed import Sealed
from meldlog_service.core import chain
from meldlog_service.core.views import OPERATOR, SPECTATOR, Viewer, conceal, redact, redact_event, view

OPEN_CARD = Sealed(1, "s", "00", Card("7H"))
OPEN_HAND = Sealed(2, "s", "00", cards("7H 8H"))
OPEN_SEED = Sealed(0, "s", "00", "5eed")
EVERYBODY: tuple[Viewer, ...] = (0, 1, 2, SPECTATOR, OPERATOR)


def opened(event: Event, viewer: Viewer) -> list[str]:
    """Paths of an event's secrets that a viewer is given."""
    return [path for path, sealed in chain.sealed_fields(redact_event(event, viewer)) if sealed.is_open]


# -- who opens what


def test_a_card_drawn_is_opened_by_the_seat_that_drew_it() -> None:
    """And by the operator."""
    event = CardDrawn(1, OPEN_CARD)
    assert [viewer for viewer in EVERYBODY if opened(event, viewer)] == [1, OPERATOR]


def test_a_hand_is_opened_by_its_seat_and_the_stock_by_nobody() -> None:
    """The operator sees all."""
    event = DealStarted(1, 0, 1, "c", (OPEN_HAND,) * 3, OPEN_HAND, Card("KD"))
    assert {viewer: opened(event, viewer) for viewer in EVERYBODY} == {
        0: ["hands.0"],
        1: ["hands.1"],
        2: ["hands.2"],
        SPECTATOR: [],
        OPERATOR: ["hands.0", "hands.1", "hands.2", "stock"],
    }


@pytest.mark.parametrize(
    "event",
    [
        StockRenewed(1, True, cards("KD"), OPEN_HAND, "c"),
        GameForked("g2", "g1", 3, "head", "c", OPEN_SEED),
        next(event for event in Game().commits[0].events if isinstance(event, GameCreated)),
    ],
    ids=lambda event: type(event).__name__,
)
def test_a_new_stock_and_a_game_seed_are_opened_by_nobody(event: Event) -> None:
    """But the operator, who runs the machine that made them."""
    assert [viewer for viewer in EVERYBODY if opened(event, viewer)] == [OPERATOR]


def test_no_other_event_holds_a_secret() -> None:
    """A new event with a sealed field must be closed here, or this fails."""
    holding = {kind.__name__ for kind in get_args(Event) if "Sealed" in str(msgspec.inspect.type_info(kind))}
    assert holding == {"CardDrawn", "DealStarted", "StockRenewed", "GameCreated", "GameForked"}


def test_redaction_drops_salt_and_value_and_nothing_else() -> None:
    """Two members are left where there were four, and every other byte stays."""
    event = DealStarted(1, 0, 1, "c", (OPEN_HAND, OPEN_HAND), OPEN_HAND, Card("KD"))
    before = json.loads(chain.canonical(event))
    after = json.loads(chain.canonical(redact_event(event, 0)))
    assert after["hands"] == [before["hands"][0], {"count": 2, "seal": "s"}]
    assert after["stock"] == {"count": 2, "seal": "s"}
    same: dict[str, Any] = {"hands": None, "stock": None}
    assert {**after, **same} == {**before, **same}


def test_a_commit_keeps_its_command_and_its_links() -> None:
    """Only secrets are dropped; the operator is given the very commit."""
    game = Game().started()
    commit = game.commits[-1]
    told = redact(commit, 1)
    assert replace(told, events=commit.events) == commit
    assert redact(commit, OPERATOR) is commit


def test_public_events_are_handed_on_as_they_are() -> None:
    """Nothing is copied that has no secret."""
    game = Game().started()
    commit = game.do(Discard(game.table.hand(game.on_turn)[0]))
    assert all(redact_event(event, SPECTATOR) is event for event in commit.events)


# -- the table that a seat knows


def test_a_seat_knows_its_own_cards_and_counts_the_others() -> None:
    """Neither the stock nor the seed."""
    here = position("7H 8H", "AC 2C 3C", "JD", stock="KS 3S", pile="4D")
    known = conceal(here.table, 1)
    assert known.deal.hands == ((HIDDEN,) * 2, cards("AC 2C 3C"), (HIDDEN,))
    assert known.deal.stock == (HIDDEN,) * 2
    assert known.deal.discard_pile == cards("4D")
    assert known.game_seed is None


def test_what_another_seat_drew_is_not_known() -> None:
    """That it drew is."""
    here = position("7H 8H", "AC", drawn="8H")
    assert conceal(here.table, 0).deal.turn.drawn == "8H"
    assert conceal(here.table, 1).deal.turn.drawn == HIDDEN
    assert conceal(position("7H 8H", "AC").table, 1).deal.turn.drawn is None


# -- the table as it is shown


def test_a_table_before_the_start_shows_its_chairs() -> None:
    """No deal, no hands, no totals, and no token's hash."""
    game = Game(turn_seconds=30)
    shown = view(game.table, SPECTATOR)
    assert (shown.status, shown.version, shown.deal, shown.result) == ("open", 1, None, None)
    assert [(seat.name, seat.hand_count, seat.total, seat.hand) for seat in shown.seats] == [
        (None, 0, 0, UNSET)
    ] * 3
    assert shown.turn_seconds == 30
    text = msgspec.json.encode(shown)
    assert game.game_seed.encode() not in text
    assert b"h" * 64 not in text


def test_a_deal_is_shown_as_it_lies() -> None:
    """Melds card by card with what each stands for and who laid it, the whole pile, the count of the stock."""
    here = position(
        "7H 8H",
        "AC",
        "JD",
        melds=["1: 9C=4H 5H 6H", "0: QS QH 9S=QX"],
        pile="2C 3C",
        stock="KS",
        phase="draw",
    )
    deal = view(here.table, SPECTATOR).deal
    assert deal is not None
    assert (deal.number, deal.of, deal.wild, deal.phase, deal.turn) == (9, 13, ("9",), "draw", 0)
    assert (deal.stock_count, deal.discard_pile, deal.offer) == (1, cards("2C 3C"), None)
    first, second = deal.melds
    assert (first.meld, first.kind, first.owner) == (1, "run", 1)
    assert [(card.card, card.reads_as, card.by) for card in first.cards] == [
        ("9C", "4H", 1),
        ("5H", "5H", 1),
        ("6H", "6H", 1),
    ]
    assert second.cards[-1].reads_as == "QX"


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_each_sees_its_own_hand(viewer: Viewer) -> None:
    """A spectator none, the operator all; how many cards the others hold is public."""
    here = position("7H 8H", "AC", "JD")
    shown = view(here.table, viewer).seats
    seen = [seat.seat for seat in shown if seat.hand is not UNSET]
    everything: dict[Viewer, list[int]] = {0: [0], 1: [1], 2: [2], SPECTATOR: [], OPERATOR: [0, 1, 2]}
    assert seen == everything[viewer]
    assert [seat.hand_count for seat in shown] == [2, 1, 1]


def test_a_hand_that_is_not_shown_is_not_there() -> None:
    """The member is missing, not null."""
    here = position("7H 8H", "AC", "JD")
    seats = json.loads(msgspec.json.encode(view(here.table, 1)))["seats"]
    assert ["hand" in seat for seat in seats] == [False, True, False]


def test_all_hands_are_open_once_the_game_is_over() -> None:
    """To a spectator too."""
    game = played(2, house_rules={"deal_count": 1})
    shown = view(game.table, SPECTATOR)
    assert [seat.hand for seat in shown.seats] == list(game.table.deal.hands)
    assert shown.result is not None
    assert shown.deal is not None
    assert (shown.status, shown.deal.turn) == ("finished", None)


@pytest.mark.parametrize(("reveal", "open_"), [("game", True), ("deal", True), ("never", False)])
def test_looking_back_at_a_finished_game_opens_hands_unless_it_promised_not_to(
    reveal: str, open_: bool
) -> None:
    """``"never"`` holds for ever."""
    game = Game(reveal=reveal, house_rules={"deal_count": 1}).started()  # type: ignore[arg-type]
    shown = view(game.table, SPECTATOR, open_hands=True)
    assert [seat.hand is not UNSET for seat in shown.seats] == [open_] * 3


def test_who_has_melded_is_public() -> None:
    """Others may lay off on it, and it decides what a seat may do."""
    here = position("7H 8H", "AC", "JD", melds=["1: 4C 4D 4H"])
    assert [seat.has_laid for seat in view(here.table, SPECTATOR).seats] == [False, True, False]
