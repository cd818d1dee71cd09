// The tables that there are: those that wait for players, those being played, and finished ones.

import { html, useEffect, useMemo, useRef, useState } from "./h.js";
import { api } from "./api.js";
import { words } from "./i18n.js";
import { OWN, OwnGames, gather } from "./listing.js";
import { useAnswer } from "./loading.js";
import { seatName } from "./narrate.js";
import { isHeld, ownGames, placeAt } from "./places.js";
import { replayAddress, tableAddress } from "./route.js";
import { serviceNow } from "./service_time.js";
import { useStore } from "./store.js";

const LISTS = ["open", "playing", "finished"];
const REFRESHED = 5000;
// Milliseconds after which nobody is likely to be at a table where nothing happens.
const LONG = 3_600_000;

/** When something last happened at a table; null where nothing that is a date tells it. */
const lastOf = (game) => [game.updated_at, game.created_at].find((at) => !Number.isNaN(Date.parse(at))) ?? null;

/** Whether this browser sits at a table, or opened it. */
function isOwn(game) {
  return isHeld(placeAt(game.game_id));
}

/** Whether nothing has happened for long, where something could. */
const isLeft = (game, now) => game.status !== "finished" && now - Date.parse(lastOf(game)) > LONG;

/**
 * Tables at which something may go on, and those where nothing has happened for long, the newest of these first. What is
 * finished is not old, and one's own table is always at hand.
 */
export function byAge(games, now, isOwn) {
  const isOld = (game) => isLeft(game, now) && !isOwn(game);
  const older = games.filter(isOld).sort((one, other) => Date.parse(lastOf(other)) - Date.parse(lastOf(one)));
  return { current: games.filter((game) => !isOld(game)), older };
}

/** What a table is there for, as a key of its words: `own` says whose it is. */
export function wayTo(game, own) {
  if (game.status === "finished") return "over.replay";
  if (own) return "lobby.return";
  const isFree = game.status === "open" && game.seats.some((seat) => seat.name === null);
  return isFree ? "lobby.join" : "lobby.watch";
}

const own = new OwnGames((game) => api.table(game, null));

/** The games of a list, one's own first that stand on no page of it. */
async function look(status, least) {
  const ask = (cursor) => api.games({ status, limit: 50, ...(cursor === null ? {} : { cursor }) });
  const found = await gather(ask, least, (game) => !isLeft(game, serviceNow()));
  if (status === "finished") return { status, ...found };
  const listed = new Set(found.items.map((game) => game.game_id));
  const mine = await own.find(ownGames(OWN).filter((game) => !listed.has(game)));
  return { status, ...found, items: [...mine.filter((game) => game.status === status), ...found.items] };
}

export function Tables({ variants }) {
  const said = useStore(words);
  const [shown, setShown] = useState("open");
  const [round, setRound] = useState(0);
  const [least, setLeast] = useState(1);
  const found = useAnswer(() => look(shown, least), [shown, round, least]);
  const last = useRef(null);
  if (found.value) last.current = found.value;
  const list = last.current?.status === shown ? last.current : null;
  useEffect(() => {
    const timer = setInterval(() => document.hidden || setRound((one) => one + 1), REFRESHED);
    return () => clearInterval(timer);
  }, []);
  const titles = useMemo(() => new Map(variants.map((one) => [one.name, said.title(one)])), [variants, said]);
  const { current, older } = byAge(list?.items ?? [], serviceNow(), isOwn);
  const isKnown = list !== null || found.problem !== null;
  const show = (name) => {
    setShown(name);
    setLeast(1);
  };
  const lines = (games, isOld) => html`
    <ul class="games">${games.map((game) => html`
      <${GameLine} key=${game.game_id} game=${game} title=${titles.get(game.variant) ?? game.variant} isOld=${isOld} />`)}</ul>`;
  return html`
    <section class="tables" aria-labelledby="tables-title">
      <h2 id="tables-title">${said.say("lobby.tables")}</h2>
      <div class="tabs" role="group" aria-labelledby="tables-title">
        ${LISTS.map((name) => html`
          <button key=${name} aria-pressed=${name === shown ? "true" : "false"} onClick=${() => show(name)}>
            ${said.say(`lobby.${name}`)}
          </button>`)}
      </div>
      ${current.length === 0
        ? html`<p class="empty">${said.say(isKnown ? `lobby.none.${shown}` : "loading")}</p>`
        : lines(current, false)}
      ${older.length > 0 && html`
        <details class="older" key=${shown}>
          <summary>${said.say("lobby.older")} <span class="count">${said.number(older.length)}</span></summary>
          <p class="note">${said.say("lobby.older.about")}</p>
          ${lines(older, true)}
        </details>`}
      ${list !== null && list.cursor !== null && html`
        <button class="quiet" data-offer="more" disabled=${list.pages < least} onClick=${() => setLeast(list.pages + 1)}>
          ${said.say("lobby.more")}
        </button>`}
    </section>`;
}

function GameLine({ game, title, isOld }) {
  const said = useStore(words);
  const { seat: me = null, seatToken = null } = placeAt(game.game_id);
  const names = game.seats.map((seat) => (seat.name ? seatName(seat, said, seatToken === null ? null : me) : "–")).join(" · ");
  const free = game.seats.filter((seat) => seat.name === null).length;
  const address = game.status === "finished" ? replayAddress(game.game_id) : tableAddress(game.game_id);
  const when = lastOf(game) === null ? "" : said.time(lastOf(game));
  const how = game.status === "playing" && game.deal > 0
    ? said.say(game.of ? "deal.of" : "deal.number", { number: game.deal, of: game.of })
    : game.status === "open" ? said.say("lobby.free", { count: free }) : when;
  return html`
    <li>
      <a href=${address}>
        <strong>${title}</strong>
        <span class="names">${names}</span>
        <span class="when">${how}${isOld && ` · ${when}`}</span>
        <span class="go">${said.say(wayTo(game, isOwn(game)))}</span>
      </a>
    </li>`;
}
