// There is nothing at this address: why, and the way back.

import { html, useEffect } from "./h.js";
import { Top } from "./frame.js";
import { words } from "./i18n.js";
import { useStore } from "./store.js";

/** `title` and `why` are in the reader's language. */
export function Missing({ title = null, why }) {
  const said = useStore(words);
  const told = title ?? said.say("missing");
  useEffect(() => {
    document.title = `${told} – Meldlog`;
  }, [told]);
  return html`
    <${Top} />
    <main class="missing">
      <h1>${told}</h1>
      <p>${why}</p>
      <a class="button primary" href="#/">${said.say("over.lobby")}</a>
    </main>`;
}

/** No place of this page has such an address. */
export function Nowhere() {
  const said = useStore(words);
  return html`<${Missing} title=${said.say("nowhere")} why=${said.say("nowhere.why")} />`;
}
