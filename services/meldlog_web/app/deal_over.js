// The end of a deal and of a game: what everybody still held, what it cost, and how it stands.

import { html } from "./h.js";
import { cardName } from "./cards.js";
import { CardRow } from "./card_view.js";
import { Dialog } from "./dialog.js";
import { sideOf } from "./fold.js";
import { words } from "./i18n.js";
import { seatName, seatNames } from "./narrate.js";
import { sidesOf } from "./side.js";
import { standing } from "./standing.js";
import { useStore } from "./store.js";

/** `ways` are what to do now, after a game; after a deal there is one. */
export function DealOver({ over, table, seat, ways, onClose }) {
  const said = useStore(words);
  const title = over.isLast ? said.say("over.game") : said.say("over.deal", { number: table.scores.length });
  const who = over.seat === null ? null : table.seats[over.seat];
  return html`
    <${Dialog} title=${title} onClose=${onClose} wide ways=${over.isLast
      ? table.result && ways
      : html`<p class="buttons"><button class="primary" data-offer="go-on" autofocus onClick=${onClose}>${said.say("over.go_on")}</button></p>`}>
      ${over.isLast && html`
        <section class="result"><${Standing} table=${table} seat=${seat} /></section>
        <h3>${said.say("deal.number", { number: table.scores.length })}</h3>`}
      <p class="why">
        ${over.reason === "went_out" && who
          ? over.seat === seat ? said.term("told.went_out.you", table.variant) : said.term("told.went_out", table.variant, { name: seatName(who, said) })
          : said.say(`told.ended.${over.reason}`)}
        ${over.multiplier > 1 && html` <strong class="tag">${said.say("over.multiplied", { count: over.multiplier })}</strong>`}
      </p>
      <table class="ended">
        <thead><tr>
          <th scope="col">${said.say("player")}</th><th scope="col">${said.say("over.left")}</th>
          <th scope="col" class="number">${said.say("points")}</th>
          ${!over.isLast && html`<th scope="col" class="number">${said.say("total")}</th>`}
        </tr></thead>
        <tbody>
          ${table.seats.map((one) => html`
            <tr key=${one.seat} class=${one.seat === over.seat && over.reason === "went_out" ? "out" : ""}>
              <th scope="row">${seatName(one, said, seat)}</th>
              <td>${over.hands[one.seat].length > 0 && html`
                <${CardRow} cards=${over.hands[one.seat].map((card) => ({ card }))}
                  label=${said.list(over.hands[one.seat].map((card) => cardName(card, said)))} />`}</td>
              <td class="number">${said.number(over.points[sideOf(one)])}</td>
              ${!over.isLast && html`<td class="number"><strong>${said.number(over.totals[sideOf(one)])}</strong></td>`}
            </tr>`)}
        </tbody>
      </table>
    <//>`;
}

/** Who won, who pays whom, and what now. */
export function Result({ table, seat, ways }) {
  return table.result && html`<section class="result"><${Standing} table=${table} seat=${seat} />${ways}</section>`;
}

/** Who came where with how many points in all, and who pays whom; `seat` is the reader's own. */
function Standing({ table, seat }) {
  const said = useStore(words);
  const { result } = table;
  if (!result) return null;
  const names = sidesOf(table, said, seat);
  return html`
    <h2>${said.say("over.winners", { count: result.winners.length, names: seatNames(result.winners, table, said, seat) })}</h2>
    <ol class="ranking">
      ${standing(table).map(({ side, place, isShared }) => html`
        <li key=${side}>
          <span class="hidden">${said.say(isShared ? "place.shared" : "place", { number: place })}: </span>
          <span class="place" aria-hidden="true">${said.number(place)}.</span>
          <span class="who">${names[side]}</span> <span class="points">${said.number(table.totals[side])}</span>
        </li>`)}
    </ol>
    ${result.settlement && result.settlement.length > 0 && html`<${Settlement} table=${table} seat=${seat} />`}`;
}

function Settlement({ table, seat }) {
  const said = useStore(words);
  const amount = (cents) =>
    new Intl.NumberFormat(said.locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(cents / 100);
  const pays = ([from, to, cents]) => {
    const key = from === seat ? "over.pays.you" : to === seat ? "over.pays.to_you" : "over.pays";
    return said.say(key, { from: seatName(table.seats[from], said), to: seatName(table.seats[to], said), amount: amount(cents) });
  };
  return html`
    <h3>${said.say("over.stakes")}</h3>
    <ul class="settlement">
      ${table.result.settlement.map((one) => html`<li>${pays(one)}</li>`)}
    </ul>`;
}
