({
  "a command without an answer is sent again under the same key": async ({ load, equal }) => {
    const { Api } = await load("api.js");
    const keys = [];
    const versions = [];
    const answers = [
      () => { throw new TypeError("offline"); },
      () => new Response("{}", { status: 503, headers: { "Retry-After": "0.001" } }),
      () => Response.json({ version: 5, events: [], replayed: true }),
    ];
    const api = new Api("", async (_, { headers }) => {
      keys.push(headers["Idempotency-Key"]);
      versions.push(headers["If-Match"] ?? null);
      return answers[keys.length - 1]();
    });
    const waits = [];
    const answer = await api.command("g", { type: "draw", source: "stock" }, "t", {
      version: 4,
      onWait: (tries) => {
        waits.push(tries);
        setTimeout(() => dispatchEvent(new Event("online")), 1);
      },
    });
    equal(answer.version, 5);
    equal([keys.length, new Set(keys).size, keys[0].length], [3, 1, 32]);
    equal(waits, [0, 1]);
    // What is sent again much later is meant for no other table.
    equal(versions, [null, '"4"', '"4"']);
  },

  "a refusal is not asked again": async ({ load, equal }) => {
    const { Api, Problem } = await load("api.js");
    let count = 0;
    const api = new Api("", async () => {
      count += 1;
      return Response.json({ code: "illegal_move", rule: "turn.order", detail: "no", status: 422 }, { status: 422 });
    });
    try {
      await api.command("g", {}, "t");
    } catch (error) {
      equal([error instanceof Problem, error.code, error.rule, count], [true, "illegal_move", "turn.order", 1]);
      return;
    }
    equal("refused", "accepted");
  },
})
