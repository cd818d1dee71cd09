"""Forges valid logs for the tests of the verifier; `tests.support.tamper` then does to them what forgers do.

Written from the log format alone. It shares no code with the service nor with the verifier, not even the writing of
canonical JSON, so that a misreading in one of them shows. It knows no rules: any card may be melded with any other.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Node = dict[str, Any]
PLAIN = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
GAME_SEED = bytes(range(32))


def canonical(node: Any) -> str:
    """Canonical JSON, written out by hand."""
    if isinstance(node, dict):
        return "{" + ",".join(f"{canonical(key)}:{canonical(node[key])}" for key in sorted(node)) + "}"
    if isinstance(node, list):
        return "[" + ",".join(canonical(item) for item in node) + "]"
    if isinstance(node, str):
        return '"' + "".join(_escaped(character) for character in node) + '"'
    return (
        {None: "null", True: "true", False: "false"}[node]
        if node is None or isinstance(node, bool)
        else str(node)
    )


def _escaped(character: str) -> str:
    short = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return short.get(character, f"\\u{ord(character):04x}" if character < " " else character)


def digest(data: bytes | str) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(data if isinstance(data, bytes) else data.encode("utf-8")).hexdigest()


def mac(seed: bytes, message: str) -> bytes:
    """HMAC-SHA256."""
    return hmac.new(seed, message.encode("utf-8"), hashlib.sha256).digest()


def shuffled(seed: bytes, cards: Sequence[str]) -> list[str]:
    """Cards sorted by SHA-256(seed ‖ position)."""
    keyed = [(digest(seed + bytes(divmod(place, 256))), card) for place, card in enumerate(cards)]
    return [card for _, card in sorted(keyed)]


def seal(salt: str, value: Any) -> str:
    """Seal on a value."""
    return digest('{"salt":' + canonical(salt) + ',"value":' + canonical(value) + "}")


def closed(node: Any) -> Any:
    """Copy with every sealed value redacted."""
    if isinstance(node, dict):
        if node.keys() == {"count", "salt", "seal", "value"}:
            return {"count": node["count"], "seal": node["seal"]}
        return {key: closed(item) for key, item in node.items()}
    return [closed(item) for item in node] if isinstance(node, list) else node


def content_hash(commit: Node) -> str:
    """Hash of a commit from its public form."""
    public = closed(commit)
    public.pop("hash", None)
    return digest(canonical(public))


@dataclass
class Secret:
    """A value to be sealed when its commit is made."""

    value: Any
    count: int


def dealt(
    deck: Sequence[str], sizes: Sequence[int], dealer: int, step: int
) -> tuple[list[list[str]], list[str]]:
    """Hands and rest of a deck: a round at a time from the seat after the dealer, extra cards last."""
    left = list(deck)
    hands: list[list[str]] = [[] for _ in sizes]
    seat = dealer
    while any(len(hand) < size for hand, size in zip(hands, sizes, strict=True)):
        seat = (seat + step) % len(sizes)
        if len(hands[seat]) < sizes[seat]:
            hands[seat].append(left.pop(0))
    return hands, left


class Forge:
    """A game in the making. ``lines`` is its log as the operator exports it."""

    def __init__(
        self,
        *,
        entropies: Sequence[str | None] = ("ann's", None, "cyd's"),
        house_rules: Node | None = None,
        pack: Sequence[str] = PLAIN,
        seed: bytes = GAME_SEED,
        game_id: str = "g-1",
        seats: object = None,
    ) -> None:
        self.lines: list[bytes] = []
        self.seed = seed
        self.game_id = game_id
        self.prev = digest(game_id)
        self.pack = list(pack)
        self.house_rules: Node = {"packs": 1} if house_rules is None else house_rules
        self.entropies = list(entropies)
        self.number = 0
        self.renewals = 0
        self.hands: list[list[str]] = []
        self.stock: list[str] = []
        self.pile: list[str] = []
        self.melds: dict[int, list[str]] = {}
        created = {
            "type": "game_created", "game_id": game_id, "variant": "plain", "options": [],
            "house_rules": self.house_rules, "plugins": [{"name": "basic", "rules_version": 1, "digest": "0" * 64}],
            "seats": len(self.entropies) if seats is None else seats, "reveal": "game", "listed": True,
            "turn_seconds": None, "host_token_hash": "1" * 64, "commitment": digest(seed),
            "game_seed": Secret(seed.hex(), 0),
        }  # fmt: skip
        self.commit({"type": "create_game"}, created)

    @property
    def version(self) -> int:
        """Version of the last commit."""
        return len(self.lines)

    def commit(self, command: Node, *events: Node, by: str = "service") -> None:
        """Seal the secrets of the events and add the commit to the log."""
        version = self.version + 1
        commit: Node = {
            "at": "2026-11-29T20:51:00.123Z", "by": by, "command": command, "command_id": f"c{version}",
            "prev": self.prev, "schema": 1, "version": version,
            "events": [self._sealed(event, version, index, "") for index, event in enumerate(events)], "hash": "",
        }  # fmt: skip
        commit["hash"] = self.prev = content_hash(commit)
        self.lines.append(canonical(commit).encode("utf-8"))

    def _sealed(self, node: Any, version: int, index: int, path: str) -> Any:
        if isinstance(node, Secret):
            salt = mac(self.seed, f"salt:{version}:{index}:{path}").hex()[:32]
            return {"count": node.count, "salt": salt, "seal": seal(salt, node.value), "value": node.value}
        if isinstance(node, dict):
            return {
                key: self._sealed(item, version, index, f"{path}.{key}".strip("."))
                for key, item in node.items()
            }
        if isinstance(node, list):
            return [self._sealed(item, version, index, f"{path}.{place}") for place, item in enumerate(node)]
        return node

    def derived(self, purpose: str) -> bytes:
        """Seed for a purpose, every seat's entropy in it."""
        return mac(self.seed, purpose + ":" + "|".join(text or "" for text in self.entropies))

    def take_seats(self) -> None:
        """Everybody sits down, one commit each."""
        for seat, entropy in enumerate(self.entropies):
            taken = {
                "type": "seat_taken", "seat": seat, "name": f"Öykü {seat}", "kind": "player", "strategy": None,
                "entropy": entropy, "token_hash": "2" * 64,
            }  # fmt: skip
            self.commit({"type": "take_seat", "name": f"Öykü {seat}"}, taken)

    def draw_for_dealer(self, *sizes: int, one_pack: bool = False) -> Node:
        """The event `game_started`, after rounds in which so many cards were turned up."""
        rounds: list[list[Node]] = []
        begin = 0
        for number, size in enumerate(sizes, 1):
            deck = shuffled(self.derived("dealer:1" if one_pack else f"dealer:{number}"), PLAIN)[begin:]
            rounds.append(
                [{"seat": place % len(self.entropies), "card": deck[place]} for place in range(size)]
            )
            begin += size if one_pack else 0
        return {"type": "game_started", "dealer": 0, "draws": rounds}

    def deal_event(
        self, sizes: Sequence[int], dealer: int = 0, *, upcard: bool = True, step: int = 1
    ) -> Node:
        """The event `deal_started` for the next deal, and the cards put on this table."""
        self.number += 1
        self.renewals = 0
        seed = self.derived(f"deal:{self.number}")
        self.hands, left = dealt(shuffled(seed, self.pack), sizes, dealer, step)
        self.pile = [left.pop(0)] if upcard else []
        self.stock, self.melds = left, {}
        return {
            "type": "deal_started", "number": self.number, "dealer": dealer, "starter": (dealer + step) % len(sizes),
            "commitment": digest(seed), "hands": [Secret(list(hand), len(hand)) for hand in self.hands],
            "stock": Secret(list(self.stock), len(self.stock)), "upcard": self.pile[0] if upcard else None,
        }  # fmt: skip

    def deal(self, *sizes: int, dealer: int = 0, upcard: bool = True, step: int = 1) -> None:
        """Deal in a commit of its own."""
        self.commit(
            {"type": "start_game"},
            self.deal_event(sizes, dealer, upcard=upcard, step=step),
            {"type": "wild_named", "seat": None, "wild": ["9"]},
            {"type": "turn_passed", "seat": (dealer + step) % len(sizes), "deadline": None},
        )

    def draw_event(self, seat: int) -> Node:
        """The front card of the stock goes to a hand."""
        card = self.stock.pop(0)
        self.hands[seat].append(card)
        return {"type": "card_drawn", "seat": seat, "card": Secret(card, 1)}

    def discard_event(self, seat: int, place: int = 0) -> Node:
        """A card of a hand goes to the discard pile."""
        self.pile.append(self.hands[seat].pop(place))
        return {"type": "card_discarded", "seat": seat, "card": self.pile[-1]}

    def draw(self, seat: int) -> None:
        """Draw in a commit of its own."""
        self.commit({"type": "draw", "source": "stock"}, self.draw_event(seat), by=f"seat:{seat}")

    def discard(self, seat: int, place: int = 0) -> None:
        """Discard in a commit of its own, and pass the turn."""
        following = {"type": "turn_passed", "seat": (seat + 1) % len(self.hands), "deadline": None}
        discarded = self.discard_event(seat, place)
        self.commit({"type": "discard", "card": discarded["card"]}, discarded, following, by=f"seat:{seat}")

    def take_discards(self, seat: int, count: int, *, put_back: bool = False) -> None:
        """Take cards from the top of the pile, and perhaps put them back."""
        cards = self.pile[-count:]
        events = [{"type": "discards_taken", "seat": seat, "cards": cards}]
        if put_back:
            events.append({"type": "draw_returned", "seat": seat, "cards": cards})
        else:
            del self.pile[-count:]
            self.hands[seat] += cards
        self.commit({"type": "draw", "source": "discard", "count": count}, *events, by=f"seat:{seat}")

    def lay(self, seat: int, count: int) -> None:
        """Lay the first cards of a hand as a meld."""
        cards, self.hands[seat] = self.hands[seat][:count], self.hands[seat][count:]
        meld = len(self.melds) + 1
        self.melds[meld] = cards
        laid = {
            "type": "meld_laid",
            "seat": seat,
            "meld": meld,
            "kind": "set",
            "cards": cards,
            "reads_as": cards,
        }
        self.commit({"type": "lay_meld", "cards": cards}, laid, by=f"seat:{seat}")

    def lay_off(self, seat: int, meld: int) -> None:
        """Lay the first card of a hand off on a meld."""
        card = self.hands[seat].pop(0)
        self.melds[meld].append(card)
        laid = {
            "type": "card_laid_off",
            "seat": seat,
            "meld": meld,
            "end": None,
            "cards": [card],
            "reads_as": [card],
        }
        self.commit({"type": "lay_off", "meld": meld, "cards": [card]}, laid, by=f"seat:{seat}")

    def reclaim(self, seat: int, meld: int) -> None:
        """Change the first card of a hand for the first card of a meld."""
        card, wild = self.hands[seat].pop(0), self.melds[meld].pop(0)
        self.melds[meld].append(card)
        self.hands[seat].append(wild)
        event = {
            "type": "wild_reclaimed",
            "seat": seat,
            "meld": meld,
            "card": card,
            "wild": wild,
            "reads_as": card,
        }
        self.commit({"type": "reclaim", "meld": meld, "card": card, "for": wild}, event, by=f"seat:{seat}")

    def use_up_stock(self, seat: int) -> None:
        """Draw and discard until no stock is left, all in one commit."""
        events = [
            event for _ in list(self.stock) for event in (self.draw_event(seat), self.discard_event(seat))
        ]
        self.commit({"type": "batch", "commands": []}, *events, by=f"seat:{seat}")

    def renew(self, *, keep: int = 1, shuffle: bool = True) -> None:
        """Make the discards the stock."""
        self.renewals += 1
        kept = self.pile[len(self.pile) - keep :]
        old = self.pile[: len(self.pile) - keep]
        seed = self.derived(f"renew:{self.number}:{self.renewals}")
        self.stock += shuffled(seed, old) if shuffle else old
        self.pile = kept
        renewed = {
            "type": "stock_renewed", "number": self.renewals, "shuffled": shuffle, "kept": kept,
            "stock": Secret(list(self.stock), len(self.stock)), "commitment": digest(seed) if shuffle else None,
        }  # fmt: skip
        self.commit({"type": "draw", "source": "stock"}, renewed)

    def score(self, *more: Node) -> None:
        """End the deal: every hand lies open."""
        hands = [list(hand) for hand in self.hands]
        points = [len(hand) for hand in hands]
        self.commit(
            {"type": "discard", "card": "AS"},
            {"type": "deal_ended", "reason": "stock_empty", "seat": None},
            {"type": "deal_scored", "hands": hands, "points": points, "multiplier": 1, "totals": points},
            *more,
        )

    def reveal_game(self) -> None:
        """Reveal the game's seed and end the game."""
        self.commit(
            {"type": "decline"},
            {"type": "seeds_revealed", "game_seed": self.seed.hex()},
            {"type": "game_ended", "winners": [0], "ranking": [0, 1, 2], "settlement": [[1, 0, 5]]},
        )

    def reveal_deal(self) -> None:
        """Reveal the seed of the deal just played."""
        seed = self.derived(f"deal:{self.number}").hex()
        self.commit({"type": "decline"}, {"type": "seeds_revealed", "deal": self.number, "deal_seed": seed})

    def fork(self, game_id: str, seed: bytes) -> None:
        """Go on as another game with another seed."""
        forked = {
            "type": "game_forked", "game_id": game_id, "from": self.game_id, "version": self.version,
            "head": self.prev, "commitment": digest(seed), "game_seed": Secret(seed.hex(), 0),
        }  # fmt: skip
        self.game_id, self.seed = game_id, seed
        self.commit({"type": "fork", "at": self.version}, forked, by="operator")


