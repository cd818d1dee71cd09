"""Strategies that choose a command from nothing but a seat's view and its legal moves."""

from collections.abc import Mapping

from meldlog_service.bots.installed import BrokenBot, own, strategies
from meldlog_service.bots.strategy import Move, Strategy, thinks

STRATEGIES: Mapping[str, Strategy] = own()
"""The bots that come with Meldlog, by name, weakest first; `strategies` are all that are installed."""

__all__ = ["STRATEGIES", "BrokenBot", "Move", "Strategy", "strategies", "thinks"]
