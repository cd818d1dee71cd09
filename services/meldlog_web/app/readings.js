// Where cards can be read in several ways, their reader chooses one.

import { html } from "./h.js";
import { cardName } from "./cards.js";
import { CardRow } from "./card_view.js";
import { Dialog } from "./dialog.js";
import { words } from "./i18n.js";
import { useStore } from "./store.js";

/** Commands that do the same with the same cards, each with another reading. */
export function Readings({ moves, table, onChoose, onClose }) {
  const said = useStore(words);
  return html`
    <${Dialog} title=${said.say("readings.title")} onClose=${onClose}>
      <p>${said.say("readings.about")}</p>
      <ul class="readings">
        ${moves.map((move) => html`
          <li key=${JSON.stringify(move)}>
            <button data-offer="reading" onClick=${() => onChoose(move)}>
              <${CardRow} cards=${cardsOf(move)} wild=${table.deal.wild} label=${readingWords(move, said, table)} />
              <span class="kind" aria-hidden="true">${kindWords(move, said, table)}</span>
            </button>
          </li>`)}
      </ul>
    <//>`;
}

const cardsOf = ({ cards, reads_as: means }) =>
  cards.map((card, place) => ({ card, means: means && !means[place].endsWith("X") ? means[place] : null }));

/** Whether a reading is a set, which its ranks tell. */
export function kindOf(means) {
  const ranks = new Set(means.map((one) => one[0]));
  return ranks.size === 1 ? "set" : "run";
}

const kindWords = ({ cards, reads_as: means, type }, said, table) =>
  type === "lay_meld" ? said.term(`meld.${kindOf(means ?? cards)}`, table.variant) : "";

function readingWords(move, said, table) {
  const means = move.reads_as ?? move.cards;
  return `${kindWords(move, said, table)}: ${said.list(means.map((one) => cardName(one, said)))}`;
}
