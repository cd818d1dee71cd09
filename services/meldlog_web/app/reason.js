// Why nothing is offered for picked cards: the service is asked what it would say if they were laid or discarded.

import { useEffect, useState } from "./h.js";
import { Problem, api } from "./api.js";

// Milliseconds for which nothing more is picked: so long as cards are still being picked nobody is asked.
const SETTLED = 350;
// Two cards are mostly the beginning of three.
const SETTLED_WITH_TWO = 1500;
const SEVERAL = 2;

/** The command that picked cards could be meant as, where nothing is offered for them; null where nobody wonders. */
export function wondered(found, phase, cards) {
  if (found.lays.length || found.layOffs.length || found.reclaims.length || found.discard) return null;
  if (phase !== "play" && phase !== "lay_off") return null;
  if (cards.length >= SEVERAL) return { type: "lay_meld", cards };
  return cards.length === 1 && phase === "play" ? { type: "discard", card: cards[0] } : null;
}

/** What the service has against `command`, a problem, once it has stood for a while; null until then and where it has nothing. */
export function useReason(live, command, version) {
  const [reason, setReason] = useState(null);
  const key = command === null ? null : JSON.stringify(command);
  useEffect(() => {
    setReason(null);
    if (key === null) return undefined;
    const asking = new AbortController();
    const timer = setTimeout(() => {
      api.tryOut(live.game, command, live.token, asking.signal).then(
        () => {},
        (error) => !asking.signal.aborted && error instanceof Problem && setReason(error),
      );
    }, command.cards?.length === SEVERAL ? SETTLED_WITH_TWO : SETTLED);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [key, version]);
  return reason;
}

/** The reason in words: what is wrong in a sentence, and the clause that says so where it says more. */
export function reasonWords(problem, command, said, clauses) {
  if (problem.rule === "meld.shape") return { what: said.say("reason.shape"), why: "" };
  const what = said.say(command.type === "discard" ? "reason.discard" : "reason.lay");
  const counted = problem.shortfall ? ` (${said.say("tray.points", problem.shortfall)})` : "";
  const why = clauses.get(problem.rule) ?? (said.language === "en" ? problem.detail : "");
  return { what, why: why + counted };
}
