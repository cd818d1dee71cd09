({
  "where nothing has happened for an hour a table is old, but for one's own": async ({ load, equal }) => {
    const { byAge } = await load("tables.js");
    const now = Date.parse("2026-01-01T12:00:00.000Z");
    const at = (time) => `2026-01-01T${time}:00.000Z`;
    const open = (game_id, created, updated) =>
      ({ game_id, status: "open", created_at: at(created), ...(updated ? { updated_at: at(updated) } : {}) });
    const games = [
      open("fresh", "11:30"), open("old", "10:30"), open("lively", "08:00", "11:10"), open("oldest", "08:10"),
      open("left", "07:00", "10:45"), open("own", "07:00"), { ...open("over", "07:00"), status: "finished" },
      { ...open("stuck", "07:00", "09:00"), status: "playing" },
    ];
    const { current, older } = byAge(games, now, ({ game_id }) => game_id === "own");
    equal(current.map((game) => game.game_id), ["fresh", "lively", "own", "over"]);
    equal(older.map((game) => game.game_id), ["left", "old", "stuck", "oldest"]);
  },

  "a time that is no date breaks nothing": async ({ load, equal }) => {
    const { byAge } = await load("tables.js");
    const now = Date.parse("2026-01-01T12:00:00.000Z");
    const game = (game_id, created_at, updated_at) => ({ game_id, status: "open", created_at, updated_at });
    const [long, lately] = ["2026-01-01T10:00:00.000Z", "2026-01-01T11:50:00.000Z"];
    const games = [
      game("none"), game("odd", "soon", "later"), game("created", long, "soon"), game("lately", lately, ""),
      game("old", long, long), game("null", null, null),
    ];
    const { current, older } = byAge(games, now, () => false);
    equal(current.map((one) => one.game_id), ["none", "odd", "lately", "null"]);
    equal(older.map((one) => one.game_id), ["created", "old"]);
  },

  "a line says what its table is there for": async ({ load, equal }) => {
    const { wayTo } = await load("tables.js");
    const [ann, free] = [{ name: "Ann" }, { name: null }];
    const way = (status, seats, own = false) => wayTo({ status, seats }, own);
    equal([way("open", [ann, free]), way("open", [ann, ann]), way("playing", [ann, ann])], ["lobby.join", "lobby.watch", "lobby.watch"]);
    equal([way("open", [ann, free], true), way("playing", [ann, ann], true)], ["lobby.return", "lobby.return"]);
    equal([way("finished", [ann, ann], true), way("finished", [ann, ann])], ["over.replay", "over.replay"]);
  },
})
