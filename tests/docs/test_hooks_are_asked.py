"""HOOKS.md says who asks each hook: an option that answers none of them and remembers who asked, in whole games."""

import random
import sys
from collections import defaultdict
from collections.abc import Callable
from types import ModuleType

from msgspec import Struct
from tests.docs.markdown import ROOT
from tests.support.games import Chooser, Game, any_move, busy
from tests.support.plugins import catalogue_with

from meldlog_contracts.commands import LayMeld
from meldlog_contracts.hooks import Spec, VariantInfo, hookimpl
from meldlog_contracts.table import HouseValue
from meldlog_service.http.sheets import sheet

PAGE = ROOT / "contracts" / "HOOKS.md"
HOOKS = {
    name: vars(hook)["meldlog_spec"] for name, hook in vars(Spec).items() if hasattr(hook, "meldlog_spec")
}
PASSES_ON = (
    "pluggy",
    "meldlog_contracts",
    "meldlog_service.core.ruleset",
    "meldlog_service.core.asking",
    __name__,
)
"""Whoever only hands a question on."""
OTHER_RULES = "other rules"
GAMES: tuple[tuple[str, tuple[str, ...], dict[str, HouseValue], Callable[[random.Random], Chooser]], ...] = (
    ("crazy-rummy", ("dealer-chooses-wild", "press"), {"deal_count": 2}, busy),
    ("crazy-rummy", (), {"deal_count": 1, "hand_size": 20, "stock_exhaustion": "turn_over"}, any_move),
    ("rami-51", (), {"limit_alone": 50}, busy),
)
"""Together they come to everything that a game can come to."""


class Nothing(Struct, frozen=True):
    """No house rules."""


class Listener:
    """A plugin module that has nothing to say, and who asked it."""

    ANSWERS = {  # noqa: RUF012 (nothing changes it)
        "variant_info": VariantInfo("listener", "Listener", 1, kind="option"),
        "house_rules": Nothing,
        "amendments": {},
        "clauses": (),
        "senseless": (),
    }

    def __init__(self) -> None:
        self.askers: defaultdict[str, set[str]] = defaultdict(set)
        self.module = ModuleType("listener")
        for hook in HOOKS:
            setattr(self.module, hook, self._implementation(hook))

    def _implementation(self, hook: str) -> Callable[[], object]:
        def listen() -> object:
            self.askers[hook].add(asker())
            return self.ANSWERS.get(hook)

        return hookimpl(listen)


def asker() -> str:
    """The module that wants to know: the nearest that does not only hand the question on."""
    frame = sys._getframe(2)
    while str(frame.f_globals["__name__"]).startswith(PASSES_ON):
        assert frame.f_back is not None
        frame = frame.f_back
    name: str = frame.f_globals["__name__"]
    return OTHER_RULES if name.startswith("meldlog_variants.") else name.removeprefix("meldlog_service.")


def documented() -> dict[str, tuple[str, set[str]]]:
    """The page's table: of each hook its kind, and who asks."""
    _, _, after = PAGE.read_text(encoding="utf-8").partition("## All hooks\n")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in after.partition("\n## ")[0].splitlines()
        if line.startswith("| `")
    ]
    return {hook.strip("`"): (kind, set(who.replace("`", "").split(", "))) for hook, kind, who in rows}


def no_meld_of(game: Game) -> LayMeld:
    """Two cards of the hand on turn, as if they were a meld; bots ask for nothing that is refused."""
    while game.table.deal.turn.phase != "play":
        game.step(any_move(random.Random(0)))
    return LayMeld(game.table.deal.hands[game.on_turn][:2])


def askers() -> dict[str, set[str]]:
    """Who asked which hook, while games were played to their end and a sheet was shown."""
    listener = Listener()
    catalogue = catalogue_with(listener.module)
    for number, (variant, options, rules, how) in enumerate(GAMES):
        game = Game(variant, seats=2, options=(*options, "listener"), house_rules=rules, catalogue=catalogue)
        game.started()
        game.refusal(no_meld_of(game))
        game.play_out(how(random.Random(number)))
    sheet(catalogue, "listener", "en")
    return listener.askers


def test_the_table_has_every_hook_with_its_kind() -> None:
    """In the order of the page."""
    kinds = {
        hook: "first answer" if options["firstresult"] else "collecting" for hook, options in HOOKS.items()
    }
    assert {hook: kind for hook, (kind, _) in documented().items()} == kinds
    text = PAGE.read_text(encoding="utf-8")
    places = [text.index(f"\n### `{hook}(") for hook in documented()]
    assert places == sorted(places)


def test_a_hook_is_asked_by_whom_the_table_says() -> None:
    """And by nobody else."""
    asked = askers()
    for hook, (_, named) in documented().items():
        assert asked[hook], f"nobody asked {hook}"
        assert asked[hook] <= named, hook
