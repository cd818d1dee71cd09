"""The audit agrees with what the service wrote, and names what was changed afterwards."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Annotated, Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.app.scripted import ScriptedStore
from tests.app.staging import started, step
from tests.support import newer_rules
from tests.support.games import Game, installed, played
from tests.support.plugins import catalogue_with, plugin

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import Discard
from meldlog_contracts.events import (
    CardDiscarded,
    CardDrawn,
    Commit,
    DealScored,
    DealStarted,
    Event,
    GameCreated,
    GameStarted,
    SeedsRevealed,
    StockRenewed,
)
from meldlog_contracts.hooks import Rules, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.table import PluginRef, Table
from meldlog_service.app.audit import audit, audit_log
from meldlog_service.app.audit_report import AuditReport, Check
from meldlog_service.app.errors import NoSuchGame
from meldlog_service.app.handler import Handler
from meldlog_service.catalogue import Catalogue
from meldlog_service.core import chain
from meldlog_service.core.views import OPERATOR, SPECTATOR, Viewer, redact
from meldlog_service.metrics import Metrics
from meldlog_variants.rules import card_values

Change = Callable[[Any], Event]


@pytest.fixture(scope="module")
def game() -> Game:
    """A whole game of two deals among three."""
    return played(5, house_rules={"deal_count": 2})


def check(report: AuditReport, name: str) -> Check:
    """One check of a report."""
    return next(one for one in report.checks if one.name == name)


def differing(report: AuditReport) -> dict[str, int | None]:
    """Checks that differ, and where."""
    return {one.name: one.version for one in report.checks if one.verdict == "differs"}


def place_of(commits: Sequence[Commit], kind: type[Event], skip: int = 0) -> tuple[int, int]:
    """Where an event of a kind is: index of the commit, index of the event."""
    found = [
        (number, place)
        for number, commit in enumerate(commits)
        for place, event in enumerate(commit.events)
        if isinstance(event, kind)
    ]
    return found[skip]


def relinked(commits: Sequence[Commit]) -> list[Commit]:
    """The chain made anew, as a careful forger would."""
    done: list[Commit] = []
    for commit in commits:
        linked = replace(commit, prev=done[-1].hash if done else commit.prev)
        done.append(replace(linked, hash=chain.hash_of(linked)))
    return done


def forged(commits: Sequence[Commit], kind: type[Event], change: Change, skip: int = 0) -> list[Commit]:
    """The log with one event changed and the chain made anew."""
    number, place = place_of(commits, kind, skip)
    commit = commits[number]
    events = (*commit.events[:place], change(commit.events[place]), *commit.events[place + 1 :])
    return relinked([*commits[:number], replace(commit, events=events), *commits[number + 1 :]])


def test_an_untouched_game_agrees(game: Game) -> None:
    """Every check does, at its last version."""
    report = audit_log(game.commits, game.catalogue)

    assert (report.verdict, report.version) == ("agrees", game.version)
    assert {one.verdict for one in report.checks} == {"agrees"}
    assert [one.name for one in report.checks] == [
        "log",
        "contiguity",
        "chain",
        "seals",
        "fold",
        "commitments",
        "shuffles",
        "conservation",
        "plugins",
        "decisions",
    ]


@pytest.mark.parametrize("reveal", ["deal", "never"])
def test_a_game_agrees_whatever_it_reveals(reveal: Any) -> None:
    """Also one whose seeds are revealed deal by deal, with every seat's entropy in them."""
    game = Game(reveal=reveal, house_rules={"deal_count": 2, "stock_exhaustion": "reshuffle_keep_top"})
    game.started(["a", None, "c"]).play_out(lambda listed, _: listed.moves[-1])

    assert audit_log(game.commits, game.catalogue).verdict == "agrees"


async def test_a_game_of_the_service_agrees(handler: Handler) -> None:
    """Through the store, page by page; and it is counted."""
    table = await started(handler)
    for _ in range(120):
        table = await step(handler, table)
    metrics = Metrics({})

    report = await audit(handler, "g1", metrics)

    assert (report.verdict, report.version) == ("agrees", table.version)
    assert 'meldlog_audits_total{verdict="agrees"} 1.0' in metrics.exposition().decode()


async def test_there_is_nothing_to_audit_without_a_log(handler: Handler) -> None:
    """A game that there is not does not agree."""
    with pytest.raises(NoSuchGame):
        await audit(handler, "nowhere")


async def test_a_log_changed_in_the_store_differs(handler: Handler, store: ScriptedStore) -> None:
    """What the service would refuse to go on from, the audit explains."""
    table = await started(handler)
    changed = msgspec.json.decode(store.log()[2])
    changed["command"]["name"] = "eve"
    store.log()[2] = msgspec.json.encode(changed, order="sorted")

    report = await audit(handler, "g1")

    assert (report.verdict, report.version) == ("differs", 3)
    assert differing(report) == {"chain": 3, "decisions": 3}
    assert table.version == 5


