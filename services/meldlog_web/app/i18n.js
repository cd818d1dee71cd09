// Words in the reader's language: English, French, Persian, Arabic. Numbers and lists are those of the language too.

import { Store } from "./store.js";
import { settings } from "./settings.js";
import { en } from "./words/en.js";

export const LANGUAGES = { en: "English", fr: "Français", fa: "فارسی", ar: "العربية" };
const RIGHT_TO_LEFT = new Set(["fa", "ar"]);
// Without these a browser may write Persian and Arabic with European digits.
const LOCALES = { en: "en", fr: "fr", fa: "fa-u-nu-arabext", ar: "ar-u-nu-arab" };

/** The first of the wanted languages that there is. */
export function pickLanguage(wanted) {
  for (const tag of wanted) {
    const language = String(tag).toLowerCase().split("-")[0];
    if (language in LANGUAGES) return language;
  }
  return "en";
}

/** Fill a text's places: `{name}`; a text of several forms takes that of the number `count`. */
export function fill(text, given, locale) {
  let chosen = text;
  if (typeof text === "object") {
    const form = new Intl.PluralRules(locale).select(given.count ?? 0);
    chosen = text[form] ?? text.other;
  }
  return chosen.replace(/\{(\w+)\}/g, (place, name) => {
    const value = given[name];
    if (typeof value === "number") return new Intl.NumberFormat(locale, { useGrouping: false }).format(value);
    return value === undefined || value === null ? place : String(value);
  });
}

export class Words {
  constructor(language, words) {
    this.language = language;
    this.locale = LOCALES[language];
    this.direction = RIGHT_TO_LEFT.has(language) ? "rtl" : "ltr";
    this.words = words;
  }

  /** A text by its key. */
  say(key, given = {}) {
    const text = this.words[key] ?? en[key];
    return text === undefined ? key : fill(text, given, this.locale);
  }

  /** A text that a variant may have a word of its own for: Biddies calls a wild card a biddy. */
  term(key, variant, given = {}) {
    const own = `${key}@${variant}`;
    return this.say(own in this.words ? own : key, given);
  }

  has(key) {
    return key in this.words;
  }

  number(value) {
    return new Intl.NumberFormat(this.locale).format(value);
  }

  signed(value) {
    return new Intl.NumberFormat(this.locale, { signDisplay: "exceptZero" }).format(value);
  }

  list(parts) {
    return new Intl.ListFormat(this.locale, { type: "conjunction" }).format(parts);
  }

  either(parts) {
    return new Intl.ListFormat(this.locale, { type: "disjunction" }).format(parts);
  }

  time(text) {
    return new Intl.DateTimeFormat(this.locale, { dateStyle: "medium", timeStyle: "short" }).format(new Date(text));
  }

  /**
   * A text that a plugin brings in this language, its numbers in the digits of the page. What is part of a word or a card
   * stays as it is written: rami-51, 7♣, 7C.
   */
  digits(text) {
    return text.replace(/(?<![\w♠♥♦♣-])[0-9]+(?![\w♠♥♦♣])/gu, (number) => [...number].map((one) => this.number(Number(one))).join(""));
  }

  /** A plugin's title in this language. */
  title(titled) {
    const own = titled?.titles?.[this.language];
    return own === undefined ? titled?.title ?? "" : this.digits(own);
  }
}

export const words = new Store(new Words("en", en));

const LOADERS = {
  en: async () => en,
  fr: async () => (await import("./words/fr.js")).fr,
  fa: async () => (await import("./words/fa.js")).fa,
  ar: async () => (await import("./words/ar.js")).ar,
};

/** Speak the language that the reader chose, else the first that the browser asks for and there is. */
export async function speak() {
  const language = settings.value.language ?? pickLanguage(navigator.languages);
  const found = new Words(language, await LOADERS[language]());
  document.documentElement.lang = language;
  document.documentElement.dir = found.direction;
  words.set(found);
}
