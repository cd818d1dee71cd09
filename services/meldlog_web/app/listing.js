// Which games the lobby lists: as many pages as it takes, and one's own wherever they stand.

import { Problem } from "./api.js";

// Pages that are asked for unasked, and games with something going on that are enough to ask for no more.
const MOST_PAGES = 4;
const ENOUGH = 10;
// Own tables that are looked for, the newest, and milliseconds for which what was found of one is good.
export const OWN = 12;
const GOOD_FOR = 30_000;

/**
 * Games, newest first, in at least `least` pages, and in some more while few of them are live: `{ items, cursor, pages }`,
 * `cursor` null where there are no more. `ask(cursor)` gives a page.
 */
export async function gather(ask, least, isLive) {
  const found = new Map();
  let [cursor, pages, live] = [null, 0, 0];
  do {
    const page = await ask(cursor);
    for (const game of page.items) {
      if (!found.has(game.game_id) && isLive(game)) live += 1;
      found.set(game.game_id, game);
    }
    cursor = page.next_cursor;
    pages += 1;
  } while (cursor !== null && (pages < least || (pages < MOST_PAGES && live < ENOUGH)));
  return { items: [...found.values()], cursor, pages };
}

/** Finds games by their ids, asking seldom: what is over or gone stays so. */
export class OwnGames {
  #known = new Map();

  constructor(ask, now = () => performance.now()) {
    this.ask = ask;
    this.now = now;
  }

  /** The games as the list tells of games; without those that are not there. */
  async find(ids) {
    const found = await Promise.all(ids.map((id) => this.#one(id)));
    return found.filter((game) => game !== null);
  }

  async #one(id) {
    const known = this.#known.get(id);
    if (known && this.now() < known.until) return known.game;
    let [game, isGone] = [known?.game ?? null, false];
    try {
      game = asListed(await this.ask(id));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // Any other refusal is of this moment: what was known of the game holds until it is asked for again.
      isGone = error.status === 404;
      if (isGone) game = null;
    }
    const isSettled = isGone || game?.status === "finished";
    this.#known.set(id, { game, until: isSettled ? Infinity : this.now() + GOOD_FOR });
    return game;
  }
}

/** A table as the list of games tells of it. */
const asListed = ({ game_id, status, variant, seats, created_at, deal }) =>
  ({ game_id, status, variant, seats, created_at, deal: deal?.number ?? 0, of: deal?.of ?? null });
