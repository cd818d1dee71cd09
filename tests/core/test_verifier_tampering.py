"""Whatever somebody changes in a log, the stand-alone verifier finds, at the version where it was changed."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from tests.support.forge import Forge, Node, small_game, whole_game
from tests.support.tamper import edited, event_of, export, resealed, version_of

from meldlog_contracts.verifier import Report, verify

GAME = whole_game()
SMALL = small_game()
DEAL = version_of(GAME.lines, "deal_started")


def first_fault(report: Report) -> tuple[str, int | None]:
    """Name and version of the fault to look at first."""
    assert report.first_fault is not None
    assert not report.ok
    return report.first_fault.name, report.first_fault.version


def details(report: Report) -> str:
    """What the report says about faults."""
    return " / ".join(check.detail for check in report.checks if check.verdict == "fault")


# -- a byte, a line

SUBSTITUTIONS: dict[str, Callable[[int], bytes]] = {
    "lowest bit": lambda byte: bytes([byte ^ 1]),
    "letter case": lambda byte: bytes([byte ^ 0x20]),
    "no UTF-8": lambda byte: bytes([byte ^ 0x80]),
    "quotation mark or zero": lambda byte: b'"' if byte != ord('"') else b"0",
    "line feed": lambda _: b"\n",
    "nothing": lambda _: b"",
    "twice": lambda byte: bytes([byte, byte]),
}


@pytest.mark.parametrize("substitution", SUBSTITUTIONS)
@pytest.mark.parametrize("viewer", ["operator", "seat"])
def test_a_change_of_any_byte_is_found_at_its_version(viewer: str, substitution: str) -> None:
    """Every byte of every line of a small log, in the full export and in a seat's."""
    lines = SMALL.lines if viewer == "operator" else export(SMALL.lines, 1)
    assert verify(lines).ok
    substitute = SUBSTITUTIONS[substitution]
    # Two kinds of change are tried at every byte, the others, to save time, at every fifth.
    stride = 1 if substitution in ("lowest bit", "quotation mark or zero") else 5
    for at, line in enumerate(lines):
        for place in range(at % stride, len(line), stride):
            changed = line[:place] + substitute(line[place]) + line[place + 1 :]
            report = verify([*lines[:at], changed, *lines[at + 1 :]])
            assert first_fault(report)[1] == at + 1, (at + 1, place, changed)


def test_a_line_taken_out_doubled_or_moved_is_found_where_it_was() -> None:
    """Versions must follow one another."""
    lines = GAME.lines
    for at in range(len(lines) - 1):
        assert first_fault(verify([*lines[:at], *lines[at + 1 :]])) == ("contiguity", at + 1)
        assert first_fault(verify([*lines[: at + 1], *lines[at:]])) == ("contiguity", at + 2)
        swapped = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
        assert first_fault(verify(swapped)) == ("contiguity", at + 1)
    assert first_fault(verify([*lines, lines[-1]])) == ("contiguity", len(lines) + 1)
    assert first_fault(verify([*lines, b""])) == ("canonical", len(lines) + 1)


def test_the_log_of_another_game_cannot_be_slipped_in() -> None:
    """Links differ from version 1 on, which hangs on the game's id."""
    other = Forge(game_id="g-9")
    other.take_seats()
    assert first_fault(verify([*GAME.lines[:2], *other.lines[2:]])) == ("chain", 3)


@pytest.mark.parametrize("key", ["hash", "prev"])
def test_a_link_names_the_line_that_was_changed(key: str) -> None:
    """A changed `hash` is its own line's fault, a changed `prev` the fault of the line that holds it."""
    lines = edited(GAME.lines, 9, lambda commit: commit.update({key: "0" * 64}), rehash=False)
    report = verify(lines)
    assert [
        (check.name, check.version, check.count) for check in report.checks if check.verdict == "fault"
    ] == [("chain", 9, 1)]


def test_a_line_whose_own_hash_was_made_to_fit_is_missed_by_the_next_one() -> None:
    """Its successor still points to the line that was there before."""
    forged = edited(GAME.lines, 9, lambda commit: commit.update(at="later"))[8]
    report = verify([*GAME.lines[:8], forged, *GAME.lines[9:]])
    assert first_fault(report) == ("chain", 10)
    assert "prev of version 10 is not the hash of version 9" in details(report)


def test_a_first_commit_must_hang_on_the_games_id() -> None:
    """Prev of version 1 is the hash of the id."""

    def rename(commit: Node) -> None:
        event_of(commit, "game_created")["game_id"] = "g-2"

    report = verify(edited(GAME.lines, 1, rename))
    assert first_fault(report) == ("chain", 1)
    assert "the hash of the game id" in details(report)


# -- a tail written anew, hashes and all, by somebody without the game seed


