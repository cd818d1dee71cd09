// What may be done now, as buttons: only what the service lists.

import { html, useState } from "./h.js";
import { cardName, isWild, rankText, shortText, suitOf, wildName } from "./cards.js";
import { CardRow } from "./card_view.js";
import { Dialog } from "./dialog.js";
import { words } from "./i18n.js";
import { offerWords } from "./felt.js";
import { possibleAdditions, possibleMelds, stockDraw, takes } from "./moves.js";
import { useStore } from "./store.js";

const SHOWN_MELDS = 6;
const SHOWN_ADDITIONS = 6;

/** The sentence that says what is awaited. */
export function promptWords({ table, seat, moves, busy, waiting, picked }, said) {
  if (waiting) return said.say("prompt.sending_again");
  const { deal } = table;
  if (!deal || table.status !== "playing" || deal.phase === "over") return "";
  if (seat === null || deal.turn !== seat) return said.say("prompt.others");
  if (!moves || busy) return said.say("prompt.looking");
  if (deal.phase === "play") return said.say(picked ? "prompt.picked" : "prompt.play");
  return said.say(`prompt.${deal.phase}`, { count: deal.offer?.points ?? 0 });
}

export function Actions({ found, moves, table, ready, picked, hints, judged, reason, onSend, onLays, onTake, onPutAside }) {
  const said = useStore(words);
  const button = (move, kind, text, primary = false) => html`
    <button class=${primary ? "primary" : ""} data-offer=${kind} key=${JSON.stringify(move)} onClick=${() => onSend(move)}>${text}</button>`;
  const short = (card) => `\u2066${shortText(card)}\u2069`;
  const stock = stockDraw(found);
  const taken = takes(found);
  const top = table.deal?.discard_pile.at(-1);
  return html`
    <div class="actions" data-ready=${ready ? "true" : "false"} role="group" aria-label=${said.say("actions")}>
      ${stock && button(stock, "stock", said.say("draw.stock"), true)}
      ${taken.length > 0 && html`
        <button data-offer="take" onClick=${onTake}>
          ${taken.length > 1 ? said.say("draw.several") : said.say("draw.discard", { card: short(top) })}
        </button>`}
      ${found.lays.length > 0 && html`
        <button class="primary" data-offer="lay" onClick=${() => onLays(found.lays)}>${said.say("lay")}</button>`}
      ${judged.length > 0 && html`
        <button data-offer="aside" onClick=${() => onPutAside(judged)}>${said.say("tray.put")}</button>`}
      ${found.discard && button(found.discard, "discard", said.say("discard.card", { card: short(found.discard.card) }),
        !found.lays.length)}
      ${found.returnDraw && button(found.returnDraw, "return", said.say("draw.return"))}
      ${found.declineDiscard && button(found.declineDiscard, "decline-discard", said.say("draw.decline"))}
      ${found.penalty && button(found.penalty, "penalty", said.say("press.take", { count: found.penalty.points }), true)}
      ${found.decline && button(found.decline, "decline",
        said.say(table.deal.phase === "offer" ? "press.decline" : "lay_off.decline"))}
      ${found.wilds.length > 0 && html`<${WildRanks} moves=${found.wilds} onSend=${onSend} />`}
      ${hints && !picked && html`<${Hints} moves=${moves} found=${found} table=${table} onSend=${onSend} onLays=${onLays} />`}
      <p class="reason" role="status">${reason && html`<strong>${reason.what}</strong> ${reason.why}`}</p>
    </div>`;
}

/** The ranks that a dealer may name wild. */
function WildRanks({ moves, onSend }) {
  const said = useStore(words);
  return html`
    <span class="wild-ranks" role="group" aria-label=${said.say("prompt.naming_wild")}>
      ${moves.map((move) => html`
        <button data-offer="wild" data-rank=${move.rank} key=${move.rank} onClick=${() => onSend(move)}>
          <bdi aria-hidden="true">${rankText(move.rank)}</bdi><span class="hidden">${wildName(move.rank, said)}</span>
        </button>`)}
    </span>`;
}

