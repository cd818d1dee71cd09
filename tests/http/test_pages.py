"""Pages for people: they work without the internet, and no page runs what it should not."""

from __future__ import annotations

import re

import httpx
import pytest
from tests.http.playing import assert_problem

from meldlog_service.http.problems import KINDS

ELSEWHERE = re.compile(r"""(?:src|href|url|action)\s*[=(:]\s*["']?(?:https?:)?//""")


@pytest.mark.parametrize("path", ["/", "/docs", "/problems/not_found"])
def test_a_page_takes_nothing_from_elsewhere(client: httpx.Client, path: str) -> None:
    """No other host, no script in the page, and a policy that would not let them."""
    answer = client.get(path, headers={"Accept": "text/html"})

    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert not ELSEWHERE.search(answer.text)
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=", answer.text)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "http" not in policy
    assert "unsafe-eval" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_first_page_leads_to_the_others(client: httpx.Client) -> None:
    """Every link of it is there."""
    page = client.get("/").text

    links = re.findall(r'href="(/[^"]*)"', page)
    assert {"/docs", "/v1/variants"} <= set(links)
    for link in links:
        assert client.get(link).status_code == 200


def test_the_api_pages_are_made_of_what_lies_here(client: httpx.Client) -> None:
    """And ask no validator elsewhere."""
    page = client.get("/docs").text
    parts = re.findall(r'(?:src|href)="(/[^"]*)"', page)

    assert "/docs/swagger-ui-bundle.js" in parts
    for part in parts:
        assert client.get(part).status_code == 200
    assert "validatorUrl: null" in client.get("/docs/start.js").text


def test_a_part_is_sent_once(client: httpx.Client) -> None:
    """Megabytes are not sent again to who has them."""
    first = client.get("/docs/swagger-ui-bundle.js")
    again = client.get("/docs/swagger-ui-bundle.js", headers={"If-None-Match": first.headers["etag"]})

    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("code", KINDS)
def test_every_problem_has_a_page(client: httpx.Client, code: str) -> None:
    """For people, for programs, and to be read: its `type` leads there."""
    kind = KINDS[code]
    told = client.get(f"/problems/{code}")
    page = client.get(f"/problems/{code}", headers={"Accept": "text/html,*/*;q=0.8"})
    text = client.get(f"/problems/{code}", headers={"Accept": "text/markdown"})

    assert told.json() == {"code": code, "status": kind.status, "title": kind.title, "about": kind.about}
    assert kind.title in page.text
    assert text.text == f"# {kind.title}\n\n`{code}`, status {kind.status}. {kind.about}\n"


def test_problems_lead_to_their_pages(client: httpx.Client) -> None:
    """The `type` is a link."""
    problem = assert_problem(client.get("/nowhere"), 404, "not_found")

    assert client.get(problem["type"]).json()["code"] == "not_found"
    assert {item["code"] for item in client.get("/problems").json()["items"]} == set(KINDS)


def test_numbers_are_told_as_prometheus_reads_them(client: httpx.Client) -> None:
    """Text, with its version."""
    answer = client.get("/metrics")

    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert "# TYPE meldlog_commands_total counter" in answer.text
