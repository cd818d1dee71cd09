// The service over HTTP. A command has a key, and is sent again under it until there is an answer.

import { setByAnswer } from "./service_time.js";

const ANSWER_WITHIN = 15_000;
const WAITS = [300, 700, 1500, 3000, 5000, 8000];

/** An answer that says no: a problem document. */
export class Problem extends Error {
  constructor(about, status) {
    super(about.detail ?? about.title ?? `status ${status}`);
    this.name = "Problem";
    this.status = status;
    this.code = about.code ?? "internal";
    this.rule = about.rule ?? null;
    this.shortfall = about.shortfall ?? null;
    this.detail = about.detail ?? "";
    this.errors = about.errors ?? [];
    this.version = about.version ?? null;
  }
}

/** There was no answer: the network is down, the service is not there, or it says that it can't just now. */
export class Unreachable extends Error {
  constructor(reason, after = null) {
    super(reason);
    this.name = "Unreachable";
    this.after = after;
  }
}

export const pause = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });

/** A random text that nobody else chooses; also where the page is not served safely and `randomUUID` is missing. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A seat's token, as the service would make it: 32 random bytes in base64url. */
export function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const text = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
  return `mt_${text.replace("=", "")}`;
}

export class Api {
  constructor(base = "", fetching = (...given) => fetch(...given)) {
    this.base = base;
    this.fetching = fetching;
  }

  headers(token, more = {}) {
    return { Accept: "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}), ...more };
  }

  /** One request and its answer as JSON. Raises `Problem` or `Unreachable`. */
  async ask(path, { token = null, method = "GET", body, key, headers, signal } = {}) {
    const sent = this.headers(token, headers);
    if (body !== undefined) sent["Content-Type"] = "application/json";
    if (key) sent["Idempotency-Key"] = key;
    let answer;
    try {
      const limit = AbortSignal.timeout(ANSWER_WITHIN);
      answer = await this.fetching(this.base + path, {
        method,
        headers: sent,
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        cache: "no-store",
      });
      setByAnswer(answer.headers);
      if (answer.ok) return await answer.json();
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new Unreachable(String(error?.message ?? error));
    }
    throw await refusal(answer);
  }

  /**
   * As `ask`, but asked again, with the same key, until there is an answer. `onWait` is told of every wait; `again` are
   * headers of every time but the first.
   */
  async insist(path, { onWait, again = {}, ...options } = {}) {
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.ask(path, tries ? { ...options, headers: { ...options.headers, ...again } } : options);
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        onWait?.(tries);
        const wait = error.after ?? WAITS[Math.min(tries, WAITS.length - 1)];
        await Promise.race([pause(wait, options.signal), backOnline(options.signal)]);
      }
    }
  }

  variants = () => this.ask("/v1/variants");
  bots = () => this.ask("/v1/bots");
  sheet = (name, lang) => this.ask(`/v1/variants/${encodeURIComponent(name)}?lang=${lang}`);
  rules = (game, lang, token) => this.ask(`${path(game)}/rules?lang=${lang}`, { token });
  games = (query) => this.ask(`/v1/games?${new URLSearchParams(query)}`);
  create = (body) => this.ask("/v1/games", { method: "POST", body });
  sit = (game, body, token, key = newKey()) =>
    this.insist(`${path(game)}/seats`, { method: "POST", body, token, key });
  leave = (game, seat, token) => this.ask(`${path(game)}/seats/${seat}`, { method: "DELETE", token });
  table = (game, token, at) => this.ask(`${path(game)}${at === undefined ? "" : `?at=${at}`}`, { token });
  moves = (game, token, signal) => this.ask(`${path(game)}/moves`, { token, signal });
  audit = (game) => this.ask(`${path(game)}/audit`);
  judge = (variant, body) =>
    this.ask(`/v1/variants/${encodeURIComponent(variant)}/judge`, { method: "POST", body });

  /**
   * Send a command; it is sent again under the same key until the service has answered.
   *
   * `version` is that of the table that it was meant for: when it is sent again, which may be hours later, it holds for
   * no other. `resumed` says that it was sent before.
   */
  command(game, body, token, { key = newKey(), version = null, resumed = false, onWait } = {}) {
    const again = version === null ? {} : { "If-Match": `"${version}"` };
    const headers = resumed ? again : {};
    return this.insist(`${path(game)}/commands`, { method: "POST", body, token, key, headers, again, onWait });
  }

  /** What a command would do. */
  tryOut = (game, body, token, signal) =>
    this.ask(`${path(game)}/commands?dry_run=true`, { method: "POST", body, token, signal });

  /** All commits after a version, as the caller may see them. */
  async commits(game, token, after = 0) {
    const found = [];
    for (let from = after; ; ) {
      const page = await this.ask(`${path(game)}/events?after=${from}&limit=1000`, { token });
      found.push(...page.items);
      if (page.next_cursor === null) return found;
      from = page.next_cursor;
    }
  }

  /** The whole log as text, one commit a line. */
  async log(game, token) {
    const headers = this.headers(token, { Accept: "application/x-ndjson" });
    const answer = await this.fetching(`${this.base}${path(game)}/events`, { headers });
    if (!answer.ok) throw await refusal(answer);
    return answer.text();
  }
}

export const path = (game) => `/v1/games/${encodeURIComponent(game)}`;

/** What an answer that is not fine means: a problem, or that it is worth to ask again. */
export async function refusal(answer) {
  const after = Number(answer.headers.get("Retry-After")) * 1000 || null;
  let about = {};
  try {
    about = await answer.json();
  } catch {
    // A proxy's page, say: the status tells enough.
  }
  const again = [429, 502, 503, 504].includes(answer.status) && about.code !== "plugin_unavailable";
  return again ? new Unreachable(about.detail ?? String(answer.status), after) : new Problem(about, answer.status);
}

/** Settles when the browser says that it is online again; never, where it does not say so. */
function backOnline(signal) {
  return new Promise((resolve) => addEventListener("online", () => resolve(), { once: true, signal }));
}

export const api = new Api();
