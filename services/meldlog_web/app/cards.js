// Cards: two characters of text, a rank and a suit, or JK for a joker.

export const RANKS = "A23456789TJQK";
export const SUITS = "SHDC";
export const JOKER = "JK";
const SYMBOLS = { S: "♠", H: "♥", D: "♦", C: "♣", X: "" };

export const rankOf = (card) => (card === JOKER ? JOKER : card[0]);
export const suitOf = (card) => (card === JOKER ? "" : card[1]);
export const isCourt = (card) => card !== JOKER && "JQK".includes(card[0]);

/** How a rank is written on a card. */
export const rankText = (rank) => (rank === "T" ? "10" : rank === JOKER ? "★" : rank);

/** A card as a short text: 7♥. */
export function shortText(card) {
  return card === JOKER ? "★" : rankText(card[0]) + SYMBOLS[card[1]];
}

/** A card's name to be read out: seven of hearts. */
export function cardName(card, words) {
  if (card === JOKER) return words.say("card.joker");
  if (card === "??") return words.say("card.hidden");
  const rank = words.say(`rank.${card[0]}`);
  return card[1] === "X" ? rank : words.say("card.name", { rank, suit: words.say(`suit.${card[1]}`) });
}

/** A wild rank's name: nines, or jokers. */
export const wildName = (rank, words) => (rank === JOKER ? words.say("card.joker") : words.say(`rank.${rank}`));

export const isWild = (card, wild) => wild.includes(rankOf(card));

const bySuit = (card) => SUITS.indexOf(suitOf(card)) * 20 + RANKS.indexOf(rankOf(card));
const byRank = (card) => RANKS.indexOf(rankOf(card)) * 20 + SUITS.indexOf(suitOf(card));

/** The cards in order, wilds last. */
export function sorted(cards, by, wild) {
  const place = by === "rank" ? byRank : bySuit;
  const weight = (card) => (isWild(card, wild) ? 10_000 : 0) + place(card);
  return [...cards].sort((one, other) => weight(one) - weight(other));
}

/** The cards without some of them, each taken once; null when one is not among them. */
export function without(cards, gone) {
  const left = [...cards];
  for (const card of gone) {
    const place = left.indexOf(card);
    if (place < 0) return null;
    left.splice(place, 1);
  }
  return left;
}

/** Whether two lists hold the same cards, in whatever order. */
export function sameCards(some, others) {
  return some.length === others.length && without(some, others)?.length === 0;
}

/** The order that a hand was given by its owner, kept as cards come and go: new ones stand at the end. */
export function arranged(hand, order) {
  const left = [...hand];
  const kept = [];
  for (const card of order) {
    const place = left.indexOf(card);
    if (place >= 0) kept.push(...left.splice(place, 1));
  }
  return [...kept, ...left];
}
