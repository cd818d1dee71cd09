// The table: everything of one game that is played, put together.

import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./h.js";
import { Problem, api } from "./api.js";
import { Actions, ResignDialog, TakeDialog, promptWords } from "./actions.js";
import { reconcile, sortedItems } from "./arrangement.js";
import { DealOver, Result } from "./deal_over.js";
import { Melds, Piles, Player, Status, around } from "./felt.js";
import { Announcer, Top, problemWords } from "./frame.js";
import { Hand } from "./hand.js";
import { words } from "./i18n.js";
import { LiveGame, isTurn } from "./live.js";
import { playMotion } from "./motion.js";
import { Missing } from "./missing.js";
import { dropsOn, offers, stockDraw, takes } from "./moves.js";
import { narrate, spoken } from "./narrate.js";
import { Readings } from "./readings.js";
import { reasonWords, useReason, wondered } from "./reason.js";
import { replayAddress } from "./route.js";
import { paceOf, settings } from "./settings.js";
import { clausesOf } from "./sheet.js";
import { Side } from "./side.js";
import { remember, remembered, useStore } from "./store.js";
import { Tray } from "./tray.js";
import { WaitingRoom } from "./waiting_room.js";
import { WaysOn } from "./ways_on.js";
import { useAnswer } from "./loading.js";

export function TablePage({ game }) {
  const said = useStore(words);
  const live = useMemo(() => new LiveGame(game, { paceOf: () => paceOf(settings.value) }), [game]);
  const state = useStore(live.store);
  useEffect(() => {
    void live.start();
    return () => live.stop();
  }, [live]);
  const { table } = state;
  if (state.link.state === "missing") return html`<${Missing} why=${problemWords(state.link.problem, said).kind} />`;
  if (table === null) return html`<${Top} /><main class="empty" role="status">${said.say(state.link.state === "lost" ? "link.lost" : "loading")}</main>`;
  return html`<${AtTable} live=${live} state=${state} />`;
}

function AtTable({ live, state }) {
  const said = useStore(words);
  const { table, seat, commits } = state;
  const place = useRef(null);
  const [resigning, setResigning] = useState(false);
  const [side, setSide] = useState(false);
  const variants = useAnswer(() => api.variants(), []);
  const { value: sheet } = useAnswer(() => api.rules(table.game_id, said.language, live.token), [table.game_id, said.language]);
  const title = said.title(variants.value?.items.find((one) => one.name === table.variant) ?? { title: table.variant });
  const myTurn = isTurn(table, seat);

  useEffect(() => {
    document.title = `${myTurn ? "● " : ""}${title} – Meldlog`;
  }, [myTurn, title]);
  useLayoutEffect(() => {
    if (paceOf(settings.value)) playMotion(state.latest, place.current);
  }, [state.latest]);
  const heard = useHeard(state, said);
  const onResign = seat !== null && table.status === "playing" ? () => setResigning(true) : null;
  const others = around(table, seat).slice(seat === null ? 0 : 1);
  return html`
    <${Top} title=${title}>
      ${onResign && html`
        <button class="quiet wide-only" onClick=${onResign}>${said.say("resign")}</button>`}
      <button class="quiet narrow-only" aria-expanded=${side ? "true" : "false"} onClick=${() => setSide(!side)}>${said.say("side")}</button>
    <//>
    <${Link} state=${state} live=${live} />
    <main class=${`table-page${side ? " with-side" : ""}`} ref=${place} data-version=${table.version} data-status=${table.status}>
      ${table.status === "open"
        ? html`<${WaitingRoom} live=${live} table=${table} seat=${seat} />`
        : html`
          <div class="felt">
            <div class="others">${others.map((one) => html`<${Player} key=${one.seat} seat=${one} table=${table} viewer=${seat} />`)}</div>
            <${Play} live=${live} state=${state} clauses=${clausesOf(sheet, said)} />
          </div>`}
      <${Side} table=${table} commits=${commits} seat=${seat} sheet=${sheet} onResign=${onResign} />
    </main>
    <${Announcer} text=${heard} />
    ${state.dealOver && html`
      <${DealOver} over=${state.dealOver} table=${table} seat=${seat} onClose=${() => live.closeDeal()}
        ways=${html`<${WaysOn} table=${table} seat=${seat} ended=${lastTold(state)} isFirst />`} />`}
    ${resigning && html`
      <${ResignDialog} onClose=${() => setResigning(false)} onResign=${() => {
        void live.send({ type: "resign" }).finally(() => setResigning(false));
      }} />`}`;
}

/** When the last thing happened: of a finished game, when it ended. */
const lastTold = ({ table, commits }) => commits.at(-1)?.at ?? table.created_at;

/** What a listener is told: what just happened, and that it is their turn. */
function useHeard(state, said) {
  const { table, latest, seat, moves } = state;
  return useMemo(() => {
    const sentences = latest ? narrate(latest, table, said, spoken(said), seat) : [];
    if (isTurn(table, seat) && moves) sentences.push(said.say("turn.you"));
    return sentences.join(" ");
  }, [latest, moves, said]);
}

