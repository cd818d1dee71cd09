// Totals over the deals, as lines.

import { html } from "./h.js";
import { words } from "./i18n.js";
import { useStore } from "./store.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [300, 150, 34, 8, 8, 22];

/** Totals after each deal, the start included: one list a side. */
export function running(scores, sides) {
  const lines = Array.from({ length: sides }, () => [0]);
  for (const points of scores) points.forEach((one, side) => lines[side].push(lines[side].at(-1) + one));
  return lines;
}

/** Round numbers for an axis between two values. */
export function ticks(low, high, wanted = 4) {
  const span = Math.max(high - low, 1);
  const rough = span / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough));
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, place) => first + place * step);
}

export function Chart({ scores, names, at = null }) {
  const said = useStore(words);
  if (!scores.length) return null;
  const lines = running(scores, names.length);
  const low = Math.min(0, ...lines.flat());
  const high = Math.max(1, ...lines.flat());
  const x = (deal) => LEFT + (deal / scores.length) * (WIDTH - LEFT - RIGHT);
  const y = (total) => TOP + (1 - (total - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const every = Math.ceil(scores.length / 8);
  const about = names.map((name, side) => `${name}: ${said.number(lines[side].at(-1))}`).join("; ");
  return html`
    <figure class="chart">
      <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${`${said.say("chart")}: ${about}`}>
        ${ticks(low, high).map((total) => html`
          <line class="grid" x1=${LEFT} x2=${WIDTH - RIGHT} y1=${y(total)} y2=${y(total)} />
          <text x=${LEFT - 5} y=${y(total) + 3} text-anchor="end">${said.number(total)}</text>`)}
        ${scores.map((_, place) => (place + 1) % every === 0 && html`
          <text x=${x(place + 1)} y=${HEIGHT - 7} text-anchor="middle">${said.number(place + 1)}</text>`)}
        ${at !== null && html`<line class="now" x1=${x(at)} x2=${x(at)} y1=${TOP} y2=${HEIGHT - BOTTOM} />`}
        ${lines.map((line, side) => html`
          <polyline class=${`line side-${side % 7}`} points=${line.map((total, deal) => `${x(deal)},${y(total)}`).join(" ")} />
          ${line.map((total, deal) => deal > 0 && html`<circle class=${`side-${side % 7}`} cx=${x(deal)} cy=${y(total)} r="2.4" />`)}`)}
      </svg>
      <figcaption>
        ${names.map((name, side) => html`<span class=${`key side-${side % 7}`}>${name}</span>`)}
      </figcaption>
    </figure>`;
}
