({
  "pages are asked for until enough goes on, and a few at most": async ({ load, equal }) => {
    const { gather } = await load("listing.js");
    // So many live games on each page of twelve.
    const pages = (...lively) => async (cursor) => {
      const place = Number(cursor ?? 0);
      const items = Array.from({ length: 12 }, (_, one) => ({ game_id: `${place}-${one}`, live: one < lively[place] }));
      return { items, next_cursor: place + 1 < lively.length ? String(place + 1) : null };
    };
    const found = async (least, ...lively) => {
      const { items, pages: count, cursor } = await gather(pages(...lively), least, (game) => game.live);
      return [items.length, count, cursor];
    };
    equal(await found(1, 12, 12), [12, 1, "1"]);
    equal(await found(1, 0, 0, 10, 0), [36, 3, "3"]);
    equal(await found(1, 4, 6, 1), [24, 2, "2"]);
    equal(await found(1, 0, 0, 0, 0, 0), [48, 4, "4"]);
    equal(await found(1, 0, 3), [24, 2, null]);
    // Whoever asks for more gets more.
    equal([await found(2, 12, 12, 12), await found(5, 0, 0, 0, 0, 0, 0)], [[24, 2, "2"], [60, 5, "5"]]);
  },

  "a game that moved to the next page meanwhile is listed once": async ({ load, equal }) => {
    const { gather } = await load("listing.js");
    const ask = async (cursor) => ({ items: [{ game_id: "a" }, { game_id: cursor ?? "b" }], next_cursor: cursor ? null : "c" });
    equal((await gather(ask, 2, () => true)).items.map((game) => game.game_id), ["a", "b", "c"]);
  },

  "own games are found by id, and asked for seldom": async ({ load, equal }) => {
    const { OwnGames } = await load("listing.js");
    const { Problem, Unreachable } = await load("api.js");
    const asked = [];
    let [now, isDown, isBusy] = [0, false, false];
    const own = new OwnGames(async (id) => {
      asked.push(id);
      if (isDown) throw new Unreachable("down");
      if (isBusy) throw new Problem({ code: "rate_limited" }, 429);
      if (id === "gone") throw new Problem({ code: "not_found" }, 404);
      return { game_id: id, status: id, variant: "v", seats: [], created_at: "then", deal: id === "playing" ? { number: 3, of: 13 } : null };
    }, () => now);
    const ids = ["open", "playing", "finished", "gone"];
    const found = await own.find(ids);
    equal(found.map(({ game_id, deal, of }) => [game_id, deal, of]), [["open", 0, null], ["playing", 3, 13], ["finished", 0, null]]);
    equal((await own.find(ids)).length, 3);
    equal(asked, ids);
    now = 60_000;
    equal((await own.find(ids)).length, 3);
    equal(asked.slice(4), ["open", "playing"]);
    // Who can't be asked has not said that it is gone.
    [now, isDown] = [120_000, true];
    equal(await own.find(ids).then(() => null, (error) => error.name), "Unreachable");
    // Nor has who is told to ask later.
    [isDown, isBusy] = [false, true];
    equal((await own.find(ids)).length, 3);
    [now, isBusy] = [180_000, false];
    equal((await own.find(ids)).length, 3);
    equal(asked.slice(-2), ["open", "playing"]);
  },
})
