({
  "picked cards are offered what the list has for exactly them": async ({ load, equal }) => {
    const { offers } = await load("moves.js");
    const lay = { type: "lay_meld", cards: ["7H", "8H", "9H"] };
    const discard = { type: "discard", card: "7H" };
    const reclaim = { type: "reclaim", meld: 2, card: "7H", for: "AC" };
    const moves = [lay, discard, reclaim];
    equal(offers(moves, ["9H", "7H", "8H"]).lays, [lay]);
    equal(offers(moves, ["7H"]).discard, discard);
    equal(offers(moves, ["7H"]).reclaims, [reclaim]);
    equal(offers(moves, ["8H"]).discard, null);
    equal(offers(moves, []).lays, []);
  },

  "what is not listed is not offered": async ({ load, equal }) => {
    const { offers, stockDraw, takes } = await load("moves.js");
    const found = offers([{ type: "draw", source: "discard", count: 2 }], []);
    equal(stockDraw(found), null);
    equal(takes(found).length, 1);
    equal(offers(null, ["7H"]).discard, null);
  },

  "it is asked why several cards or one card get no offer, and never more": async ({ load, equal }) => {
    const { offers } = await load("moves.js");
    const { wondered } = await load("reason.js");
    const moves = [{ type: "lay_meld", cards: ["7H", "8H", "9H"] }, { type: "discard", card: "KD" }];
    const ask = (phase, ...picked) => wondered(offers(moves, picked), phase, picked);
    equal(ask("play", "7H", "8H", "KD"), { type: "lay_meld", cards: ["7H", "8H", "KD"] });
    equal(ask("play", "7H"), { type: "discard", card: "7H" });
    equal(ask("play", "7H", "KD"), { type: "lay_meld", cards: ["7H", "KD"] });
    equal([ask("play"), ask("play", "KD"), ask("play", "9H", "8H", "7H")], [null, null, null]);
    equal([ask("draw", "7H", "8H", "KD"), ask("lay_off", "7H")], [null, null]);
  },

  "readings of the same cards are one meld": async ({ load, equal }) => {
    const { possibleMelds } = await load("moves.js");
    const moves = [
      { type: "lay_meld", cards: ["5H", "6H", "9C"], reads_as: ["5H", "6H", "7H"] },
      { type: "lay_meld", cards: ["9C", "5H", "6H"], reads_as: ["4H", "5H", "6H"] },
    ];
    equal(possibleMelds(moves).map((meld) => meld.moves.length), [2]);
  },
})
