"""How the log of a game is forged: where something can be changed, what is changed, and how hashes are made to fit.

`tests.support.forgeries` puts these together to kinds of forgery.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.support.forge import Node, closed, digest
from tests.support.games import Game
from tests.support.short_games import short_game
from tests.support.tamper import event_of, resealed

OWN_SEED = "ab" * 32
"""The seed of a forger."""


@dataclass(frozen=True)
class Scene:
    """A log under the hands of a forger, who looks at the commit with the index `at`."""

    game: Game
    commits: list[Node]
    at: int

    @property
    def commit(self) -> Node:
        """The commit looked at."""
        return self.commits[self.at]

    @property
    def types(self) -> set[str]:
        """Types of its events."""
        return types_of(self.commit)

    def event(self, event_type: str) -> Node:
        """Its first event of this type."""
        return event_of(self.commit, event_type)

    @property
    def card(self) -> Node:
        """Its sealed card, of a draw."""
        card: Node = self.event("card_drawn")["card"]
        return card

    def hand(self, seat: int) -> Sequence[str]:
        """What a seat held before this commit."""
        return self.game.tables[self.at].deal.hands[seat]

    def stranger(self, seat: int) -> str:
        """A card that this seat neither holds nor draws next."""
        known = {*self.hand(seat), *self.game.tables[self.at].deal.stock[:1]}
        return next(card for card in ("AS", "7D", "KH", "4C", "TD", "9S", "2H", "QC") if card not in known)


Where = Callable[[Scene], bool]
"""Whether the commit looked at can be forged so."""
Change = Callable[[Scene], object]
"""Forges it."""


# -- reading and writing


def types_of(commit: Node) -> set[str]:
    """Types of a commit's events."""
    return {event["type"] for event in commit["events"]}


