// The command that was sent and has no answer yet, so that a page that is loaded anew sends it again under its key.

import { remember, remembered } from "./store.js";

const STORAGE = "sessionStorage";
const nameOf = (game) => `pending.${game}`;

/** What waits for an answer: `{ key, version, command, by }`, or null. No token is kept here: `by` says whose it is. */
export const pendingAt = (game) => remembered(nameOf(game), null, STORAGE);

export const keepPending = (game, pending) => remember(nameOf(game), pending, STORAGE);

/** There is an answer. Another tab of the same page may have sent something else meanwhile: that stays. */
export function answered(game, key) {
  if (pendingAt(game)?.key === key) remember(nameOf(game), null, STORAGE);
}
