"""`plugins/example_variant`: a package of somebody else's, in a service that knows nothing of it."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.commands import PATIENCE, Serving, meldlog
from tests.docs.markdown import blocks
from tests.support.games import installed
from tests.support.packages import beside, install, passed

from meldlog_client import MeldlogClient, MeldlogProblem
from meldlog_client.shapes import TableView
from meldlog_contracts.commands import Discard, LayMeld
from meldlog_contracts.events import CardLaidOff, Commit, DealEnded, DealScored, MeldLaid, WildNamed
from meldlog_service.kit.names import Names
from meldlog_service.kit.package import blueprint, written

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "plugins" / "example_variant"
NAME = "one-eyed-jacks"
AUTHOR = "The Meldlog authors"
FILLED_IN = {
    "meldlog_one_eyed_jacks/one_eyed_jacks.py",
    "meldlog_one_eyed_jacks/one_eyed_jacks.toml",
    "tests/test_one_eyed_jacks.py",
}
"""What is its own: the rules, their words, and their tests."""

LEFT_BY_TOOLS = {"__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"}
FEW_LINES = 60


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the example's wheel is installed in."""
    folder = tmp_path_factory.mktemp("site")
    install(EXAMPLE, folder)
    return folder


@pytest.fixture(scope="module")
def serving(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A running service beside which it is installed."""
    with Serving(tmp_path_factory.mktemp("serving"), **beside(site)) as service:
        yield service


def test_it_is_what_new_variant_writes_but_for_what_is_its_own() -> None:
    """So whoever runs the command begins with this package, and nothing more was needed."""
    plan = blueprint(Names(NAME), "crazy-rummy", AUTHOR, installed())
    new = {path.as_posix(): text for path, text in written(plan).items()}
    there = {
        path.relative_to(EXAMPLE).as_posix(): path.read_text(encoding="utf-8")
        for path in EXAMPLE.rglob("*")
        if path.is_file() and not LEFT_BY_TOOLS & set(path.parts)
    }
    assert there.keys() == new.keys()
    assert {path for path in new if there[path] != new[path]} == FILLED_IN


def test_a_wild_an_option_and_a_score_of_its_own_take_less_than_sixty_lines() -> None:
    """Blank lines and docstrings counted."""
    [module] = EXAMPLE.glob("meldlog_*/one_eyed_jacks.py")
    assert len(module.read_text(encoding="utf-8").splitlines()) < FEW_LINES


def test_it_passes_its_own_tests(site: Path) -> None:
    """Against the wheel."""
    assert passed(EXAMPLE, site) >= 9


@pytest.mark.parametrize("lang", ["en", "fr", "fa", "ar"])
def test_the_api_shows_its_sheet(lang: str, serving: Serving) -> None:
    """Its clauses and its option beside those of the game that it is based on."""
    sheet = serving.get(f"/v1/variants/{NAME}?lang={lang}").json()
    clauses = {clause["id"]: clause["text"] for clause in sheet["clauses"]}
    assert clauses["one-eyed-jacks.wild"]
    assert ("۲۰" if lang == "fa" else "20") in clauses["one-eyed-jacks.clean"]
    assert "one-card.stock" in clauses
    [option] = [option for option in sheet["options"] if option["name"] == "one_eyed_jacks_clean"]
    assert option["titles"][lang]
    assert (option["default"], option["schema"]["maximum"]) == (20, 100)


def test_its_option_is_checked_like_any_other(serving: Serving) -> None:
    """By its type's bounds, with a pointer."""
    with serving.client() as client, pytest.raises(MeldlogProblem) as refused:
        client.create_game(NAME, 3, house_rules={"one_eyed_jacks_clean": 101})
    assert refused.value.code == "invalid"
    assert "one_eyed_jacks_clean" in str(refused.value)


def test_a_game_of_it_is_played_over_http_and_audited(serving: Serving, site: Path, tmp_path: Path) -> None:
    """From the first card to the last; its wilds are laid, and its score is seen in the totals."""
    with serving.client() as client:
        game = client.create_game(NAME, 2, house_rules={"deal_count": 4, "one_eyed_jacks_clean": 100})
        players = [
            client.as_caller(client.take_seat(game.game_id, name).seat_token) for name in ("Ann", "Bob")
        ]
        client.as_caller(game.host_token).start(game.game_id)
        table = play(client, game.game_id, players)
        assert table.status == "finished"
        assert len(table.scores) == 4
        for out, points, clean in ends_of_deals(client.events(game.game_id)):
            assert points[out] == (-100 if clean else 0)
        assert client.as_caller(serving.token).audit(game.game_id).verdict == "agrees"

    log = tmp_path / "log.ndjson"
    where = ("--data-dir", serving.data_dir)
    exported = meldlog("export", game.game_id, *where, "--out", log, home=tmp_path)
    assert exported.returncode == 0, exported.stderr
    with_it = meldlog("audit", log, home=tmp_path, **beside(site))
    assert (with_it.returncode, "agrees" in with_it.stdout) == (0, True), with_it.stdout
    without = meldlog("audit", log, home=tmp_path)
    assert "cannot be judged" in without.stdout or "cannot judge" in without.stdout
    assert meldlog("replay", log, home=tmp_path).returncode == 0
    assert meldlog("verify", log, home=tmp_path).returncode == 0


def test_its_readme_lets_bots_play_a_game_of_it(serving: Serving, tmp_path: Path) -> None:
    """By the commands that the page of every new variant tells its author to paste."""
    [pasted] = [block.text for block in blocks(EXAMPLE / "README.md", "sh") if "curl" in block.text]
    script = pasted.replace("http://127.0.0.1:8000", serving.url)
    told = subprocess.run(
        ["bash", "-euc", script], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=True
    ).stdout
    assert '"result":{"winners":[' in told
    assert '"verdict":"agrees"' in told


def play(client: MeldlogClient, game: str, players: list[MeldlogClient]) -> TableView:
    """Let whoever is on turn lay what can be laid, until the game is over; the table then."""
    while (table := client.table(game)).status == "playing":
        assert table.deal is not None
        assert table.deal.turn is not None
        player = players[table.deal.turn]
        player.send(game, min(player.moves(game).moves, key=liking))
    return table


def liking(move: object) -> int:
    """Melds first, discards last."""
    return 0 if isinstance(move, LayMeld) else 2 if isinstance(move, Discard) else 1


def ends_of_deals(log: Iterator[Commit]) -> Iterator[tuple[int, tuple[int, ...], bool]]:
    """Of every deal that somebody went out of: who, its points, and whether that seat put no wild on the table."""
    wild: tuple[str, ...] = ()
    unclean: set[int] = set()
    out: int | None = None
    for event in (event for commit in log for event in commit.events):
        match event:
            case WildNamed():
                wild, unclean = event.wild, set()
            case MeldLaid() | CardLaidOff():
                if any(card in ("JH", "JS") or card[0] in wild for card in event.cards):
                    unclean.add(event.seat)
            case DealEnded():
                out = event.seat
            case DealScored() if out is not None:
                yield out, event.points, out not in unclean
