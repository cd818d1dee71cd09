// A rule sheet in the reader's language: of a variant, or of one game with its own house rules.

import { html, useRef } from "./h.js";
import { api } from "./api.js";
import { words } from "./i18n.js";
import { useStore } from "./store.js";
import { useAnswer } from "./loading.js";
import { bySubject } from "./subjects.js";

// Where a sheet has a place of its own, as style/lobby.css has it; elsewhere it is closed until one opens a part.
const BESIDE = "(min-width: 861px)";

/** The sheet of a variant beside the form of its new table. */
export function Sheet({ name }) {
  const said = useStore(words);
  const place = useRef(null);
  const { value: sheet } = useAnswer(() => api.sheet(name, said.language), [name, said.language]);
  const goTo = (subject) => {
    const part = place.current.querySelector(`[data-subject="${subject}"]`);
    part.open = true;
    place.current.scrollTop = part.offsetTop + part.clientTop;
    part.querySelector("summary").focus({ preventScroll: true });
  };
  return html`
    <section class="sheet" aria-labelledby="sheet-title">
      <div class="head">
        <h2 id="sheet-title">${said.say("sheet.title")}</h2>
        ${sheet && html`
          <nav class="contents" aria-label=${said.say("sheet.contents")}>
            ${partsOf(sheet).map(({ subject }) => html`
              <button type="button" key=${subject} onClick=${() => goTo(subject)}>${said.say(`rules.group.${subject}`)}</button>`)}
          </nav>`}
      </div>
      <div class="text" ref=${place}>
        ${sheet
          ? html`<${Clauses} sheet=${sheet} level=${3} isOpen=${matchMedia(BESIDE).matches} />`
          : html`<p class="empty">${said.say("loading")}</p>`}
      </div>
    </section>`;
}

/** All clauses by what they are about, with the numbers of the whole sheet; `level` is that of their headings. */
export function Clauses({ sheet, level = 2, isOpen = false }) {
  const said = useStore(words);
  return html`
    ${sheet.also_known_as.length > 0 && html`
      <p class="note">${said.say("sheet.also", { names: said.list(sheet.also_known_as.map((one) => `\u2068${one}\u2069`)) })}</p>`}
    <div class="parts">
      ${partsOf(sheet).map(({ subject, items }) => html`
        <details class="part" key=${subject} data-subject=${subject} open=${isOpen}>
          <summary>
            <${`h${level}`}>${said.say(`rules.group.${subject}`)}<//>
            <span class="count">${said.say("rules.more", { count: items.length })}</span>
          </summary>
          <ol class="clauses">
            ${items.map(({ id, text, number }) => html`
              <li key=${id} id=${`clause-${id}`} value=${number} style=${{ counterSet: `clause ${number}` }}>${said.digits(text)}</li>`)}
          </ol>
        </details>`)}
    </div>`;
}

/** A sheet's parts. Every clause keeps the number that it has in the sheet to be read, so that one can speak of it. */
export const partsOf = (sheet) =>
  bySubject(sheet.clauses.map((clause, place) => ({ ...clause, number: place + 1 })), ({ id }) => id);

/** Clauses as the page says them, by their ids. */
export const clausesOf = (sheet, said) => new Map((sheet?.clauses ?? []).map(({ id, text }) => [id, said.digits(text)]));
