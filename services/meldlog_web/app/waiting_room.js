// Before the first deal: who sits where, an address to send, and the start.

import { html, useState } from "./h.js";
import { api } from "./api.js";
import { Complaint } from "./frame.js";
import { words } from "./i18n.js";
import { seatName } from "./narrate.js";
import { strategyName } from "./new_table.js";
import { giveUpSeat, placeAt } from "./places.js";
import { choose, settings } from "./settings.js";
import { sitDown } from "./setting_up.js";
import { useAnswer } from "./loading.js";
import { useStore } from "./store.js";

export function WaitingRoom({ live, table, seat }) {
  const said = useStore(words);
  const { name } = useStore(settings);
  const [state, setState] = useState({ busy: false, problem: null });
  const { value: bots } = useAnswer(() => api.bots(), []);
  const { hostToken = null } = placeAt(table.game_id);
  const isFull = table.seats.every((one) => one.name !== null);
  const act = (action) => async () => {
    setState({ busy: true, problem: null });
    try {
      await action();
      setState({ busy: false, problem: null });
    } catch (problem) {
      setState({ busy: false, problem });
    }
  };
  const sit = (number) => act(async () => {
    await sitDown(table.game_id, { name: name.trim() || said.say("player"), seat: number });
    await live.reenter();
  });
  const leave = act(async () => {
    await api.leave(table.game_id, seat, live.token);
    giveUpSeat(table.game_id);
    await live.reenter();
  });
  const seatBot = (number, bot) =>
    act(() => api.sit(table.game_id, { seat: number, bot }, hostToken));
  return html`
    <section class="waiting" aria-labelledby="waiting-title">
      <h2 id="waiting-title">${said.say(isFull ? "waiting.full" : "waiting.title")}</h2>
      ${!isFull && html`<${Invitation} />`}
      ${seat === null && !isFull && html`
        <label class="field">${said.say("new.name")}
          <input value=${name} maxlength="64" placeholder=${said.say("player")} autocomplete="nickname"
            onInput=${(event) => choose({ name: event.target.value })} />
        </label>`}
      <ol class="chairs">
        ${table.seats.map((one) => html`
          <li key=${one.seat} class=${one.name === null ? "free" : ""}>
            <span class="number" aria-hidden="true">${said.number(one.seat + 1)}</span>
            <span class="who">${seatName(one, said)}
              ${one.kind === "bot" && html` <span class="bot">${strategyName(one.strategy ?? "plain", said)}</span>`}
              ${one.seat === seat && html` <span class="tag">${said.say("you")}</span>`}
            </span>
            ${one.name === null && seat === null && html`
              <button class="primary" disabled=${state.busy} onClick=${sit(one.seat)}>${said.say("waiting.sit")}</button>`}
            ${one.name === null && hostToken && html`
              <select aria-label=${said.say("waiting.bot")} disabled=${state.busy}
                onChange=${(event) => event.target.value && seatBot(one.seat, event.target.value)()}>
                <option value="">${said.say("waiting.bot")}</option>
                ${(bots?.items ?? []).map((bot) => html`<option value=${bot.name}>${strategyName(bot.name, said)}</option>`)}
              </select>`}
            ${one.seat === seat && html`
              <button class="quiet" disabled=${state.busy} onClick=${leave}>${said.say("waiting.leave")}</button>`}
          </li>`)}
      </ol>
      ${state.problem && html`<${Complaint} problem=${state.problem} />`}
      ${hostToken
        ? html`<button class="primary big" data-offer="start" disabled=${!isFull || state.busy}
            onClick=${act(() => live.send({ type: "start_game" }, { by: "host" }))}>${said.say("waiting.start")}</button>`
        : html`<p class="note">${said.say("waiting.host")}</p>`}
    </section>`;
}

/** The address to send to those who shall play. */
function Invitation() {
  const said = useStore(words);
  const [copied, setCopied] = useState(false);
  const copy = async (event) => {
    event.target.closest("label")?.querySelector("input")?.select();
    try {
      await navigator.clipboard.writeText(location.href);
      setCopied(true);
    } catch {
      // The address is selected and can be copied by hand.
    }
  };
  return html`
    <div class="invitation">
      <label class="field">${said.say("waiting.link")}
        <input readonly value=${location.href} dir="ltr" onFocus=${(event) => event.target.select()} />
      </label>
      <button onClick=${copy}>${said.say(copied ? "waiting.copied" : "waiting.copy")}</button>
    </div>`;
}
