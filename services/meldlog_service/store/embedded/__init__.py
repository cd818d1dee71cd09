"""A server of our own: a real Valkey, started in a data folder, that finds its way back after any kill."""

from meldlog_service.store.embedded.folder import FolderInUse
from meldlog_service.store.embedded.server import EmbeddedServer, ServerFailed

__all__ = ["EmbeddedServer", "FolderInUse", "ServerFailed"]
