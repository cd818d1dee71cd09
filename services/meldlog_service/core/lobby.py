"""Before and beside the play: creating a game, taking and leaving seats, handing one to a bot, starting."""

from __future__ import annotations

import unicodedata

from meldlog_contracts.commands import CreateGame, ForkGame, HandOverSeat, LeaveSeat, Resign, TakeSeat
from meldlog_contracts.events import GameCreated, GameForked, SeatHandedOver, SeatLeft, SeatTaken
from meldlog_contracts.problems import Fault, Refused
from meldlog_contracts.sealed import Sealed
from meldlog_contracts.table import Table
from meldlog_service.core.chance import commitment
from meldlog_service.core.dealing import start_game
from meldlog_service.core.draft import Draft

STRATEGY_AFTER_RESIGNING = "plain"
_UNSHOWABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_INVISIBLE = _UNSHOWABLE | {"Zs", "Mn", "Me", "Mc"}
_JOINERS = "\u200c\u200d"
PAIRED_SEATS = 4


def invalid(pointer: str, detail: str) -> Refused:
    """A command whose body makes no sense."""
    return Refused("invalid", detail, faults=(Fault(pointer, detail),))


def create(draft: Draft, command: CreateGame) -> None:
    """Create the game and seat the host's bots.

    Raises:
        Refused: ``invalid``, with what is wrong where.
    """
    rules, seed = draft.rules, draft.context.game_seed
    if seed is None:
        raise ValueError("a new game needs a seed")
    least, most = rules.info.players
    if not least <= command.seats <= most:
        raise invalid("/seats", f"{rules.info.title} is played by {least} to {most}")
    faults = rules.senseless(command.seats)
    if faults:
        raise Refused("invalid", "; ".join(fault.detail for fault in faults), faults=faults)
    _check_entropy(command.entropy)
    two_sides = rules.table_rules.teams == "pairs" and command.seats == PAIRED_SEATS
    draft.add(
        GameCreated(
            game_id=command.game_id,
            variant=command.variant,
            options=rules.options,
            house_rules=dict(rules.house.flat),
            plugins=rules.refs,
            seats=command.seats,
            reveal=command.reveal,
            listed=command.listed,
            turn_seconds=command.turn_seconds,
            commitment=commitment(seed),
            game_seed=Sealed(0, value=seed),
            host_token_hash=command.host_token_hash,
            teams=tuple(seat % 2 for seat in range(command.seats)) if two_sides else None,
            deals=rules.deal_count(),
            entropy=command.entropy,
        )
    )
    for number in sorted(command.bots, key=lambda text: (len(text), text)):
        strategy = command.bots[number]
        if number not in map(str, range(command.seats)):
            raise invalid(f"/bots/{number}", f"there is no seat {number}: seats are 0 to {command.seats - 1}")
        take(
            draft,
            TakeSeat(int(number), bot_name(strategy, int(number)), "bot", strategy, command.entropy),
            "host",
        )


def fork(draft: Draft, command: ForkGame) -> None:
    """Go on as a new game: the past stays, chance and tokens are new.

    Raises:
        Refused: ``invalid`` when the table is at another version, or tokens and players do not match.
    """
    table, context = draft.table, draft.context
    if context.game_seed is None or context.head is None:
        raise ValueError("a fork needs a seed, and the hash of the commit that it goes on from")
    if command.at != table.version:
        raise invalid("/at", f"the game is at version {table.version}")
    tokens = command.seat_token_hashes or (None,) * len(table.seats)
    players = [seat.kind == "player" and not seat.is_empty for seat in table.seats]
    if [token is not None for token in tokens] != players:
        raise invalid("/seat_token_hashes", "every player has a token of the new game, and nobody else has")
    draft.add(
        GameForked(
            game_id=command.game_id,
            from_game=table.game_id,
            version=table.version,
            head=context.head,
            commitment=commitment(context.game_seed),
            game_seed=Sealed(0, value=context.game_seed),
            host_token_hash=command.host_token_hash,
            seat_token_hashes=command.seat_token_hashes,
            deadline=None if table.deal.turn.deadline is None else draft.deadline(),
        )
    )


def bot_name(strategy: str, seat: int) -> str:
    """What a bot is called at the table."""
    return f"{strategy} {seat}"


