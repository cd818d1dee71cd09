"""Both clients with a real service."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.commands import Serving
from tests.http.serving import OPERATOR_TOKEN, served
from tests.support.tamper import edited, event_of, version_of

from meldlog_client import AsyncMeldlogClient, MeldlogClient, MeldlogProblem
from meldlog_client.shapes import MeldOnTable, Origin
from meldlog_contracts.commands import Draw, StartGame
from meldlog_contracts.events import DealScored
from meldlog_service.app.envelope import pointer_of
from meldlog_service.store.memory import MemoryStore, Shelf

GOLDEN = Path(__file__).parents[1] / "golden" / "basic-rummy.ndjson"


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A running service."""
    with Serving(tmp_path_factory.mktemp("serving")) as service:
        yield service


def test_a_game_is_played_by_two_callers(serving: Serving) -> None:
    """One connection pool, many tokens; each sees its own hand."""
    with serving.client() as service:
        game = service.create_game("crazy-rummy", 2, house_rules={"wild_penalty": 20})
        ann, bob = (
            service.as_caller(service.take_seat(game.game_id, name).seat_token) for name in ("Ann", "Bob")
        )
        started = service.as_caller(game.host_token).start(game.game_id)
        assert (started.version, started.replayed) == (4, False)
        tables = [caller.table(game.game_id) for caller in (ann, bob)]
        assert tables[0].deal is not None
        turn = tables[0].deal.turn
        assert tables[0].house_rules["wild_penalty"] == 20
        assert [[isinstance(seat.hand, tuple) for seat in table.seats] for table in tables] == [
            [True, False],
            [False, True],
        ]
        playing, waiting = (ann, bob) if turn == 0 else (bob, ann)
        assert waiting.moves(game.game_id).moves == ()
        move = playing.moves(game.game_id).moves[-1]
        judged = playing.send(game.game_id, move, dry_run=True)
        assert playing.table(game.game_id).version == 4
        first = playing.send(game.game_id, move, key="k", if_match=4)
        again = playing.send(game.game_id, move, key="k")
        assert (first.version, first.replayed, again.version, again.replayed) == (5, False, 5, True)
        assert judged.events
        with pytest.raises(MeldlogProblem) as refused:
            playing.send(game.game_id, Draw(source="stock"), if_match=4)
        assert refused.value.code == "stale_version"
        assert [commit.version for commit in ann.events(game.game_id, after=2)] == [3, 4, 5]
        assert service.as_caller(serving.token).audit(game.game_id).verdict == "agrees"
        unlisted = service.create_game("crazy-rummy", 2, listed=False)
        with pytest.raises(MeldlogProblem) as hidden:
            service.table(unlisted.game_id)
        assert hidden.value.status == 404


def test_games_are_listed_a_page_at_a_time(serving: Serving) -> None:
    """Those that are asked for, with what tells an abandoned table."""
    with serving.client() as service:
        games = [service.create_game("treize-brasses", 3) for _ in range(2)]
        service.take_seat(games[0].game_id, "Ann")
        first = service.games(variant="treize-brasses", status="open", limit=1)
        assert first.next_cursor is not None
        second = service.games(variant="treize-brasses", status="open", limit=1, cursor=first.next_cursor)
        newer, older = (*first.items, *second.items)
        assert [newer.game_id, older.game_id] == [game.game_id for game in reversed(games)]
        assert [older.seats[0].name, older.version] == ["Ann", 2]
        assert (newer.updated_at, older.updated_at > older.created_at) == (newer.created_at, True)
        assert service.games(variant="treize-brasses", status="finished").items == ()


async def test_bots_are_followed_to_the_end(serving: Serving) -> None:
    """By the asynchronous client, live."""
    async with AsyncMeldlogClient(serving.url, serving.token) as operator:
        game = await operator.create_game("crazy-rummy", 2, bots={0: "plain", 1: "plain"})
        await operator.send(game.game_id, StartGame())
        versions = [commit.version async for commit in operator.stream(game.game_id)]
        assert versions == list(range(1, len(versions) + 1))
        table = await operator.table(game.game_id)
        assert (table.status, table.version) == ("finished", len(versions))
        assert table.result is not None
        page = await operator.games(status="finished", variant="crazy-rummy")
        assert page.items[0].winners == table.result.winners
        early = await operator.table(game.game_id, at=2)
        assert (early.version, early.status) == (2, "playing")


