// The table after one more commit, as this viewer sees it: events state consequences, so no rule is known here.
//
// Where a commit tells less than the table shows (a seat moved up, hands opened at the end), the answer is null: then
// the table is asked for.

import { without } from "./cards.js";

// The shapes that are known here; a commit of another schema is the service's to read.
const SCHEMA = 1;

/** The table after a commit; null when it has to be asked for. */
export function fold(table, commit) {
  if (commit.version !== table.version + 1 || commit.schema !== SCHEMA) return null;
  let next = { ...table, version: commit.version };
  for (const event of commit.events) {
    const step = STEPS[event.type];
    next = step === undefined ? null : step(next, event);
    if (next === null) return null;
  }
  return next;
}

const same = (table) => table;
const unknown = () => null;

const withDeal = (table, part) => ({ ...table, deal: { ...table.deal, ...part } });

function withSeat(table, number, part) {
  const seats = table.seats.map((seat) => (seat.seat === number ? { ...seat, ...part } : seat));
  return { ...table, seats };
}

/** The side that a seat scores for: partners share one, and anybody else is one alone. */
export const sideOf = (seat) => seat.team ?? seat.seat;

function withTotals(table, totals) {
  const seats = table.seats.map((seat) => ({ ...seat, total: totals[sideOf(seat)] ?? 0 }));
  return { ...table, totals, seats };
}

/** Cards come to a hand; what the viewer does not see is only counted. */
function gained(table, number, cards, count = cards.length) {
  const seat = table.seats[number];
  const part = { hand_count: seat.hand_count + count };
  if (seat.hand) {
    if (cards.length !== count) return null;
    part.hand = [...seat.hand, ...cards];
  }
  return withSeat(table, number, part);
}

function lost(table, number, cards) {
  const seat = table.seats[number];
  const part = { hand_count: seat.hand_count - cards.length };
  if (seat.hand) {
    part.hand = without(seat.hand, cards);
    if (part.hand === null) return null;
  }
  return withSeat(table, number, part);
}

const then = (table, step) => (table === null ? null : step(table));

const withMeld = (table, number, change) =>
  withDeal(table, { melds: table.deal.melds.map((meld) => (meld.meld === number ? change(meld) : meld)) });

const laidBy = (event) =>
  event.cards.map((card, place) => ({ card, reads_as: event.reads_as[place], by: event.seat }));

function dealStarted(table, event) {
  // How many deals there are is told with the first one.
  if (table.deal === null) return null;
  const seats = table.seats.map((seat) => {
    const { hand: _, ...rest } = seat;
    const dealt = event.hands[seat.seat];
    const part = { ...rest, hand_count: dealt.count, has_laid: false };
    return dealt.value === undefined ? part : { ...part, hand: dealt.value };
  });
  const deal = {
    ...table.deal,
    number: event.number,
    dealer: event.dealer,
    starter: event.starter,
    wild: [],
    phase: "waiting",
    turn: event.starter,
    deadline: null,
    stock_count: event.stock.count,
    discard_pile: event.upcard ? [event.upcard] : [],
    melds: [],
    offer: null,
  };
  return { ...table, seats, deal };
}

function dealScored(table, event) {
  const seats = table.seats.map((seat) => {
    const hand = event.hands[seat.seat];
    return { ...seat, hand_count: hand.length, ...(seat.hand ? { hand } : {}) };
  });
  return withTotals({ ...table, seats, scores: [...table.scores, event.points] }, event.totals);
}

const STEPS = {
  game_created: unknown,
  game_forked: unknown,
  game_ended: unknown,
  rules_noted: same,
  seeds_revealed: same,
  seat_taken: (table, { seat, name, kind, strategy }) =>
    withSeat(table, seat, { name, kind, strategy: strategy ?? null }),
  seat_left: (table, { seat, removed }) =>
    removed ? null : withSeat(table, seat, { name: null, kind: "player", strategy: null }),
  seat_handed_over: (table, { seat, kind, strategy }) => withSeat(table, seat, { kind, strategy: strategy ?? null }),
  game_started: (table) => {
    const sides = new Set(table.seats.map(sideOf)).size;
    return withTotals({ ...table, status: "playing" }, Array(sides).fill(0));
  },
  deal_started: dealStarted,
  wild_named: (table, { wild }) => withDeal(table, { wild }),
  card_drawn: (table, { seat, card }) =>
    then(gained(table, seat, card.value === undefined ? [] : [card.value].flat(), card.count), (next) =>
      withDeal(next, { stock_count: next.deal.stock_count - card.count, phase: "play" })),
  discards_taken: (table, { seat, cards }) =>
    then(gained(table, seat, cards), (next) =>
      withDeal(next, { discard_pile: next.deal.discard_pile.slice(0, -cards.length), phase: "play" })),
  draw_returned: (table, { seat, cards }) =>
    then(lost(table, seat, cards), (next) =>
      withDeal(next, { discard_pile: [...next.deal.discard_pile, ...cards], phase: "draw" })),
  meld_laid: (table, event) =>
    then(lost(table, event.seat, event.cards), (next) => {
      const meld = { meld: event.meld, kind: event.kind, owner: event.seat, cards: laidBy(event) };
      const laid = withDeal(next, { melds: [...next.deal.melds, meld] });
      return withSeat(laid, event.seat, { has_laid: true });
    }),
  card_laid_off: (table, event) =>
    then(lost(table, event.seat, event.cards), (next) =>
      withMeld(next, event.meld, (meld) => ({
        ...meld,
        cards: event.end === "low" ? [...laidBy(event), ...meld.cards] : [...meld.cards, ...laidBy(event)],
      }))),
  wild_reclaimed: (table, event) => {
    const after = then(lost(table, event.seat, [event.card]), (next) => gained(next, event.seat, [event.wild]));
    return then(after, (next) =>
      withMeld(next, event.meld, (meld) => {
        const place = meld.cards.findIndex((one) => one.card === event.wild && one.reads_as === event.reads_as);
        const cards = [...meld.cards];
        cards[place] = { ...cards[place], card: event.card, reads_as: event.card };
        return { ...meld, cards };
      }));
  },
  card_discarded: (table, { seat, card }) =>
    then(lost(table, seat, [card]), (next) =>
      withDeal(next, { discard_pile: [...next.deal.discard_pile, card], phase: "waiting" })),
  turn_passed: (table, { seat, phase, deadline }) =>
    withDeal(table, { turn: seat, phase: phase ?? "draw", deadline: deadline ?? null }),
  stock_renewed: (table, { kept, stock }) =>
    withDeal(table, { discard_pile: kept, stock_count: table.deal.stock_count + stock.count }),
  deal_ended: (table) => withDeal(table, { phase: "over", deadline: null }),
  deal_scored: dealScored,
  penalty_offered: (table, { seat, points }) =>
    withDeal(table, { turn: seat, phase: "offer", offer: { seat, points } }),
  penalty_added: (table, { seat, points }) => {
    const side = sideOf(table.seats[seat]);
    const totals = table.totals.map((total, one) => (one === side ? total + points : total));
    return withDeal(withTotals(table, totals), { offer: null });
  },
};
