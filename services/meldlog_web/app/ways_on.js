// What now, when a game is over: play again, see it again, or leave.

import { html, useState } from "./h.js";
import { Complaint } from "./frame.js";
import { words } from "./i18n.js";
import { placeAt } from "./places.js";
import { useRematch } from "./rematch.js";
import { replayAddress, tableAddress } from "./route.js";
import { again, setUp } from "./setting_up.js";
import { useStore } from "./store.js";

/** What now, after a game that `ended` at a time: one of them is the main way on; where `isFirst`, it has the focus first. */
export function WaysOn({ table, seat, ended, isFirst = false }) {
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