def test_a_card_drawn_from_elsewhere_differs(game: Game) -> None:
    """A forger who redoes seal and chain still has to answer for the stock."""

    def other(event: CardDrawn) -> CardDrawn:
        value = "JK"
        salt = event.card.salt
        assert isinstance(salt, str)
        seal = chain.seal_of(salt, value)
        return CardDrawn(event.seat, replace(event.card, value=value, seal=seal))

    number, _ = place_of(game.commits, CardDrawn)
    report = audit_log(forged(game.commits, CardDrawn, other), game.catalogue)

    assert (report.verdict, report.version) == ("differs", number + 1)
    assert differing(report) == {"fold": number + 1, "decisions": number + 1}


def test_an_opened_value_that_was_not_sealed_differs(game: Game) -> None:
    """The seal is public, so only the value can have been changed."""
    number, _ = place_of(game.commits, CardDrawn)
    report = audit_log(
        forged(game.commits, CardDrawn, lambda event: replace(event, card=replace(event.card, value="JK"))),
        game.catalogue,
    )

    assert differing(report)["seals"] == number + 1
    assert "card is not what was sealed" in check(report, "seals").detail


def test_points_that_were_changed_differ_and_are_told(game: Game) -> None:
    """The report shows what is recorded and what follows."""
    number, _ = place_of(game.commits, DealScored)
    report = audit_log(
        forged(game.commits, DealScored, lambda event: replace(event, points=(0, 0, 0))), game.catalogue
    )

    assert (report.verdict, report.version) == ("differs", number + 1)
    assert differing(report) == {"decisions": number + 1}
    assert '"points":[0,0,0]' in check(report, "decisions").detail


def test_a_command_that_the_rules_refuse_differs_and_the_clause_is_named(game: Game) -> None:
    """A player plays out of turn, in a log that is otherwise consistent."""
    number, _ = place_of(game.commits, CardDiscarded)
    commit = game.commits[number]
    wrong = f"seat:{(int(commit.by[-1]) + 1) % 3}"
    log = relinked([*game.commits[:number], replace(commit, by=wrong), *game.commits[number + 1 :]])

    report = audit_log(log, game.catalogue)

    assert differing(report) == {"decisions": number + 1}
    assert check(report, "decisions").detail == (
        f"the command is refused now: it is the turn of seat {commit.by[-1]} (turn.order)"
    )


def test_a_card_that_appears_differs(game: Game) -> None:
    """Hands that were not held when they were counted."""

    def richer(event: DealScored) -> DealScored:
        return replace(event, hands=((*event.hands[0], "AS"), *event.hands[1:]))

    number, _ = place_of(game.commits, DealScored)
    report = audit_log(forged(game.commits, DealScored, richer), game.catalogue)

    assert differing(report)["conservation"] == number + 1


def test_a_second_deal_from_another_pack_differs(game: Game) -> None:
    """The pack of the game is the one of its first deal."""
    number, _ = place_of(game.commits, DealStarted, skip=1)
    report = audit_log(
        forged(game.commits, DealStarted, lambda event: replace(event, upcard="JK"), skip=1), game.catalogue
    )

    assert differing(report)["conservation"] == number + 1


def test_a_seed_that_was_not_committed_to_differs(game: Game) -> None:
    """Whether it is the game's, a deal's, or one revealed at the end."""
    commitment = "0" * 64
    for kind, change in (
        (GameCreated, lambda event: replace(event, commitment=commitment)),
        (DealStarted, lambda event: replace(event, commitment=commitment)),
        (SeedsRevealed, lambda event: replace(event, game_seed="ab" * 32)),
        (SeedsRevealed, lambda event: replace(event, game_seed="no hex")),
    ):
        number, _ = place_of(game.commits, kind)
        report = audit_log(forged(game.commits, kind, change), game.catalogue)
        assert differing(report)["commitments"] == number + 1


def test_a_stock_shuffled_with_another_seed_differs() -> None:
    """Every renewal commits to a seed of its own; here nobody can lay anything, and the stock goes round."""
    game = played(
        1,
        house_rules={
            "deal_count": 1,
            "stock_exhaustion": "reshuffle_keep_top",
            "min_naturals_per_meld": 7,
        },
    )
    number, _ = place_of(game.commits, StockRenewed)

    report = audit_log(
        forged(game.commits, StockRenewed, lambda event: replace(event, commitment="0" * 64)), game.catalogue
    )

    assert differing(report)["commitments"] == number + 1


