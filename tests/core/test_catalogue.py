"""What is installed, what a game may ask for, and what fails loudly at creation instead of quietly in play."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from importlib import metadata
from types import ModuleType
from typing import Annotated, Any

import pytest
from msgspec import Struct
from tests.support.games import Game, any_move, installed
from tests.support.plugins import catalogue_with, plugin

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import CreateGame, Discard
from meldlog_contracts.hooks import Rules, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.problems import Objection, Refused
from meldlog_contracts.table import HouseValue, Table
from meldlog_service.catalogue import BrokenPlugin, Catalogue, PluginUnavailable


class Colours(Struct, frozen=True, forbid_unknown_fields=True):
    """House rules of a plugin that is nothing but these."""

    favourite: Annotated[str, option("x", "Favourite", "", "", "")] = "red"


def refused(call: Callable[[], object]) -> Refused:
    """The refusal that a call meets."""
    with pytest.raises(Refused) as no:
        call()
    assert no.value.code == "invalid"
    return no.value


# -- what is installed


def test_our_own_variants_come_through_the_door_that_anybody_s_do() -> None:
    """Entry points, in alphabetical order, each with what it says of itself."""
    infos = installed().infos()
    names = [info.name for info in infos]
    assert names == sorted(names)
    assert {entry.name for entry in metadata.entry_points(group="meldlog.plugins")} == set(names)
    crazy = next(info for info in infos if info.name == "crazy-rummy")
    assert (crazy.kind, crazy.players) == ("variant", (2, 6))
    assert "Lamsees" in crazy.also_known_as


def test_nobody_finds_what_is_not_installed() -> None:
    """Neither a name nor a version."""
    with pytest.raises(PluginUnavailable, match="no plugin named whist"):
        installed().newest("whist")
    with pytest.raises(PluginUnavailable, match="crazy-rummy with rules version 99"):
        installed().version("crazy-rummy", 99)


def test_every_plugin_has_the_digest_of_its_code() -> None:
    """The same in every process that has the same files."""
    digests = {info.name: installed().newest(info.name).ref.digest for info in installed().infos()}
    again = Catalogue.from_entry_points()
    assert all(len(digest) == 64 for digest in digests.values())
    assert len(set(digests.values())) == len(digests)
    assert digests == {name: again.newest(name).ref.digest for name in digests}


# -- broken plugins


def without_identity() -> ModuleType:
    """A plugin that does not say what it is."""
    return ModuleType("nobody")


def with_two_identities() -> ModuleType:
    """A plugin that answers with something else."""
    module = ModuleType("somebody")
    module.variant_info = hookimpl(lambda: "somebody")  # type: ignore[attr-defined]
    return module


def with_a_misspelt_hook() -> ModuleType:
    """A plugin that answers what nobody asks."""

    def metd_kind(reads_as: tuple[Card, ...]) -> None:
        """Never asked."""

    return plugin("x", hooks={"metd_kind": metd_kind})


def with_a_misspelt_argument() -> ModuleType:
    """A plugin that asks for what nobody offers."""

    def meld_kind(reads: tuple[Card, ...]) -> None:
        """Never asked."""

    return plugin("x", hooks={"meld_kind": meld_kind})


def with_an_argument_too_many() -> ModuleType:
    """A plugin that asks for more than this question offers."""

    def pack(rules: Rules, table: Table) -> None:
        """Never asked."""

    return plugin("x", hooks={"pack": pack})


BROKEN: dict[str, tuple[Callable[[], ModuleType], str]] = {
    "nameless": (without_identity, "does not say what it is"),
    "not an identity": (with_two_identities, "does not say what it is"),
    "a misspelt hook": (with_a_misspelt_hook, "metd_kind"),
    "a misspelt argument": (with_a_misspelt_argument, "reads"),
    "an argument too many": (with_an_argument_too_many, "table"),
}


@pytest.mark.parametrize(("make", "said"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_plugin_is_named_at_start(make: Callable[[], ModuleType], said: str) -> None:
    """Not when its first game is played."""
    with pytest.raises(BrokenPlugin, match=said):
        Catalogue([make()])


def test_two_plugins_do_not_share_a_name_and_a_version() -> None:
    """Or a game could not say which it was played by."""
    with pytest.raises(BrokenPlugin, match="two plugins claim to be x with rules version 1"):
        Catalogue([plugin("x"), plugin("x")])


def test_a_variant_is_not_based_on_itself() -> None:
    """Not even round a corner."""
    catalogue = catalogue_with(plugin("x", based_on="y"), plugin("y", based_on="x"))
    with pytest.raises(BrokenPlugin, match="based on itself"):
        catalogue.ruleset_for_new("x")


def test_an_entry_point_that_does_not_load_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what went wrong."""
    entry = metadata.EntryPoint("ghost", "no.such.module", "meldlog.plugins")

    def entry_points(group: str) -> list[metadata.EntryPoint]:
        return [entry]

    monkeypatch.setattr(metadata, "entry_points", entry_points)
    with pytest.raises(BrokenPlugin, match=r"ghost \(no.such.module\) does not load"):
        Catalogue.from_entry_points()


