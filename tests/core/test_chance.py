"""Chance: everything random follows from one seed and the seats' own texts, in steps that anybody can redo.

The vectors below were computed with the standard library from the log format's section *Chance*. They never change: a
deal shuffled by another release must be verified by this one.
"""

from __future__ import annotations

import hashlib
import hmac
import random
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.support.games import Game, any_move

from meldlog_contracts.cards import PLAIN_PACK, Card, cards, pack
from meldlog_contracts.commands import TakeSeat
from meldlog_contracts.events import DealStarted, GameCreated, GameStarted, SeedsRevealed, StockRenewed
from meldlog_contracts.sealed import cards_of
from meldlog_contracts.table import Seat, Table
from meldlog_service.core import chance

SEED = bytes(range(32)).hex()
DEAL_SEED = "a85a2be79572896676288250caa4543ddab4b43a0dafd04bc40f6c3f296f30b3"


def table(*entropies: str | None) -> Table:
    """A table whose seats added these texts."""
    return Table(game_seed=SEED, seats=tuple(Seat(entropy=entropy) for entropy in entropies))


def derived(purpose: str, entropies: Sequence[str]) -> str:
    """HMAC-SHA256(game_seed, purpose ‖ ":" ‖ texts joined by "|"), with the standard library alone."""
    message = f"{purpose}:{'|'.join(entropies)}".encode()
    return hmac.new(bytes.fromhex(SEED), message, hashlib.sha256).hexdigest()


def shuffled(seed: str, sequence: Sequence[Card]) -> list[Card]:
    """Cards sorted by SHA-256(seed ‖ position), with the standard library alone."""
    keys = [
        hashlib.sha256(bytes.fromhex(seed) + bytes(divmod(at, 256))).digest() for at in range(len(sequence))
    ]
    return [card for _, card in sorted(zip(keys, sequence, strict=True))]


def test_a_commitment_is_the_hash_of_the_seed_s_bytes() -> None:
    """Not of its hex text."""
    assert chance.commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


@pytest.mark.parametrize(
    ("purpose", "entropies", "seed"),
    [
        ("deal:1", (None,), "907f68430ebcab00b92222c4f61fabe5b39d7da27177deb8346ee28940ff484d"),
        ("deal:1", (None, None), DEAL_SEED),
        ("deal:1", ("a", "é"), "7c0912084d1826d3af3977d8615259ec65b2aacbae9c956b9fbde61b5f95945a"),
        ("deal:13", (None, None, None), "ce5d8e07e2d6f3cc5588bbd7112961d12c8d4040b6906dca6969c400f6cfec94"),
        ("renew:2:1", ("a", None, "c"), "b65336486aac38bfee4626f9af85745efae01da19325f3ef4917683742777dff"),
        ("dealer:1", (None,), "1c312f4e7aefaf68360909a7a2ba35486b561b631a6639fd1cea8101ec2e8029"),
    ],
)
def test_seeds_are_derived_with_the_seats_texts(
    purpose: str, entropies: tuple[str | None, ...], seed: str
) -> None:
    """A seat that adds nothing adds the empty text."""
    assert chance.derived_seed(table(*entropies), purpose) == seed
    assert derived(purpose, [entropy or "" for entropy in entropies]) == seed


def test_a_pack_is_shuffled_by_the_hash_of_each_position() -> None:
    """The whole order of one pack."""
    order = chance.shuffled(PLAIN_PACK, DEAL_SEED)
    assert " ".join(order) == (
        "TD AC 3S KH QH 7C 4C 4D 8D JD QS TH 3D 9D AS 9C 5H 9S 5D 3H TS 6C KS 6D 7S JH 4S 5C 6S QD TC QC AD 5S KD "
        "6H 4H 7D 8H 9H 3C 7H JS 2H 8C JC 2S 2D 8S AH 2C KC"
    )


def test_a_renewal_sorts_the_old_discards_in_the_same_way() -> None:
    """Bottom first; what a card is does not matter, only where it lay."""
    assert chance.shuffled(cards("7H 8H 9H TH JH"), DEAL_SEED) == cards("7H TH JH 9H 8H")


@given(st.lists(st.sampled_from(pack(2, 4)), max_size=120), st.binary(min_size=32, max_size=32))
def test_a_second_implementation_shuffles_alike(sequence: list[Card], seed: bytes) -> None:
    """Any cards, any seed; no card is lost."""
    order = chance.shuffled(sequence, seed.hex())
    assert Counter(order) == Counter(sequence)
    assert list(order) == shuffled(seed.hex(), sequence)


def test_nobody_derives_a_seed_who_was_not_given_the_game_s() -> None:
    """A viewer's table has none."""
    with pytest.raises(ValueError, match="without the game's seed"):
        chance.derived_seed(replace(table(None), game_seed=None), "deal:1")


