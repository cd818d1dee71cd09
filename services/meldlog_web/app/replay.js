// A game again: every version of its table, from any eyes that one may have.

import { html, useEffect, useMemo, useRef, useState } from "./h.js";
import { api } from "./api.js";
import { cardName } from "./cards.js";
import { Back, CardRow } from "./card_view.js";
import { Chart } from "./chart.js";
import { Check } from "./check.js";
import { Melds, Piles, Player, Status, around } from "./felt.js";
import { Announcer, Top, problemWords } from "./frame.js";
import { Missing } from "./missing.js";
import { words } from "./i18n.js";
import { useAnswer } from "./loading.js";
import { playMotion } from "./motion.js";
import { narrate, seatName, spoken, written } from "./narrate.js";
import { placeAt } from "./places.js";
import { replayAddress, tableAddress } from "./route.js";
import { sidesOf } from "./side.js";
import { useStore } from "./store.js";
import { beyond, clamp, dealAt, step, timeline } from "./timeline.js";

const SPEEDS = [0.5, 1, 2, 4, 8];

// Drawn here, since not every system has a font with such signs.
const PLAY = "M5 3v14l12-7z";
const PAUSE = "M4 3h4v14H4zM12 3h4v14h-4z";
const ICONS = {
  "replay.deal_back": "M3 4h2.5v12H3zM17 4v12L6.5 10z",
  "replay.turn_back": "M10 4v12L2 10zM18 4v12l-8-6z",
  "replay.back": "M13.5 3.5 7 10l6.5 6.5 1.8-1.8-4.7-4.7 4.7-4.7z",
  "replay.on": "M6.5 3.5 13 10l-6.5 6.5-1.8-1.8L9.4 10 4.7 5.3z",
  "replay.turn_on": "M2 4v12l8-6zM10 4v12l8-6z",
  "replay.deal_on": "M3 4v12l10.5-6zM14.5 4H17v12h-2.5z",
};

const Icon = ({ path }) => html`<svg viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d=${path} /></svg>`;
const STEP_MILLISECONDS = 1200;
const KEPT_TABLES = 300;

export function ReplayPage({ route }) {
  const said = useStore(words);
  const token = placeAt(route.game).seatToken ?? null;
  const found = useAnswer(() => load(route.game, token), [route.game]);
  if (found.problem) return html`<${Missing} why=${problemWords(found.problem, said).kind} />`;
  if (!found.value) {
    return html`<${Top} /><main class="empty" role="status">${said.say(found.lost ? "link.lost" : "loading")}</main>`;
  }
  return html`<${Replay} ...${found.value} route=${route} />`;
}

/** The game's log and its table now; a token that opens nothing any more is left out. */
async function load(game, token) {
  try {
    return { token, now: await api.table(game, token), commits: await api.commits(game, token) };
  } catch (error) {
    if (error.code !== "unauthenticated" || token === null) throw error;
    return { token: null, now: await api.table(game, null), commits: await api.commits(game, null) };
  }
}

/** Tables by version; the next one is fetched ahead. */
function useTable(game, token, version, ahead) {
  const kept = useRef(new Map());
  const [, redraw] = useState(0);
  const shown = useRef(null);
  const get = (at) => {
    const tables = kept.current;
    if (!tables.has(at)) {
      const asked = api.insist(`/v1/games/${game}?at=${at}`, { token });
      tables.set(at, asked);
      asked.then((table) => tables.set(at, table), () => tables.delete(at));
      if (tables.size > KEPT_TABLES) tables.delete(tables.keys().next().value);
    }
    return tables.get(at);
  };
  useEffect(() => {
    let wanted = true;
    void Promise.resolve(get(version)).then((table) => {
      if (!wanted) return;
      shown.current = table;
      redraw((count) => count + 1);
      for (const at of ahead) void get(at);
    });
    return () => {
      wanted = false;
    };
  }, [version]);
  return shown.current;
}

