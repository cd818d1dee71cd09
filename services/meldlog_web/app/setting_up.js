// From what was chosen in the lobby to a table: create the game, sit down, begin where nobody is waited for.

import { Problem, api, newKey, newToken } from "./api.js";
import { keepPlace, placeAt } from "./places.js";

/**
 * Set a table up and say its id. `seats` are `{ kind: "me" | "person" | "bot", strategy }` in order.
 *
 * The host's token is told once, and kept before anything else is done.
 */
export async function setUp({
  variant, seats, name, houseRules = {}, options = [], listed = true, turnSeconds = null, start = false,
}) {
  const bots = {};
  seats.forEach((seat, number) => {
    if (seat.kind === "bot") bots[number] = seat.strategy;
  });
  const setup = { variant, seats, name, houseRules, options, listed, turnSeconds };
  const body = { variant, seats: seats.length, house_rules: houseRules, options, bots, listed, turn_seconds: turnSeconds };
  const created = await api.create(body);
  const game = created.game_id;
  keepPlace(game, { hostToken: created.host_token, setup });
  const mine = seats.findIndex((seat) => seat.kind === "me");
  if (mine >= 0) await sitDown(game, { name, seat: mine }, listed ? null : created.host_token);
  const waits = seats.some((seat) => seat.kind === "person");
  if (start && !waits) await api.command(game, { type: "start_game" }, created.host_token);
  return game;
}

/** Take a seat. Its token is made here and kept beforehand, so that no lost answer loses the seat. */
export function sitDown(game, { name, seat = null }, token = null) {
  const wanted = { name, seat, seatToken: newToken(), key: newKey() };
  keepPlace(game, { wanted });
  return take(game, wanted, token);
}

/** Go on where the page was left while a seat was being taken; a table that has no room for it is watched. */
export async function finishSitting(game) {
  const { wanted = null, hostToken = null } = placeAt(game);
  if (!wanted) return;
  try {
    await take(game, wanted, hostToken);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

async function take(game, { name, seat, seatToken, key }, token) {
  try {
    const answer = await api.sit(game, { name, seat, token: seatToken }, token, key);
    keepPlace(game, { seat: answer.seat, seatToken, wanted: null });
    return answer.seat;
  } catch (error) {
    if (error instanceof Problem) keepPlace(game, { wanted: null });
    throw error;
  }
}

/** The same people and rules again: bots sit down at once, people are sent the new table's address. */
export function again(table, place) {
  const mine = place.seat ?? null;
  const seats = table.seats.map((seat) => {
    if (seat.seat === mine) return { kind: "me" };
    if (seat.kind === "bot") return { kind: "bot", strategy: seat.strategy ?? "plain" };
    return { kind: "person" };
  });
  return {
    variant: table.variant,
    seats,
    name: table.seats[mine]?.name ?? "",
    houseRules: table.house_rules,
    options: table.options,
    listed: table.listed,
    turnSeconds: table.turn_seconds,
    start: true,
  };
}
