/**
 * Verify a Meldlog game log without Meldlog: no server, no plugins, no network, in a browser or in Node.
 *
 *     import { verify, reportText } from "./verifier.js";
 *     const report = verify(ndjson, head);       // text or bytes; `head` may be left out
 *
 *     node verifier.mjs log.ndjson [--head HASH] [--json]     exit status: 0 fine, 1 a fault, 2 wrong usage
 *
 * The log is NDJSON, one commit a line, as the service exports it: to the operator with every secret open, to a
 * player or a spectator with the others' secrets closed. Nothing is fetched and nothing is sent.
 *
 * This is the twin of meldlog_verify.py, whose `--json` is the same report, word for word: the same checks in the
 * same order under the same names. What each of them means is told there and in docs/verify.md. It is one file on
 * purpose: whoever does not trust us should be able to carry it away, read it and run it alone. It brings its own
 * SHA-256, because a page that was not loaded over HTTPS has none. In order: the report, SHA-256, canonical JSON,
 * sealed values, chance, the lines and their chain, the seeds, the cards on the table, the story told by the events,
 * the command line.
 */

/**
 * @typedef {"proved" | "not_provable" | "fault"} Verdict
 * @typedef {{name: string, verdict: Verdict, detail: string, version: number | null, event: number | null,
 *     event_type: string | null, count: number}} Check
 * @typedef {{ok: boolean, game_id: string | null, versions: number, head: string | null, anchor: number | null,
 *     opened: number, closed: number, first_fault: Check | null, checks: Check[]}} Report
 */

const CHECKS = [
  "contiguity", "canonical", "chain", "seals", "commitments", "shuffles", "conservation", "draws",
];
/** Whose logs this verifier follows: what it reads of a commit has the same names in all of them. */
const SCHEMAS = new Set([0, 1]);
const MAX_LINE = 8 * 2 ** 20;
const MAX_LOG = 256 * 2 ** 20;
const MAX_DEPTH = 32;
const MAX_PACK = 2 ** 16;
const SHOWN = 80;

// --------------------------------------------------------------------------------------------------- the report

/** The report for people. @param {Report} report @returns {string} */
export function reportText(report) {
  const open = `${report.opened} sealed values open`;
  const rows = [
    `game      ${report.game_id ? show(report.game_id) : "(no game id found)"}`,
    `versions  ${report.versions}`,
    `head      ${report.head ?? "-"}`,
    `export    ${open}${report.closed ? `, ${report.closed} closed` : ": nothing is kept from you"}`,
    "",
  ];
  for (const check of report.checks) {
    const where = placeOf(check);
    const verdict = check.verdict.replace("_", " ").padEnd(13);
    rows.push(`${verdict} ${check.name.padEnd(13)} ${check.detail}${where && ` [${where}]`}`);
  }
  const fault = report.first_fault;
  rows.push("", fault ? `FAULT in ${placeOf(fault)}: ${fault.name}: ${fault.detail}` : "No fault was found.");
  return rows.join("\n");
}

/** Where a finding lies, for people. @param {Check} check @returns {string} */
export function placeOf(check) {
  if (check.version === null) return "";
  const since = check.verdict === "fault" ? "" : "from ";
  const event = check.event === null ? "" : `, event ${check.event} (${check.event_type})`;
  return `${since}version ${check.version}${event}`;
}

/** Collects what is found; each kind of finding becomes one line of the report. */
class Findings {
  #notes = new Map();
  #faults = new Map();

