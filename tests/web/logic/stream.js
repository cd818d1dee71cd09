({
  "events are whole however their bytes arrive": async ({ load, equal }) => {
    const { EventParser } = await load("stream.js");
    const parser = new EventParser();
    const found = [];
    for (const piece of ["id: 4\nev", "ent: commit\nda", "ta: {\"a\":1}\n", "\n: keep-alive\n\nid: 5\nevent: commit\ndata: x\n\n"]) {
      found.push(...parser.push(piece));
    }
    equal(found.map(({ id, event, data }) => [id, event, data]), [["4", "commit", "{\"a\":1}"], ["5", "commit", "x"]]);
  },

  "a lost stream is resumed after the last commit, without gap or repeat": async ({ load, equal }) => {
    const { follow } = await load("stream.js");
    const stop = new AbortController();
    const asked = [];
    const bodies = ["id: 4\nevent: commit\ndata: {\"version\":4}\n\n", "", "id: 5\nevent: commit\ndata: {\"version\":5}\n\n"];
    const seen = [];
    const states = [];
    const api = {
      base: "",
      headers: (_, more) => more,
      fetching: async (_, { headers }) => {
        asked.push(headers["Last-Event-ID"]);
        if (asked.length === 2) throw new TypeError("offline");
        return new Response(bodies[asked.length - 1]);
      },
    };
    await follow(api, "g", {
      token: null, after: 3, signal: stop.signal, random: () => 0,
      onCommit: (commit) => {
        seen.push(commit.version);
        if (commit.version === 5) stop.abort();
      },
      onState: ({ state }) => {
        states.push(state);
        if (state === "lost") dispatchEvent(new Event("online"));
        if (state === "lost") setTimeout(() => dispatchEvent(new Event("online")), 1);
      },
    });
    equal(asked, ["3", "4", "4"]);
    equal(seen, [4, 5]);
    equal(states, ["live", "lost", "lost", "live"]);
  },

  "a token that opens nothing ends the stream": async ({ load, equal }) => {
    const { follow } = await load("stream.js");
    const states = [];
    const problem = JSON.stringify({ code: "unauthenticated", detail: "no" });
    const api = { base: "", headers: () => ({}), fetching: async () => new Response(problem, { status: 401 }) };
    await follow(api, "g", {
      token: "x", after: 0, signal: new AbortController().signal, onCommit: () => {}, onState: (state) => states.push(state),
    });
    equal(states.map(({ state, problem: told }) => [state, told.code]), [["ended", "unauthenticated"]]);
  },
})