def take(draft: Draft, command: TakeSeat, by: str) -> None:
    """Sit somebody down.

    Raises:
        Refused: ``seat_taken``, ``wrong_phase``, ``forbidden`` or ``invalid``.
    """
    table = draft.table
    _check_open(table)
    _check_seat(table, command.seat)
    if command.kind == "bot" and by not in ("host", "operator"):
        raise Refused("forbidden", "only the host seats bots")
    if not table.seats[command.seat].is_empty:
        raise Refused("seat_taken", f"seat {command.seat} is taken")
    _check_text("/name", command.name)
    _check_entropy(command.entropy)
    draft.add(
        SeatTaken(
            command.seat, command.name, command.kind, command.strategy, command.entropy, command.token_hash
        )
    )


def leave(draft: Draft, command: LeaveSeat, by: str) -> None:
    """Stand up, or take an empty seat away.

    Raises:
        Refused: ``wrong_phase``, ``forbidden`` or ``invalid``.
    """
    table, rules = draft.table, draft.rules
    _check_open(table)
    _check_seat(table, command.seat)
    seat = table.seats[command.seat]
    if command.remove:
        if not seat.is_empty:
            raise Refused("seat_taken", f"seat {command.seat} is taken: only an empty seat can be removed")
        least, _ = rules.info.players
        if len(table.seats) - 1 < least or rules.table_rules.teams == "pairs":
            raise invalid("/seat", f"{rules.info.title} needs its {len(table.seats)} seats here")
        faults = rules.senseless(len(table.seats) - 1)
        if faults:
            raise Refused("invalid", "; ".join(fault.detail for fault in faults), faults=faults)
        draft.add(SeatLeft(command.seat, removed=True))
        return
    if seat.is_empty:
        raise invalid("/seat", f"seat {command.seat} is empty")
    if by == "host" and seat.kind != "bot":
        raise Refused("forbidden", "the host can remove a bot or an empty seat, not a player")
    draft.add(SeatLeft(command.seat))


def hand_over(draft: Draft, command: HandOverSeat | Resign, number: int) -> None:
    """Give a seat to a bot for the rest of the game.

    Raises:
        Refused: ``wrong_phase``, ``game_over`` or ``invalid``.
    """
    table = draft.table
    _check_playing(table)
    _check_seat(table, number)
    if table.seats[number].kind == "bot":
        raise invalid("/seat", f"a bot plays seat {number} already")
    strategy = command.strategy if isinstance(command, HandOverSeat) else STRATEGY_AFTER_RESIGNING
    draft.add(SeatHandedOver(number, "bot", strategy))


def start(draft: Draft) -> None:
    """Start the game when every seat is taken.

    Raises:
        Refused: ``wrong_phase``.
    """
    table = draft.table
    if table.status != "open":
        raise Refused("wrong_phase", "the game has started already", "game.start")
    empty = [str(number) for number, seat in enumerate(table.seats) if seat.is_empty]
    if empty:
        waiting = f"seat {empty[0]} is" if len(empty) == 1 else f"seats {', '.join(empty)} are"
        raise Refused("wrong_phase", f"{waiting} empty: wait, seat bots, or remove empty seats", "game.start")
    start_game(draft)


def _check_text(pointer: str, text: str) -> None:
    """Check that a text can be shown: no controls, no line breaks, nothing that turns the direction of writing.

    The joiners that Persian and Arabic are written with are welcome. Characters that this Python's Unicode does not
    know yet are let pass, so that another one decides the same.
    """
    for character in text:
        if unicodedata.category(character) in _UNSHOWABLE and character not in _JOINERS:
            raise invalid(pointer, f"the character U+{ord(character):04X} cannot be shown")
    if all(unicodedata.category(character) in _INVISIBLE for character in text):
        raise invalid(pointer, "there is nothing to see in it")


def _check_entropy(entropy: str | None) -> None:
    if entropy:
        _check_text("/entropy", entropy)
        if "|" in entropy:
            raise invalid("/entropy", "the bar joins the seats' texts and cannot be inside one")


def _check_open(table: Table) -> None:
    if table.status != "open":
        raise Refused(
            "wrong_phase", "the game has started: seats are not taken or left any more", "game.start"
        )


def _check_playing(table: Table) -> None:
    if table.status == "finished":
        raise Refused("game_over", "the game is over", "game.end")
    if table.status == "open":
        raise Refused(
            "wrong_phase", "the game has not started yet: the host starts it, with start_game", "game.start"
        )


def _check_seat(table: Table, number: int) -> None:
    if not 0 <= number < len(table.seats):
        raise invalid("/seat", f"there is no seat {number}: seats are 0 to {len(table.seats) - 1}")
