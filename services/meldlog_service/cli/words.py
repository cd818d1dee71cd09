"""Commands and events in words, as `meldlog replay` tells them; needs no rules, so it reads every log."""

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, fields

from meldlog_contracts.cards import Card
from meldlog_contracts.commands import Batch, Command
from meldlog_contracts.events import CardLaidOff, Event, MeldLaid
from meldlog_contracts.sealed import Sealed, cards_of

_JOINERS = "\u200c\u200d"
"""Characters that are not shown themselves but that names in Persian and Arabic need."""

_UNTOLD = frozenset({"token_hash", "host_token_hash", "seat_token_hashes", "game_id"})
"""Fields of a command that say nothing about what was asked for."""


def shown(text: str) -> str:
    """Foreign text made safe for a terminal: what could move the cursor or turn the line round is replaced."""
    return "".join(
        one if one.isprintable() or one in _JOINERS else "\N{REPLACEMENT CHARACTER}" for one in text
    )


def meaning(card: Card, reads_as: Card) -> str:
    """A card of a meld, with what it stands for where that is something else."""
    return card if card == reads_as else f"{card}={reads_as}"


def command_words(command: Command) -> str:
    """A command in a line: its type and what it says besides."""
    if isinstance(command, Batch):
        return "; ".join(command_words(one) for one in command.commands)
    said = [
        f"{field.encode_name} {_value(value)}"
        for field in fields(command)
        if (value := getattr(command, field.name)) != field.default and field.name not in _UNTOLD and value
    ]
    return ", ".join([_tag(command).replace("_", " "), *said])


SENTENCES = {
    "card_discarded": "seat {seat} discards {card}",
    "card_drawn": "seat {seat} draws {card}",
    "card_laid_off": "seat {seat} lays off on meld {meld}: {melded}",
    "deal_ended": "the deal ends: {reason}",
    "deal_scored": "points {points}, totals {totals}",
    "deal_started": "seat {dealer} deals deal {number}, seat {starter} starts, upcard {upcard}",
    "discards_taken": "seat {seat} takes {cards} from the discard pile",
    "draw_returned": "seat {seat} puts {cards} back on the discard pile",
    "game_created": "a game of {variant} for {seats} is created",
    "game_ended": "the game is over, the winners are {winners}",
    "game_forked": "a new game goes on from version {version} of game {from_game}",
    "game_started": "the game starts, seat {dealer} deals first",
    "meld_laid": "seat {seat} lays meld {meld}, a {kind}: {melded}",
    "penalty_added": "seat {seat} takes {points} penalty points",
    "penalty_offered": "seat {seat} may take {points} penalty points",
    "rules_noted": "{plugin} notes {data}",
    "seat_handed_over": "seat {seat} is played by the bot {strategy} from now on",
    "seat_left": "seat {seat} is empty again",
    "seat_taken": "{name} ({kind}) takes seat {seat}",
    "seeds_revealed": "seeds are revealed",
    "stock_renewed": "the discard pile becomes the stock, time {number} in this deal",
    "turn_passed": "seat {seat} is next: {phase}",
    "wild_named": "wild in this deal: {wild}",
    "wild_reclaimed": "seat {seat} gives {card} for the {wild} of meld {meld} that stands for {reads_as}",
}
"""What is said of each type of event; fields as they are called in the event, and `melded` for the cards of a meld."""


_WORDS = frozenset({"phase", "reason"})
"""Fields whose values are words of ours, joined by underscores."""


def event_words(event: Event) -> str:
    """An event as a sentence without its full stop."""
    said = {name: _value(value) for name, value in asdict(event).items()}
    if isinstance(event, MeldLaid | CardLaidOff):
        said["melded"] = " ".join(map(meaning, event.cards, event.reads_as))
    for name in _WORDS & said.keys():
        said[name] = said[name].replace("_", " ")
    return SENTENCES[_tag(event)].format_map(said)


def _value(value: object) -> str:
    match value:
        case None:
            return "none"
        case Sealed():
            return _value(cards_of(value))
        case tuple():
            return " ".join(map(_value, value)) or "none"
        case str():
            return shown(value)
        case _:
            return msgspec.json.encode(value).decode()


def _tag(tagged: Struct) -> str:
    return str(tagged.__struct_config__.tag)
