// What lies on the table for everybody: the others, the stock and the discard pile, the melds before their owners.

import { html, useEffect, useRef } from "./h.js";
import { cardName, rankText, shortText, wildName } from "./cards.js";
import { Back, CardRow, Front } from "./card_view.js";
import { useFittingSize } from "./fitting.js";
import { sideOf } from "./fold.js";
import { words } from "./i18n.js";
import { nameOf, seatName } from "./narrate.js";
import { strategyName } from "./new_table.js";
import { Clock } from "./clock.js";
import { useStore } from "./store.js";

/** Seats in the order in which they sit around the viewer, who comes first; a spectator sits at no seat. */
export function around(table, seat) {
  const count = table.seats.length;
  const first = seat ?? 0;
  const step = table.house_rules.direction === "ccw" ? -1 : 1;
  return Array.from({ length: count }, (_, place) => table.seats[(((first + step * place) % count) + count) % count]);
}

/** One player: name, cards in hand, total, and whether it is their turn. */
export function Player({ seat, table, me = false, viewer = null }) {
  const said = useStore(words);
  const { deal } = table;
  const onTurn = table.status === "playing" && deal?.turn === seat.seat && deal.phase !== "over";
  const isDealer = deal?.dealer === seat.seat;
  const name = seatName(seat, said);
  const isPartner = !me && viewer !== null && sideOf(seat) === sideOf(table.seats[viewer]);
  // Who sits at no seat is told of each side who plays together.
  const isTold = !me && viewer === null && (seat.team ?? null) !== null;
  const partners = isTold ? table.seats.filter((one) => one.seat !== seat.seat && one.team === seat.team) : [];
  return html`
    <div class=${`player${onTurn ? " on-turn" : ""}${me ? " me" : ""}`} data-seat=${seat.seat}
      aria-current=${onTurn ? "true" : undefined}>
      <span class=${`avatar team-${seat.team ?? seat.seat % 7}`} aria-hidden="true">${initial(nameOf(seat, said))}</span>
      <span class="who">
        <strong>${name}${me ? html` <span class="tag">${said.say("you")}</span>` : ""}${
          isPartner ? html` <span class="tag">${said.say("player.partner")}</span>` : ""}</strong>
        ${(seat.kind === "bot" || isDealer || partners.length > 0) && html`
          <span class="small">
            ${partners.length > 0 && html`
              <span class="partners">${said.say("player.with", { names: said.list(partners.map((one) => seatName(one, said))) })}</span>`}
            ${seat.kind === "bot" && html`<span class="bot">${strategyName(seat.strategy ?? "plain", said)}</span>`}
            ${isDealer && html`<span class="dealer" title=${said.say("dealer")}>${said.say("dealer")}</span>`}
          </span>`}
      </span>
      <span class="held" role="img" aria-label=${said.say("player.cards", { count: seat.hand_count })}>
        <span class="mini-back" aria-hidden="true"></span><span aria-hidden="true">${said.number(seat.hand_count)}</span>
      </span>
      <span class="total" role="img" aria-label=${said.say("player.total", { count: seat.total })}>
        <span aria-hidden="true">${said.number(seat.total)}</span>
      </span>
      ${onTurn && deal.deadline && html`<${Clock} deadline=${deal.deadline} />`}
    </div>`;
}

const initial = (name) => [...(name ?? "·")][0].toUpperCase();

/** Deal, wild rank and whose turn it is, at a glance. */
export function Status({ table, seat }) {
  const said = useStore(words);
  const { deal } = table;
  if (!deal) return null;
  const turn = deal.turn === null || deal.phase === "over" ? null : table.seats[deal.turn];
  const wild = deal.wild.map((rank) => wildName(rank, said));
  return html`
    <div class="status">
      <span class="deal">${said.say(deal.of ? "deal.of" : "deal.number", { number: deal.number, of: deal.of })}</span>
      ${deal.wild.length > 0 && html`
        <span class="wild-rank">
          <span class="label">${said.term("wild", table.variant)}</span>
          <strong role="img" aria-label=${said.list(wild)}>${deal.wild.map((rank) => html`<bdi>${rankText(rank)}</bdi>`)}</strong>
        </span>`}
      ${turn && html`
        <span class="turn">${turn.seat === seat ? said.say("turn.you") : said.say("turn.of", { name: seatName(turn, said) })}</span>`}
    </div>`;
}

/** Stock and discard pile; each is a button when something may be taken from it. */
export function Piles({ table, stock, take, onDiscard, onStock, onTake }) {
  const said = useStore(words);
  const { deal } = table;
  const pile = deal.discard_pile;
  const top = pile.at(-1);
  const count = deal.stock_count;
  const stockWords = said.say("pile.stock", { count });
  return html`
    <div class="piles">
      <div class="pile" data-pile="stock">
        ${stock
          ? html`<button class="offer" data-offer="stock" onClick=${onStock} aria-label=${`${said.say("draw.stock")} – ${stockWords}`}>
              <${Back} /></button>`
          : html`<span class=${count ? "" : "void"} role="img" aria-label=${stockWords}>${count ? html`<${Back} />` : ""}</span>`}
        <span class="caption" aria-hidden="true">${stockWords}</span>
      </div>
      <div class=${`pile${onDiscard ? " open" : ""}`} data-pile="discard" data-drop="discard">
        ${top === undefined
          ? html`<span class="void" role="img" aria-label=${said.say("pile.discard_empty")}></span>`
          : html`
            ${pile.length > 1 && html`<span class="under"><${Front} card=${pile.at(-2)} /></span>`}
            <span class="top-card" key=${`${pile.length}-${top}`}>
              ${take
                ? html`<button class="offer" data-offer="take" onClick=${onTake}
                    aria-label=${said.say("draw.discard", { card: cardName(top, said) })}><${Front} card=${top} /></button>`
                : html`<span role="img" aria-label=${said.say("pile.top", { card: cardName(top, said) })}>
                    <${Front} card=${top} /></span>`}
            </span>`}
        <span class="caption" aria-hidden="true">${said.say("pile.discard", { count: pile.length })}</span>
        <span class="room">
          ${onDiscard && html`<button class="offer here" data-offer="discard-here" onClick=${onDiscard}>${said.say("discard.here")}</button>`}
        </span>
      </div>
    </div>`;
}

