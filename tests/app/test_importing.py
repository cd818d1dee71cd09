"""A log that was exported becomes a game here, if everything in it can be proved; else it is refused at a version."""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.app.scripted import ScriptedStore
from tests.app.staging import handler_on, on_turn, simple_move
from tests.support.forge import Node
from tests.support.games import Game, any_move, installed
from tests.support.tamper import chained, edited, event_of, export, resealed, version_of

from meldlog_contracts.events import GameForked
from meldlog_contracts.table import Origin
from meldlog_contracts.verifier import verify
from meldlog_service.app.audit import audit
from meldlog_service.app.errors import GameExists, NotImported
from meldlog_service.app.forking import Begun, fork
from meldlog_service.app.handler import Handler
from meldlog_service.app.importing import LINE_LIMIT, Import, imported_id
from meldlog_service.catalogue import Catalogue, PluginUnavailable
from meldlog_service.core import chain

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.ndjson"))


@pytest.fixture(scope="module")
def game() -> Game:
    """A game among three in its second deal; one entropy is Persian."""
    rng = random.Random(3)
    game = Game(house_rules={"deal_count": 3}).started(["a", None, "نمک"])
    choose = any_move(rng)
    while game.table.deal.number < 2 or len(game.table.deal.discard_pile) < 4:
        game.step(choose)
    return game


async def imported(handler: Handler, lines: Sequence[bytes]) -> Begun:
    """The game that a log becomes."""
    incoming = Import(handler.catalogue)
    for line in lines:
        incoming.take(line)
    return await incoming.finish(handler)


def lines_in(path: Path) -> list[bytes]:
    """A log in a file."""
    return path.read_bytes().splitlines()


def take(lines: Sequence[bytes]) -> None:
    """Let every line be looked at."""
    incoming = Import(installed())
    for line in lines:
        incoming.take(line)


async def test_a_log_becomes_a_game_that_goes_on(game: Game, handler: Handler) -> None:
    """Its past is byte for byte the log; then it says where it comes from, and has tokens and chance of its own."""
    begun = await imported(handler, game.lines)
    new = begun.table.game_id

    log = [line async for line in handler.lines(new)]
    assert log[:-1] == game.lines
    (event,) = chain.decode(log[-1]).events
    assert isinstance(event, GameForked)
    assert begun.table.origin == Origin("g1", game.version, game.commits[-1].hash)
    assert sorted(begun.seat_tokens) == [0, 1, 2]
    assert not {seat.token_hash for seat in begun.table.seats} & {
        seat.token_hash for seat in game.table.seats
    }
    assert begun.table.game_seed != game.game_seed
    answer = await handler.submit(new, simple_move(begun.table), on_turn(begun.table))
    assert (answer.version, (await audit(handler, new)).verdict) == (game.version + 2, "agrees")


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
async def test_finished_games_of_every_variant_can_be_taken_over(path: Path, handler: Handler) -> None:
    """Recorded by an earlier release; they read, audit and verify here as there."""
    lines = lines_in(path)
    begun = await imported(handler, lines)
    assert begun.table.status == "finished"
    report = await audit(handler, begun.table.game_id)
    assert (report.verdict, report.version) == ("agrees", len(lines) + 1)
    assert verify([line async for line in handler.lines(begun.table.game_id)]).ok


async def test_the_same_log_becomes_a_game_once(game: Game, handler: Handler, store: ScriptedStore) -> None:
    """Also for another worker; a longer log of the same game is another log."""
    first = await imported(handler, game.lines[:-1])
    assert first.table.game_id == imported_id(game.commits[-2].hash)
    for worker in (handler, handler_on(store, worker=1)):
        with pytest.raises(GameExists, match=first.table.game_id):
            await imported(worker, game.lines[:-1])
    assert (await imported(handler, game.lines)).table.game_id != first.table.game_id


async def test_forks_and_imports_can_be_taken_over_in_turn(game: Game, handler: Handler) -> None:
    """From service to service, any number of times."""
    here = await imported(handler, game.lines)
    forked = await fork(handler, here.table.game_id, game.version - 3)
    elsewhere = handler_on(ScriptedStore(), worker=5)

    for table in (here.table, forked.table):
        log = [line async for line in handler.lines(table.game_id)]
        there = await imported(elsewhere, log)
        assert there.table.origin is not None
        assert (there.table.origin.game_id, there.table.origin.version) == (table.game_id, table.version)
        assert (await audit(elsewhere, there.table.game_id)).verdict == "agrees"
        assert verify([line async for line in elsewhere.lines(there.table.game_id)]).ok


async def test_a_log_whose_rules_are_missing_is_not_taken(game: Game) -> None:
    """Nobody could tell whether it is right."""
    with pytest.raises(PluginUnavailable):
        Import(Catalogue([])).take(game.lines[0])


Forge = Callable[[Game], list[bytes]]


def changed(event: str, number: int, change: Callable[[Node], object], *, rehash: bool) -> Forge:
    """A log whose `number`-th event of a type was changed, with or without fitting hashes."""

    def forged(game: Game) -> list[bytes]:
        at = version_of(game.lines, event, number)
        return edited(game.lines, at, lambda commit: change(event_of(commit, event)), rehash=rehash)

    return forged


