// Where one is, told by the part of the address after `#`: lobby, table, a moment of a replay, or nowhere.

export function parseRoute(hash) {
  const [, place = "", named = "", at = ""] = hash.split("?")[0].split("/");
  const query = new URLSearchParams(hash.split("?")[1] ?? "");
  const game = decoded(named);
  if (place === "table" && game) return { place, game };
  if (place === "replay" && game) {
    return { place, game, version: asked(decoded(at) ?? at), eyes: asked(query.get("eyes") ?? "") };
  }
  if (place === "" || (place === "play" && !named)) return { place: "lobby", variant: null };
  return place === "play" ? { place: "lobby", variant: game ?? named } : { place: "nowhere" };
}

/** A number that is asked for, whether there is such a thing or not; text where it is no number, null for nothing. */
const asked = (text) => (text === "" ? null : /^-?\d{1,15}$/.test(text) ? Number(text) : text);

/** What an address says; null where it says nothing, as after a cut link. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

export const tableAddress = (game) => `#/table/${encodeURIComponent(game)}`;
export const lobbyAddress = (variant) => (variant ? `#/play/${encodeURIComponent(variant)}` : "#/");

export function replayAddress(game, version = null, eyes = null) {
  const at = version === null ? "" : `/${version}`;
  return `#/replay/${encodeURIComponent(game)}${at}${eyes === null ? "" : `?eyes=${eyes}`}`;
}
