"""Strategies that choose a command from nothing but a seat's view and its legal moves."""

from collections.abc import Mapping
from types import MappingProxyType

from meldlog_service.bots.patient import Patient
from meldlog_service.bots.plain import Plain
from meldlog_service.bots.strategy import Move, Strategy
from meldlog_service.bots.uniform import Uniform

STRATEGIES: Mapping[str, Strategy] = MappingProxyType(
    {strategy.name: strategy for strategy in (Uniform(), Plain(), Patient())}
)
"""Every bot that can be seated, by name."""

__all__ = ["STRATEGIES", "Move", "Strategy"]
