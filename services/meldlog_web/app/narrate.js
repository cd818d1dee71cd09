// What happened, in a sentence: for the list of the last moves, and for those who listen to them.

import { cardName, shortText, wildName } from "./cards.js";

/** How cards are told: as they are written, or as they are read out. */
export const written = (words) => (card) => `\u2066${shortText(card)}\u2069`;
export const spoken = (words) => (card) => cardName(card, words);

/** Sentences for a commit, most important first come in order of events. */
export function narrate(commit, table, words, tell, me = null) {
  const found = [];
  for (const event of commit.events) {
    const sentence = TOLD[event.type]?.(event, new Teller(table, words, tell, me));
    if (sentence) found.push(sentence);
  }
  return found;
}

class Teller {
  constructor(table, words, tell, me) {
    Object.assign(this, { table, words, tell, me });
  }

  who(seat) {
    return seat === this.me ? null : seatName(this.table.seats[seat], this.words);
  }

  cards(cards) {
    return this.words.list(cards.map(this.tell));
  }

  /** A sentence about somebody, or about "you". */
  say(key, seat, given = {}) {
    const name = this.who(seat);
    if (name === null) return this.words.term(`${key}.you`, this.table.variant, given);
    return this.words.term(key, this.table.variant, { name, ...given });
  }
}

// What the service calls a bot that was given no name: its strategy and its seat.
const BY_STRATEGY = /^([\w-]+) (\d+)$/;

/** A seat's name as it stands, but for a bot without one of its own: that is called in the reader's language. */
export function nameOf({ name, kind }, words) {
  const [, strategy, number] = (kind === "bot" && BY_STRATEGY.exec(name)) || [];
  const key = `bot.name.${strategy}`;
  return strategy && words.has(key) ? words.say(key, { number: Number(number) }) : name;
}

/** A seat's name in a sentence; empty seats are called empty, and the reader's own, `me`, is "You". */
export function seatName(seat, words, me = null) {
  if (!seat) return "";
  if (me !== null && seat.seat === me) return words.say("you");
  // Names are written in any direction: each is kept to itself.
  if (seat.name) return `\u2068${nameOf(seat, words)}\u2069`;
  return words.say("seat.empty", { number: seat.seat + 1 });
}

/** Names of some seats in a sentence, the reader's own first. */
export function seatNames(seats, table, words, me = null) {
  const ordered = [...seats].sort((one, other) => Number(other === me) - Number(one === me));
  return words.list(ordered.map((seat) => seatName(table.seats[seat], words, me)));
}

const TOLD = {
  seat_taken: (seat, { words, me }) =>
    seat.seat === me ? words.say("told.seat_taken.you") : words.say("told.seat_taken", { name: seatName(seat, words) }),
  seat_left: (_, { words }) => words.say("told.seat_left"),
  seat_handed_over: ({ seat }, teller) => teller.say("told.handed_over", seat),
  deal_started: ({ number, dealer }, teller) => teller.say("told.deal", dealer, { number }),
  wild_named: ({ wild }, { words, table }) =>
    words.term("told.wild", table.variant, { ranks: words.list(wild.map((rank) => wildName(rank, words))) }),
  card_drawn: ({ seat, card }, teller) => {
    const seen = card.value === undefined ? null : [card.value].flat()[0];
    if (seen && seat === teller.me) return teller.words.say("told.drew_card.you", { card: teller.tell(seen) });
    return teller.say("told.drew", seat);
  },
  discards_taken: ({ seat, cards }, teller) => teller.say("told.took", seat, { cards: teller.cards(cards) }),
  draw_returned: ({ seat }, teller) => teller.say("told.returned", seat),
  meld_laid: ({ seat, cards }, teller) => teller.say("told.laid", seat, { cards: teller.cards(cards) }),
  card_laid_off: ({ seat, cards, meld }, teller) =>
    teller.say("told.laid_off", seat, { cards: teller.cards(cards), meld }),
  wild_reclaimed: ({ seat, card, wild }, teller) =>
    teller.say("told.reclaimed", seat, { card: teller.tell(card), wild: teller.tell(wild) }),
  card_discarded: ({ seat, card }, teller) => teller.say("told.discarded", seat, { card: teller.tell(card) }),
  stock_renewed: (_, { words }) => words.say("told.renewed"),
  deal_ended: ({ reason, seat }, teller) =>
    reason === "went_out" && seat !== null
      ? teller.say("told.went_out", seat)
      : teller.words.say(`told.ended.${reason}`),
  penalty_added: ({ seat, points }, teller) => teller.say("told.penalty", seat, { points }),
  game_ended: ({ winners }, { words, table, me }) =>
    words.say("told.game_over", { count: winners.length, names: seatNames(winners, table, words, me) }),
};
