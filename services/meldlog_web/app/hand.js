// The own hand: cards are picked, rearranged and carried to the table, by pointer, by touch and by keyboard.

import { html, useEffect, useLayoutEffect, useRef, useState } from "./h.js";
import { cardName, isWild } from "./cards.js";
import { Front } from "./card_view.js";
import { words } from "./i18n.js";
import { moved } from "./arrangement.js";
import { useStore } from "./store.js";

const DRAG_AFTER = 6;
// Parts of a card's width: nearer its index is covered, farther it lies beside the next one.
const NEAREST = 0.27;
const FARTHEST = 0.8;
// Pixels that a finger needs.
const FINGER = 30;
const ONE_CARD = { perRow: 1, step: 0 };

/**
 * `items` in their order, `picked` the ids picked; `onOrder`, `onPick` get what they shall be, `onDrop(target, ids)`
 * is told where which cards were let go, `fresh` are ids of cards that just came.
 */
export function Hand({ items, picked, wild, fresh, onOrder, onPick, onDrop }) {
  const said = useStore(words);
  const list = useRef(null);
  const [drag, setDrag] = useState(null);
  const [focus, setFocus] = useState(0);
  const [rows, setRows] = useState(ONE_CARD);
  const carried = useRef(null);

  useLayoutEffect(() => {
    const fit = () => setRows((before) => same(before, rowsFor(list.current, items.length)));
    fit();
    const watcher = new ResizeObserver(fit);
    watcher.observe(list.current);
    return () => watcher.disconnect();
  }, [items.length]);

  const toggle = (id) => {
    const next = new Set(picked);
    if (!next.delete(id)) next.add(id);
    onPick(next);
  };

  const keyed = (event, place) => {
    const right = event.key === "ArrowRight";
    if (!right && event.key !== "ArrowLeft" && event.key !== "Home" && event.key !== "End") return;
    event.preventDefault();
    const next = event.key === "Home" ? 0 : event.key === "End" ? items.length - 1 : place + (right ? 1 : -1);
    if (next < 0 || next >= items.length) return;
    setFocus(next);
    const reach = () => list.current?.querySelectorAll("button")[next]?.focus();
    if (!event.shiftKey && !event.altKey) {
      reach();
      return;
    }
    onOrder(moved(items, items[place].id, next));
    // A card that is moved loses the focus on its way.
    requestAnimationFrame(reach);
  };

  // While a pointer is down the hand may be drawn anew: what it does is judged by what is so when it is let go.
  const latest = useRef(null);
  latest.current = { items, picked, onOrder, onPick, onDrop };
  useEffect(() => () => carried.current?.listening.abort(), []);

  const pressed = (event, item) => {
    if (event.button !== 0 || carried.current?.ids) return;
    carried.current?.listening.abort();
    // `ids` are those of the carried cards, once the pointer has gone some way with them.
    const carry = { ids: null, listening: new AbortController() };
    carried.current = carry;
    const [{ pointerId, clientX, clientY }, { signal }] = [event, carry.listening];
    const ofThisPointer = (then) => (at) => at.pointerId === pointerId && then(at);
    const putDown = () => {
      carry.listening.abort();
      if (carried.current === carry) carried.current = null;
      setDrag(null);
    };
    const move = (at) => {
      const [dx, dy] = [at.clientX - clientX, at.clientY - clientY];
      if (!carry.ids && Math.hypot(dx, dy) < DRAG_AFTER) return;
      if (!carry.ids) {
        const now = latest.current;
        carry.ids = now.picked.has(item.id) ? now.picked : new Set([item.id]);
        if (carry.ids !== now.picked) now.onPick(carry.ids);
      }
      setDrag({ ids: carry.ids, dx, dy, over: targetAt(at) });
    };
    const end = (at) => {
      putDown();
      if (!carry.ids) return;
      ignoreClick();
      const { items, onOrder, onDrop } = latest.current;
      const target = targetAt(at);
      if (target === "hand" || target === null) onOrder(moved(items, item.id, placeAt(list.current, at, item.id)));
      else onDrop(target, carry.ids);
    };
    const keyed = (event) => {
      if (event.key !== "Escape" || !carry.ids) return;
      putDown();
      // The pointer is still down, and letting it go is no click.
      const released = new AbortController();
      const letGo = (at) => {
        released.abort();
        if (at.type === "pointerup") ignoreClick();
      };
      for (const type of ["pointerup", "pointercancel"]) addEventListener(type, ofThisPointer(letGo), { signal: released.signal });
    };
    addEventListener("pointermove", ofThisPointer(move), { signal });
    addEventListener("pointerup", ofThisPointer(end), { signal });
    addEventListener("pointercancel", ofThisPointer(putDown), { signal });
    addEventListener("keydown", keyed, { signal });
  };

  useEffect(() => {
    for (const target of document.querySelectorAll("[data-drop].over")) target.classList.remove("over");
    if (drag?.over) document.querySelector(`[data-drop="${drag.over}"]`)?.classList.add("over");
  }, [drag?.over]);

  return html`
    <ul class=${`hand${drag ? " dragging" : ""}`} ref=${list} data-drop="hand"
      style=${{ "--columns": columnsOf(rows) }}
      aria-label=${said.say("hand.label", { count: items.length })}>
      ${items.map((item, place) => {
        const isPicked = picked.has(item.id);
        const isCarried = drag !== null && drag.ids.has(item.id);
        const name = cardName(item.card, said);
        return html`
          <li key=${item.id} class=${fresh.has(item.id) ? "fresh" : ""}
            style=${isCarried ? { transform: `translate(${drag.dx}px, ${drag.dy}px)` } : { transform: "" }}>
            <button class=${isCarried ? "carried" : ""} aria-pressed=${isPicked ? "true" : "false"} data-card=${item.card}
              aria-label=${isWild(item.card, wild) ? said.say("card.wild", { card: name }) : name}
              tabindex=${place === Math.min(focus, items.length - 1) ? "0" : "-1"}
              onFocus=${() => setFocus(place)} onKeyDown=${(event) => keyed(event, place)}
              onPointerDown=${(event) => pressed(event, item)} onClick=${() => toggle(item.id)}>
              <${Front} card=${item.card} wild=${isWild(item.card, wild)} />
            </button>
          </li>`;
      })}
    </ul>`;
}

