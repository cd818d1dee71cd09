"""What the import rules promise, tried in a fresh interpreter: the linter reads imports, this runs them."""

import subprocess
import sys

BLOCKED = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ImportError(f"{{name}} may not be imported here")

sys.meta_path.insert(0, Blocker())
import {module}
"""


def importing(module: str, *blocked: str) -> subprocess.CompletedProcess[str]:
    """Imports a module where importing any of the `blocked` packages fails."""
    code = BLOCKED.format(blocked=set(blocked), module=module)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_replay_needs_no_plugin_code() -> None:
    """A log folds where neither the variants nor the library that plugs them in can be imported."""
    done = importing("meldlog_service.core.evolve", "meldlog_variants", "pluggy")
    assert done.returncode == 0, done.stderr


def test_a_service_starts_without_what_only_archives_need() -> None:
    """Importing them takes as long as starting a server; who archives, or reads what was archived, waits for it."""
    done = importing("meldlog_service.cli.http_server", "fsspec", "zstandard")
    assert done.returncode == 0, done.stderr


def test_the_blocker_blocks() -> None:
    """The test above can fail: the hooks do need the library."""
    done = importing("meldlog_contracts.hooks", "pluggy")
    assert "pluggy may not be imported here" in done.stderr
