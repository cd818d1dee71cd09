// What the listed moves offer for the cards that are picked. No rule is known here: what is not listed is not offered.

import { sameCards } from "./cards.js";

const NOTHING = {
  draws: [], lays: [], layOffs: [], reclaims: [], discard: null, returnDraw: null, declineDiscard: null, decline: null,
  penalty: null, wilds: [], together: [],
};

const single = (list, card) => list.length === 1 && list[0] === card;

/** Commands by what they are for: all of those that need no cards, and those that the picked cards allow. */
export function offers(moves, picked) {
  if (!moves) return NOTHING;
  const found = { ...NOTHING, draws: [], lays: [], layOffs: [], reclaims: [], wilds: [], together: [] };
  for (const move of moves) {
    switch (move.type) {
      case "draw":
        found.draws.push(move);
        break;
      case "lay_meld":
        if (picked.length && sameCards(move.cards, picked)) found.lays.push(move);
        break;
      case "lay_off":
        if (picked.length && sameCards(move.cards, picked)) found.layOffs.push(move);
        break;
      case "reclaim":
        if (single(picked, move.card)) found.reclaims.push(move);
        break;
      case "discard":
        if (single(picked, move.card)) found.discard = move;
        break;
      case "return_draw":
        found.returnDraw = move;
        break;
      case "decline_discard":
        found.declineDiscard = move;
        break;
      case "decline":
        found.decline = move;
        break;
      case "add_penalty":
        found.penalty = move;
        break;
      case "name_wild":
        found.wilds.push(move);
        break;
      default:
        if (move.commands) found.together.push(move);
    }
  }
  return found;
}

/** Melds that could be laid now, one entry for the same cards, with every reading of them; longest first. */
export function possibleMelds(moves) {
  const groups = new Map();
  for (const move of moves ?? []) {
    if (move.type !== "lay_meld") continue;
    const key = [...move.cards].sort().join(" ");
    if (!groups.has(key)) groups.set(key, { cards: move.cards, moves: [] });
    groups.get(key).moves.push(move);
  }
  return [...groups.values()].sort((one, other) => other.cards.length - one.cards.length);
}

/** Cards that could be added to melds on the table, or put in a wild's place. */
export const possibleAdditions = (moves) =>
  (moves ?? []).filter((move) => move.type === "lay_off" || move.type === "reclaim");

/** What a card dropped on a meld would do. */
export const dropsOn = (found, meld) =>
  [...found.layOffs, ...found.reclaims].filter((move) => move.meld === meld);

/** What the discard pile offers: how many cards may be taken at once. */
export const takes = (found) =>
  found.draws.filter((move) => move.source === "discard").sort((one, other) => (one.count ?? 1) - (other.count ?? 1));

export const stockDraw = (found) => found.draws.find((move) => move.source === "stock") ?? null;

/** One list of several melds laid together, as the service wants it. */
export const laidTogether = (melds) => ({
  commands: melds.map(({ cards, reads_as }) => ({ type: "lay_meld", cards, reads_as })),
});
