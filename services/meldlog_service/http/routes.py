"""Every route that is Litestar's own."""

from __future__ import annotations

from collections.abc import Sequence

from litestar.handlers import HTTPRouteHandler

from meldlog_service.http import commands, forks, games, health, pages, seats, stream, variants, web

API: Sequence[HTTPRouteHandler] = (
    variants.list_variants,
    variants.list_bots,
    variants.judge_cards,
    games.create_game,
    games.list_games,
    games.show_table,
    games.list_moves,
    games.show_rules,
    games.show_knowledge,
    games.audit_game,
    forks.fork_game,
    forks.import_game,
    seats.sit_down,
    seats.leave_seat,
    health.healthz,
    health.readyz,
    pages.list_problems,
)
"""Those that have JSON and nothing else."""
NEGOTIATED: Sequence[HTTPRouteHandler] = (
    variants.show_sheet,
    commands.send_commands,
    stream.read_events,
    health.metrics,
    web.home,
    web.web_file,
    pages.docs,
    pages.docs_asset,
    pages.show_problem,
)
"""Those that look at ``Accept`` themselves."""
