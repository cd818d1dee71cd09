"""What forgers do to the log of a game, one change each, and which check finds it: in `verify` and in the audit.

The table in docs/forgeries.md is written from here: ``python -m tests.support.forgeries`` prints it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from tests.support import forging as do
from tests.support.forge import Node
from tests.support.forging import Change, Scene, Where, holds
from tests.support.short_games import short_game
from tests.support.tamper import export

Hashes = Literal["stale", "own", "fitting"]
"""Left as they were; the changed commit's own made to fit; every one from the changed commit on."""
LATER: Final = "later"
"""Found, if at all, by what follows from it at a later version."""


@dataclass(frozen=True)
class Kind:
    """A kind of forgery.

    Attributes:
        what: What is done, in words.
        where: Which commits it can be done to.
        change: Does it; one that works on the bytes of a line takes `raw` instead.
        hashes: What becomes of the hashes.
        verify: The check that the verifier names first, at the version of the forgery; None where none does.
        audit: The same of the audit.
        behind: How many versions behind the changed commit the fault lies: a line put in is found where it lies.
        redacted: Whether it is done to a spectator's export, which the audit cannot judge.
        judged: Whether the audit can say that it differs; what names other rules or another schema may be genuine.
        head: Whether the head was noted before, so that ``verify --head`` compares it.
    """

    what: str
    where: Where
    change: Change | None
    hashes: Hashes
    verify: str | None
    audit: str | None
    behind: int = 0
    raw: Callable[[bytes], bytes] | None = None
    redacted: bool = False
    head: bool = False
    judged: bool = True


@dataclass(frozen=True)
class Forgery:
    """A forged log, the version where its first fault must be found, and the head that was noted before, if it was."""

    variant: str
    kind: Kind
    lines: list[bytes]
    version: int
    head: str | None

    def __str__(self) -> str:
        """For a test that fails."""
        return f"{self.variant}: {self.kind.what}, to be found in version {self.version}"


def kind(
    what: str,
    where: Where,
    change: Change,
    *,
    verify: str | None,
    audit: str | None,
    hashes: Hashes = "fitting",
    behind: int = 0,
    head: bool = False,
    judged: bool = True,
) -> Kind:
    """A change of what a log tells."""
    return Kind(what, where, change, hashes, verify, audit, behind, head=head, judged=judged)


def line(what: str, raw: Callable[[bytes], bytes], *, audit: str = "chain") -> Kind:
    """A change of a line's bytes, which tells the same."""
    return Kind(what, do.anywhere, None, "stale", "canonical", audit, raw=raw)


DRAW, DISCARD, MELD = (
    holds("card_drawn", without="stock_renewed"),
    holds("card_discarded", "turn_passed"),
    holds("meld_laid"),
)
DEAL, SCORED, CREATED = holds("deal_started"), holds("deal_scored"), holds("game_created")
NEVER = "2020-01-01T00:00:00.000Z"
NOTHING = "0" * 64

