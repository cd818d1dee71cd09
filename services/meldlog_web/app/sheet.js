// A rule sheet in the reader's language: of a variant, or of one game with its own house rules.

import { html } from "./h.js";
import { api } from "./api.js";
import { words } from "./i18n.js";
import { useStore } from "./store.js";
import { useAnswer } from "./loading.js";

export function Sheet({ name }) {
  const said = useStore(words);
  const { value: sheet } = useAnswer(() => api.sheet(name, said.language), [name, said.language]);
  return html`
    <section class="sheet" aria-labelledby="sheet-title">
      <h2 id="sheet-title">${said.say("sheet.title")}</h2>
      ${sheet ? html`<${Clauses} sheet=${sheet} />` : html`<p class="empty">${said.say("loading")}</p>`}
    </section>`;
}

export function Clauses({ sheet }) {
  const said = useStore(words);
  return html`
    ${sheet.also_known_as.length > 0 && html`
      <p class="note">${said.say("sheet.also", { names: said.list(sheet.also_known_as.map((one) => `\u2068${one}\u2069`)) })}</p>`}
    <ol class="clauses">
      ${sheet.clauses.map((clause) => html`<li key=${clause.id} id=${`clause-${clause.id}`}>${clause.text}</li>`)}
    </ol>`;
}

/** Clauses by their ids. */
export const clausesOf = (sheet) => new Map((sheet?.clauses ?? []).map(({ id, text }) => [id, text]));
