"""Taking a discard under conditions: it is used in a meld in the same turn, or not before the next."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Literal

from msgspec import Struct

from meldlog_contracts.commands import Draw, LayMeld, LayOff, Reclaim
from meldlog_contracts.hooks import Obligation, Rules, VariantInfo, hookimpl
from meldlog_contracts.house_rules import TableRules, option
from meldlog_contracts.problems import Fault, Objection
from meldlog_contracts.sheet import Clause, load_sheet
from meldlog_contracts.table import Table
from meldlog_variants.rules.taken_discard import TakenDiscard


class DiscardUse(Struct, frozen=True, forbid_unknown_fields=True):
    """When discards may be taken, and what for."""

    discard_take_before_meld: Annotated[
        Literal["free", "must_meld", "must_open"],
        option(
            "discard.before",
            "Taking discards before melding",
            "Prise à la défausse avant de poser",
            "برداشت کارت سوخته پیش از مِلد",
            "أخذ المرمية قبل الإنزال",
        ),
    ] = "free"
    """``must_open``: to open with it, which the rules of the opening see to."""
    discard_take_after_meld: Annotated[
        Literal["free", "must_meld", "not_this_turn"],
        option(
            "discard.after",
            "Taking discards after melding",
            "Prise à la défausse après avoir posé",
            "برداشت کارت سوخته پس از مِلد",
            "أخذ المرمية بعد الإنزال",
        ),
    ] = "free"
    taken_discard_use: Annotated[
        Literal["meld_or_layoff", "new_meld_only"],
        option(
            "discard.use",
            "Use of a discard taken",
            "Usage de la carte prise",
            "استفاده از کارت برداشته‌شده",
            "استعمال الورقة المأخوذة",
        ),
    ] = "meld_or_layoff"


@hookimpl
def variant_info() -> VariantInfo:
    return VariantInfo(name="discard-use", title="Use of discards taken", rules_version=1, kind="rule")


@hookimpl
def house_rules() -> type[Struct]:
    return DiscardUse


@hookimpl
def senseless(rules: Rules) -> Sequence[Fault]:
    house = rules.house.of(DiscardUse)
    faults = []
    if house.discard_take_before_meld == "must_open" and "opening_threshold" not in rules.house.flat:
        faults.append(Fault("/house_rules/discard_take_before_meld", "this game knows no opening"))
    if (
        house.discard_take_after_meld == "must_meld"
        and rules.house.of(TableRules).discard_take_count == "any"
    ):
        faults.append(
            Fault("/house_rules/discard_take_after_meld", "of any number of discards not all can be melded")
        )
    return faults


@hookimpl
def clauses() -> Sequence[Clause]:
    return load_sheet(__name__)


@hookimpl
def silent(rules: Rules) -> Collection[str]:
    house = rules.house.of(DiscardUse)
    uses = {house.discard_take_before_meld, house.discard_take_after_meld}
    quiet = [] if "must_meld" in uses else ["obligations"]
    one_at_a_time = rules.house.of(TableRules).discard_take_count == "one"
    if uses == {"free"} or (one_at_a_time and uses == {"free", "must_open"}):
        quiet.append("objections")
    return quiet


@hookimpl
def obligations(table: Table, seat: int, rules: Rules) -> Obligation | None:
    """A discard taken to be melded is melded in the same turn."""
    unused = table.deal.turn.unused
    if not unused:
        return None
    house = rules.house.of(DiscardUse)
    how = house.discard_take_after_meld if table.had_laid(seat) else house.discard_take_before_meld
    if how != "must_meld":
        return None
    return Obligation(
        "discard.use", put_down=unused, new_meld_only=house.taken_discard_use == "new_meld_only"
    )


@hookimpl
def objections(
    command: Draw | LayMeld | LayOff | Reclaim, table: Table, seat: int, rules: Rules
) -> Objection | None:
    house = rules.house.of(DiscardUse)
    if isinstance(command, Draw):
        several = command.source == "discard" and command.count > 1
        if several and house.discard_take_before_meld != "free" and not table.has_laid(seat):
            return Objection("discard.before", "take one card, to meld it, until you have a meld of your own")
        return None
    taken = table.deal.turn.taken
    if not taken:
        return None
    if table.had_laid(seat) and house.discard_take_after_meld == "not_this_turn":
        return _not_this_turn(command, table, seat, rules)
    how = house.discard_take_after_meld if table.had_laid(seat) else house.discard_take_before_meld
    if how != "must_meld":
        return None
    unused = table.deal.turn.unused
    if isinstance(command, Reclaim) and command.card in unused:
        return Objection("discard.use", f"{command.card} was taken to be melded, not to be exchanged")
    if isinstance(command, LayOff) and house.taken_discard_use == "new_meld_only":
        for card in command.cards:
            if card in unused:
                return Objection("discard.use-new", f"{card} was taken for a new meld, not to be laid off")
    return None


def _not_this_turn(
    command: LayMeld | LayOff | Reclaim, table: Table, seat: int, rules: Rules
) -> Objection | None:
    """Cards taken by a player who has a meld wait for the next turn; what was in the hand before does not."""
    hand, taken = table.hand(seat), table.deal.turn.taken
    played = (command.card,) if isinstance(command, Reclaim) else command.cards
    bound = rules.house.has(TakenDiscard) and not rules.house.of(TakenDiscard).may_return_taken_discard
    if bound and len(taken) == 1 and not isinstance(command, Reclaim) and len(hand) - len(played) == 1:
        return Objection(
            "discard.after", "keep a card to discard: the one taken is neither played nor discarded now"
        )
    for card in dict.fromkeys(played):
        if played.count(card) > hand.count(card) - taken.count(card):
            return Objection(
                "discard.after", f"{card} was taken in this turn and is not played before the next"
            )
    return None
