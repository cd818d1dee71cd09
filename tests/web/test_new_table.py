"""House rules that cannot be: what the form says beside them, in the reader's language, and where it leads."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, ViewportSize
from tests.http.serving import Served
from tests.web.accessible import looked_at
from tests.web.conftest import Comes

PHONE: ViewportSize = {"width": 390, "height": 844}
SCORE = ".rule-group[data-group=score] h2 button"
PENALTY = "#rule-joker_penalty"
TOLD = {
    "en-GB": "Write a whole number from 0 to 1,000.",
    "fr-FR": "Écrivez un nombre entier de 0 à 1\u202f000.",
    "fa-IR": "یک عدد صحیح از ۰ تا ۱٬۰۰۰ بنویسید.",
    "ar-EG": "اكتب عددا صحيحا من ٠ إلى ١٬٠٠٠.",
}


def a_new_table(page: Page, url: str, group: str) -> None:
    """The form of Rami 51, with a group of its house rules opened."""
    page.goto(f"{url}/#/play/rami-51")
    page.wait_for_selector(".part summary")
    page.click("details.rules summary")
    page.click(group)


def description(field: Locator) -> str:
    """What a listener is told of a field."""
    told: str = field.evaluate(
        "one => document.getElementById(one.getAttribute('aria-describedby')).innerText"
    )
    return told


@pytest.mark.parametrize("locale", TOLD)
def test_a_number_that_cannot_be_is_told_beside_its_field(comes: Comes, locale: str) -> None:
    """By the page, not by the browser; the service is not asked, and the field is led to wherever it is hidden."""
    ann = comes(locale)
    page = ann.page
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.method))
    a_new_table(page, ann.url, SCORE)
    field = page.locator(PENALTY)
    field.fill("5000")
    assert description(field) == TOLD[locale]
    assert field.get_attribute("aria-invalid") == "true"
    looked_at(page, "a number that cannot be")
    page.click(SCORE)
    page.click("details.rules summary")
    assert not field.is_visible()

    page.click(".new-table button.primary")
    page.wait_for_function("where => document.activeElement.matches(where)", arg=PENALTY)
    assert field.is_visible()
    assert field.input_value() == "5000"
    assert "POST" not in asked

    field.fill("50")
    assert field.get_attribute("aria-invalid") is None
    assert page.locator(".rule .fault").count() == 0
    field.press("Enter")
    page.wait_for_selector(".hand button")


@pytest.mark.parametrize("locale", ["en-GB", "fa-IR"])
def test_the_rule_sheet_lies_beside_the_form_and_scrolls_by_itself(comes: Comes, locale: str) -> None:
    """No higher than the window; its contents lead to each part."""
    ann = comes(locale, viewport={"width": 1440, "height": 900})
    page = ann.page
    page.goto(f"{ann.url}/#/play/rami-51")
    page.wait_for_selector(".clauses li")
    box = page.locator(".sheet").bounding_box()
    assert box is not None
    assert box["height"] <= 900
    columns = page.locator(".clauses").first.evaluate(
        "list => new Set([...list.children].map((one) => Math.round(one.getBoundingClientRect().left))).size"
    )
    assert columns == 2
    contents = page.locator(".contents button")
    parts = page.locator(".part")
    assert contents.count() == parts.count() == 6
    assert contents.all_inner_texts() == page.locator(".part summary h3").all_inner_texts()
    last = parts.last
    last.locator("summary").click()
    assert not last.locator("li").first.is_visible()
    contents.last.click()
    reaches = "() => document.activeElement === document.querySelector('.part:last-child summary')"
    page.wait_for_function(reaches)
    assert last.locator("li").first.is_visible()
    looked_at(page, "the rule sheet")


def test_on_a_phone_the_rule_sheet_is_opened_part_by_part(comes: Comes) -> None:
    """It does not stand in the way of the tables below it."""
    ann = comes(viewport={"width": 390, "height": 844})
    page = ann.page
    page.goto(f"{ann.url}/#/play/rami-51")
    page.wait_for_selector(".part summary")
    assert not page.locator(".clauses li").first.is_visible()
    page.locator(".part summary", has_text="Wild cards").click()
    assert page.locator("#clause-wild\\.joker").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    looked_at(page, "a part of the rule sheet")


def test_a_game_of_two_sides_offers_only_the_seats_that_they_need(comes: Comes) -> None:
    """Two or four; where everybody plays alone, three as well, which two sides then say that they do not take."""
    ann = comes()
    page = ann.page
    a_new_table(page, ann.url, ".rule-group[data-group=deal] h2 button")
    seats = page.locator(".seats li")
    told = page.locator(".seats [role=status]")
    assert seats.count() == 4
    assert told.inner_text() == "As it is two against two, there are 2 or 4 seats."
    page.locator(".seats li button").first.click()
    assert seats.count() == 2
    page.locator(".seats > button").click()
    assert seats.count() == 4

    teams = page.locator("#rule-teams")
    teams.select_option(label="None")
    told.wait_for(state="detached")
    page.locator(".seats li button").first.click()
    assert seats.count() == 3
    teams.select_option(label="Two against two")
    assert "fault" in (told.get_attribute("class") or "")
    page.click(".new-table button.primary")
    page.wait_for_selector("#rule-teams[aria-invalid=true]")
    # What is wrong there is said, but it was not changed.
    count = page.locator(".rule-group[data-group=deal] .count")
    assert count.inner_text().endswith(" rules")
    assert page.locator("details.rules > summary .count").count() == 0
    looked_at(page, "a number of seats that two sides do not take")
    ann.complaints = [one for one in ann.complaints if "422" not in one and "400" not in one]


OPEN_ALL = """() => {
    const closed = ".options input:not(:checked), details.rules:not([open]) > summary";
    for (const one of document.querySelectorAll(closed)) one.click();
}"""
OPEN_GROUPS = """() => {
    for (const one of document.querySelectorAll(".rule-group [aria-expanded=false]")) one.click();
}"""
BEYOND = """() => [...document.querySelectorAll("html, .rule, .rule :is(label, select, input)")]
    .filter((one) => one.scrollWidth > innerWidth || one.getBoundingClientRect().right > innerWidth ||
        one.getBoundingClientRect().left < 0)
    .map((one) => one.id || one.tagName)"""


@pytest.mark.parametrize("locale", TOLD)
def test_on_a_phone_no_house_rule_is_wider_than_the_screen(comes: Comes, server: Served, locale: str) -> None:
    """Of any game, with every option that can be added, and all groups opened."""
    ann = comes(locale, viewport=PHONE)
    page = ann.page
    with server.client() as client:
        plugins = client.get("/v1/variants").json()["items"]
    too_wide = {}
    for variant in (one["name"] for one in plugins if one["kind"] == "variant"):
        page.goto(f"{ann.url}/#/play/{variant}")
        page.wait_for_selector(".variants [aria-current]")
        page.wait_for_function(
            "href => document.querySelector('[aria-current]').hash === href", arg=f"#/play/{variant}"
        )
        page.wait_for_selector(".part summary")
        page.evaluate(OPEN_ALL)
        page.wait_for_selector(".rule-group")
        page.evaluate(OPEN_GROUPS)
        page.wait_for_selector(".rule-group [aria-expanded=false]", state="detached")
        page.wait_for_selector(".rule select")
        if beyond := page.evaluate(BEYOND):
            too_wide[variant] = beyond
    assert too_wide == {}


@pytest.mark.parametrize("written", ["", "1.5", "-1", "e"])
def test_what_is_no_such_number_opens_no_table(comes: Comes, written: str) -> None:
    """Nothing, a part, less than may be, no number at all."""
    ann = comes()
    a_new_table(ann.page, ann.url, SCORE)
    field = ann.page.locator(PENALTY)
    field.fill("")
    field.press_sequentially(written)
    field.press("Enter")
    assert description(field) == TOLD["en-GB"]
    assert "#/play/" in ann.page.url
    ann.page.locator(".house-rules > button").click()
    assert field.input_value() == "20"
    assert field.get_attribute("aria-invalid") is None


def test_what_the_service_refuses_is_led_to_as_well(comes: Comes) -> None:
    """Here a hand of so many cards, which no schema forbids; the service says why in English."""
    sara = comes("fa-IR")
    page = sara.page
    a_new_table(page, sara.url, ".rule-group[data-group=deal] h2 button")
    rule = page.locator(".rule", has=page.locator("#rule-hand_size"))
    field = rule.locator("input")
    field.fill("900")
    page.click("details.rules summary")
    page.click(".new-table button.primary")
    page.wait_for_function("() => document.activeElement.matches('.rule input[aria-invalid=true]')")
    assert field.is_visible()
    assert description(field).startswith("این شدنی نیست.")
    # What was refused is said of that number, and is gone with it.
    field.fill("7")
    page.wait_for_selector(".fault", state="detached")
    assert field.get_attribute("aria-invalid") is None
    sara.complaints = [one for one in sara.complaints if "422" not in one and "400" not in one]