def swap(cards: list[str]) -> list[str]:
    """The first two cards the other way round."""
    return [cards[1], cards[0], *cards[2:]]


def change_field(event_type: str, **fields: object) -> Callable[[Node], None]:
    """Set fields of an event."""
    return lambda commit: event_of(commit, event_type).update(fields)


def change_secret(
    event_type: str, read: Callable[[Node], Node], make: Callable[[list[str]], object]
) -> Callable[[Node], None]:
    """Put another value into a secret of an event, with a seal that fits."""

    def change(commit: Node) -> None:
        secret = read(event_of(commit, event_type))
        resealed(secret, make(secret["value"]))

    return change


def drawn_card(value: object) -> Callable[[Node], None]:
    """Put another value into the card of a draw, with a seal that fits."""
    return change_secret("card_drawn", lambda event: event["card"], lambda _: value)


def hand(seat: int) -> Callable[[Node], Node]:
    """A seat's hand in `deal_started`."""
    return lambda event: event["hands"][seat]


def value_without_seal(commit: Node) -> None:
    """Open another card than the one sealed."""
    event_of(commit, "card_drawn")["card"]["value"] = "AS"


def new_salt(commit: Node) -> None:
    """Seal the same card with a salt of one's own."""
    card = event_of(commit, "card_drawn")["card"]
    card["salt"] = "0" * 32
    resealed(card, card["value"])


def two_members(commit: Node) -> None:
    """Leave the salt out only."""
    del event_of(commit, "card_drawn")["card"]["salt"]


def no_longer_sealed(commit: Node) -> None:
    """Tell a card that should be sealed."""
    event = event_of(commit, "card_drawn")
    event["card"] = event["card"]["value"]


def two_under_one_name(commit: Node) -> None:
    """A second hand under the first one's path."""
    event = event_of(commit, "deal_started")
    event["hands.0"] = event["hands"][0]


def lose_a_card(commit: Node) -> None:
    """Show one card fewer at the end of the deal."""
    event_of(commit, "deal_scored")["hands"][0].pop()


def gain_a_card(commit: Node) -> None:
    """Show one card more."""
    event_of(commit, "deal_scored")["hands"][0].append("AS")


def turn_up_another(commit: Node) -> None:
    """Another card in the second round of the draw for the first dealer."""
    event_of(commit, "game_started")["draws"][1][0]["card"] = "AS"