KINDS: Final[tuple[Kind, ...]] = (
    # Lines.
    kind("a commit dropped", do.anywhere, do.drop, hashes="stale", verify="contiguity", audit="contiguity"),
    kind("a commit doubled", do.anywhere, do.double, hashes="stale", behind=1, verify="contiguity", audit="contiguity"),
    kind("a commit moved", do.anywhere, do.move, hashes="stale", verify="contiguity", audit="contiguity"),
    kind("a commit dropped, the rest renumbered", do.discarded_then_drawn, do.and_renumber(do.drop),
         verify="seals", audit="decisions"),
    kind("a commit doubled, the rest renumbered", DRAW, do.and_renumber(do.double), behind=1,
         verify="seals", audit="fold"),
    kind("a commit moved, the rest renumbered", do.discarded_then_drawn, do.and_renumber(do.move),
         verify="seals", audit="decisions"),
    kind("the rest taken from another game", do.early, do.splice, hashes="stale", verify="chain", audit="chain"),
    kind("the tail cut", do.anywhere, do.cut, hashes="stale", head=True, verify="chain", audit=None),
    kind("the tail cut and written anew without the seeds", DRAW, do.draw_unsealed, verify="seals", audit="fold"),
    kind("the tail cut and the game ended by hand", DISCARD, do.end_by_hand, verify=None, audit="decisions"),
    line("a carriage return at the end of a line", lambda raw: raw + b"\r"),
    line("a space in a line", lambda raw: raw.replace(b":", b": ", 1)),
    line("the keys of a line in another order", do.keys_turned),
    line("a key twice in a line", lambda raw: raw.replace(b"{", b'{"at":"",', 1)),
    line("a version told as 7.0", lambda raw: raw.removesuffix(b"}") + b".0}", audit="log"),
    # The chain.
    kind("a hash altered", do.anywhere, do.member(hash=NOTHING), hashes="stale", verify="chain", audit="chain"),
    kind("a link altered", do.anywhere, do.member(prev=NOTHING), hashes="stale", verify="chain", audit="chain"),
    kind("a time altered", do.anywhere, do.member(at=NEVER), hashes="stale", verify="chain", audit="chain"),
    kind("a time altered", do.anywhere, do.member(at=NEVER), hashes="own", behind=1, verify="chain", audit="chain"),
    kind("a time altered", do.anywhere, do.member(at=NEVER), head=True, verify="chain", audit=None),
    kind("a command altered", do.asked_to_discard, do.asked(card="??"), hashes="stale", verify="chain", audit="chain"),
    kind("a discard swapped for a card not held", DISCARD, do.play_stranger("card_discarded"), hashes="stale",
         verify="chain", audit="chain"),
    kind("the game's id altered", CREATED, do.field("game_created", "game_id", lambda _: "another"),
         verify="chain", audit="chain"),
    # What no log holds.
    kind("a version altered", do.anywhere, do.member(version=9999), verify="contiguity", audit="contiguity"),
    kind("a schema to come", do.anywhere, do.member(schema=99), verify="contiguity", audit="log",
         judged=False),
    kind("an event that does not exist", DISCARD, do.field("turn_passed", "type", lambda _: "turn_skipped"),
         verify="contiguity", audit="log"),
    # Seeds and promises.
    kind("the game seed exchanged", CREATED, do.own_seed, verify="commitments", audit="commitments"),
    kind("the game seed exchanged, and its commitment", CREATED, do.own_seed_promised,
         verify="seals", audit="decisions"),
    kind("the commitment to the game seed altered", CREATED, do.field("game_created", "commitment", lambda _: NOTHING),
         verify="commitments", audit="commitments"),
    kind("the seed revealed at the end exchanged", holds("seeds_revealed"),
         do.field("seeds_revealed", "game_seed", lambda _: do.OWN_SEED), verify="commitments", audit="commitments"),
    kind("the commitment to a deal's seed altered", DEAL, do.field("deal_started", "commitment", lambda _: NOTHING),
         verify="commitments", audit="commitments"),
    kind("the commitment to a renewal's seed altered", do.shuffled_anew,
         do.field("stock_renewed", "commitment", lambda _: NOTHING), verify="commitments", audit="commitments"),
    kind("a seat's own text altered in its command", do.with_own_text, do.asked(entropy="salt"),
         verify=None, audit="decisions"),
    kind("a card turned up for the first deal swapped", do.turned_up,
         do.inside("game_started", "draws", 0, 0, "card", make=do.other_card), verify="shuffles", audit="shuffles"),
    # Seals.
    kind("a seal opened to another card", DRAW, do.open_to_another, hashes="stale", verify="seals", audit="seals"),
    kind("a seal altered", DRAW, do.inside("card_drawn", "card", "seal", make=lambda _: NOTHING),
         verify="seals", audit="seals"),
    Kind("a seal altered on a card that stays closed", DRAW,
         do.inside("card_drawn", "card", "seal", make=lambda _: NOTHING), "fitting", "seals", None, redacted=True),
    kind("a card sealed with another salt", DRAW, do.own_salt, verify="seals", audit="decisions"),
    kind("a card's salt left out", DRAW, do.half_open, verify="seals", audit="seals"),
    kind("a sealed card told openly", DRAW, do.told_openly, verify="seals", audit="log"),
    kind("a sealed card counted as two", DRAW, do.inside("card_drawn", "card", "count", make=lambda _: 2),
         verify="seals", audit="seals"),
    kind("two hands exchanged, seals and all", DEAL, do.seals_of_hands, verify="seals", audit="shuffles"),
    # Cards; where they are sealed, the seals were made to fit as well.
    kind("a card swapped between two hands", DEAL, do.between_hands, verify="shuffles", audit="shuffles"),
    kind("the stock stacked", DEAL, do.stacked("deal_started"), verify="shuffles", audit="shuffles"),
    kind("a renewed stock stacked", do.shuffled_anew, do.stacked("stock_renewed"),
         verify="shuffles", audit="fold"),
    kind("the upcard swapped", do.with_upcard, do.field("deal_started", "upcard", do.other_card),
         verify="shuffles", audit="shuffles"),
    kind("another dealer named", DEAL, do.next_dealer, verify="shuffles", audit="shuffles"),
    kind("another card drawn than lay in front", DRAW, do.draw_another, verify="draws", audit="fold"),
    kind("a discard swapped for a card not held", DISCARD, do.play_stranger("card_discarded"),
         verify="conservation", audit="fold"),
    kind("a discard swapped for a card of the same hand", do.only_discarded, do.discard_another,
         verify=LATER, audit="decisions"),
    kind("a meld's card swapped for one not held", MELD, do.play_stranger("meld_laid"),
         verify="conservation", audit="fold"),
    kind("a card laid off swapped for one not held", holds("card_laid_off"), do.play_stranger("card_laid_off"),
         verify="conservation", audit="fold"),
    kind("a wild reclaimed that lies elsewhere", holds("wild_reclaimed"),
         do.field("wild_reclaimed", "wild", lambda wild: "JK" if wild != "JK" else "4S"),
         verify="conservation", audit="fold"),
    kind("a discard taken that does not lie there", holds("discards_taken"),
         do.field("discards_taken", "cards", do.other_first), verify="conservation", audit="fold"),
    kind("a meld laid twice", MELD, do.event_doubled("meld_laid"), verify="conservation", audit="fold"),
    kind("a card hidden at the end of a deal", SCORED, do.field("deal_scored", "hands", do.hidden),
         verify="conservation", audit="conservation"),
    kind("a card swapped at the end of a deal", SCORED, do.field("deal_scored", "hands", do.shown_another),
         verify="conservation", audit="conservation"),
    # What only the rules can tell.
    kind("a plugin's rules version altered", CREATED,
         do.inside("game_created", "plugins", 0, "rules_version", make=lambda _: 99), verify=None, audit="plugins",
         judged=False),
    kind("a house rule altered", CREATED, do.inside("game_created", "house_rules", "wild_penalty", make=lambda _: 99),
         verify=None, audit="decisions"),
    kind("more seats asked for", CREATED, do.asked(seats=9), verify=None, audit="decisions"),
    kind("a player's name altered", holds("seat_taken"), do.field("seat_taken", "name", lambda _: "somebody else"),
         verify=None, audit="decisions"),
    kind("a wild altered", do.names_wild, do.field("wild_named", "wild", lambda _: ["3"]),
         verify=None, audit="decisions"),
    kind("what a meld reads as altered", MELD, do.field("meld_laid", "reads_as", do.turned),
         verify=None, audit="decisions"),
    kind("a turn given to another seat", DISCARD, do.field("turn_passed", "seat", do.other_seat),
         verify=None, audit="decisions"),
    kind("a turn not passed on", DISCARD, do.event_dropped("turn_passed"), verify=None, audit="decisions"),
    kind("events told in another order", do.only_discarded, do.events_turned, verify=None, audit="decisions"),
    kind("points of a deal raised", SCORED, do.field("deal_scored", "points", do.raised),
         verify=None, audit="decisions"),
    kind("a score raised", SCORED, do.field("deal_scored", "totals", do.raised), verify=None, audit="decisions"),
    kind("another reason for the end of a deal", holds("deal_ended"),
         do.field("deal_ended", "reason", lambda _: "void"), verify=None, audit="decisions"),
    kind("another winner named", holds("game_ended"),
         do.inside("game_ended", "winners", 0, make=do.other_seat), verify=None, audit="decisions"),
    kind("a command altered", do.asked_to_discard, do.asked(card="JK"), verify=None, audit="decisions"),
    kind("a command put into another seat's mouth", DISCARD, do.by_another_seat, verify=None, audit="decisions"),
)  # fmt: skip
"""Every kind; its hashes were made to fit unless it says otherwise."""