function Replay({ route, token, now, commits }) {
  const said = useStore(words);
  const line = useMemo(() => timeline(commits), [commits]);
  const [version, setVersion] = useState(() => clamp(line, numbered(route.version) ?? line.deals[0]?.version ?? line.last));
  // What an address asked for in vain, in words, until somebody goes elsewhere.
  const [missed, setMissed] = useState([]);
  const [eyes, setEyes] = useState(() => eyesOf(route, now));
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const place = useRef(null);
  const table = useTable(route.game, token, version, [1, 2].map((more) => clamp(line, version + more)));
  const variants = useAnswer(() => api.variants(), []);
  const title = said.title(variants.value?.items.find((one) => one.name === now.variant) ?? { title: now.variant });
  const me = token === null ? null : placeAt(route.game).seat ?? null;
  const commit = commits.find((one) => one.version === version) ?? null;

  useEffect(() => {
    document.title = `${title} – Meldlog`;
  }, [title]);
  useEffect(() => {
    history.replaceState(null, "", replayAddress(route.game, version, eyes));
  }, [version, eyes, route]);
  // Somebody opened a link to this game, or to another moment of it.
  useEffect(() => {
    if (numbered(route.version) !== null) setVersion(clamp(line, route.version));
    setMissed(inVain(route, line, now));
    setEyes(eyesOf(route, now));
  }, [route]);
  useEffect(() => {
    if (!playing || table?.version !== version) return undefined;
    if (version >= line.last) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => setVersion((at) => clamp(line, at + 1)), STEP_MILLISECONDS / speed);
    return () => clearTimeout(timer);
  }, [playing, version, speed, table]);
  useEffect(() => {
    if (playing && speed <= 2 && table?.version === version) playMotion(commit, place.current);
  }, [table]);

  const go = (at) => {
    setPlaying(false);
    setMissed([]);
    setVersion(clamp(line, at));
  };
  const keyed = (event) => {
    if (event.target.closest("input, select, button, a")) return;
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") go(step(line, version, "event", event.key === "ArrowRight" ? 1 : -1));
    else if (event.key === " ") setPlaying(!playing);
    else return;
    event.preventDefault();
  };
  const sentences = commit && table ? narrate(commit, now, said, written(said), me) : [];
  return html`
    <${Top} title=${title}>
      ${now.status !== "finished" && html`<a class="button quiet" href=${tableAddress(route.game)}>${said.say("replay.live")}</a>`}
    <//>
    <main class="replay" ref=${place} onKeyDown=${keyed} data-version=${table?.version}>
      <div class="felt">
        ${missed.length > 0 && html`
          <p class="banner" role="alert">${missed.map(({ key, ...more }) => said.say(key, more)).join(" ")}</p>`}
        ${table && html`<${Board} table=${table} eyes=${eyes} me=${me} />`}
        <p class="caption">${sentences.slice(-3).join(" ")}</p>
      </div>
      <aside class="side">
        <${Eyes} now=${now} me=${me} eyes=${eyes} onChange=${(seat) => {
          setMissed([]);
          setEyes(seat);
        }} />
        <${Chart} scores=${now.scores} names=${sidesOf(now, said, me)} at=${Math.min(dealAt(line, version), now.scores.length)} />
        <${Check} game=${route.game} token=${token} finished=${now.status === "finished"} />
        <${Moments} commits=${commits} now=${now} me=${me} version=${version} onGo=${go} />
      </aside>
      <${Controls} line=${line} version=${version} playing=${playing} speed=${speed} onGo=${go}
        onPlay=${() => {
          if (version >= line.last) setVersion(line.deals[0]?.version ?? line.first);
          setMissed([]);
          setPlaying(!playing);
        }} onSpeed=${setSpeed} />
    </main>
    <${Announcer} text=${commit && !playing ? narrate(commit, now, said, spoken(said), me).join(" ") : ""} />`;
}

const numbered = (asked) => (typeof asked === "number" ? asked : null);

/** The seat through whose eyes an address wants to see, where there is such a seat. */
const eyesOf = ({ eyes }, now) => (now.seats.some((seat) => seat.seat === eyes) ? eyes : null);

/** What a game has not of what an address asks for: keys of words with what stands in them. */
function inVain({ version, eyes }, line, now) {
  const isolated = (asked) => (typeof asked === "string" ? `\u2068${asked}\u2069` : asked);
  const found = [];
  const where = version === null ? null : beyond(line, version, now.status === "finished");
  if (where !== null) found.push({ key: `replay.beyond.${where}`, asked: isolated(version), first: line.first, last: line.last });
  if (eyes !== null && eyesOf({ eyes }, now) === null) {
    found.push({ key: "replay.no_seat", asked: isolated(eyes), first: 0, last: now.seats.length - 1 });
  }
  return found;
}

