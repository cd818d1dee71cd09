// The time that is left for a turn.

import { html, useEffect, useState } from "./h.js";
import { words } from "./i18n.js";
import { serviceNow } from "./service_time.js";
import { useStore } from "./store.js";

export function Clock({ deadline }) {
  const said = useStore(words);
  const [now, setNow] = useState(serviceNow());
  useEffect(() => {
    const timer = setInterval(() => setNow(serviceNow()), 500);
    return () => clearInterval(timer);
  }, [deadline]);
  const left = Math.max(0, Math.ceil((Date.parse(deadline) - now) / 1000));
  return html`
    <span class=${`clock${left <= 10 ? " short" : ""}`} role="timer" aria-label=${said.say("clock", { count: left })}>
      ${said.say("clock.short", { count: left })}
    </span>`;
}
