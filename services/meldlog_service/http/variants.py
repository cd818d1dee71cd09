"""Variants: what is installed, rule sheets in four languages, bots, and judging cards without a game."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Struct

from meldlog_service.bots import strategies
from meldlog_service.catalogue import Catalogue
from meldlog_service.http.judge import Judgement, Question
from meldlog_service.http.judge import judge as judged
from meldlog_service.http.negotiation import JSON, MARKDOWN, chosen
from meldlog_service.http.problems import Rejected, refusals
from meldlog_service.http.service import Service
from meldlog_service.http.sheets import Language, PluginList, RuleSheet, as_markdown, sheet, summary

_CACHED = {"Cache-Control": "public, max-age=60", "Vary": "Accept"}


class Bot(Struct, frozen=True):
    """A strategy that can be seated as a bot, by the name that `bots` and tables know it by."""

    name: str


class BotList(Struct, frozen=True):
    """The strategies that can be seated, weakest first; it is one page."""

    items: tuple[Bot, ...]
    next_cursor: None = None


@get("/v1/bots", responses=refusals("not_acceptable"))
async def list_bots() -> Response[BotList]:
    """List the strategies that can be seated as bots."""
    return Response(BotList(tuple(Bot(name) for name in strategies())), headers=_CACHED)


@get("/v1/variants", responses=refusals("not_acceptable"))
async def list_variants(service: NamedDependency[Service]) -> Response[PluginList]:
    """List every installed variant, option and small rule, with its house rules: JSON Schema, default and clause."""
    return Response(_everything(service.catalogue), headers=_CACHED)


@lru_cache(maxsize=4)
def _everything(catalogue: Catalogue) -> PluginList:
    """All that is installed; a catalogue does not change, and to join every variant's rules takes a while."""
    return PluginList(tuple(summary(catalogue, info) for info in catalogue.infos()))


@get("/v1/variants/{name:str}", responses=refusals("not_found", "not_acceptable", "invalid"))
async def show_sheet(
    request: Request[Any, Any, State],
    service: NamedDependency[Service],
    name: FromPath[str],
    lang: Annotated[Language, QueryParameter(description="Language of the clauses.")] = "en",
) -> Response[RuleSheet]:
    """Show a rule sheet: the merged house rules, and every clause in words.

    `Accept: text/markdown` gives the sheet to be read.
    """
    form = chosen(request.headers.get("accept"), (JSON, MARKDOWN))
    found = _known(service.catalogue, name, lang)
    headers = {**_CACHED, "Content-Language": lang}
    if form == MARKDOWN:
        return Response(as_markdown(found), media_type=MARKDOWN, headers=headers)  # type: ignore[arg-type]
    return Response(found, headers=headers)


def _known(catalogue: Catalogue, name: str, lang: Language) -> RuleSheet:
    if all(info.name != name for info in catalogue.infos()):
        raise Rejected("not_found", catalogue.unknown(name))
    return sheet(catalogue, name, lang)


@post(
    "/v1/variants/{name:str}/judge",
    status_code=200,
    responses=refusals("not_found", "not_acceptable", "too_large", "unsupported_media_type", "invalid"),
)
async def judge_cards(
    service: NamedDependency[Service], name: FromPath[str], data: JSONBody[Question]
) -> Judgement:
    """Judge cards: what could they be, or with `meld` where could they be laid off? Stores nothing, needs no token."""
    if all(info.name != name or info.kind != "variant" for info in service.catalogue.infos()):
        raise Rejected("not_found", service.catalogue.unknown(name, "variant"))
    rules = service.catalogue.ruleset_for_new(name, data.options, data.house_rules)
    return judged(data, rules)
