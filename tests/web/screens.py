"""What lies on the table on the screen, and what the service says that lies there."""

from __future__ import annotations

from typing import Any

import httpx

Json = dict[str, Any]
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

SHOWN = """() => {
    const main = document.querySelector("main.table-page");
    if (!main?.querySelector("[data-pile]")) return null;
    const number = (place) => Number(place.textContent.replace(/[^\\d-]/g, ""));
    const cards = (within) => [...within.querySelectorAll(".card[data-card]")].map((card) => card.dataset.card);
    const hand = main.querySelector(".hand");
    const pile = main.querySelector("[data-pile=discard]");
    return {
        version: Number(main.dataset.version),
        hand: hand && [...hand.querySelectorAll("button")].map((card) => card.dataset.card).sort(),
        melds: [...main.querySelectorAll("[data-meld]")].map((meld) => ({
            meld: Number(meld.dataset.meld),
            cards: cards(meld.querySelector(".row")),
            means: [...meld.querySelectorAll(".means")].map((means) => means.dataset.means),
        })).sort((one, other) => one.meld - other.meld),
        top: cards(pile.querySelector(".top-card") ?? document.createElement("p"))[0] ?? null,
        discards: number(pile.querySelector(".caption")),
        stock: number(main.querySelector("[data-pile=stock] .caption")),
        wild: [...main.querySelectorAll(".wild-rank bdi")].map((rank) => rank.textContent),
        turn: Number(main.querySelector(".player.on-turn")?.dataset.seat ?? -1),
        players: Object.fromEntries([...main.querySelectorAll(".player")].map((player) => [
            player.dataset.seat,
            [number(player.querySelector(".held")), number(player.querySelector(".total")),
             player.querySelector(".dealer") !== null],
        ])),
    };
}"""
"""What is on the screen, in a browser that speaks English; null where there is no table."""

RECORD = f"""{{
    const shown = {SHOWN};
    globalThis.tablesShown = [];
    const look = () => {{
        const version = document.querySelector("main.table-page")?.dataset.version;
        if (version === undefined || Number(version) === tablesShown.at(-1)?.version) return;
        const table = shown();
        if (table) tablesShown.push(table);
    }};
    const what = {{ subtree: true, childList: true, attributes: true, attributeFilter: ["data-version"] }};
    new MutationObserver(look).observe(document, what);
}}"""
"""Keeps every table that comes on the screen, as it is when its version is first drawn."""


def as_shown(table: Json, seat: int | None) -> Json:
    """A table of the service as a page shows it to a seat."""
    deal = table["deal"]
    on_turn = table["status"] == "playing" and deal["phase"] != "over" and deal["turn"] is not None
    return {
        "version": table["version"],
        "hand": None if seat is None else sorted(table["seats"][seat].get("hand", [])),
        "melds": [
            {
                "meld": meld["meld"],
                "cards": [one["card"] for one in meld["cards"]],
                "means": [_short(one["reads_as"]) for one in meld["cards"] if _stands_for_another(one)],
            }
            for meld in deal["melds"]
        ],
        "top": deal["discard_pile"][-1] if deal["discard_pile"] else None,
        "discards": len(deal["discard_pile"]),
        "stock": deal["stock_count"],
        "wild": [{"JK": "★", "T": "10"}.get(rank, rank) for rank in deal["wild"]],
        "turn": deal["turn"] if on_turn else -1,
        "players": {
            str(one["seat"]): [one["hand_count"], one["total"], deal["dealer"] == one["seat"]]
            for one in table["seats"]
        },
    }


def _stands_for_another(one: Json) -> bool:
    means: str = one["reads_as"]
    return means != one["card"] and not means.endswith("X")


def _short(card: str) -> str:
    return {"T": "10"}.get(card[0], card[0]) + SUITS[card[1]]


def differences(shown: list[Json], client: httpx.Client, game_id: str, seat: int | None) -> list[str]:
    """Where tables on a screen are not the service's of the same version; `client` has the seat's token."""
    found = []
    for screen in shown:
        answer = client.get(f"/v1/games/{game_id}", params={"at": screen["version"]})
        wanted = as_shown(answer.json(), seat)
        if screen["hand"] is None:
            # Over, or watched: there is no hand, and a player's own place is beside it.
            wanted["hand"] = None
        wanted["players"] = {one: wanted["players"][one] for one in screen["players"]}
        found += [
            f"version {screen['version']}, {what}: on the screen {screen[what]}, at the service {wanted[what]}"
            for what in wanted
            if screen[what] != wanted[what]
        ]
    return found
