"""Before and beside the play: who may create, sit, stand up, take a chair away, start, and give a seat to a bot."""

from __future__ import annotations

import pytest
from tests.support.games import GAME_SEED, START_MS, Game, installed

from meldlog_contracts.commands import (
    Command,
    CreateGame,
    Discard,
    HandOverSeat,
    LeaveSeat,
    Resign,
    StartGame,
    TakeSeat,
)
from meldlog_contracts.events import (
    DealStarted,
    GameCreated,
    GameStarted,
    SeatHandedOver,
    SeatLeft,
    SeatTaken,
    TurnPassed,
    WildNamed,
)
from meldlog_contracts.problems import Fault, Refused
from meldlog_contracts.table import Table
from meldlog_service.core.chance import commitment
from meldlog_service.core.context import Context
from meldlog_service.core.decide import Decision, decide


def create(command: CreateGame) -> Decision:
    """Create a game from nothing."""
    rules = installed().ruleset_for_new(command.variant, command.options, command.house_rules)
    return decide(command, "host", Table(), rules, Context(START_MS, GAME_SEED))


def refused(command: CreateGame) -> Refused:
    """The refusal of a game."""
    with pytest.raises(Refused) as no:
        create(command)
    return no.value


def names(game: Game) -> list[str | None]:
    """Who sits where."""
    return [seat.name for seat in game.table.seats]


# -- creating


def test_a_created_game_states_everything_that_it_will_be_played_by() -> None:
    """Merged house rules, plugins with their versions and digests, the commitment, and the seed for nobody."""
    (created,) = create(CreateGame("g7", "crazy-rummy", 4, "h" * 64, house_rules={"packs": 2})).events
    assert isinstance(created, GameCreated)
    assert (created.game_id, created.variant, created.seats, created.deals) == ("g7", "crazy-rummy", 4, 13)
    assert created.house_rules["packs"] == 2
    assert created.house_rules["ace_in_runs"] == "low"
    assert {ref.name for ref in created.plugins} >= {"basic", "crazy-rummy", "sets-and-runs"}
    assert all(ref.rules_version >= 1 and len(ref.digest) == 64 for ref in created.plugins)
    assert created.commitment == commitment(GAME_SEED)
    assert created.game_seed.value == GAME_SEED
    assert (created.reveal, created.listed, created.turn_seconds, created.teams) == ("game", True, None, None)


def test_the_host_s_bots_sit_down_at_once() -> None:
    """In the order of their seats, carrying the host's entropy."""
    command = CreateGame("g7", "crazy-rummy", 3, "h" * 64, bots={"2": "plain", "0": "random"}, entropy="salt")
    _, *seated = create(command).events
    assert seated == [
        SeatTaken(0, "random 0", "bot", "random", "salt", None),
        SeatTaken(2, "plain 2", "bot", "plain", "salt", None),
    ]


@pytest.mark.parametrize("seats", [-1, 0, 1, 7])
def test_a_variant_says_how_many_may_play(seats: int) -> None:
    """Crazy Rummy is for two to six."""
    no = refused(CreateGame("g7", "crazy-rummy", seats, "h" * 64))
    assert (no.code, no.faults) == ("invalid", (Fault("/seats", "Crazy Rummy is played by 2 to 6"),))


@pytest.mark.parametrize("number", ["3", "-1", "x", "", "1.0", "²", "٢"])
def test_a_bot_needs_a_seat_that_is_there(number: str) -> None:
    """The pointer names it; digits of other scripts are no numbers here."""
    no = refused(CreateGame("g7", "crazy-rummy", 3, "h" * 64, bots={number: "plain"}))
    assert (no.code, no.faults[0].pointer) == ("invalid", f"/bots/{number}")


def test_two_bots_do_not_share_a_seat() -> None:
    """Though their keys are two texts."""
    no = refused(CreateGame("g7", "crazy-rummy", 3, "h" * 64, bots={"1": "plain", "01": "plain"}))
    assert no.code in ("invalid", "seat_taken")


@pytest.mark.parametrize(
    ("seats", "house_rules", "pointer"),
    [
        (6, {"hand_size": 9}, "/house_rules/hand_size"),
        (5, {"hand_size": 60}, "/house_rules/hand_size"),
        (3, {"hand_size": 0}, "/house_rules/hand_size"),
        (3, {"deal_count": 14}, "/house_rules/deal_count"),
        (3, {"deal_count": 0}, "/house_rules/deal_count"),
        (3, {"teams": "pairs"}, "/house_rules/teams"),
    ],
)
def test_house_rules_that_make_no_game_are_refused(
    seats: int, house_rules: dict[str, int], pointer: str
) -> None:
    """Each has a sensible type, and together they leave no stock, no deal or no partner."""
    no = refused(CreateGame("g7", "crazy-rummy", seats, "h" * 64, house_rules=dict(house_rules)))
    assert (no.code, no.faults[0].pointer) == ("invalid", pointer)