/** What a meld is called, and its cards in words. */
export function meldWords(meld, table, said) {
  const kind = said.term(`meld.${meld.kind}`, table.variant);
  const cards = said.list(meld.cards.map(({ card, reads_as: means }) =>
    card === means || means.endsWith("X")
      ? cardName(card, said)
      : said.say("card.as", { card: cardName(card, said), means: cardName(means, said) })));
  return said.say("meld.label", { kind, number: meld.meld, cards });
}

/** All melds, before those who laid them first; `offersOn(meld)` are commands for the picked cards. */
export function Melds({ table, seat, offersOn, onOffer }) {
  const said = useStore(words);
  const place = useRef(null);
  const fitting = table.deal.melds.filter((meld) => offersOn(meld.meld).length).map((meld) => meld.meld);
  useEffect(() => {
    // What is offered is to be seen, however many melds there are.
    if (fitting.length) bringIn(place.current.querySelector(".fits"), place.current.closest(".middle"));
  }, [String(fitting)]);
  const owners = around(table, seat).filter((one) => table.deal.melds.some((meld) => meld.owner === one.seat));
  useFittingSize(place, JSON.stringify(table.deal.melds));
  // The own melds lie nearest.
  const ordered = [...owners.filter((one) => one.seat !== seat), ...owners.filter((one) => one.seat === seat)];
  return html`
    <div class="melds" data-drop="table" ref=${place}>
      ${ordered.length === 0 && html`<p class="empty">${said.say("melds.none")}</p>`}
      ${ordered.map((owner) => html`
        <section class=${`owned${owner.seat === seat ? " mine" : ""}`} key=${owner.seat}
          aria-label=${owner.seat === seat ? said.say("melds.mine") : said.say("melds.of", { name: seatName(owner, said) })}>
          <h2>${owner.seat === seat ? said.say("melds.mine") : seatName(owner, said)}</h2>
          <div class="group">
            ${table.deal.melds.filter((meld) => meld.owner === owner.seat).map((meld) => html`
              <${Meld} key=${meld.meld} meld=${meld} table=${table} seat=${seat} offers=${offersOn(meld.meld)} onOffer=${onOffer} />`)}
          </div>
        </section>`)}
    </div>`;
}

/** Scrolls `around`, and it alone: where the page scrolls as well, the hand stays under the finger that picked a card. */
function bringIn(element, around) {
  if (!element) return;
  const [inner, outer] = [element, around].map((one) => one.getBoundingClientRect());
  if (inner.top < outer.top || inner.height > outer.height) around.scrollTop += inner.top - outer.top;
  else if (inner.bottom > outer.bottom) around.scrollTop += inner.bottom - outer.bottom;
}

function Meld({ meld, table, seat, offers, onOffer }) {
  const said = useStore(words);
  const cards = meld.cards.map(({ card, reads_as: means }) => ({
    card,
    // In a set a wild takes a missing suit, which nobody names.
    means: means.endsWith("X") ? null : means,
  }));
  const label = meldWords(meld, table, said);
  return html`
    <div class=${`meld${offers.length ? " fits" : ""}`} data-meld=${meld.meld} data-drop=${`meld-${meld.meld}`}>
      <${CardRow} cards=${cards} wild=${table.deal.wild} label=${label} />
      <${Owners} meld=${meld} table=${table} seat=${seat} />
      <span class=${`offers${offers.length > 1 ? " several" : ""}`}>
        ${offers.map((offer) => html`
          <button class="offer" data-offer=${offer.type} key=${JSON.stringify(offer)} onClick=${() => onOffer(offer)}>
            ${offerWords(offer, said, table)}
          </button>`)}
      </span>
    </div>`;
}

/** Whose the cards of a shared meld are: where everybody scores for what they laid, it counts. */
function Owners({ meld, table, seat }) {
  const said = useStore(words);
  const others = [...new Set(meld.cards.map((one) => one.by))].filter((by) => by !== meld.owner);
  if (!others.length) return null;
  const parts = others.map((by) => said.say("meld.added", {
    name: seatName(table.seats[by], said, seat),
    cards: meld.cards.filter((one) => one.by === by).map((one) => `\u2066${shortText(one.card)}\u2069`).join(" "),
  }));
  return html`<span class="by">${parts.join(" · ")}</span>`;
}

/** A command for picked cards, as a button says it. */
export function offerWords(offer, said, table) {
  const short = (card) => `\u2066${shortText(card)}\u2069`;
  const meanings = (offer.reads_as ?? []).filter((means) => !means.endsWith("X"));
  switch (offer.type) {
    case "lay_off":
      if (offer.reads_as && meanings.length && String(offer.reads_as) !== String(offer.cards)) {
        return said.say("offer.add_as", { means: meanings.map(short).join(" ") });
      }
      return offer.end ? said.say(`offer.add_${offer.end}`) : said.say("offer.add");
    case "reclaim":
      return said.term("offer.reclaim", table.variant, { wild: short(offer.for) });
    case "lay_meld":
      return said.say("offer.lay", { cards: offer.cards.map(short).join(" ") });
    default:
      return offer.type;
  }
}
