// Where one is, told by the part of the address after `#`: lobby, table, or a moment of a replay.

export function parseRoute(hash) {
  const [, place = "", game = "", at = ""] = hash.split("?")[0].split("/");
  const query = new URLSearchParams(hash.split("?")[1] ?? "");
  if (place === "table" && game) return { place: "table", game: decodeURIComponent(game) };
  if (place === "replay" && game) {
    const version = /^\d{1,9}$/.test(at) ? Number(at) : null;
    const eyes = query.get("eyes");
    return {
      place: "replay",
      game: decodeURIComponent(game),
      version,
      eyes: eyes !== null && /^\d{1,2}$/.test(eyes) ? Number(eyes) : null,
    };
  }
  return { place: "lobby", variant: place === "play" && game ? decodeURIComponent(game) : null };
}

export const tableAddress = (game) => `#/table/${encodeURIComponent(game)}`;
export const lobbyAddress = (variant) => (variant ? `#/play/${encodeURIComponent(variant)}` : "#/");

export function replayAddress(game, version = null, eyes = null) {
  const at = version === null ? "" : `/${version}`;
  return `#/replay/${encodeURIComponent(game)}${at}${eyes === null ? "" : `?eyes=${eyes}`}`;
}
