// The end of a deal and of a game: what everybody still held, what it cost, and how it stands.

import { html, useState } from "./h.js";
import { cardName } from "./cards.js";
import { CardRow } from "./card_view.js";
import { Dialog } from "./dialog.js";
import { sideOf } from "./fold.js";
import { Complaint } from "./frame.js";
import { words } from "./i18n.js";
import { seatName, seatNames } from "./narrate.js";
import { placeAt } from "./places.js";
import { useRematch } from "./rematch.js";
import { replayAddress, tableAddress } from "./route.js";
import { again, setUp } from "./setting_up.js";
import { sidesOf } from "./side.js";
import { standing } from "./standing.js";
import { useStore } from "./store.js";

export function DealOver({ over, table, seat, ended, onClose }) {
  const said = useStore(words);
  const title = over.isLast ? said.say("over.game") : said.say("over.deal", { number: table.scores.length });
  const who = over.seat === null ? null : table.seats[over.seat];
  return html`
    <${Dialog} title=${title} onClose=${onClose} wide ways=${over.isLast
      ? table.result && html`<${WaysOn} table=${table} seat=${seat} ended=${ended} isFirst />`
      : html`<p class="buttons"><button class="primary" data-offer="go-on" autofocus onClick=${onClose}>${said.say("over.go_on")}</button></p>`}>
      <p class="why">
        ${over.reason === "went_out" && who
          ? over.seat === seat ? said.term("told.went_out.you", table.variant) : said.term("told.went_out", table.variant, { name: seatName(who, said) })
          : said.say(`told.ended.${over.reason}`)}
        ${over.multiplier > 1 && html` <strong class="tag">${said.say("over.multiplied", { count: over.multiplier })}</strong>`}
      </p>
      <table class="ended">
        <thead><tr>
          <th scope="col">${said.say("player")}</th><th scope="col">${said.say("over.left")}</th>
          <th scope="col">${over.isLast ? said.say("deal.number", { number: table.scores.length }) : said.say("points")}</th>
          ${!over.isLast && html`<th scope="col">${said.say("total")}</th>`}
        </tr></thead>
        <tbody>
          ${table.seats.map((one) => html`
            <tr key=${one.seat} class=${one.seat === over.seat && over.reason === "went_out" ? "out" : ""}>
              <th scope="row">${seatName(one, said, seat)}</th>
              <td>${over.hands[one.seat].length > 0 && html`
                <${CardRow} cards=${over.hands[one.seat].map((card) => ({ card }))}
                  label=${said.list(over.hands[one.seat].map((card) => cardName(card, said)))} />`}</td>
              <td>${said.number(over.points[sideOf(one)])}</td>
              ${!over.isLast && html`<td><strong>${said.number(over.totals[sideOf(one)])}</strong></td>`}
            </tr>`)}
        </tbody>
      </table>
      ${over.isLast && html`<section class="result"><${Standing} table=${table} seat=${seat} /></section>`}
    <//>`;
}

/** Who won, who pays whom, and what now. */
export function Result({ table, seat, ended }) {
  if (!table.result) return null;
  return html`
    <section class="result"><${Standing} table=${table} seat=${seat} /><${WaysOn} table=${table} seat=${seat} ended=${ended} /></section>`;
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

/** What now, after a game that `ended` at a time: one of them is the main way on; where `isFirst`, it has the focus first. */
function WaysOn({ table, seat, ended, isFirst = false }) {
  const said = useStore(words);
  const [state, setState] = useState({ busy: false, problem: null });
  const opened = useRematch(table, seat, ended);
  const rematch = async () => {
    setState({ busy: true, problem: null });
    try {
      const wanted = again(table, { seat, ...placeAt(table.game_id) });
      const game = await setUp({ ...wanted, name: wanted.name || said.say("player") });
      location.hash = tableAddress(game);
    } catch (error) {
      setState({ busy: false, problem: error });
    }
  };
  const playsAgain = opened !== null || seat !== null;
  return html`
    <p class="buttons">
      ${opened
        ? html`<a class="button primary" data-offer="join" autofocus=${isFirst} href=${tableAddress(opened.game)}>
            ${said.say("over.join", { name: `\u2068${opened.name}\u2069` })}</a>`
        : seat !== null && html`
          <button class="primary" data-offer="rematch" autofocus=${isFirst} disabled=${state.busy}
            onClick=${rematch}>${said.say("over.rematch")}</button>`}
      <a class=${playsAgain ? "button" : "button primary"} data-offer="replay" autofocus=${isFirst && !playsAgain}
        href=${replayAddress(table.game_id)}>${said.say("over.replay")}</a>
      <a class="button" href="#/">${said.say("over.lobby")}</a>
    </p>
    ${state.problem && html`<${Complaint} problem=${state.problem} />`}`;
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
