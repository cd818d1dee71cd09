// What a reader may choose: language, colours of the suits, light or dark, how fast others' moves are shown.

import { Store, remember, remembered } from "./store.js";

export const PACES = ["calm", "quick", "instant"];
export const SCHEMES = ["auto", "light", "dark"];

const DEFAULTS = { language: null, fourColours: false, scheme: "auto", pace: "calm", hints: true, name: "" };

export const settings = new Store({ ...DEFAULTS, ...remembered("settings", {}) });

export function choose(part) {
  settings.patch(part);
  remember("settings", settings.value);
}

/** Milliseconds for which each move of others stays to be seen. */
export function paceOf({ pace }) {
  return { calm: 900, quick: 350, instant: 0 }[pace] ?? 900;
}
