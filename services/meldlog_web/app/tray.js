// Melds put aside to be laid together, where a game wants its first melds at once: 46 of 51.

import { html, useEffect, useState } from "./h.js";
import { api, Problem } from "./api.js";
import { CardRow } from "./card_view.js";
import { words } from "./i18n.js";
import { laidTogether } from "./moves.js";
import { meldWords } from "./felt.js";
import { problemWords } from "./frame.js";
import { kindOf } from "./readings.js";
import { useStore } from "./store.js";

/** What the service says of laying these melds now: null while it is asked, else `{ ok, problem }`. */
function useVerdict(live, melds) {
  const { table } = useStore(live.store);
  const [verdict, setVerdict] = useState(null);
  const key = JSON.stringify(melds);
  useEffect(() => {
    let wanted = true;
    setVerdict(null);
    if (melds.length) {
      api.tryOut(live.game, laidTogether(melds), live.token).then(
        () => wanted && setVerdict({ ok: true, problem: null }),
        (error) => wanted && setVerdict({ ok: false, problem: error instanceof Problem ? error : null }),
      );
    }
    return () => {
      wanted = false;
    };
  }, [key, table.version]);
  return verdict;
}

export function Tray({ live, melds, clauses, onRemove, onLay }) {
  const said = useStore(words);
  const { table } = useStore(live.store);
  const verdict = useVerdict(live, melds);
  if (!melds.length) return null;
  const short = verdict?.problem?.shortfall ?? null;
  const told = verdict?.problem ? problemWords(verdict.problem, said, clauses) : null;
  return html`
    <section class="tray" aria-label=${said.say("tray.title")}>
      <h2>${said.say("tray.title")}</h2>
      ${melds.map((meld, place) => html`
        <span class="meld" key=${meld.reads_as.join("") + place}>
          <${CardRow} wild=${table.deal.wild} label=${meldWords(asMeld(meld, place), table, said)}
            cards=${meld.cards.map((card, one) => ({ card, means: meld.reads_as[one].endsWith("X") ? null : meld.reads_as[one] }))} />
          <button class="quiet icon" aria-label=${said.say("tray.back")} onClick=${() => onRemove(place)}>↩</button>
        </span>`)}
      <span class="verdict" role="status">
        ${short
          ? html`<meter min="0" max=${short.needed} value=${short.points} aria-hidden="true"></meter>
              <span class="points">${said.say("tray.points", short)}</span>`
          : told ? told.clause ?? told.kind : ""}
      </span>
      <button class="primary" data-offer="together" disabled=${!verdict?.ok} onClick=${() => onLay(laidTogether(melds))}>
        ${said.say("tray.lay")}
      </button>
    </section>`;
}

const asMeld = ({ cards, reads_as: means }, place) => ({
  meld: place + 1,
  kind: kindOf(means),
  cards: cards.map((card, one) => ({ card, reads_as: means[one] })),
});
