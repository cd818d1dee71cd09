// A new table: who sits where, with which options and house rules.

import { html, useEffect, useRef, useState } from "./h.js";
import { api, Problem } from "./api.js";
import { words } from "./i18n.js";
import { useStore } from "./store.js";
import { useAnswer } from "./loading.js";
import { choose, settings } from "./settings.js";
import { HouseRules, differing } from "./house_rules.js";
import { countsOf, withOneLess, withOneMore } from "./seat_counts.js";
import { clausesOf } from "./sheet.js";
import { setUp } from "./setting_up.js";
import { tableAddress } from "./route.js";
import { Complaint } from "./frame.js";

const CLOCKS = [null, 15, 30, 60, 120];

const firstSeats = ([least, most]) =>
  Array.from({ length: Math.min(Math.max(least, 4), most) }, (_, place) =>
    place === 0 ? { kind: "me" } : { kind: "bot", strategy: "plain" });

export function NewTable({ variant, options, bots }) {
  const said = useStore(words);
  const { name } = useStore(settings);
  const [seats, setSeats] = useState(() => firstSeats(variant.players));
  const [rules, setRules] = useState({ chosen: {}, wrong: {} });
  const [picked, setPicked] = useState([]);
  const [listed, setListed] = useState(true);
  const [clock, setClock] = useState(null);
  const [state, setState] = useState({ busy: false, problem: null });
  const { value: sheet } = useAnswer(() => api.sheet(variant.name, said.language), [variant.name, said.language]);
  const extra = options.filter((one) => picked.includes(one.name)).flatMap((one) => one.options);
  const known = new Set(variant.options.map((rule) => rule.name));
  const form = [...variant.options, ...extra.filter((rule) => !known.has(rule.name))];
  const changed = differing(form, rules.chosen);
  const wrong = Object.fromEntries(form.filter(({ name }) => name in rules.wrong).map(({ name }) => [name, rules.wrong[name]]));
  const faults = faultsOf(state.problem);
  const [refused, setRefused] = useState(0);
  const place = useRef(null);
  // Whoever tried in vain is led to the first field that something is wrong with, wherever it is folded away.
  useEffect(() => {
    const field = place.current.querySelector('[aria-invalid="true"]');
    if (!refused || !field) return;
    field.closest("details").open = true;
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: "center" });
  }, [refused]);

  const open = async (event) => {
    event.preventDefault();
    if (Object.keys(wrong).length) {
      setState({ busy: false, problem: null });
      setRefused(refused + 1);
      return;
    }
    setState({ busy: true, problem: null });
    try {
      const start = seats.every((seat) => seat.kind !== "person");
      const given = { variant: variant.name, seats, name: name.trim() || said.say("player"), houseRules: changed };
      const game = await setUp({ ...given, options: picked, listed, turnSeconds: clock, start });
      location.hash = tableAddress(game);
    } catch (error) {
      setState({ busy: false, problem: error });
      setRefused(refused + 1);
    }
  };
  // What the service found wrong was said of other values.
  const change = () => state.problem && setState({ busy: false, problem: null });
  const count = Object.keys({ ...changed, ...wrong }).length;
  const waits = seats.some((seat) => seat.kind === "person");
  return html`
    <form class="new-table" ref=${place} noValidate onSubmit=${open} onInput=${change} onChange=${change} aria-labelledby="new-title">
      <h1 id="new-title">${said.title(variant)}</h1>
      <label class="field">${said.say("new.name")}
        <input value=${name} maxlength="64" placeholder=${said.say("player")} autocomplete="nickname"
          onInput=${(event) => choose({ name: event.target.value })} />
      </label>
      <${Seats} seats=${seats} onChange=${(chosen) => { change(); setSeats(chosen); }} bots=${bots}
        counts=${countsOf(variant.players, valueOf(form, rules.chosen, "teams"))} />
      ${options.length > 0 && html`
        <fieldset class="options">
          <legend>${said.say("new.options")}</legend>
          ${options.map((one) => html`
            <label class="switch" key=${one.name}>
              <input type="checkbox" checked=${picked.includes(one.name)} onChange=${(event) =>
                setPicked(event.target.checked ? [...picked, one.name] : picked.filter((other) => other !== one.name))} />
              ${said.title(one)}
            </label>`)}
        </fieldset>`}
      <label class="field">${said.say("new.clock")}
        <select value=${String(clock)} onChange=${(event) => setClock(event.target.value === "null" ? null : Number(event.target.value))}>
          ${CLOCKS.map((seconds) => html`
            <option value=${String(seconds)} selected=${seconds === clock}>
              ${seconds === null ? said.say("new.no_clock") : said.say("seconds", { count: seconds })}
            </option>`)}
        </select>
      </label>
      <label class="switch">
        <input type="checkbox" checked=${listed} onChange=${(event) => setListed(event.target.checked)} />
        ${said.say("new.listed")}
      </label>
      <details class="rules">
        <summary>
          ${said.say("new.rules")}
          ${count > 0 && html`<span class="count">${said.say("rules.changed", { count })}</span>`}
        </summary>
        <${HouseRules} form=${form} clauses=${clausesOf(sheet, said)} chosen=${rules.chosen} wrong=${wrong} faults=${faults}
          onChange=${(chosen, wrong) => { change(); setRules({ chosen, wrong }); }} />
      </details>
      ${state.problem && html`<${Complaint} problem=${state.problem} />`}
      <button class="primary" disabled=${state.busy}>${said.say(waits ? "new.open" : "new.play")}</button>
    </form>`;
}

