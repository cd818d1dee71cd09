// Server-sent events over fetch, since a browser's own EventSource can send no token. Comes back by itself.

import { Problem, Unreachable, path, pause, refusal } from "./api.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;
// The service says something every 15 seconds; a stream that is silent for longer is dead, as after a long sleep.
const SILENCE = 40_000;

/** Takes text as it comes and gives whole events: `{ id, event, data }`. */
export class EventParser {
  #left = "";
  #fields = { id: undefined, event: "message", data: [] };

  push(text) {
    const found = [];
    this.#left += text;
    const lines = this.#left.split(/\r\n|\n|\r(?!$)/);
    this.#left = lines.pop();
    for (const line of lines) {
      if (line !== "") this.#take(line);
      else if (this.#fields.data.length) {
        found.push({ ...this.#fields, data: this.#fields.data.join("\n") });
        this.#fields = { id: undefined, event: "message", data: [] };
      } else this.#fields = { id: undefined, event: "message", data: [] };
    }
    return found;
  }

  #take(line) {
    const [, name, value] = line.match(/^([^:]*):? ?(.*)$/s);
    if (name === "data") this.#fields.data.push(value);
    else if (name === "id" || name === "event") this.#fields[name] = value;
  }
}

/**
 * Follow a game's commits for as long as the signal lets it.
 *
 * `onCommit(commit)` gets every commit after `after` once and in order; `onState(state)` hears "live", "lost" (with when
 * it tries again) and "ended" with the problem that ends it: the token opens nothing any more, or the log is another.
 */
export async function follow(api, game, { token, after, onCommit, onState, signal, random = Math.random }) {
  let seen = after;
  let failures = 0;
  while (!signal.aborted) {
    try {
      await listen(api, game, token, () => seen, signal, (commit) => {
        if (commit.version !== seen + 1) return;
        seen = commit.version;
        failures = 0;
        onCommit(commit);
      }, () => {
        failures = 0;
        onState({ state: "live" });
      });
      // The service ended the stream in good order: it stops, or somebody left a seat.
      failures = Math.max(failures, 0);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem) {
        onState({ state: "ended", problem: error });
        return;
      }
    }
    if (signal.aborted) return;
    const wait = Math.min(FIRST_WAIT * 2 ** failures, LONGEST_WAIT) * (0.75 + random() / 2);
    failures += 1;
    onState({ state: "lost", until: Date.now() + wait });
    await awake(wait, signal);
  }
}

async function listen(api, game, token, seen, signal, onCommit, onOpen) {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE);
  try {
    const headers = api.headers(token, { Accept: "text/event-stream", "Last-Event-ID": String(seen()) });
    const answer = await api.fetching(`${api.base}${path(game)}/events`, {
      headers,
      signal: AbortSignal.any([signal, silence.signal]),
      cache: "no-store",
    });
    if (!answer.ok) throw await refusal(answer);
    onOpen();
    const parser = new EventParser();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE);
      for (const event of parser.push(value)) if (event.event === "commit") onCommit(JSON.parse(event.data));
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Unreachable(String(error?.message ?? error));
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

/** Wait; but not longer than until the network or the reader is back. */
async function awake(wait, signal) {
  const early = new AbortController();
  const wake = () => early.abort();
  const shown = () => document.visibilityState === "visible" && wake();
  addEventListener("online", wake);
  document.addEventListener("visibilitychange", shown);
  try {
    await pause(wait, AbortSignal.any([signal, early.signal]));
  } catch {
    // Woken, or not wanted any more.
  } finally {
    removeEventListener("online", wake);
    document.removeEventListener("visibilitychange", shown);
  }
}
