"""`meldlog bench`: in a checkout, and without one."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.cli.commands import is_one_sentence, meldlog

from meldlog_service.cli import bench
from meldlog_service.cli.program import program

LAST_RELEASE = max((bench.FOLDER / "meldlog_bench" / "results").glob("*.json"))


def test_a_checkout_measures(tmp_path: Path) -> None:
    """What `make bench` takes is taken: here, a report that was written before is shown."""
    done = meldlog("bench", "--show", LAST_RELEASE, home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Measured" in done.stdout
    assert meldlog("bench", "nonsense", home=tmp_path).returncode == 2


def test_elsewhere_it_says_where_the_measurements_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a sentence."""
    monkeypatch.setattr(bench, "FOLDER", tmp_path)
    for arguments in (["bench"], ["bench", "--help"]):
        done = CliRunner().invoke(program, arguments)
        assert done.exit_code == 2
        assert is_one_sentence(done.stderr)
        assert "make bench" in done.stderr
