"""Faults that other people's card games were publicly reported to have, 1 to 105, and where each is kept out here.

A test says with `keeps` which faults it is about, and is named by what it keeps. It tests the whole kind of fault: many
inputs, not the reported one alone. The other faults belong to other parts or to other games; `ELSEWHERE` says to which.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Test = TypeVar("Test", bound=Callable[..., None])
FAULTS = range(1, 106)


def keeps(*faults: int) -> Callable[[Test], Test]:
    """Mark a test as keeping these faults out."""
    assert all(fault in FAULTS for fault in faults)
    return lambda test: test


ELSEWHERE: dict[int, str] = {
    6: "a wild scored as what it stands for: games that count laid melds (Ace to Ace, Rami)",
    11: "the value of a wild in an opening: Rami",
    25: "the ace's value by its place in a meld: games that count laid melds; in a hand it has one value",
    28: "least deadwood over all disjoint melds: the bots",
    31: "a run shortened for a set: the bots",
    32: "knock discards: no game here is knocked; the bots",
    35: "rearranging the table: no game here allows it (clause meld.fixed)",
    36: "deadwood after each discard: the bots",
    40: "the limit of a knock: no game here is knocked; opening thresholds are Rami's",
    41: "a knock limit from the upcard: no game here has one",
    42: "a knock that ends nothing: no game here is knocked",
    46: "an opening of exactly the threshold: Rami",
    47: "a wild counted towards the threshold: Rami",
    59: "phases unknown to a client: the web table; that each is told by name is kept here under 54",
    62: "cards that may not be drawn from the pile: no game here has any",
    69: "an offer that cannot be turned down: the press",
    70: "a bot that repeats a refused command: the bots and their runner",
    73: "a double click that joins twice: the handler's idempotency keys and the HTTP routes",
    74: "seats of a rematch: a new game is a new game, with new seats and tokens",
    91: "moves at the same time that overwrite each other: the stores' promises",
    92: "moves accepted before a read model caught up: the handler",
    93: "two commits of one version: the stores' promises",
    94: "conflicts under load: the handler",
    95: "a move shown that never got through: the web table",
    96: "a refresh that appends the history to itself: the web table and the client",
    97: "a join that shows less than the present: the event stream",
    98: "a player who comes back without a hand: the HTTP routes; the law is kept in the properties (view)",
    99: "a result made up by the client: the web table",
    101: "clients that draw chance of their own: no client draws any",
}
"""What is not a matter of the engine or not one of Crazy Rummy, with the part that keeps it."""
