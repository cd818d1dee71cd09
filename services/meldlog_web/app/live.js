// One game as it happens: the table, version by version, what may be done now, and how well the service is heard.
//
// What is shown is always the table of one version. It is folded from the commits, and asked for where they tell less.

import { Problem, api as service, newKey } from "./api.js";
import { fold } from "./fold.js";
import { answered, keepPending, pendingAt } from "./pending.js";
import { giveUpSeat, placeAt } from "./places.js";
import { finishSitting } from "./setting_up.js";
import { Store } from "./store.js";
import { follow } from "./stream.js";

const REMEMBERED_COMMITS = 40;
// A reader who was away is not shown every move of an hour one by one.
const TOO_MANY_TO_SHOW = 24;

const START = {
  table: null,
  seat: null,
  moves: null,
  commits: [],
  latest: null,
  link: { state: "loading" },
  busy: false,
  waiting: false,
  refusal: null,
  lost: null,
  dealOver: null,
};

export class LiveGame {
  #queue = [];
  #pumping = false;
  #stopped = new AbortController();
  #streams = null;
  #asking = null;
  #goOn = null;

  /** `paceOf()` says how many milliseconds each move of another is to be seen. */
  constructor(game, { api = service, paceOf = () => 0, wait = defaultWait } = {}) {
    this.game = game;
    this.api = api;
    this.paceOf = paceOf;
    this.wait = wait;
    this.store = new Store({ ...START });
    this.token = null;
  }

  get state() {
    return this.store.value;
  }

  async start() {
    try {
      await this.#enter();
    } catch (error) {
      if (this.#stopped.signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      this.store.patch({ link: { state: "missing", problem: error } });
    }
  }

  stop() {
    this.#stopped.abort();
    this.#streams?.abort();
    this.#asking?.abort();
    this.#goOn?.();
  }

  /** Come to the table, with the seat's token if there is one that still opens something. */
  async #enter() {
    await finishSitting(this.game);
    const place = placeAt(this.game);
    this.token = place.seatToken ?? null;
    let table;
    try {
      table = await this.#ask((token) => this.api.insist(`/v1/games/${this.game}`, { token, ...this.#waits() }));
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "unauthenticated" || !this.token) throw error;
      // The page was loaded anew before it heard that the hand was given up.
      this.#loseSeat(pendingAt(this.game)?.command.type === "resign" ? "resigned" : "seat");
      table = await this.api.insist(`/v1/games/${this.game}`, { ...this.#waits() });
    }
    const commits = await this.#ask((token) =>
      this.api.commits(this.game, token, Math.max(0, table.version - REMEMBERED_COMMITS)));
    this.#queue = [];
    const seat = this.token ? seatOf(table, place) : null;
    const known = commits.filter((commit) => commit.version <= table.version);
    this.store.patch({ table, seat, commits: known, latest: null, moves: null, refusal: null });
    this.#follow(table.version);
    const pending = pendingAt(this.game);
    if (pending && !this.state.busy) void this.#deliver(pending, true);
    else void this.#askMoves();
  }

