// House rules as a form: one control for every rule, made from the JSON Schema of its values.

import { html, useRef, useState } from "./h.js";
import { InEnglish } from "./frame.js";
import { words } from "./i18n.js";
import { useStore } from "./store.js";
import { bySubject } from "./subjects.js";

/** The ways that a schema can be met: `{ kinds: [...], enumeration, integer }`. */
export function shapeOf(schema) {
  const shape = { values: [], integer: null };
  for (const part of schema.anyOf ?? [schema]) {
    if (part.enum) shape.values.push(...part.enum);
    else if (part.type === "boolean") shape.values.push(true, false);
    else if (part.type === "null") shape.values.push(null);
    else if (part.type === "integer") shape.integer = { min: part.minimum, max: part.maximum };
  }
  return shape;
}

// Rules that tell how much there may be at most, by their names: without a value nothing limits it.
const LIMIT = /(^|_)(cap|limit|max)(_|$)/;

/** The value of a rule in words. */
export function valueText(value, said, name = "") {
  if (value === null) return said.say(LIMIT.test(name) ? "value.null.limit" : "value.null");
  if (typeof value === "boolean") return said.say(`value.${value}`);
  if (typeof value === "number") return said.number(value);
  const key = `value.${value}`;
  return said.has(key) ? said.say(key) : String(value).replaceAll("_", " ");
}

/** Only what differs from the defaults: what a new game is created with. */
export function differing(form, chosen) {
  const defaults = new Map(form.map((rule) => [rule.name, rule.default]));
  const entries = Object.entries(chosen).filter(([name, value]) => defaults.has(name) && defaults.get(name) !== value);
  return Object.fromEntries(entries);
}

/** The number that a text is, where a schema takes it; else null. */
export function numberIn(text, { min = -Infinity, max = Infinity }) {
  const number = text.trim() === "" ? NaN : Number(text);
  return Number.isSafeInteger(number) && number >= min && number <= max ? number : null;
}

/** What is to be written where a number was asked for, in words. */
export function numberWords({ min, max }, said) {
  const bounds = { min: min === undefined ? null : said.number(min), max: max === undefined ? null : said.number(max) };
  if (bounds.min && bounds.max) return said.say("rules.wrong.between", bounds);
  if (bounds.min) return said.say("rules.wrong.least", bounds);
  return said.say(bounds.max ? "rules.wrong.most" : "rules.wrong", bounds);
}

const NUMBER = "number";

/** `wrong` is a text in place of a number, as it was written; `told` are the marks of a field that something is said of. */
function Control({ rule, value, wrong, told, onChange, onWrong, id }) {
  const said = useStore(words);
  const { values, integer } = shapeOf(rule.schema);
  const isWrong = wrong !== undefined;
  const isNumber = isWrong || (typeof value === "number" && integer !== null && !values.includes(value));
  if (values.length === 2 && values.includes(true) && values.includes(false) && !integer) {
    return html`<input id=${id} type="checkbox" checked=${value} ...${told} onChange=${(event) => onChange(event.target.checked)} />`;
  }
  const number = html`
    <input type="number" id=${values.length ? undefined : id} min=${integer?.min} max=${integer?.max}
      aria-label=${said.title(rule)} value=${isWrong ? wrong : String(isNumber ? value : integer?.min ?? 0)} required ...${told}
      onInput=${({ target }) => {
        const found = numberIn(target.value, integer);
        if (found === null) onWrong(target.value);
        else onChange(found);
      }} />`;
  if (!values.length) return number;
  const picked = isNumber ? NUMBER : String(values.indexOf(value));
  return html`
    <select id=${id} value=${picked} ...${isNumber ? {} : told} onChange=${(event) => {
      const pick = event.target.value;
      if (pick !== NUMBER) onChange(values[Number(pick)]);
      else onChange(typeof rule.default === "number" ? rule.default : integer.min ?? 1);
    }}>
      ${values.map((one, place) => html`
        <option value=${String(place)} selected=${picked === String(place)}>${valueText(one, said, rule.name)}</option>`)}
      ${integer && html`<option value=${NUMBER} selected=${isNumber}>${said.say("rules.number")}</option>`}
    </select>
    ${isNumber && number}`;
}