/** What can be laid and added now, for who does not see it at once. */
function Hints({ moves, found, table, onSend, onLays }) {
  const said = useStore(words);
  const melds = possibleMelds(moves);
  const additions = possibleAdditions(moves);
  return html`
    ${melds.slice(0, SHOWN_MELDS).map((meld) => html`
      <button class="hint" data-offer="hint-lay" key=${meld.cards.join("")} onClick=${() => onLays(meld.moves)}
        aria-label=${said.say("offer.lay", { cards: said.list(meld.cards.map((card) => cardName(card, said))) })}>
        ${said.say("lay")} <${ShortCards} cards=${meld.cards} wild=${table.deal.wild} />
      </button>`)}
    ${additions.slice(0, SHOWN_ADDITIONS).map((move) => {
      const card = move.type === "reclaim" ? move.card : move.cards[0];
      const where = said.say("offer.on", { number: move.meld });
      return html`
        <button class="hint" data-offer=${`hint-${move.type}`} key=${JSON.stringify(move)} onClick=${() => onSend(move)}
          aria-label=${`${offerWords(move, said, table)} · ${where}: ${cardName(card, said)}`}>
          ${offerWords(move, said, table)} <${ShortCards} cards=${[card]} wild=${table.deal.wild} />
          <bdi class="where">${shortMeld(table.deal.melds.find((meld) => meld.meld === move.meld))}</bdi>
        </button>`;
    })}
    ${found.together.slice(0, 3).map((move) => html`
      <button class="hint" data-offer="hint-together" key=${JSON.stringify(move)} onClick=${() => onSend(move)}
        aria-label=${`${said.say("tray.lay")}: ${said.list(move.commands.flatMap((one) => one.cards.map((card) => cardName(card, said))))}`}>
        ${said.say("tray.lay")}
        ${move.commands.map((one) => html`<${ShortCards} cards=${one.cards} wild=${table.deal.wild} />`)}
      </button>`)}`;
}

/** Cards as they are written, in a button too small for their pictures. */
const ShortCards = ({ cards, wild }) => html`
  <bdi class="short-cards" dir="ltr">
    ${cards.map((card) => html`<span class=${`suit-${suitOf(card) || "J"}${isWild(card, wild) ? " wild" : ""}`}>${shortText(card)}</span>`)}
  </bdi>`;

/** A meld as briefly as one finds it by: a run by its ends. */
function shortMeld({ kind, cards }) {
  const texts = kind === "run" ? [cards[0].reads_as, cards.at(-1).reads_as] : cards.map((one) => one.card);
  return `\u2066${texts.map(shortText).join(kind === "run" ? "…" : " ")}\u2069`;
}

/** How many discards to take, where several may be: what is taken with each is shown. */
export function TakeDialog({ table, moves, onSend, onClose }) {
  const said = useStore(words);
  const pile = table.deal.discard_pile;
  return html`
    <${Dialog} title=${said.say("draw.several")} onClose=${onClose}>
      <ul class="readings">
        ${moves.map((move) => {
          const cards = pile.slice(-(move.count ?? 1));
          return html`
            <li key=${move.count ?? 1}>
              <button data-offer="take-count" onClick=${() => onSend(move)}>
                <${CardRow} cards=${cards.map((card) => ({ card }))} wild=${table.deal.wild}
                  label=${said.list(cards.map((card) => cardName(card, said)))} />
                <span class="kind">${said.say("draw.count", { count: cards.length })}</span>
              </button>
            </li>`;
        })}
      </ul>
    <//>`;
}

/** Before a hand is given up; whoever came here by mistake stays with the next key. */
export function ResignDialog({ onResign, onClose }) {
  const said = useStore(words);
  const [busy, setBusy] = useState(false);
  return html`
    <${Dialog} title=${said.say("resign")} onClose=${onClose}>
      <p>${said.say("resign.about")}</p>
      <p class="buttons">
        <button class="primary" autofocus onClick=${onClose}>${said.say("resign.stay")}</button>
        <button class="danger" disabled=${busy} onClick=${() => {
          setBusy(true);
          onResign();
        }}>${said.say("resign")}</button>
      </p>
    <//>`;
}
