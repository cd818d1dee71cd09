"""The plugins of this environment, as the commands look at them: a broken one is told in a sentence."""

from meldlog_service.catalogue import BrokenPlugin, Catalogue
from meldlog_service.cli.faults import Fault


def installed() -> Catalogue:
    """Everything that is installed.

    Raises:
        Fault: naming a plugin that cannot be used, and why.
    """
    try:
        return Catalogue.from_entry_points()
    except BrokenPlugin as error:
        raise Fault(str(error)) from error