STOCK = change_secret("deal_started", lambda event: event["stock"], swap)
FORGERIES: list[tuple[str, int, Callable[[Node], object], str, str]] = [
    ("deal_started", 1, change_secret("deal_started", hand(1), swap), "shuffles", "not lie in the order"),
    ("deal_started", 2, STOCK, "shuffles", "not lie in the order"),
    ("deal_started", 1, change_field("deal_started", upcard="AS"), "shuffles", "not lie in the order"),
    ("deal_started", 1, change_field("deal_started", dealer=1), "shuffles", "not lie in the order"),
    ("deal_started", 1, change_field("deal_started", dealer=3), "contiguity", "one of 3 seats"),
    ("deal_started", 1, change_field("deal_started", hands=[]), "contiguity", "one of 0 seats"),
    ("deal_started", 1, change_field("deal_started", commitment="0" * 64), "commitments", "commitment for deal:1"),
    ("deal_started", 1, two_under_one_name, "seals", "go by the name hands.0"),
    ("seat_taken", 2, change_field("seat_taken", entropy="x"), "shuffles", "draw for the first dealer"),
    ("seat_taken", 2, change_field("seat_taken", seat=3), "contiguity", "not a seat of this game"),
    ("game_started", 1, change_field("game_started", draws=["AS"]), "contiguity", "not a list of rounds"),
    ("game_started", 1, turn_up_another, "shuffles", "draw for the first dealer"),
    ("game_created", 1, lambda commit: commit["events"].clear(), "contiguity", "creates no game"),
    ("game_created", 1, change_field("game_created", commitment="0" * 64), "commitments", "not to its game seed"),
    ("card_drawn", 1, drawn_card("AS"), "draws", "in front"),
    ("card_drawn", 1, drawn_card("1X"), "conservation", "not a card"),
    ("card_drawn", 1, drawn_card(["AS", "2S"]), "seals", "counts 1"),
    ("card_drawn", 1, drawn_card(7), "seals", "not made of text"),
    ("card_drawn", 1, value_without_seal, "seals", "not what was sealed"),
    ("card_drawn", 1, new_salt, "seals", "does not follow from the game seed"),
    ("card_drawn", 1, two_members, "seals", "has the members count seal value"),
    ("card_drawn", 1, no_longer_sealed, "seals", "should be a sealed value"),
    ("card_drawn", 1, change_field("card_drawn", seat=5), "conservation", "no seat 5"),
    ("card_drawn", 1, change_field("card_drawn", seat=-1), "contiguity", "not a number"),
    ("card_discarded", 1, change_field("card_discarded", card="KS"), "conservation", "without holding it"),
    ("card_discarded", 1, change_field("card_discarded", card="??"), "conservation", "not a card"),
    ("card_discarded", 1, change_field("card_discarded", card=None), "conservation", "not a card"),
    ("meld_laid", 1, change_field("meld_laid", cards=["KS", "KS", "KS"]), "conservation", "without holding it"),
    ("meld_laid", 2, change_field("meld_laid", meld=1), "conservation", "a second time"),
    ("card_laid_off", 1, change_field("card_laid_off", meld=2), "conservation", "no meld 2"),
    ("wild_reclaimed", 1, change_field("wild_reclaimed", wild="JK"), "conservation", "holds no JK"),
    ("wild_reclaimed", 1, change_field("wild_reclaimed", card="JK"), "conservation", "without holding it"),
    ("discards_taken", 2, change_field("discards_taken", cards=["KS", "KS"]), "conservation", "on top of the"),
    ("draw_returned", 1, change_field("draw_returned", cards=["KS"]), "conservation", "without holding it"),
    ("stock_renewed", 1, change_field("stock_renewed", kept=[]), "conservation", "not made of the old discards"),
    ("stock_renewed", 1, change_field("stock_renewed", kept=["JK"]), "conservation", "does not lie in the"),
    ("stock_renewed", 1, change_field("stock_renewed", commitment="0" * 64), "commitments", "renew:1:1"),
    ("stock_renewed", 1, change_field("stock_renewed", shuffled=False), "shuffles", "not lie in the order"),
    ("stock_renewed", 1, change_secret("stock_renewed", lambda event: event["stock"], swap), "shuffles", "not lie in"),
    ("deal_scored", 1, lose_a_card, "conservation", "holds more cards"),
    ("deal_scored", 1, gain_a_card, "conservation", "without holding it"),
    ("deal_scored", 1, change_field("deal_scored", hands=[]), "contiguity", "not 3 hands"),
    ("seeds_revealed", 1, change_field("seeds_revealed", game_seed="0" * 64), "commitments", "committed to before"),
    ("seeds_revealed", 1, change_field("seeds_revealed", game_seed="0"), "commitments", "committed to before"),
    ("seeds_revealed", 1, change_field("seeds_revealed", deal=1, deal_seed="0" * 64), "commitments", "of deal 1"),
    ("seeds_revealed", 1, change_field("seeds_revealed", deal=9, deal_seed="0" * 64), "commitments", "of deal 9"),
    ("turn_passed", 1, change_field("turn_passed", type="turn_skipped"), "contiguity", "older than the log"),
    ("turn_passed", 1, change_field("turn_passed", type="game_created"), "contiguity", "and only there"),
    ("turn_passed", 1, lambda commit: commit.update(schema=2), "contiguity", "older than the log"),
    ("turn_passed", 1, lambda commit: commit.update(schema="1"), "contiguity", "not a number that a schema has"),
    ("turn_passed", 1, lambda commit: commit.update(schema=True), "contiguity", "not a number that a schema"),
    ("turn_passed", 1, lambda commit: commit.update(schema=-1), "contiguity", "not a number that a schema has"),
    ("turn_passed", 1, lambda commit: commit.pop("at"), "contiguity", "has no at"),
    ("turn_passed", 1, lambda commit: commit.update(events={}), "contiguity", "no list of events"),
    ("turn_passed", 1, lambda commit: commit.update(events=["turn_passed"]), "contiguity", "not an object"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("where", "number", "change", "name", "detail"),
    FORGERIES,
    ids=[f"{row[0]}, {row[4]}" for row in FORGERIES],
)
def test_a_forged_tail_is_found_where_it_begins(
    where: str, number: int, change: Callable[[Node], object], name: str, detail: str
) -> None:
    """Its hashes fit; the seals, the seeds or the cards do not."""
    version = version_of(GAME.lines, where, number)
    report = verify(edited(GAME.lines, version, change))
    assert detail in details(report)
    found = {(check.name, check.version) for check in report.checks if check.verdict == "fault"}
    if where == "seat_taken" and name == "shuffles":
        version = version_of(GAME.lines, "game_started")  # a text is wrong only once it is used
    assert (name, version) in found
    assert first_fault(report)[1] == version


@pytest.mark.parametrize("viewer", [None, 0])
def test_seals_that_changed_hands_are_found_when_the_seed_is_revealed(viewer: int | None) -> None:
    """Two closed hands exchanged, by somebody who cannot open them."""

    def exchange(commit: Node) -> None:
        hands = event_of(commit, "deal_started")["hands"]
        hands[1], hands[2] = hands[2] | {"count": 6}, hands[1] | {"count": 5}

    lines = edited(export(GAME.lines, viewer), DEAL, exchange)
    assert first_fault(verify(lines)) == ("seals", DEAL)
    assert verify(lines[:-1]).ok


def test_a_closed_draw_that_was_not_the_front_of_the_stock_is_found_when_the_seed_is_revealed() -> None:
    """The seal on the card drawn is compared with the seal of the card that the shuffle put there."""
    version = version_of(GAME.lines, "card_drawn")
    lines = edited(
        export(GAME.lines, None), version, change_field("card_drawn", card={"count": 1, "seal": "0" * 64})
    )
    assert first_fault(verify(lines)) == ("seals", version)
    assert verify(lines[:-1]).ok


def test_a_closed_hand_cannot_play_what_its_shuffle_did_not_give_it() -> None:
    """Known from the revealed seed, though the hand is closed."""
    version = version_of(GAME.lines, "card_discarded")
    lines = edited(export(GAME.lines, None), version, change_field("card_discarded", card="KS"))
    assert first_fault(verify(lines)) == ("conservation", version)


def test_an_unseen_card_cannot_be_one_that_lies_elsewhere() -> None:
    """Even with every hand closed and no seed known, the packs hold each card so many times."""
    game = Forge()
    game.take_seats()
    game.deal(3, 3, 3)
    game.draw(1)
    game.discard(1)
    upcard = game.pile[0]
    lines = edited(export(game.lines, None), 7, change_field("card_discarded", card=upcard))
    report = verify(lines)
    assert first_fault(report) == ("conservation", 7)
    assert f"{upcard} is in 2 places at once" in details(report)
    assert verify(edited(export(game.lines, None), 7, change_field("card_discarded", card=game.stock[0]))).ok


def test_cards_move_only_after_they_were_dealt() -> None:
    """And are drawn only while there is a stock."""
    game = Forge()
    game.hands, game.stock = [["AS"]], ["2S"]
    game.draw(0)
    report = verify(game.lines)
    assert first_fault(report) == ("conservation", 2)
    game = Forge(entropies=(None, None, None))
    game.deal(3, 3, 3)
    game.use_up_stock(0)
    game.stock = ["2S"]
    game.draw(0)
    report = verify(game.lines)
    assert first_fault(report) == ("conservation", 4)
    assert "empty stock" in details(report)


def test_a_fault_in_one_deal_does_not_hide_what_the_next_deal_proves() -> None:
    """Cards are not followed to the end of the deal; the next deal begins anew."""
    version = version_of(GAME.lines, "card_discarded")
    report = verify(edited(GAME.lines, version, change_field("card_discarded", card="KS")))
    counts = {(check.name, check.verdict): check.count for check in report.checks}
    assert counts["conservation", "fault"] == 1
    assert counts["conservation", "not_provable"] > 10
    assert counts["shuffles", "proved"] > 0
    assert counts["draws", "proved"] == 1


def test_a_fork_that_goes_on_from_another_commit_is_refused() -> None:
    """It names the game, the version and the hash of the commit before it."""
    game = whole_game(reveal=False)
    game.fork("g-2", bytes(32))
    fork = len(game.lines)
    for fields in ({"from": "g-3"}, {"version": fork}, {"head": "0" * 64}):
        assert first_fault(verify(edited(game.lines, fork, change_field("game_forked", **fields)))) == (
            "chain",
            fork,
        )


def test_a_deal_dealt_from_another_seed_than_the_games_is_found_though_its_commitment_fits() -> None:
    """Whoever deals from a seed of his own is found once the game seed is known, if not before."""
    game = Forge()
    game.take_seats()
    honest, game.seed = game.seed, bytes(32)
    game.deal(3, 3, 3)
    game.reveal_deal()
    assert verify(export(game.lines, None)).ok
    game.seed = honest
    game.reveal_game()
    assert first_fault(verify(export(game.lines, None))) == ("commitments", 5)


def test_a_card_put_in_the_place_of_any_card_is_found() -> None:
    """In every event that moves cards; what a wild reads as and which ranks are wild, only an audit can judge."""
    for version in range(DEAL, GAME.version):
        for index, event in enumerate(json.loads(GAME.lines[version - 1])["events"]):
            for key in {"card", "cards", "wild"} & event.keys():
                if event["type"] == "wild_named" or isinstance(event[key], dict):
                    continue

                def forge(commit: Node, index: int = index, key: str = key) -> None:
                    event = commit["events"][index]
                    event[key] = ["JK", *event[key][1:]] if isinstance(event[key], list) else "JK"

                assert first_fault(verify(edited(GAME.lines, version, forge))) == ("conservation", version)
