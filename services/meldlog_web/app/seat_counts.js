// How many seats a new table may have, and how it comes from one such number to the next.

const PAIRS = [2, 4];

/** How many seats there may be, the fewest first: between a variant's bounds, and two or four where it is two against two. */
export function countsOf([least, most], teams) {
  const all = Array.from({ length: most - least + 1 }, (_, place) => least + place);
  const fit = all.filter((count) => teams !== "pairs" || PAIRS.includes(count));
  return fit.length ? fit : all;
}

/** The seats with so many bots more as the next number needs. */
export function withOneMore(seats, counts) {
  const next = counts.find((count) => count > seats.length) ?? seats.length;
  return [...seats, ...Array.from({ length: next - seats.length }, () => ({ kind: "bot", strategy: "plain" }))];
}

/** The seats without one, and without so many of the last besides as the next number needs; the reader keeps their own. */
export function withOneLess(seats, number, counts) {
  const next = counts.findLast((count) => count < seats.length) ?? seats.length - 1;
  let left = seats.filter((_, place) => place !== number);
  while (left.length > next) left = left.toSpliced(left.findLastIndex((seat) => seat.kind !== "me"), 1);
  return left;
}
