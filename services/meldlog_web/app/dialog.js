// A dialog over the page: the browser's own, so that focus, Escape and the rest of the page behave.

import { html, useLayoutEffect, useRef } from "./h.js";
import { useStore } from "./store.js";
import { words } from "./i18n.js";

const CHOICES = ":is(.body, .ways) :is(a, button, input, select):not(:disabled)";

/** What has the focus first: what is marked with `autofocus`, else the first choice; never the way to close it. */
export const firstChoice = (dialog) => dialog.querySelector("[autofocus]") ?? dialog.querySelector(CHOICES);

/** `ways` are its buttons, always in sight. */
export function Dialog({ title, onClose, children, ways = null, wide = false }) {
  const place = useRef(null);
  const said = useStore(words);
  // Before anything is painted: a dialog that is there and not open yet would let a click through to the page.
  useLayoutEffect(() => {
    const dialog = place.current;
    const before = document.activeElement;
    dialog.showModal();
    firstChoice(dialog)?.focus();
    return () => {
      dialog.close();
      if (before?.isConnected) before.focus();
    };
  }, []);
  return html`
    <dialog ref=${place} class=${wide ? "wide" : ""} aria-labelledby="dialog-title"
      onCancel=${(event) => {
        event.preventDefault();
        onClose();
      }}>
      <div class="head">
        <h2 id="dialog-title">${title}</h2>
        <button class="quiet icon" onClick=${onClose} aria-label=${said.say("close")}>✕</button>
      </div>
      <div class="body">${children}</div>
      ${ways && html`<div class="ways">${ways}</div>`}
    </dialog>`;
}
