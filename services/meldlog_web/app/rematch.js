// The same people again: the table that one of them opens is found by those who still look at the old one.

import { useEffect, useState } from "./h.js";
import { api } from "./api.js";
import { useAnswer } from "./loading.js";

const LOOKED_FOR_EVERY = 5000;

/** Names of the people at a table but for one seat. */
const othersAt = (table, seat) =>
  table.seats.filter((one) => one.kind === "player" && one.seat !== seat && one.name !== null).map((one) => one.name);

/**
 * Among open tables the one that somebody else of this table has opened since it `ended`, for the same game: `{ game, name }`,
 * or null. Nobody's name is proved; it is an open table with a free seat like any other.
 */
export function rematchOf(table, seat, ended, open) {
  const names = new Set(othersAt(table, seat));
  for (const game of open) {
    const isLike = game.variant === table.variant && game.seats.length === table.seats.length &&
      String(game.options) === String(table.options) && game.created_at > ended;
    const host = game.seats.find((one) => one.kind === "player" && names.has(one.name));
    if (isLike && host && game.seats.some((one) => one.name === null)) return { game: game.game_id, name: host.name };
  }
  return null;
}

/** The rematch of a finished table, once somebody else has opened it in the lobby; null until then. */
export function useRematch(table, seat, ended) {
  const looks = table.status === "finished" && othersAt(table, seat).length > 0;
  const [round, setRound] = useState(0);
  const { value } = useAnswer(
    () => (looks ? api.games({ status: "open", variant: table.variant, limit: 50 }) : Promise.resolve(null)), [looks, round]);
  useEffect(() => {
    if (!looks) return undefined;
    const timer = setInterval(() => document.hidden || setRound((one) => one + 1), LOOKED_FOR_EVERY);
    return () => clearInterval(timer);
  }, [looks]);
  return looks && value ? rematchOf(table, seat, ended, value.items) : null;
}