/** How the service is heard; what was lost is said, and comes back by itself. */
function Link({ state, live }) {
  const said = useStore(words);
  if (state.lost) {
    const [what, role] = state.lost === "resigned" ? ["told.handed_over.you", "status"] : ["lost.seat", "alert"];
    return html`<p class="banner" role=${role}>${said.say(what)}
      <button class="quiet" onClick=${() => live.store.patch({ lost: null })}>${said.say("close")}</button></p>`;
  }
  if (state.link.state === "lost") return html`<p class="banner" role="status">${said.say("link.lost")}</p>`;
  return null;
}

/** Escape puts picked cards down; in a dialog it belongs to the dialog. */
function useEscape(onEscape) {
  const latest = useRef(onEscape);
  latest.current = onEscape;
  useEffect(() => {
    const keyed = (event) => {
      if (event.key === "Escape" && !document.querySelector("dialog[open]")) latest.current();
    };
    addEventListener("keydown", keyed);
    return () => removeEventListener("keydown", keyed);
  }, []);
}

/** The middle of the table, and the own hand. */
function Play({ live, state, clauses }) {
  const said = useStore(words);
  const chosen = useStore(settings);
  const { table, seat, moves, busy } = state;
  const [picked, setPicked] = useState(new Set());
  const [choosing, setChoosing] = useState(null);
  const [taking, setTaking] = useState(false);
  const [aside, setAside] = useAside(table.version);
  const [items, setItems, fresh] = useItems(table, seat);
  const { deal } = table;
  useEscape(() => picked.size && setPicked(new Set()));

  const held = withoutAside(items, aside);
  const cardsOf = (ids) => held.filter((item) => ids.has(item.id)).map((item) => item.card);
  const cards = cardsOf(picked);
  const listed = busy || !moves ? [] : moves.moves;
  const found = offers(listed, cards);
  const judged = useJudged(live, table, cards, found, moves);
  const command = moves && !busy && !judged.length ? wondered(found, deal?.phase, cards) : null;
  const reason = useReason(live, command, table.version);

  const send = async (command) => {
    setChoosing(null);
    setTaking(false);
    if (await live.send(command)) setPicked(new Set());
  };
  const sendOne = (moves) => (moves.length === 1 ? void send(moves[0]) : setChoosing({ moves, onChoose: send }));
  const putAside = (readings) => {
    const put = (reading) => {
      setChoosing(null);
      setAside([...aside, { cards: reading.cards, reads_as: reading.reads_as }]);
      setPicked(new Set());
    };
    if (readings.length === 1) put(readings[0]);
    else setChoosing({ moves: readings.map((one) => ({ type: "lay_meld", ...one })), onChoose: put });
  };
  const take = () => {
    const ways = takes(found);
    if (ways.length > 1) setTaking(true);
    else if (ways.length) void send(ways[0]);
  };
  // What was carried counts, whatever was picked; a card that has left the hand on the way plays nothing.
  const dropped = (target, ids) => {
    const carried = cardsOf(ids);
    if (carried.length < ids.size) return;
    const fitting = offers(listed, carried);
    if (target === "discard" && fitting.discard) void send(fitting.discard);
    else if (target.startsWith("meld-")) {
      const ways = dropsOn(fitting, Number(target.slice(5)));
      if (ways.length) sendOne(ways);
    } else if (target === "table" && fitting.lays.length) sendOne(fitting.lays);
  };
  const stock = stockDraw(found);
  const me = seat === null ? null : table.seats[seat];
  return html`
    <div class="middle" tabindex="0" role="group" aria-label=${said.say("felt")}>
      <div class="centre">
        <${Status} table=${table} seat=${seat} />
        <${Piles} table=${table} stock=${stock} take=${takes(found).length > 0} onStock=${() => send(stock)} onTake=${take}
          onDiscard=${found.discard ? () => send(found.discard) : null} />
      </div>
      <${Melds} table=${table} seat=${seat} offersOn=${(meld) => dropsOn(found, meld)} onOffer=${send} />
    </div>
    ${table.status === "finished" && html`
      <${Result} table=${table} seat=${seat} ways=${html`<${WaysOn} table=${table} seat=${seat} ended=${lastTold(state)} />`} />`}
    ${me && table.status === "playing" && html`
      <div class=${`dock${isTurn(table, seat) ? " on-turn" : ""}`}>
        <div class="line">
          <${Player} seat=${me} table=${table} me />
          <p class="prompt" aria-live="off">${promptWords({ table, seat, moves, busy, waiting: state.waiting, picked: command === null && cards.length > 0 }, said)}</p>
          <span class="sorting">
            <button class="quiet" onClick=${() => setItems(sortedItems(items, "suit", deal?.wild ?? []))}>${said.say("sort.suit")}</button>
            <button class="quiet" onClick=${() => setItems(sortedItems(items, "rank", deal?.wild ?? []))}>${said.say("sort.rank")}</button>
          </span>
        </div>
        ${state.refusal && html`<${Refusal} problem=${state.refusal} clauses=${clauses} onClose=${() => live.dismissRefusal()} />`}
        <${Tray} live=${live} melds=${aside} clauses=${clauses} onLay=${send}
          onRemove=${(place) => setAside(aside.filter((_, one) => one !== place))} />
        ${deal && html`
          <${Hand} items=${held} picked=${picked} wild=${deal.wild} fresh=${fresh} onOrder=${(next) => setItems([...next, ...items.filter((one) => !next.includes(one))])}
            onPick=${setPicked} onDrop=${dropped} />
          <${Actions} found=${found} moves=${listed} table=${table} ready=${moves !== null && !busy}
            picked=${cards.length > 0} hints=${chosen.hints && !aside.length} judged=${judged}
            reason=${reason && command && reasonWords(reason, command, said, clauses)} onSend=${send} onLays=${sendOne} onTake=${take} onPutAside=${putAside} />`}
      </div>`}
    ${!me && html`<p class="watching">${said.say("watching")} <a href=${replayAddress(table.game_id)}>${said.say("over.replay")}</a></p>`}
    ${choosing && html`
      <${Readings} moves=${choosing.moves} table=${table} onChoose=${choosing.onChoose} onClose=${() => setChoosing(null)} />`}
    ${taking && html`
      <${TakeDialog} table=${table} moves=${takes(found)} onSend=${send} onClose=${() => setTaking(false)} />`}`;
}