def test_a_deal_seed_that_was_not_committed_to_differs() -> None:
    """Where seeds are revealed deal by deal."""
    game = Game(reveal="deal", house_rules={"deal_count": 1}).started()
    game.play_out(lambda listed, _: listed.moves[-1])
    number, _ = place_of(game.commits, SeedsRevealed)

    report = audit_log(
        forged(game.commits, SeedsRevealed, lambda event: replace(event, deal_seed="ab" * 32)), game.catalogue
    )

    assert differing(report)["commitments"] == number + 1


def test_a_gap_differs_and_nothing_after_it_is_judged(game: Game) -> None:
    """A missing commit breaks the chain as well."""
    report = audit_log([*game.commits[:9], *game.commits[10:]], game.catalogue)

    assert (report.verdict, report.version) == ("differs", 11)
    assert differing(report) == {"contiguity": 11, "chain": 11}
    assert check(report, "decisions").verdict == "cannot_judge"


def test_a_log_of_a_newer_schema_cannot_be_judged(game: Game) -> None:
    """It may mean what this release does not know."""
    commits = [*game.commits[:8], replace(game.commits[8], schema=2)]

    report = audit_log(relinked(commits), game.catalogue)

    assert (report.verdict, report.version) == ("cannot_judge", 9)
    assert check(report, "log").detail == "version 9 is written in schema 2; this release knows 0, 1"


def test_without_its_rules_a_game_cannot_be_judged(game: Game) -> None:
    """Everything that needs no rules is checked all the same, and what is missing is named."""
    report = audit_log(game.commits, Catalogue([]))

    assert (report.verdict, report.version) == ("cannot_judge", 1)
    undecided = {one.name for one in report.checks if one.verdict == "cannot_judge"}
    assert undecided == {"plugins", "decisions"}
    assert "is not installed" in check(report, "plugins").detail


def test_a_game_played_by_other_code_of_the_same_rules_version_agrees(game: Game) -> None:
    """Other code may decide the same; that it is other code is said."""

    def older(event: GameCreated) -> GameCreated:
        first, *others = event.plugins
        return replace(event, plugins=(PluginRef(first.name, first.rules_version, "0" * 64), *others))

    report = audit_log(forged(game.commits, GameCreated, older), game.catalogue)

    assert report.verdict == "agrees"
    assert (
        check(report, "plugins").detail == "the code of sets-and-runs has changed, its rules version has not"
    )


@pytest.mark.parametrize("viewer", [0, "spectator"])
def test_what_a_viewer_was_sent_cannot_be_judged_as_a_whole(game: Game, viewer: Any) -> None:
    """The chain holds, the decisions would need the secrets."""
    report = audit_log([redact(commit, viewer) for commit in game.commits], game.catalogue)

    assert (report.verdict, report.version) == ("cannot_judge", 1)
    verdicts = {one.name: one.verdict for one in report.checks}
    assert (verdicts["chain"], verdicts["seals"], verdicts["fold"]) == ("agrees", "agrees", "agrees")
    assert (verdicts["conservation"], verdicts["decisions"]) == ("cannot_judge", "cannot_judge")


def test_nonsense_is_a_difference_and_no_crash(game: Game) -> None:
    """Events of another game, a first commit that creates nothing, no events at all."""
    first = game.commits[0]
    for commits in (
        [replace(first, events=())],
        [replace(game.commits[5], version=1)],
        [first, replace(game.commits[4], version=2)],
        [first, replace(first, version=2)],
        [replace(first, at="yesterday")],
    ):
        assert audit_log(relinked(commits), game.catalogue).verdict == "differs"


def test_an_audit_keeps_nothing_but_the_table(game: Game) -> None:
    """It takes any iterator, once."""
    report = audit_log(iter(game.commits), installed())

    assert report.verdict == "agrees"


def moved(event: DealStarted) -> DealStarted:
    """Two cards of the stock change places, sealed as they should be."""
    assert isinstance(event.stock.value, tuple)
    first, second, *others = event.stock.value
    value = (second, first, *others)
    assert isinstance(event.stock.salt, str)
    return replace(
        event, stock=replace(event.stock, value=value, seal=chain.seal_of(event.stock.salt, value))
    )


def test_a_stock_that_lies_otherwise_differs_without_any_rules(game: Game) -> None:
    """The same cards in another order: nothing but the seed tells."""
    number, _ = place_of(game.commits, DealStarted)
    for catalogue in (game.catalogue, Catalogue([])):
        report = audit_log(forged(game.commits, DealStarted, moved), catalogue)
        found = differing(report)
        assert found["shuffles"] == number + 1
        assert {"chain", "seals", "conservation"}.isdisjoint(found)


def test_a_draw_for_the_dealer_from_another_pack_differs(game: Game) -> None:
    """Whoever turned up the ace did not."""

    def other(event: GameStarted) -> GameStarted:
        first, *others = event.draws[0]
        return replace(event, draws=((replace(first, card=Card("AS")), *others), *event.draws[1:]))

    number, _ = place_of(game.commits, GameStarted)
    report = audit_log(forged(game.commits, GameStarted, other), Catalogue([]))

    assert differing(report) == {"shuffles": number + 1}