/** The click that follows a drag picks nothing. */
function ignoreClick() {
  addEventListener("click", stopOnce, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", stopOnce, { capture: true }), 50);
}

function stopOnce(event) {
  event.stopPropagation();
  event.preventDefault();
}

/**
 * How many cards lie in a row and how far apart, in pixels. They overlap as far as the width asks for, but never so near
 * that an index is covered or no finger finds the card; then there is another row, and the rows are alike.
 */
export function spread(count, card, room) {
  if (count < 2) return ONE_CARD;
  const nearest = Math.max(card * NEAREST, Math.min(FINGER, card * 0.5));
  const most = Math.max(1, 1 + Math.floor((room - card) / nearest));
  const perRow = Math.ceil(count / Math.ceil(count / most));
  const step = Math.min(card * FARTHEST, (room - card) / Math.max(perRow - 1, 1));
  return { perRow, step: Math.floor(step * 10) / 10 };
}

function rowsFor(list, count) {
  const card = list.querySelector(".card")?.offsetWidth;
  if (!card) return ONE_CARD;
  const { paddingLeft, paddingRight } = getComputedStyle(list);
  return spread(count, card, list.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
}

/** Every card shows so much of itself, the last one in a row all of it. */
const columnsOf = ({ perRow, step }) =>
  perRow > 1 ? `repeat(${perRow - 1}, ${step}px) var(--hand-card)` : "var(--hand-card)";

/** The old value where nothing changed, so that nothing is drawn anew. */
const same = (old, found) => (old.perRow === found.perRow && old.step === found.step ? old : found);

const targetAt = (event) =>
  document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-drop]")?.dataset.drop ?? null;

/** The place among the other cards where a card was let go. */
function placeAt(list, event, id) {
  const others = [...list.children].filter((one) => !one.querySelector(".carried"));
  const boxes = others.map((one) => one.getBoundingClientRect());
  const before = boxes.filter((box) =>
    box.bottom - box.height * 0.2 < event.clientY ||
    (box.top < event.clientY + box.height * 0.3 && box.left + box.width * 0.25 < event.clientX));
  return before.length;
}
