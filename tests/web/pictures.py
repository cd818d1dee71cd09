"""Renews the pictures of docs/web.md: `make pictures`.

Every game in them is dealt by a fixed seed, and nobody at their tables is real.
"""

from __future__ import annotations

import base64
import logging
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import structlog
from playwright.sync_api import Browser, Page
from tests.http.serving import served
from tests.web.scenes import SCENES, Looker
from tests.web.visitors import a_browser

FOLDER = Path(__file__).parents[2] / "docs" / "images"
LARGEST = 120_000
"""Bytes of a picture."""
WIDE, PHONE = (1280, 800), (390, 780)


class Picture(NamedTuple):
    """A scene, and how it is looked at."""

    scene: str
    locale: str
    size: tuple[int, int]
    scheme: str

    @property
    def name(self) -> str:
        """Of its file."""
        width = "phone" if self.size == PHONE else "wide"
        return f"web-{self.scene.replace('_', '-')}-{width}-{self.locale[:2]}-{self.scheme}.webp"


PICTURES = [
    Picture("lobby", "en-GB", WIDE, "light"),
    Picture("new_table", "fa-IR", WIDE, "light"),
    Picture("start", "en-GB", WIDE, "light"),
    Picture("middle", "en-GB", WIDE, "light"),
    Picture("middle", "fa-IR", PHONE, "dark"),
    Picture("reading", "ar-EG", WIDE, "dark"),
    Picture("opening", "fa-IR", WIDE, "dark"),
    Picture("refusal", "ar-EG", PHONE, "light"),
    Picture("deal_over", "en-GB", PHONE, "light"),
    Picture("game_over", "en-GB", WIDE, "dark"),
    Picture("replay", "en-GB", WIDE, "light"),
]

SMALLER = """async ([png, width]) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = Math.round(image.height * width / image.width);
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL("image/webp", 0.86).split(",")[1];
}"""


def compressed(png: bytes, width: int, page: Page) -> bytes:
    """The picture as WebP, which a browser can write."""
    text = page.evaluate(SMALLER, [base64.b64encode(png).decode(), width])
    return base64.b64decode(text)


def _hex(chance: Random) -> str:
    return chance.randbytes(32).hex()


def renew(browser: Browser) -> None:
    """Take all pictures, each from a service of its own, so that one does not show in another."""
    painter = browser.new_page()
    for picture in PICTURES:
        chance = Random(picture.scene)
        with served(random_hex=partial(_hex, chance)) as service:
            looker = Looker(service, browser, picture.locale, picture.size, picture.scheme)
            SCENES[picture.scene](looker)
            png = looker.page.screenshot(animations="disabled")
            looker.visitor.close()
        width = 640 if picture.size == PHONE else picture.size[0]
        content = compressed(png, width, painter)
        assert len(content) <= LARGEST, f"{picture.name} has {len(content)} bytes"
        (FOLDER / picture.name).write_bytes(content)


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("web-*.webp"):
        old.unlink()
    with a_browser() as found:
        renew(found)