def test_as_many_cards_as_leave_one_in_the_stock_may_be_dealt() -> None:
    """Six seats of eight and the extra card are 49 of 52."""
    assert create(CreateGame("g7", "crazy-rummy", 6, "h" * 64, house_rules={"hand_size": 8})).events


def test_a_game_needs_a_seed() -> None:
    """The service forgot it: that is nobody's refusal."""
    rules = installed().ruleset_for_new("crazy-rummy")
    with pytest.raises(ValueError, match="seed"):
        decide(CreateGame("g7", "crazy-rummy", 3, "h"), "host", Table(), rules, Context(START_MS))


# -- seats


def test_somebody_takes_a_seat() -> None:
    """With name, entropy and the hash of the token."""
    game = Game()
    commit = game.do(TakeSeat(1, "Ada", entropy="pepper", token_hash="t" * 64), "seat:1")
    assert commit.events == (SeatTaken(1, "Ada", "player", None, "pepper", "t" * 64),)
    assert names(game) == [None, "Ada", None]


def test_a_taken_seat_is_taken() -> None:
    """Also by the same person again."""
    game = Game()
    game.do(TakeSeat(1, "Ada"), "seat:1")
    assert game.refusal(TakeSeat(1, "Ada"), "seat:1").code == "seat_taken"


@pytest.mark.parametrize("seat", [-1, 3])
def test_a_seat_must_be_there(seat: int) -> None:
    """Whoever asks for another hears how many there are."""
    game = Game()
    for command in (TakeSeat(seat, "Ada"), LeaveSeat(seat), LeaveSeat(seat, remove=True)):
        no = game.refusal(command, "host")
        assert (no.code, no.faults[0].pointer) == ("invalid", "/seat")
        assert "seats are 0 to 2" in no.detail


def test_only_the_host_and_the_operator_seat_bots() -> None:
    """A player brings no helpers."""
    game = Game()
    bot = TakeSeat(1, "plain 1", "bot", "plain")
    assert game.refusal(bot, "seat:1").code == "forbidden"
    assert game.do(bot, "host").events
    assert game.do(TakeSeat(2, "plain 2", "bot", "plain"), "operator").events


def test_a_player_stands_up_and_the_seat_is_free() -> None:
    """Nothing of them is left there."""
    game = Game()
    game.do(TakeSeat(1, "Ada", entropy="pepper", token_hash="t" * 64), "seat:1")
    assert game.do(LeaveSeat(1), "seat:1").events == (SeatLeft(1),)
    assert names(game) == [None, None, None]
    assert game.refusal(LeaveSeat(1), "seat:1").faults == (Fault("/seat", "seat 1 is empty"),)


def test_the_host_removes_a_bot_and_no_player() -> None:
    """A seat that somebody took is theirs."""
    game = Game()
    game.do(TakeSeat(0, "Ada"), "seat:0")
    game.do(TakeSeat(1, "plain 1", "bot", "plain"), "host")
    assert game.refusal(LeaveSeat(0), "host").code == "forbidden"
    assert game.do(LeaveSeat(1), "host").events == (SeatLeft(1),)


def test_an_empty_chair_is_taken_away_and_the_others_move_down() -> None:
    """Whoever sat on seat 2 sits on seat 1 now, and only an empty chair goes."""
    game = Game()
    game.do(TakeSeat(0, "Ada"), "seat:0")
    game.do(TakeSeat(2, "Bea"), "seat:2")
    assert game.refusal(LeaveSeat(2, remove=True), "host").code == "seat_taken"
    assert game.do(LeaveSeat(1, remove=True), "host").events == (SeatLeft(1, removed=True),)
    assert names(game) == ["Ada", "Bea"]


def test_chairs_are_not_taken_away_below_the_least_number_of_players() -> None:
    """Crazy Rummy needs two."""
    no = Game(seats=2).refusal(LeaveSeat(0, remove=True), "host")
    assert (no.code, no.faults[0].pointer) == ("invalid", "/seat")


def test_partners_keep_their_four_chairs() -> None:
    """Without one, somebody has no partner."""
    game = Game(seats=4, house_rules={"teams": "pairs"})
    assert [seat.team for seat in game.table.seats] == [0, 1, 0, 1]
    assert game.refusal(LeaveSeat(0, remove=True), "host").code == "invalid"


# -- the start


def test_a_game_starts_when_every_seat_is_taken() -> None:
    """Who deals, the cards, what is wild, and whose turn it is, in one commit."""
    game = Game(seats=2, turn_seconds=60)
    for seat in range(2):
        assert game.refusal(StartGame(), "host").rule == "game.start"
        game.do(TakeSeat(seat, f"player {seat}"), f"seat:{seat}")
    started, dealt, wild, passed = game.do(StartGame(), "host").events
    assert isinstance(started, GameStarted)
    assert isinstance(dealt, DealStarted)
    assert (dealt.number, dealt.dealer, dealt.starter) == (1, started.dealer, (started.dealer + 1) % 2)
    assert wild == WildNamed(None, ("A",))
    assert passed == TurnPassed(dealt.starter, "2025-11-29T21:01:04.000Z", "play")


