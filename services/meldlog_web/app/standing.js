// Who came where in the end: equals share a place, and the next one is counted after all of them.

import { sideOf } from "./fold.js";

/**
 * Every side's place, best first: `{ side, place, isShared }`. The rules rank the seats; equal are neighbours in that
 * ranking with equal totals, both of whom won or neither.
 */
export function standing({ seats, totals, result }) {
  const sides = [...new Set(result.ranking.map((seat) => sideOf(seats[seat])))];
  const winners = new Set(result.winners.map((seat) => sideOf(seats[seat])));
  const areEqual = (one, other) =>
    one !== undefined && other !== undefined && totals[one] === totals[other] && winners.has(one) === winners.has(other);
  let place = 0;
  return sides.map((side, at) => {
    const [before, after] = [sides[at - 1], sides[at + 1]];
    if (!areEqual(before, side)) place = at + 1;
    return { side, place, isShared: areEqual(before, side) || areEqual(side, after) };
  });
}
