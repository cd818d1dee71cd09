"""What the house rules say of a hand: which cards make a meld and what each costs.

A bot is not told the rules of a game, but its table carries the house rules that the game is played by. What a game
does not say, or says in a way that is not known here, is taken to be as in Crazy Rummy.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from meldlog_contracts.cards import JOKER, RANKS, SUITS, Card
from meldlog_contracts.table import HouseValue, Table
from meldlog_service.bots.reckoning import COURT_COST, FULL_SET, MELD, WILD_COST

SUIT = 16
"""Numbers of a suit: a card is its suit times this, plus the place of its rank."""
NO_LIMIT = 99
RUN, SET = 1, 2
"""Kinds of meld, a bit each."""
LAID_COUNT = "laid-minus-hand"
"""The rule by which laid cards count, in whose games it stands."""
_ACES = {"one_or_eleven": 11}
_COURTS = {"11_12_13": (11, 12, 13)}
_READ = (
    "ace_in_runs",
    "ace_value",
    "close_required_melds",
    "court_values",
    "flat_penalty",
    "joker_penalty",
    "lay_mode",
    "layoff_requires_own_meld",
    "lone_two_ends_deal",
    "max_set_size",
    "max_wilds_per_meld",
    "min_naturals_per_meld",
    "min_run_length",
    "opening_joker_rule",
    "opening_required_melds",
    "opening_threshold",
    "packs",
    "printed_jokers",
    "set_identical_cards",
    "wild_penalty",
)


class House(Struct, frozen=True):
    """Melds and costs of one game."""

    costs: tuple[int, ...]
    """Of naturals left in a hand, by rank; all alike where every hand costs the same."""
    wild_cost: int
    ace_high: bool
    """Whether an ace may follow a king."""
    shortest_run: int
    largest_set: int
    identical: bool
    """Whether a set may hold a card twice."""
    most_wilds: int
    """Of one meld."""
    least_naturals: int
    """Of one meld; one at least, since a meld of wilds alone is hardly ever worth them."""
    own_first: bool
    """Whether only those lay off who have laid a meld of their own."""
    threshold: int
    """Points that the first melds must be worth."""
    required: int
    """Kinds of meld that must be among the first that are laid, a bit each: `RUN`, `SET`."""
    clean: bool
    """Whether these must be without a wild."""
    wilds_idle: bool
    """Whether melds with a wild bring no points towards an opening."""
    flat: bool
    """Whether all hands cost the same, whatever is in them."""
    laid_count: bool
    """Whether cards on the table are worth to their player what they would cost in the hand."""
    lone_two: bool
    """Whether a deal ends when somebody holds nothing but a natural two."""
    packs: int
    jokers: int

    def every_card(self) -> tuple[Card, ...]:
        """All cards of the game."""
        naturals = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
        return naturals * self.packs + (JOKER,) * self.jokers


def number(card: Card) -> int:
    """A natural card as a number: suits one after the other, each in the order of its ranks."""
    return SUITS.index(card[1]) * SUIT + RANKS.index(card[0])


def house_of(table: Table) -> House:
    """The house rules of a game, as far as they matter to a hand."""
    laid_count = any(plugin.name == LAID_COUNT for plugin in table.plugins)
    return _house(tuple(_plain(table.house_rules, name) for name in _READ), laid_count)


def _plain(rules: Mapping[str, HouseValue], name: str) -> bool | int | str | None:
    found = rules.get(name)
    return None if isinstance(found, list) else found


@lru_cache(maxsize=64)
def _house(values: tuple[bool | int | str | None, ...], laid_count: bool) -> House:
    said = dict(zip(_READ, values, strict=True))

    def amount(name: str, otherwise: int) -> int:
        found = said[name]
        return found if isinstance(found, int) and not isinstance(found, bool) else otherwise

    packs = amount("packs", 1)
    identical = said["set_identical_cards"]
    most_wilds = amount("max_wilds_per_meld", NO_LIMIT)
    ace = _ACES.get(str(said["ace_value"]), amount("ace_value", 1))
    courts = _COURTS.get(str(said["court_values"]), (COURT_COST,) * 3)
    penalty = "joker_penalty" if amount("printed_jokers", 0) and most_wilds == 1 else "wild_penalty"
    flat = bool(said["flat_penalty"])
    laying = "close" if said["lay_mode"] == "all_at_once" else "opening"
    required = str(said[f"{laying}_required_melds"] or "none")
    return House(
        costs=(1,) * len(RANKS) if flat else (ace, *range(2, 11), *courts),
        wild_cost=1 if flat else amount(penalty, WILD_COST),
        ace_high=said["ace_in_runs"] not in (None, "low"),
        shortest_run=amount("min_run_length", MELD),
        largest_set=amount(
            "max_set_size", FULL_SET * packs if said["max_set_size"] == "by_packs" else NO_LIMIT
        ),
        identical=identical if isinstance(identical, bool) else packs > 1,
        most_wilds=most_wilds,
        least_naturals=max(1, amount("min_naturals_per_meld", 1)),
        own_first=said["layoff_requires_own_meld"] is not False,
        threshold=amount("opening_threshold", 0),
        required=RUN * ("run" in required) + SET * ("set" in required),
        clean="clean" in required,
        wilds_idle=said["opening_joker_rule"] == "zero",
        flat=flat,
        laid_count=laid_count,
        lone_two=said["lone_two_ends_deal"] is True,
        packs=packs,
        jokers=amount("printed_jokers", 0),
    )
