// The tokens of the games that this browser sits in, sets up, or sat in. They never leave it but to the service.

import { remember, remembered } from "./store.js";

const KEPT = 100;

const all = () => remembered("places", {});

/**
 * What this browser holds of a game: `{ seat, seatToken, hostToken, setup, wanted }`, any of them missing. `wanted` is a
 * seat that is being taken: `{ name, seat, seatToken, key }`.
 */
export const placeAt = (game) => all()[game] ?? {};

export function keepPlace(game, part) {
  const places = all();
  const { [game]: old = {}, ...others } = places;
  const kept = Object.entries(others).slice(-(KEPT - 1));
  return remember("places", { ...Object.fromEntries(kept), [game]: { ...old, ...part } });
}

export function giveUpSeat(game) {
  const { seat: _seat, seatToken: _token, ...rest } = placeAt(game);
  const places = all();
  remember("places", { ...places, [game]: rest });
}

/** Games in which this browser holds a seat, newest last. */
export const seatedGames = () => Object.entries(all()).filter(([, place]) => place.seatToken).map(([game]) => game);

/** Whether a place is of somebody who sits there, or opened the table. */
export const isHeld = ({ seatToken = null, hostToken = null }) => seatToken !== null || hostToken !== null;

/** The newest games that this browser sits in or opened, newest first. */
export const ownGames = (most) =>
  Object.entries(all()).filter(([, place]) => isHeld(place)).map(([game]) => game).slice(-most).reverse();
