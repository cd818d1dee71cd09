// Where the focus goes when what had it is gone: a button that was pressed, a dialog that was closed, a page that was left.
//
// It goes on only from nowhere: who types, who reads a dialog and who clicked beside everything keeps what they have. Out of
// a dialog it never leads.

import { firstChoice } from "./dialog.js";
import { useEffect } from "./h.js";

// Where somebody goes on, best first: the hand where there is one, else what the page is about.
const PLACES = [
  ".waiting h2", ".hand [tabindex='0']", ".result :is(a, button)", ".middle", ".controls [data-offer=play]", "main h1", "main",
];
// From here a game begins: its table is looked at first.
const BEFORE_A_GAME = ".waiting, .lobby, .result";
// A button is shut while its request is under way, and has the focus again afterwards; here it may stay shut.
const SHUT_FOR_LONG = ".waiting, .controls";
const TAKES_FOCUS = "a, button, input, select, textarea, label, summary, [tabindex]";

/** The first place on the page that is to be seen; null while there is none. */
function nextPlace(begins) {
  for (const place of begins ? [".middle", ...PLACES] : PLACES) {
    const found = [...document.querySelectorAll(place)].find((one) => one.checkVisibility());
    if (found) return found;
  }
  return null;
}

function give(element) {
  // A heading takes the focus from here alone, never by Tab.
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: element.closest(".table-page") !== null });
}

const wasMoved = (element, records) =>
  records.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(element)));

/** Keep the focus on the page for as long as the component is there. */
export function useKeptFocus() {
  useEffect(() => {
    let last = null;
    const noticed = ({ target }) => {
      last = { element: target, begins: target.closest(BEFORE_A_GAME) !== null, wasShut: false };
    };
    // Whoever clicks where nothing takes the focus has let it go.
    const clicked = ({ target }) => {
      if (!target.closest(TAKES_FOCUS)) last = null;
    };
    const look = (records) => {
      const here = document.activeElement;
      const isNowhere = here === null || here === document.body || here === last?.element;
      if (last === null || !isNowhere) return;
      const { element, begins } = last;
      const dialog = document.querySelector("dialog[open]");
      if (element.isConnected) {
        if (dialog && !dialog.contains(element)) return;
        if (element.disabled) last.wasShut = true;
        else if (here !== element && (last.wasShut || wasMoved(element, records))) give(element);
        if (!element.disabled || !element.closest(SHUT_FOR_LONG)) return;
      }
      // Nothing beside a dialog can have the focus: its first choice takes it.
      const place = dialog ? firstChoice(dialog) : nextPlace(begins);
      if (place === null) return;
      give(place);
      // What is shown until a game begins is not where its player comes from.
      if (last?.element === place) last.begins ||= begins && !place.matches(".middle");
    };
    const watcher = new MutationObserver(look);
    watcher.observe(document.body, { subtree: true, childList: true, attributeFilter: ["disabled", "open"] });
    document.addEventListener("focusin", noticed);
    document.addEventListener("pointerdown", clicked, true);
    return () => {
      watcher.disconnect();
      document.removeEventListener("focusin", noticed);
      document.removeEventListener("pointerdown", clicked, true);
    };
  }, []);
}
