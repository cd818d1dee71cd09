"""The press: whoever lies far behind doubles the next deal for everybody."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from meldlog_contracts.commands import AddPenalty
from meldlog_contracts.hooks import Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.problems import Fault, Objection
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table
from meldlog_variants.rules.penalties import Penalties

AUTO_PRESS_PLAYERS = 4


class Press(Struct, frozen=True, forbid_unknown_fields=True):
    """When a deal is doubled."""

    press: Annotated[bool, option("press", "Press", "Press", "پرس", "برس")] = True
    press_threshold: Annotated[
        int,
        option(
            "press",
            "Points behind for a press",
            "Retard pour un press",
            "فاصله برای پرس",
            "الفارق للبرس",
            ge=1,
            le=10_000,
        ),
    ] = 50
    press_voluntary: Annotated[
        bool,
        option(
            "press.voluntary", "Voluntary points", "Points volontaires", "امتیاز داوطلبانه", "نقاط اختيارية"
        ),
    ] = True
    press_max_voluntary: Annotated[
        Annotated[int, Meta(ge=1, le=10_000)] | None,
        option(
            "press.voluntary",
            "Most voluntary points",
            "Points volontaires, au plus",
            "حداکثر امتیاز داوطلبانه",
            "أقصى النقاط الاختيارية",
        ),
    ] = None
    multiplier_cap: Annotated[
        Annotated[int, Meta(ge=1, le=16)] | None,
        option("press.cap", "Highest multiplier", "Multiplicateur maximal", "سقف ضریب", "أقصى مضاعفة"),
    ] = None
    auto_press: Annotated[
        bool, option("press.auto", "Auto press", "Press automatique", "پرس خودکار", "برس تلقائي")
    ] = False
    auto_press_tie: Annotated[
        Literal["press_on", "points_only"],
        option(
            "press.auto-tie",
            "Auto press on a tie",
            "Press automatique à égalité",
            "پرس خودکار در تساوی",
            "برس تلقائي عند التعادل",
        ),
    ] = "press_on"


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(
        name="press",
        title="The press",
        rules_version=1,
        kind="option",
        titles={"en": "The press", "fr": "Le press", "fa": "پرس", "ar": "البرس"},
    )


@hookimpl
def house_rules() -> type[Struct]:
    return Press


@hookimpl
def senseless(rules: Rules) -> Sequence[Fault]:
    house = rules.house.of(Press)
    if house.press and not rules.house.has(Penalties):
        return [Fault("/options", "a press needs points that are penalties")]
    if house.auto_press and not house.press:
        return [Fault("/house_rules/auto_press", "an auto press needs the press")]
    return []


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


def gap_of_last(totals: tuple[int, ...]) -> tuple[int, int]:
    """Who is last by the highest total, and how far behind the next; a tie for last is a gap of nothing."""
    last = max(range(len(totals)), key=totals.__getitem__)
    return last, totals[last] - max(total for place, total in enumerate(totals) if place != last)


def is_pressed(table: Table, rules: Rules) -> bool:
    """Whether the deal being scored is doubled: by the totals as they stood before it."""
    house = rules.house.of(Press)
    if not house.press or not table.scores:
        return False
    if gap_of_last(table.totals)[1] >= house.press_threshold:
        return True
    # Activating the press is the purpose of an auto press, so it is on although those tied for last are level.
    return (
        len(table.scores) == 1 and house.auto_press_tie == "press_on" and len(_auto_pressed(table, rules)) > 1
    )


@hookimpl(wrapper=True)
def multiplier(table: Table, rules: Rules) -> Generator[None, int | None, int]:
    """All card points of a pressed deal are doubled, for everybody."""
    factor = (yield) or 1
    if is_pressed(table, rules):
        factor *= 2
    cap = rules.house.of(Press).multiplier_cap
    return factor if cap is None else min(factor, cap)


@hookimpl
def added_penalties(table: Table, rules: Rules) -> tuple[tuple[int, int], ...]:
    """Auto press: after the first deal the highest total is raised until it presses; those tied all get the same."""
    house = rules.house.of(Press)
    pressed = _auto_pressed(table, rules) if len(table.scores) == 1 else ()
    if len(pressed) > 1:
        return tuple((seat, house.press_threshold) for seat in pressed)
    return tuple(
        (seat, house.press_threshold - behind)
        for seat in pressed
        if (behind := gap_of_last(table.totals)[1]) < house.press_threshold
    )


def _auto_pressed(table: Table, rules: Rules) -> tuple[int, ...]:
    """The seats that were last after the first deal, where the auto press is played."""
    house = rules.house.of(Press)
    if not (house.press and house.auto_press) or len(table.seats) < AUTO_PRESS_PLAYERS:
        return ()
    first = table.scores[0]
    return tuple(seat for seat, points in enumerate(first) if points == max(first))


@hookimpl
def penalty_offer(table: Table, rules: Rules) -> tuple[int, int] | None:
    """The one player in last place may add what is missing to a press."""
    house = rules.house.of(Press)
    if not (house.press and house.press_voluntary):
        return None
    last, behind = gap_of_last(table.totals)
    missing = house.press_threshold - behind
    if behind < 1 or missing < 1:
        return None
    if house.press_max_voluntary is not None and missing > house.press_max_voluntary:
        return None
    return last, missing


@hookimpl
def objections(command: AddPenalty, table: Table) -> Objection | None:
    if table.offer is not None and command.points != table.offer[1]:
        return Objection("press.voluntary", f"exactly {table.offer[1]} points make the press")
    return None
