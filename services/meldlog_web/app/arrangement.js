// The order in which a hand is held. Copies of a card are told apart, so every card has a number of its own here.

import { sorted } from "./cards.js";

/** The items of a hand: those that are still held stay where they are, new cards come to the end. */
export function reconcile(items, hand) {
  const left = [...hand];
  const kept = [];
  for (const item of items) {
    const place = left.indexOf(item.card);
    if (place < 0) continue;
    left.splice(place, 1);
    kept.push(item);
  }
  if (!left.length && kept.length === items.length) return items;
  let next = Math.max(0, ...items.map((item) => item.id)) + 1;
  return [...kept, ...left.map((card) => ({ id: next++, card }))];
}

/** The items with one of them moved to another place. */
export function moved(items, id, to) {
  const from = items.findIndex((item) => item.id === id);
  if (from < 0) return items;
  const next = [...items];
  const [item] = next.splice(from, 1);
  next.splice(Math.max(0, Math.min(to, next.length)), 0, item);
  return next;
}

/** The items sorted by suit or by rank. */
export function sortedItems(items, by, wild) {
  const cards = sorted(items.map((item) => item.card), by, wild);
  const left = [...items];
  return cards.map((card) => left.splice(left.findIndex((item) => item.card === card), 1)[0]);
}