/** Melds put aside to be laid together: they are of the table as it is, and gone with the next version of it. */
function useAside(version) {
  const [aside, setAside] = useState({ version, melds: [] });
  return [aside.version === version ? aside.melds : [], (melds) => setAside({ version, melds })];
}

/** The own hand in the order that its owner gave it, also after the page was loaded anew. */
function useItems(table, seat) {
  const hand = seat === null ? [] : table.seats[seat]?.hand ?? [];
  const kept = useRef(null);
  const [, redraw] = useState(0);
  if (kept.current === null) {
    const order = remembered("order");
    const known = order?.game === table.game_id ? order.cards.map((card, place) => ({ id: place + 1, card })) : [];
    kept.current = { items: known, fresh: new Set(), version: -1 };
  }
  if (kept.current.version !== table.version) {
    const before = new Set(kept.current.items.map((item) => item.id));
    const items = reconcile(kept.current.items, hand);
    const fresh = new Set(items.filter((item) => !before.has(item.id)).map((item) => item.id));
    kept.current = { items, fresh: fresh.size < items.length ? fresh : new Set(), version: table.version };
  }
  const setItems = (items) => {
    kept.current = { ...kept.current, items };
    remember("order", { game: table.game_id, cards: items.map((item) => item.card) });
    redraw((count) => count + 1);
  };
  return [kept.current.items, setItems, kept.current.fresh];
}

/** The hand without what was put aside to be laid together. */
function withoutAside(items, aside) {
  const gone = aside.flatMap((meld) => meld.cards);
  return items.filter((item) => {
    const place = gone.indexOf(item.card);
    if (place < 0) return true;
    gone.splice(place, 1);
    return false;
  });
}

/**
 * What picked cards could be where no listed move lays them alone: they may be put aside, to be laid with others. Asked
 * only in games where first melds are laid together, or where the list was cut off.
 */
function useJudged(live, table, cards, found, moves) {
  const [judged, setJudged] = useState([]);
  const together = found.together.length > 0 || moves?.truncated || "opening_threshold" in table.house_rules;
  const asks = moves !== null && table.deal?.phase === "play" && cards.length >= 3 && !found.lays.length && together &&
    !table.seats[moves.seat].has_laid;
  const key = asks ? cards.join(" ") : "";
  useEffect(() => {
    let wanted = true;
    setJudged([]);
    if (key) {
      const question = { cards, wild: table.deal.wild, house_rules: table.house_rules, options: table.options };
      api.judge(table.variant, question).then(
        ({ readings }) => wanted && setJudged(readings),
        (error) => wanted && error instanceof Problem && live.refuse(error),
      );
    }
    return () => {
      wanted = false;
    };
  }, [key, table.version]);
  return judged;
}

function Refusal({ problem, clauses, onClose }) {
  const said = useStore(words);
  const told = problemWords(problem, said, clauses);
  return html`
    <div class="refusal" role="alert">
      <p><strong>${told.kind}</strong> ${told.clause ?? ""} ${told.detail && html`<span class="detail">${told.detail}</span>`}</p>
      <button class="quiet icon" onClick=${onClose} aria-label=${said.say("close")}>✕</button>
    </div>`;
}