/**
 * The form; `chosen` holds what was changed, `wrong` the texts that stand where a number should. `onChange` gets all of both
 * anew. `faults` are what the service found.
 */
export function HouseRules({ form, clauses, chosen, wrong = {}, onChange, faults = new Map() }) {
  const said = useStore(words);
  const changed = differing(form, chosen);
  const differs = (name) => name in changed || name in wrong;
  const isMarked = (name) => differs(name) || faults.has(name);
  const set = (name, value) => {
    const { [name]: _mended, ...others } = wrong;
    onChange({ ...chosen, [name]: value }, others);
  };
  return html`
    <div class="house-rules">
      ${Object.keys({ ...changed, ...wrong }).length > 0 && html`
        <button type="button" class="quiet" onClick=${() => onChange({}, {})}>${said.say("rules.reset")}</button>`}
      ${bySubject(form, ({ clause }) => clause).map(({ subject, items }) => html`
        <${Group} key=${subject} group=${subject} rules=${items} differs=${differs} isMarked=${isMarked}>
          ${(rule) => html`
            <${Rule} key=${rule.name} rule=${rule} value=${rule.name in chosen ? chosen[rule.name] : rule.default}
              wrong=${wrong[rule.name]} differs=${rule.name in changed} clause=${clauses.get(rule.clause)} fault=${faults.get(rule.name)}
              onChange=${(value) => set(rule.name, value)} onWrong=${(text) => onChange(chosen, { ...wrong, [rule.name]: text })} />`}
        <//>`)}
    </div>`;
}

/** The rules about one thing; its heading counts those that differ. Closed, it shows those that are marked, and those that were since it was closed. */
function Group({ group, rules, differs, isMarked, children: draw }) {
  const said = useStore(words);
  const [open, setOpen] = useState(false);
  const seen = useRef(new Set());
  const count = rules.filter((rule) => differs(rule.name)).length;
  for (const rule of rules) if (isMarked(rule.name)) seen.current.add(rule.name);
  const shown = open ? rules : rules.filter((rule) => seen.current.has(rule.name));
  const toggle = () => {
    seen.current = new Set();
    setOpen(!open);
  };
  return html`
    <section class="rule-group" data-group=${group}>
      <h2><button type="button" class="quiet" aria-expanded=${open ? "true" : "false"} onClick=${toggle}>
        <span class="about">${said.say(`rules.group.${group}`)}</span>
        <span class="count">${count ? said.say("rules.changed", { count }) : said.say("rules.more", { count: rules.length })}</span>
      </button></h2>
      ${shown.map(draw)}
    </section>`;
}

function Rule({ rule, value, wrong, differs, clause, fault, onChange, onWrong }) {
  const said = useStore(words);
  const id = `rule-${rule.name}`;
  const isWrong = wrong !== undefined;
  // The details that the service tells are English.
  const foreign = said.language !== "en";
  const told = isWrong || fault ? { "aria-invalid": "true", "aria-describedby": `${id}-fault` } : {};
  return html`
    <div class=${`rule${differs || isWrong ? " differs" : ""}`}>
      <label for=${id}>${said.title(rule)}</label>
      <div class="control">
        <${Control} rule=${rule} value=${value} wrong=${wrong} told=${told} id=${id} onChange=${onChange} onWrong=${onWrong} />
      </div>
      ${(isWrong || fault) && html`
        <p class="fault" id=${`${id}-fault`} role=${isWrong ? "status" : "alert"}>
          ${isWrong ? numberWords(shapeOf(rule.schema).integer, said) : html`${foreign && `${said.say("problem.invalid")} `}<${InEnglish} text=${fault} />`}
        </p>`}
      ${(differs || isWrong) && html`<p class="note">${said.say("rules.differs", { value: valueText(rule.default, said, rule.name) })}</p>`}
      ${clause && !differs && !isWrong && html`<p class="note">${clause}</p>`}
    </div>`;
}