def written(commit: Node) -> bytes:
    """Canonical JSON, by the fast way: that it is canonical is tested elsewhere."""
    return json.dumps(commit, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def linked(commits: list[Node], first: int, *, only: bool = False) -> None:
    """Make the hashes fit from the commit with this index on, or of this one only."""
    for index in range(first, first + 1 if only else len(commits)):
        commit = commits[index]
        if index:
            commit["prev"] = commits[index - 1]["hash"]
        public: Node = closed(commit)
        del public["hash"]
        commit["hash"] = digest(written(public))


def renumbered(commits: list[Node]) -> None:
    """Number the commits anew."""
    for version, commit in enumerate(commits, 1):
        commit["version"] = version


# -- where


def anywhere(scene: Scene) -> bool:
    """In the middle, where something comes before and after."""
    return 2 < scene.at < len(scene.commits) - 2


def early(scene: Scene) -> bool:
    """Soon after the first deal began, when another game was not over yet."""
    return 5 < scene.at < 12


def holds(*types: str, without: str | None = None) -> Where:
    """Where a commit has all these events."""
    return lambda scene: scene.types.issuperset(types) and without not in scene.types


def discarded_then_drawn(scene: Scene) -> bool:
    """Where a discard is followed by a draw from the stock."""
    following = scene.commits[scene.at + 1 : scene.at + 2]
    return "card_discarded" in scene.types and any("card_drawn" in types_of(commit) for commit in following)


def only_discarded(scene: Scene) -> bool:
    """Where a discard and the turn that it passes on are all there is."""
    return [event["type"] for event in scene.commit["events"]] == ["card_discarded", "turn_passed"]


def asked_to_discard(scene: Scene) -> bool:
    """Where a discard was the command."""
    return bool(scene.commit["command"]["type"] == "discard")


def with_own_text(scene: Scene) -> bool:
    """Where a seat is taken with a text of its own."""
    return bool(scene.commit["command"].get("entropy"))


def turned_up(scene: Scene) -> bool:
    """Where cards were turned up for the first deal."""
    return "game_started" in scene.types and bool(scene.event("game_started")["draws"])


def with_upcard(scene: Scene) -> bool:
    """Where a deal begins with a card turned up."""
    return "deal_started" in scene.types and scene.event("deal_started")["upcard"] is not None


def names_wild(scene: Scene) -> bool:
    """Where ranks are named wild."""
    return "wild_named" in scene.types and bool(scene.event("wild_named")["wild"])


def shuffled_anew(scene: Scene) -> bool:
    """Where a stock was shuffled from the discards."""
    return "stock_renewed" in scene.types and bool(scene.event("stock_renewed")["shuffled"])


# -- what: lines


def drop(scene: Scene) -> None:
    """Take a commit out."""
    del scene.commits[scene.at]


def double(scene: Scene) -> None:
    """Put a commit in twice."""
    scene.commits.insert(scene.at + 1, json.loads(written(scene.commit)))


def move(scene: Scene) -> None:
    """Put a commit behind the next one."""
    scene.commits.insert(scene.at + 1, scene.commits.pop(scene.at))


def and_renumber(change: Change) -> Change:
    """Close the gap, or make room."""

    def changed(scene: Scene) -> None:
        change(scene)
        renumbered(scene.commits)

    return changed


def splice(scene: Scene) -> None:
    """Go on with the commits of another game."""
    another = short_game(scene.game.table.variant, another=True)
    scene.commits[scene.at :] = [json.loads(line) for line in another.lines[scene.at :]]


def cut(scene: Scene) -> None:
    """Cut the end off, behind this commit."""
    del scene.commits[scene.at + 1 :]


def draw_unsealed(scene: Scene) -> None:
    """Cut the end off and draw a card of one's own choice, without the seed that its salt is made from."""
    cut(scene)
    scene.card["salt"] = "1" * 32
    draw_another(scene)


def end_by_hand(scene: Scene) -> None:
    """Cut the end off and say who won."""
    cut(scene)
    won = {"type": "game_ended", "winners": [0], "ranking": [0], "settlement": None}
    scene.commit["events"].append(won)


def keys_turned(line: bytes) -> bytes:
    """Write the last key of a commit first."""
    rest, _, version = line.removesuffix(b"}").rpartition(b',"version":')
    return b'{"version":' + version + b"," + rest.removeprefix(b"{") + b"}"


# -- what: members and fields


def member(**values: object) -> Change:
    """Give members of the commit other values."""
    return lambda scene: scene.commit.update(values)


def asked(**values: object) -> Change:
    """Alter what was asked."""
    return lambda scene: scene.commit["command"].update(values)


def field(event_type: str, name: str, make: Callable[[Any], object]) -> Change:
    """Make another value of a field of an event."""

    def change(scene: Scene) -> None:
        event = scene.event(event_type)
        event[name] = make(event[name])

    return change


def inside(event_type: str, *path: str | int, make: Callable[[Any], object]) -> Change:
    """Make another value of something deep inside an event."""

    def change(scene: Scene) -> None:
        holder: Any = scene.event(event_type)
        for step in path[:-1]:
            holder = holder[step]
        holder[path[-1]] = make(holder[path[-1]])

    return change


def raised(numbers: list[int]) -> list[int]:
    """The first number, one higher."""
    return [numbers[0] + 1, *numbers[1:]]


def turned(items: list[str]) -> list[str]:
    """The first comes last."""
    return [*items[1:], items[0]]


def other_card(card: str) -> str:
    """A card that is not this one."""
    return "AS" if card != "AS" else "2S"


def other_first(cards: list[str]) -> list[str]:
    """The first is another card."""
    return [other_card(cards[0]), *cards[1:]]


def other_seat(seat: int) -> int:
    """A seat that is not this one."""
    return seat - 1 if seat else 1


def by_another_seat(scene: Scene) -> None:
    """Another seat is said to have asked."""
    scene.commit["by"] = "seat:1" if scene.commit["by"] == "seat:0" else "seat:0"


def event_doubled(event_type: str) -> Change:
    """Put an event in twice."""
    return lambda scene: scene.commit["events"].append(scene.event(event_type))


def event_dropped(event_type: str) -> Change:
    """Take an event out."""
    return lambda scene: scene.commit["events"].remove(scene.event(event_type))


def events_turned(scene: Scene) -> None:
    """Tell the events of a commit in another order."""
    scene.commit["events"].reverse()


# -- what: sealed values


def own_seed(scene: Scene) -> None:
    """Seal another game seed."""
    resealed(scene.event("game_created")["game_seed"], OWN_SEED)


def own_seed_promised(scene: Scene) -> None:
    """Seal another game seed, and promise that one."""
    own_seed(scene)
    scene.event("game_created")["commitment"] = digest(bytes.fromhex(OWN_SEED))


def open_to_another(scene: Scene) -> None:
    """Open a seal to another value."""
    scene.card["value"] = other_card(scene.card["value"])


def draw_another(scene: Scene) -> None:
    """Draw another card, under a seal that fits."""
    resealed(scene.card, other_card(scene.card["value"]))


def own_salt(scene: Scene) -> None:
    """Seal the same card with a salt of one's own."""
    scene.card["salt"] = "0" * 32
    resealed(scene.card, scene.card["value"])


def half_open(scene: Scene) -> None:
    """Leave the salt out, so that nobody can compare."""
    del scene.card["salt"]


def told_openly(scene: Scene) -> None:
    """Tell a card that should be sealed."""
    scene.event("card_drawn")["card"] = scene.card["value"]


def seals_of_hands(scene: Scene) -> None:
    """Two hands change places, salts, seals and all."""
    hands = scene.event("deal_started")["hands"]
    hands[0], hands[1] = hands[1], hands[0]


def between_hands(scene: Scene) -> None:
    """Two cards change places between two hands, under seals that fit."""
    one, other = scene.event("deal_started")["hands"][:2]
    left, right = list(one["value"]), list(other["value"])
    index = next(index for index in range(len(left)) if left[index] != right[index])
    left[index], right[index] = right[index], left[index]
    resealed(one, left)
    resealed(other, right)


def stacked(event_type: str) -> Change:
    """Another card of the stock is brought to its front."""

    def change(scene: Scene) -> None:
        stock = scene.event(event_type)["stock"]
        cards = list(stock["value"])
        index = next(index for index in range(1, len(cards)) if cards[index] != cards[0])
        cards[0], cards[index] = cards[index], cards[0]
        resealed(stock, cards)

    return change


# -- what: cards that lie open


def next_dealer(scene: Scene) -> None:
    """Somebody else is said to have dealt."""
    deal = scene.event("deal_started")
    deal["dealer"] = (deal["dealer"] + 1) % len(deal["hands"])


def play_stranger(event_type: str) -> Change:
    """Play a card that the seat does not hold."""

    def change(scene: Scene) -> None:
        event = scene.event(event_type)
        card = scene.stranger(event["seat"])
        if "card" in event:
            event["card"] = card
        else:
            event["cards"] = [card, *event["cards"][1:]]

    return change


def discard_another(scene: Scene) -> None:
    """Discard another card that the seat does hold."""
    event = scene.event("card_discarded")
    event["card"] = next(card for card in scene.hand(event["seat"]) if card != event["card"])


def hidden(hands: list[list[str]]) -> list[list[str]]:
    """The first hand that holds any has a card fewer."""
    index = next(index for index, hand in enumerate(hands) if hand)
    return [hand[1:] if at == index else hand for at, hand in enumerate(hands)]


def shown_another(hands: list[list[str]]) -> list[list[str]]:
    """The first hand that holds any holds another card."""
    index = next(index for index, hand in enumerate(hands) if hand)
    return [other_first(hand) if at == index else hand for at, hand in enumerate(hands)]