def test_the_refusal_to_start_names_the_empty_seats() -> None:
    """So that the host knows whom to wait for."""
    game = Game()
    assert "seats 0, 1, 2 are empty" in game.refusal(StartGame(), "host").detail
    game.do(TakeSeat(0, "Ada"), "seat:0")
    game.do(TakeSeat(2, "Bea"), "seat:2")
    assert "seat 1 is empty" in game.refusal(StartGame(), "host").detail


@pytest.mark.parametrize("by", ["seat:0", "service"])
def test_only_the_host_and_the_operator_start(by: str) -> None:
    """A player waits."""
    game = Game()
    for seat in range(3):
        game.do(TakeSeat(seat, f"player {seat}"), f"seat:{seat}")
    assert game.refusal(StartGame(), by).code == "forbidden"
    assert game.do(StartGame(), "operator").events


BEFORE_THE_START: list[Command] = [TakeSeat(0, "Ada"), LeaveSeat(0), LeaveSeat(0, remove=True), StartGame()]


@pytest.mark.parametrize("command", BEFORE_THE_START, ids=repr)
def test_seats_are_not_taken_or_left_after_the_start(command: Command) -> None:
    """Nor is a game started twice."""
    no = Game().started().refusal(command, "host")
    assert (no.code, no.rule) == ("wrong_phase", "game.start")


@pytest.mark.parametrize("command", [Discard("7H"), Resign()], ids=repr)  # type: ignore[arg-type]
def test_nothing_is_played_before_the_start(command: Command) -> None:
    """The clause says when it starts."""
    no = Game().refusal(command, "seat:0")
    assert (no.code, no.rule) == ("wrong_phase", "game.start")


# -- giving a seat to a bot


def test_who_resigns_leaves_the_cards_to_a_bot() -> None:
    """At any time, also out of turn; the hand is played on."""
    game = Game().started()
    waiting = (game.on_turn + 1) % 3
    hand = game.table.hand(waiting)
    assert game.do(Resign(), f"seat:{waiting}").events == (SeatHandedOver(waiting, "bot", "plain"),)
    assert game.table.hand(waiting) == hand
    assert game.table.seats[waiting].kind == "bot"
    assert game.table.seats[waiting].token_hash is None


def test_a_seat_is_handed_to_a_bot_once() -> None:
    """With the strategy that was asked for."""
    game = Game().started()
    assert game.do(HandOverSeat(1, "random"), "operator").events == (SeatHandedOver(1, "bot", "random"),)
    assert game.refusal(HandOverSeat(1, "plain"), "operator").faults[0].pointer == "/seat"


def test_no_seat_is_handed_over_before_the_start_or_after_the_end() -> None:
    """Before, one leaves; after, there is nothing to play."""
    no = Game().refusal(HandOverSeat(1, "plain"), "host")
    assert (no.code, no.rule) == ("wrong_phase", "game.start")
    game = Game(house_rules={"deal_count": 1}).started()
    game.play_out(lambda listed, _: listed.moves[-1])
    assert game.refusal(HandOverSeat(1, "plain"), "host").code == "game_over"
    assert game.refusal(Resign(), "seat:1").code == "game_over"


@pytest.mark.parametrize(
    "name",
    [
        "Ann\n",
        "Ann\x1b[31m",
        "Ann\x85",
        "A\u2028nn",
        "\u202egnip",
        "\u2066A",
        "  ",
        "\u200c\u200d",
        "\u0301",
        "\ufeffAnn",
    ],
)
def test_a_name_that_cannot_be_shown_is_refused(name: str) -> None:
    """It is printed on tables, score sheets and terminals."""
    with pytest.raises(Refused) as refused:
        Game(seats=2).do(TakeSeat(0, name, token_hash="a" * 64), "seat:0")
    assert refused.value.faults[0].pointer == "/name"


@pytest.mark.parametrize("name", ["آنا‌بانو", "أنا", "Zoë", "李", "👩‍🚀", "O'Brien Jr."])
def test_names_of_all_scripts_are_welcome(name: str) -> None:
    """With the joiners that they are written with."""
    game = Game(seats=2)
    game.do(TakeSeat(0, name, token_hash="a" * 64), "seat:0")
    assert game.table.seats[0].name == name


@pytest.mark.parametrize("entropy", ["a\n", "a|b", "\u202ea"])
def test_entropy_that_could_be_read_in_two_ways_is_refused(entropy: str) -> None:
    """It is joined with the others' by bars, and shown for everybody to check."""
    with pytest.raises(Refused) as refused:
        Game(seats=2).do(TakeSeat(0, "ann", entropy=entropy, token_hash="a" * 64), "seat:0")
    assert refused.value.faults[0].pointer == "/entropy"
