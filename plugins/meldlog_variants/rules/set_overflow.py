"""Sets beyond their size: wild cards that stand for no card may be added to a full set."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated

from msgspec import Struct

from meldlog_contracts.cards import ANY_SUIT, Card
from meldlog_contracts.hooks import Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import option
from meldlog_contracts.problems import Fault
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import MeldKind
from meldlog_variants.rules.sets_and_runs import MIN_SET, MeldRules, is_set


class SetOverflow(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a set may outgrow its cards."""

    set_wild_overflow: Annotated[
        bool,
        option(
            "set.overflow",
            "Wild cards beyond a full set",
            "Cartes frimées au-delà d'un brelan complet",
            "وایلد کارت بیش از ستِ کامل",
            "أوراق بديلة فوق المتماثلة الكاملة",
        ),
    ] = False


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="set-overflow", title="Sets beyond their size", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return SetOverflow


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def silent(rules: Rules) -> Collection[str]:
    return () if rules.house.of(SetOverflow).set_wild_overflow else ("meld_kind",)


@hookimpl
def senseless(rules: Rules) -> Sequence[Fault]:
    if rules.house.of(SetOverflow).set_wild_overflow and rules.house.of(MeldRules).max_set_size is None:
        return [Fault("/house_rules/set_wild_overflow", "sets of any size have nothing to go beyond")]
    return []


@hookimpl
def meld_kind(reads_as: tuple[Card, ...], rules: Rules) -> MeldKind | None:
    """The natural cards, filled up to a set of three if need be, would be a set without the wild ones."""
    if len(reads_as) < MIN_SET or len({card[0] for card in reads_as}) > 1:
        return None
    naturals = tuple(card for card in reads_as if card[1] != ANY_SUIT)
    wilds = tuple(card for card in reads_as if card[1] == ANY_SUIT)
    counted = naturals + wilds[: max(0, MIN_SET - len(naturals))]
    return "set" if is_set(counted, rules.house.of(MeldRules)) else None
