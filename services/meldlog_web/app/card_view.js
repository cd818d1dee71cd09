// A playing card, drawn at any size: index and pips here, the figures of kings, queens and jacks as pictures.

import { html } from "./h.js";
import { JOKER, isCourt, rankOf, rankText, shortText, suitOf } from "./cards.js";

// The suits are those of the figures, so that a spade is one spade everywhere on a card.
const SUIT_PATHS = {
  S: "M0-500c100 250 355 400 355 685a150 150 0 0 1-300 0 10 10 0 0 0-20 0c0 200 50 215 95 315h-260c45-100 95-115 95-315a10 10 0 0 0-20 0 150 150 0 0 1-300 0c0-285 255-435 355-685z",
  H: "M0-300c0-100 100-200 200-200s200 100 200 250C400 0 0 400 0 500 0 400-400 0-400-250c0-150 100-250 200-250S0-400 0-300z",
  D: "M-400 0C-350 0 0-450 0-500 0-450 350 0 400 0 350 0 0 450 0 500 0 450-350 0-400 0z",
  C: "M30 150c5 235 55 250 100 350h-260c45-100 95-115 100-350a10 10 0 0 0-20 0 210 210 0 1 1-74-201 10 10 0 0 0 14-14 230 230 0 1 1 220 0 10 10 0 0 0 14 14 210 210 0 1 1-74 201 10 10 0 0 0-20 0z",
};
const CROWN = "M-400 300 -460 -220 -190 30 0 -400 190 30 460 -220 400 300z M-400 360h800v90h-800z";

const [LEFT, MIDDLE, RIGHT] = [80, 125, 170];
const [TOP, UPPER, CENTRE, LOWER, BOTTOM] = [76, 141, 175, 209, 274];
const row = (y) => [[LEFT, y], [RIGHT, y]];
const FOUR = [...row(TOP), ...row(BOTTOM)];
const EIGHT = [...FOUR, ...row(UPPER), ...row(LOWER)];
const PIPS = {
  2: [[MIDDLE, TOP], [MIDDLE, BOTTOM]],
  3: [[MIDDLE, TOP], [MIDDLE, CENTRE], [MIDDLE, BOTTOM]],
  4: FOUR,
  5: [...FOUR, [MIDDLE, CENTRE]],
  6: [...FOUR, ...row(CENTRE)],
  7: [...FOUR, ...row(CENTRE), [MIDDLE, 125]],
  8: [...FOUR, ...row(CENTRE), [MIDDLE, 125], [MIDDLE, 225]],
  9: [...EIGHT, [MIDDLE, CENTRE]],
  T: [...EIGHT, [MIDDLE, 108], [MIDDLE, 242]],
};

const figures = (card) => new URL(`../cards/${card}.svg`, import.meta.url).href;

const Suit = ({ suit, x, y, size, turned }) => html`
  <use href=${`#suit-${suit}`} x=${x - size / 2} y=${y - size / 2} width=${size} height=${size}
    transform=${turned ? `rotate(180 ${x} ${y})` : undefined} />`;

/** The shapes that all cards share; the page holds them once. */
export const CardShapes = () => html`
  <svg class="shapes" aria-hidden="true">
    ${Object.entries({ ...SUIT_PATHS, J: CROWN }).map(([suit, path]) => html`
      <symbol id=${`suit-${suit}`} viewBox="-500 -500 1000 1000"><path d=${path} /></symbol>`)}
  </svg>`;

const Index = ({ card }) => {
  const rank = rankText(rankOf(card));
  return html`
    <text x="31" y="60" class=${rank.length > 1 ? "index narrow" : "index"} text-anchor="middle">${rank}</text>
    <${Suit} suit=${suitOf(card)} x=${31} y=${92} size=${44} />`;
};

function Face({ card }) {
  if (card === JOKER) {
    return html`
      <text class="joker-index" text-anchor="middle" x="33" y="64">★</text>
      <${Suit} suit="J" x=${125} y=${160} size=${130} />
      <text class="joker-word" text-anchor="middle" x="125" y="272">JOKER</text>`;
  }
  const rank = rankOf(card);
  return html`
    <${Index} card=${card} />
    <g transform="rotate(180 125 175)"><${Index} card=${card} /></g>
    ${isCourt(card)
      ? html`
        <image href=${figures(card)} x="60" y="34" width="130" height="282" preserveAspectRatio="none" />
        <rect x="60" y="34" width="130" height="282" class="frame" />
        <${Suit} suit=${suitOf(card)} x=${84} y=${62} size=${38} />
        <${Suit} suit=${suitOf(card)} x=${166} y=${288} size=${38} turned />`
      : rank === "A"
        ? html`<${Suit} suit=${suitOf(card)} x=${125} y=${175} size=${120} />`
        : PIPS[rank].map(([x, y]) => html`<${Suit} suit=${suitOf(card)} x=${x} y=${y} size=${54} turned=${y > CENTRE} />`)}`;
}

/** The front of a card; `means` is what a wild on the table stands for, where that is another card. */
export function Front({ card, means = null, wild = false }) {
  const standsFor = means !== null && means !== card ? means : null;
  return html`
    <span class=${`card suit-${suitOf(card) || "J"}${wild ? " wild" : ""}`} aria-hidden="true" data-card=${card}>
      <svg viewBox="0 0 250 350" focusable="false"><${Face} card=${card} /></svg>
      ${standsFor && html`<span class=${`means suit-${suitOf(standsFor)}`}>${shortText(standsFor)}</span>`}
    </span>`;
}

export const Back = () => html`<span class="card back" aria-hidden="true"></span>`;

/** A row of cards that overlap, low card first in every language. */
export const CardRow = ({ cards, wild = [], label }) => html`
  <span class="row" role="img" aria-label=${label}>
    ${cards.map(({ card, means }) => html`<${Front} card=${card} means=${means} wild=${wild.includes(rankOf(card))} />`)}
  </span>`;