def test_a_difference_is_told_whole(game: Game) -> None:
    """What was asked, what was recorded, what is decided, and where the tables differ."""
    number, _ = place_of(game.commits, DealScored)
    log = forged(game.commits, DealScored, lambda event: replace(event, totals=(0, 0, 0)))

    difference = audit_log(log, game.catalogue).difference

    assert difference is not None
    assert (difference.version, difference.command) == (number + 1, game.commits[number].command)
    assert difference.recorded != difference.decided
    assert [event for event in difference.decided if isinstance(event, DealScored)]
    totals = game.tables[number + 1].totals
    told = {one.pointer: (one.recorded, one.decided) for one in difference.table}
    expected = {
        f"/totals/{seat}": (msgspec.Raw(b"0"), msgspec.Raw(b"%d" % total))
        for seat, total in enumerate(totals)
        if total
    }
    assert expected.items() <= told.items()


def test_a_difference_keeps_the_secrets_of_others(game: Game) -> None:
    """To a spectator; whoever runs the service is told them."""
    number, _ = place_of(game.commits, DealStarted)
    log = forged(game.commits, DealStarted, moved)
    told: tuple[tuple[Viewer, bool], ...] = ((SPECTATOR, False), (OPERATOR, True))
    for viewer, is_open in told:
        difference = audit_log(log, game.catalogue, viewer=viewer).difference
        assert difference is not None
        assert difference.version == number + 1
        for event in (*difference.recorded, *difference.decided):
            assert all(sealed.is_open is is_open for _, sealed in chain.sealed_fields(event))


def test_an_old_game_is_judged_by_newer_rules(game: Game) -> None:
    """The first command that would have come out otherwise is told, with the clause."""
    catalogue = catalogue_with(newer_rules.card_values, newer_rules.taken_discard)
    assert audit_log(game.lines, catalogue).verdict == "agrees"

    report = audit_log(game.lines, catalogue, instead={"taken-discard": 2})

    first = next(
        number
        for number, commit in enumerate(game.commits, 1)
        if isinstance(commit.command, Discard) and commit.command.card[0] == "Q"
    )
    assert (report.verdict, report.version) == ("differs", first)
    assert report.difference is not None
    assert (report.difference.code, report.difference.rule) == ("illegal_move", "discard.queens")
    assert differing(report) == {"decisions": first}


def test_newer_rules_that_score_otherwise_are_told_by_the_table(game: Game) -> None:
    """At the first deal that ends with a king in a hand."""
    catalogue = catalogue_with(newer_rules.card_values)

    report = audit_log(game.lines, catalogue, instead={"card-values": 2})

    assert report.verdict == "differs"
    assert report.difference is not None
    assert any(one.pointer.startswith("/totals/") for one in report.difference.table)


def test_a_game_that_newer_rules_do_not_touch_goes_as_it_went(game: Game) -> None:
    """Rules of another game, and newer ones that decide alike."""
    same = plugin("card-values", version=3)
    for hook in ("house_rules", "card_points", "clauses"):
        setattr(same, hook, getattr(card_values, hook))
    same.variant_info = hookimpl(lambda: replace(card_values.variant_info(), rules_version=3))  # type: ignore[attr-defined]
    catalogue = catalogue_with(same)
    for instead in ({"card-values": 3}, {"no-such-plugin": 2}):
        report = audit_log(game.lines, catalogue, instead=instead)
        assert (report.verdict, report.version) == ("agrees", game.version), report


def test_newer_rules_may_know_more_house_rules(game: Game) -> None:
    """Which a game that was created without them has at their defaults."""

    class Values(card_values.CardValues, frozen=True, forbid_unknown_fields=True):
        more: Annotated[bool, option("score.more", "More", "Plus", "بیشتر", "أكثر")] = False

    def card_points(card: Card, table: Table, rules: Rules) -> int:
        names = card_values.CardValues.__struct_fields__
        values = msgspec.convert({name: rules.house.flat[name] for name in names}, card_values.CardValues)
        house = SimpleNamespace(of=lambda _: values)
        before = SimpleNamespace(house=house, wild_cards=rules.wild_cards)
        points: int = card_values.card_points(card, table, before)
        return points if not rules.house.of(Values).more else 2 * points

    richer = plugin("card-values", version=4, declares=Values)
    richer.card_points = hookimpl(card_points)  # type: ignore[attr-defined]
    richer.variant_info = hookimpl(lambda: replace(card_values.variant_info(), rules_version=4))  # type: ignore[attr-defined]

    report = audit_log(game.lines, catalogue_with(richer), instead={"card-values": 4})

    assert report.verdict == "agrees", report
