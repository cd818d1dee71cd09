// What stands above every page: the name, the way home, and what a reader may choose.

import { html, useState } from "./h.js";
import { Problem } from "./api.js";
import { LANGUAGES, speak, words } from "./i18n.js";
import { PACES, SCHEMES, choose, settings } from "./settings.js";
import { useStore } from "./store.js";
import { Dialog } from "./dialog.js";
import { lobbyAddress } from "./route.js";

export function Top({ title = null, children }) {
  const said = useStore(words);
  const [open, setOpen] = useState(false);
  return html`
    <header class="top">
      <a class="home" href=${lobbyAddress()}>
        <span class="mark" aria-hidden="true"></span><span class="name" aria-hidden="true">Meldlog</span>
        <span class="hidden">${said.say("home")}</span>
      </a>
      ${title ? html`<h1>${title}</h1>` : html`<span class="grow"></span>`}
      ${children}
      <${LanguageMenu} />
      <button class="quiet" onClick=${() => setOpen(true)}>
        <span aria-hidden="true">⚙</span><span class="label">${said.say("settings")}</span>
      </button>
      ${open && html`<${Settings} onClose=${() => setOpen(false)} />`}
    </header>`;
}

function LanguageMenu() {
  const said = useStore(words);
  return html`<label class="language"><span class="hidden">${said.say("language")}</span><${LanguageChoice} /></label>`;
}

function LanguageChoice() {
  const said = useStore(words);
  return html`
    <select value=${said.language} onChange=${(event) => {
      choose({ language: event.target.value });
      void speak();
    }}>
      ${Object.entries(LANGUAGES).map(([tag, name]) => html`
        <option value=${tag} lang=${tag} selected=${tag === said.language}>${name}</option>`)}
    </select>`;
}

function Settings({ onClose }) {
  const said = useStore(words);
  const chosen = useStore(settings);
  const switches = [["fourColours", "settings.four_colours"], ["hints", "settings.hints"]];
  return html`
    <${Dialog} title=${said.say("settings")} onClose=${onClose}>
      <label class="field">${said.say("language")}<${LanguageChoice} /></label>
      ${switches.map(([name, key]) => html`
        <label class="switch">
          <input type="checkbox" checked=${chosen[name]} onChange=${(event) => choose({ [name]: event.target.checked })} />
          ${said.say(key)}
        </label>`)}
      <${Choice} name="scheme" options=${SCHEMES} />
      <${Choice} name="pace" options=${PACES} />
    <//>`;
}

function Choice({ name, options }) {
  const said = useStore(words);
  const chosen = useStore(settings);
  return html`
    <fieldset class="choice">
      <legend>${said.say(`settings.${name}`)}</legend>
      ${options.map((option) => html`
        <label>
          <input type="radio" name=${name} checked=${chosen[name] === option} onChange=${() => choose({ [name]: option })} />
          ${said.say(`settings.${name}.${option}`)}
        </label>`)}
    </fieldset>`;
}

/** The one place that a screen reader listens to. */
export const Announcer = ({ text }) => html`<div class="hidden" role="status" aria-live="polite">${text}</div>`;

/** Words for a problem: the clause that was broken, in the reader's language, and what kind of no it is. */
export function problemWords(problem, said, clauses = new Map()) {
  const key = `problem.${problem.code}`;
  const kind = said.has(key) ? said.say(key) : said.say("problem.internal");
  const clause = problem.rule ? clauses.get(problem.rule) ?? null : null;
  // The details that the service tells are English; numbers are said in any language.
  const counted = problem.shortfall ? said.say("tray.points", problem.shortfall) : null;
  const detail = said.language === "en" && problem.detail ? problem.detail : counted;
  return { kind, clause, detail };
}

/** What the service tells in detail: English, whatever is read around it. */
export const InEnglish = ({ text }) => html`<bdi lang="en" dir="ltr">${text}</bdi>`;

/** A problem, told where it arose. */
export function Complaint({ problem }) {
  const said = useStore(words);
  const told = problem instanceof Problem ? problemWords(problem, said) : { kind: said.say("problem.unreachable") };
  // Where no clause tells the reason, one in a foreign language is better than none.
  const foreign = !told.detail && problem instanceof Problem ? problem.detail : "";
  return html`<p class="fault" role="alert">${told.kind}${told.detail ? ` ${told.detail}` : ""}
    ${foreign && html` <${InEnglish} text=${foreign} />`}</p>`;
}
