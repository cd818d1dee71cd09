"""Both clients with a real service."""

from collections.abc import Iterator

import pytest
from tests.cli.commands import Serving

from meldlog_client import AsyncMeldlogClient, MeldlogProblem
from meldlog_client.shapes import MeldOnTable
from meldlog_contracts.commands import Draw, StartGame


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
        early = await operator.table(game.game_id, at=2)
        assert (early.version, early.status) == (2, "playing")


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
