"""The fixtures themselves: tables that cannot be are refused, and the checks notice what they are there for."""

from types import ModuleType
from typing import Any

import pytest
from tests.rules.support import Crazy

from meldlog_contracts.commands import Discard, Draw
from meldlog_contracts.hooks import VariantInfo, hookimpl
from meldlog_contracts.problems import Objection, Refused
from meldlog_contracts.table import Table
from meldlog_contracts.verifier import verify
from meldlog_service.core import chain
from meldlog_service.core.evolve import fold
from meldlog_service.core.views import SPECTATOR, redact
from meldlog_service.testing import discard, draw, lay, lay_off
from meldlog_service.testing.clauses import Spoken, report, spoken


def option(name: str) -> VariantInfo:
    """An option that only a test knows."""
    return VariantInfo(name=name, title=name, rules_version=1, kind="option")


# -- given -------------------------------------------------------------------------------------------------------------


def test_a_table_in_the_middle_of_a_deal_is_what_was_written_down(crazy: Crazy) -> None:
    """Hands, melds, discards, the stock's front, totals, the deal and whose turn it is."""
    game = crazy().given_deal(
        9,
        to_move="bea",
        ann="7H KD",
        bea="3C 3D 3H",
        table=["cyd: QS QH 9S=Q", "bea: 9D=5C 6C 7C"],
        discards="4C 4D 4H",
        stock="8H 8D",
        totals=(40, 30, 20),
    )
    deal = game.table.deal
    assert (deal.number, deal.wild, game.on_turn, deal.turn.phase, deal.turn.held) == (
        9,
        ("9",),
        "bea",
        "draw",
        3,
    )
    assert (game.hand("ann"), game.hand("bea")) == ("7H KD", "3C 3D 3H")
    assert game.melds == ["QH QS 9S=Q", "9D=5C 6C 7C"]
    assert [meld.owner for meld in deal.melds] == [2, 1]
    assert (game.discards, game.stock[:2], game.table.totals) == ("4C 4D 4H", ("8H", "8D"), (40, 30, 20))
    assert (game.table.has_laid(0), game.table.has_laid(1)) == (False, True)


def test_a_table_written_down_is_a_true_log(crazy: Crazy) -> None:
    """It folds, it is chained and sealed, and a spectator's export of it is verified without Meldlog."""
    game = crazy().given_deal(9, ann="7H KD", table=["bea: QS QH 9S=Q", "ann: 2S 3S 4S"], discards="4C 4D")
    game.after(draw(), discard("KD"), draw("discard"), discard("KD"))
    assert fold(game.log) == game.table
    for commit in game.log:
        chain.check_seals(commit)
        assert chain.hash_of(commit) == commit.hash
    export = [chain.canonical(redact(commit, SPECTATOR)) for commit in game.log]
    found = verify(export, game.log[-1].hash)
    assert found.ok, found


def test_a_stock_that_is_closed_with_a_bar_holds_nothing_more(crazy: Crazy) -> None:
    """What is left lies at the bottom of the discard pile."""
    game = crazy().given_deal(2, ann="7H KD", stock="8H 8D |", discards="4C")
    assert game.stock == ("8H", "8D")
    assert game.discards.endswith(" 4C")


@pytest.mark.parametrize(
    "given",
    [
        {"ann": "7H 7H"},
        {"ann": "7H", "stock": "7H"},
        {"ann": "7H", "table": ["ann: 7H 8H 9H"]},
        {"ann": "7H", "table": ["ann: 5C 6C 8C"]},
        {"ann": "7H", "table": ["ann: QS QH KD=Q"]},
        {"ann": "7H", "table": ["dan: 5C 6C 7C"]},
        {"ann": "7X"},
        {"dan": "7H"},
        {"ann": "7H", "stock": "8H | 8D"},
        {"first_turn": True, "ann": "7H", "table": ["ann: 5C 6C 7C"]},
        {"first_turn": True, "ann": "7H", "discards": "4C"},
    ],
)
def test_a_table_that_cannot_be_is_not_set_up(crazy: Crazy, given: dict[str, Any]) -> None:
    """A card twice, a meld that is none, a player who is not there, melds before the first turn."""
    with pytest.raises(ValueError):  # noqa: PT011 -- each says what is wrong in words of its own
        crazy().given_deal(9, **given)


# -- when and then -----------------------------------------------------------------------------------------------------


def test_a_command_that_is_refused_does_not_happen_and_one_that_is_accepted_is_not_refused(
    crazy: Crazy,
) -> None:
    """`when` raises what was refused; `refuses` fails when nothing was."""
    game = crazy().given_deal(2, ann="7H KD")
    with pytest.raises(Refused):
        game.when(discard("KD"))
    with pytest.raises(AssertionError, match="accepted"):
        game.refuses(draw())
    assert game.log[-1].version == game.table.version


