({
  "a table that somebody of the old one opened for the same game when that had ended is a rematch": async ({ load, equal }) => {
    const { rematchOf } = await load("rematch.js");
    const person = (seat, name) => ({ seat, name, kind: "player" });
    const old = {
      status: "finished", variant: "rami-51", options: ["press"],
      seats: [person(0, "Ann"), person(1, "Ben"), { seat: 2, name: "Bot 3", kind: "bot" }],
    };
    const free = { name: null, kind: "player" };
    const opened = {
      game_id: "g2", variant: "rami-51", options: ["press"], created_at: "2026-01-01T11:00:00.000Z",
      seats: [person(0, "Ann"), free, { name: "Bot 3", kind: "bot" }],
    };
    const ended = "2026-01-01T10:30:00.000Z";
    equal(rematchOf(old, 1, ended, [opened]), { game: "g2", name: "Ann" });
    // Who opened it needs no link to it, a bot's name is nobody's, and a full table is none.
    equal(rematchOf(old, 0, ended, [opened]), null);
    equal(rematchOf(old, 1, ended, [{ ...opened, seats: [free, free, { name: "Bot 3", kind: "bot" }] }]), null);
    equal(rematchOf(old, 1, ended, [{ ...opened, seats: [person(0, "Ann"), person(1, "Eve"), opened.seats[2]] }]), null);
    for (const other of [{ variant: "rami-71" }, { options: [] }, { created_at: ended }, { created_at: "2026-01-01T10:15:00.000Z" }, { seats: [person(0, "Ann"), free] }]) {
      equal(rematchOf(old, 1, ended, [{ ...opened, ...other }]), null);
    }
  },
})
