// Beside the table: totals, what happened last, and the rules that this game is played by.

import { html, useState } from "./h.js";
import { words } from "./i18n.js";
import { narrate, seatName, written } from "./narrate.js";
import { Chart } from "./chart.js";
import { sideOf } from "./fold.js";
import { Clauses } from "./sheet.js";
import { useStore } from "./store.js";
import { valueText } from "./house_rules.js";

const TABS = ["moves", "scores", "rules"];

/** `onResign` is for whoever sits here and plays; on a narrow screen there is no other place for it. */
export function Side({ table, commits, seat, sheet, onResign = null }) {
  const said = useStore(words);
  const [tab, setTab] = useState("moves");
  return html`
    <aside class="side" aria-label=${said.say("side")}>
      <div class="tabs" role="group" aria-label=${said.say("side")}>
        ${TABS.map((name) => html`
          <button key=${name} aria-pressed=${tab === name ? "true" : "false"} onClick=${() => setTab(name)}>
            ${said.say(`side.${name}`)}
          </button>`)}
      </div>
      <div class="panel" tabindex="0" role="region" aria-label=${said.say(`side.${tab}`)}>
        ${tab === "moves" && html`<${LastMoves} table=${table} commits=${commits} seat=${seat} />`}
        ${tab === "scores" && html`<${Scores} table=${table} seat=${seat} />`}
        ${tab === "rules" && (sheet ? html`<${GameRules} sheet=${sheet} />` : html`<p class="empty">${said.say("loading")}</p>`)}
      </div>
      ${onResign && html`<button class="quiet narrow-only" onClick=${onResign}>${said.say("resign")}</button>`}
    </aside>`;
}

export function LastMoves({ table, commits, seat }) {
  const said = useStore(words);
  const tell = written(said);
  const lines = commits.flatMap((commit) =>
    narrate(commit, table, said, tell, seat).map((text, place) => ({ key: `${commit.version}-${place}`, text })));
  return html`
    <ol class="moves">
      ${lines.reverse().slice(0, 60).map(({ key, text }) => html`<li key=${key}>${text}</li>`)}
    </ol>`;
}

/** Points per deal, and totals: per seat, or per side where sides score. */
export function Scores({ table, seat = null }) {
  const said = useStore(words);
  const sides = sidesOf(table, said, seat);
  return html`
    <${Chart} scores=${table.scores} names=${sides} />
    <table class="scores">
      <thead><tr><th scope="col">${said.say("deal")}</th>${sides.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>
        ${table.scores.map((points, place) => html`
          <tr key=${place}><th scope="row">${said.number(place + 1)}</th>${points.map((one) => html`<td>${said.number(one)}</td>`)}</tr>`)}
      </tbody>
      <tfoot><tr><th scope="row">${said.say("total")}</th>${table.totals.map((one) => html`<td>${said.number(one)}</td>`)}</tr></tfoot>
    </table>`;
}

/** Whose each score is; `me` is the reader's own seat. */
export function sidesOf(table, said, me = null) {
  const names = [];
  for (const seat of table.seats) {
    const side = sideOf(seat);
    const name = seatName(seat, said, me);
    names[side] = names[side] ? `${names[side]} + ${name}` : name;
  }
  return names;
}

function GameRules({ sheet }) {
  const said = useStore(words);
  const changed = sheet.options.filter((rule) => sheet.house_rules[rule.name] !== rule.default);
  return html`
    ${changed.length > 0 && html`
      <h2>${said.say("rules.changed", { count: changed.length })}</h2>
      <dl class="changed">
        ${changed.map((rule) => html`
          <div key=${rule.name}><dt>${said.title(rule)}</dt><dd>${valueText(sheet.house_rules[rule.name], said, rule.name)}</dd></div>`)}
      </dl>`}
    <${Clauses} sheet=${sheet} />`;
}
