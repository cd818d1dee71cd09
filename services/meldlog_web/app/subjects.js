// What rules are about: house rules and clauses stand under the same headings, told by the beginnings of the clauses.

// In the order in which they are shown.
const SUBJECTS = {
  deal: ["table", "deal", "game"],
  wild: ["wild", "joker", "reclaim", "lone-two"],
  meld: ["card", "set", "run", "meld", "first-round"],
  draw: ["turn", "draw", "discard", "one-card", "stock"],
  lay: ["open", "close", "layoff", "final-discard"],
  score: ["score", "press"],
  bet: ["bet"],
};

/** What something is about, of which `clauseOf` knows the clause: `[{ subject, items }]`; nothing is left out. */
export function bySubject(all, clauseOf) {
  const subjectOf = (item) => {
    const beginning = clauseOf(item)?.split(".")[0];
    return Object.keys(SUBJECTS).find((subject) => SUBJECTS[subject].includes(beginning)) ?? "other";
  };
  return [...Object.keys(SUBJECTS), "other"]
    .map((subject) => ({ subject, items: all.filter((item) => subjectOf(item) === subject) }))
    .filter(({ items }) => items.length > 0);
}
