"""The first round: nobody melds before everybody has had a turn, unless the whole hand goes down at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Literal

from msgspec import Struct

from meldlog_contracts.commands import LayMeld, LayOff, Reclaim
from meldlog_contracts.hooks import Rules, Together, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.melds import Reading
from meldlog_contracts.problems import Objection
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table
from meldlog_variants.rules import opening_search
from meldlog_variants.rules.first_lay import FirstLay


class FirstRound(Struct, frozen=True, forbid_unknown_fields=True):
    """What may be laid before everybody has had a turn."""

    no_meld_first_round: Annotated[
        bool,
        option(
            "first-round.wait",
            "No melds in the first round",
            "Rien n'est posé au premier tour de table",
            "بدون مِلد در دور اول نوبت‌ها",
            "لا إنزال في الدورة الأولى",
        ),
    ] = False
    first_round_whole_hand_out: Annotated[
        bool,
        option(
            "first-round.whole-hand",
            "The whole hand may go down in the first turn",
            "Toute la main peut être posée au premier tour",
            "رو کردن تمام دست در نوبت اول",
            "إنزال اليد كاملة في الدور الأول",
        ),
    ] = False
    beanie_after_out_layoff: Annotated[
        Literal["none", "layoff", "layoff_and_meld"],
        option(
            "first-round.after",
            "What the others may do after that",
            "Ce que les autres peuvent faire ensuite",
            "کاری که دیگران پس از آن می‌توانند بکنند",
            "ما يجوز للآخرين بعد ذلك",
        ),
    ] = "none"


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="first-round", title="The first round", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return FirstRound


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def silent(rules: Rules) -> Collection[str]:
    house = rules.house.of(FirstRound)
    if not house.no_meld_first_round:
        return ("objections", "unsettled", "laid_together", "after_out")
    return () if house.first_round_whole_hand_out else ("laid_together", "after_out")


def is_first_round(table: Table) -> bool:
    """Whether somebody has not finished a first turn yet."""
    return table.deal.turns <= len(table.seats)


@hookimpl
def objections(command: LayMeld | LayOff | Reclaim, table: Table, rules: Rules) -> Objection | None:
    house = rules.house.of(FirstRound)
    if table.deal.turn.phase == "lay_off":
        melds_too = house.beanie_after_out_layoff == "layoff_and_meld"
        if isinstance(command, LayOff) or (melds_too and isinstance(command, LayMeld)):
            return None
        todo = "lay cards off or lay melds" if melds_too else "lay cards off"
        return Objection("first-round.after", f"somebody has gone out: {todo}, or decline")
    if not is_first_round(table) or house.first_round_whole_hand_out:
        return None
    return Objection("first-round.wait", "nobody melds before everybody has had a turn")


@hookimpl
def unsettled(table: Table, seat: int) -> Objection | None:
    """The exception: all of the hand but the last discard."""
    if table.deal.turn.phase == "lay_off" or not is_first_round(table):
        return None
    if len(table.hand(seat)) > 1:
        return Objection(
            "first-round.wait",
            "before everybody has had a turn only the whole hand may be laid, all but one card",
        )
    return None


@hookimpl
def laid_together(readings: tuple[Reading, ...], table: Table, seat: int) -> Together | None:
    """The whole hand at once."""
    if table.deal.turn.phase == "lay_off" or not is_first_round(table):
        return None
    hand = table.hand(seat)
    nothing = [FirstLay(0, 0)] * len(readings)
    return opening_search.smallest_sets(readings, nothing, hand, (), lambda _, left: left <= 1, None)


@hookimpl
def after_out(table: Table, rules: Rules) -> bool:
    return is_first_round(table) and rules.house.of(FirstRound).beanie_after_out_layoff != "none"
