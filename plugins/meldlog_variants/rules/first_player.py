"""The first player: with one card more than the others, and so without a draw in the first turn."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from meldlog_contracts.hooks import DealPlan, Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.problems import Fault
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_variants.rules.dealing import DealingRules


class FirstPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """How the first player begins."""

    first_player_extra_card: Annotated[
        bool,
        option(
            "deal.first-player",
            "A card more for the first player",
            "Une carte de plus pour le premier joueur",
            "یک کارت بیشتر برای نفر اول",
            "ورقة زائدة للاعب الأول",
        ),
    ] = False


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="first-player", title="The first player", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return FirstPlayer


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def silent(rules: Rules) -> Collection[str]:
    return () if rules.house.of(FirstPlayer).first_player_extra_card else ("deal_plan",)


@hookimpl
def senseless(rules: Rules) -> Sequence[Fault]:
    if rules.house.of(FirstPlayer).first_player_extra_card:
        extra = rules.house.of(DealingRules).extra_card_to
        if extra != "none":
            detail = f"extra_card_to gives the extra card already ({extra})"
            return [Fault("/house_rules/first_player_extra_card", detail)]
    return []


@hookimpl(wrapper=True)
def deal_plan() -> Generator[None, DealPlan, DealPlan]:
    plan = yield
    return replace(plan, extra_to=plan.starter, phase="play")
