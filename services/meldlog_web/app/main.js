// The page: which of lobby, table and replay is shown, or that there is no such place.

import { html, render, useEffect, useState } from "./h.js";
import { speak } from "./i18n.js";
import { CardShapes } from "./card_view.js";
import { useKeptFocus } from "./focus.js";
import { Lobby } from "./lobby.js";
import { Nowhere } from "./missing.js";
import { TablePage } from "./table.js";
import { ReplayPage } from "./replay.js";
import { parseRoute } from "./route.js";
import { settings } from "./settings.js";
import { useStore } from "./store.js";

function App() {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  const chosen = useStore(settings);
  useKeptFocus();
  useEffect(() => {
    const moved = () => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  useEffect(() => {
    document.documentElement.dataset.scheme = chosen.scheme;
    document.documentElement.dataset.suits = chosen.fourColours ? "four" : "two";
  }, [chosen.scheme, chosen.fourColours]);
  return html`
    <${CardShapes} />
    ${route.place === "table"
      ? html`<${TablePage} key=${route.game} game=${route.game} />`
      : route.place === "replay"
        ? html`<${ReplayPage} key=${route.game} route=${route} />`
        : route.place === "lobby" ? html`<${Lobby} variant=${route.variant} />` : html`<${Nowhere} />`}`;
}

void speak().then(() => render(html`<${App} />`, document.getElementById("app")));
