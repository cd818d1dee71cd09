// "Check this game": the log is verified in the browser, without trust in the service that sent it.
//
// The verifier is a module of its own, `verifier/verifier.js`, which knows nothing of this page. It exports
// `verify(text, onProgress)`: the log as NDJSON in, and what was checked out, as
// `{ verdict: "verified" | "failed" | "partial", checks: [{ name, verdict, detail, version }] }`.

import { html, useState } from "./h.js";
import { api } from "./api.js";
import { Complaint } from "./frame.js";
import { words } from "./i18n.js";
import { useStore } from "./store.js";

const BAD = new Set(["differs", "failed"]);
const VERIFIER = new URL("../verifier/verifier.js", import.meta.url).href;

/** The verifier of this release; null where it comes without one. */
async function verifier() {
  try {
    return (await import(VERIFIER)).verify ?? null;
  } catch {
    return null;
  }
}

/** Check a game: `{ by: "browser" | "service", verdict, checks }`. */
export async function check(game, token, finished, { find = verifier, client = api } = {}) {
  const verify = await find();
  if (verify !== null) return { by: "browser", ...(await verify(await client.log(game, token))) };
  if (!finished) return { by: "service", verdict: "unfinished", checks: [] };
  return { by: "service", ...(await client.audit(game)) };
}

export function Check({ game, token, finished }) {
  const said = useStore(words);
  const [state, setState] = useState({ busy: false, found: null, problem: null });
  const begin = async () => {
    setState({ busy: true, found: null, problem: null });
    try {
      setState({ busy: false, found: await check(game, token, finished), problem: null });
    } catch (problem) {
      setState({ busy: false, found: null, problem });
    }
  };
  const { found } = state;
  return html`
    <section class="check">
      <button data-offer="check" disabled=${state.busy} onClick=${begin}>${said.say(state.busy ? "check.busy" : "check")}</button>
      <div role="status">
        ${state.problem && html`<${Complaint} problem=${state.problem} />`}
        ${found && html`
          <p class=${`verdict ${found.verdict}`}>${said.say(`check.${found.verdict}`)}</p>
          <p class="note">${said.say(`check.by.${found.by}`)}</p>
          <ul class="checks">
            ${found.checks.map((one) => html`
              <li key=${one.name} class=${one.verdict}>
                <span aria-hidden="true">${BAD.has(one.verdict) ? "✗" : one.verdict === "cannot_judge" || one.verdict === "skipped" ? "–" : "✓"}</span>
                ${said.has(`check.name.${one.name}`) ? said.say(`check.name.${one.name}`) : one.name.replaceAll("_", " ")}
                ${one.detail && BAD.has(one.verdict) && html`<span class="detail" dir="auto">${one.detail}</span>`}
              </li>`)}
          </ul>`}
      </div>
    </section>`;
}