@cache
def untouched(variant: str) -> list[Node]:
    """The commits of the variant's short game, to be looked at and not to be touched."""
    return [json.loads(line) for line in short_game(variant).lines]


def places(kind: Kind, variant: str) -> list[int]:
    """Indexes of the commits of the variant's short game that can be forged so."""
    game, commits = short_game(variant), untouched(variant)
    return [at for at in range(len(commits)) if kind.where(Scene(game, commits, at))]


def forged(kind: Kind, variant: str) -> Forgery | None:
    """A forgery of this kind at a place that chance chooses; None where the variant's short game has no such place."""
    there = places(kind, variant)
    if not there:
        return None
    game = short_game(variant)
    at = random.Random(f"{variant}: {kind.what}, {kind.hashes}").choice(there)
    lines = export(game.lines, None) if kind.redacted else list(game.lines)
    if kind.raw is not None:
        lines[at] = kind.raw(lines[at])
    if kind.change is not None:
        scene = Scene(game, untouched(variant)[:at] + [json.loads(line) for line in lines[at:]], at)
        kind.change(scene)
        if kind.hashes != "stale":
            do.linked(scene.commits, at, only=kind.hashes == "own")
        lines[at:] = [do.written(commit) for commit in scene.commits[at:]]
    version = len(lines) if kind.head else at + 1 + kind.behind
    return Forgery(variant, kind, lines, version, game.commits[-1].hash if kind.head else None)


def forgeries(variant: str) -> Iterator[Forgery]:
    """One of every kind that the variant's short game has a place for."""
    made = (forged(kind, variant) for kind in KINDS)
    return (forgery for forgery in made if forgery is not None)


# -- the table in the docs

HASHES: Mapping[Hashes, str] = {
    "stale": "as they were",
    "own": "of this commit made to fit",
    "fitting": "made to fit",
}


def table() -> str:
    """The table of docs/forgeries.md."""
    rows = ["| what is done to the log | its hashes | `verify` | `audit` |", "|---|---|---|---|"]
    for kind in KINDS:
        verify, audit = _cell(kind.verify), _cell(kind.audit)
        what = f"{kind.what} (in a spectator's export)" if kind.redacted else kind.what
        cells = (
            what,
            HASHES[kind.hashes],
            f"{verify}, by `--head` only" if kind.head else verify,
            "cannot judge" if kind.redacted else audit if kind.judged else f"cannot judge: {audit}",
        )
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _cell(check: str | None) -> str:
    if check is None:
        return "–"
    return "later, by what follows" if check == LATER else f"`{check}`"


if __name__ == "__main__":
    print(table())
