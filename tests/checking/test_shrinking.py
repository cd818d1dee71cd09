"""A fault is made short, and stays the same fault."""

from __future__ import annotations

from msgspec.structs import replace
from tests.checking import planted
from tests.checking.finding import SETUP, fault_in, shrunk
from tests.support.plugins import catalogue_with

from meldlog_service.checking.playing import again, read_log
from meldlog_service.checking.tallies import Tally
from meldlog_service.checking.twins import in_this_process


def test_what_has_nothing_to_do_with_it_is_left_out() -> None:
    """House rules, options, seats and commands."""
    plugin = planted.notes_a_hand()
    crowded = replace(
        SETUP, seats=3, bots=("busy",) * 3, options=("joker-wild",), house_rules={"packs": 2, "hand_size": 8}
    )
    fault = fault_in(plugin, setup=crowded)
    assert fault is not None
    short = shrunk(fault, plugin)
    assert short.signature == fault.signature
    assert (short.setup.seats, short.setup.options, short.setup.house_rules) == (2, (), {})
    assert short.version <= fault.version
    assert len(short.log) == short.version


def test_a_short_log_shows_the_fault_again() -> None:
    """By its commands alone."""
    plugin = planted.tells_another_hand()
    fault = fault_in(plugin)
    assert fault is not None
    short = shrunk(fault, plugin)
    commits, lines = read_log(b"".join(line + b"\n" for line in short.log))
    assert lines == list(short.log)
    catalogue = catalogue_with(plugin)
    found = again(catalogue, commits, in_this_process(catalogue), Tally("planted"))
    assert found is not None
    assert found.signature == fault.signature


def test_a_fault_that_no_log_shows_is_named_by_its_game() -> None:
    """A game without an end is played again to see that."""
    plugin = planted.never_ends()
    fault = fault_in(plugin)
    assert fault is not None
    assert shrunk(fault, plugin) == replace(fault, log=())