def test_a_refusal_by_a_clause_that_is_not_on_the_sheet_fails_the_test(crazy: Crazy) -> None:
    """The player could not look it up."""

    class Whim:
        @hookimpl
        def variant_info(self) -> VariantInfo:
            return option("whim")

        @hookimpl
        def objections(self, command: Discard) -> Objection | None:  # noqa: ARG002 -- says what it is asked about
            return Objection("whim.never", "not today")

    game = crazy("whim", plugins=[Whim()]).given_deal(2, ann="7H KD")
    with pytest.raises(AssertionError, match=r"can do nothing|not on the rule sheet"):
        game.after(draw()).refuses(discard("KD"))


def test_a_rule_that_keeps_count_of_its_questions_fails_the_test(crazy: Crazy) -> None:
    """The same command would be decided in two ways."""

    class Counts:
        asked = 0

        @hookimpl
        def variant_info(self) -> VariantInfo:
            return option("counts")

        @hookimpl
        def card_points(self) -> int:
            self.asked += 1
            return self.asked

    game = crazy("counts", plugins=[Counts()]).given_deal(2, ann="7H KD", stock="8H |").after(draw())
    with pytest.raises(AssertionError, match="two ways"):
        game.when(discard("KD"))


def test_a_rule_that_looks_into_another_hand_fails_the_test(crazy: Crazy) -> None:
    """A refusal that follows from bea's hand would tell ann of it."""

    class Peeks:
        @hookimpl
        def variant_info(self) -> VariantInfo:
            return option("peeks")

        @hookimpl
        def objections(self, command: Draw, table: Table, seat: int) -> Objection | None:
            if command.source == "discard" and "2C" in table.deal.hands[(seat + 1) % 3]:
                return Objection("turn.order", "bea would like that card")
            return None

    game = crazy("peeks", plugins=[Peeks()])
    with pytest.raises(AssertionError, match="a listed move is refused"):
        game.given_deal(2, ann="7H KD", bea="2C 3C", discards="4C").refuses(draw("discard"))


def test_a_move_that_is_allowed_and_not_listed_fails_the_test(crazy: Crazy) -> None:
    """A rule that answers the list otherwise than the command: the wilds of every second question."""

    class Wavers:
        asked = 0

        @hookimpl
        def variant_info(self) -> VariantInfo:
            return option("wavers")

        @hookimpl
        def objections(self, command: Discard) -> Objection | None:  # noqa: ARG002 -- says what it is asked about
            self.asked += 1
            return Objection("turn.order", "not now") if self.asked < 9 else None

    with pytest.raises(AssertionError):
        crazy("wavers", plugins=[Wavers()]).given_deal(2, ann="7H KD").after(draw(), discard("KD"))


def test_moves_and_hands_are_read_as_text(crazy: Crazy) -> None:
    """A wild with what it stands for; undeclared where nothing is said."""
    assert lay("9D=5C 6C 7C").reads_as == ("5C", "6C", "7C")
    assert lay("QS QH 9S=Q").reads_as == ("QS", "QH", "QX")
    assert lay("QS QH 9S").reads_as is None
    assert lay_off(1, "9S=Q").reads_as == ("QX",)
    with pytest.raises(ValueError, match="card"):
        lay("QS QH 9Z")
    with pytest.raises(ValueError, match="stand for"):
        lay("QS QH 9S=ZZ")


# -- clauses -----------------------------------------------------------------------------------------------------------


def test_marks_are_read_off_the_tests_of_a_module() -> None:
    """Several on one test, and one of a clause that no sheet has."""
    module = ModuleType("somewhere.test_it")

    @pytest.mark.clause("one.clause", "allows")
    @pytest.mark.clause("other.clause", "refuses")
    def test_it() -> None:
        """Nothing."""

    module.test_it = test_it  # type: ignore[attr-defined]
    found = sorted(spoken([module]), key=lambda one: one.clause)
    assert found == [
        Spoken("one.clause", "allows", "test_it::test_it"),
        Spoken("other.clause", "refuses", "test_it::test_it"),
    ]
    assert report(["one.clause"], found)["one.clause"] == {"allows": ["test_it::test_it"], "refuses": []}


def test_a_mark_that_is_none_is_refused() -> None:
    """It would be counted for nothing."""
    module = ModuleType("test_it")

    @pytest.mark.clause("one.clause", "perhaps")
    def test_it() -> None:
        """Nothing."""

    module.test_it = test_it  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="no clause mark"):
        list(spoken([module]))
