// Preact with htm, in one place: components are written as html`<${Component} …/>`.

import { h, render, Fragment } from "../vendor/preact.js";
import htm from "../vendor/htm.js";

export const html = htm.bind(h);
export { h, render, Fragment };
export { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState, useCallback } from "../vendor/hooks.js";
