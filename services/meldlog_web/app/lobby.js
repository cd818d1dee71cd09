// The lobby: what can be played, a new table, and below them the tables that there are.

import { html, useEffect, useState } from "./h.js";
import { api } from "./api.js";
import { words } from "./i18n.js";
import { useStore } from "./store.js";
import { useAnswer } from "./loading.js";
import { settings } from "./settings.js";
import { lobbyAddress, tableAddress } from "./route.js";
import { Complaint, Top } from "./frame.js";
import { NewTable } from "./new_table.js";
import { Sheet } from "./sheet.js";
import { setUp } from "./setting_up.js";
import { Tables } from "./tables.js";
import { Front } from "./card_view.js";

const QUICK = { variant: "crazy-rummy", seats: 4, strategy: "plain" };

export function Lobby({ variant }) {
  const said = useStore(words);
  const variants = useAnswer(() => api.variants(), []);
  const bots = useAnswer(() => api.bots(), []);
  useEffect(() => {
    document.title = "Meldlog";
  }, []);
  const installed = variants.value?.items ?? [];
  const playable = installed.filter((one) => one.kind === "variant");
  const options = installed.filter((one) => one.kind === "option");
  const chosen = playable.find((one) => one.name === variant) ?? null;
  const isUnknown = variant !== null && variants.value !== null && chosen === null;
  return html`
    <${Top} />
    <main class="lobby">
      ${isUnknown && html`<${NoSuchGame} name=${variant} />`}
      ${variant === null && html`<${Welcome} ready=${playable.some((one) => one.name === QUICK.variant)} />`}
      ${(variants.lost || bots.lost) && html`<p class="banner" role="status">${said.say("link.loading")}</p>`}
      <section aria-labelledby="variants-title" class=${chosen ? "chooser narrow" : "chooser"}>
        <h2 id="variants-title">${said.say("lobby.variants")}</h2>
        <ul class="variants">
          ${playable.map((one) => html`<${VariantCard} key=${one.name} variant=${one} chosen=${one === chosen} />`)}
        </ul>
      </section>
      ${chosen && html`
        <div class="chosen" key=${chosen.name}>
          <${NewTable} variant=${chosen} options=${options} bots=${bots.value?.items ?? []} />
          <${Sheet} name=${chosen.name} />
        </div>`}
      <${Tables} variants=${playable} />
    </main>
    <footer class="foot">
      <a href="/docs">${said.say("foot.api")}</a>
      <a href="/v1/variants">${said.say("foot.variants")}</a>
      <a href="/v1/games">${said.say("foot.games")}</a>
    </footer>`;
}

/** The address names a game that is not installed: those that are stand below. */
function NoSuchGame({ name }) {
  const said = useStore(words);
  return html`
    <section class="unknown" role="alert">
      <h1>${said.say("lobby.unknown")}</h1>
      <p>${said.say("lobby.unknown.about", { name: `\u2068${name}\u2069` })}</p>
      <a class="button" href=${lobbyAddress()}>${said.say("over.lobby")}</a>
    </section>`;
}

function Welcome({ ready }) {
  const said = useStore(words);
  const { name } = useStore(settings);
  const [state, setState] = useState({ busy: false, problem: null });
  const begin = async () => {
    setState({ busy: true, problem: null });
    try {
      const seats = Array.from({ length: QUICK.seats }, (_, place) =>
        place === 0 ? { kind: "me" } : { kind: "bot", strategy: QUICK.strategy });
      const game = await setUp({ variant: QUICK.variant, seats, name: name || said.say("player"), start: true });
      location.hash = tableAddress(game);
    } catch (error) {
      setState({ busy: false, problem: error });
    }
  };
  return html`
    <section class="welcome">
      <div class="fan" aria-hidden="true">
        ${["7H", "8H", "9H", "TH", "QS"].map((card) => html`<${Front} card=${card} key=${card} />`)}
      </div>
      <div class="words">
        <h1>${said.say("lobby.title")}</h1>
        <p>${said.say("lobby.about")}</p>
        <button class="primary big" onClick=${begin} disabled=${!ready || state.busy}>${said.say("lobby.quick")}</button>
        ${state.problem && html`<${Complaint} problem=${state.problem} />`}
      </div>
    </section>`;
}

function VariantCard({ variant, chosen }) {
  const said = useStore(words);
  const [least, most] = variant.players;
  const title = said.title(variant);
  return html`
    <li>
      <a href=${lobbyAddress(variant.name)} aria-current=${chosen ? "true" : undefined}>
        <strong>${title}</strong>
        ${title !== variant.title && html`<span class="original" lang="en" dir="ltr">${variant.title}</span>`}
        <span class="about">${said.has(`variant.${variant.name}`) ? said.say(`variant.${variant.name}`) : ""}</span>
        <span class="players">${said.say("lobby.players", { least, most })}</span>
      </a>
    </li>`;
}