# -- what a game may ask for


def test_an_unknown_variant_is_refused() -> None:
    """The pointer says where; what could be asked for is told."""
    no = refused(lambda: installed().ruleset_for_new("whist"))
    [fault] = no.faults
    assert fault.pointer == "/variant"
    assert fault.detail.startswith("no variant named whist is installed: the variants are ace-to-ace, ")


def test_a_rule_plugin_is_no_variant() -> None:
    """Nor is an option."""
    no = refused(lambda: installed().ruleset_for_new("dealing"))
    assert no.faults[0].pointer == "/variant"
    assert no.detail.startswith("dealing is no variant but a kind of rule: the variants are ace-to-ace, ")


@pytest.mark.parametrize("options", [("whist",), ("crazy-rummy",), ("dealing",)])
def test_an_unknown_option_is_refused(options: tuple[str, ...]) -> None:
    """A variant or a rule plugin is no option either."""
    no = refused(lambda: installed().ruleset_for_new("crazy-rummy", options))
    assert no.faults[0].pointer == "/options/0"


def test_an_option_is_taken_once() -> None:
    """The second is pointed at."""
    catalogue = catalogue_with(plugin("chatty", kind="option"))
    no = refused(lambda: catalogue.ruleset_for_new("crazy-rummy", ("chatty", "chatty")))
    assert no.faults[0].pointer == "/options/1"


def test_every_unknown_house_rule_is_named_at_once() -> None:
    """Each with a pointer of its own, escaped as RFC 6901 wants."""
    no = refused(lambda: installed().ruleset_for_new("crazy-rummy", (), {"a/b": 1, "packs": 2, "c~d": 2}))
    assert [fault.pointer for fault in no.faults] == ["/house_rules/a~1b", "/house_rules/c~0d"]


WRONG: list[tuple[str, Any]] = [
    ("packs", 3),
    ("packs", 0),
    ("packs", "2"),
    ("packs", True),
    ("packs", None),
    ("packs", [1]),
    ("one_card_rule", 1),
    ("one_card_rule", "yes"),
    ("ace_in_runs", "high"),
    ("ace_in_runs", None),
    ("max_wilds_per_meld", 0),
    ("max_wilds_per_meld", 14),
    ("hand_size", "seven"),
    ("wild_penalty", -1),
]


@pytest.mark.parametrize(("key", "value"), WRONG, ids=str)
def test_a_value_of_the_wrong_kind_is_refused(key: str, value: HouseValue) -> None:
    """A number out of bounds, a word that is none of those known, a truth where a number is due."""
    no = refused(lambda: installed().ruleset_for_new("crazy-rummy", (), {key: value}))
    assert [fault.pointer for fault in no.faults] == [f"/house_rules/{key}"]
    assert key in no.detail


