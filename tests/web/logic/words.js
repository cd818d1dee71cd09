({
  "no language lacks a text, a place in it or a form": async ({ load, equal }) => {
    const { LANGUAGES, Words } = await load("i18n.js");
    const texts = {};
    for (const language of Object.keys(LANGUAGES)) texts[language] = (await load(`words/${language}.js`))[language];
    const places = (text) => [...new Set(JSON.stringify(text).match(/\{\w+\}/g) ?? [])].sort().join();
    const lacking = [];
    for (const [language, found] of Object.entries(texts)) {
      const { locale } = new Words(language, found);
      const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
      for (const [key, text] of Object.entries(texts.en)) {
        const own = found[key];
        if (own === undefined) lacking.push(`${language}: ${key}`);
        else if (typeof text !== typeof own) lacking.push(`${language}: ${key} has other forms`);
        else if (typeof own === "object") {
          for (const form of forms) if (!own[form] && !["zero", "one", "two"].includes(form)) lacking.push(`${language}: ${key} ${form}`);
        } else if (places(text) !== places(own)) lacking.push(`${language}: ${key} has other places`);
      }
      for (const key of Object.keys(found)) if (!(key in texts.en)) lacking.push(`${language}: ${key} is nobody's`);
    }
    equal(lacking, []);
  },

  "a number is written in the reader's digits": async ({ load, equal }) => {
    const { Words, fill } = await load("i18n.js");
    const { fa } = await load("words/fa.js");
    const { ar } = await load("words/ar.js");
    equal(new Words("fa", fa).say("deal.of", { number: 4, of: 13 }), "دور ۴ از ۱۳");
    equal(new Words("ar", ar).say("seconds", { count: 2 }), "ثانيتان");
    equal(fill("{name} and {other}", { name: "Ann" }, "en"), "Ann and {other}");
  },

  "numbers in titles and clauses are written in the reader's digits, and cards as they are": async ({ load, equal }) => {
    const { LANGUAGES, Words } = await load("i18n.js");
    const { clausesOf } = await load("sheet.js");
    const said = {};
    for (const language of Object.keys(LANGUAGES)) said[language] = new Words(language, (await load(`words/${language}.js`))[language]);
    const rami = { title: "Rami 51", titles: { en: "Rami 51", fr: "Rami 51", fa: "رامی 51", ar: "رامي 51" } };
    equal(Object.values(said).map((one) => one.title(rami)), ["Rami 51", "Rami 51", "رامی ۵۱", "رامي ٥١"]);
    equal(said.ar.title({ title: "rami-51" }), "rami-51");
    equal(said.ar.digits("بـ51 نقطة من 2 إلى 10، 7♣ أو 7C"), "بـ٥١ نقطة من ٢ إلى ١٠، 7♣ أو 7C");
    for (const { name } of (await (await fetch("/v1/variants")).json()).items.filter((one) => one.kind === "variant")) {
      for (const lang of ["fa", "ar"]) {
        const sheet = await (await fetch(`/v1/variants/${name}/rules?lang=${lang}`)).json();
        equal([...clausesOf(sheet, said[lang]).values()].filter((text) => /(?<![\w♠♥♦♣-])[0-9]/u.test(text)), []);
        equal(/[0-9]/.test(said[lang].has(`variant.${name}`) && said[lang].say(`variant.${name}`)), false);
      }
    }
  },

  "a bot without a name of its own is called in the reader's language": async ({ load, equal }) => {
    const { Words } = await load("i18n.js");
    const { fa } = await load("words/fa.js");
    const { seatName } = await load("narrate.js");
    const said = new Words("fa", fa);
    const names = [["plain 2", "bot"], ["plain 2", "player"], ["Ann", "bot"], ["clever 3", "bot"], [null, "bot"]];
    equal(names.map(([name, kind]) => seatName({ seat: 4, name, kind }, said)),
      ["\u2068ساده ۲\u2069", "\u2068plain 2\u2069", "\u2068Ann\u2069", "\u2068clever 3\u2069", "صندلی ۵"]);
  },

  "the reader's own seat is called you wherever it is named": async ({ load, equal }) => {
    const { LANGUAGES, Words } = await load("i18n.js");
    const { narrate, seatName, seatNames } = await load("narrate.js");
    const { sidesOf } = await load("side.js");
    const named = [["Ann", 0], ["Player", 1], ["Cyd", 0], ["Dan", 1]];
    const seats = named.map(([name, team], seat) => ({ seat, name, team, kind: "player" }));
    const table = { variant: "rami-51", seats };
    const bare = (text) => text.replace(/[\u2066-\u2069]/g, "");
    const you = [];
    for (const language of Object.keys(LANGUAGES)) {
      const said = new Words(language, (await load(`words/${language}.js`))[language]);
      you.push(seatName(seats[1], said, 1));
      const dealt = { events: [{ type: "deal_started", number: 2, dealer: 1 }, { type: "seat_taken", ...seats[1] }] };
      equal(narrate(dealt, table, said, String, 1).some((sentence) => sentence.includes("Player")), false);
      equal(narrate(dealt, table, said, String, 0).every((sentence) => sentence.includes("Player")), true);
    }
    equal(you, ["You", "Vous", "شما", "أنت"]);
    const { en } = await load("words/en.js");
    const said = new Words("en", en);
    equal(sidesOf(table, said, 1).map(bare), ["Ann + Cyd", "You + Dan"]);
    equal(sidesOf(table, said).map(bare), ["Ann + Cyd", "Player + Dan"]);
    equal(bare(seatNames([3, 1], table, said, 1)), "You and Dan");
  },

  "what may be written for a house rule is said in the reader's language and digits": async ({ load, equal }) => {
    const { Words } = await load("i18n.js");
    const { numberIn, numberWords } = await load("house_rules.js");
    const { en } = await load("words/en.js");
    const { fa } = await load("words/fa.js");
    const bounds = [{ min: 3, max: 4 }, { min: 3 }, { max: 4 }, {}];
    equal(bounds.map((one) => numberWords(one, new Words("en", en))), [
      "Write a whole number from 3 to 4.", "Write a whole number, 3 or more.", "Write a whole number, 4 or less.",
      "Write a whole number.",
    ]);
    equal(numberWords({ min: 0, max: 1000 }, new Words("fa", fa)), "یک عدد صحیح از ۰ تا ۱٬۰۰۰ بنویسید.");
    equal(["3", "4", "5", "3.5", "", " ", "x", "1e999"].map((text) => numberIn(text, { min: 3, max: 4 })),
      [3, 4, null, null, null, null, null, null]);
    equal([numberIn("-7", {}), numberIn("1e99", {})], [-7, null]);
  },

  "the browser's languages are tried in their order": async ({ load, equal }) => {
    const { pickLanguage } = await load("i18n.js");
    equal(pickLanguage(["de-DE", "fa-IR", "en"]), "fa");
    equal(pickLanguage(["de"]), "en");
  },

  "a variant may call a thing by a name of its own": async ({ load, equal }) => {
    const { Words } = await load("i18n.js");
    const { en } = await load("words/en.js");
    const said = new Words("en", en);
    equal([said.term("wild", "beanie"), said.term("wild", "crazy-rummy")], ["Beanie", "Wild"]);
  },

  "every house rule's value of every installed variant has a word": async ({ load, equal }) => {
    const { shapeOf } = await load("house_rules.js");
    const { en } = await load("words/en.js");
    const { items } = await (await fetch("/v1/variants")).json();
    const values = items.flatMap((one) => one.options).flatMap((rule) => shapeOf(rule.schema).values);
    const texts = [...new Set(values.filter((value) => typeof value === "string"))];
    equal(texts.filter((value) => !(`value.${value}` in en)), []);
    equal(texts.length > 40, true);
  },

  "no value is no limit where a rule sets one, and none of anything else": async ({ load, equal }) => {
    const { LANGUAGES, Words } = await load("i18n.js");
    const { shapeOf, valueText } = await load("house_rules.js");
    const { items } = await (await fetch("/v1/variants")).json();
    const rules = items.flatMap((one) => one.options).filter((rule) => shapeOf(rule.schema).values.includes(null));
    const told = {};
    for (const language of Object.keys(LANGUAGES)) {
      const said = new Words(language, (await load(`words/${language}.js`))[language]);
      for (const { name } of rules) told[name] = { ...told[name], [language]: valueText(null, said, name) };
    }
    const none = { en: "None", fr: "Aucune", fa: "ندارد", ar: "لا يوجد" };
    const unlimited = { en: "Without limit", fr: "Sans limite", fa: "بدون محدودیت", ar: "بلا حد" };
    equal(told, {
      flat_penalty: none,
      unopened_penalty: none,
      max_set_size: unlimited,
      max_wilds_per_meld: unlimited,
      multiplier_cap: unlimited,
      no_progress_limit: unlimited,
      press_max_voluntary: unlimited,
      set_swap_max_wilds: unlimited,
    });
  },

  "every variant and every bot that comes along is introduced": async ({ load, equal }) => {
    const { en } = await load("words/en.js");
    const { items: variants } = await (await fetch("/v1/variants")).json();
    const { items: bots } = await (await fetch("/v1/bots")).json();
    const keys = [
      ...variants.filter((one) => one.kind === "variant").map((one) => `variant.${one.name}`),
      ...bots.flatMap((one) => [`bot.${one.name}`, `bot.name.${one.name}`]),
    ];
    equal(keys.filter((key) => !(key in en)), []);
  },
})