  #note(name, verdict, detail, version, count) {
    const key = `${name} ${verdict} ${detail}`;
    const note = this.#notes.get(key);
    if (note) note.count += count;
    else this.#notes.set(key, { name, verdict, detail, version, count });
  }

  proved(name, detail, count = 1) {
    this.#note(name, "proved", detail, null, count);
  }

  notProvable(name, detail, version, count = 1) {
    this.#note(name, "not_provable", detail, version, count);
  }

  /** Of several faults of a kind in one version the first is told. */
  fault(name, detail, version, event = null) {
    if (!this.#faults.has(name)) this.#faults.set(name, new Map());
    const faults = this.#faults.get(name);
    if (!faults.has(version)) faults.set(version, { detail, event });
  }

  /** @returns {Check[]} */
  checks() {
    const rows = [];
    for (const name of CHECKS) {
      const before = rows.length;
      const faults = this.#faults.get(name);
      if (faults) {
        const version = [...faults.keys()].reduce((one, other) => Math.min(one, other));
        const { detail, event } = faults.get(version);
        const later = faults.size > 1 ? `; ${faults.size - 1} later versions fail too` : "";
        const [index, type] = event ? [event.index, event.type] : [null, null];
        rows.push(row(name, "fault", detail + later, version, index, type, faults.size));
      }
      const notes = [...this.#notes.values()].filter((note) => note.name === name);
      for (const verdict of ["proved", "not_provable"]) {
        for (const { detail, version, count } of notes.filter((note) => note.verdict === verdict)) {
          const counted = count > 1 ? `${detail} (${count})` : detail;
          rows.push(row(name, verdict, counted, version, null, null, count));
        }
      }
      if (rows.length === before) {
        const why = "nothing in this log calls for this check";
        rows.push(row(name, "not_provable", why, null, null, null, 0));
      }
    }
    return rows;
  }
}

function row(name, verdict, detail, version, event, event_type, count) {
  return { name, verdict, detail, version, event, event_type, count };
}

/** Something in an event that cannot be; `name` is the check it fails. */
class Misfit extends Error {
  constructor(name, detail, event = null) {
    super(detail);
    this.name = name;
    this.event = event;
  }
}

/** Foreign data made safe and short enough for a report. */
function show(value) {
  if (typeof value === "object" && value !== null) {
    return `an object or list of ${Object.keys(value).length}`;
  }
  let text = value;
  if (typeof value !== "string" || !/^[ -~]*$/.test(value)) {
    text = JSON.stringify(value).replace(
      /[\x7f-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  }
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 3)}...`;
}

// ------------------------------------------------------------------------------------------------------ SHA-256

const ENCODER = new TextEncoder();
// Fractions of the square and cube roots of the first primes, as FIPS 180-4 has them.
const PRIMES = [];
for (let number = 2; PRIMES.length < 64; number += 1) {
  if (PRIMES.every((prime) => number % prime)) PRIMES.push(number);
}
const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const ROUND = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const SCHEDULE = new Int32Array(64);

/** SHA-256 of bytes, as bytes. @param {Uint8Array} data @returns {Uint8Array} */
function sha256Bytes(data) {
  const padded = new Uint8Array(((data.length + 72) >> 6) << 6);
  padded.set(data);
  padded[data.length] = 0x80;
  const words = new DataView(padded.buffer);
  words.setUint32(padded.length - 8, Math.floor(data.length / 2 ** 29));
  words.setUint32(padded.length - 4, data.length << 3);
  const state = START.slice();
  for (let at = 0; at < padded.length; at += 64) compress(state, words, at);
  const digest = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 8; i += 1) digest.setInt32(4 * i, state[i]);
  return new Uint8Array(digest.buffer);
}

function compress(state, words, at) {
  const schedule = SCHEDULE;
  for (let i = 0; i < 16; i += 1) schedule[i] = words.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const two = schedule[i - 2];
    const fifteen = schedule[i - 15];
    const s1 = ((two >>> 17) | (two << 15)) ^ ((two >>> 19) | (two << 13)) ^ (two >>> 10);
    const s0 = ((fifteen >>> 7) | (fifteen << 25)) ^ ((fifteen >>> 18) | (fifteen << 14)) ^ (fifteen >>> 3);
    schedule[i] = (schedule[i - 16] + s0 + schedule[i - 7] + s1) | 0;
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let i = 0; i < 64; i += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[i] + schedule[i]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

/** HMAC-SHA256 of a text. */
function hmac(key, text) {
  const pad = (byte, rest) => {
    const block = new Uint8Array(64 + rest.length).fill(byte, 0, 64);
    key.forEach((part, index) => {
      block[index] ^= part;
    });
    block.set(rest, 64);
    return sha256Bytes(block);
  };
  return pad(0x5c, pad(0x36, ENCODER.encode(text)));
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function toHex(bytes) {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** SHA-256 in hex, of bytes or of a text's UTF-8. @param {Uint8Array | string} data @returns {string} */
export function sha256(data) {
  return toHex(sha256Bytes(typeof data === "string" ? ENCODER.encode(data) : data));
}

// ----------------------------------------------------------------------------------------------- canonical JSON

/** A line that is not canonical JSON; the message says why. */
class Unreadable extends Error {}

const LONE_SURROGATE = /\p{Surrogate}/u;
const HALVES = /[\ud800-\uffff]/;
const has = Object.hasOwn;
const isList = Array.isArray;
const isObject = (value) => typeof value === "object" && value !== null && !isList(value);
const isInteger = (value) => typeof value === "number";
const isText = (value) => typeof value === "string";

/**
 * Write JSON in the one form that hashes and seals are made from (RFC 8785, restricted): keys by code point, whole
 * numbers only.
 *
 * @param {unknown} value
 * @param {boolean} closed Leave the secrets of sealed values out: the public form, which the chain covers.
 * @returns {string}
 */
export function canonical(value, closed = false) {
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (isList(value)) return `[${value.map((item) => canonical(item, closed)).join(",")}]`;
  if (closed && has(value, "seal")) {
    return `{"count":${canonical(value.count)},"seal":${canonical(value.seal)}}`;
  }
  return `{${sortedKeys(value).map((key) => `${quoted(key)}:${canonical(value[key], closed)}`).join(",")}}`;
}

function sortedKeys(node) {
  const keys = Object.keys(node).sort();
  // JavaScript compares halves of characters; that differs only where there are such halves.
  return keys.some((key) => HALVES.test(key)) ? keys.sort(byCodePoint) : keys;
}

function byCodePoint(one, other) {
  const [left, right] = [Array.from(one), Array.from(other)];
  const at = left.findIndex((character, index) => character !== right[index]);
  if (at < 0) return left.length - right.length;
  return at < right.length ? left[at].codePointAt(0) - right[at].codePointAt(0) : 1;
}

function quoted(text) {
  const written = JSON.stringify(text);
  if (written.length === text.length + 2 || !LONE_SURROGATE.test(text)) return written;
  const parts = Array.from(text, (one) => (LONE_SURROGATE.test(one) ? one : JSON.stringify(one).slice(1, -1)));
  return `"${parts.join("")}"`;
}

/** Read one commit and insist on its canonical form: written again, it must be the same text. */
function readLine(text) {
  if (text === null || LONE_SURROGATE.test(text)) throw new Unreadable("is not UTF-8");
  checkDepth(text);
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  // What JSON.parse reads must still be looked at number by number, unless it can only be whole numbers.
  if (value === undefined || !onlyWholeNumbers(value) || canonical(value) !== text) {
    throw new Unreadable(whatIsNotCanonical(text));
  }
  if (!isObject(value)) throw new Unreadable("is not a JSON object");
  return value;
}

function checkDepth(text) {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) inText = !inText;
    else if (inText) {
      if (unit === 0x5c) at += 1;
    } else if (unit === 0x7b || unit === 0x5b) {
      depth += 1;
      if (depth > MAX_DEPTH) throw new Unreadable("is nested too deeply");
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1;
  }
}

function onlyWholeNumbers(value) {
  if (typeof value === "number") return Number.isSafeInteger(value);
  return typeof value !== "object" || value === null || Object.values(value).every(onlyWholeNumbers);
}

/** Say why a line is not JSON, or not in canonical form. */
function whatIsNotCanonical(text) {
  const reader = new Reader(text);
  const rewritten = canonical(reader.document());
  if (reader.doubledKey !== null) return `has the key ${show(reader.doubledKey)} twice in one object`;
  if (LONE_SURROGATE.test(rewritten)) return "holds half a character (a lone surrogate)";
  if (text.endsWith("\r")) {
    return "ends in a carriage return: a program that rewrites line ends has touched this file";
  }
  const [was, is] = [Array.from(text), Array.from(rewritten)];
  const differs = was.findIndex((character, index) => character !== is[index]);
  const at = differs < 0 ? was.length : Math.min(differs, is.length);
  const part = (characters) => show(characters.slice(at, at + 20).join(""));
  return (
    `is not canonical JSON: at character ${at + 1} it has '${part(was)}', ` +
    `where canonical JSON has '${part(is)}'`
  );
}

/** Reads JSON that JSON.parse refuses, or reads too kindly, as far as the first thing that is wrong with it. */
class Reader {
  #text;
  #at = 0;
  /** The first key that an object has twice. */
  doubledKey = null;

  constructor(text) {
    this.#text = text;
  }

  document() {
    this.#skipSpace();
    const value = this.#value();
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#fail();
    return value;
  }

  #fail() {
    throw new Unreadable("is not JSON");
  }

  #match(pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at = pattern.lastIndex;
    return found?.[0] ?? null;
  }

  #skipSpace() {
    this.#match(/[ \t\n\r]*/y);
  }

  #takes(character) {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #value() {
    if (this.#takes("{")) return this.#object();
    if (this.#takes("[")) return this.#list();
    if (this.#text[this.#at] === '"') return this.#string();
    const word = this.#match(/true|false|null/y);
    if (word) return JSON.parse(word);
    const number = this.#match(/-?Infinity|NaN|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y);
    return number === null ? this.#fail() : this.#number(number);
  }

  #number(text) {
    if (!/^-?[0-9]+$/.test(text)) {
      throw new Unreadable(`holds the number ${show(text)}; a log holds whole numbers only`);
    }
    if (!Number.isSafeInteger(Number(text))) {
      throw new Unreadable(`holds the number ${show(text)}, too large to be read alike by every reader`);
    }
    return Number(text);
  }

  #string() {
    const start = this.#at;
    this.#at += 1;
    // Piece by piece: a text of some megabytes is too much for one regular expression.
    while (this.#match(/[^"\\\x00-\x1f]+/y) ?? this.#match(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y));
    return this.#takes('"') ? JSON.parse(this.#text.slice(start, this.#at)) : this.#fail();
  }

  #list() {
    const items = [];
    this.#skipSpace();
    if (this.#takes("]")) return items;
    for (;;) {
      items.push(this.#value());
      this.#skipSpace();
      if (this.#takes("]")) return items;
      if (!this.#takes(",")) this.#fail();
      this.#skipSpace();
    }
  }

  #object() {
    const node = Object.create(null);
    const doubled = new Set();
    const order = new Map();
    this.#skipSpace();
    if (this.#takes("}")) return node;
    for (;;) {
      if (this.#text[this.#at] !== '"') this.#fail();
      const key = this.#string();
      if (order.has(key)) doubled.add(key);
      else order.set(key, order.size);
      this.#skipSpace();
      if (!this.#takes(":")) this.#fail();
      this.#skipSpace();
      node[key] = this.#value();
      this.#skipSpace();
      if (this.#takes("}")) break;
      if (!this.#takes(",")) this.#fail();
      this.#skipSpace();
    }
    const [first] = [...doubled].sort((one, other) => order.get(one) - order.get(other));
    if (first !== undefined) this.doubledKey ??= first;
    return node;
  }
}

// ------------------------------------------------------------------------------------------------ sealed values

/** The seal on a value. */
function sealOf(salt, value) {
  return sha256(canonical({ salt, value }));
}

/** Read a sealed value, which has exactly two or four members; `salt` is null where it is closed. */
function readSealed(node, path) {
  const members = sortedKeys(node).join(" ");
  const { count, seal } = node;
  if (members !== "count seal" && members !== "count salt seal value") {
    throw new Misfit("seals", `the sealed value ${show(path)} has the members ${show(members)}`);
  }
  if (!isInteger(count) || count < 0 || !isText(seal)) {
    throw new Misfit("seals", `the sealed value ${show(path)} has no count of cards, or no seal`);
  }
  if (!has(node, "salt")) return { count, seal, salt: null, value: null };
  const { salt, value } = node;
  if (!isText(salt) || !(isList(value) ? value : [value]).every(isText)) {
    throw new Misfit("seals", `the sealed value ${show(path)} or its salt is not made of text`);
  }
  return { count, seal, salt, value };
}

/** Gather the sealed values of part of an event by their path in it, as in `hands.0`. */
function findSealed(node, path, found) {
  if (typeof node !== "object" || node === null) return;
  if (isList(node)) {
    node.forEach((item, index) => findSealed(item, `${path}.${index}`, found));
  } else if (has(node, "seal")) {
    if (found.has(path)) throw new Misfit("seals", `two sealed values go by the name ${show(path)}`);
    found.set(path, readSealed(node, path));
  } else {
    const start = path ? `${path}.` : "";
    for (const key of sortedKeys(node)) findSealed(node[key], start + key, found);
  }
}

// ------------------------------------------------------------------------------------------------------- chance

const UNSEEN = "??";
const JOKER = "JK";
const PLAIN_PACK = [..."CDHS"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));
const CARDS = new Set([...PLAIN_PACK, JOKER]);

/** Put cards in the order that a seed gives: by SHA-256 of the seed and each card's position. */
function shuffle(seed, cards) {
  const block = new Uint8Array(seed.length + 2);
  block.set(seed);
  const keyed = cards.map((card, at) => {
    block[seed.length] = at >> 8;
    block[seed.length + 1] = at & 0xff;
    return { card, key: sha256(block) };
  });
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ card }) => card);
}

/** The order before the shuffle: pack by pack, suit by suit, ace to king, then the jokers. */
function standardOrder(pack) {
  const packs = Math.max(...PLAIN_PACK.map((card) => pack.of(card)));
  const cards = [];
  for (let copy = 0; copy < packs; copy += 1) {
    cards.push(...PLAIN_PACK.filter((card) => pack.of(card) > copy));
  }
  return cards.concat(Array(pack.of(JOKER)).fill(JOKER));
}

/** Deal from the front: a card to each seat at a time, from the seat after the dealer round to the dealer. */
function dealOut(deck, sizes, dealer, step) {
  let seats = sizes.map((_, turn) => modulo(dealer + step * (turn + 1), sizes.length));
  const hands = sizes.map(() => []);
  let next = 0;
  for (;;) {
    seats = seats.filter((seat) => hands[seat].length < sizes[seat]);
    if (!seats.length) break;
    for (const seat of seats) {
      hands[seat].push(deck[next]);
      next += 1;
    }
  }
  return [hands, deck.slice(next)];
}

const modulo = (number, size) => ((number % size) + size) % size;

// ------------------------------------------------------------------------------------ the lines and their chain

/** One event where it stands in the log; its methods read a field, or throw a Misfit. */
class Event {
  constructor(version, index, fields) {
    this.version = version;
    this.index = index;
    this.fields = fields;
    this.sealed = new Map();
  }

  /** A field; null where there is none. */
  field(name) {
    return has(this.fields, name) ? this.fields[name] : null;
  }

  get type() {
    const tag = this.field("type");
    return EVENTS.has(tag) ? tag : show(tag);
  }

  misfit(name, wanted) {
    throw new Misfit("contiguity", `${this.type}.${name} is ${show(this.field(name))}, not ${wanted}`, this);
  }

  number(name) {
    const value = this.field(name);
    return isInteger(value) && value >= 0 ? value : this.misfit(name, "a number");
  }

  text(name) {
    const value = this.field(name);
    return isText(value) ? value : this.misfit(name, "a text");
  }

  items(name) {
    const value = this.field(name);
    return isList(value) ? value : this.misfit(name, "a list");
  }

  card(name) {
    return cardsIn([this.field(name)], `${this.type}.${name}`)[0];
  }

  cards(name) {
    return cardsIn(this.items(name), `${this.type}.${name}`);
  }

  secret(name) {
    const sealed = this.sealed.get(name);
    if (!sealed) throw new Misfit("seals", `${this.type}.${name} should be a sealed value and is none`);
    return sealed;
  }

  /** Cards of a sealed value: those it holds where it is open, else as many unseen ones as it counts. */
  secretCards(name) {
    const { count, salt, value } = this.secret(name);
    if (count > MAX_PACK) throw new Misfit("conservation", `${this.type}.${name} counts ${count} cards`);
    if (salt === null) return Array(count).fill(UNSEEN);
    const held = isList(value) ? value : [value];
    if (held.length !== count) {
      throw new Misfit("seals", `${this.type}.${name} counts ${count} cards and holds ${held.length}`);
    }
    return cardsIn(held, `${this.type}.${name}`);
  }
}

function cardsIn(values, where) {
  const wrong = values.findIndex((value) => !CARDS.has(value));
  if (wrong >= 0) {
    throw new Misfit("conservation", `${where} holds something that is not a card: ${show(values[wrong])}`);
  }
  return [...values];
}

const COMMIT_MEMBERS = ["at", "by", "command", "command_id", "events", "hash", "prev", "schema", "version"];
const OLDER = "this verifier is older than the log";

/** Lines of a log as {text, size}: `text` is null where it is not UTF-8, `size` counts bytes and the line feed. */
function* linesOf(input) {
  const bytes = isText(input) ? null : new Uint8Array(input.buffer ?? input, input.byteOffset, input.byteLength);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const source = bytes ?? input;
  const end = bytes ? 0x0a : "\n";
  for (let start = 0; start < source.length; ) {
    const found = source.indexOf(end, start);
    const stop = found < 0 ? source.length : found;
    const next = found < 0 ? stop : stop + 1;
    let text = null;
    let size = next - start;
    if (bytes) {
      try {
        text = decoder.decode(bytes.subarray(start, stop));
      } catch {
        text = null;
      }
    } else {
      text = input.slice(start, stop);
      size = ENCODER.encode(text).length + next - stop;
    }
    yield { text, size };
    start = next;
  }
}

/** Read every line by itself, then check its link to the line before. */
function readLog(lines, findings) {
  const log = { gameId: null, hashes: [], events: [], brokenAt: null };
  const breaks = (version) => {
    log.hashes.push(null);
    log.brokenAt ??= version;
  };
  let total = 0;
  let version = 0;
  let allowed = [];
  for (const { text, size } of lines) {
    version += 1;
    total += size;
    if (size > MAX_LINE + 1 || total > MAX_LOG) {
      breaks(version);
      const detail = "the line, or the log, is too long to be a game; nothing after it was read";
      findings.fault("canonical", detail, version);
      break;
    }
    try {
      const commit = readLine(text);
      const events = readEvents(commit, version);
      checkContiguity(commit, version, events);
      const gameId = followGame(log, events);
      findings.proved("canonical", "every line is canonical JSON");
      findings.proved("contiguity", "versions follow one another without a gap and hold known events");
      const own = sha256(publicForm(commit));
      checkLinks(commit, version, own, version > 1 ? allowed : [sha256(gameId)], findings);
      log.gameId = gameId;
      log.hashes.push(own);
      for (const event of events) log.events.push(event);
      // A changed `hash` is this line's own fault: the next line may point to it or to the right one.
      allowed = [own, commit.hash].filter(isText);
    } catch (why) {
      if (why instanceof Unreadable) findings.fault("canonical", `the line ${why.message}`, version);
      else if (why instanceof Misfit) findings.fault(why.name, why.message, version, why.event);
      else throw why;
      breaks(version);
      allowed = [];
    }
  }
  return log;
}

/** What the hash of a commit is made from: every secret closed, and the hash itself left out. */
function publicForm(commit) {
  const keys = sortedKeys(commit).filter((key) => key !== "hash");
  return `{${keys.map((key) => `${quoted(key)}:${canonical(commit[key], key === "events")}`).join(",")}}`;
}

/** Compare a line's hash with its content first, then its link: so the line that was changed is named. */
function checkLinks(commit, version, own, allowed, findings) {
  if (commit.hash !== own) {
    findings.fault("chain", `the hash of version ${version} is not that of its content`, version);
  } else if (allowed.length && !allowed.includes(commit.prev)) {
    const before = version > 1 ? `the hash of version ${version - 1}` : "the hash of the game id";
    findings.fault("chain", `prev of version ${version} is not ${before}`, version);
  } else {
    findings.proved("chain", "every commit carries the hash of its content and of the commit before");
  }
}

function readEvents(commit, version) {
  const listed = has(commit, "events") ? commit.events : null;
  if (!isList(listed)) throw new Misfit("contiguity", "the commit has no list of events");
  return listed.map((fields, index) => {
    if (!isObject(fields)) throw new Misfit("contiguity", `event ${index} is not an object`);
    const event = new Event(version, index, fields);
    try {
      findSealed(fields, "", event.sealed);
    } catch (why) {
      if (why instanceof Misfit) why.event = event;
      throw why;
    }
    return event;
  });
}

/** Insist on the version that comes next, on the schema, and on events that this verifier knows. */
function checkContiguity(commit, version, events) {
  const missing = COMMIT_MEMBERS.filter((member) => !has(commit, member));
  if (missing.length) throw new Misfit("contiguity", `the commit has no ${missing.join(", ")}`);
  if (commit.version !== version) {
    throw new Misfit("contiguity", `here should be version ${version}, not ${show(commit.version)}`);
  }
  const schema = commit.schema;
  if (typeof schema !== "number" || schema < 0) {
    throw new Misfit("contiguity", `the schema is ${show(schema)}, not a number that a schema has`);
  }
  if (!SCHEMAS.has(schema)) throw new Misfit("contiguity", `schema ${schema} is unknown: ${OLDER}`);
  for (const event of events) {
    const kind = event.field("type");
    if (!EVENTS.has(kind)) throw new Misfit("contiguity", `the event ${show(kind)} is unknown: ${OLDER}`, event);
    if ((kind === "game_created") !== (version === 1 && event.index === 0)) {
      const detail = "a game is created by the first event of version 1, and only there";
      throw new Misfit("contiguity", detail, event);
    }
  }
  if (version === 1 && !events.length) throw new Misfit("contiguity", "version 1 creates no game");
}

/** The game's id after these events; a fork must name the game, version and hash that it goes on from. */
function followGame(log, events) {
  let gameId = log.gameId ?? "";
  for (const event of events) {
    if (event.type === "game_created") gameId = event.text("game_id");
    else if (event.type === "game_forked") {
      const past = [gameId, event.version - 1, log.hashes.at(-1) ?? null];
      if (!["from", "version", "head"].every((name, index) => event.field(name) === past[index])) {
        throw new Misfit("chain", "the fork does not go on from the commit before it", event);
      }
      gameId = event.text("game_id");
    }
  }
  return gameId;
}

/** Compare the end with a hash that was kept elsewhere; returns the version that has this hash, or null. */
function checkHead(log, head, findings) {
  const last = log.hashes.length;
  if (head === null) {
    const why = "nobody can tell whether commits are missing at the end; a head kept elsewhere, if given, would";
    findings.notProvable("chain", why, last + 1);
    return null;
  }
  const asked = head.toLowerCase();
  if (last && log.hashes[last - 1] === asked) {
    findings.proved("chain", "the head you gave is the hash of the last commit: nothing is missing");
    return last;
  }
  const kept = log.hashes.indexOf(asked) + 1;
  if (kept) {
    const why = `up to version ${kept}, whose hash you gave, this is the log you knew; commits came after it`;
    findings.notProvable("chain", why, kept + 1, last - kept);
    return kept;
  }
  const detail = `no commit has the hash you gave: the end is missing after version ${last}, or was rewritten`;
  findings.fault("chain", detail, Math.max(last, 1));
  return null;
}

// ---------------------------------------------------------------------------------------------------- the seeds

function seedBytes(value) {
  if (!isText(value) || !/^[0-9a-f]{64}$/.test(value)) return null;
  return Uint8Array.from(value.match(/../g), (pair) => Number.parseInt(pair, 16));
}

/** Every seed that this export opens or reveals, each compared with the commitment made to it before. */
class Seeds {
  /** The commits from `version` on that go by one game seed: a fork begins new ones. */
  eras = [];
  /** Seeds of deals that were revealed one by one, by the version of their `deal_started`. */
  deals = new Map();

  gameSeed(version) {
    return this.eras.findLast((era) => era.version <= version)?.seed ?? null;
  }
}

/** Gather the seeds. One that breaks its commitment is a fault where it is revealed, and is not used. */
function learnSeeds(events, findings) {
  const seeds = new Seeds();
  const deals = new Map();
  for (const event of events) {
    try {
      if (event.type === "game_created" || event.type === "game_forked") beginEra(event, seeds, findings);
      else if (event.type === "deal_started") deals.set(event.number("number"), event);
      else if (event.type === "seeds_revealed") reveal(event, seeds, deals);
    } catch (why) {
      if (!(why instanceof Misfit)) throw why;
      findings.fault(why.name, why.message, event.version, event);
    }
  }
  for (const era of seeds.eras) {
    if (era.seed) findings.proved("commitments", "the game seed is the one committed to at the start");
    else findings.notProvable("commitments", "the game seed is not revealed in this export", era.version);
  }
  return seeds;
}

function beginEra(event, seeds, findings) {
  const era = { version: event.version, commitment: event.text("commitment"), seed: null };
  seeds.eras.push(era);
  const sealed = event.secret("game_seed");
  if (sealed.salt === null) return;
  const seed = seedBytes(sealed.value);
  if (seed && sha256(seed) === era.commitment) era.seed = seed;
  else {
    const detail = `the commitment of ${event.type} is not to its game seed`;
    findings.fault("commitments", detail, event.version, event);
  }
}

function reveal(event, seeds, deals) {
  if (event.field("game_seed") !== null) {
    const seed = seedBytes(event.field("game_seed"));
    const era = seed && seeds.eras.find(({ commitment }) => sha256(seed) === commitment);
    if (!era) {
      const detail = "the game seed revealed here is not the one committed to before";
      throw new Misfit("commitments", detail);
    }
    era.seed = seed;
  }
  if (event.field("deal_seed") !== null) {
    const seed = seedBytes(event.field("deal_seed"));
    const number = event.number("deal");
    const deal = deals.get(number);
    if (!seed || !deal || sha256(seed) !== deal.field("commitment")) {
      throw new Misfit("commitments", `the seed revealed here is not the one of deal ${number}`);
    }
    seeds.deals.set(deal.version, seed);
  }
}

// ------------------------------------------------------------------------------------------- cards on the table

/** How many there are of each card. */
class Counter {
  #counts = new Map();

  constructor(cards = []) {
    this.add(cards);
  }

  of(card) {
    return this.#counts.get(card) ?? 0;
  }

  add(cards, times = 1) {
    for (const card of cards) this.#counts.set(card, this.of(card) + times);
  }

  get total() {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }
}

function sameCards(one, other) {
  return one.length === other.length && [...one].sort().join() === [...other].sort().join();
}

/** Where every card of the packs is: in the stock, the discard pile, a hand or a meld. Unseen: `??`. */
class Table {
  constructor(pack, hands, stock, pile) {
    /** Composition of the packs; null where this export does not tell it. */
    this.pack = pack;
    this.hands = hands.map((hand) => new Counter(hand));
    this.stock = stock;
    this.nextInStock = 0;
    /** Bottom first. */
    this.pile = pile;
    this.melds = new Map();
    /** Cards whose place is known; the others are the unseen ones. */
    this.seen = new Counter();
    for (const card of [...hands.flat(), ...stock, ...pile]) if (card !== UNSEEN) this.see(card);
  }

  /** An unseen card turns out to be this one: there must be a copy that does not lie elsewhere. */
  see(card) {
    this.seen.add([card]);
    if (this.pack && this.seen.of(card) > this.pack.of(card)) {
      const places = `${card} is in ${this.seen.of(card)} places at once`;
      throw new Misfit("conservation", `${places}; the packs hold ${this.pack.of(card)}`);
    }
  }

  hand(seat) {
    if (seat >= this.hands.length) throw new Misfit("conservation", `there is no seat ${seat} in this deal`);
    return this.hands[seat];
  }

  /** Cards leave a hand: each must be known to be there, or be an unseen one of that hand. */
  play(seat, cards) {
    const hand = this.hand(seat);
    for (const card of cards) {
      if (hand.of(card) > 0) hand.add([card], -1);
      else if (hand.of(UNSEEN) > 0) {
        hand.add([UNSEEN], -1);
        this.see(card);
      } else throw new Misfit("conservation", `seat ${seat} plays ${card} without holding it`);
    }
  }

  meld(number) {
    if (!this.melds.has(number)) {
      throw new Misfit("conservation", `there is no meld ${number} on the table`);
    }
    return this.melds.get(number);
  }

  /** The front card of the stock; undefined when there is none. */
  draw() {
    this.nextInStock += 1;
    return this.stock[this.nextInStock - 1];
  }

  get stockIsEmpty() {
    return this.nextInStock >= this.stock.length;
  }

  /** The top cards of the discard pile leave it. */
  liftDiscards(cards) {
    const top = this.pile.length - cards.length;
    if (top < 0 || !sameCards(this.pile.slice(top), cards)) {
      throw new Misfit("conservation", `${show(cards.join(" "))} do not lie on top of the discard pile`);
    }
    this.pile.length = top;
  }
}

// --------------------------------------------------------------------------------- the story told by the events

/** A fault was found earlier in this deal, so nobody can say where its cards are. */
class Lost extends Error {}

/**
 * Follows a game event by event and compares what is told with what the seeds and the cards allow. What follows an
 * event returns what its secrets must hold, by their path, as far as the seeds tell it.
 */
class Story {
  #findings;
  #seeds;
  #entropies = [];
  #houseRules = {};
  #deal = 0;
  #table = null;
  #lost = false;

  constructor(findings, seeds) {
    this.#findings = findings;
    this.#seeds = seeds;
  }

  /** Take up one event, then check the seals on its secrets. */
  tell(event) {
    let recomputed = null;
    try {
      recomputed = EVENTS.get(event.type)?.call(this, event) ?? null;
    } catch (why) {
      if (why instanceof Misfit) {
        this.#findings.fault(why.name, why.message, event.version, event);
        this.#lost = true;
      } else if (why instanceof Lost) {
        const reason = "cards were not followed to the end of the deal, because of the fault before";
        this.#findings.notProvable("conservation", reason, event.version);
      } else throw why;
    }
    for (const [path, sealed] of event.sealed) {
      this.#checkSeal(event, path, sealed, recomputed?.get(path) ?? null);
    }
  }

  /** Check an opened value against its seal; recompute a closed one where the seeds allow. */
  #checkSeal(event, path, sealed, recomputed) {
    const findings = this.#findings;
    const { version } = event;
    const what = `${event.type}.${show(path)}`;
    const seed = this.#seeds.gameSeed(version);
    const salt = seed && toHex(hmac(seed, `salt:${version}:${event.index}:${path}`)).slice(0, 32);
    if (sealed.salt !== null) {
      if (sealOf(sealed.salt, sealed.value) !== sealed.seal) {
        findings.fault("seals", `the opened ${what} is not what was sealed`, version, event);
      } else if (salt !== null && salt !== sealed.salt) {
        findings.fault("seals", `the salt of ${what} does not follow from the game seed`, version, event);
      } else findings.proved("seals", "every opened value is what was sealed");
    } else if (salt === null || recomputed === null) {
      findings.notProvable("seals", "values closed in this export that cannot be recomputed", version);
    } else if (sealOf(salt, recomputed) === sealed.seal) {
      findings.proved("seals", "closed values, recomputed from the seeds, are what was sealed");
    } else findings.fault("seals", `the sealed ${what} is not what the seeds give`, version, event);
  }

  // -- before the cards are dealt

  gameCreated(event) {
    const seats = event.field("seats");
    const houseRules = event.field("house_rules");
    const count = isList(seats) ? seats.length : event.number("seats");
    if (count > MAX_PACK) event.misfit("seats", "a number of seats");
    this.#entropies = Array(count).fill("");
    if (!isObject(houseRules)) event.misfit("house_rules", "an object");
    this.#houseRules = houseRules;
    return this.beginEra(event);
  }

  /** A game, or a fork of one, seals a seed of its own. */
  beginEra(event) {
    const seed = this.#seeds.gameSeed(event.version);
    return seed && new Map([["game_seed", toHex(seed)]]);
  }

  /** A seat may add public text of its own to every later shuffle. */
  seatTaken(event) {
    const entropy = event.field("entropy") === null ? "" : event.text("entropy");
    this.#entropies[this.#seat(event)] = entropy;
  }

  /** A seat is empty again, or gone: then those after it move down by one. */
  seatLeft(event) {
    const seat = this.#seat(event);
    if (event.field("removed") === true) this.#entropies.splice(seat, 1);
    else this.#entropies[seat] = "";
  }

  #seat(event) {
    const seat = event.number("seat");
    return seat < this.#entropies.length ? seat : event.misfit("seat", "a seat of this game");
  }

  /** The seed for `deal:1`, `renew:1:1`, `dealer:1`: every seat's text goes into it. */
  #seedFor(version, purpose) {
    const seed = this.#seeds.gameSeed(version);
    return seed && hmac(seed, `${purpose}:${this.#entropies.join("|")}`);
  }

  /** The draw for the first dealer: a plain pack for each round, or one for all of them. */
  gameStarted(event) {
    const rounds = event.items("draws").map((drawn) => {
      if (!isList(drawn)) event.misfit("draws", "a list of rounds");
      const cards = drawn.map((turned) => (isObject(turned) && has(turned, "card") ? turned.card : null));
      return cardsIn(cards, "game_started.draws");
    });
    const decks = [];
    for (let number = 1; number <= rounds.length; number += 1) {
      const seed = this.#seedFor(event.version, `dealer:${number}`);
      if (seed === null) {
        const why = "the seed of the draw for the first dealer is not revealed in this export";
        this.#findings.notProvable("shuffles", why, event.version, rounds.length);
        return;
      }
      decks.push(shuffle(seed, PLAIN_PACK));
    }
    const begins = (deck, cards) => deck.slice(0, cards.length).join() === cards.join();
    const fresh = rounds.every((cards, index) => begins(decks[index], cards));
    if (!fresh && !begins(decks[0], rounds.flat())) {
      throw new Misfit("shuffles", "the draw for the first dealer is not the one that the game seed gives");
    }
    this.#findings.proved("shuffles", "the draw for the first dealer follows from the game seed", rounds.length);
  }

  // -- the deal

  /** The order of all cards follows from the deal's seed; the seed was committed to before. */
  dealStarted(event) {
    this.#table = null; // cards of an earlier deal are of no concern any more
    this.#lost = false;
    this.#deal = event.number("number");
    const dealer = event.number("dealer");
    const paths = event.items("hands").map((_, seat) => `hands.${seat}`);
    const count = [...paths, "stock"].reduce((sum, path) => sum + event.secret(path).count, 0);
    if (count >= MAX_PACK) throw new Misfit("conservation", "there are more cards than a shuffle can number");
    let hands = paths.map((path) => event.secretCards(path));
    let stock = event.secretCards("stock");
    let upcard = event.field("upcard") === null ? [] : [event.card("upcard")];
    if (dealer >= hands.length) event.misfit("dealer", `one of ${hands.length} seats`);
    const told = [...hands.flat(), ...upcard, ...stock];
    const pack = this.#composition(told);
    const seed = this.#committedSeed(event, `deal:${this.#deal}`);
    let recomputed = null;
    if (seed && pack) {
      const sizes = hands.map((hand) => hand.length);
      const [dealt, left] = dealOut(shuffle(seed, standardOrder(pack)), sizes, dealer, this.#step());
      hands = dealt;
      stock = left.slice(upcard.length);
      this.#compareOrder(event, told, [...hands.flat(), ...left], seed);
      upcard = left.slice(0, upcard.length);
      recomputed = new Map(paths.map((path, seat) => [path, hands[seat]])).set("stock", [...stock]);
    } else if (seed) {
      const why = "the packs are not told in this export: the shuffle cannot be redone";
      this.#findings.notProvable("shuffles", why, event.version);
    }
    this.#table = new Table(pack, hands, stock, upcard);
    this.#moved(event);
    return recomputed;
  }

  /** Cards of the packs: whole packs and jokers where house rules name `packs`, else what lies open. */
  #composition(told) {
    const packs = has(this.#houseRules, "packs") ? this.#houseRules.packs : null;
    const jokers = told.length - 52 * packs;
    if (isInteger(packs) && packs > 0 && jokers >= 0 && jokers <= 8 * packs) {
      const pack = new Counter(Array(jokers).fill(JOKER));
      pack.add(PLAIN_PACK, packs);
      return pack;
    }
    return told.includes(UNSEEN) ? null : new Counter(told);
  }

  /** Direction of play: clockwise is to the next seat, counter-clockwise to the one before. */
  #step() {
    return has(this.#houseRules, "direction") && this.#houseRules.direction === "ccw" ? -1 : 1;
  }

  /** The seed of a deal or a renewal, if it is known and is the one committed to in the event. */
  #committedSeed(event, purpose) {
    const seed = this.#seedFor(event.version, purpose) ?? this.#seeds.deals.get(event.version) ?? null;
    const commitment = event.field("commitment");
    if (seed === null) {
      const why = "the seed of the shuffle is not revealed in this export";
      this.#findings.notProvable("commitments", why, event.version);
      this.#findings.notProvable("shuffles", why, event.version);
    } else if (commitment !== null && sha256(seed) !== commitment) {
      const detail = `the commitment for ${purpose} is not to the seed that was fixed before`;
      this.#findings.fault("commitments", detail, event.version, event);
      return null;
    } else if (commitment !== null) {
      this.#findings.proved("commitments", "the seed of every shuffle redone is the one committed to");
    }
    return seed;
  }

  /** Compare cards with the order they must lie in; unseen ones cannot differ. */
  #compareOrder(event, told, expected, seed) {
    if (told.some((card, index) => card !== expected[index] && card !== UNSEEN)) {
      throw new Misfit("shuffles", `the cards of ${event.type} do not lie in the order they must have`);
    }
    const redone = "shuffles were redone, and every open card lies where they put it";
    this.#findings.proved("shuffles", seed ? redone : "a pile turned over keeps its order");
  }

  /** The discards, but for those left lying, become the stock. */
  stockRenewed(event) {
    const table = this.#dealt();
    const kept = event.cards("kept");
    const told = event.secretCards("stock");
    const old = [...table.pile];
    for (const card of kept) {
      const at = old.lastIndexOf(card);
      if (at < 0) {
        const detail = `${card} is left lying but does not lie in the discard pile`;
        throw new Misfit("conservation", detail);
      }
      old.splice(at, 1);
    }
    if (told.length !== old.length || (!told.includes(UNSEEN) && !sameCards(told, old))) {
      throw new Misfit("conservation", "the new stock is not made of the old discards");
    }
    let order = old; // a pile only turned over has its bottom card in front
    let seed = null;
    if (event.field("shuffled") === true) {
      seed = this.#committedSeed(event, `renew:${this.#deal}:${event.number("number")}`);
      order = seed ? shuffle(seed, old) : told;
    }
    if (order !== told) this.#compareOrder(event, told, order, seed);
    if (order.includes(UNSEEN)) table.seen.add(old, -1);
    table.pile = kept;
    table.stock.push(...order);
    this.#moved(event);
    return order.includes(UNSEEN) ? null : new Map([["stock", [...order]]]);
  }

  // -- play

  #dealt() {
    if (this.#lost) throw new Lost();
    if (!this.#table) throw new Misfit("conservation", "cards move before any were dealt");
    return this.#table;
  }

  #moved(event) {
    if (this.#table.pack) {
      const what = "every card came from where it lay, or may have lain unseen";
      this.#findings.proved("conservation", what);
    } else {
      const why = "cards of packs that this export does not tell: only their numbers were checked";
      this.#findings.notProvable("conservation", why, event.version);
    }
  }

  /** The card drawn is the front of the stock. */
  cardDrawn(event) {
    const table = this.#dealt();
    const seat = event.number("seat");
    const { count } = event.secret("card");
    if (count !== 1) throw new Misfit("seals", `${event.type}.card counts ${count} cards, not one`);
    const [card] = event.secretCards("card");
    if (table.stockIsEmpty) throw new Misfit("conservation", `seat ${seat} draws from an empty stock`);
    const front = table.draw();
    if (front !== UNSEEN && card !== UNSEEN && front !== card) {
      throw new Misfit("draws", `seat ${seat} draws ${card}, but ${front} was in front of the stock`);
    }
    if (front === UNSEEN && card !== UNSEEN) table.see(card);
    if (front === UNSEEN || (card === UNSEEN && this.#seeds.gameSeed(event.version) === null)) {
      const why = "the card drawn, or the order of the stock, is not open in this export";
      this.#findings.notProvable("draws", why, event.version);
    } else {
      const what = "every card drawn was in front of the stock as it was shuffled";
      this.#findings.proved("draws", what);
    }
    const known = front === UNSEEN ? card : front;
    table.hand(seat).add([known]);
    this.#moved(event);
    return known === UNSEEN ? null : new Map([["card", known]]);
  }

  /** Cards on top of the discard pile go to a hand. */
  discardsTaken(event) {
    const table = this.#dealt();
    const cards = event.cards("cards");
    table.liftDiscards(cards);
    table.hand(event.number("seat")).add(cards);
    this.#moved(event);
  }

  /** Cards go to the top of the discard pile: one discarded, or those taken in this turn put back. */
  discarded(event) {
    const table = this.#dealt();
    const cards = event.type === "card_discarded" ? [event.card("card")] : event.cards("cards");
    table.play(event.number("seat"), cards);
    table.pile.push(...cards);
    this.#moved(event);
  }

  /** Cards go from a hand to a new meld. */
  meldLaid(event) {
    const table = this.#dealt();
    const meld = event.number("meld");
    const cards = event.cards("cards");
    if (table.melds.has(meld)) throw new Misfit("conservation", `meld ${meld} is laid a second time`);
    table.play(event.number("seat"), cards);
    table.melds.set(meld, new Counter(cards));
    this.#moved(event);
  }

  /** Cards go from a hand to a meld on the table. */
  cardLaidOff(event) {
    const table = this.#dealt();
    const cards = event.cards("cards");
    const meld = table.meld(event.number("meld"));
    table.play(event.number("seat"), cards);
    meld.add(cards);
    this.#moved(event);
  }

  /** A card from a hand and a wild in a meld change places. */
  wildReclaimed(event) {
    const table = this.#dealt();
    const seat = event.number("seat");
    const card = event.card("card");
    const wild = event.card("wild");
    const meld = table.meld(event.number("meld"));
    if (meld.of(wild) < 1) {
      throw new Misfit("conservation", `meld ${event.number("meld")} holds no ${wild}`);
    }
    table.play(seat, [card]);
    meld.add([wild], -1);
    meld.add([card]);
    table.hand(seat).add([wild]);
    this.#moved(event);
  }

  /** All hands are laid open: they must be the hands. */
  dealScored(event) {
    const table = this.#dealt();
    const shown = event
      .items("hands")
      .map((hand) => cardsIn(isList(hand) ? hand : [hand], "deal_scored.hands"));
    if (shown.length !== table.hands.length) event.misfit("hands", `${table.hands.length} hands`);
    shown.forEach((cards, seat) => {
      table.play(seat, cards);
      if (table.hand(seat).total) {
        throw new Misfit("conservation", `seat ${seat} holds more cards than are shown at the end`);
      }
      table.hand(seat).add(cards);
    });
    this.#moved(event);
  }
}

/** Every event there is, and who follows it; null where it moves no card and draws on no chance. */
const EVENTS = new Map([
  ["game_created", Story.prototype.gameCreated],
  ["game_forked", Story.prototype.beginEra],
  ["seat_taken", Story.prototype.seatTaken],
  ["seat_left", Story.prototype.seatLeft],
  ["seat_handed_over", null],
  ["game_started", Story.prototype.gameStarted],
  ["deal_started", Story.prototype.dealStarted],
  ["wild_named", null],
  ["card_drawn", Story.prototype.cardDrawn],
  ["discards_taken", Story.prototype.discardsTaken],
  ["draw_returned", Story.prototype.discarded],
  ["meld_laid", Story.prototype.meldLaid],
  ["card_laid_off", Story.prototype.cardLaidOff],
  ["wild_reclaimed", Story.prototype.wildReclaimed],
  ["card_discarded", Story.prototype.discarded],
  ["turn_passed", null],
  ["stock_renewed", Story.prototype.stockRenewed],
  ["deal_ended", null],
  ["deal_scored", Story.prototype.dealScored],
  ["penalty_offered", null],
  ["penalty_added", null],
  ["rules_noted", null],
  ["seeds_revealed", null],
  ["game_ended", null],
]);

/**
 * Verify a log.
 *
 * @param {string | Uint8Array | ArrayBuffer} log NDJSON. Bytes are better than text: reading a file or an answer as
 *     text may hide bytes that are not UTF-8.
 * @param {string | null} head Hash of a commit (64 hex digits), the last or an earlier one, as it was noted elsewhere.
 * @returns {Report} What was found; no content of a log makes this throw.
 */
export function verify(log, head = null) {
  const findings = new Findings();
  const read = readLog(linesOf(log), findings);
  if (!read.hashes.length) findings.fault("contiguity", "the log is empty", 1);
  const anchor = checkHead(read, head, findings);
  const story = new Story(findings, learnSeeds(read.events, findings));
  for (const event of read.events) {
    if (read.brokenAt !== null && event.version > read.brokenAt) {
      const why = `nothing from version ${read.brokenAt} on was followed, because of the fault there`;
      findings.notProvable("conservation", why, read.brokenAt, read.hashes.length - read.brokenAt);
      break;
    }
    story.tell(event);
  }
  const checks = findings.checks();
  const faults = checks.filter((check) => check.verdict === "fault");
  const first = faults.reduce((one, other) => (one && one.version <= other.version ? one : other), null);
  const seals = read.events.flatMap((event) => [...event.sealed.values()]);
  const opened = seals.filter((sealed) => sealed.salt !== null).length;
  return {
    ok: !faults.length,
    game_id: read.gameId,
    versions: read.hashes.length,
    head: read.hashes.at(-1) ?? null,
    anchor,
    opened,
    closed: seals.length - opened,
    first_fault: first,
    checks,
  };
}

// --------------------------------------------------------------------------------------------- the command line

const USAGE = "usage: node verifier.mjs LOG [--head HASH] [--json]     LOG is an exported log (NDJSON), or -";

/** Verify the log that the arguments name and print the report; returns the exit status. */
async function main(words, { readFileSync }) {
  const names = [];
  let head = null;
  let json = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === "--json") json = true;
    else if (word === "--head") {
      at += 1;
      head = words[at] ?? "";
    } else if (word !== "-" && word.startsWith("-")) return usage();
    else names.push(word);
  }
  if (names.length !== 1 || (head !== null && !/^[0-9a-fA-F]{64}$/.test(head))) return usage();
  let log;
  try {
    log = readFileSync(names[0] === "-" ? 0 : names[0]);
  } catch (error) {
    console.error(`verifier: cannot read ${show(names[0])}: ${error.message}`);
    return 2;
  }
  const report = verify(log, head);
  console.log(json ? JSON.stringify(report, null, 2) : reportText(report));
  return report.ok ? 0 : 1;
}

function usage() {
  console.error(USAGE);
  return 2;
}

/** In Node, and only where this file is the program that was started and not part of another. */
async function start() {
  const [{ pathToFileURL }, files] = await Promise.all([import("node:url"), import("node:fs")]);
  const program = process.argv[1];
  if (program && pathToFileURL(files.realpathSync(program)).href === import.meta.url) {
    process.exitCode = await main(process.argv.slice(2), files);
  }
}

if (globalThis.process?.versions?.node) start();