def test_defaults_are_amended_by_the_stack_and_then_by_the_game() -> None:
    """The later plugin wins, and whoever creates the game has the last word."""
    catalogue = catalogue_with(
        plugin("quick", based_on="crazy-rummy", amends={"hand_size": 5, "wild_penalty": 15}),
        plugin("cheap", kind="option", amends={"wild_penalty": 1}),
    )
    assert catalogue.ruleset_for_new("crazy-rummy").house.flat["hand_size"] == 7
    quick = catalogue.ruleset_for_new("quick").house.flat
    assert (quick["hand_size"], quick["wild_penalty"]) == (5, 15)
    both = catalogue.ruleset_for_new("quick", ("cheap",), {"hand_size": 6}).house.flat
    assert (both["hand_size"], both["wild_penalty"]) == (6, 1)


def test_a_house_rule_brings_along_the_option_that_declares_it() -> None:
    """Asking for the rule is asking for its plugin; the option is recorded like any other."""
    catalogue = catalogue_with(plugin("colours", kind="option", declares=Colours))
    rules = catalogue.ruleset_for_new("crazy-rummy", (), {"favourite": "blue"})
    assert rules.options == ("colours",)
    assert rules.house.of(Colours).favourite == "blue"
    assert not catalogue.ruleset_for_new("crazy-rummy").house.has(Colours)


def test_a_game_records_the_options_that_it_got() -> None:
    """In their order, asked for or implied, so that an audit builds the same stack."""
    catalogue = catalogue_with(
        plugin("colours", kind="option", declares=Colours), plugin("chatty", kind="option")
    )
    game = Game(options=("chatty",), house_rules={"favourite": "blue", "deal_count": 1}, catalogue=catalogue)
    assert game.table.options == ("chatty", "colours")
    assert [ref.name for ref in game.table.plugins][-2:] == ["chatty", "colours"]


# -- order


def test_the_stack_is_basic_lineage_rules_and_options_in_their_order() -> None:
    """A variant's rule plugins stand just before it, so that it has the last word."""
    catalogue = catalogue_with(
        plugin("base", rules=("dealing", "own-meld-first")),
        plugin("leaf", based_on="base", rules=("one-card", "dealing")),
        plugin("o1", kind="option", rules=("reclaim",)),
        plugin("o2", kind="option"),
    )
    names = [ref.name for ref in catalogue.ruleset_for_new("leaf", ("o2", "o1")).refs]
    assert names == [
        "sets-and-runs",
        "basic",
        "dealing",
        "own-meld-first",
        "base",
        "one-card",
        "leaf",
        "o2",
        "reclaim",
        "o1",
    ]


def test_the_last_registered_speaks_first() -> None:
    """An option answers before the variant, a variant before the rules that it brings along."""
    asked: list[str] = []

    def answering(name: str, answer: int | None) -> Callable[..., int | None]:
        def card_points(card: Card) -> int | None:
            asked.append(name)
            return answer

        return card_points

    catalogue = catalogue_with(
        plugin("silent", kind="option", hooks={"card_points": answering("silent", None)}),
        plugin("dear", kind="option", hooks={"card_points": answering("dear", 99)}),
    )
    both = catalogue.ruleset_for_new("crazy-rummy", ("dear", "silent"))
    table = Game().started().table
    assert both.points(Card("7H"), table) == 99
    assert asked == ["silent", "dear"]
    assert catalogue.ruleset_for_new("crazy-rummy", ("silent",)).points(Card("7H"), table) == 7


def test_an_amount_is_changed_by_wrapping_the_answer() -> None:
    """The wrapper gets what the others say and hands on what it makes of it."""

    @hookimpl(wrapper=True)
    def card_points(card: Card) -> Any:
        points = yield
        return 2 * points

    module = plugin("double", kind="option")
    module.card_points = card_points  # type: ignore[attr-defined]
    catalogue = catalogue_with(module)
    table = Game().started().table
    assert catalogue.ruleset_for_new("crazy-rummy", ("double",)).points(Card("7H"), table) == 14