# -- in a game


@pytest.fixture(scope="module")
def game() -> Game:
    """A game at whose table two of three seats added a text, played to its end."""
    started = Game(
        game_seed=SEED, reveal="deal", house_rules={"deal_count": 3, "stock_exhaustion": "reshuffle_keep_top"}
    ).started(["pepper", None, "Salz"])
    return started.play_out(any_move(random.Random(4)))


def test_the_game_seed_is_committed_to_before_anybody_sits_down(game: Game) -> None:
    """In the first commit, while the entropies come later."""
    created = game.commits[0].events[0]
    assert isinstance(created, GameCreated)
    assert created.commitment == hashlib.sha256(bytes.fromhex(SEED)).hexdigest()
    assert isinstance(game.commits[1].command, TakeSeat)


def test_every_deal_can_be_dealt_again(game: Game) -> None:
    """One card at a time from the front, the seat after the dealer first, the extra card last, then the stock."""
    deals = [event for commit in game.commits for event in commit.events if isinstance(event, DealStarted)]
    assert len(deals) == 3
    for deal in deals:
        seed = derived(f"deal:{deal.number}", ["pepper", "", "Salz"])
        assert deal.commitment == hashlib.sha256(bytes.fromhex(seed)).hexdigest()
        front = shuffled(seed, PLAIN_PACK)
        hands: dict[int, list[Card]] = {0: [], 1: [], 2: []}
        for turn in range(7 * 3 + 1):
            hands[(deal.dealer + 1 + turn) % 3].append(front[turn])
        assert [list(cards_of(hand)) for hand in deal.hands] == [hands[0], hands[1], hands[2]]
        assert list(cards_of(deal.stock)) == front[22:]
        assert deal.starter == (deal.dealer + 1) % 3


def test_every_renewal_can_be_shuffled_again(game: Game) -> None:
    """``renew:<deal>:<k>``, from the discards as they lay."""
    found = 0
    for commit, before in zip(game.commits, game.tables, strict=False):
        for event in commit.events:
            if isinstance(event, StockRenewed):
                found += 1
                seed = derived(f"renew:{before.deal.number}:{event.number}", ["pepper", "", "Salz"])
                assert event.commitment == hashlib.sha256(bytes.fromhex(seed)).hexdigest()
                assert list(cards_of(event.stock)) == shuffled(seed, before.deal.discard_pile[:-1])
                assert event.kept == before.deal.discard_pile[-1:]
    assert found, "the stock never ran out"


def test_the_seeds_of_the_deals_are_revealed_after_each(game: Game) -> None:
    """With ``"reveal": "deal"`` anybody can redo a shuffle as soon as the deal is over."""
    revealed = [
        event for commit in game.commits for event in commit.events if isinstance(event, SeedsRevealed)
    ]
    assert [(event.deal, event.deal_seed) for event in revealed] == [
        (number, derived(f"deal:{number}", ["pepper", "", "Salz"])) for number in (1, 2, 3)
    ]
    assert all(event.game_seed is None for event in revealed)


@pytest.mark.parametrize(("reveal", "seeds"), [("game", [SEED]), ("never", [])])
def test_the_game_seed_is_revealed_at_the_end_or_never(reveal: str, seeds: list[str]) -> None:
    """``"game"`` opens everything at once; ``"never"`` nothing at all."""
    game = Game(game_seed=SEED, reveal=reveal, house_rules={"deal_count": 1}).started()  # type: ignore[arg-type]
    game.play_out(any_move(random.Random(1)))
    revealed = [
        event for commit in game.commits for event in commit.events if isinstance(event, SeedsRevealed)
    ]
    assert [event.game_seed for event in revealed] == seeds


def test_the_draw_for_the_first_dealer_can_be_repeated() -> None:
    """``dealer:<k>`` for round k: one card to each, those tied for lowest again."""
    for number in range(40):
        game = Game(game_seed=f"{number:064x}", seats=6).started()
        started = game.commits[-1].events[0]
        assert isinstance(started, GameStarted)
        drawing = list(range(6))
        for place, drawn in enumerate(started.draws, 1):
            message = f"dealer:{place}:|||||".encode()
            seed = hmac.new(bytes.fromhex(f"{number:064x}"), message, hashlib.sha256).hexdigest()
            front = shuffled(seed, PLAIN_PACK)
            assert [(one.seat, one.card) for one in drawn] == list(zip(drawing, front, strict=False))
            ranks = ["A23456789TJQK".index(one.card[0]) for one in drawn]
            drawing = [one.seat for one, rank in zip(drawn, ranks, strict=True) if rank == min(ranks)]
        assert drawing == [started.dealer]