def whole_game(*, reveal: bool = True, **options: Any) -> Forge:
    """Two deals among three in which every kind of event happens."""
    game = Forge(**options)
    step = -1 if game.house_rules.get("direction") == "ccw" else 1
    game.take_seats()
    handed = {"type": "seat_handed_over", "seat": 2, "kind": "bot", "strategy": "plain"}
    game.commit({"type": "start_game"}, game.draw_for_dealer(3, 2), handed)
    game.deal(5, 6, 5, dealer=0, step=step)
    game.lay(1, 3)
    game.discard(1)
    game.take_discards(2, 1, put_back=True)
    game.draw(2)
    game.lay_off(2, 1)
    game.reclaim(2, 1)
    game.discard(2, 1)
    game.take_discards(0, 2)
    game.lay(0, 3)
    game.discard(0)
    game.use_up_stock(1)
    game.renew()
    game.draw(2)
    game.discard(2)
    game.score(
        {"type": "penalty_offered", "seat": 1, "points": 5},
        {"type": "penalty_added", "seat": 1, "points": 5},
        {"type": "rules_noted", "plugin": "press", "data": {"pressed": [1], "by": None}},
    )
    game.deal(5, 5, 5, dealer=1, upcard=False, step=step)
    game.draw(2)
    game.discard(2)
    game.score()
    if reveal:
        game.reveal_game()
    return game


def small_game() -> Forge:
    """One short deal from a pack of eight: few bytes, every secret kind of value."""
    game = Forge(entropies=("é", None), house_rules={}, pack=PLAIN[:8])
    taken = [
        {"type": "seat_taken", "seat": seat, "name": "n", "entropy": game.entropies[seat]} for seat in (0, 1)
    ]
    game.commit({"type": "take_seat"}, *taken)
    game.deal(2, 3)
    game.draw(1)
    game.discard(1)
    game.score()
    game.reveal_game()
    return game