/** What a house rule of the form is set to. */
const valueOf = (form, chosen, name) => chosen[name] ?? form.find((rule) => rule.name === name)?.default;

/** What the service found wrong with house rules, by their names. */
function faultsOf(problem) {
  if (!(problem instanceof Problem)) return new Map();
  return new Map(problem.errors
    .filter(({ pointer }) => pointer.startsWith("/house_rules/"))
    .map(({ pointer, detail }) => [pointer.split("/")[2], detail]));
}

/** `counts` are how many seats there may be. */
function Seats({ seats, onChange, counts, bots }) {
  const said = useStore(words);
  const strategies = bots.length ? bots.map((bot) => bot.name) : ["plain"];
  const change = (number, seat) => onChange(seats.map((old, place) => (place === number ? seat : old)));
  const choices = ["me", "person", ...strategies];
  const kindOf = (seat) => (seat.kind === "bot" ? seat.strategy : seat.kind);
  const pick = (number, value) => {
    if (value === "person") return change(number, { kind: "person" });
    if (value !== "me") return change(number, { kind: "bot", strategy: value });
    return onChange(seats.map((seat, place) =>
      place === number ? { kind: "me" } : seat.kind === "me" ? { kind: "person" } : seat));
  };
  const text = (choice) =>
    choice === "me" || choice === "person" ? said.say(`seat.${choice}`) : strategyName(choice, said);
  return html`
    <fieldset class="seats">
      <legend>${said.say("new.seats")}</legend>
      <ol>
        ${seats.map((seat, number) => html`
          <li key=${number}>
            <label>
              <span class="hidden">${said.say("seat.number", { number: number + 1 })}</span>
              <select value=${kindOf(seat)} onChange=${(event) => pick(number, event.target.value)}>
                ${choices.map((choice) => html`
                  <option value=${choice} selected=${choice === kindOf(seat)}>${text(choice)}</option>`)}
              </select>
            </label>
            ${seats.length > counts[0] && number > 0 && html`
              <button type="button" class="quiet icon" aria-label=${said.say("seat.remove", { number: number + 1 })}
                onClick=${() => onChange(withOneLess(seats, number, counts))}>−</button>`}
          </li>`)}
      </ol>
      ${(counts.at(-1) - counts[0] >= counts.length || !counts.includes(seats.length)) && html`
        <p class=${counts.includes(seats.length) ? "note" : "fault"} role="status">
          ${said.say("seats.counts", { counts: said.either(counts.map((one) => said.number(one))) })}
        </p>`}
      ${seats.length < counts.at(-1) && html`
        <button type="button" class="quiet" onClick=${() => onChange(withOneMore(seats, counts))}>
          + ${said.say("seat.add")}
        </button>`}
    </fieldset>`;
}

/** What a bot's strategy is called; one that a plugin brings has only its own name. */
export function strategyName(strategy, said) {
  const key = `bot.${strategy}`;
  return said.has(key) ? said.say(key) : said.say("bot.other", { name: strategy });
}
