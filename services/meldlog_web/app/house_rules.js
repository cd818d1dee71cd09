// House rules as a form: one control for every rule, made from the JSON Schema of its values.

import { html } from "./h.js";
import { words } from "./i18n.js";
import { useStore } from "./store.js";

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

/** A value in words. */
export function valueText(value, said) {
  if (value === null) return said.say("value.null");
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

const NUMBER = "number";

function Control({ rule, value, onChange, id }) {
  const said = useStore(words);
  const { values, integer } = shapeOf(rule.schema);
  const isNumber = typeof value === "number" && integer !== null && !values.includes(value);
  if (values.length === 2 && values.includes(true) && values.includes(false) && !integer) {
    return html`<input id=${id} type="checkbox" checked=${value} onChange=${(event) => onChange(event.target.checked)} />`;
  }
  const number = html`
    <input type="number" id=${values.length ? undefined : id} min=${integer?.min} max=${integer?.max}
      aria-label=${said.title(rule)} value=${isNumber ? value : integer?.min ?? 0} required
      onChange=${(event) => event.target.checkValidity() && onChange(Number(event.target.value))} />`;
  if (!values.length) return number;
  const picked = isNumber ? NUMBER : String(values.indexOf(value));
  return html`
    <select id=${id} value=${picked} onChange=${(event) => {
      const pick = event.target.value;
      if (pick !== NUMBER) onChange(values[Number(pick)]);
      else onChange(typeof rule.default === "number" ? rule.default : integer.min ?? 1);
    }}>
      ${values.map((one, place) => html`
        <option value=${String(place)} selected=${picked === String(place)}>${valueText(one, said)}</option>`)}
      ${integer && html`<option value=${NUMBER} selected=${isNumber}>${said.say("rules.number")}</option>`}
    </select>
    ${isNumber && number}`;
}

/** The form; `chosen` holds what was changed, `onChange` gets all of it anew. */
export function HouseRules({ form, clauses, chosen, onChange, faults = new Map() }) {
  const said = useStore(words);
  const changed = differing(form, chosen);
  return html`
    <div class="house-rules">
      ${Object.keys(changed).length > 0 && html`
        <button type="button" class="quiet" onClick=${() => onChange({})}>${said.say("rules.reset")}</button>`}
      ${form.map((rule) => {
        const value = rule.name in chosen ? chosen[rule.name] : rule.default;
        const differs = rule.name in changed;
        const id = `rule-${rule.name}`;
        const clause = rule.clause ? clauses.get(rule.clause) : null;
        return html`
          <div class=${`rule${differs ? " differs" : ""}`} key=${rule.name}>
            <label for=${id}>${said.title(rule)}</label>
            <div class="control">
              <${Control} rule=${rule} value=${value} id=${id}
                onChange=${(next) => onChange({ ...chosen, [rule.name]: next })} />
            </div>
            ${differs && html`<p class="note">${said.say("rules.differs", { value: valueText(rule.default, said) })}</p>`}
            ${faults.has(rule.name) && html`<p class="fault" role="alert">${faults.get(rule.name)}</p>`}
            ${clause && !differs && html`<p class="note">${clause}</p>`}
          </div>`;
      })}
    </div>`;
}
