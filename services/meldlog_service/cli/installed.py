"""The plugins of this environment, as the commands look at them: a broken one is told in a sentence."""

from functools import cache

from meldlog_service.catalogue import BrokenPlugin, Catalogue
from meldlog_service.cli.faults import Fault


@cache
def installed() -> Catalogue:
    """Everything that is installed, looked at once in a process.

    Raises:
        Fault: naming a plugin that cannot be used, and why.
    """
    try:
        return Catalogue.from_entry_points()
    except BrokenPlugin as error:
        raise Fault(str(error)) from error