def test_any_objection_refuses_and_an_option_s_is_heard_first() -> None:
    """What the core would allow, a rule forbids, naming its clause."""

    def objections(command: Discard, rules: Rules) -> Objection | None:
        return Objection("kings.stay", "kings are not thrown") if command.card[0] == "K" else None

    catalogue = catalogue_with(plugin("royal", kind="option", hooks={"objections": objections}))
    game = Game(options=("royal",), seats=2, catalogue=catalogue).started()
    for _ in range(60):
        kings = [card for card in game.table.hand(game.on_turn) if card[0] == "K"]
        if kings and game.table.deal.turn.phase == "play":
            assert game.refusal(Discard(kings[0])).rule == "kings.stay"
            break
        game.step(any_move(random.Random(game.version)))
    else:
        raise AssertionError("no king turned up")


def test_a_rule_is_asked_about_the_commands_that_it_annotates() -> None:
    """An objection to discards costs a draw nothing."""
    heard: list[str] = []

    def objections(command: Discard) -> Objection | None:
        heard.append(type(command).__name__)
        return None

    catalogue = catalogue_with(plugin("deaf", kind="option", hooks={"objections": objections}))
    game = Game(options=("deaf",), house_rules={"deal_count": 1}, catalogue=catalogue).started()
    game.play_out(any_move(random.Random(1)))
    assert set(heard) == {"Discard"}


# -- two versions of one rule


def scoring(points: int, version: int) -> ModuleType:
    """A plugin by which every card costs the same."""

    def card_points(card: Card) -> int:
        return points

    return plugin("flat", version=version, based_on="crazy-rummy", hooks={"card_points": card_points})


def test_two_versions_of_a_variant_are_played_side_by_side() -> None:
    """A new game gets the newest, a game under way keeps its own to the end."""
    old = catalogue_with(scoring(1, 1))
    both = catalogue_with(scoring(1, 1), scoring(2, 2))
    game = Game("flat", house_rules={"deal_count": 1}, catalogue=old).started()
    assert game.table.plugins[-1].rules_version == 1
    game.rules = both.ruleset_of(game.table)
    game.play_out(any_move(random.Random(2)))
    cards_left = [len(hand) for hand in game.table.deal.hands]
    assert list(game.table.totals) == cards_left

    new = Game("flat", house_rules={"deal_count": 1}, catalogue=both).started()
    assert new.table.plugins[-1].rules_version == 2
    new.play_out(any_move(random.Random(2)))
    assert list(new.table.totals) == [2 * left for left in cards_left]


def test_a_game_whose_version_is_gone_cannot_be_judged() -> None:
    """It can still be read; nothing else is put in its place."""
    game = Game("flat", catalogue=catalogue_with(scoring(1, 1))).started()
    for catalogue in (catalogue_with(scoring(2, 2)), catalogue_with()):
        with pytest.raises(PluginUnavailable, match="flat with rules version 1"):
            catalogue.ruleset_of(game.table)


def test_a_recorded_creation_is_judged_by_its_own_versions() -> None:
    """With its house rules merged anew, so that a forged house rule shows."""
    both = catalogue_with(scoring(1, 1), scoring(2, 2))
    game = Game("flat", house_rules={"packs": 2}, catalogue=catalogue_with(scoring(1, 1)))
    command = game.commits[0].command
    assert isinstance(command, CreateGame)
    rules = both.ruleset_recorded(command, game.table.plugins)
    assert rules.refs == game.table.plugins
    assert rules.house.flat == game.table.house_rules


@pytest.mark.parametrize("house_rules", [{"nonsense": 1}, {"packs": "two"}])
def test_a_recorded_creation_that_never_made_sense_is_refused(house_rules: Mapping[str, HouseValue]) -> None:
    """An imported log may claim anything."""
    game = Game()
    command = CreateGame("g1", "crazy-rummy", 3, "h" * 64, house_rules=dict(house_rules))
    assert refused(lambda: installed().ruleset_recorded(command, game.table.plugins)).detail


def test_rulesets_are_built_once_for_the_same_game() -> None:
    """And another for another."""
    one = installed().ruleset_for_new("crazy-rummy", (), {"packs": 2})
    assert installed().ruleset_for_new("crazy-rummy", (), {"packs": 2}) is one
    assert installed().ruleset_for_new("crazy-rummy", (), {"packs": 1}) is not one
    assert installed().ruleset_of(Game(house_rules={"packs": 2}).table) is one