  #waits() {
    return {
      signal: this.#stopped.signal,
      onWait: () => this.store.patch({ link: { state: this.state.table ? "lost" : "loading", until: null } }),
    };
  }

  #ask(question) {
    return question(this.token);
  }

  #loseSeat(lost = "seat") {
    giveUpSeat(this.game);
    if (pendingAt(this.game)?.by === "seat") keepPending(this.game, null);
    this.token = null;
    this.store.patch({ lost, seat: null, moves: null });
  }

  /** The hand was given up: what its owner's token opened is asked for no more, and the table watched from now on. */
  async #resigned() {
    this.#loseSeat("resigned");
    await this.start();
  }

  #follow(after) {
    this.#streams?.abort();
    const streams = new AbortController();
    this.#streams = streams;
    void follow(this.api, this.game, {
      token: this.token,
      after,
      signal: AbortSignal.any([streams.signal, this.#stopped.signal]),
      onCommit: (commit) => {
        this.#queue.push(commit);
        void this.#pump();
      },
      onState: (link) => {
        if (link.state === "ended") void this.#ended(link.problem);
        else this.#linked(link);
      },
    });
  }

  #linked(link) {
    const cameBack = link.state === "live" && this.state.link.state === "lost";
    this.store.patch({ link });
    if (cameBack) void this.#askMoves();
  }

  /** The token opens nothing any more, or the log came back shorter than it was: look again from the start. */
  async #ended(problem) {
    if (problem.code === "unauthenticated" && this.token) this.#loseSeat();
    else if (problem.code !== "not_found" || problem.version === null) {
      this.store.patch({ link: { state: "missing", problem } });
      return;
    }
    await this.start();
  }

  async #pump() {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#queue.length && !this.#stopped.signal.aborted) {
        if (this.#queue.length > TOO_MANY_TO_SHOW || document.hidden) {
          await this.#skip();
        } else {
          await this.#show(this.#queue.shift());
        }
      }
    } finally {
      this.#pumping = false;
    }
    await this.#askMoves();
  }

  /** Go straight to the newest commit that has come. */
  async #skip() {
    const commits = this.#queue.splice(0);
    let { table } = this.state;
    for (const commit of commits) {
      if (commit.version <= table.version) continue;
      table = fold(table, commit) ?? (await this.#tableAt(commit.version));
    }
    this.#put(table, commits, null);
  }

  async #show(commit) {
    const before = this.state.table;
    if (commit.version <= before.version) return;
    const table = fold(before, commit) ?? (await this.#tableAt(commit.version));
    const own = this.state.seat !== null && commit.by === `seat:${this.state.seat}`;
    this.#put(table, [commit], commit);
    const pace = this.paceOf();
    if (pace && this.state.dealOver?.version === commit.version) await this.#untilRead();
    else if (pace && !own) await this.wait(this.#queue.length > 8 ? pace / 3 : pace);
  }

  #put(table, shown, latest) {
    const commits = [...this.state.commits, ...shown].slice(-REMEMBERED_COMMITS);
    const part = { table, commits, latest, moves: null };
    const scored = shown.findLast((commit) => commit.events.some((event) => event.type === "deal_scored"));
    if (scored) part.dealOver = dealOver(scored);
    if (this.token) part.seat = seatOf(table, placeAt(this.game));
    this.store.patch(part);
  }

  /** Stay at the end of a deal until its reader goes on. */
  #untilRead() {
    return new Promise((resolve) => {
      this.#goOn = () => {
        this.#goOn = null;
        resolve();
      };
      const seconds = this.state.table.turn_seconds;
      if (seconds) setTimeout(() => this.#goOn?.(), Math.min(8000, seconds * 300));
    });
  }

  /** The end of the deal has been read. */
  closeDeal() {
    this.store.patch({ dealOver: null });
    this.#goOn?.();
  }

  #tableAt(version) {
    return this.api.insist(`/v1/games/${this.game}?at=${version}`, { token: this.token, ...this.#waits() });
  }

  /** What may be done now, from the service itself; nothing while others' moves are still to be shown. */
  async #askMoves() {
    const { table, seat, moves } = this.state;
    if (!isTurn(table, seat) || this.#queue.length || this.#pumping || moves?.version === table.version) return;
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    try {
      const found = await this.api.insist(`/v1/games/${this.game}/moves`, {
        token: this.token,
        signal: AbortSignal.any([asking.signal, this.#stopped.signal]),
      });
      if (found.version === this.state.table.version) this.store.patch({ moves: found });
    } catch (error) {
      if (asking.signal.aborted || this.#stopped.signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      if (error.code !== "unauthenticated") this.store.patch({ refusal: error });
    }
  }

  /**
   * Send a command, again and again under one key until it is answered, also by the page that is loaded after this one;
   * whether it was accepted. `by` is whose command it is: the seat's or the host's.
   */
  async send(command, { by = "seat" } = {}) {
    if (this.state.busy) return false;
    const pending = { key: newKey(), version: this.state.table.version, command, by };
    keepPending(this.game, pending);
    return this.#deliver(pending, false);
  }

  async #deliver({ key, version, command, by }, resumed) {
    this.store.patch({ busy: true, waiting: resumed, refusal: null });
    const token = by === "host" ? placeAt(this.game).hostToken : this.token;
    const onWait = () => this.store.patch({ waiting: true });
    const resigns = command.type === "resign";
    // With the hand goes the token by which the table is heard.
    if (resigns) this.#streams?.abort();
    try {
      const answer = await this.api.command(this.game, command, token, { key, version, resumed, onWait });
      answered(this.game, key);
      if (resigns) await this.#resigned();
      else await this.#reached(answer.version);
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      answered(this.game, key);
      if (resigns && error.code === "unauthenticated") {
        await this.#resigned();
        return false;
      }
      if (resigns) this.#follow(this.state.table.version);
      this.store.patch({ refusal: error });
      return false;
    } finally {
      this.store.patch({ busy: false, waiting: false });
      void this.#askMoves();
    }
  }

  /** Wait until a version is shown. The stream brings it; where it does not, the table is asked for. */
  async #reached(version) {
    if (this.state.table.version >= version) return;
    const arrived = new Promise((resolve) => {
      const stop = this.store.listen(({ table }) => {
        if (table.version < version) return;
        stop();
        resolve();
      });
    });
    await Promise.race([arrived, this.wait(2000)]);
    if (this.state.table.version < version && this.state.link.state !== "live") {
      const table = await this.#tableAt(version);
      if (table.version > this.state.table.version) this.#put(table, [], null);
    }
  }

  dismissRefusal() {
    this.store.patch({ refusal: null });
  }

  refuse(problem) {
    this.store.patch({ refusal: problem });
  }

  /** After a seat was taken or given up here: come in anew. */
  async reenter() {
    this.store.patch({ lost: null });
    await this.start();
  }
}

const defaultWait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The own seat is the one whose hand is shown; before the first deal the one that was told. */
function seatOf(table, place) {
  const shown = table.seats.filter((seat) => seat.hand !== undefined);
  if (shown.length === 1) return shown[0].seat;
  return place.seat ?? null;
}

export const isTurn = (table, seat) =>
  table !== null && seat !== null && table.status === "playing" && table.deal?.turn === seat;

/** What the end of a deal said. */
export function dealOver(commit) {
  const find = (type) => commit.events.find((event) => event.type === type);
  const scored = find("deal_scored");
  const ended = find("deal_ended");
  return {
    version: commit.version,
    reason: ended?.reason ?? null,
    seat: ended?.seat ?? null,
    hands: scored.hands,
    points: scored.points,
    totals: scored.totals,
    multiplier: scored.multiplier ?? 1,
    penalties: commit.events.filter((event) => event.type === "penalty_added"),
    isLast: Boolean(find("game_ended")),
  };
}
