"""The one door to Redis: logs in streams, by the names and the script that the stored log promises."""

from meldlog_service.store.redis_streams.store import RedisStreams

__all__ = ["RedisStreams"]
