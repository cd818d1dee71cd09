({
  "addresses lead to lobby, table and a moment of a replay": async ({ load, equal }) => {
    const { parseRoute, replayAddress } = await load("route.js");
    equal(parseRoute(""), { place: "lobby", variant: null });
    equal(parseRoute("#/play/rami-51"), { place: "lobby", variant: "rami-51" });
    equal(parseRoute("#/table/abc"), { place: "table", game: "abc" });
    equal(parseRoute(replayAddress("abc", 12, 0)), { place: "replay", game: "abc", version: 12, eyes: 0 });
    equal(parseRoute("#/replay/abc/"), { place: "replay", game: "abc", version: null, eyes: null });
    equal(parseRoute("#/replay/abc?eyes="), { place: "replay", game: "abc", version: null, eyes: null });
  },

  "what a replay's address asks for in vain is kept, to be told": async ({ load, equal }) => {
    const { parseRoute } = await load("route.js");
    const asked = (rest) => [parseRoute(`#/replay/abc${rest}`).version, parseRoute(`#/replay/abc${rest}`).eyes];
    equal(asked("/9999999999?eyes=99"), [9_999_999_999, 99]);
    equal([asked("/-1?eyes=-1"), asked("/1e3?eyes=1e1"), asked("/x%20y")], [[-1, -1], ["1e3", "1e1"], ["x y", null]]);
    equal([asked("/99999999999999999999")[0], asked("/%E0")[0]], ["99999999999999999999", "%E0"]);
  },

  "an address that says nothing is told from the lobby's": async ({ load, equal }) => {
    const { parseRoute } = await load("route.js");
    for (const none of ["#/tabel/abc", "#/table", "#/table/", "#/replay/", "#/table/%E0"]) equal(parseRoute(none), { place: "nowhere" });
    for (const lobby of ["#", "#/", "#/play", "#/play/"]) equal(parseRoute(lobby), { place: "lobby", variant: null });
    equal(parseRoute("#/play/%E0"), { place: "lobby", variant: "%E0" });
  },

  "a replay goes on by event, turn and deal, and never beyond the game": async ({ load, equal }) => {
    const { beyond, dealAt, step, timeline } = await load("timeline.js");
    const commit = (version, ...types) => ({ version, events: types.map((type) => ({ type, number: version - 2 })) });
    const line = timeline([
      commit(1, "game_created"), commit(2, "seat_taken"), commit(3, "deal_started", "turn_passed"),
      commit(4, "card_drawn"), commit(5, "turn_passed"), commit(6, "deal_started", "turn_passed"),
    ]);
    equal([step(line, 1, "deal", 1), step(line, 3, "deal", 1), step(line, 6, "deal", 1)], [3, 6, 6]);
    equal([step(line, 3, "turn", 1), step(line, 5, "turn", -1), step(line, 1, "event", -1)], [5, 3, 1]);
    equal([dealAt(line, 2), dealAt(line, 4)], [0, 1]);
    equal([beyond(line, 1, true), beyond(line, 6, true), beyond(line, 0, true)], [null, null, "start"]);
    equal([beyond(line, 7, true), beyond(line, 7, false)], ["end", "now"]);
    equal([beyond(line, -1, true), beyond(line, "1e3", true), beyond(line, "x", false)], ["start", "none", "none"]);
  },

  "equals share a place, and those after them are counted on": async ({ load, equal }) => {
    const { standing } = await load("standing.js");
    const places = (totals, ranking, winners, teams = []) => standing({
      seats: totals.map((_, seat) => ({ seat, ...(teams.length ? { team: teams[seat] } : {}) })),
      totals, result: { ranking, winners },
    }).map(({ side, place, isShared }) => `${side}: ${place}${isShared ? " shared" : ""}`);
    equal(places([9, 4, 9, 12], [1, 0, 2, 3], [1]), ["1: 1", "0: 2 shared", "2: 2 shared", "3: 4"]);
    equal(places([4, 4, 9], [0, 1, 2], [0, 1]), ["0: 1 shared", "1: 1 shared", "2: 3"]);
    // A tie that was broken is none.
    equal(places([4, 4, 9], [1, 0, 2], [1]), ["1: 1", "0: 2", "2: 3"]);
    equal(places([30, 50, 30, 50], [0, 2, 1, 3], [0, 2], [0, 1, 0, 1]), ["0: 1", "1: 2"]);
  },

  "house rules and clauses are shown by what they are about, and none is left out": async ({ load, equal }) => {
    const { bySubject } = await load("subjects.js");
    const form = [{ name: "a", clause: "score.ace" }, { name: "b", clause: null }, { name: "c", clause: "final-discard" }, { name: "d", clause: "table.pack" }];
    const clauseOf = ({ clause }) => clause;
    equal(bySubject(form, clauseOf).map(({ subject, items }) => [subject, items.map((rule) => rule.name).join()]),
      [["deal", "d"], ["lay", "c"], ["score", "a"], ["other", "b"]]);
    const { items } = await (await fetch("/v1/variants")).json();
    equal(items.flatMap((one) => bySubject(one.options, clauseOf)).filter(({ subject }) => subject === "other"), []);
    for (const { name } of items) {
      const { clauses } = await (await fetch(`/v1/variants/${name}`)).json();
      equal(bySubject(clauses, ({ id }) => id).filter(({ subject }) => subject === "other"), []);
    }
  },

  "a clause keeps the number of the whole sheet in its part": async ({ load, equal }) => {
    const { partsOf } = await load("sheet.js");
    const clauses = ["table.pack", "wild.rank", "table.players", "reclaim.fits", "score.ace"].map((id) => ({ id }));
    equal(partsOf({ clauses }).map(({ subject, items }) => [subject, items.map(({ id, number }) => `${number} ${id}`).join()]),
      [["deal", "1 table.pack,3 table.players"], ["wild", "2 wild.rank,4 reclaim.fits"], ["score", "5 score.ace"]]);
  },

  "only what differs from the defaults is sent": async ({ load, equal }) => {
    const { differing, shapeOf } = await load("house_rules.js");
    const form = [{ name: "packs", default: 1 }, { name: "limit", default: null }];
    equal(differing(form, { packs: 2, limit: null, other: 1 }), { packs: 2 });
    equal(shapeOf({ anyOf: [{ type: "integer", minimum: 3 }, { enum: ["by_packs"] }, { type: "null" }] }),
      { values: ["by_packs", null], integer: { min: 3, max: undefined } });
  },

  "two against two is played with two seats or four, and the form goes from one to the other": async ({ load, equal }) => {
    const { countsOf, withOneLess, withOneMore } = await load("seat_counts.js");
    equal([countsOf([2, 4], "pairs"), countsOf([2, 4], "none"), countsOf([3, 6], "pairs")], [[2, 4], [2, 3, 4], [4]]);
    const [me, person, bot] = [{ kind: "me" }, { kind: "person" }, { kind: "bot", strategy: "plain" }];
    equal(withOneMore([me, person], [2, 4]), [me, person, bot, bot]);
    equal(withOneMore([me, person], [2, 3, 4]), [me, person, bot]);
    equal(withOneLess([bot, person, bot, me], 0, [2, 4]), [person, me]);
    equal(withOneLess([me, bot, person], 1, [2, 3]), [me, person]);
  },

  "a chart's axis has round numbers": async ({ load, equal }) => {
    const { running, ticks } = await load("chart.js");
    equal(ticks(0, 137), [0, 50, 100]);
    equal(running([[1, 2], [3, 4]], 2), [[0, 1, 4], [0, 2, 6]]);
  },

  "a check tells each thing once, with the worst that was found": async ({ load, equal }) => {
    const { check, gathered } = await load("check.js");
    const checks = [
      { name: "seals", verdict: "proved", detail: "" },
      { name: "seals", verdict: "fault", detail: "wrong" },
      { name: "chain", verdict: "not_provable", detail: "open" },
    ];
    equal(gathered(checks).map(({ name, sign }) => [name, sign]), [["seals", "✗"], ["chain", "–"]]);
    const client = { log: async () => "log", audit: async () => ({ verdict: "agrees", checks: [] }) };
    const find = async () => () => ({ ok: true, checks });
    equal((await check("g", null, true, { find, client })).verdict, "verified");
    equal((await check("g", null, false, { find, client })).verdict, "partial");
    equal((await check("g", null, true, { find: async () => null, client })).by, "service");
  },

  "that nobody can tell what came after the last commit is known by its place": async ({ load, equal }) => {
    const { check } = await load("check.js");
    const chain = (verdict, version) => ({ name: "chain", verdict, version, detail: `in any words, ${version}` });
    const checks = [chain("proved", null), chain("not_provable", 7), chain("fault", 8), chain("not_provable", 8)];
    const find = async () => () => ({ ok: false, versions: 7, checks });
    const found = await check("g", null, true, { find, client: { log: async () => "log" } });
    equal(found.checks.map(({ detail }) => detail), ["in any words, null", "in any words, 7", "in any words, 8", ""]);
  },
})
