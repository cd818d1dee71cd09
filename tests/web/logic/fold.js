({
  "a commit that is not the next is not folded": async ({ load, equal }) => {
    const { fold } = await load("fold.js");
    equal(fold({ version: 3 }, { version: 5, schema: 1, events: [] }), null);
    equal(fold({ version: 3 }, { version: 4, schema: 1, events: [{ type: "of_a_later_release" }] }), null);
  },

  "a commit of another schema is not folded": async ({ load, equal }) => {
    const { fold } = await load("fold.js");
    const table = { version: 3, deal: { turn: 0 } };
    for (const schema of [0, 2]) {
      equal(fold(table, { version: 4, schema, events: [{ type: "turn_passed", to: 1, until: null }] }), null);
    }
  },

  // Every commit of whole games is folded on the table before it, as a player and as a spectator, and compared with
  // the table that the service shows at that version.
  "the folded table is the service's table, at every version": async ({ load, equal }) => {
    const { fold } = await load("fold.js");
    const { Api } = await load("api.js");
    const api = new Api();
    const withoutHands = (table, seat) => ({
      ...table,
      seats: table.seats.map(({ hand, ...rest }) => (rest.seat === seat ? { ...rest, hand } : rest)),
    });
    let folded = 0;
    for (const { game, seat, token } of globalThis.games) {
      const commits = await api.commits(game, token);
      let table = null;
      for (const commit of commits.slice(0, -1)) {
        const shown = withoutHands(await api.table(game, token, commit.version), seat);
        const next = table === null ? null : fold(table, commit);
        if (next !== null) {
          equal(next, shown);
          folded += 1;
        }
        table = shown;
      }
    }
    equal(folded > 100, true);
  },
})