def swap(event: Node) -> None:
    """Another card in a player's hand, sealed as it should be."""
    hand = event["hands"][1]
    resealed(hand, ["JK", *hand["value"][1:]])


def without(version: int) -> Forge:
    """A log from which a commit was taken, numbers and hashes put right."""

    def forged(game: Game) -> list[bytes]:
        commits = [json.loads(line) for at, line in enumerate(game.lines, 1) if at != version]
        for number, commit in enumerate(commits, 1):
            commit["version"] = number
        return chained(commits, version)

    return forged


@pytest.mark.parametrize(
    ("forge", "event", "check"),
    [
        (changed("card_discarded", 5, lambda e: e.update(card="JK"), rehash=False), "card_discarded", "chain"),
        (changed("deal_started", 1, swap, rehash=False), "deal_started", "chain"),
        (changed("deal_started", 1, swap, rehash=True), "deal_started", "shuffles"),
        (changed("deal_scored", 1, lambda e: e.update(points=[0, 0, 0]), rehash=True), "deal_scored", "decisions"),
        (changed("game_created", 1, lambda e: e.update(commitment="0" * 64), rehash=True), "game_created",
         "commitments"),
        (changed("card_drawn", 2, lambda e: e["card"].update(value="JK"), rehash=True), "card_drawn", "seals"),
    ],
    ids=["a card, hash left", "a hand, hash left", "a hand", "a score", "a commitment", "an opened value"],
)  # fmt: skip
def test_a_tampered_log_is_refused_at_its_version(game: Game, forge: Forge, event: str, check: str) -> None:
    """And the check is named, also where every hash after it was made to fit."""
    number = {"card_discarded": 5, "card_drawn": 2}.get(event, 1)
    with pytest.raises(NotImported) as refused:
        take(forge(game))
    assert (refused.value.version, refused.value.check) == (version_of(game.lines, event, number), check)


def test_a_log_with_a_hole_is_refused(game: Game) -> None:
    """However well it was patched; one that was cut and goes on has no link."""
    with pytest.raises(NotImported) as refused:
        take(without(9)(game))
    assert refused.value.version == 9
    with pytest.raises(NotImported) as refused:
        take([*game.lines[:8], *game.lines[9:]])
    assert (refused.value.version, refused.value.check) == (10, "contiguity")


@pytest.mark.parametrize("viewer", [0, None])
def test_what_a_viewer_was_sent_is_no_game(game: Game, viewer: int | None) -> None:
    """The secrets are missing, and the game cannot go on without them."""
    with pytest.raises(NotImported, match="operator") as refused:
        Import(installed()).take(export(game.lines, viewer)[0])
    assert (refused.value.version, refused.value.check) == (1, "export")


def hostile(**members: Any) -> Callable[[Game], list[bytes]]:
    """The first commits, one member of the first seat's or of the creation's command changed."""

    def forged(game: Game) -> list[bytes]:
        version = 1 if members.keys() & {"game_id", "host_token_hash", "seats", "turn_seconds"} else 2
        return edited(game.lines[:3], version, lambda commit: commit["command"].update(members))

    return forged


def around(**members: Any) -> Callable[[Game], list[bytes]]:
    """The first commits, a member of the third changed."""
    return lambda game: edited(game.lines[:3], 3, lambda commit: commit.update(members))


@pytest.mark.parametrize(
    "forge",
    [
        hostile(token_hash="é" * 64),
        hostile(token_hash="0" * 65),
        hostile(name="x" * 65),
        hostile(entropy="e" * 256),
        hostile(strategy="s" * 65, kind="bot"),
        hostile(host_token_hash="💣"),
        hostile(game_id="g" * 65),
        hostile(game_id="g 1"),
        hostile(seats=10**9),
        hostile(turn_seconds=10**15),
        around(by="seat:007"),
        around(by="nobody"),
        around(at="yesterday"),
        around(at="2025-11-29T21:00:03Z"),
        around(at="9" * 400),
        around(command_id=""),
        around(command_id="k" * 256),
        around(command_id="k\u0000"),
        around(schema=7),
        around(extra={"not": "known"}),
        lambda game: [b"", *game.lines],
        lambda _: [b"{}"],
        lambda _: [b"[" * 100_000],
        lambda game: [game.lines[0] + b" "],
        lambda game: [game.lines[0] + b"\r"],
        lambda _: [b'{"at":"' + b"x" * LINE_LIMIT + b'"}'],
        lambda game: game.lines[1:],
        lambda game: [game.lines[0], game.lines[0]],
    ],
)
def test_hostile_logs_are_refused_in_a_sentence(game: Game, forge: Callable[[Game], list[bytes]]) -> None:
    """Nothing in them is believed, and nothing of them breaks what reads them."""
    with pytest.raises(NotImported) as refused:
        take(forge(game))
    assert refused.value.version <= 3
    assert len(refused.value.detail) < 2000


async def test_an_empty_log_is_no_game(handler: Handler) -> None:
    """Nothing was sent."""
    with pytest.raises(NotImported, match="empty"):
        await Import(handler.catalogue).finish(handler)
