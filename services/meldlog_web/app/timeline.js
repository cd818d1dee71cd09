// The moments of a game: which version begins a deal, which a turn.

/** `{ first, last, deals: [{ number, version }], turns: [version, …] }` of a log. */
export function timeline(commits) {
  const found = { first: commits[0]?.version ?? 0, last: commits.at(-1)?.version ?? 0, deals: [], turns: [] };
  for (const { version, events } of commits) {
    const types = new Set(events.map((event) => event.type));
    const dealt = events.find((event) => event.type === "deal_started");
    if (dealt) found.deals.push({ number: dealt.number, version });
    if (types.has("turn_passed")) found.turns.push(version);
  }
  return found;
}

/** Where a step leads: by an event, a turn or a deal, forwards or back; never beyond the game. */
export function step(line, version, by, direction) {
  const places = by === "deal" ? line.deals.map((deal) => deal.version) : by === "turn" ? line.turns : null;
  if (places === null) return clamp(line, version + direction);
  if (direction > 0) return places.find((place) => place > version) ?? line.last;
  return places.findLast((place) => place < version) ?? line.first;
}

export const clamp = (line, version) => Math.max(line.first, Math.min(line.last, version));

/**
 * What a version that was asked for is beyond: the game's `start`, its `end`, or what is played by `now`; null within it.
 * Text is `none`.
 */
export function beyond(line, version, isOver) {
  if (typeof version === "string") return "none";
  if (version < line.first) return "start";
  return version > line.last ? (isOver ? "end" : "now") : null;
}

/** The deal that a version belongs to; 0 before the first. */
export const dealAt = (line, version) => line.deals.findLast((deal) => deal.version <= version)?.number ?? 0;