def test_games_are_forked_and_imported(serving: Serving) -> None:
    """What they go on from is told, then and in every table; the same log is a game once."""
    with serving.client(serving.token) as operator:
        game = operator.create_game("crazy-rummy", 2)
        for name in ("Ann", "Bob"):
            operator.take_seat(game.game_id, name)
        operator.start(game.game_id)
        lines = list(operator.lines(game.game_id))
        assert operator.table(game.game_id).origin is None
        heads = [json.loads(line)["hash"] for line in lines]
        for begun, at in ((operator.fork(game.game_id, 3), 3), (operator.import_log(lines), 4)):
            assert begun.origin == Origin(game.game_id, at, heads[at - 1])
            assert begun.version == at + 1
            assert set(begun.seat_tokens) == {0, 1}
            table = operator.as_caller(begun.seat_tokens[1]).table(begun.game_id)
            assert table.origin == begun.origin
            assert table.commitment != operator.table(game.game_id).commitment
        with pytest.raises(MeldlogProblem) as again:
            operator.import_log(lines)
        assert again.value.code == "game_exists"


async def test_games_are_forked_and_imported_asynchronously(serving: Serving) -> None:
    """In the same shapes."""
    async with AsyncMeldlogClient(serving.url, serving.token) as operator:
        game = await operator.create_game("crazy-rummy", 2, bots={0: "plain", 1: "plain"})
        lines = [line async for line in operator.lines(game.game_id)]
        forked = await operator.fork(game.game_id, 1)
        imported = await operator.import_log(lines)
        assert forked.origin == imported.origin
        assert forked.origin is not None
        assert forked.origin.game_id == game.game_id


def test_an_audit_tells_what_differs() -> None:
    """The command, the events recorded and decided, and the places of the table: typed, so that programs can look."""
    lines = GOLDEN.read_bytes().splitlines()
    at = version_of(lines, "deal_scored")
    forged = edited(lines, at, lambda commit: event_of(commit, "deal_scored").update(totals=[777] * 4))
    shelf = Shelf()
    shelf.logs[pointer_of(lines).game_id] = forged
    with (
        served(store=lambda: MemoryStore(shelf)) as running,
        MeldlogClient(running.url, OPERATOR_TOKEN) as operator,
    ):
        report = operator.audit(pointer_of(lines).game_id)
    assert (report.verdict, report.version) == ("differs", at)
    difference = report.difference
    assert difference is not None
    assert (difference.version, difference.code) == (at, None)
    recorded, decided = (
        next(event for event in events if isinstance(event, DealScored))
        for events in (difference.recorded, difference.decided)
    )
    assert recorded.totals == (777,) * 4 != decided.totals
    place = next(change for change in difference.table if change.pointer == "/totals/0")
    assert json.loads(bytes(place.recorded)) == 777
    assert json.loads(bytes(place.decided)) == decided.totals[0]


def test_variants_are_listed_and_read(serving: Serving) -> None:
    """With their house rules, and in words."""
    with serving.client() as service:
        crazy = next(one for one in service.variants() if one.name == "crazy-rummy")
        assert crazy.players == (2, 6)
        one_card = next(rule for rule in crazy.options if rule.name == "one_card_rule")
        assert (one_card.default, one_card.schema["type"]) == (True, "boolean")
        sheet = service.variant("crazy-rummy", "fr")
        assert sheet.house_rules["hand_size"] == 7
        assert any(clause.id == "one-card.stock" for clause in sheet.clauses)


def test_cards_are_judged(serving: Serving) -> None:
    """Alone, and on a meld."""
    with serving.client() as service:
        free = service.judge("crazy-rummy", ["7H", "8H", "9C"], wild=["9"])
        assert [reading.reads_as for reading in free.readings] == [("6H", "7H", "8H"), ("7H", "8H", "9H")]
        nothing = service.judge("crazy-rummy", ["7H", "8H", "QC"])
        assert nothing.readings == ()
        assert nothing.refusal is not None
        assert nothing.refusal.rule == "meld.shape"
        run = MeldOnTable(("4C", "5C", "6C"), ("4C", "5C", "6C"))  # type: ignore[arg-type]
        assert service.judge("crazy-rummy", ["7C"], meld=run).readings
