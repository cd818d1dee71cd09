// A playing card, drawn at any size: index and pips here, the figures of kings, queens and jacks as pictures.

import { html } from "./h.js";
import { JOKER, isCourt, rankOf, shortText, suitOf } from "./cards.js";

// The suits are those of the figures, so that a spade is one spade everywhere on a card.
const SUIT_PATHS = {
  S: "M0-500c100 250 355 400 355 685a150 150 0 0 1-300 0 10 10 0 0 0-20 0c0 200 50 215 95 315h-260c45-100 95-115 95-315a10 10 0 0 0-20 0 150 150 0 0 1-300 0c0-285 255-435 355-685z",
  H: "M0-300c0-100 100-200 200-200s200 100 200 250C400 0 0 400 0 500 0 400-400 0-400-250c0-150 100-250 200-250S0-400 0-300z",
  D: "M-400 0C-350 0 0-450 0-500 0-450 350 0 400 0 350 0 0 450 0 500 0 450-350 0-400 0z",
  C: "M30 150c5 235 55 250 100 350h-260c45-100 95-115 100-350a10 10 0 0 0-20 0 210 210 0 1 1-74-201 10 10 0 0 0 14-14 230 230 0 1 1 220 0 10 10 0 0 0 14 14 210 210 0 1 1-74 201 10 10 0 0 0-20 0z",
};
// Ranks are drawn, not written: a card looks the same whatever letters a system has.
const RANK_PATHS = {
  A: "M-270 460h160m-90-10L0-460l200 910m-90 10h160m-390-330h240",
  2: "M-225-225c-20-40 25-235 225-235s225 135 225 235c0 200-450 385-450 685h450V300",
  3: "M-250-320v-140h450L-110-80c10-10 60-40 110-40 200 0 250 120 250 270 0 200-80 310-280 310s-230-160-230-160",
  4: "M50 460h200m-100 0v-920l-450 635v25h570",
  5: "M170-460h-345l-35 345s10-85 210-85c100 0 255 120 255 320S180 460-20 460s-235-175-235-175",
  6: "M-250 100a250 250 0 0 1 500 0v110a250 250 0 0 1-500 0v-420A250 250 0 0 1 0-460c150 0 180 60 200 85",
  7: "M-265-320v-140h530C135-200-90 100-90 460",
  8: "M-1-50a205 205 0 1 1 2 0h-2a255 255 0 1 0 2 0Z",
  9: "M250-100a250 250 0 0 1-500 0v-110a250 250 0 0 1 500 0v420A250 250 0 0 1 0 460c-150 0-180-60-200-85",
  T: "M-260 430v-860M-50 0v-310a150 150 0 0 1 300 0v620a150 150 0 0 1-300 0Z",
  J: "M50-460h200m-100 0v710a100 100 0 0 1-400 0v-30",
  Q: "M-260 100c300 0 220 360 520 360M-175 0v-285a175 175 0 0 1 350 0v570a175 175 0 0 1-350 0Z",
  K: "M-285-460h200m-100 0v920m-100 0h200M85-460h200m-100 20-355 595M85 460h200m-100-20L-10-70",
};
// A joker is a star, on its face as in texts.
const STAR = "M0-452 112-107 476-107 182 107 294 453 0 239-294 453-182 107-476-107-112-107z";

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
    ${Object.entries({ ...SUIT_PATHS, J: STAR }).map(([suit, path]) => html`
      <symbol id=${`suit-${suit}`} viewBox="-500 -500 1000 1000"><path d=${path} /></symbol>`)}
    ${Object.entries(RANK_PATHS).map(([rank, path]) => html`
      <symbol id=${`rank-${rank}`} viewBox="-520 -520 1040 1040">
        <path d=${path} fill="none" stroke="currentColor" stroke-width="104" stroke-linecap="square" stroke-miterlimit="1.5" />
      </symbol>`)}
  </svg>`;

const Index = ({ card }) => html`
  <use href=${`#rank-${rankOf(card)}`} x="2" y="12" width="58" height="58" />
  <${Suit} suit=${suitOf(card)} x=${31} y=${96} size=${42} />`;

function Face({ card }) {
  if (card === JOKER) {
    return html`
      <${Suit} suit="J" x=${32} y=${42} size=${40} />
      <${Suit} suit="J" x=${125} y=${175} size=${150} />
      <${Suit} suit="J" x=${218} y=${308} size=${40} turned />`;
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
      ${standsFor && html`<span class=${`means suit-${suitOf(standsFor)}`} data-means=${shortText(standsFor)}></span>`}
    </span>`;
}

export const Back = () => html`<span class="card back" aria-hidden="true"></span>`;

/** A row of cards that overlap, low card first in every language; without a label what is around it names the cards. */
export const CardRow = ({ cards, wild = [], label = null }) => html`
  <span class="row" role=${label ? "img" : undefined} aria-label=${label || undefined}>
    ${cards.map(({ card, means }) => html`<${Front} card=${card} means=${means} wild=${wild.includes(rankOf(card))} />`)}
  </span>`;