/** The table with every hand that may be seen through these eyes. */
function Board({ table, eyes, me }) {
  const said = useStore(words);
  if (!table.deal) {
    return html`<div class="others">${table.seats.map((seat) => html`<${Player} key=${seat.seat} seat=${seat} table=${table} me=${seat.seat === me} />`)}</div>`;
  }
  return html`
    <div class="hands">
      ${around(table, eyes ?? me ?? 0).map((seat) => html`
        <div class="one" key=${seat.seat}>
          <${Player} seat=${seat} table=${table} me=${seat.seat === me} viewer=${me} />
          ${seat.hand !== undefined && (eyes === null || eyes === seat.seat)
            ? html`<${CardRow} cards=${seat.hand.map((card) => ({ card }))} wild=${table.deal.wild}
                label=${said.list(seat.hand.map((card) => cardName(card, said)))} />`
            : html`<span class="row" role="img" aria-label=${said.say("player.cards", { count: seat.hand_count })}>
                ${Array.from({ length: seat.hand_count }, () => html`<${Back} />`)}</span>`}
        </div>`)}
    </div>
    <div class="middle">
      <div class="centre"><${Status} table=${table} seat=${me} /><${Piles} table=${table} stock=${null} take=${false} onDiscard=${null} /></div>
      <${Melds} table=${table} seat=${me} offersOn=${() => []} onOffer=${() => {}} />
    </div>`;
}

function Eyes({ now, me, eyes, onChange }) {
  const said = useStore(words);
  const seen = now.seats.filter((seat) => seat.hand !== undefined);
  if (!seen.length) return null;
  return html`
    <label class="field">${said.say("replay.eyes")}
      <select value=${String(eyes)} onChange=${(event) => onChange(event.target.value === "null" ? null : Number(event.target.value))}>
        <option value="null" selected=${eyes === null}>${said.say(now.status === "finished" ? "replay.all" : "replay.own")}</option>
        ${now.status === "finished" && seen.map((seat) => html`
          <option value=${String(seat.seat)} selected=${eyes === seat.seat}>${seatName(seat, said, me)}</option>`)}
      </select>
    </label>`;
}

function Controls({ line, version, playing, speed, onGo, onPlay, onSpeed }) {
  const said = useStore(words);
  const [copied, setCopied] = useState(false);
  useEffect(() => setCopied(false), [version]);
  const button = (key, by, direction) => {
    const to = step(line, version, by, direction);
    return html`<button class="quiet" aria-label=${said.say(key)} title=${said.say(key)} disabled=${to === version} onClick=${() => onGo(to)}>
      <${Icon} path=${ICONS[key]} /></button>`;
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      setCopied(true);
    } catch {
      // The address bar has it.
    }
  };
  return html`
    <div class="controls" role="group" aria-label=${said.say("replay.controls")}>
      <span class="buttons" dir="ltr">
        ${button("replay.deal_back", "deal", -1)}
        ${button("replay.turn_back", "turn", -1)}
        ${button("replay.back", "event", -1)}
        <button class="primary" data-offer="play" onClick=${onPlay} aria-label=${said.say(playing ? "replay.pause" : "replay.play")}>
          <${Icon} path=${playing ? PAUSE : PLAY} /></button>
        ${button("replay.on", "event", 1)}
        ${button("replay.turn_on", "turn", 1)}
        ${button("replay.deal_on", "deal", 1)}
      </span>
      <input type="range" dir="ltr" min=${line.first} max=${line.last} value=${version} aria-label=${said.say("replay.moment")}
        aria-valuetext=${said.say("replay.at", { version, last: line.last })}
        onInput=${(event) => onGo(Number(event.target.value))} />
      <span class="at">${said.say("replay.at", { version, last: line.last })}</span>
      <label><span class="hidden">${said.say("replay.speed")}</span>
        <select value=${String(speed)} onChange=${(event) => onSpeed(Number(event.target.value))}>
          ${SPEEDS.map((one) => html`<option value=${String(one)} selected=${one === speed}>${said.number(one)}×</option>`)}
        </select>
      </label>
      <button class="quiet" onClick=${copy}>${said.say(copied ? "waiting.copied" : "replay.link")}</button>
    </div>`;
}

const NEARBY = 40;

/** What happened around this moment, to go to. */
function Moments({ commits, now, me, version, onGo }) {
  const said = useStore(words);
  const place = useRef(null);
  const tell = written(said);
  const here = commits.findIndex((commit) => commit.version === version);
  const near = commits.slice(Math.max(0, here - NEARBY), here + NEARBY);
  useEffect(() => {
    const list = place.current;
    const current = list?.querySelector('[aria-current="true"]');
    if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  }, [version]);
  return html`
    <ol class="moments" ref=${place} tabindex="0" aria-label=${said.say("side.moves")}>
      ${near.map((commit) => html`
        <li key=${commit.version}>
          <button class="quiet" aria-current=${commit.version === version ? "true" : undefined} onClick=${() => onGo(commit.version)}>
            ${narrate(commit, now, said, tell, me).join(" ") || said.say("replay.nothing")}
          </button>
        </li>`)}
    </ol>`;
}
