// The end of a deal and of a game: what everybody still held, what it cost, and how it stands.

import { html, useState } from "./h.js";
import { cardName } from "./cards.js";
import { CardRow } from "./card_view.js";
import { Dialog } from "./dialog.js";
import { sideOf } from "./fold.js";
import { Complaint } from "./frame.js";
import { words } from "./i18n.js";
import { seatName } from "./narrate.js";
import { placeAt } from "./places.js";
import { useRematch } from "./rematch.js";
import { replayAddress, tableAddress } from "./route.js";
import { again, setUp } from "./setting_up.js";
import { sidesOf } from "./side.js";
import { standing } from "./standing.js";
import { useStore } from "./store.js";

export function DealOver({ over, table, seat, onClose }) {
  const said = useStore(words);
  const title = over.isLast ? said.say("over.game") : said.say("over.deal", { number: table.scores.length });
  const who = over.seat === null ? null : table.seats[over.seat];
  return html`
    <${Dialog} title=${title} onClose=${onClose} wide>
      <p class="why">
        ${over.reason === "went_out" && who
          ? over.seat === seat ? said.term("told.went_out.you", table.variant) : said.term("told.went_out", table.variant, { name: seatName(who, said) })
          : said.say(`told.ended.${over.reason}`)}
        ${over.multiplier > 1 && html` <strong class="tag">${said.say("over.multiplied", { count: over.multiplier })}</strong>`}
      </p>
      <table class="ended">
        <thead><tr>
          <th scope="col">${said.say("player")}</th><th scope="col">${said.say("over.left")}</th>
          <th scope="col">${said.say("points")}</th><th scope="col">${said.say("total")}</th>
        </tr></thead>
        <tbody>
          ${table.seats.map((one) => html`
            <tr key=${one.seat} class=${one.seat === over.seat && over.reason === "went_out" ? "out" : ""}>
              <th scope="row">${seatName(one, said)}</th>
              <td>${over.hands[one.seat].length > 0 && html`
                <${CardRow} cards=${over.hands[one.seat].map((card) => ({ card }))}
                  label=${said.list(over.hands[one.seat].map((card) => cardName(card, said)))} />`}</td>
              <td>${said.number(over.points[sideOf(one)])}</td>
              <td><strong>${said.number(over.totals[sideOf(one)])}</strong></td>
            </tr>`)}
        </tbody>
      </table>
      ${over.isLast ? html`<${Result} table=${table} seat=${seat} />` : html`
        <p class="buttons"><button class="primary" data-offer="go-on" autofocus onClick=${onClose}>${said.say("over.go_on")}</button></p>`}
    <//>`;
}

/** Who won, who pays whom, and what now. */
export function Result({ table, seat }) {
  const said = useStore(words);
  const [state, setState] = useState({ busy: false, problem: null });
  const opened = useRematch(table, seat);
  const { result } = table;
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
  if (!result) return null;
  const names = sidesOf(table, said);
  return html`
    <section class="result">
      <h2>${said.say("over.winners", { count: result.winners.length, names: said.list(result.winners.map((one) => seatName(table.seats[one], said))) })}</h2>
      <ol class="ranking">
        ${standing(table).map(({ side, place, isShared }) => html`
          <li key=${side}>
            <span class="hidden">${said.say(isShared ? "place.shared" : "place", { number: place })}: </span>
            <span class="place" aria-hidden="true">${said.number(place)}.</span>
            <span class="who">${names[side]}</span> <span class="points">${said.number(table.totals[side])}</span>
          </li>`)}
      </ol>
      ${result.settlement && result.settlement.length > 0 && html`<${Settlement} table=${table} />`}
      <p class="buttons">
        ${opened
          ? html`<a class="button primary" data-offer="join" href=${tableAddress(opened.game)}>
              ${said.say("over.join", { name: `\u2068${opened.name}\u2069` })}</a>`
          : seat !== null && html`
            <button class="primary" data-offer="rematch" disabled=${state.busy} onClick=${rematch}>${said.say("over.rematch")}</button>`}
        <a class="button" href=${replayAddress(table.game_id)}>${said.say("over.replay")}</a>
        <a class="button" href="#/">${said.say("over.lobby")}</a>
      </p>
      ${state.problem && html`<${Complaint} problem=${state.problem} />`}
    </section>`;
}

function Settlement({ table }) {
  const said = useStore(words);
  const amount = (cents) =>
    new Intl.NumberFormat(said.locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(cents / 100);
  return html`
    <h3>${said.say("over.stakes")}</h3>
    <ul class="settlement">
      ${table.result.settlement.map(([from, to, cents]) => html`
        <li>${said.say("over.pays", { from: seatName(table.seats[from], said), to: seatName(table.seats[to], said), amount: amount(cents) })}</li>`)}
    </ul>`;
}

