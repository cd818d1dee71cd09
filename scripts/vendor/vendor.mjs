// Copies what the web client and its tests take from npm into the tree, with the licences. Run it with `make vendor`.

import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { optimize } from "svgo";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const web = join(root, "services", "meldlog_web");

const pathOf = (name, file) => join(here, "node_modules", ...name.split("/"), file);
const read = (name, file) => readFileSync(pathOf(name, file), "utf8");
const withoutMap = (text) => text.replace(/\n?\/\/# sourceMappingURL=.*\s*$/, "\n");
const write = (path, text) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

function vendorLibraries() {
  write(join(web, "vendor", "preact.js"), withoutMap(read("preact", "dist/preact.mjs")));
  const hooks = withoutMap(read("preact", "hooks/dist/hooks.mjs")).replace(/from\s*"preact"/g, 'from"./preact.js"');
  write(join(web, "vendor", "hooks.js"), hooks);
  write(join(web, "vendor", "htm.js"), `${read("htm", "dist/htm.module.js").trimEnd()}\n`);
  write(join(root, "tests", "web", "vendor", "axe.min.js"), read("axe-core", "axe.min.js"));
}

function vendorLicences() {
  const parts = ["preact", "htm", "@letele/playing-cards"].map((name) => {
    const about = JSON.parse(read(name, "package.json"));
    return `${name} ${about.version} (${about.license})\n\n${read(name, "LICENSE").trim()}\n`;
  });
  const head = "The web client holds parts of these packages. The pictures of kings, queens and jacks in cards/ are\n" +
    "Adrian Kennard's, as packed in @letele/playing-cards; index, pips and colours are changed.\n";
  write(join(web, "vendor", "licences.txt"), [head, ...parts].join("\n----------------------------------------\n\n"));
  const axe = JSON.parse(read("axe-core", "package.json"));
  write(
    join(root, "tests", "web", "vendor", "licences.txt"),
    `axe-core ${axe.version} (${axe.license})\n\n${read("axe-core", "LICENSE").trim()}\n\n` +
      `${read("axe-core", "LICENSE-3RD-PARTY.txt").trim()}\n`,
  );
}

// A picture of the package is a React component; a stand-in for React makes plain elements of it.
function pictures() {
  const body = read("@letele/playing-cards", "dist/index.esm.js")
    .replace(/^import .*$/gm, "")
    .replace(/^export .*$/m, "");
  const names = [..."CDHS"].flatMap((suit) => [..."JQK"].map((rank) => [`${rank}${suit}`, `Svg${suit}${rank}`]));
  const table = names.map(([name, component]) => `${name}: ${component}`).join(", ");
  const React = {
    createElement: (tag, props, ...children) => ({ tag, props: props ?? {}, children: children.flat().filter(Boolean) }),
  };
  return new Function("React", "_extends", `${body}\nreturn { ${table} };`)(React, Object.assign);
}

const ATTRIBUTES = { className: "class", xlinkHref: "href", viewBox: "viewBox", preserveAspectRatio: "preserveAspectRatio" };
const attribute = (name) => ATTRIBUTES[name] ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function markup({ tag, props, children }) {
  const given = Object.entries(props).filter(([, value]) => value !== undefined && typeof value !== "object");
  const attributes = given.map(([name, value]) => ` ${attribute(name)}="${value}"`).join("");
  return `<${tag}${attributes}>${children.map(markup).join("")}</${tag}>`;
}

// Of a court card only the figure is taken: white ground, index and the pips in the corners are drawn by the client.
function figure(card) {
  const kept = card.children.filter((child) => {
    if (child.tag === "defs") return true;
    return child.tag === "use" && Number(child.props.width) > 100;
  });
  return { ...card, props: { xmlns: "http://www.w3.org/2000/svg", viewBox: "-82.4 -130.4 164.8 260.8" }, children: kept };
}

const COLOURS = { "#44F": "#2b3a8f", red: "#c8242e", "#FC4": "#e9b949" };

function vendorCourts() {
  for (const [name, component] of Object.entries(pictures())) {
    let text = markup(figure(component({})));
    for (const [old, colour] of Object.entries(COLOURS)) text = text.replaceAll(`="${old}"`, `="${colour}"`);
    const { data } = optimize(text, {
      multipass: true,
      // The figures are drawn on a grid of 1300 by 2000: whole numbers are finer than any screen shows.
      floatPrecision: 0,
      plugins: [
        { name: "preset-default", params: { overrides: { cleanupNumericValues: false, convertTransform: false } } },
      ],
    });
    write(join(web, "cards", `${name}.svg`), `${data}\n`);
  }
}

for (const folder of ["vendor", "cards"]) rmSync(join(web, folder), { recursive: true, force: true });
vendorLibraries();
vendorLicences();
vendorCourts();
console.log(`vendored: ${readdirSync(join(web, "cards")).length} figures, and ${readdirSync(join(web, "vendor")).join(", ")}`);
