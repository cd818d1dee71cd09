// "Check this game": the log is verified in the browser, without trust in the service that sent it.
//
// The verifier is a module of its own, `static/verifier.js`, which knows nothing of this page: `verify(text)` takes the
// log as NDJSON and says `{ ok, versions, checks: [{ name, verdict, detail, version, count }] }`.

import { html, useState } from "./h.js";
import { api } from "./api.js";
import { Complaint } from "./frame.js";
import { words } from "./i18n.js";
import { useStore } from "./store.js";

const VERIFIER = new URL("../static/verifier.js", import.meta.url).href;
const BAD = new Set(["differs", "fault"]);
const OPEN = new Set(["cannot_judge", "not_provable"]);

/** The verifier of this release; null where it comes without one. */
async function verifier() {
  try {
    return (await import(VERIFIER)).verify ?? null;
  } catch {
    return null;
  }
}

/** Whether a finding is that nobody can tell what came after the last commit; the page says that in words of its own. */
const isOfTheEnd = ({ name, verdict, version }, versions) =>
  name === "chain" && verdict === "not_provable" && version > versions;

/** Check a game: `{ by: "browser" | "service", verdict, checks }`. */
export async function check(game, token, finished, { find = verifier, client = api } = {}) {
  const verify = await find();
  if (verify !== null) {
    const { ok, checks, versions } = verify(await client.log(game, token));
    const verdict = ok ? (finished ? "verified" : "partial") : "failed";
    return { by: "browser", verdict, checks: checks.map((one) => (isOfTheEnd(one, versions) ? { ...one, detail: "" } : one)) };
  }
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
            ${gathered(found.checks).map((one) => html`<${Line} key=${one.name} check=${one} />`)}
          </ul>
          ${found.by === "browser" && html`<p class="note tail">${said.say("check.tail")}</p>`}`}
      </div>
    </section>`;
}

/** One line for each thing that was checked: its worst verdict, and what is to be said of it. */
export function gathered(checks) {
  const lines = new Map();
  for (const { name, verdict, detail } of checks) {
    const line = lines.get(name) ?? { name, sign: "–", faults: [], open: [] };
    if (BAD.has(verdict)) line.faults.push(detail);
    else if (!OPEN.has(verdict)) line.sign = "✓";
    else if (detail) line.open.push(detail);
    if (line.faults.length) line.sign = "✗";
    lines.set(name, line);
  }
  return [...lines.values()];
}

function Line({ check: { name, sign, faults, open } }) {
  const said = useStore(words);
  const key = `check.name.${name}`;
  // Details are English; what is wrong is told all the same.
  const details = said.language === "en" ? [...faults, ...open] : faults;
  return html`
    <li class=${faults.length ? "fault" : ""}>
      <span aria-hidden="true">${sign} </span>${said.has(key) ? said.say(key) : name.replaceAll("_", " ")}
      ${sign === "–" && html` <span class="note">(${said.say("check.open")})</span>`}
      ${details.map((detail) => html`<span class="detail" dir="auto">${detail}</span>`)}
    </li>`;
}
