({
  "cards are sorted by suit or rank with the wilds last": async ({ load, equal }) => {
    const { sorted } = await load("cards.js");
    const hand = ["KD", "3S", "9H", "AS", "9C"];
    equal(sorted(hand, "suit", ["9"]), ["AS", "3S", "KD", "9H", "9C"]);
    equal(sorted(hand, "rank", []), ["AS", "3S", "9H", "9C", "KD"]);
  },

  "copies of a card are counted when hands are compared": async ({ load, equal }) => {
    const { sameCards, without } = await load("cards.js");
    equal(sameCards(["7H", "7H"], ["7H", "8H"]), false);
    equal(sameCards(["7H", "8H"], ["8H", "7H"]), true);
    equal(without(["7H", "7H"], ["7H"]), ["7H"]);
    equal(without(["7H"], ["8H"]), null);
  },

  "a hand keeps the order that its owner gave it": async ({ load, equal }) => {
    const { moved, reconcile } = await load("arrangement.js");
    const cards = (items) => items.map((item) => item.card);
    const dealt = reconcile([], ["7H", "7H", "KD"]);
    const arranged = moved(dealt, dealt[2].id, 0);
    equal(cards(arranged), ["KD", "7H", "7H"]);
    equal(cards(reconcile(arranged, ["7H", "KD", "2C"])), ["KD", "7H", "2C"]);
    equal(reconcile(arranged, ["7H", "7H", "KD"]) === arranged, true);
  },

  "a hand overlaps to lie in one row, and in rows that are alike where a finger would not find its cards": async ({ load, equal }) => {
    const { spread } = await load("hand.js");
    equal([7, 14, 20].map((count) => spread(count, 104, 896).perRow), [7, 14, 20]);
    equal([7, 10, 13, 14, 20].map((count) => spread(count, 62, 355).perRow), [7, 10, 7, 7, 10]);
    equal([0, 1].map((count) => spread(count, 62, 355)), [{ perRow: 1, step: 0 }, { perRow: 1, step: 0 }]);
    for (const [count, card, room] of [[14, 104, 896], [20, 104, 896], [20, 62, 355], [13, 62, 288]]) {
      const { perRow, step } = spread(count, card, room);
      equal((perRow - 1) * step + card <= room, true);
      equal(step >= 29, true);
    }
  },

  "a wild's card is named as what it is": async ({ load, equal }) => {
    const { cardName, shortText } = await load("cards.js");
    const { Words } = await load("i18n.js");
    const { fr } = await load("words/fr.js");
    equal(cardName("TD", new Words("fr", fr)), "dix de carreau");
    equal([shortText("TD"), shortText("KX"), shortText("JK")], ["10♦", "K", "★"]);
  },

  "a joker is a star on its face as in texts": async ({ load, equal }) => {
    const { Front, CardShapes } = await load("card_view.js");
    const { rankText } = await load("cards.js");
    const { h, render } = await load("h.js");
    const drawn = (view) => {
      const place = document.createElement("div");
      render(view, place);
      return place;
    };
    const uses = [...drawn(h(Front, { card: "JK" })).querySelectorAll("use")].map((one) => one.getAttribute("href"));
    equal([...new Set(uses)], ["#suit-J"]);
    // Ten corners, in turn far from the middle and near to it.
    const [x, y, ...steps] = drawn(h(CardShapes)).querySelector("#suit-J path").getAttribute("d").match(/-?\d+/g).map(Number);
    equal([steps.length + 2, rankText("JK")], [20, "★"]);
    equal([x, y], [0, -452]);
  },
})
