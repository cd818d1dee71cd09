// A value that components watch, and what this browser remembers.

import { useEffect, useReducer } from "./h.js";

/** A value with listeners. */
export class Store {
  #listeners = new Set();

  constructor(value) {
    this.value = value;
  }

  set(value) {
    if (value === this.value) return;
    this.value = value;
    for (const listener of [...this.#listeners]) listener(value);
  }

  patch(part) {
    this.set({ ...this.value, ...part });
  }

  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** The value of a store; the component is drawn again when it changes. */
export function useStore(store) {
  const [, redraw] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    redraw();
    return store.listen(redraw);
  }, [store]);
  return store.value;
}

// A browser may forbid storage, or be full: then nothing is remembered, and that is all. What is remembered in
// `sessionStorage` is the tab's own, and ends with it.
export function remembered(key, otherwise = null, storage = "localStorage") {
  try {
    const text = globalThis[storage].getItem(`meldlog.${key}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

export function remember(key, value, storage = "localStorage") {
  try {
    if (value === null || value === undefined) globalThis[storage].removeItem(`meldlog.${key}`);
    else globalThis[storage].setItem(`meldlog.${key}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
